//! The token estimate against exact counts of our own texts, and on hostile ones.

use proptest::prelude::*;
use serde::Deserialize;
use skillpick::{Tokenizer, count, estimate};

#[derive(Deserialize)]
struct Sample {
    name: String,
    text: String,
    o200k: f64,
    cl100k: f64,
}

fn samples() -> Vec<Sample> {
    serde_json::from_str(include_str!("vectors/tokens/exact.json")).expect("samples")
}

/// Single paragraphs of about 100 tokens scatter more than whole blocks; benches/tokens.mjs measures those.
#[test]
fn each_sample_is_near_its_exact_count() {
    for sample in samples() {
        for (tokenizer, exact) in [(Tokenizer::O200k, sample.o200k), (Tokenizer::Cl100k, sample.cl100k)] {
            let estimated = estimate(&sample.text, tokenizer);
            let error = estimated / exact - 1.0;
            assert!(error.abs() < 0.17, "{} {tokenizer:?}: {estimated:.1} for {exact}", sample.name);
        }
    }
}

#[test]
fn all_samples_together_are_within_four_percent() {
    let text: String = samples().iter().map(|sample| sample.text.as_str()).collect();
    for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k] {
        let of = |sample: &Sample| if tokenizer == Tokenizer::O200k { sample.o200k } else { sample.cl100k };
        let exact: f64 = samples().iter().map(of).sum();
        let error = estimate(&text, tokenizer) / exact - 1.0;
        assert!(error.abs() < 0.04, "{tokenizer:?}: {error}");
    }
}

proptest! {
    #[test]
    fn any_text_has_a_finite_count(text in any::<String>(), safety in 0.1_f64..10.0) {
        for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k] {
            let estimated = estimate(&text, tokenizer);
            prop_assert!(estimated.is_finite() && estimated >= 0.0);
            prop_assert_eq!(count(&text, tokenizer, safety) == 0, text.is_empty());
        }
    }

    #[test]
    fn any_lines_add_up(left in "[ -~а-яäöü一-龥]{0,40}", right in "[ -~а-яäöü一-龥]{0,40}") {
        for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k] {
            let [joined, left, right] =
                [format!("<a>{left}b\n<skill {right}"), format!("<a>{left}b\n"), format!("<skill {right}")]
                    .map(|text| estimate(&text, tokenizer));
            let sum = left + right;
            // An estimate is never below 0, so texts whose prices would add up to less don't count.
            prop_assume!(left > 0.0 && right > 0.0 && joined > 0.0);
            prop_assert!((joined - sum).abs() < 1e-6);
        }
    }
}
