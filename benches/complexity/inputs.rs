//! The inputs: each grows in one number, and each is the worst that a hostile author, user or host could make of it.

use serde_json::{Value, json};
use skillpick::{
    Arguments, BoundaryOptions, Catalog, CatalogOptions, Context, Error, LoadOptions, LoadResult, Options, Query,
    ReattachOptions, RulesOptions, SessionState, Tokenizer,
};

/// What is done once the input is there; the number it gives keeps it from being optimised away.
type Work = Box<dyn FnMut() -> usize>;

/// One kind of growth.
pub struct Case {
    pub name: &'static str,
    /// The smallest n.
    pub size: usize,
    pub prepare: fn(usize) -> Work,
}

const fn case(name: &'static str, size: usize, prepare: fn(usize) -> Work) -> Case {
    Case { name, size, prepare }
}

/// Every case, in the order of the pipeline.
pub const CASES: &[Case] = &[
    case("catalog", 150, |n| reading(&json!((0..n).map(skill).collect::<Vec<_>>()))),
    case("catalog-nested-arrays", 4_000, |n| {
        reading_text(format!(r#"[{{"name":"a","extra":{}1{}}}]"#, "[[],".repeat(n), "]".repeat(n)))
    }),
    case("catalog-one-id", 500, |n| reading(&one_id(n))),
    case("catalog-unknown-keys", 2_000, |n| reading(&json!([unknown_keys(n)]))),
    case("catalog-quotes", 4_000, |n| reading(&json!([{ "name": "a", "description": "\"\\".repeat(n) }]))),
    case("catalog-one-word", 4_000, |n| reading(&described(&"deploy ".repeat(n)))),
    case("catalog-huge-word", 2_000, |n| reading(&described(&"x".repeat(n)))),
    case("catalog-marks", 4_000, |n| reading(&described(&format!("a{}", "\u{301}".repeat(n))))),
    case("catalog-chinese", 2_000, |n| reading(&described(&"部署网站".repeat(n / 4)))),
    case("catalog-exclusions", 1_000, |n| reading(&described(&"do not use for x. not for (y. ".repeat(n)))),
    case("catalog-hidden-text", 2_000, |n| reading(&described(&"\u{E0041}\u{202E}".repeat(n)))),
    case("catalog-fences", 1_500, |n| reading(&json!([{ "name": "a", "instructions": "```\n`\n~~~\n".repeat(n) }]))),
    case("select", 300, |n| {
        selecting(
            &json!((0..n).map(skill).collect::<Vec<_>>()),
            json!({ "query": "deploy the site of the 17th team" }),
            json!({}),
        )
    }),
    case("select-no-budget", 200, |n| {
        selecting(&json!((0..n).map(skill).collect::<Vec<_>>()), json!({}), json!({ "budget": null }))
    }),
    case("select-long-description", 1_000, |n| {
        selecting(&described(&"One. two ".repeat(n)), json!({}), json!({ "budget": 100 }))
    }),
    case("select-words", 1_000, |n| talking(&"please deploy the site ".repeat(n))),
    case("select-different-words", 1_000, |n| talking(&repeated(n, |i| format!("w{i}x ")))),
    case("select-spaces", 5_000, |n| talking(&" ".repeat(n))),
    case("select-lines", 5_000, |n| talking(&">\n\n".repeat(n))),
    case("select-fences", 5_000, |n| talking(&"```\n".repeat(n))),
    case("select-mentions", 1_000, |n| talking(&"/skill-1 the skill-2 skill ".repeat(n))),
    case("select-skill-skill", 2_000, |n| talking(&"skill ".repeat(n))),
    case("select-joined-names", 2_000, |n| talking(&"技能スキル".repeat(n))),
    case("select-same-name", 500, same_name),
    case("select-same-trigger", 250, same_trigger),
    case("select-messages", 2_000, |n| {
        selecting(
            &ten(),
            json!({ "messages": vec![json!({ "role": "user", "content": "deploy the site" }); n] }),
            json!({}),
        )
    }),
    case("select-parts", 2_000, |n| {
        selecting(
            &ten(),
            json!({ "messages": [{ "role": "user", "content": vec![json!({ "type": "text", "text": "deploy" }); n] }] }),
            json!({}),
        )
    }),
    case("select-evidence", 250, |n| {
        selecting(
            &json!(
                (0..n)
                    .map(|i| json!({ "name": format!("s{i}"), "description": repeated(40, |w| format!("word{w} ")) }))
                    .collect::<Vec<_>>()
            ),
            json!({ "query": repeated(40, |w| format!("word{w} ")) }),
            json!({}),
        )
    }),
    case("select-previous", 250, previous),
    case("select-shrunk", 250, shrunk),
    case("glob-stars", 400, |n| globbing(&"*a".repeat(n), &"a".repeat(1_000))),
    case("glob-folders", 100, |n| globbing(&("**/a/".repeat(n) + "b"), &"a/".repeat(200))),
    case("glob-braces", 1_000, |n| globbing(&format!("{{{}}}{}", ",".repeat(n), "x".repeat(n)), "x")),
    case("glob-classes", 300, |n| globbing(&("*".to_owned() + &"[".repeat(n)), &"[".repeat(300))),
    case("glob-class", 300, |n| globbing(&format!("*[{}]b", "c".repeat(n)), &"a".repeat(300))),
    case("options-exclude", 300, |n| options_of(n, |ids| json!({ "exclude": ids }))),
    case("options-disabled", 300, |n| options_of(n, |ids| json!({ "user": { "disabled": ids } }))),
    case("options-enabled", 300, |n| options_of(n, |ids| json!({ "user": { "enabled": ids } }))),
    case("options-pinned", 300, |n| options_of(n, |ids| json!({ "pinned": ids, "budget": null }))),
    case("options-required", 300, |n| options_of(n, |ids| json!({ "required": ids, "budget": null }))),
    case("options-tools", 500, tools_of),
    case("options-rule", 120, |n| {
        selecting(&ten(), json!({}), json!({ "rules": [{ "match": "*k".repeat(n), "action": "deny" }] }))
    }),
    case("counter-lies", 200, lying),
    case("counter-grows", 200, growing),
    case("search", 300, searching),
    case("unknown-id", 200, |n| {
        asking(
            &json!((0..n).map(|i| json!({ "name": format!("{}{i}", "a".repeat(100)) })).collect::<Vec<_>>()),
            &("a".repeat(100) + "bbbb"),
            &LoadOptions::default(),
        )
    }),
    case("unknown-part", 100, |n| {
        asking(
            &json!((0..n).map(|i| json!({ "name": format!("{}{i}", "a".repeat(400)) })).collect::<Vec<_>>()),
            &("a".repeat(60) + "b"),
            &LoadOptions::default(),
        )
    }),
    case("tools", 300, |n| {
        let catalog = read(&json!((0..n).map(skill).collect::<Vec<_>>()));
        Box::new(move || catalog.tools(&Options::default(), None).expect("tools").len())
    }),
    case("load-dollars", 1_000, |n| declared(n, &"$".repeat(n))),
    case("load-names", 1_000, |n| declared(n, &"$a0b ".repeat(n))),
    case("load-brackets", 2_000, |n| asking(&body(&"$ARGUMENTS[".repeat(n)), "it", &typed("x"))),
    case("load-quotes", 2_000, |n| asking(&body("$ARGUMENTS"), "it", &typed(&"'a \"b ".repeat(n)))),
    case("load-named", 1_000, named),
    case("load-tags", 2_000, |n| asking(&body(&"</skill>".repeat(n)), "it", &LoadOptions::default())),
    case("load-spaced-tag", 5_000, |n| asking(&body(&format!("<{}<", " ".repeat(n))), "it", &LoadOptions::default())),
    case("load-entities", 5_000, |n| asking(&body(&format!("&{}", "amp;".repeat(n))), "it", &LoadOptions::default())),
    case("load-part", 1_500, |n| {
        asking(
            &body(&"# One\n\ntext of it.\n".repeat(n)),
            "it",
            &LoadOptions { max_tokens: Some(500.0), ..LoadOptions::default() },
        )
    }),
    case("load-part-marks", 5_000, |n| {
        asking(&body(&"\u{301}".repeat(n)), "it", &LoadOptions { max_tokens: Some(500.0), ..LoadOptions::default() })
    }),
    case("load-in-messages", 1_000, in_messages),
    case("decode", 5_000, |n| {
        let text = loaded(&body(&"&lt;/skill> <user-request>".repeat(n)));
        Box::new(move || skillpick::decode(&text).map_or(0, |found| found.body.len()))
    }),
    case("session-tools", 500, session_tools),
    case("session-required", 150, session_required),
    case("session-rules", 100, |n| ruling(n, &json!(null))),
    case("session-rules-budget", 100, |n| ruling(n, &json!(500))),
    case("session-enter", 150, entering),
    case("session-reattach", 100, reattaching),
    case("estimate-letters", 5_000, |n| estimating("a".repeat(n))),
    case("estimate-signs", 5_000, |n| estimating("\"<&".repeat(n))),
    case("estimate-white", 5_000, |n| estimating(" \n\t".repeat(n))),
    case("estimate-marks", 5_000, |n| estimating("e\u{301}\u{200D}".repeat(n))),
    case("merge", 100, merging),
];

/// `piece` of each number below n, one after the other.
fn repeated(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect::<Vec<_>>().concat()
}

fn read(skills: &Value) -> Catalog {
    Catalog::from_slice(skills.to_string().as_bytes(), CatalogOptions::default()).expect("a catalog")
}

fn reading(skills: &Value) -> Work {
    reading_text(skills.to_string())
}

fn reading_text(json: String) -> Work {
    Box::new(move || {
        Catalog::from_slice(json.as_bytes(), CatalogOptions::default()).map_or(0, |read| read.skills().len())
    })
}

fn skill(i: usize) -> Value {
    json!({ "name": format!("skill-{i}"), "description": format!("Deploy the site of team {i}. Use when team {i} asks for it, and not for others."), "instructions": format!("Open page {i}.\n") })
}

fn ten() -> Value {
    json!((0..10).map(skill).collect::<Vec<_>>())
}

fn described(text: &str) -> Value {
    json!([{ "name": "a", "description": text }])
}

fn body(text: &str) -> Value {
    json!([{ "name": "it", "instructions": text }])
}

/// One big winner and many small losers with its id.
fn one_id(n: usize) -> Value {
    let small = (0..n).map(|i| json!({ "name": "same", "description": i.to_string(), "source": "user" }));
    json!(
        [json!({ "name": "same", "instructions": "long ".repeat(10 * n), "source": "project" })]
            .into_iter()
            .chain(small)
            .collect::<Vec<_>>()
    )
}

/// Keys that come in one order as they are written and in the other as they are read.
fn unknown_keys(n: usize) -> Value {
    let upper = (0..n).map(|i| (format!("Z{i:06}"), json!(1)));
    let lower = (0..n).map(|i| (format!("a{i:06}"), json!(1)));
    let mut skill: serde_json::Map<String, Value> = upper.chain(lower).collect();
    skill.insert("name".into(), json!("a"));
    Value::Object(skill)
}

fn context(json: Value) -> Context {
    serde_json::from_value(json).expect("a context")
}

fn options(json: Value) -> Options {
    serde_json::from_value(json).expect("options")
}

fn selecting(skills: &Value, said: Value, wanted: Value) -> Work {
    let (catalog, context, options) = (read(skills), context(said), options(wanted));
    Box::new(move || catalog.select(&context, &options, None).expect("a pick").xml.len())
}

fn talking(text: &str) -> Work {
    selecting(&ten(), json!({ "messages": [{ "role": "user", "content": text }] }), json!({}))
}

/// n skills whose names differ in case alone, named in n ways.
fn same_name(n: usize) -> Work {
    let spelled = |i: usize| {
        let letter = |(at, c): (usize, char)| if i >> at & 1 == 1 { c.to_ascii_uppercase() } else { c };
        format!("{}-x", "abcdefghijklmnop".char_indices().map(letter).collect::<String>())
    };
    let skills: Vec<Value> = (0..n).map(|i| json!({ "name": spelled(i), "description": "x" })).collect();
    let said: String = repeated(n, |i| format!("/{} ", spelled(i + n)));
    selecting(&json!(skills), json!({ "query": said }), json!({}))
}

/// n skills with one trigger, said n times.
fn same_trigger(n: usize) -> Work {
    let skills: Vec<Value> =
        (0..n).map(|i| json!({ "name": format!("s{i}"), "triggers": ["launch rocket"] })).collect();
    selecting(&json!(skills), json!({ "query": "launch rocket ".repeat(n) }), json!({}))
}

/// A second turn after one that showed everything.
fn previous(n: usize) -> Work {
    let catalog = read(&json!((0..n).map(skill).collect::<Vec<_>>()));
    let options = options(json!({ "budget": null }));
    let first = catalog.select(&Context::default(), &options, None).expect("a pick");
    let context = context(json!({ "previous": first.state, "query": "deploy" }));
    Box::new(move || catalog.select(&context, &options, None).expect("a pick").xml.len())
}

/// The budget shrinks after a turn that showed everything.
fn shrunk(n: usize) -> Work {
    let catalog = read(&json!((0..n).map(skill).collect::<Vec<_>>()));
    let first = catalog.select(&Context::default(), &options(json!({ "budget": null })), None).expect("a pick");
    let (context, options) = (context(json!({ "previous": first.state })), options(json!({ "budget": 500 })));
    Box::new(move || catalog.select(&context, &options, None).expect("a pick").xml.len())
}

fn globbing(pattern: &str, file: &str) -> Work {
    selecting(&json!([{ "name": "a", "paths": [pattern] }]), json!({ "files": [file] }), json!({}))
}

fn options_of(n: usize, wanted: fn(Vec<String>) -> Value) -> Work {
    let skills: Vec<Value> = (0..n).map(|i| json!({ "name": format!("s{i}") })).collect();
    selecting(&json!(skills), json!({}), wanted((0..n).rev().map(|i| format!("s{i}")).collect()))
}

/// A skill with n tools and a host with n others.
fn tools_of(n: usize) -> Work {
    let names = |from: usize| (from..from + n).map(|i| format!("tool.{i}")).collect::<Vec<_>>();
    let host: Vec<String> = names(n).into_iter().chain(names(0)).collect();
    selecting(&json!([{ "name": "a", "tools": names(0) }]), json!({ "tools": host }), json!({}))
}

fn counting(n: usize, count: impl Fn(usize) -> f64 + 'static) -> Work {
    let catalog = read(&json!((0..n).map(skill).collect::<Vec<_>>()));
    let options = options(json!({ "budget": 40 * n }));
    let calls = std::cell::Cell::new(0);
    Box::new(move || {
        let host = |text: &str| -> Result<f64, Error> {
            calls.set(calls.get() + 1);
            Ok(count(text.len()))
        };
        catalog.select(&Context::default(), &options, Some(&host)).map_or(0, |pick| pick.xml.len()) + calls.get()
    })
}

/// A counter that finds every text too long.
fn lying(n: usize) -> Work {
    counting(n, |_| 1e9)
}

/// A counter that finds each token twice as often as we do.
fn growing(n: usize) -> Work {
    counting(n, |bytes| bytes as f64)
}

fn searching(n: usize) -> Work {
    let catalog = read(&json!((0..n).map(skill).collect::<Vec<_>>()));
    Box::new(move || catalog.search("deploy the site of team 7", 10, None).len())
}

fn typed(arguments: &str) -> LoadOptions {
    LoadOptions { arguments: Arguments::Text(arguments.into()), ..LoadOptions::default() }
}

fn asking(skills: &Value, id: &str, options: &LoadOptions) -> Work {
    let (catalog, id, options) = (read(skills), id.to_owned(), options.clone());
    Box::new(move || catalog.load(&id, &options, None).expect("a result").text().len())
}

fn loaded(skills: &Value) -> String {
    match read(skills).load("it", &LoadOptions::default(), None).expect("a result") {
        LoadResult::Loaded(loaded) => loaded.text,
        LoadResult::Refused(refused) => refused.text,
    }
}

/// A skill that declares n arguments.
fn declared(n: usize, body: &str) -> Work {
    let names: Vec<String> = (0..n).map(|i| format!("a{i}")).collect();
    asking(&json!([{ "name": "it", "instructions": body, "arguments": names }]), "it", &typed("x y z"))
}

fn named(n: usize) -> Work {
    let names: Vec<String> = (0..n).map(|i| format!("a{i}")).collect();
    let given = (0..n).map(|i| (format!("a{i}"), "x".to_owned())).collect();
    let options = LoadOptions { arguments: Arguments::Named(given), ..LoadOptions::default() };
    asking(&json!([{ "name": "it", "instructions": "none", "arguments": names }]), "it", &options)
}

fn in_messages(n: usize) -> Work {
    let said = json!(vec!["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"; n]);
    let messages = serde_json::from_value(said).expect("messages");
    asking(&body(&"a".repeat(n)), "it", &LoadOptions { messages, ..LoadOptions::default() })
}

/// A skill that brings n tools to a host that has n.
fn session_tools(n: usize) -> Work {
    let names = |from: usize| (from..from + n).map(|i| format!("tool.{i}")).collect::<Vec<_>>();
    let catalog = read(&json!([{ "name": "it", "instructions": "x", "tools": names(0) }]));
    let options = LoadOptions { host_tools: Some(names(n)), ..LoadOptions::default() };
    Box::new(move || {
        let mut state = SessionState::default();
        let _ = catalog.session_load(&mut state, "it", &options, None).expect("a result");
        state.pending.len()
    })
}

fn required(n: usize) -> (Catalog, BoundaryOptions) {
    let skills: Vec<Value> =
        (0..n).map(|i| json!({ "name": format!("s{i}"), "instructions": "x", "tools": [format!("t{i}")] })).collect();
    let options = BoundaryOptions { required: (0..n).map(|i| format!("s{i}")).collect(), ..BoundaryOptions::default() };
    (read(&json!(skills)), options)
}

fn session_required(n: usize) -> Work {
    let (catalog, options) = required(n);
    Box::new(move || {
        let mut state = SessionState::default();
        catalog.boundary(&mut state, &options).expect("a boundary").active.len()
    })
}

fn rules(n: usize) -> Catalog {
    let rule = |i: usize| json!({ "name": format!("r{i}"), "kind": "rule", "scope": "src", "instructions": format!("Rule {i} of this folder.") });
    read(&json!((0..n).map(rule).collect::<Vec<_>>()))
}

fn ruling(n: usize, budget: &Value) -> Work {
    let catalog = rules(n);
    let options: RulesOptions = serde_json::from_value(json!({ "budget": budget })).expect("options");
    Box::new(move || {
        let mut state = SessionState::default();
        catalog.session_rules(&mut state, &["src/a.rs".into()], &options, None).expect("rules").xml.len()
    })
}

fn entering(n: usize) -> Work {
    let catalog = rules(n);
    let mut state = SessionState::default();
    let _ = catalog.session_rules(&mut state, &["src/a.rs".into()], &RulesOptions::default(), None).expect("rules");
    Box::new(move || catalog.session_enter(&state, &["src/b.rs".into()], &LoadOptions::default()).reveals.len())
}

fn reattaching(n: usize) -> Work {
    let (catalog, options) = required(n);
    let mut state = SessionState::default();
    catalog.boundary(&mut state, &options).expect("a boundary");
    let options = ReattachOptions { budget: skillpick::Budget::Tokens(f64::INFINITY), ..ReattachOptions::default() };
    Box::new(move || catalog.reattach(&state, &options, None).expect("results").len())
}

fn estimating(text: String) -> Work {
    Box::new(move || skillpick::estimate(&text, Tokenizer::O200k) as usize)
}

fn merging(n: usize) -> Work {
    let catalogs: Vec<Catalog> = (0..n).map(|i| read(&json!([skill(i)]))).collect();
    Box::new(move || {
        Catalog::merge(&catalogs.iter().collect::<Vec<_>>()).skills().len()
            + usize::from(Query::default().ideal() > 1.0)
    })
}
