//! What each fuzz target holds true. The targets themselves are one line each; what they find becomes a test of the core.

pub mod inputs;
pub mod readback;

use std::sync::OnceLock;

use arbitrary::Arbitrary;
use inputs::{Entry, Pieces, text};
use serde_json::{Value, json};
use skillpick::{
    Arguments, BoundaryOptions, Catalog, CatalogOptions, Context, Detail, Error, Format, LoadFormat, LoadOptions, LoadResult,
    Mode, Options, Pick, ReattachOptions, RulesOptions, SessionState, Tokenizer, decode, estimate,
};

fn read(skills: &Value) -> Catalog {
    Catalog::from_slice(skills.to_string().as_bytes(), CatalogOptions::default()).expect("JSON is a catalog")
}

/// A few dozen skills of many kinds, the same in every run.
fn fixed() -> &'static Catalog {
    static CATALOG: OnceLock<Catalog> = OnceLock::new();
    CATALOG.get_or_init(|| read(&serde_json::from_str(include_str!("../catalog.json")).expect("JSON")))
}

fn typed(error: &Error) {
    assert!(!error.code().is_empty() && !error.message().is_empty(), "{error:?}");
}

fn is_xml(format: Format) -> bool {
    matches!(format, Format::Agentpool | Format::Agentskills | Format::Compact)
}

/// What holds of every pick.
fn holds(catalog: &Catalog, pick: &Pick, options: &Options) {
    let by_characters = options.format == Format::Promethea;
    if let Some(budget) = pick.budget.filter(|_| !by_characters) {
        assert!(pick.tokens <= budget, "{} tokens of {budget}", pick.tokens);
    }
    assert!(pick.gap.is_finite() && (0.0..=1.0).contains(&pick.gap));
    if is_xml(options.format) {
        let parts = [pick.stable.as_deref(), pick.turn.as_deref()];
        let whole = if pick.stable.is_some() { None } else { Some(&*pick.xml) };
        let values: Vec<String> = parts.into_iter().flatten().chain(whole).flat_map(readback::values).collect();
        let values: Vec<String> = values.iter().map(|value| readback::visible(value)).collect();
        for shown in pick.skills.iter().filter(|shown| shown.detail >= Detail::Description) {
            let skill = catalog.get(&shown.id).expect("a shown skill is in the catalog");
            let wanted = readback::visible(&skill.text());
            // The turn of a split block need not repeat what the stable part gave.
            assert!(values.iter().any(|value| value.contains(&wanted)), "{wanted:?} is not in {}", pick.xml);
        }
    }
    for shown in &pick.skills {
        let skill = catalog.get(&shown.id).expect("a shown skill is in the catalog");
        assert!(skill.enabled && (0.0..=1.0).contains(&shown.score), "{shown:?}");
    }
    let shown: Vec<String> = pick.skills.iter().map(|shown| shown.id.clone()).collect();
    let omitted = catalog.omitted(&shown, &pick.omitted, &pick.state.seen);
    assert_eq!(shown.len() + omitted.len(), pick.counts.values().sum::<u32>() as usize);
}

fn select(catalog: &Catalog, context: &Context, options: &Options) -> Option<Pick> {
    match catalog.select(context, options, None) {
        Ok(pick) => {
            holds(catalog, &pick, options);
            Some(pick)
        }
        Err(error) => {
            typed(&error);
            None
        }
    }
}

/// Bytes as a catalog.
pub fn catalog(data: &[u8]) {
    let catalog = match Catalog::from_slice(data, CatalogOptions::default()) {
        Ok(catalog) => catalog,
        Err(error) => return typed(&error),
    };
    let ids: Vec<&str> = catalog.skills().iter().map(|skill| &*skill.id).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "ids are sorted, each once");
    for format in [Format::Agentpool, Format::Agentskills, Format::Compact, Format::TwoLayer, Format::Promethea] {
        let options = Options { format, mode: Mode::Auto, ..Options::default() };
        let query = ids.first().map(|id| format!("use the {id} skill on a.rs"));
        let context = Context { query, files: vec!["src/a.rs".into()], ..Context::default() };
        let first = select(&catalog, &context, &options).map(|pick| pick.xml);
        assert_eq!(first, select(&catalog, &context, &options).map(|pick| pick.xml), "the same twice");
    }
    for id in ids.iter().take(4) {
        let _ = catalog.get(id).expect("its own ids are known").to_record();
        let _ = catalog.load(id, &LoadOptions::default(), None).expect("a load without options");
        let _ = catalog.search(id, 10, None);
    }
    let _ = catalog.load("no such", &LoadOptions::default(), None).expect("a load without options");
    let _ = catalog.tools(&Options::default(), None).expect("tools without options");
    assert_eq!(catalog.changed(&catalog), skillpick::Changes::default());
    let merged = Catalog::merge(&[&catalog, &catalog]);
    assert_eq!(merged.skills().len(), catalog.skills().len());
}

/// Bytes as the JSON of a context, with any options.
pub fn context(data: &[u8]) {
    let Ok(context) = serde_json::from_slice::<Context>(data) else { return };
    let catalog = fixed();
    for json in [r#"{"mode":"auto","budget":600}"#, r#"{"placement":"split","budget":500,"format":"compact"}"#] {
        let options: Options = serde_json::from_str(json).expect("options");
        let Some(pick) = select(catalog, &context, &options) else { continue };
        let next = Context { previous: None, ..context.clone() };
        let mut next = serde_json::to_value(&pick.state).map(|_| next).expect("a state is JSON");
        next.query = Some("and now the release notes".into());
        let state = serde_json::to_value(&pick.state).expect("JSON");
        next.previous = Some(serde_json::from_value(state).expect("a value"));
        select(catalog, &next, &options).expect("a state of our own is a previous");
    }
}

/// Bytes as the JSON of options.
pub fn options(data: &[u8]) {
    let Ok(options) = serde_json::from_slice::<Options>(data) else { return };
    let messages = json!({ "messages": [{ "role": "user", "content": "deploy the site, then write release notes for pdf-forms" }] });
    let context: Context = serde_json::from_value(messages).expect("a context");
    select(fixed(), &context, &options);
    if let Err(error) = fixed().tools(&options, None) {
        typed(&error);
    }
}

/// Skills made to be hard to write, a conversation about them, and every form of the block.
#[derive(Debug, Arbitrary)]
pub struct Rendered {
    skills: Vec<Entry>,
    said: Vec<Pieces>,
    files: Vec<Pieces>,
    format: u8,
    flags: u8,
    budget: Option<u16>,
    most: Option<u8>,
    pinned: Option<Pieces>,
}

/// Everything that goes into a block comes back out of it.
pub fn render(input: Rendered) {
    let entries: Vec<Value> = input.skills.iter().take(24).map(Entry::json).collect();
    let catalog = read(&json!(entries));
    let one_of = |names: &[&'static str], by: u8| names[usize::from(by) % names.len()];
    let options = json!({
        "format": one_of(&["agentpool", "agentskills", "compact", "two-layer", "promethea"], input.format),
        "mode": one_of(&["metadata", "full", "auto"], input.flags),
        "budget": input.budget, "maxSkills": input.most, "placement": if input.flags & 8 > 0 { "split" } else { "single" },
        "order": one_of(&["relevance", "name", "catalog"], input.flags / 16), "location": input.flags & 64 > 0,
        "pinned": input.pinned.iter().map(|id| text(id)).collect::<Vec<_>>(),
    });
    let options: Options = serde_json::from_value(options).expect("options");
    let mut previous = Value::Null;
    for said in input.said.iter().take(3) {
        let files: Vec<String> = input.files.iter().map(|file| text(file)).collect();
        let context = json!({ "messages": [{ "role": "user", "content": text(said) }], "files": files, "previous": previous });
        let context: Context = serde_json::from_value(context).expect("a context");
        let pick = select(&catalog, &context, &options).expect("nothing is required");
        previous = serde_json::to_value(&pick.state).expect("JSON");
    }
}

/// One body, loaded every way.
#[derive(Debug, Arbitrary)]
pub struct Loading {
    entry: Entry,
    body: Pieces,
    asked: Option<Pieces>,
    typed: Option<Pieces>,
    items: Option<Vec<Pieces>>,
    named: Option<Vec<(Pieces, Pieces)>>,
    format: u8,
    most: Option<u16>,
    offset: u16,
}

const LOADS: [LoadFormat; 6] = [
    LoadFormat::Agentpool,
    LoadFormat::Agentskills,
    LoadFormat::Compact,
    LoadFormat::TwoLayer,
    LoadFormat::Promethea,
    LoadFormat::SkillContent,
];

/// A body comes back byte for byte, whole or in parts; no body closes its wrapper.
pub fn load(input: Loading) {
    let mut entry = input.entry.json();
    let body = text(&input.body);
    for (key, value) in [("id", json!("it")), ("instructions", json!(body)), ("enabled", json!(true)), ("kind", json!("skill"))] {
        entry[key] = value;
    }
    entry["modelInvocable"] = json!(true);
    let catalog = read(&json!([entry]));
    if catalog.get("it").is_none() {
        return; // its name is too long
    }
    let format = LOADS[input.format as usize % 6];
    let plain = LoadOptions { format, ..LoadOptions::default() };
    let LoadResult::Loaded(whole) = catalog.load("it", &plain, None).expect("options are in order") else { panic!("refused") };
    assert_eq!(decode(&whole.text).expect("a result of ours").body, body);
    parts(&catalog, format, &body, input.most);
    let arguments = match (input.typed, input.items, input.named) {
        (Some(typed), _, _) => Arguments::Text(text(&typed)),
        (_, Some(items), _) => Arguments::List(items.iter().map(|item| text(item)).collect()),
        (_, _, Some(named)) => Arguments::Named(named.iter().map(|(key, value)| (text(key), text(value))).collect()),
        _ => Arguments::None,
    };
    let called = LoadOptions { arguments, offset: Some(f64::from(input.offset)), ..plain };
    let asked = input.asked.map_or_else(|| "it".to_owned(), |asked| text(&asked));
    let result = catalog.load(&asked, &called, None).expect("options are in order");
    if let LoadResult::Loaded(loaded) = result {
        assert!(decode(&loaded.text).is_some(), "{:?}", loaded.text);
    }
}

fn parts(catalog: &Catalog, format: LoadFormat, body: &str, most: Option<u16>) {
    let (mut offset, mut joined) = (0_usize, String::new());
    for _ in 0..40 {
        let max_tokens = most.map(|most| f64::from(most % 2_000));
        let options = LoadOptions { format, offset: Some(offset as f64), max_tokens, ..LoadOptions::default() };
        let LoadResult::Loaded(part) = catalog.load("it", &options, None).expect("options are in order") else { return };
        assert!(max_tokens.is_none_or(|most| f64::from(part.tokens) <= most));
        joined += &decode(&part.text).expect("a result of ours").body;
        assert_eq!(part.truncated, part.next_offset.is_some());
        let Some(next) = part.next_offset else {
            assert_eq!(joined, body, "the parts are the whole");
            return;
        };
        assert!(next > offset, "each part goes on");
        offset = next;
    }
    assert!(body.starts_with(&joined));
}

/// Steps of a session.
#[derive(Debug, Arbitrary)]
pub struct Life {
    skills: Vec<Entry>,
    other: Vec<Entry>,
    steps: Vec<(u8, u8, Pieces)>,
}

/// A session's state is plain JSON after every step, and no step breaks it.
pub fn session(input: Life) {
    let entries = |entries: &[Entry]| read(&json!(entries.iter().take(12).map(Entry::json).collect::<Vec<_>>()));
    let catalogs = [entries(&input.skills), entries(&input.other)];
    let mut state = SessionState::default();
    for (step, which, pieces) in input.steps.iter().take(16) {
        let catalog = &catalogs[usize::from(which & 1)];
        let said = text(pieces);
        let id = catalog.skills().get(usize::from(which >> 1)).map_or(said.clone(), |skill| skill.id.to_string());
        let options = LoadOptions { arguments: Arguments::Text(said.clone()), ..LoadOptions::default() };
        let failed = match step % 6 {
            0 => catalog.session_load(&mut state, &id, &options, None).err(),
            1 => catalog.boundary(&mut state, &BoundaryOptions::default()).err(),
            2 => catalog.boundary(&mut state, &BoundaryOptions { required: vec![id], ..BoundaryOptions::default() }).err(),
            3 => catalog.session_rules(&mut state, &[said], &RulesOptions::default(), None).err(),
            4 => catalog.reattach(&state, &ReattachOptions::default(), None).err(),
            _ => {
                catalog.synchronize(&mut state, &options);
                let _ = catalog.session_enter(&state, &[said], &options);
                None
            }
        };
        failed.iter().for_each(typed);
        let json = serde_json::to_value(&state).expect("JSON");
        let value = serde_json::from_value(json).expect("a value");
        assert_eq!(SessionState::read(value).expect("a state of ours"), state);
    }
}

/// Bytes as a snapshot: as they are, and as changes to a snapshot of ours, with its checksum put right and not.
pub fn snapshot(data: &[u8]) {
    let whole = SNAPSHOT.get_or_init(|| fixed().to_snapshot(true).expect("a snapshot"));
    let mut changed = whole.clone();
    for change in data.chunks_exact(4).take(16) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % changed.len();
        changed[at] ^= change[3];
    }
    // Whoever makes a hostile snapshot puts its checksum right.
    let sum = xxhash_rust::xxh64::xxh64(&changed[24..], 0).to_le_bytes();
    let mut right = changed.clone();
    right[16..24].copy_from_slice(&sum);
    for bytes in [data, &changed, &right] {
        match Catalog::from_snapshot(bytes, &CatalogOptions::default()) {
            Ok(catalog) => {
                let context = Context { query: Some("deploy the site".into()), ..Context::default() };
                let _ = catalog.select(&context, &Options::default(), None).map_err(|error| typed(&error));
                let _ = catalog.load("deploy-site", &LoadOptions::default(), None).map_err(|error| typed(&error));
                let _ = catalog.search("pdf", 10, None);
            }
            Err(error) => typed(&error),
        }
    }
}
static SNAPSHOT: OnceLock<Vec<u8>> = OnceLock::new();

/// Two texts and where one is cut.
#[derive(Debug, Arbitrary)]
pub struct Texts {
    first: Pieces,
    second: Pieces,
}

/// The estimate is finite, never negative, and adds up where lines end.
pub fn estimator(input: Texts) {
    let (first, second) = (text(&input.first), text(&input.second));
    for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k] {
        let price = |text: &str| estimate(text, tokenizer);
        let (a, b, both) = (price(&first), price(&second), price(&format!("{first}\n{second}")));
        assert!([a, b, both].iter().all(|price| price.is_finite() && *price >= 0.0));
        let blank = second.split(['\n', '\r']).next().unwrap_or_default().trim().is_empty();
        let line = price(&format!("{first}\n"));
        if !blank {
            assert!((line + b - both).abs() < 1e-6 || line <= 0.0 || b <= 0.0, "{line} + {b}, not {both}: {first:?} {second:?}");
        }
        assert!(skillpick::count(&first, tokenizer, 1.0) >= u32::from(!first.is_empty()));
    }
}
