//! Policy bridging, tests/vectors/policy.json; and ids that nobody has.

use serde_json::{Value, json};
use skillpick::{Catalog, CatalogOptions, Context, Options, Request};

#[test]
fn the_vectors_hold() {
    let file: Value = serde_json::from_str(include_str!("vectors/policy.json")).expect("json");
    let catalog =
        Catalog::from_slice(file["skills"].to_string().as_bytes(), CatalogOptions::default()).expect("a catalog");
    for case in file["cases"].as_array().expect("cases") {
        let name = &case["name"];
        let part = |key: &str| case.get(key).cloned().unwrap_or(json!({}));
        let active: Vec<String> = serde_json::from_value(case["active"].clone()).expect("ids");
        let request: Request = serde_json::from_value(part("request")).expect("a request");
        let options: Options = serde_json::from_value(part("options")).expect("options");
        let policy = catalog.policy(&active, &request, &options);
        let answer = serde_json::to_value(&policy).expect("json");
        for (field, expected) in case["expect"].as_object().expect("fields") {
            assert_eq!(&answer[field], expected, "{name}: {field}");
        }
        if let Some(remarks) = case.get("remarks") {
            let said = policy.diagnostics.iter().map(|one| {
                let field = one.message.split(" differ in ").nth(1).and_then(|rest| rest.split(';').next());
                format!("{} {}", field.unwrap_or_default(), one.skill.as_deref().unwrap_or_default())
            });
            assert_eq!(json!(said.collect::<Vec<_>>()), *remarks, "{name}");
        }
    }
}

#[test]
fn an_unknown_id_is_reported_with_the_nearest_one() {
    let skills = json!([{"name": "pdf-forms"}, {"name": "sql-tuning"}]).to_string();
    let catalog = Catalog::from_slice(skills.as_bytes(), CatalogOptions::default()).expect("a catalog");
    let context = Context::default();
    let options = |json: Value| -> Options { serde_json::from_value(json).expect("options") };
    let pick =
        catalog.select(&context, &options(json!({"pinned": ["pdf-form", "sql-tuning"], "exclude": ["zebra"]})), None);
    let found: Vec<String> = pick
        .expect("a pick")
        .diagnostics
        .iter()
        .map(|one| format!("{} {:?} {} {}", one.code, one.severity, one.path.as_deref().unwrap_or(""), one.message))
        .collect();
    assert_eq!(
        found,
        [
            r#"unknown_id Warning options.pinned[0] no skill has the id "pdf-form"; did you mean "pdf-forms"?"#,
            r#"unknown_id Info options.exclude[0] no skill has the id "zebra""#,
        ]
    );
    let many: Vec<String> = (0..1_000).map(|n| format!("no-{n}")).collect();
    let pick = catalog.select(&context, &options(json!({"exclude": many})), None).expect("a pick");
    assert_eq!(pick.diagnostics.len(), 4);
    let error = catalog.select(&context, &options(json!({"required": ["sql-tunning"]})), None).expect_err("an error");
    assert!(error.to_string().ends_with(r#"did you mean "sql-tuning"?"#), "{error}");
}
