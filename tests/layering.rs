//! The structure is a rule: stages import only earlier ones, and one file knows JavaScript.

use std::collections::BTreeMap;
use std::fs;

/// The stages in the order of the data. A file may use what stands before it.
const STAGES: &[&str] = &[
    "limits",
    "error",
    "decimal",
    "value",
    "serde_value",
    "parse",
    "json",
    "diagnostic",
    "text",
    "top",
    "phrases",
    "stored",
    "rows",
    "skill",
    "glob",
    "stem",
    "script",
    "background",
    "terms",
    "postings",
    "passages",
    "mention",
    "prior",
    "index",
    "indexer",
    "typo",
    "entry",
    "collision",
    "prices",
    "catalog",
    "pasted",
    "context",
    "query",
    "tokens",
    "snapshot",
    "pack",
    "unpack",
    "options",
    "eligible",
    "suggest",
    "confidence",
    "explain",
    "score",
    "search",
    "evaluate",
    "rank",
    "summary",
    "render",
    "cost",
    "levels",
    "knapsack",
    "fit",
    "order",
    "settle",
    "policy",
    "pick",
    "report",
    "record",
    "listing",
    "sticky",
    "selection",
    "placement",
    "select",
    "wrapper",
    "arguments",
    "chunk",
    "loaded",
    "refuse",
    "repeat",
    "load",
    "tools",
    "state",
    "activation",
    "folder",
    "rules",
    "reattach",
    "lib",
    "wasm",
];

fn sources() -> BTreeMap<String, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let files = fs::read_dir(folder).expect("src exists").map(|entry| entry.expect("an entry").path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("text"))
        })
        .collect()
}

/// Names of modules of this crate that a source uses, outside its tests.
fn imports(source: &str) -> Vec<&str> {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split("crate::").skip(1))
        .filter_map(|rest| rest.split(|c: char| !(c.is_ascii_lowercase() || c == '_')).next())
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn only_the_boundary_knows_javascript() {
    for (name, source) in sources() {
        for word in ["js_sys", "wasm_bindgen", "web_sys", "JsValue"] {
            assert!(name == "wasm" || !source.contains(word), "src/{name}.rs mentions {word}");
        }
    }
}

#[test]
fn a_stage_imports_only_earlier_stages() {
    let place = |name: &str| STAGES.iter().position(|stage| *stage == name);
    for (name, source) in sources() {
        let Some(own) = place(&name) else { continue };
        for import in imports(&source) {
            let Some(other) = place(import) else { continue };
            assert!(other < own || import == name, "src/{name}.rs imports {import}, which comes later");
        }
    }
}

#[test]
fn files_stay_readable() {
    for (name, source) in sources() {
        let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let lines = code.lines().count();
        assert!(
            lines <= 420 || name == "weights",
            "src/{name}.rs has {lines} lines before its tests, the limit is 420"
        );
    }
}
