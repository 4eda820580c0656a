//! What prompt caches keep: replays conversations, and prints for each way to place the block how much of a prompt is the
//! start of the next one, how many tokens a turn sends anew, and how often the skill that the turn needs is there to see.
//!
//! Run by `make bench-cache`. The labelled sets of `SKILLPICK_SHARED` (default ../shared) are read too, where they are.

mod replay;

use std::path::{Path, PathBuf};

use replay::{Labelled, Policy, replay};
use serde_json::{Value, json};
use skillpick::{Catalog, CatalogOptions};

/// Conversations that are replayed for each catalog, and their turns.
const CONVERSATIONS: usize = 50;
const TURNS: usize = 20;
const SETS: [&str; 3] = ["skillsbench-2k", "skill-evals-dev", "metatool-single"];

fn main() {
    let (catalog, queries) = examples();
    report("examples/catalog", &catalog, &queries, 700);
    report("examples/catalog", &catalog, &queries, 2000);
    let shared = std::env::var_os("SKILLPICK_SHARED").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
    for set in SETS {
        match read(&shared.join("quality/sets").join(set)) {
            Some((catalog, queries)) => report(set, &catalog, &queries, 2000),
            None => println!("\n{set}: skipped, there is no {}", shared.join("quality/sets").join(set).display()),
        }
    }
}

fn report(name: &str, catalog: &Catalog, queries: &[Labelled], budget: u32) {
    println!(
        "\n{name}: {} skills, budget {budget}, {CONVERSATIONS} conversations of {TURNS} turns",
        catalog.skills().len()
    );
    println!("            kept   sent anew   stays   visible   described");
    for policy in [Policy::Naive, Policy::Sticky, Policy::Split] {
        let sum = replay(catalog, queries, policy, budget, CONVERSATIONS, TURNS);
        println!(
            "{:9} {:5.1} %  {:6.0} t/turn  {:4.0} %   {:5.1} %    {:5.1} %",
            policy.name(),
            100.0 * sum.kept / sum.before,
            sum.sent / sum.turns,
            100.0 * sum.same / sum.later_turns,
            100.0 * sum.visible / sum.turns,
            100.0 * sum.described / sum.turns,
        );
    }
}

/// The example catalog; what each skill says of its use is the request for it.
fn examples() -> (Catalog, Vec<Labelled>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/catalog");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the examples").map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    let (mut skills, mut queries) = (Vec::new(), Vec::new());
    for folder in folders {
        let Ok(text) = std::fs::read_to_string(folder.join("SKILL.md")) else { continue };
        let mut parts = text.splitn(3, "---\n").skip(1);
        let (header, body) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let field = |key: &str| header.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
        let (name, description) = (field("name:"), field("description:").trim_matches('"'));
        let used = description.trim_end_matches(['.', '。']).rsplit(['.', '。', '？']).next().unwrap_or(description);
        queries.push(Labelled { query: used.trim().to_owned(), relevant: vec![name.to_owned()] });
        skills.push(json!({"name": name, "description": description, "instructions": body}));
    }
    (catalog(&json!(skills)), queries)
}

fn catalog(skills: &Value) -> Catalog {
    Catalog::from_slice(skills.to_string().as_bytes(), CatalogOptions::default()).expect("a catalog")
}

/// A labelled set with its bodies.
fn read(folder: &Path) -> Option<(Catalog, Vec<Labelled>)> {
    let mut skills: Vec<Value> = serde_json::from_str(&unzipped(&folder.join("catalog.json.gz"))?).ok()?;
    let bodies: std::collections::BTreeMap<String, Value> = unzipped(&folder.join("bodies.jsonl.gz"))
        .unwrap_or_default()
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|line| Some((line["id"].as_str()?.to_owned(), line["body"].clone())))
        .collect();
    for skill in &mut skills {
        if let Some(body) = skill["id"].as_str().and_then(|id| bodies.get(id)) {
            skill["instructions"] = body.clone();
        }
    }
    let lines = std::fs::read_to_string(folder.join("queries.jsonl")).ok()?;
    let queries = lines.lines().filter_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        let relevant = serde_json::from_value(line["relevant"].clone()).ok()?;
        Some(Labelled { query: line["query"].as_str()?.to_owned(), relevant })
    });
    Some((catalog(&json!(skills)), queries.collect()))
}

fn unzipped(path: &Path) -> Option<String> {
    let output = std::process::Command::new("gzip").arg("-dc").arg(path).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok())?
}
