//! Cases of relevance: each folder of `tests/cases/rel-*` holds skills and queries with what must come first and what must not.

use std::fs;
use std::path::Path;

use serde_json::Value;
use skillpick::{Context, Details, Index, Query, Relevance, Skill, Stored, confident, score};

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn skill(entry: &Value) -> Skill {
    let text = |key: &str| -> Stored { entry[key].as_str().unwrap_or_default().into() };
    let details = Details {
        triggers: texts(&entry["triggers"]),
        not_for: texts(&entry["notFor"]),
        paths: texts(&entry["paths"]),
        ..Details::default()
    };
    Skill {
        id: text("name"),
        name: text("name"),
        description: text("description"),
        instructions: entry["body"].as_str().map(Into::into),
        details: Some(Box::new(details)),
        ..Skill::default()
    }
}

fn ranked(skills: &[Skill], context: &Context) -> Vec<Relevance> {
    let index = Index::build(skills);
    let all: Vec<u32> = (0..skills.len() as u32).collect();
    score(skills, &index, &Query::read(context, skills, &index), context, &all)
}

fn check(case: &str, skills: &[Skill], wanted: &Value) {
    let mut context = wanted.clone();
    let mut context = context["context"].take();
    for key in ["query", "messages"] {
        if !wanted[key].is_null() {
            context[key] = wanted[key].clone();
        }
    }
    let context: Context = serde_json::from_value(context).unwrap_or_default();
    let found = ranked(skills, &context);
    let of = |name: &str| &found[skills.iter().position(|skill| &*skill.name == name).expect("a skill of the case")];
    let label =
        format!("{case}: {wanted}\n{:?}", skills.iter().map(|skill| &skill.name).zip(&found).collect::<Vec<_>>());
    if let Some(first) = wanted["first"].as_str() {
        let best = of(first);
        assert!(!best.evidence.is_empty() && confident(&found), "no evidence: {label}");
        let others = skills.iter().zip(&found).filter(|(skill, _)| &*skill.name != first);
        assert!(others.into_iter().all(|(_, other)| other.score < best.score), "not first: {label}");
    }
    for name in texts(&wanted["notSelected"]) {
        assert!(of(&name).evidence.is_empty(), "evidence for {name}: {label}");
    }
    for name in texts(&wanted["notPinned"]) {
        assert!(!of(&name).mentioned, "pinned {name}: {label}");
    }
    if wanted["noneConfident"] == true || wanted["confidence"] == "none" {
        assert!(!confident(&found), "confident: {label}");
        assert!(found.iter().all(|skill| skill.evidence.is_empty()), "evidence: {label}");
    }
}

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut checked = 0;
    let mut failed = Vec::new();
    for entry in fs::read_dir(folder).expect("cases").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with("rel-") {
            continue;
        }
        let case: Value = serde_json::from_str(&fs::read_to_string(entry.path().join("case.json")).unwrap()).unwrap();
        let skills: Vec<Skill> = case["skills"].as_array().expect("skills").iter().map(skill).collect();
        for wanted in case["queries"].as_array().expect("queries") {
            checked += 1;
            if let Err(panic) = std::panic::catch_unwind(|| check(&name, &skills, wanted)) {
                failed.push(panic.downcast_ref::<String>().cloned().unwrap_or_default());
            }
        }
    }
    assert!(checked > 58, "only {checked} queries found");
    assert!(failed.is_empty(), "{} of {checked} failed:\n{}", failed.len(), failed.join("\n"));
}
