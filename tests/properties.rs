//! What always holds, for any input: budget, well-formed XML that reads back, one state a skill, no influence of order.

use proptest::collection::vec;
use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::{Value, json};
use skillpick::{Catalog, CatalogOptions, Context, Options, Pick};

/// Texts of authors and attackers: markup, quotes, controls, emoji, hidden characters, scripts.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => "[a-z]{1,9}".prop_map(|word| format!("{word} ")),
        1 => any::<char>().prop_map(String::from),
        1 => prop::sample::select(vec![
            "<", ">", "&", "\"", "'", "]]>", "-->", "</skill>", "</available_skills>", "</available-skills>", "&amp;",
            "&#10;", "\n", "\r\n", "\t", "\0", "\u{b}", "\u{85}", "\u{2028}", "\u{FFFE}", "\u{202E}", "\u{E0041}",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "👩\u{200D}💻", "技能", "のテスト", "기술", "навык",
            "मदद", ", ", ": ", "  - ", "Use when the user asks. ",
        ]).prop_map(String::from),
    ];
    vec(piece, 0..25).prop_map(|pieces| pieces.concat())
}

fn skill() -> impl Strategy<Value = Value> {
    let name = prop_oneof![4 => "[a-z]{2,8}(-[a-z]{2,8})?", 1 => text()];
    let flag = prop_oneof![8 => Just(true), 1 => Just(false)];
    (name, text(), text(), flag.clone(), flag, -1..3_i32).prop_map(
        |(name, description, body, enabled, model, priority)| {
            json!({
                "name": name, "description": description, "instructions": body, "location": format!("/s/{name}"),
                "enabled": enabled, "modelInvocable": model, "priority": priority,
            })
        },
    )
}

fn catalog() -> impl Strategy<Value = Vec<Value>> {
    vec(skill(), 0..30)
}

fn options() -> impl Strategy<Value = Value> {
    let format = prop::sample::select(vec!["agentpool", "agentskills", "compact"]);
    let mode = prop::sample::select(vec!["metadata", "full", "auto"]);
    let budget =
        prop_oneof![Just(json!(null)), (0..120_u32).prop_map(|n| json!(n)), (0..4000_u32).prop_map(|n| json!(n))];
    let most = prop_oneof![3 => Just(json!(null)), 1 => (0..12_u32).prop_map(|n| json!(n))];
    let order = prop::sample::select(vec!["relevance", "name", "catalog"]);
    (format, mode, budget, most, order).prop_map(|(format, mode, budget, most, order)| {
        json!({ "format": format, "mode": mode, "budget": budget, "maxSkills": most, "order": order })
    })
}

fn read(catalog: &[Value]) -> Catalog {
    let json = serde_json::to_vec(catalog).expect("JSON");
    Catalog::from_slice(&json, CatalogOptions::default()).expect("a catalog")
}

fn pick(catalog: &Catalog, query: &str, options: &Value) -> Pick {
    let context: Context =
        serde_json::from_value(json!({ "messages": [{ "role": "user", "content": query }] })).expect("context");
    let options: Options = serde_json::from_value(options.clone()).expect("options");
    catalog.select(&context, &options, None).expect("a pick")
}

/// Every element with its attributes, and every text, of a well-formed document.
fn parse(xml: &str) -> Result<(Vec<String>, Vec<String>), String> {
    let mut reader = Reader::from_str(xml);
    let (mut attributes, mut texts, mut depth, mut roots) = (Vec::new(), Vec::new(), 0, 0);
    let mut text = String::new();
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        if let Event::Start(element) | Event::Empty(element) = &event {
            roots += usize::from(depth == 0);
            for attribute in element.attributes() {
                let attribute = attribute.map_err(|error| error.to_string())?;
                attributes.push(attribute.unescape_value().map_err(|error| error.to_string())?.into_owned());
            }
        }
        match event {
            Event::Start(_) => {
                depth += 1;
                texts.push(std::mem::take(&mut text));
            }
            Event::End(_) => {
                depth -= 1;
                texts.push(std::mem::take(&mut text));
            }
            Event::Text(raw) => text.push_str(&raw.decode().map_err(|error| error.to_string())?),
            Event::GeneralRef(reference) => {
                let name = reference.decode().map_err(|error| error.to_string())?;
                let known = match &*name {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "#13" => "\r",
                    other => return Err(other.into()),
                };
                text.push_str(known);
            }
            Event::Empty(_) => {}
            Event::Eof => break,
            other => return Err(format!("unexpected {other:?}")),
        }
    }
    if depth == 0 && roots <= 1 { Ok((attributes, texts)) } else { Err(format!("{roots} roots, depth {depth}")) }
}

/// What a reader may expect to get back: no control or hidden characters, white space folded.
fn visible(text: &str) -> String {
    let kept: String = text.chars().filter(|&c| (!c.is_control() || c.is_whitespace()) && !hidden(c)).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn hidden(c: char) -> bool {
    matches!(u32::from(c), 0xB | 0xC | 0x1C..=0x1F | 0xFFFE | 0xFFFF | 0x200B | 0x2060 | 0xFEFF | 0x202A..=0x202E | 0x2066..=0x2069 | 0xE0000..=0xE007F)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_block_is_within_budget_and_well_formed(skills in catalog(), query in text(), options in options()) {
        let catalog = read(&skills);
        let pick = pick(&catalog, &query, &options);
        if let Some(budget) = pick.budget {
            prop_assert!(pick.tokens <= budget, "{} tokens, budget {budget}", pick.tokens);
        }
        prop_assert!(pick.xml.is_empty() || pick.tokens > 0);
        let (attributes, texts) = parse(&pick.xml).map_err(TestCaseError::fail)?;
        for shown in pick.skills.iter().filter(|shown| shown.detail >= skillpick::Detail::Description) {
            let skill = catalog.get(&shown.id).expect("a skill of the catalog");
            let expected = visible(&skill.text());
            let found = attributes.iter().chain(&texts).any(|text| visible(text).contains(&expected));
            prop_assert!(found, "{expected:?} is not in {}", pick.xml);
        }
    }

    #[test]
    fn turns_keep_budget_form_and_state(skills in catalog(), queries in vec(text(), 1..4), mut options in options(), split in any::<bool>()) {
        let catalog = read(&skills);
        options["placement"] = json!(if split { "split" } else { "single" });
        let options_of: Options = serde_json::from_value(options.clone()).expect("options");
        let (mut previous, mut front) = (Value::Null, None);
        for query in &queries {
            let context = json!({ "messages": [{ "role": "user", "content": query }], "previous": previous });
            let context: Context = serde_json::from_value(context).expect("context");
            let pick = catalog.select(&context, &options_of, None).expect("a pick");
            prop_assert!(pick.budget.is_none_or(|budget| pick.tokens <= budget), "{} tokens, {options}", pick.tokens);
            prop_assert!(options_of.max_skills.is_none_or(|most| pick.skills.len() as f64 <= most));
            prop_assert_eq!(pick.counts.values().sum::<u32>() as usize, catalog.skills().len() + pick.omitted.iter().filter(|one| one.index.is_some()).count());
            match (&pick.stable, &pick.turn) {
                (Some(stable), Some(turn)) => {
                    parse(stable).map_err(TestCaseError::fail)?;
                    parse(turn).map_err(TestCaseError::fail)?;
                    prop_assert_eq!(front.get_or_insert_with(|| stable.clone()), stable);
                }
                _ => {
                    parse(&pick.xml).map_err(TestCaseError::fail)?;
                }
            }
            previous = serde_json::to_value(&pick.state).expect("json");
        }
    }

    #[test]
    fn every_skill_is_in_one_state(skills in catalog(), query in text(), options in options()) {
        let catalog = read(&skills);
        let pick = pick(&catalog, &query, &options);
        let total: u32 = pick.counts.values().sum();
        prop_assert_eq!(total as usize, skills.len());
        let shown: Vec<String> = pick.skills.iter().map(|shown| shown.id.clone()).collect();
        let omitted = catalog.omitted(&shown, &pick.omitted, &pick.state.seen);
        prop_assert_eq!(shown.len() + omitted.len(), skills.len());
        let mut counts = std::collections::BTreeMap::new();
        let reasons = omitted.iter().map(|one| one.reason.as_str());
        for key in pick.skills.iter().map(|one| one.detail.as_str()).chain(reasons) {
            *counts.entry(key.to_owned()).or_insert(0_u32) += 1;
        }
        prop_assert_eq!(&counts, &pick.counts);
    }

    #[test]
    fn the_order_of_the_input_changes_nothing(skills in catalog(), query in text(), mut options in options(), turn in 0..30_usize) {
        if options["order"] == "catalog" {
            options["order"] = json!("name");
        }
        let mut turned = skills.clone();
        turned.reverse();
        turned.rotate_left(turn % skills.len().max(1));
        let (one, other) = (pick(&read(&skills), &query, &options), pick(&read(&turned), &query, &options));
        prop_assert_eq!(one.xml, other.xml);
        prop_assert_eq!(one.fingerprint, other.fingerprint);
    }

    #[test]
    fn any_bytes_are_a_catalog_or_an_error(bytes in vec(any::<u8>(), 0..200), json in "[\\[\\]{}\",:a-z0-9\\\\u]{0,80}") {
        for input in [&bytes[..], json.as_bytes()] {
            if let Err(error) = Catalog::from_slice(input, CatalogOptions::default()) {
                prop_assert!(!error.code().is_empty() && !error.to_string().is_empty());
            }
        }
    }

    #[test]
    fn hidden_and_disabled_skills_appear_nowhere(skills in catalog(), query in text(), options in options()) {
        let catalog = read(&skills);
        let pick = pick(&catalog, &query, &options);
        for shown in &pick.skills {
            let skill = catalog.get(&shown.id).expect("a skill of the catalog");
            prop_assert!(skill.enabled && skill.model_invocable);
        }
    }
}
