//! Blocks from turn to turn: two parts, one that never changes; choices that stay; and Promethea's listing.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skillpick::{Catalog, CatalogOptions, Context, Options, Pick, PickState};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn read(path: &str) -> Value {
    let text = std::fs::read_to_string(folder(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn catalog(value: &Value) -> Catalog {
    Catalog::from_slice(value.to_string().as_bytes(), CatalogOptions::default()).expect("a catalog")
}

fn select(catalog: &Catalog, context: &Value, options: &Value) -> Pick {
    let context: Context = serde_json::from_value(context.clone()).expect("a context");
    let options: Options = serde_json::from_value(options.clone()).expect("options");
    catalog.select(&context, &options, None).expect("a pick")
}

fn state(pick: &Pick) -> Value {
    let state = serde_json::to_value(&pick.state).expect("json");
    let again: PickState = serde_json::from_value(state.clone()).expect("a state");
    assert_eq!(again, pick.state, "a state survives being kept");
    state
}

#[test]
fn promethea_lists_as_its_original() {
    for case in read("vectors/promethea-listing.json").as_array().expect("cases") {
        let catalog = catalog(&case["skills"]);
        let theirs = &case["options"];
        let mut options = json!({"format": "promethea", "user": case["user_config"]});
        for (key, ours) in [("max_chars", "maxChars"), ("per_skill_desc_limit", "descriptionChars")] {
            if let Some(value) = theirs.get(key) {
                options[ours] = value.clone();
            }
        }
        let pick = select(&catalog, &json!({"messages": ["the order of ids holds, whatever is asked"]}), &options);
        assert_eq!(pick.xml, case["listing_prompt"].as_str().expect("a listing"), "{}", case["name"]);
        let ids: Vec<&str> = pick.skills.iter().map(|one| &*one.id).collect();
        assert_eq!(json!(ids), case["ids"], "{}", case["name"]);
    }
}

#[test]
fn promethea_in_tokens_keeps_the_budget() {
    let skills: Vec<Value> = (0..40)
        .map(|n| json!({"id": format!("skill_{n:02}"), "name": "N", "when_to_use": format!("When {n} is asked for.")}))
        .collect();
    let catalog = catalog(&json!(skills));
    for budget in (0..700).step_by(35) {
        let pick = select(
            &catalog,
            &json!({}),
            &json!({"format": "promethea", "budget": budget, "toolNames": {"load": "skill.load"}}),
        );
        assert!(pick.tokens <= budget);
        assert!(pick.xml.is_empty() || pick.xml.starts_with("Skills are available via tool `skill.load`."));
    }
    let all = select(&catalog, &json!({}), &json!({"format": "promethea", "budget": null, "order": "catalog"}));
    assert!(all.xml.ends_with("\n- skill_39: When 39 is asked for."), "{}", all.xml);
}

#[test]
fn life_01_the_listing_is_a_function_of_its_inputs() {
    let catalog = catalog(&read("cases/life-01-catalog-gone/catalog.json"));
    for file in ["before.context.json", "after.context.json"] {
        let context = read(&format!("cases/life-01-catalog-gone/{file}"));
        let first = select(&catalog, &context, &json!({"budget": 300}));
        assert!(first.xml.contains("ink-test") && first.xml.contains("paper-cut"));
        assert_eq!(select(&catalog, &context, &json!({"budget": 300})).xml, first.xml);
    }
}

#[test]
fn life_05_bytes_stay_over_orders_and_turns() {
    let file = |name: &str| read(&format!("cases/life-05-cache-bust/{name}"));
    let (one, other) = (catalog(&file("catalog.json")), catalog(&file("permuted.catalog.json")));
    let options = json!({"budget": 300});
    let first = select(&one, &file("turn1.context.json"), &options);
    assert_eq!(select(&other, &file("turn1.context.json"), &options).xml, first.xml);
    let mut second = file("turn2.context.json");
    second["previous"] = state(&first);
    assert_eq!(select(&one, &second, &options).xml, first.xml);
    second["previous"] = json!({"state": state(&first), "xml": "a whole pick"});
    assert_eq!(select(&one, &second, &options).xml, first.xml);
}

/// Sixty skills on twelve subjects.
fn library() -> Catalog {
    let subjects = [
        ("invoice", "payments, suppliers, due dates"),
        ("kitchen", "recipes, menus, shopping lists"),
        ("garden", "soil, seeds, watering"),
        ("bicycle", "brakes, chains, tyres"),
        ("violin", "strings, bows, tuning"),
        ("aquarium", "fish, filters, water"),
        ("archive", "scans, shelves, catalogues"),
        ("beehive", "honey, queens, frames"),
        ("sailing", "knots, tides, charts"),
        ("pottery", "clay, glazes, kilns"),
        ("falcon", "perches, hoods, flight"),
        ("printing", "ink, paper, plates"),
    ];
    let skills: Vec<Value> = subjects.iter().flat_map(|(name, words)| {
        ["plan", "check", "repair", "record", "teach"].map(|verb| json!({
            "name": format!("{name}-{verb}"),
            "description": format!("How to {verb} what has to do with the {name}: {words}. Use when someone asks to {verb} it."),
            "instructions": format!("# {name}\n\nFirst {verb}, then look again."),
        }))
    }).collect();
    catalog(&json!(skills))
}

const TALK: [&str; 6] = [
    "Please check the invoice of our supplier, the payment is late.",
    "Now plan the watering of the garden for next week.",
    "Thanks. And once more, please.",
    "The bicycle has a broken chain, repair it with me.",
    "Teach my son to tune the strings of a violin.",
    "hm",
];

fn talk(turns: usize) -> Vec<Value> {
    let pairs = TALK
        .iter()
        .take(turns)
        .flat_map(|text| [json!({"role": "user", "content": text}), json!({"role": "assistant", "content": "Done."})]);
    pairs.take(2 * turns - 1).collect()
}

#[test]
fn the_stable_part_depends_on_no_conversation() {
    let catalog = library();
    for format in ["agentpool", "agentskills", "compact", "two-layer"] {
        for mode in ["metadata", "full", "auto"] {
            for budget in [json!(0), json!(20), json!(300), json!(900), json!(4000), json!(null)] {
                let options = json!({"placement": "split", "format": format, "mode": mode, "budget": budget});
                let empty = select(&catalog, &json!({}), &options);
                let mut previous = Value::Null;
                for turns in 1..=TALK.len() {
                    let context = json!({
                        "messages": talk(turns), "files": ["a.rs"], "active": ["beehive-plan"], "previous": previous,
                        "usage": {"pottery-plan": {"count": 9}}, "scores": {"falcon-check": 1.0},
                    });
                    let pick = select(&catalog, &context, &options);
                    assert_eq!(pick.stable, empty.stable);
                    assert_eq!(pick.fingerprint, empty.fingerprint);
                    let (stable, turn) = (pick.stable.as_deref().expect("stable"), pick.turn.as_deref().expect("turn"));
                    let joined =
                        if stable.is_empty() && turn.is_empty() { String::new() } else { format!("{stable}\n{turn}") };
                    assert_eq!(pick.xml, joined);
                    assert!(pick.budget.is_none_or(|budget| pick.tokens <= budget), "{options}");
                    let total: u32 = pick.counts.values().sum();
                    assert_eq!(total, 60, "every skill in one state");
                    previous = state(&pick);
                }
            }
        }
    }
}

fn ids_in(part: &str) -> Vec<String> {
    let pieces = part.split(" id=\"").skip(1);
    pieces.filter_map(|rest| rest.split('"').next().map(str::to_owned)).collect()
}

#[test]
fn a_turn_gives_what_is_new_and_only_once() {
    let catalog = library();
    let options = json!({"placement": "split", "budget": 900});
    let (mut previous, mut given) = (Value::Null, Vec::new());
    let expected = ["invoice-check", "garden-plan", "", "bicycle-repair", "violin-teach"];
    for turns in 1..=expected.len() {
        let pick = select(&catalog, &json!({"messages": talk(turns), "previous": previous}), &options);
        let turn = ids_in(pick.turn.as_deref().expect("turn"));
        assert!(turn.iter().all(|id| !given.contains(id)), "{turn:?} again, after {given:?}");
        let wanted = expected[turns - 1];
        assert!(wanted.is_empty() || turn.iter().any(|id| id == wanted), "{wanted}: {turn:?}");
        given.extend(turn);
        previous = state(&pick);
    }
    let again = select(&catalog, &json!({"messages": talk(5)}), &options);
    assert!(!again.turn.expect("turn").is_empty(), "without the state it is given again");
}

#[test]
fn split_honours_limits_claims_and_errors() {
    let catalog = library();
    let split = |more: Value| {
        let mut options = json!({"placement": "split", "budget": 900});
        options.as_object_mut().expect("options").extend(more.as_object().expect("options").clone());
        let context: Context = serde_json::from_value(json!({"messages": talk(1)})).expect("a context");
        catalog.select(&context, &serde_json::from_value(options).expect("options"), None)
    };
    let few = split(json!({"maxSkills": 5})).expect("a pick");
    assert_eq!((few.skills.len(), few.counts["limit"]), (5, 55));
    assert!(few.skills.iter().all(|one| one.detail >= skillpick::Detail::Name));
    let none = split(json!({"maxSkills": 0})).expect("a pick");
    assert_eq!((none.xml.as_str(), none.tokens), ("", 0));
    let pinned = split(json!({"pinned": ["pottery-teach"]})).expect("a pick");
    assert!(pinned.skills.iter().any(|one| one.id == "pottery-teach" && one.detail >= skillpick::Detail::Description));
    let required = split(json!({"required": ["pottery-teach"], "budget": 40, "stableShare": 0.0})).expect("a pick");
    assert!(required.stable.expect("stable").contains("pottery-teach"));
    assert_eq!(
        split(json!({"required": ["pottery-teach"], "budget": 5})).expect_err("no room").code(),
        "required_too_large"
    );
    assert_eq!(split(json!({"stableShare": 2})).expect_err("no share").code(), "invalid_option");
    let off = split(json!({"mode": "off"})).expect("a pick");
    assert_eq!((off.xml.as_str(), off.counts["off"]), ("", 60));
    let whole = split(json!({"stableShare": 1.0})).expect("a pick");
    assert!(whole.tokens <= 900);
}

#[test]
fn a_single_block_stays_until_something_is_clearly_better() {
    let catalog = library();
    let options = json!({"budget": 500});
    let first = select(&catalog, &json!({"messages": talk(1)}), &options);
    let thanks = json!([{"role": "user", "content": TALK[0]}, {"role": "assistant", "content": "Done."}, {"role": "user", "content": "Thanks, once more."}]);
    let second = select(&catalog, &json!({"messages": thanks, "previous": state(&first)}), &options);
    assert_eq!(second.xml, first.xml);
    let third = select(&catalog, &json!({"messages": talk(4), "previous": state(&second)}), &options);
    assert_ne!(third.xml, first.xml);
    let shown = third.skills.iter().find(|one| one.id == "bicycle-repair").expect("the newcomer is shown");
    assert!(shown.detail > skillpick::Detail::Name);
    let common = first.xml.bytes().zip(third.xml.bytes()).take_while(|(a, b)| a == b).count();
    assert!(common > "<available-skills>\n  <skill id=\"".len() + 10, "new ones are appended: {}", third.xml);
    let fresh = select(&catalog, &json!({"messages": talk(4)}), &options);
    assert_eq!(fresh.skills[0].id, "bicycle-repair");
}

#[test]
fn a_sticky_block_keeps_budgets_claims_and_policy() {
    let catalog = library();
    let first = select(&catalog, &json!({"messages": talk(1)}), &json!({"budget": 1200}));
    for budget in (0..1200).step_by(40) {
        let options = json!({"budget": budget, "pinned": ["falcon-check"], "exclude": ["invoice-check"]});
        let pick = select(&catalog, &json!({"messages": talk(2), "previous": state(&first)}), &options);
        assert!(pick.tokens <= budget, "{budget}");
        assert!(!pick.xml.contains("invoice-check"));
        assert!(budget < 60 || pick.xml.contains("falcon-check"), "{budget}");
        assert_eq!(pick.counts.values().sum::<u32>(), 60);
    }
    let gone = catalog.without(&["invoice-check".to_owned()]);
    let pick = select(&gone, &json!({"messages": talk(1), "previous": state(&first)}), &json!({"budget": 1200}));
    assert!(!pick.xml.contains("invoice-check"));
}

#[test]
fn a_previous_that_is_none_is_an_error() {
    let catalog = library();
    for bad in [json!(3), json!("x"), json!({"shown": [{"id": 1}]}), json!([])] {
        let context: Context = serde_json::from_value(json!({"previous": bad})).expect("a context");
        let error = catalog.select(&context, &Options::default(), None).expect_err("no state");
        assert_eq!(error.code(), "invalid_previous");
        assert!(error.path().is_some_and(|path| path.starts_with("context.previous")));
    }
    let context: Context = serde_json::from_value(json!({"previous": null})).expect("a context");
    assert!(catalog.select(&context, &Options::default(), None).is_ok());
}
