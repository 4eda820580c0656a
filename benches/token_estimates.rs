//! Prints the estimates of texts for benches/tokens.mjs: a JSON string a line in, `o200k cl100k` a line out.

use skillpick::{Tokenizer, estimate};
use std::io::{BufRead, BufWriter, Write};

fn main() -> std::io::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.is_empty() {
            continue;
        }
        let text: String = serde_json::from_str(&line)?;
        writeln!(out, "{} {}", estimate(&text, Tokenizer::O200k), estimate(&text, Tokenizer::Cl100k))?;
    }
    out.flush()
}
