//! Runs every case of tests/vectors (see its README) and compares byte for byte. With `SKILLPICK_BLESS=1` it writes
//! the answers into the files instead.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use skillpick::{Catalog, CatalogOptions, Context, Diagnostic, Error, Format, Options, Order, Pick};

#[derive(Deserialize)]
struct Case {
    name: String,
    note: Option<String>,
    #[serde(default)]
    given: bool,
    catalog: Option<Box<RawValue>>,
    catalog_text: Option<String>,
    context: Box<RawValue>,
    options: Box<RawValue>,
    expect: Option<Value>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

impl Case {
    /// The catalog's JSON as it stands in the file: a lone surrogate would not survive a parser.
    fn catalog(&self) -> String {
        if let Some(text) = &self.catalog_text {
            return text.clone();
        }
        let raw = self.catalog.as_ref().expect("a case has a catalog").get();
        match serde_json::from_str::<String>(raw) {
            Ok(file) => std::fs::read_to_string(folder().join(file)).expect("the named catalog exists"),
            Err(_) => raw.to_owned(),
        }
    }

    fn options(&self) -> Result<Options, String> {
        serde_json::from_str(self.options.get()).map_err(|error| error.to_string())
    }

    fn select(&self, catalog_json: &str) -> Result<(Catalog, Pick), Error> {
        let context: Context = serde_json::from_str(self.context.get()).expect("a context");
        let catalog = Catalog::from_slice(catalog_json.as_bytes(), CatalogOptions::default())?;
        let options = self.options().expect("options");
        let pick = catalog.select(&context, &options, None);
        let snapshot = catalog.to_snapshot(true).expect("a snapshot");
        let same = Catalog::from_snapshot(&snapshot, &CatalogOptions::default()).expect("the catalog again");
        assert_eq!(format!("{pick:?}"), format!("{:?}", same.select(&context, &options, None)), "{}", self.name);
        let pick = pick?;
        Ok((catalog, pick))
    }

    fn answer(&self) -> Value {
        if self.options().is_err() {
            return json!({ "error": { "code": "invalid_option" } });
        }
        match self.select(&self.catalog()) {
            Err(error) => json!({ "error": { "code": error.code(), "path": error.path() } }),
            Ok((catalog, pick)) => json!({
                "first": pick.skills.first().map(|skill| &skill.id),
                "xml": pick.xml,
                "tokens": pick.tokens,
                "confident": pick.confident,
                "states": states(&pick),
                "diagnostics": catalog.diagnostics().iter().chain(&pick.diagnostics).map(remark).collect::<Vec<_>>(),
            }),
        }
    }
}

fn states(pick: &Pick) -> Vec<Value> {
    let shown = pick.skills.iter().map(|skill| {
        if skill.pinned {
            json!({ "id": skill.id, "detail": skill.detail, "pinned": true })
        } else {
            json!({ "id": skill.id, "detail": skill.detail })
        }
    });
    let omitted = pick.omitted.iter().map(|skill| json!({ "id": skill.id, "reason": skill.reason }));
    shown.chain(omitted).collect()
}

fn remark(diagnostic: &Diagnostic) -> String {
    match &diagnostic.skill {
        Some(skill) => format!("{} {skill}", diagnostic.code),
        None => diagnostic.code.clone(),
    }
}

fn read(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("a readable file");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The files of cases of `select`; other kinds of vectors lie in the same folder, and their cases have no `context`.
fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("tests/vectors");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json") && is_of_select(file));
    files.sort();
    files
}

fn is_of_select(file: &Path) -> bool {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let cases: Box<RawValue> =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let first: Result<Vec<BTreeMap<String, Box<RawValue>>>, _> = serde_json::from_str(cases.get());
    first.is_ok_and(|cases| cases.first().is_some_and(|case| case.contains_key("context")))
}

fn cases() -> impl Iterator<Item = (String, Case)> {
    files().into_iter().flat_map(|file| {
        let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
        read(&file).into_iter().map(move |case| (format!("{stem}: {}", case.name), case))
    })
}

/// What is expected and not answered, a line each; keys that the case leaves out are free.
fn differences(expected: &Value, actual: &Value, path: &str, out: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(left), Value::Object(right)) => {
            for (key, value) in left {
                differences(value, right.get(key).unwrap_or(&Value::Null), &format!("{path}.{key}"), out);
            }
        }
        _ if expected == actual => {}
        _ => out.push(format!("  {path}\n    expected {expected}\n    answered {actual}")),
    }
}

#[test]
fn every_case_is_answered_as_expected() {
    if std::env::var_os("SKILLPICK_BLESS").is_some() {
        for file in files() {
            bless(&file);
        }
    }
    let mut wrong = Vec::new();
    let mut ran = 0;
    for (name, case) in cases() {
        let expected = case.expect.as_ref().unwrap_or_else(|| panic!("{name}: no `expect`; bless it"));
        let before = wrong.len();
        differences(expected, &case.answer(), "expect", &mut wrong);
        if wrong.len() > before {
            wrong.insert(before, name);
        }
        ran += 1;
    }
    assert!(ran > 100, "only {ran} cases were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_block_exceeds_its_budget_and_each_skill_has_one_state() {
    for (name, case) in cases() {
        let Ok(Ok((catalog, pick))) = case.options().map(|_| case.select(&case.catalog())) else { continue };
        assert!(pick.budget.is_none_or(|budget| pick.tokens <= budget), "{name}");
        let counted: u32 = pick.counts.values().sum();
        assert_eq!(counted as usize, pick.skills.len() + pick.omitted.len(), "{name}");
        let mut seen: Vec<&str> = pick.skills.iter().map(|skill| &*skill.id).collect();
        let kept = pick.omitted.iter().filter(|one| one.index.is_none());
        seen.extend(kept.map(|one| &*one.id));
        seen.sort_unstable();
        let ids: Vec<&str> = catalog.skills().iter().map(|skill| &*skill.id).collect();
        assert_eq!(seen, ids, "{name}");
    }
}

#[test]
fn every_xml_block_is_well_formed_and_has_one_root() {
    for (name, case) in cases() {
        let Ok(options) = case.options() else { continue };
        if matches!(options.format, Format::TwoLayer | Format::Promethea) {
            continue;
        }
        let Ok((_, pick)) = case.select(&case.catalog()) else { continue };
        assert_eq!(roots(&pick.xml).unwrap_or_else(|error| panic!("{name}: {error}\n{}", pick.xml)), {
            usize::from(!pick.xml.is_empty())
        });
    }
}

/// Root elements of `xml`; an error where it is not well-formed or holds a character that XML 1.0 forbids.
fn roots(xml: &str) -> Result<usize, String> {
    use quick_xml::events::Event;
    let forbidden =
        |c: &char| matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}');
    if let Some(c) = xml.chars().find(forbidden) {
        return Err(format!("forbidden character U+{:04X}", u32::from(c)));
    }
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let (mut depth, mut roots) = (0_usize, 0);
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        if let Event::Start(tag) | Event::Empty(tag) = &event {
            roots += usize::from(depth == 0);
            for attribute in tag.attributes() {
                let value = attribute.map_err(|error| error.to_string())?;
                value.unescape_value().map_err(|error| error.to_string())?;
            }
        }
        match event {
            Event::Eof if depth == 0 => return Ok(roots),
            Event::Eof => return Err(format!("{depth} elements are open at the end")),
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            Event::Text(text) if depth == 0 && !text.iter().all(u8::is_ascii_whitespace) => {
                return Err("text outside the root".into());
            }
            Event::Text(text) if text.contains(&b'>') => return Err("a bare > in text".into()),
            Event::Empty(_) | Event::Text(_) => {}
            Event::GeneralRef(name) => {
                let name = String::from_utf8_lossy(&name).into_owned();
                quick_xml::escape::unescape(&format!("&{name};")).map_err(|error| error.to_string())?;
            }
            other => return Err(format!("unexpected {other:?}")),
        }
    }
}

#[test]
fn the_order_of_the_input_changes_nothing() {
    for (name, case) in cases() {
        let Ok(options) = case.options() else { continue };
        let json = case.catalog();
        let (Ok((_, pick)), Some(turned)) = (case.select(&json), reversed(&json)) else { continue };
        if options.order == Order::Catalog {
            continue;
        }
        let (_, other) = case.select(&turned).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(pick.xml, other.xml, "{name}");
    }
}

/// The same skills, last first.
fn reversed(json: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Envelope<'a> {
        #[serde(borrow)]
        skills: Vec<&'a RawValue>,
    }
    let skills: Vec<&RawValue> = match serde_json::from_str(json) {
        Ok(skills) => skills,
        Err(_) => serde_json::from_str::<Envelope>(json).ok()?.skills,
    };
    let turned: Vec<&str> = skills.iter().rev().map(|skill| skill.get()).collect();
    Some(format!("[{}]", turned.join(",")))
}

/// Writes the answers of all cases that are not given; everything else stays as it stands in the file.
fn bless(file: &Path) {
    let blocks: Vec<String> = read(file).iter().map(written).collect();
    let written = file.with_extension("new");
    std::fs::write(&written, format!("[\n{}\n]\n", blocks.join(",\n"))).expect("a writable folder");
    std::fs::rename(&written, file).expect("the other tests read the old file or the new one");
}

fn written(case: &Case) -> String {
    let mut lines = vec![format!("\"name\": {}", quoted(&case.name))];
    lines.extend(case.note.iter().map(|note| format!("\"note\": {}", quoted(note))));
    lines.extend(case.given.then(|| "\"given\": true".to_owned()));
    lines.extend(case.catalog.iter().map(|raw| format!("\"catalog\": {}", raw.get())));
    lines.extend(case.catalog_text.iter().map(|text| format!("\"catalog_text\": {}", quoted(text))));
    lines.push(format!("\"context\": {}", case.context.get()));
    lines.push(format!("\"options\": {}", case.options.get()));
    let expect = match &case.expect {
        Some(expect) if case.given => expect.clone(),
        written => {
            let mut answer = case.answer();
            // What a person has said comes first stays as it is, and fails if the answer is another.
            answer["first"] = written.as_ref().and_then(|written| written.get("first")).cloned().unwrap_or_default();
            answer
        }
    };
    lines.push(format!("\"expect\": {}", expectation(&expect)));
    format!("  {{\n    {}\n  }}", lines.join(",\n    "))
}

/// `expect` with a line for each key and each state.
fn expectation(expect: &Value) -> String {
    let order = ["error", "first", "xml", "tokens", "confident", "states", "diagnostics"];
    let present = order.iter().filter_map(|key| Some((key, expect.get(key).filter(|value| !value.is_null())?)));
    let lines: Vec<String> = present
        .map(|(key, value)| match value.as_array() {
            Some(items) if *key == "states" && !items.is_empty() => {
                let items: Vec<String> = items.iter().map(|item| format!("        {}", compact(item))).collect();
                format!("\"{key}\": [\n{}\n      ]", items.join(",\n"))
            }
            _ => format!("\"{key}\": {}", compact(value)),
        })
        .collect();
    format!("{{\n      {}\n    }}", lines.join(",\n      "))
}

fn compact(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(compact).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let mut pairs: Vec<(&String, &Value)> = map.iter().filter(|(_, value)| !value.is_null()).collect();
            pairs.sort_by_key(|(key, _)| (*key != "id", *key));
            let pairs: Vec<String> =
                pairs.into_iter().map(|(key, value)| format!("{}: {}", quoted(key), compact(value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        other => other.to_string(),
    }
}

/// A JSON string in which nothing is invisible.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    for c in Value::from(text).to_string().chars() {
        if is_hidden(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                write!(out, "\\u{unit:04x}").expect("a string grows");
            }
        } else {
            out.push(c);
        }
    }
    out
}

fn is_hidden(c: char) -> bool {
    matches!(c, '\u{7F}'..='\u{A0}' | '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202F}'
        | '\u{2060}'..='\u{2069}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' | '\u{1FFFE}'
        | '\u{E0000}'..='\u{E007F}')
}
