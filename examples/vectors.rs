//! Ranking with vectors of your own model beside the words: `cargo run --example vectors`.
//!
//! Any embedding will do; this one counts letter triples, so that the example needs no model. Put the vector of every skill
//! into the catalog and that of the request into the context: selection adds their cosine to the score of the words.

use serde_json::{Value, json};
use skillpick::{Catalog, CatalogOptions, Context, Options};

/// Stands for your model.
fn embed(text: &str) -> Vec<f32> {
    let letters: Vec<char> = text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let mut vector = vec![0.0; 1024];
    for triple in letters.windows(3) {
        let hash = triple.iter().fold(7_u32, |hash, &c| hash.wrapping_mul(31).wrapping_add(c as u32));
        vector[hash as usize % 1024] += 1.0;
    }
    vector
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let skills = [
        ("photo-archive", "Sorts photographs into albums by day and place."),
        ("tax-return", "Files a tax return from receipts."),
        ("bread", "Bakes sourdough bread and rolls."),
    ];
    let entries: Vec<Value> =
        skills.iter().map(|(name, text)| json!({ "name": name, "description": text, "vector": embed(text) })).collect();
    let catalog = Catalog::from_slice(serde_json::to_string(&entries)?.as_bytes(), CatalogOptions::default())?;
    let request = "photogenic";
    for vector in [None, Some(embed(request))] {
        let context = Context { query: Some(request.into()), vector, ..Context::default() };
        let pick = catalog.select(&context, &Options::default(), None)?;
        println!("{}", if context.vector.is_some() { "words and vectors" } else { "words" });
        for skill in &pick.skills {
            println!("  {:.3} {}", skill.score, skill.id);
        }
    }
    Ok(())
}
