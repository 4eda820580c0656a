//! The cases about budgets and about XML: inputs in tests/cases, neutral names mapped to ours here.

use std::fs;
use std::path::{Path, PathBuf};

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::{Map, Value, json};
use skillpick::{Catalog, CatalogOptions, Context, Detail, Error, Options, Pick};

struct Case {
    catalog: Catalog,
    context: Value,
    options: Value,
    skills: Vec<Value>,
}

fn file(folder: &Path, name: &str) -> Option<Value> {
    let text = fs::read_to_string(folder.join(name)).ok()?;
    Some(serde_json::from_str(&text).expect("a case's file is JSON"))
}

fn folders() -> Vec<PathBuf> {
    let all = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases")).expect("cases");
    let mut folders: Vec<PathBuf> = all.map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        (name.starts_with("budget-") || name.starts_with("xml-"))
            && path.join("expect.json").exists()
            && name != "xml-05-body-closes-wrapper"
    });
    folders.sort();
    folders
}

/// The entry with our names.
fn ours(skill: &Value) -> Value {
    let mut fields = skill.as_object().expect("a skill").clone();
    for (theirs, name) in [("body", "instructions"), ("path", "location")] {
        if let Some(value) = fields.remove(theirs) {
            fields.insert(name.into(), value);
        }
    }
    Value::Object(fields)
}

/// Options of a case, or of one of its variants, as ours. Lengths in characters are lengths in tokens with us.
fn options(given: &Value, variant: &Value) -> Map<String, Value> {
    let mut options = Map::from_iter([("format".to_owned(), json!("agentskills"))]);
    for source in [given, variant] {
        for (key, value) in source.as_object().into_iter().flatten() {
            match key.as_str() {
                "tokenBudget" if value == "Infinity" => drop(options.insert("budget".into(), json!(null))),
                "tokenBudget" => drop(options.insert("budget".into(), value.clone())),
                "maxSkills" => drop(options.insert("maxSkills".into(), value.clone())),
                "includeLocation" => drop(options.insert("location".into(), value.clone())),
                "maxDescriptionChars" => {
                    let characters = value.as_f64().expect("a number");
                    options.insert("maxDescriptionTokens".into(), json!((characters / 16.0).ceil()));
                }
                _ => {}
            }
        }
    }
    options
}

impl Case {
    fn read(folder: &Path) -> Self {
        let catalog = file(folder, "catalog.json").expect("a catalog");
        let skills: Vec<Value> = catalog["skills"].as_array().expect("skills").iter().map(ours).collect();
        let json = serde_json::to_vec(&skills).expect("JSON");
        Self {
            catalog: Catalog::from_slice(&json, CatalogOptions::default()).expect("a catalog"),
            context: file(folder, "context.json").unwrap_or(json!({})),
            options: file(folder, "options.json").expect("options"),
            skills,
        }
    }

    fn pick(&self, variant: &Value) -> Result<Pick, Error> {
        let options = Value::Object(options(&self.options, variant));
        let options: Options = serde_json::from_value(options).expect("options");
        let context: Context = serde_json::from_value(self.context.clone()).expect("a context");
        self.catalog.select(&context, &options, None)
    }

    fn skill(&self, name: &str) -> &Value {
        self.skills.iter().find(|skill| skill["name"] == name).expect("a skill of the case")
    }

    fn partition(&self, pick: &Pick) {
        let shown: Vec<String> = pick.skills.iter().map(|one| one.id.clone()).collect();
        let omitted = self.catalog.omitted(&shown, &pick.omitted, &pick.state.seen);
        assert_eq!(shown.len() + omitted.len(), self.skills.len());
    }

    fn check(&self, assertion: &Value, folder: &Path) {
        let pick = || self.pick(&json!({})).expect("a pick");
        let names = |pick: &Pick| -> Vec<String> { pick.skills.iter().map(|one| one.name.clone()).collect() };
        match assertion["assert"].as_str().expect("an assertion") {
            "report.partition" => self.partition(&pick()),
            "budget.lte" => assert!(pick().tokens <= pick().budget.expect("a budget")),
            "select.full" => {
                let pick = pick();
                let wanted = assertion["contains"].as_str().expect("a name");
                assert!(pick.skills.iter().any(|one| one.name == wanted && one.detail >= Detail::Description));
            }
            "select.first" => assert_eq!(names(&pick())[0], assertion["name"].as_str().expect("a name")),
            "select.contains" => {
                let wanted = assertion["name"].as_str().expect("a name");
                assert!(names(&pick()).iter().any(|name| name == wanted), "{wanted} is not listed");
            }
            "select.listed" => assert_eq!(json!(pick().skills.len()), assertion["n"]),
            "noThrow" => drop(pick()),
            "output.wellFormedUnicode" | "sweep.limitRespected" => self.sweep(),
            "variants" => self.variants(&file(folder, "variants.json").expect("variants")),
            "diagnostic" => {
                for skill in assertion["skills"].as_array().expect("skills") {
                    let found =
                        self.catalog.diagnostics().iter().any(|one| {
                            assertion["code"] == one.code.as_str() && skill.as_str() == one.skill.as_deref()
                        });
                    assert!(found, "no {} for {skill}", assertion["code"]);
                }
            }
            "xml.count" => {
                let raw = assertion["raw"].as_str().expect("a text");
                assert_eq!(json!(pick().xml.matches(raw).count()), assertion["n"]);
            }
            "xml.wellFormed" => drop(elements(&pick().xml)),
            "xml.skills" => assert_eq!(json!(elements(&pick().xml).len()), assertion["n"]),
            "xml.text" => self.round_trip(assertion, &pick().xml),
            "xml.noTagPayload" => assert!(!pick_tags(&pick().xml), "hidden text is in the block"),
            "xml.notContainsRaw" => {
                for raw in assertion["anyOf"].as_array().expect("texts") {
                    assert!(!pick().xml.contains(raw.as_str().expect("a text")));
                }
            }
            other => panic!("unknown assertion {other}"),
        }
    }

    /// Descriptions cut at every length: a prefix of the text at a boundary between characters, marked as cut.
    fn sweep(&self) {
        for most in 1..=40 {
            let pick = self.pick(&json!({ "maxDescriptionChars": most * 16 })).expect("a pick");
            for skill in elements(&pick.xml) {
                let whole = fold(self.skill(&skill.name)["description"].as_str().unwrap_or_default());
                let shown = skill.description.trim_end_matches('…').trim_end();
                assert!(whole.contains(shown.trim()) || shown.is_empty(), "{shown:?} is no part of {whole:?}");
                assert!(!shown.contains('\u{FFFD}'));
            }
        }
    }

    fn variants(&self, variants: &Value) {
        for variant in variants.as_array().expect("variants") {
            let pick = self.pick(variant);
            match variant["expect"].as_str() {
                Some("error") => assert_eq!(pick.expect_err("an error").code(), "invalid_budget", "{variant}"),
                Some("empty") => {
                    let pick = pick.expect("a pick");
                    assert_eq!((pick.xml.as_str(), pick.skills.len()), ("", 0), "{variant}");
                    self.partition(&pick);
                }
                Some("all") => {
                    let pick = pick.expect("a pick");
                    assert!(
                        pick.skills.len() == self.skills.len()
                            && pick.skills.iter().all(|one| one.detail == Detail::Description)
                    );
                }
                Some("default") => assert_eq!(pick.expect("a pick").budget, Some(skillpick::DEFAULT_BUDGET)),
                Some(most) => {
                    let most: u32 = most.trim_start_matches("lte").parse().expect("a number");
                    assert!(pick.expect("a pick").tokens <= most);
                }
                None => Self::shortened(&pick.expect("a pick"), &variant["expectShortened"]),
            }
        }
    }

    /// Our limit is one of tokens and cuts by price: below that of the named ones, all of its price or more are cut.
    fn shortened(pick: &Pick, wanted: &Value) {
        let cut = pick.skills.iter().filter(|one| one.detail == Detail::Summary).map(|one| one.name.as_str());
        let cut: Vec<&str> = cut.collect();
        let wanted = wanted.as_array().expect("names");
        assert!(wanted.iter().all(|name| cut.contains(&name.as_str().expect("a name"))), "{cut:?}");
        assert_eq!(wanted.is_empty(), cut.is_empty(), "{cut:?}");
    }

    fn round_trip(&self, assertion: &Value, xml: &str) {
        let name = assertion["skill"].as_str().expect("a name");
        let found = elements(xml).into_iter().find(|one| one.name == name).expect("the skill is listed");
        let (shown, key) = match assertion["field"].as_str() {
            Some("location") => (found.location, "location"),
            _ => (found.description, "description"),
        };
        assert_eq!(fold(&shown), fold(self.skill(name)[key].as_str().expect("a text")), "{name}.{key}");
    }
}

fn pick_tags(xml: &str) -> bool {
    // A flag of a country's part is made of tag characters too; the cases' texts hold one that is real.
    let without_flags = xml.replace("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "");
    let without_flags = without_flags.replace("🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}", "");
    let without_flags = without_flags.replace("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "");
    without_flags.chars().any(|c| matches!(c, '\u{E0000}'..='\u{E007F}'))
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[derive(Default)]
struct Element {
    name: String,
    description: String,
    location: String,
}

/// The `<skill>` elements, read by a real parser.
fn elements(xml: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(xml);
    let (mut found, mut field, mut text) = (Vec::<Element>::new(), String::new(), String::new());
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(start) => {
                field = String::from_utf8_lossy(start.name().as_ref()).into_owned();
                if field == "skill" {
                    found.push(Element::default());
                }
                text.clear();
            }
            Event::Text(raw) => text.push_str(&raw.decode().expect("UTF-8")),
            Event::GeneralRef(raw) => text.push_str(match &*raw.decode().expect("UTF-8") {
                "amp" => "&",
                "lt" => "<",
                "gt" => ">",
                other => panic!("unknown entity {other}"),
            }),
            Event::End(_) => {
                if let Some(skill) = found.last_mut() {
                    let value = text.trim().to_owned();
                    match std::mem::take(&mut field).as_str() {
                        "name" => skill.name = value,
                        "description" => skill.description = value,
                        "location" => skill.location = value,
                        _ => {}
                    }
                }
            }
            Event::Eof => return found,
            _ => {}
        }
    }
}

#[test]
fn cases() {
    let folders = folders();
    assert_eq!(folders.len(), 13);
    for folder in folders {
        println!("{}", folder.display());
        let case = Case::read(&folder);
        for assertion in file(&folder, "expect.json").expect("expectations").as_array().expect("a list") {
            case.check(assertion, &folder);
        }
    }
}
