//! Labelled sets: a folder with `catalog.json.gz`, `queries.jsonl`, and where there are any `bodies.jsonl.gz`, `negatives.jsonl`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use skillpick::{Skill, Stored};

/// One labelled query; `relevant` are positions in the set's skills.
pub struct Labelled {
    pub query: String,
    pub relevant: Vec<u32>,
    pub source: String,
}

/// One set, its skills in id order.
pub struct Set {
    pub name: String,
    pub skills: Vec<Skill>,
    pub queries: Vec<Labelled>,
    pub negatives: Vec<Labelled>,
    pub bodies: bool,
}

/// Folder of the sets: `SKILLPICK_SHARED` or `../shared`, then `quality/sets`.
pub fn folder() -> PathBuf {
    let shared = std::env::var_os("SKILLPICK_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
    shared.join("quality/sets")
}

fn text(path: &Path) -> String {
    if path.extension().is_some_and(|end| end == "gz") {
        let output = Command::new("gzip").arg("-dc").arg(path).output().expect("gzip runs");
        return String::from_utf8(output.stdout).expect("UTF-8");
    }
    std::fs::read_to_string(path).unwrap_or_default()
}

fn lines(path: &Path) -> Vec<Value> {
    text(path).lines().map(|line| serde_json::from_str(line).expect("JSON line")).collect()
}

/// Reads a set.
pub fn read(name: &str) -> Set {
    let folder = folder().join(name);
    let entries: Vec<Value> = serde_json::from_str(&text(&folder.join("catalog.json.gz"))).expect("catalog");
    let of = |entry: &Value, key: &str| -> Stored { entry[key].as_str().unwrap_or_default().into() };
    let mut skills: Vec<Skill> = entries
        .iter()
        .map(|entry| Skill {
            id: of(entry, "id"),
            name: of(entry, "name"),
            description: of(entry, "description"),
            enabled: true,
            model_invocable: true,
            ..Skill::default()
        })
        .collect();
    skills.sort_by(|a, b| a.id.cmp(&b.id));
    let places: HashMap<String, u32> = skills.iter().zip(0..).map(|(skill, i)| (skill.id.to_string(), i)).collect();
    let bodies_path = folder.join("bodies.jsonl.gz");
    let bodies = bodies_path.exists();
    if bodies {
        for entry in lines(&bodies_path) {
            if let Some(&place) = places.get(entry["id"].as_str().unwrap_or_default()) {
                skills[place as usize].instructions = entry["body"].as_str().map(Into::into);
            }
        }
    }
    let labelled = |file: &str, key: &str| -> Vec<Labelled> {
        let queries = lines(&folder.join(file));
        let positions = |of: &Value| match of {
            Value::String(id) => places.get(id.as_str()).copied().into_iter().collect(),
            Value::Array(ids) => ids.iter().filter_map(|id| places.get(id.as_str()?).copied()).collect(),
            _ => Vec::new(),
        };
        let source = |query: &Value| query["src"].as_str().unwrap_or_default().into();
        queries
            .iter()
            .map(|query| Labelled {
                query: query["query"].as_str().unwrap_or_default().into(),
                relevant: positions(&query[key]),
                source: source(query),
            })
            .collect()
    };
    let queries = labelled("queries.jsonl", "relevant");
    let negatives = labelled("negatives.jsonl", "not_relevant");
    Set { name: name.into(), skills, queries, negatives, bodies }
}

/// The same skills without bodies.
pub fn without_bodies(skills: &[Skill]) -> Vec<Skill> {
    skills.iter().map(|skill| Skill { instructions: None, ..skill.clone() }).collect()
}
