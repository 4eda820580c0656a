//! While all names fit, every eligible skill stays visible by name (checked with a counter of our own).

use skillpick::{Budget, Catalog, CatalogOptions, Context, Error, Format, Options, Reason};

fn count(text: &str) -> f64 {
    (text.chars().count() as f64 / 4.0).ceil()
}

fn names_only(format: Format, ids: &[&str]) -> String {
    let ids = ids.join(", ");
    match format {
        Format::Agentpool => format!("<available-skills>\n  <more-skills ids=\"{ids}\" />\n</available-skills>"),
        _ => format!("<available_skills>\n<more_skills>{ids}</more_skills>\n</available_skills>"),
    }
}

#[test]
fn no_skill_is_left_out_while_all_names_fit() {
    let json = include_bytes!("vectors/catalogs/office.json");
    let catalog = Catalog::from_slice(json, CatalogOptions::default()).expect("a catalog");
    let ids: Vec<&str> =
        catalog.skills().iter().filter(|skill| skill.model_invocable).map(|skill| &*skill.id).collect();
    let counter = |text: &str| -> Result<f64, Error> { Ok(count(text)) };
    let mut wrong = Vec::new();
    for format in [Format::Agentpool, Format::Agentskills, Format::Compact] {
        let least = count(&names_only(format, &ids)) as u32;
        for budget in least..least + 200 {
            for query in ["fill a pdf form", "zzz", "check the invoice"] {
                let options = Options { budget: Budget::Tokens(f64::from(budget)), format, ..Options::default() };
                let context = Context { query: Some(query.into()), ..Context::default() };
                let pick = catalog.select(&context, &options, Some(&counter)).expect("a pick");
                let left = pick.omitted.iter().filter(|one| one.reason == Reason::Budget).count();
                if left > 0 {
                    wrong.push(format!(
                        "{format:?} {budget} (names: {least}) {query:?}: {left} left out, {} tokens",
                        pick.tokens
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} selections\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
}
