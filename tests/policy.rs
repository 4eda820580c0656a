//! Policy bridging: tests/vectors/policy.json.

use serde_json::{Value, json};
use skillpick::{Catalog, CatalogOptions, Options, Request};

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
