//! Loading: the reported cases in tests/cases, and what the original of the two-layer format answers.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skillpick::{
    Arguments, Catalog, CatalogOptions, LoadOptions, LoadResult, Loaded, Options, Refused, ToolDefinition, decode,
};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn read(path: &str) -> Value {
    let text = std::fs::read_to_string(folder(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A catalog of a case in our words: its `path` and `files` are our location and resources.
fn catalog_of(value: &Value) -> Catalog {
    let mut value = value.clone();
    let skills = if value.is_array() { value.as_array_mut() } else { value["skills"].as_array_mut() };
    for skill in skills.expect("skills") {
        let fields = skill.as_object_mut().expect("a skill");
        for (theirs, ours) in [("body", "instructions"), ("path", "location"), ("files", "resources")] {
            if let Some(value) = fields.remove(theirs) {
                fields.insert(ours.into(), value);
            }
        }
    }
    Catalog::from_slice(value.to_string().as_bytes(), CatalogOptions::default()).expect("a catalog")
}

fn case(name: &str) -> Catalog {
    catalog_of(&read(&format!("cases/{name}/catalog.json")))
}

fn options(value: Value) -> LoadOptions {
    let mut options: LoadOptions = serde_json::from_value(value).expect("options");
    if options.format == skillpick::LoadFormat::default() {
        options.format = skillpick::LoadFormat::Agentskills;
    }
    options
}

fn load(catalog: &Catalog, id: &str, given: Value) -> LoadResult {
    catalog.load(id, &options(given), None).expect("a result")
}

fn loaded(catalog: &Catalog, id: &str, given: Value) -> Loaded {
    match load(catalog, id, given) {
        LoadResult::Loaded(loaded) => loaded,
        LoadResult::Refused(refused) => panic!("{refused:?}"),
    }
}

fn refused(catalog: &Catalog, id: &str, given: Value) -> Refused {
    match load(catalog, id, given) {
        LoadResult::Refused(refused) => refused,
        LoadResult::Loaded(loaded) => panic!("{loaded:?}"),
    }
}

fn body(loaded: &Loaded) -> String {
    decode(&loaded.text).expect("an envelope").body
}

fn is_single_envelope(text: &str) -> bool {
    text.matches("<skill_content").count() == 1
        && text.matches("</skill_content").count() == 1
        && text.ends_with("</skill_content>")
}

/// The same value as serde_json's, which can be indexed.
fn theirs(value: &skillpick::Value) -> Value {
    serde_json::to_value(value).expect("a value")
}

#[test]
fn two_layer_answers_as_its_original() {
    for case in read("vectors/two-layer.json")["load"].as_array().expect("cases") {
        let catalog = catalog_of(&case["skills"]);
        let id = case["load"].as_str().expect("an id");
        let result = catalog.load(id, &serde_json::from_value(json!({"format": "two-layer"})).expect("options"), None);
        assert_eq!(result.expect("a result").text(), case["text"].as_str().expect("a text"));
    }
    for case in read("vectors/two-layer.json")["listing"].as_array().expect("cases") {
        let catalog = catalog_of(&case["skills"]);
        let options: Options =
            serde_json::from_value(json!({"format": "two-layer", "order": "name", "budget": null})).expect("options");
        let pick = catalog.select(&skillpick::Context::default(), &options, None).expect("a pick");
        assert_eq!(pick.xml, case["text"].as_str().expect("a text"));
    }
}

/// But for the place of arguments, which only a listing needs: the load knows that there are none.
#[test]
fn agentpool_loads_what_its_full_mode_lists() {
    let mut seen = 0;
    for case in read("vectors/agentpool.json").as_array().expect("cases") {
        let skills = case["catalog"].as_array().cloned().unwrap_or_default();
        let xml = case["expect"]["xml"].as_str().unwrap_or_default();
        let xml = xml.replace("\n\n      <user-request>\n      $ARGUMENTS\n      </user-request>", "");
        for skill in skills.iter().filter(|_| case["options"]["mode"] == "full" && case["given"] == true) {
            let catalog = catalog_of(&json!([skill]));
            let result = catalog.load(skill["name"].as_str().expect("a name"), &LoadOptions::default(), None);
            let result = result.expect("a result");
            assert!(xml.contains(&format!("\n{}\n", result.text())), "{}\nis not in\n{xml}", result.text());
            seen += 1;
        }
    }
    assert!(seen >= 4, "{seen}");
}

#[test]
fn arg_01_shell_code_keeps_its_dollars() {
    let catalog = case("arg-01-shell-dollar");
    let written = catalog.get("cost-sum").and_then(|skill| skill.instructions.clone()).expect("a body");
    let with = loaded(&catalog, "cost-sum", json!({"arguments": "north south east"}));
    assert!(body(&with).starts_with("Sum for north south east."));
    for kept in ["awk '{print $1}'", "price $0.25", "${1:-x} $@", "\\$2"] {
        assert!(body(&with).contains(kept), "{kept}");
    }
    for none in [json!({"arguments": ""}), json!({"arguments": null}), json!({})] {
        assert_eq!(body(&loaded(&catalog, "cost-sum", none)), &*written);
    }
}

#[test]
fn arg_02_replacement_patterns_are_text() {
    let catalog = case("arg-02-replace-patterns");
    for variant in read("cases/arg-02-replace-patterns/variants.json").as_array().expect("variants") {
        let result = loaded(&catalog, "quote-back", json!({"arguments": variant["arguments"]}));
        assert_eq!(body(&result), variant["expectBody"].as_str().expect("a body"));
    }
}

#[test]
fn arg_04_lines_stay_and_tags_do_not_break_out() {
    let catalog = case("arg-04-multiline-and-tags");
    let variants = read("cases/arg-04-multiline-and-tags/variants.json");
    let lines = loaded(&catalog, "log-read", json!({"arguments": variants[0]["arguments"]}));
    assert!(body(&lines).contains("line one\n  line two\n\n\tline four\nEnd."));
    let tags = loaded(&catalog, "log-read", json!({"arguments": variants[1]["arguments"]}));
    assert!(is_single_envelope(&tags.text), "{}", tags.text);
    let typed = loaded(&catalog, "/log-read line one\n  line two", json!({}));
    assert!(body(&typed).contains("line one\n  line two\nEnd."));
}

#[test]
fn xml_05_a_body_stays_inside_and_is_read_back() {
    let catalog = case("xml-05-body-closes-wrapper");
    let result = loaded(&catalog, "doc-style", json!({}));
    assert!(is_single_envelope(&result.text), "{}", result.text);
    assert!(result.text.contains("Write `<note>` boxes & keep <div> as is."));
    assert!(result.text.contains("]]>\n</load_result>"));
    let written = catalog.get("doc-style").and_then(|skill| skill.instructions.clone()).expect("a body");
    assert_eq!(body(&result), &*written);
}

#[test]
fn pol_01_a_skill_for_the_user_is_refused_with_the_reason() {
    let catalog = catalog_of(&json!([
        {"name": "prod-release", "description": "Releases to production.", "disable-model-invocation": true, "body": "Steps"}
    ]));
    let result = refused(&catalog, "prod-release", json!({}));
    assert_eq!(result.code, "not_model_invocable");
    assert!(result.text.contains("only be started by the user"));
    let near = refused(&catalog, "prod-releas", json!({}));
    assert!(near.suggestions.is_empty() && !near.text.contains("prod-release"), "{near:?}");
}

#[test]
fn pol_02_the_truth_table_of_actors() {
    let catalog = case("pol-02-user-may");
    let table = [
        ("a-both", true, true),
        ("b-user-only", false, true),
        ("c-model-only", true, false),
        ("d-neither", false, false),
    ];
    for (id, model, user) in table {
        let may = |actor: &str| matches!(load(&catalog, id, json!({"actor": actor})), LoadResult::Loaded(_));
        assert_eq!((may("model"), may("user")), (model, user), "{id}");
    }
}

#[test]
fn pol_04_what_is_denied_or_disabled_leaks_nowhere() {
    let catalog = case("pol-04-disabled-leaks");
    let rules = read("cases/pol-04-disabled-leaks/options.json")["policy"].clone();
    let given = json!({"rules": rules});
    for id in ["ops-wipe", "read-log", "/ops-wipe", "skill:read-log"] {
        let result = refused(&catalog, id, given.clone());
        assert_eq!(result.code, "not_available");
        assert!(result.suggestions.is_empty() && !result.text.contains(id), "{result:?}");
    }
    for id in ["ops-wip", "read-lo", "OPS_WIPE", "Read-Log", "ops wipe"] {
        let result = refused(&catalog, id, given.clone());
        assert_eq!(result.code, "unknown_skill");
        let said = result.text.replace(&format!("'{id}'"), "");
        assert!(!said.contains("'ops-wipe'") && !said.contains("read-log"), "{said}");
        assert!(result.suggestions.iter().all(|near| near == "ops-wiper"), "{result:?}");
    }
    assert!(loaded(&catalog, "mail-out", given.clone()).ok);
    let error = catalog.resource("ops-wipe", "x", &options(given)).expect_err("denied");
    assert_eq!(error.code(), "not_available");
}

#[test]
fn pol_06_names_and_paths_do_not_leave_the_catalog() {
    let options_of_case = read("cases/pol-06-fail-open-and-paths/options.json");
    let catalog = catalog_of(&json!([{
        "name": "wipe", "location": "/s/wipe/SKILL.md", "body": "Body", "disableModelInvocation": true,
        "files": ["ref/a.md", "../secret.txt", "..\\secret.txt", "%2e%2e/secret.txt"],
    }]));
    for id in options_of_case["names"].as_array().expect("names") {
        refused(&catalog, id.as_str().expect("a name"), json!({}));
    }
    for resource in options_of_case["resources"].as_array().expect("resources") {
        let path = resource[1].as_str().expect("a path");
        let error = catalog.resource("wipe", path, &LoadOptions::default()).expect_err(path);
        assert_eq!(error.code(), "resource_not_listed");
    }
    for path in ["/etc/hostname", "ref", "ref/b.md", "./ref/a.md", "ref//a.md", ""] {
        assert!(catalog.resource("wipe", path, &LoadOptions::default()).is_err(), "{path}");
    }
    assert_eq!(catalog.resource("wipe", "ref/a.md", &LoadOptions::default()).as_deref(), Ok("/s/wipe/ref/a.md"));
}

#[test]
fn coll_01_the_nearer_scope_is_loaded() {
    let catalog = case("coll-01-scope");
    assert_eq!(catalog.skills().len(), 1);
    assert_eq!(body(&loaded(&catalog, "hand-over", json!({}))), "project");
    assert_eq!(&*catalog.skills()[0].description, "Project hand-over for this repo.");
    let pick = catalog.select(&skillpick::Context::default(), &Options::default(), None).expect("a pick");
    let shadowed: Vec<_> = pick.omitted.iter().filter(|one| one.reason == skillpick::Reason::Shadowed).collect();
    assert_eq!(shadowed[0].id, "hand-over");
    assert_eq!(shadowed[0].source.as_deref(), Some("user"));
}

#[test]
fn coll_03_one_file_reached_twice_is_no_warning() {
    let catalog = case("coll-03-same-file-twice");
    assert_eq!(catalog.skills().len(), 2);
    let warnings = catalog.diagnostics().iter().filter(|one| one.severity >= skillpick::Severity::Warning);
    assert_eq!(warnings.count(), 0, "{:?}", catalog.diagnostics());
}

#[test]
fn coll_04_near_names_stay_apart() {
    let catalog = case("coll-04-near-names");
    assert_eq!(catalog.skills().len(), 6);
    assert!(catalog.diagnostics().iter().any(|one| one.code == "near_duplicate_name"));
    let given = || json!({"instructions": "x"});
    assert_eq!(loaded(&catalog, "在庫", given()).id, "在庫");
    assert_eq!(loaded(&catalog, "cafe\u{301}-menu", given()).id, "café-menu");
    assert_eq!(refused(&catalog, "my.kit", given()).code, "unknown_skill");
    assert_eq!(refused(&catalog, "My-Kit", given()).code, "unknown_skill", "three skills look like it");
}

/// A message of a tool with a result.
fn tool(text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": "c1", "name": "load_skill", "content": text})
}

#[test]
fn life_03_a_body_in_the_conversation_is_not_repeated() {
    let catalog = case("life-03-double-injection");
    let first = loaded(&catalog, "ink-test", json!({}));
    let messages = [
        json!([tool(&first.text)]),
        json!([{"role": "user", "content": [{"type": "tool-result", "output": {"type": "json", "value": {"text": first.text}}}]}]),
        json!([{"type": "function_call_output", "output": json!({"ok": true, "text": first.text}).to_string()}]),
        json!([tool(&format!("before\n{}\nafter", first.text))]),
    ];
    for messages in messages {
        let again = loaded(&catalog, "ink-test", json!({"messages": messages}));
        assert!(again.repeated && again.tokens < again.total_tokens, "{again:?}");
        assert_eq!(again.hash, first.hash);
        assert!(!loaded(&catalog, "paper-cut", json!({"messages": messages})).repeated);
        assert!(!loaded(&catalog, "ink-test", json!({"messages": messages, "force": true})).repeated);
        assert!(loaded(&catalog, "ink-test", json!({"messages": messages, "format": "two-layer"})).repeated);
    }
}

#[test]
fn life_04_only_the_same_complete_body_counts() {
    let catalog = case("life-04-stale-dedupe");
    let now = loaded(&catalog, "ink-test", json!({}));
    let old = loaded(&catalog, "ink-test", json!({"instructions": "# Ink\n\nNever wet the sheet.\n"}));
    assert_ne!(now.hash, old.hash);
    let summary = read("cases/life-04-stale-dedupe/summary.context.json")["messages"].clone();
    let half = &now.text[..now.text.len() / 2];
    for messages in [json!([tool(&old.text)]), json!([tool(half)]), summary] {
        assert!(!loaded(&catalog, "ink-test", json!({"messages": messages})).repeated, "{messages}");
    }
}

#[test]
fn life_08_with_nothing_to_load_there_is_no_tool() {
    for file in ["empty.catalog.json", "disabled.catalog.json"] {
        let catalog = catalog_of(&read(&format!("cases/life-08-empty/{file}")));
        let pick = catalog.select(&skillpick::Context::default(), &Options::default(), None).expect("a pick");
        assert_eq!(pick.xml, "");
        assert_eq!(catalog.tools(&Options::default(), None), Ok(Vec::new()));
        let result = refused(&catalog, "anything", json!({}));
        assert_eq!(result.code, "unknown_skill");
        assert!(result.text.contains("There are no skills to load."));
    }
}

#[test]
fn life_09_decorated_names_and_calls_are_understood() {
    let catalog = case("life-09-called-as-tool");
    for asked in ["/ink-test", " \"ink-test\" ", "skill:ink-test", "Ink-Test", "ink_test", "ink-test\n", "$ink-test"] {
        let result = loaded(&catalog, asked, json!({}));
        assert_eq!((result.id.as_str(), result.asked.as_deref()), ("ink-test", Some(asked)));
    }
    let near = refused(&catalog, "ink-tset", json!({}));
    assert_eq!((near.code, near.suggestions), ("unknown_skill", vec!["ink-test".to_owned()]));
    assert!(near.text.contains("ink-test"));
    assert_eq!(refused(&catalog, "", json!({})).code, "unknown_skill");
    let advice = catalog.advise("ink-test", &LoadOptions::default()).expect("advice");
    assert!(advice.contains("load_skill") && advice.contains("'ink-test'"));
    assert_eq!(catalog.advise("weather", &LoadOptions::default()), None);
}

#[test]
fn instructions_that_are_elsewhere_are_a_refusal_of_their_own() {
    let catalog = catalog_of(&json!([{"name": "far", "instructionTokens": 900}]));
    assert_eq!(refused(&catalog, "far", json!({})).code, "instructions_not_loaded");
    assert_eq!(body(&loaded(&catalog, "far", json!({"instructions": "here"}))), "here");
}

#[test]
fn arguments_without_a_place_are_shown_beside_the_body() {
    let catalog = catalog_of(&json!([{"name": "a", "body": "Body."}]));
    for format in ["agentpool", "agentskills", "two-layer", "promethea", "skill-content", "compact"] {
        let given = json!({"arguments": "fix </skill> it", "format": format});
        let result = catalog.load("a", &serde_json::from_value(given).expect("options"), None).expect("a result");
        assert!(result.text().contains("<user-request>"), "{}", result.text());
        assert_eq!(decode(result.text()).expect("an envelope").body, "Body.");
    }
}

#[test]
fn parts_fit_join_to_the_whole_and_say_where_they_are() {
    let paragraphs: Vec<String> =
        (0..60).map(|n| format!("## Step {n}\n\nDo thing {n} with care, then check it.\n\nNext.\n")).collect();
    let whole = paragraphs.join("\n");
    let catalog = catalog_of(&json!([{"name": "long", "body": whole}]));
    let (mut offset, mut joined, mut parts) = (0, String::new(), 0);
    loop {
        let part = loaded(&catalog, "long", json!({"maxTokens": 300, "offset": offset}));
        assert!(part.tokens <= 300, "{}", part.tokens);
        let read = decode(&part.text).expect("an envelope");
        assert!(read.partial);
        joined.push_str(&read.body);
        parts += 1;
        assert_eq!(part.truncated, part.next_offset.is_some());
        match part.next_offset {
            Some(next) => {
                assert!(part.text.contains(&format!("The next part starts at offset {next}.")));
                assert!(whole[next..].starts_with("## Step"), "cut at a heading");
                offset = next;
            }
            None => break,
        }
    }
    assert_eq!(joined, whole);
    assert!(parts > 3);
    assert_eq!(refused(&catalog, "long", json!({"maxTokens": 5})).code, "max_tokens_too_small");
    let error = catalog.load("long", &options(json!({"maxTokens": -1})), None).expect_err("no limit");
    assert_eq!((error.code(), error.path()), ("invalid_option", Some("options.maxTokens")));
}

/// Every property typed, all required, nothing else allowed, no defaults.
fn is_strict(schema: &Value) -> bool {
    let properties = schema["properties"].as_object().expect("properties");
    let required: Vec<&str> =
        schema["required"].as_array().expect("required").iter().filter_map(Value::as_str).collect();
    schema["type"] == "object"
        && schema["additionalProperties"] == false
        && !properties.is_empty()
        && properties.keys().all(|name| required.contains(&name.as_str()))
        && required.len() == properties.len()
        && properties.values().all(|property| property["type"].is_string() && property.get("default").is_none())
}

fn names(tools: &[ToolDefinition]) -> Vec<&str> {
    tools.iter().map(|tool| tool.name.as_str()).collect()
}

#[test]
fn tools_are_strict_and_only_those_of_use() {
    let few = case("life-09-called-as-tool");
    let tools = few.tools(&Options::default(), None).expect("tools");
    assert_eq!(names(&tools), ["load_skill"]);
    assert_eq!(theirs(&tools[0].parameters)["properties"]["id"]["enum"], json!(["ink-test", "paper-cut"]));
    let many: Vec<Value> =
        (0..1200).map(|n| json!({"name": format!("skill-number-{n}"), "description": "d"})).collect();
    let many = catalog_of(&json!(many));
    let named = r#"{"toolNames":{"load":"l","search":"s","list":"i"}}"#;
    let tools = many.tools(&serde_json::from_str(named).expect("options"), None).expect("tools");
    assert_eq!(names(&tools), ["l", "s", "i"]);
    assert!(theirs(&tools[0].parameters)["properties"]["id"].get("enum").is_none(), "no provider takes so many");
    assert!(tools.iter().all(|tool| is_strict(&theirs(&tool.parameters)) && tool.description.len() <= 1024));
    let hidden = catalog_of(&json!([{"name": "a", "modelInvocable": false}, {"name": "b", "body": "x"}]));
    let tools = hidden.tools(&Options::default(), None).expect("tools");
    assert_eq!(theirs(&tools[0].parameters)["properties"]["id"]["enum"], json!(["b"]));
}

#[test]
fn arguments_take_what_models_send() {
    for (sent, whole) in [(json!(null), ""), (json!(3), "3"), (json!(["a", 2]), "a 2"), (json!({"k": true}), "k: true")]
    {
        let arguments: Arguments = serde_json::from_value(sent).expect("arguments");
        assert_eq!(arguments.whole(), whole);
    }
}
