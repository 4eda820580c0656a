//! Prints the features of texts for scripts/fit-tokens.mjs: a JSON string a line in, `feature count …` a line out.

#[path = "../src/tokens/features.rs"]
mod features;
#[path = "../src/tokens/symbols.rs"]
mod symbols;

use std::collections::BTreeMap;
use std::io::{BufRead, BufWriter, Write};

fn main() -> std::io::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{} {}", features::FEATURES, features::FINE)?;
    for line in std::io::stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        let mut counts = BTreeMap::new();
        features::features(&text, &mut |feature| *counts.entry(feature).or_insert(0) += 1, &mut |_| {});
        for (feature, count) in counts {
            write!(out, "{feature} {count} ")?;
        }
        writeln!(out)?;
    }
    out.flush()
}
