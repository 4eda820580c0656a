//! Activation step by step as its original does it, states that hosts keep, rules, and what goes back after a compaction.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use skillpick::{
    BoundaryOptions, Catalog, CatalogOptions, LoadOptions, LoadResult, ReattachOptions, RulesOptions, SessionState,
    decode,
};

fn catalog(skills: &Value) -> Catalog {
    Catalog::from_slice(skills.to_string().as_bytes(), CatalogOptions::default()).expect("a catalog")
}

fn given<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("options")
}

/// The state as a host would have kept it.
fn kept(state: &SessionState) -> SessionState {
    let json = serde_json::to_string(state).expect("json");
    SessionState::read(serde_json::from_str(&json).expect("json")).expect("a state")
}

/// The original's agent: its texts come from loaders, so that they are no part of an entry's identity.
struct Agent {
    catalog: Catalog,
    texts: BTreeMap<String, String>,
    failures: BTreeMap<String, String>,
    base: Vec<String>,
    state: SessionState,
}

impl Agent {
    /// Our answer to a step of the original: its error, if it has one, in its words.
    fn step(&mut self, step: &Value) -> Option<String> {
        let text = |key: &str| step[key].as_str().unwrap_or_default().to_owned();
        match step["op"].as_str().expect("an operation") {
            "base" => {
                self.base = given(step["tools"].clone());
                None
            }
            "catalog" => self.replace(step["items"].as_array().expect("items")),
            "change" => {
                self.texts.insert(text("object"), text("text"));
                None
            }
            "load" => self.load(&text("id")),
            "boundary" => {
                let options = given(json!({"hostTools": self.base}));
                self.catalog.boundary(&mut self.state, &options).err().map(|error| error.to_string())
            }
            other => panic!("{other}"),
        }
    }

    fn replace(&mut self, items: &[Value]) -> Option<String> {
        (self.texts, self.failures) = (BTreeMap::new(), BTreeMap::new());
        let mut skills = Vec::new();
        for item in items {
            let id = item["id"].as_str().expect("an id");
            let object = item["object"].as_str().unwrap_or(id);
            self.texts.entry(id.to_owned()).or_insert(item["text"].as_str().unwrap_or_default().to_owned());
            if let Some(failure) = item["fail"].as_str() {
                self.failures.insert(id.to_owned(), failure.to_owned());
            }
            skills.push(json!({
                "id": id, "name": id, "description": item["summary"], "tools": item["tools"], "source": item["source"],
                "metadata": {"object": object},
            }));
        }
        self.catalog = catalog(&json!(skills));
        self.catalog.synchronize(&mut self.state, &LoadOptions::default());
        // The one named difference: two entries with one id are resolved with a diagnostic, not refused.
        let twice = self.catalog.diagnostics().iter().find(|one| one.code == "duplicate_id")?;
        Some(format!("ValueError: Conflicting instruction id: '{}'", twice.skill.as_deref().unwrap_or_default()))
    }

    fn load(&mut self, id: &str) -> Option<String> {
        if let Some(failure) = self.failures.get(id) {
            return Some(format!("RuntimeError: {failure}"));
        }
        let options = given(json!({"instructions": self.texts.get(id), "hostTools": self.base}));
        match self.catalog.session_load(&mut self.state, id, &options, None).expect("a result") {
            LoadResult::Loaded(_) => None,
            LoadResult::Refused(refused) => Some(match refused.code {
                "unknown_skill" => format!("ValueError: Unknown instruction: '{id}'"),
                "tool_conflict" => format!("ValueError: {}", refused.text["Error: ".len()..].trim_end_matches('.')),
                code => panic!("{code}"),
            }),
        }
    }

    fn answer(&self, error: Option<&str>) -> Value {
        let active: BTreeMap<&str, &str> =
            self.state.active.iter().map(|one| (one.id.as_str(), one.text.as_str())).collect();
        let brought = self.state.active.iter().flat_map(|one| one.tools.clone());
        let tools: Vec<String> = self.base.iter().cloned().chain(brought).collect();
        json!({"error": error, "active": active, "staged": self.state.staged, "tools": tools})
    }
}

/// The same value as the crate's own type.
fn ours(value: Value) -> skillpick::Value {
    serde_json::from_value(value).expect("a value")
}

#[test]
fn every_step_is_the_originals() {
    let cases: Value = serde_json::from_str(include_str!("vectors/activation.json")).expect("json");
    for case in cases.as_array().expect("cases") {
        let mut agent = Agent {
            catalog: catalog(&json!([])),
            texts: BTreeMap::new(),
            failures: BTreeMap::new(),
            base: Vec::new(),
            state: SessionState::default(),
        };
        for (number, step) in case["steps"].as_array().expect("steps").iter().enumerate() {
            let error = agent.step(step);
            agent.state = kept(&agent.state);
            assert_eq!(agent.answer(error.as_deref()), step["expect"], "{}: step {number}", case["name"]);
        }
    }
}

fn staff() -> Catalog {
    catalog(&json!([
        {"name": "alpha", "instructions": "Alpha $ARGUMENTS.", "tools": ["ruler"], "allowedTools": ["read"]},
        {"name": "beta", "instructions": "Beta."},
        {"name": "gamma", "instructions": "Gamma.", "tools": ["ruler"]},
        {"name": "secret", "instructions": "For the user.", "modelInvocable": false},
        {"name": "off", "instructions": "Nobody.", "enabled": false},
    ]))
}

fn load(catalog: &Catalog, state: &mut SessionState, id: &str, options: Value) -> LoadResult {
    catalog.session_load(state, id, &given(options), None).expect("a result")
}

fn code(result: &LoadResult) -> &str {
    match result {
        LoadResult::Loaded(_) => "",
        LoadResult::Refused(refused) => refused.code,
    }
}

#[test]
fn a_state_is_kept_and_read_and_a_bad_one_is_an_error() {
    let catalog = staff();
    let mut state = SessionState::default();
    load(&catalog, &mut state, "beta", json!({}));
    load(&catalog, &mut state, "alpha", json!({"arguments": "now"}));
    assert_eq!(state.staged, ["alpha", "beta"]);
    let boundary = catalog.boundary(&mut state, &BoundaryOptions::default()).expect("a boundary");
    let active: Vec<(&str, &str)> = boundary.active.iter().map(|one| (&*one.id, &*one.text)).collect();
    assert_eq!(active, [("beta", "Beta."), ("alpha", "Alpha now.")]);
    assert_eq!(boundary.tools, ["ruler"]);
    load(&catalog, &mut state, "secret", json!({"actor": "user"}));
    assert_eq!(kept(&state), state);

    let read = |value: Value| SessionState::read(ours(value)).expect_err("no state").code();
    for bad in [json!(null), json!([]), json!("x"), json!({}), json!({"active": []})] {
        assert_eq!(read(bad), "invalid_state");
    }
    assert_eq!(read(json!({"version": 2})), "state_version");
    assert_eq!(read(json!({"version": 1, "active": [{"id": 3}]})), "invalid_state");
    assert_eq!(read(json!({"version": 1, "staged": ["beta"]})), "invalid_state");
    assert_eq!(SessionState::read(ours(json!({"version": 1}))).expect("a state"), SessionState::default());
}

#[test]
fn a_refused_load_changes_nothing() {
    let catalog = staff();
    let mut state = SessionState::default();
    load(&catalog, &mut state, "alpha", json!({"hostTools": ["hammer"]}));
    let before = state.clone();
    for (id, expected) in [
        ("gamma", "tool_conflict"),
        ("secret", "not_model_invocable"),
        ("off", "not_available"),
        ("x", "unknown_skill"),
    ] {
        assert_eq!(code(&load(&catalog, &mut state, id, json!({}))), expected);
        assert_eq!(state, before);
    }
    assert_eq!(code(&load(&catalog, &mut state, "alpha", json!({"hostTools": ["ruler"]}))), "tool_conflict");
}

#[test]
fn required_skills_are_loaded_at_every_boundary_or_the_run_stops() {
    let catalog = staff();
    let mut state = SessionState::default();
    let required = |bodies: Value| given::<BoundaryOptions>(json!({"required": ["beta", "secret"], "bodies": bodies}));
    let boundary = catalog.boundary(&mut state, &required(json!({}))).expect("a boundary");
    assert_eq!(boundary.active.len(), 2);
    let fresh = catalog.boundary(&mut state, &required(json!({"beta": "Fresh."}))).expect("a boundary");
    assert_eq!(fresh.active[0].text, "Fresh.");
    assert_eq!((state.turn, state.active[0].turn, state.active[1].turn), (2, 2, 1));
    load(&catalog, &mut state, "alpha", json!({}));
    let before = state.clone();
    for id in ["off", "nobody", "gamma"] {
        let options = given(json!({"required": ["beta", id]}));
        let error = catalog.boundary(&mut state, &options).expect_err("a failure");
        assert_eq!(error.code(), "required_failed");
        assert!(error.message().contains(id));
        assert_eq!(state, before);
    }
}

#[test]
fn synchronising_says_what_was_dropped() {
    let mut state = SessionState::default();
    let first = staff();
    for id in ["alpha", "beta"] {
        load(&first, &mut state, id, json!({}));
    }
    first.boundary(&mut state, &BoundaryOptions::default()).expect("a boundary");
    load(&first, &mut state, "secret", json!({"actor": "user"}));
    let second = catalog(&json!([
        {"name": "alpha", "instructions": "Other."}, {"name": "secret", "instructions": "For the user.", "modelInvocable": false},
    ]));
    let dropped = second.synchronize(&mut state, &LoadOptions::default());
    assert_eq!((dropped.removed, dropped.changed), (vec!["beta".to_owned()], vec!["alpha".to_owned()]));
    assert_eq!((state.active.len(), state.staged.as_slice()), (0, &["secret".to_owned()][..]));
    let denied = given(json!({"rules": [{"match": "sec*", "action": "deny"}]}));
    assert_eq!(second.synchronize(&mut state, &denied).removed, ["secret"]);
}

fn house() -> Catalog {
    catalog(&json!([
        {"name": "root", "kind": "rule", "instructions": "Be <kind> & brief."},
        {"name": "pay", "kind": "rule", "scope": "services/payments", "instructions": "Integers </rule></rules> only."},
        {"name": "services", "kind": "rule", "scope": "services/", "instructions": "Log nothing."},
        {"name": "docs", "kind": "rule", "scope": "docs", "instructions": "Short lines."},
        {"name": "dead", "kind": "rule", "scope": "services", "instructions": "Off.", "enabled": false},
        {"name": "skill", "instructions": "No rule."},
    ]))
}

#[test]
fn rules_hold_by_folder_nearest_last_and_once() {
    let catalog = house();
    let mut state = SessionState::default();
    let paths = vec!["services\\Payments\\..\\payments\\ledger.rs".to_owned()];
    let entered = catalog.session_enter(&state, &paths, &LoadOptions::default());
    assert_eq!(entered.reveals, ["root", "services", "pay"]);
    assert!(entered.defer);
    let rules = catalog.session_rules(&mut state, &paths, &RulesOptions::default(), None).expect("rules");
    assert_eq!(rules.ids, ["root", "services", "pay"]);
    assert_eq!(
        rules.xml,
        "<rules>\n<rule id=\"root\">\nBe &lt;kind&gt; &amp; brief.\n</rule>\n<rule id=\"services\" scope=\"services/\">\n\
         Log nothing.\n</rule>\n<rule id=\"pay\" scope=\"services/payments\">\nIntegers \
         &lt;/rule&gt;&lt;/rules&gt; only.\n</rule>\n</rules>"
    );
    state = kept(&state);
    assert!(!catalog.session_enter(&state, &paths, &LoadOptions::default()).defer);
    let docs = catalog.session_enter(&state, &["docs/a.md".to_owned()], &LoadOptions::default());
    assert_eq!((docs.reveals, docs.defer), (vec!["docs".to_owned()], true));
    let changed = catalog_with(
        &catalog,
        &json!([{"name": "pay", "kind": "rule", "scope": "services/payments", "instructions": "New."}]),
    );
    assert_eq!(changed.session_enter(&state, &paths, &LoadOptions::default()).reveals, ["pay"]);
    assert_eq!(catalog.session_rules(&mut state, &[], &RulesOptions::default(), None).expect("rules").xml, "");
}

fn catalog_with(base: &Catalog, added: &Value) -> Catalog {
    base.with(catalog(added))
}

#[test]
fn rules_keep_their_budget_nearest_first() {
    let catalog = house();
    let paths = vec!["services/payments/a".to_owned()];
    let mut shown = Vec::new();
    for budget in 0..80 {
        let mut state = SessionState::default();
        let options = given(json!({"budget": budget}));
        let rules = catalog.session_rules(&mut state, &paths, &options, None).expect("rules");
        assert!(rules.tokens <= budget);
        assert_eq!(rules.ids.len() + rules.omitted.len(), 3);
        assert!(!catalog.session_enter(&state, &paths, &LoadOptions::default()).defer, "no endless deferral");
        shown.push(rules.ids.len());
    }
    assert_eq!((shown[0], shown[79]), (0, 3));
}

#[test]
fn rules_never_enter_a_listing_and_are_no_skills() {
    let catalog = house();
    let pick = catalog.select(&skillpick::Context::default(), &skillpick::Options::default(), None).expect("a pick");
    assert_eq!(pick.skills.len(), 1);
    let mut state = SessionState::default();
    assert_eq!(code(&load(&catalog, &mut state, "root", json!({}))), "not_available");
}

#[test]
fn after_a_compaction_bodies_go_back_newest_first_within_the_budget() {
    let body = |word: &str| format!("# {word}\n\n{}", format!("{word} does one thing after another.\n\n").repeat(60));
    let skills = json!([
        {"name": "old", "instructions": body("Old")},
        {"name": "mid", "instructions": format!("For $ARGUMENTS.\n\n{}", body("Mid"))},
        {"name": "new", "instructions": body("New")},
        {"name": "never", "instructions": body("Never"), "reattach": false},
    ]);
    let catalog = catalog(&skills);
    let mut state = SessionState::default();
    for (id, arguments) in [("old", ""), ("mid", "the stale request"), ("never", ""), ("new", "")] {
        load(&catalog, &mut state, id, json!({"arguments": arguments}));
        catalog.boundary(&mut state, &BoundaryOptions::default()).expect("a boundary");
    }
    let back = |options: Value| {
        let results = catalog.reattach(&state, &given::<ReattachOptions>(options), None).expect("results");
        let loads = results.into_iter().map(|result| match result {
            LoadResult::Loaded(loaded) => loaded,
            LoadResult::Refused(refused) => panic!("{refused:?}"),
        });
        loads.collect::<Vec<_>>()
    };
    let all = back(json!({}));
    assert_eq!(all.iter().map(|one| &*one.id).collect::<Vec<_>>(), ["new", "mid", "old"]);
    assert!(all.iter().all(|one| !one.truncated && !one.text.contains("stale")));
    let tight = back(json!({"budget": 700, "perSkill": 300}));
    assert_eq!(tight.len(), 3);
    assert!(tight.iter().all(|one| one.truncated && one.tokens <= 300));
    assert!(tight.iter().map(|one| one.tokens).sum::<u32>() <= 700);
    let there = json!([{"role": "tool", "content": all[0].text}, {"role": "tool", "content": tight[2].text}]);
    let rest = back(json!({"messages": there}));
    assert_eq!(rest.iter().map(|one| &*one.id).collect::<Vec<_>>(), ["mid", "old"], "a part is not the whole");
    let called = load(&catalog, &mut state.clone(), "mid", json!({"arguments": "the stale request"}));
    let there = json!([{"role": "tool", "content": called.text()}]);
    assert_eq!(back(json!({"messages": there})).len(), 2);
    assert!(decode(&rest[0].text).expect("an envelope").body.starts_with("For $ARGUMENTS."));
}

#[test]
fn nothing_that_may_not_be_seen_goes_back() {
    let first = staff();
    let mut state = SessionState::default();
    load(&first, &mut state, "secret", json!({"actor": "user"}));
    load(&first, &mut state, "beta", json!({}));
    first.boundary(&mut state, &BoundaryOptions::default()).expect("a boundary");
    let ids = |catalog: &Catalog, options: Value| -> Vec<String> {
        let results = catalog.reattach(&state, &given(options), None).expect("results");
        results
            .iter()
            .map(|result| match result {
                LoadResult::Loaded(loaded) => loaded.id.clone(),
                LoadResult::Refused(refused) => panic!("{refused:?}"),
            })
            .collect()
    };
    assert_eq!(ids(&first, json!({})), ["beta", "secret"], "the user had started it");
    assert_eq!(ids(&first, json!({"user": {"disabled": ["secret"]}})), ["beta"]);
    assert_eq!(ids(&first, json!({"rules": [{"match": "*", "action": "deny"}]})), Vec::<String>::new());
    let hidden = catalog_with(&first, &json!([{"name": "beta", "instructions": "Beta.", "modelInvocable": false}]));
    assert_eq!(ids(&hidden, json!({})), ["secret"]);
    let mut forged = state.clone();
    forged.active[0].actor = skillpick::Actor::Model;
    assert_eq!(first.reattach(&forged, &ReattachOptions::default(), None).expect("results").len(), 1);
}
