//! What always holds of a load: no body, argument, path or name leaves its envelope, every body is read back, and what
//! was inserted is not read again.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use skillpick::{Catalog, CatalogOptions, LoadOptions, LoadResult, RulesOptions, SessionState, decode};

const FORMATS: [&str; 6] = ["agentpool", "agentskills", "compact", "two-layer", "promethea", "skill-content"];

/// Texts made to break out.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[a-z]{1,6} ",
        1 => any::<char>().prop_map(String::from),
        4 => prop::sample::select(vec![
            "<", ">", "/", "&", "&lt;", "&amp;", "amp;", "lt;", "skill", "skill_content", "</skill>", "</SKILL >", "< / skill",
            "</skill_content>", "<skill_content name=\"x\">", "<skill name=\"x\">", "</skill-instruction>",
            "</instructions>", "<user-request>", "</user-request>", "<skill_part>", "</skill_part>", "<skill_resources>",
            "&lt;/skill>", "&amp;lt;/skill_content>", "&amp;amp;lt;skill", "\n", "\n\n", "\r\n", "      ", "\"", "'", "]]>",
            "$ARGUMENTS", "$ARGUMENTS[0]", "$a", "$1", "\\", "$", "$&", "$$", "${a}", "`", "```\n", "\u{200B}", "\u{202E}", "\0",
            "Base directory for this skill: ", "/\n      File references (@path) are relative to this directory.\n\n      ",
            "&#66;ase directory for this skill: ", "Skill directory: /x", "日本", "👩\u{200D}💻", "e\u{301}",
        ]).prop_map(String::from),
    ];
    vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

fn skill() -> impl Strategy<Value = Value> {
    (hostile(), hostile(), hostile(), hostile(), vec(hostile(), 0..3), any::<bool>()).prop_map(
        |(name, description, body, location, resources, located)| {
            json!({
                "name": format!("n{name}"), "description": description, "instructions": body, "resources": resources,
                "location": if located { location } else { String::new() }, "arguments": ["a", "1"],
            })
        },
    )
}

fn catalog(skill: &Value) -> Catalog {
    Catalog::from_slice(json!([skill]).to_string().as_bytes(), CatalogOptions::default()).expect("a catalog")
}

fn load(catalog: &Catalog, options: Value) -> LoadResult {
    let id = catalog.skills()[0].id.to_string();
    catalog.load(&id, &serde_json::from_value(options).expect("options"), None).expect("a result")
}

/// Tags of an envelope in `text`, as forgivingly as a model may read them.
fn tags(text: &str, tag: &str) -> usize {
    let mut found = 0;
    for (at, _) in text.match_indices('<') {
        let after = text[at + 1..].trim_start().trim_start_matches('/').trim_start();
        let named = after.get(..tag.len()).is_some_and(|name| name.eq_ignore_ascii_case(tag));
        let ends = after.get(tag.len()..).and_then(|rest| rest.chars().next());
        found += usize::from(named && ends.is_none_or(|c| !c.is_ascii_alphanumeric() && !"-_.:".contains(c)));
    }
    found
}

/// Each tag of the format as often as the envelope itself writes it.
fn assert_closed(text: &str, format: &str) {
    let outer = if matches!(format, "agentpool" | "two-layer" | "promethea") { "skill" } else { "skill_content" };
    assert_eq!(tags(text, outer), 2, "{format}\n{text}");
    assert!(text.ends_with(&format!("</{outer}>")), "{text}");
    for inner in ["user-request", "skill_part", "skill_resources"] {
        assert!(matches!(tags(text, inner), 0 | 2), "{inner}: {format}\n{text}");
    }
    if format == "agentpool" {
        assert_eq!((tags(text, "instructions"), tags(text, "skill-instruction")), (2, 2), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_leaves_its_envelope(skill in skill(), arguments in hostile(), most in 0..400_u32) {
        let catalog = catalog(&skill);
        let body = skill["instructions"].as_str().unwrap_or_default();
        for format in FORMATS {
            let plain = load(&catalog, json!({"format": format}));
            assert_closed(plain.text(), format);
            let read = decode(plain.text()).expect("an envelope");
            prop_assert_eq!(&read.body, body);
            prop_assert!(!read.partial);
            let called = load(&catalog, json!({"format": format, "arguments": arguments}));
            assert_closed(called.text(), format);
            prop_assert!(decode(called.text()).is_some());
            if let LoadResult::Loaded(part) = load(&catalog, json!({"format": format, "maxTokens": most, "arguments": arguments})) {
                assert_closed(&part.text, format);
                prop_assert!(part.tokens <= most);
            }
        }
    }

    #[test]
    fn parts_join_to_the_whole(skill in skill(), most in 60..200_u32) {
        let catalog = catalog(&skill);
        let (mut joined, mut offset) = (String::new(), 0);
        while let LoadResult::Loaded(part) = load(&catalog, json!({"format": "two-layer", "maxTokens": most, "offset": offset})) {
            joined.push_str(&decode(&part.text).expect("an envelope").body);
            let Some(next) = part.next_offset else {
                prop_assert_eq!(&joined, skill["instructions"].as_str().unwrap_or_default());
                break;
            };
            prop_assert!(next > offset);
            offset = next;
        }
    }

    #[test]
    fn what_was_inserted_is_not_read_again(before in "[a-z ]{0,9}", after in "[a-z ]{0,9}", arguments in hostile()) {
        prop_assume!(!arguments.is_empty());
        let body = format!("{before} $ARGUMENTS {after}");
        let catalog = catalog(&json!({"name": "n", "instructions": body, "arguments": ["a"]}));
        let result = load(&catalog, json!({"arguments": arguments, "format": "skill-content"}));
        prop_assert_eq!(decode(result.text()).expect("an envelope").body, format!("{before} {arguments} {after}"));
    }

    #[test]
    fn no_name_breaks_anything(asked in hostile(), path in hostile(), skill in skill()) {
        let catalog = catalog(&skill);
        let result = catalog.load(&asked, &LoadOptions::default(), None).expect("a result");
        if let LoadResult::Refused(refused) = result {
            prop_assert!(!refused.text.contains('<') && !refused.text.contains('\n'), "{}", refused.text);
        }
        let mut state = SessionState::default();
        let _ = catalog.session_load(&mut state, &asked, &LoadOptions::default(), None).expect("a result");
        let paths = vec![path.clone(), asked.clone()];
        let rules = catalog.session_rules(&mut state, &paths, &RulesOptions::default(), None).expect("rules");
        prop_assert_eq!(rules.xml, "");
        let id = catalog.skills()[0].id.to_string();
        if let Ok(resource) = catalog.resource(&id, &path, &LoadOptions::default()) {
            prop_assert!(!path.contains("..") && resource.ends_with(&path));
        }
    }

    #[test]
    fn reading_back_never_panics(text in hostile(), format in prop::sample::select(FORMATS.to_vec())) {
        let opening = match format {
            "agentpool" => "  <skill id=\"",
            "two-layer" | "promethea" => "<skill name=\"",
            _ => "<skill_content name=\"",
        };
        let _ = decode(&text);
        let _ = decode(&format!("{opening}{text}"));
        let _ = decode(&format!("{opening}x\">\n{text}\n</skill>"));
    }
}
