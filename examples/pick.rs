//! Picks skills for one request: `cargo run --example pick -- catalog.json "the request" [budget]`.

use skillpick::{Budget, Catalog, CatalogOptions, Context, Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(query)) = (arguments.next(), arguments.next()) else {
        return Err("usage: pick CATALOG.json REQUEST [BUDGET]".into());
    };
    let budget = arguments.next().map_or(Ok(2000.0), |text| text.parse())?;
    let catalog = Catalog::from_slice(&std::fs::read(path)?, CatalogOptions::default())?;
    let context = Context { query: Some(query), ..Context::default() };
    let options = Options { budget: Budget::Tokens(budget), ..Options::default() };
    let pick = catalog.select(&context, &options, None)?;
    println!("{}", pick.xml);
    eprintln!("{} of {budget} tokens; {:?}; gap {:.4}", pick.tokens, pick.counts, pick.gap);
    for skill in pick.skills.iter().take(12) {
        let terms: Vec<&str> = skill.evidence.iter().map(|evidence| &*evidence.term).collect();
        eprintln!("{:>6.3} {:<12} {} ({})", skill.score, skill.detail.as_str(), skill.id, terms.join(", "));
    }
    Ok(())
}
