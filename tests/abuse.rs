//! What a hostile author, user or host can make large, each with its bound and its typed answer. The largest need minutes and
//! memory: `ABUSE=full cargo test --release --test abuse -- --nocapture` runs them too; their figures are in SECURITY.md.

use std::fmt::Write;
use std::time::Instant;

use serde_json::{Value, json};
use skillpick::limits::{MAX_DIAGNOSTICS, MAX_ITEMS, MAX_RULES, MAX_SCOPES, MAX_TEXT_BYTES};
use skillpick::{Arguments, Catalog, CatalogOptions, Context, Error, LoadOptions, LoadResult, Options, SessionState};

fn read(skills: &Value) -> Catalog {
    Catalog::from_slice(skills.to_string().as_bytes(), CatalogOptions::default()).expect("a catalog")
}

fn refused(json: &[u8], options: CatalogOptions) -> (&'static str, String) {
    let error = Catalog::from_slice(json, options).expect_err("over a limit");
    (error.code(), error.to_string())
}

fn context(json: Value) -> Context {
    serde_json::from_value(json).expect("a context")
}

fn options(json: Value) -> Options {
    serde_json::from_value(json).expect("options")
}

/// Codes of a catalog's remarks, each once.
fn codes(catalog: &Catalog) -> Vec<&str> {
    let mut codes: Vec<&str> = catalog.diagnostics().iter().map(|remark| remark.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

#[test]
fn a_catalog_has_limits_with_both_numbers() {
    let small = CatalogOptions { max_bytes: 10, ..CatalogOptions::default() };
    assert_eq!(refused(b"[          ]", small), ("catalog_too_large", "12 bytes, the limit is 10".into()));
    let few = CatalogOptions { max_skills: 1, ..CatalogOptions::default() };
    assert_eq!(
        refused(br#"[{"name":"a"},{"name":"b"}]"#, few),
        ("too_many_skills", "skills: 2 skills, the limit is 1".into())
    );
    let scopes = CatalogOptions { scopes: vec!["x".into(); MAX_SCOPES + 1], ..CatalogOptions::default() };
    assert_eq!(refused(b"[]", scopes), ("invalid_option", "options.scopes: 256 scopes, the limit is 255".into()));
}

#[test]
fn a_text_is_cut_at_its_limit_and_said_to_be() {
    let long = format!("{}é tail", "x".repeat(MAX_TEXT_BYTES - 1));
    let catalog =
        read(&json!([{ "name": "a", "description": long, "whenToUse": long, "location": long, "category": long }]));
    let skill = catalog.get("a").expect("a skill");
    assert_eq!(skill.description.len(), MAX_TEXT_BYTES - 1, "not inside a character");
    assert_eq!(skill.when_to_use.len(), MAX_TEXT_BYTES - 1);
    let cut: Vec<&str> = catalog
        .diagnostics()
        .iter()
        .filter(|one| one.code == "text_too_long")
        .filter_map(|one| one.path.as_deref())
        .collect();
    assert_eq!(cut, ["skills[0].description", "skills[0].when_to_use", "skills[0].location", "skills[0].category"]);
    let body = "word ".repeat(MAX_TEXT_BYTES);
    let catalog = read(&json!([{ "name": "a", "instructions": body }]));
    assert_eq!(
        catalog.get("a").and_then(|skill| skill.instructions.as_deref().map(str::len)),
        Some(body.len()),
        "bodies stay whole"
    );
}

#[test]
fn a_list_is_cut_at_its_limit_and_said_to_be() {
    let items: Vec<String> = (0..=MAX_ITEMS).map(|i| format!("item{i}")).collect();
    let lists = [
        "tags",
        "paths",
        "triggers",
        "not_for",
        "resources",
        "tools",
        "arguments",
        "allowed_tools",
        "examples",
        "evaluation_cases",
    ];
    for key in lists {
        let catalog = read(&json!([{ "name": "a", key: items }]));
        assert_eq!(codes(&catalog), ["list_too_long"], "{key}");
        let kept = serde_json::to_value(catalog.get("a").expect("a skill").to_record().get(&camel(key))).expect("JSON");
        assert_eq!(kept.as_array().map(Vec::len), Some(MAX_ITEMS), "{key}");
    }
}

fn camel(key: &str) -> String {
    let mut parts = key.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + &part[..1].to_uppercase() + &part[1..])
}

#[test]
fn remarks_are_bounded_in_number_and_length() {
    let entry = r#"{"name":"a","enabled":7,"user_invocable":7,"kind":7}"#;
    let json = format!("[{}]", vec![entry; MAX_DIAGNOSTICS].join(","));
    let catalog = Catalog::from_slice(json.as_bytes(), CatalogOptions::default()).expect("a catalog");
    assert_eq!(catalog.diagnostics().len(), MAX_DIAGNOSTICS + 1);
    assert_eq!(catalog.diagnostics().last().map(|one| one.code.as_str()), Some("more_diagnostics"));
    let hostile = "\u{E0041}\u{7f}".repeat(20_000);
    let catalog = read(
        &json!([{ "name": "a", "description": hostile, "kind": hostile, "enabled": hostile, "context": hostile }]),
    );
    assert!(!catalog.get("a").expect("a skill").enabled, "what can't be read restricts");
    let longest = catalog.diagnostics().iter().map(|one| one.message.len()).max();
    assert!(longest.is_some_and(|bytes| bytes < 2_010), "{longest:?}");
}

#[test]
fn deep_and_huge_json_costs_one_entry_or_is_refused() {
    let deep = format!(r#"[{{"name":"a"}},{{"name":"b","extra":{}1{}}}]"#, "[".repeat(100_000), "]".repeat(100_000));
    let catalog = Catalog::from_slice(deep.as_bytes(), CatalogOptions::default()).expect("a catalog");
    assert_eq!((catalog.skills().len(), codes(&catalog)), (1, vec!["too_deep"]));
    assert_eq!(refused("[".repeat(1_000_000).as_bytes(), CatalogOptions::default()).0, "invalid_json");
    let wide = format!(r#"[{{"name":"a","priority":{}}}]"#, "9".repeat(1_000_000));
    assert!(Catalog::from_slice(wide.as_bytes(), CatalogOptions::default()).is_ok());
    let catalog = read(&json!([{ "name": "a".repeat(1_025) }, { "id": "b".repeat(100_000), "name": "b" }]));
    assert_eq!((catalog.skills().len(), codes(&catalog)), (0, vec!["name_too_long"]));
}

#[test]
fn options_have_limits_with_both_numbers() {
    let catalog = read(&json!([{ "name": "a" }]));
    let fails = |wanted: Value| {
        let error = catalog.select(&Context::default(), &options(wanted), None).expect_err("over a limit");
        (error.code(), error.to_string())
    };
    let rules = vec![json!({ "match": "x", "action": "deny" }); MAX_RULES + 1];
    assert_eq!(
        fails(json!({ "rules": rules })),
        ("invalid_option", "options.rules: 1001 rules, the limit is 1000".into())
    );
    let rule = json!([{ "match": "*a".repeat(600), "action": "deny" }]);
    assert_eq!(
        fails(json!({ "rules": rule })),
        ("invalid_option", "options.rules[0].match: 1200 bytes, the limit is 1024".into())
    );
    let load = LoadOptions { rules: options(json!({ "rules": rules })).rules, ..LoadOptions::default() };
    assert_eq!(catalog.load("a", &load, None).expect_err("over a limit").code(), "invalid_option");
}

#[test]
fn a_million_ids_in_options_are_looked_up() {
    let skills: Vec<Value> = (0..3_000).map(|i| json!({ "name": format!("s{i}") })).collect();
    let catalog = read(&json!(skills));
    let ids: Vec<String> = (0..1_000_000).map(|i| format!("s{i}")).collect();
    let base = Options { pinned: ids.clone(), exclude: ids[..2_999].to_vec(), ..options(json!({ "budget": 1e300 })) };
    let pick = catalog.select(&Context { active: ids, ..Context::default() }, &base, None).expect("a pick");
    assert_eq!(pick.skills.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["s2999"]);
}

#[test]
fn counters_that_lie_end_in_a_typed_error_or_a_block_within_the_budget() {
    let skills: Vec<Value> =
        (0..300).map(|i| json!({ "name": format!("s{i}"), "description": "Does a thing." })).collect();
    let catalog = read(&json!(skills));
    for answer in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0] {
        let counter = |_: &str| -> Result<f64, Error> { Ok(answer) };
        let error = catalog.select(&Context::default(), &Options::default(), Some(&counter)).expect_err("no count");
        assert_eq!(error.code(), "invalid_count");
    }
    for placement in ["single", "split"] {
        for budget in [0_u32, 1, 500, 4_000_000_000] {
            let calls = std::cell::Cell::new(0_u32);
            // Always one more than was asked for, then nothing at all, by turns.
            let counter = |text: &str| -> Result<f64, Error> {
                calls.set(calls.get() + 1);
                Ok(if calls.get().is_multiple_of(3) { 0.0 } else { f64::from(budget) + text.len() as f64 })
            };
            let options = options(json!({ "budget": budget, "placement": placement }));
            let pick = catalog.select(&Context::default(), &options, Some(&counter)).expect("a pick");
            assert!(pick.xml.is_empty() || pick.tokens > 0 || budget == 0 || calls.get() > 1);
            assert!(calls.get() < 2_000, "{placement} {budget}: {} calls", calls.get());
        }
    }
}

#[test]
fn long_conversations_are_read_at_their_ends() {
    let catalog = read(
        &json!([{ "name": "deploy-site", "description": "Deploys." }, { "name": "other", "description": "Bakes bread." }]),
    );
    let first =
        |said: Value| catalog.select(&context(said), &Options::default(), None).expect("a pick").skills[0].id.clone();
    let noise = "lorem ipsum ".repeat(300_000);
    assert_eq!(first(json!({ "query": format!("bake bread {noise}") })), "other");
    assert_eq!(first(json!({ "query": format!("{noise} bake bread") })), "other");
    let many = vec![json!({ "role": "user", "content": "bake bread" }); 10_000];
    assert_eq!(first(json!({ "messages": many })), "other");
    let parts = vec![json!({ "type": "text", "text": "bread" }); 100_000];
    assert_eq!(first(json!({ "messages": [{ "role": "user", "content": parts }] })), "other");
}

#[test]
fn arguments_cannot_make_a_body_endless() {
    let catalog = read(&json!([{ "name": "a", "instructions": "$ARGUMENTS ".repeat(1_000) }]));
    let asked = |bytes: usize| {
        let options = LoadOptions { arguments: Arguments::Text("x".repeat(bytes)), ..LoadOptions::default() };
        catalog.load("a", &options, None).expect("a result")
    };
    assert!(matches!(asked(1_000), LoadResult::Loaded(_)));
    let LoadResult::Refused(refused) = asked(100_000) else { panic!("100 MB were made of 100 KB") };
    assert_eq!(refused.code, "arguments_too_large");
}

#[test]
fn names_that_collide_are_found_as_far_as_the_bound() {
    // All of them fall on one key: they differ in case alone.
    let spelled = |i: usize| -> String {
        let letter = |(at, c): (usize, char)| if i >> at & 1 == 1 { c.to_ascii_uppercase() } else { c };
        "abcdefghijkl-x".char_indices().map(letter).collect()
    };
    let skills: Vec<Value> = (0..4_096).map(|i| json!({ "name": spelled(i) })).collect();
    let catalog = read(&json!(skills));
    for i in [0, 77, 4_095] {
        let said = context(json!({ "query": format!("/{}", spelled(i)) }));
        let pick = catalog.select(&said, &options(json!({ "budget": null })), None).expect("a pick");
        let pinned: Vec<&str> = pick.skills.iter().filter(|one| one.pinned).map(|one| one.id.as_str()).collect();
        assert!(pinned.len() <= 64 + 1 && pinned.contains(&&*spelled(i)), "{} are pinned", pinned.len());
    }
}

#[test]
fn a_session_with_many_tools_and_rules_stays_small_work() {
    let tools: Vec<String> = (0..10_000).map(|i| format!("tool.{i}")).collect();
    let catalog = read(
        &json!([{ "name": "a", "instructions": "x", "tools": tools }, { "name": "b", "instructions": "y", "tools": ["tool.9999"] }]),
    );
    let mut state = SessionState::default();
    assert!(matches!(catalog.session_load(&mut state, "a", &LoadOptions::default(), None), Ok(LoadResult::Loaded(_))));
    let second = catalog.session_load(&mut state, "b", &LoadOptions::default(), None).expect("a result");
    assert!(matches!(second, LoadResult::Refused(refused) if refused.code == "tool_conflict"));
}

/// Peak memory of this process in MiB, where the system says it.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or_default() / 1024
}

fn generated(bytes: usize, mut entry: impl FnMut(usize, &mut String)) -> String {
    let mut json = String::from("[");
    for i in 0.. {
        entry(i, &mut json);
        if json.len() >= bytes {
            break;
        }
        json.push(',');
    }
    json + "]"
}

/// Catalogs at the limits: 100 MB, a million skills, a body of 50 MB, a text of 100 MB.
#[test]
fn catalogs_at_the_limits() {
    if std::env::var("ABUSE").as_deref() != Ok("full") {
        return println!("skipped: ABUSE=full runs it");
    }
    let word = |i: usize| i.wrapping_mul(2_654_435_761) % 4_294_967_291;
    let dense = |i: usize, out: &mut String| {
        let _ = write!(out, r#"{{"name":"s{i}","description":"#);
        let words: Vec<String> = (0..12).map(|w| format!("{:x}", word(i * 12 + w))).collect();
        let _ = write!(out, r#""{}"}}"#, words.join(" "));
    };
    let one = |key: &str, bytes: usize| {
        let words = (0..bytes / 9).fold(String::new(), |mut all, i| {
            let _ = write!(all, "{:x} ", word(i));
            all
        });
        format!(r#"[{{"name":"a","{key}":"{words}"}}]"#)
    };
    let million = generated(48 << 20, |i, out| {
        let _ = write!(out, r#"{{"name":"s{i}","description":"Does thing {i}"}}"#);
    });
    let inputs = [
        ("a million tiny skills", million),
        ("100 MB of different words", generated(100 << 20, dense)),
        ("a body of 50 MB", one("instructions", 50 << 20)),
        ("a description of 100 MB", one("description", 100 << 20)),
    ];
    for (name, json) in inputs {
        let started = Instant::now();
        let catalog = Catalog::from_slice(json.as_bytes(), CatalogOptions::default()).expect("a catalog");
        let built = started.elapsed();
        let started = Instant::now();
        let pick = catalog.select(&context(json!({ "query": "thing 7" })), &Options::default(), None).expect("a pick");
        let picked = started.elapsed();
        let started = Instant::now();
        let _ = catalog.load("no such skill", &LoadOptions::default(), None).expect("a result");
        println!(
            "{name}: {} MB, {} skills: built in {built:.1?}, picked in {picked:.1?}, unknown id in {:.1?}, peak {} MiB",
            json.len() >> 20,
            catalog.skills().len(),
            started.elapsed(),
            peak()
        );
        assert!(pick.tokens <= 2_000 && peak() < 3_500);
    }
}
