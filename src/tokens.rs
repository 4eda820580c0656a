//! How many tokens a text costs, without a vocabulary: a linear model over the pieces that a tokenizer's first step cuts.
//!
//! Byte-pair tokenizers first cut a text by kinds of characters (a word with the space before it, three digits, a run of punctuation,
//! white space before a line break) and only then merge letters. The model reads the same pieces, their lengths, and their neighbouring
//! letters and signs. `scripts/fit-tokens.mjs` fits one set of weights for each tokenizer; `cargo bench --bench tokens` prints the errors.

mod features;
mod symbols;
mod weights;

use std::cell::Cell;

use crate::json::names;

/// Whose tokens are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tokenizer {
    /// `o200k_base`.
    #[default]
    O200k,
    /// `cl100k_base`; dearer for everything but English.
    Cl100k,
}

names!(Tokenizer { O200k: "o200k", Cl100k: "cl100k" });

/// The estimated number of tokens of `text`, with fractions. Linear in the length of the text.
///
/// The estimates of two texts add up exactly to the estimate of the joined text where the first ends with a line break and the second
/// begins with a line that isn't blank. Cut anywhere else they may differ by about two tokens at each joint.
#[must_use]
pub fn estimate(text: &str, tokenizer: Tokenizer) -> f64 {
    let (fine, pairs) = match tokenizer {
        Tokenizer::O200k => (weights::O200K, weights::O200K_PAIRS),
        Tokenizer::Cl100k => (weights::CL100K, weights::CL100K_PAIRS),
    };
    let (sum, piece) = (Cell::new(0_i64), Cell::new(0_i64));
    let mut emit = |feature: usize| {
        debug_assert!(feature < features::FEATURES);
        let weight = fine
            .get(feature)
            .map_or_else(|| i64::from(pairs[feature - features::FINE]) * 4, |&weight| i64::from(weight));
        piece.set(piece.get() + weight);
    };
    // The weights of pairs of letters know no text of one pair only: no long word is cheaper than its longest tokens.
    let mut end = |text: &str| {
        let least = if text.len() >= LONG && text.chars().any(char::is_alphabetic) {
            i64::try_from(text.len()).unwrap_or(i64::MAX >> 8) * 256 / LONGEST
        } else {
            i64::MIN
        };
        sum.set(sum.get() + piece.replace(0).max(least));
    };
    features::features(text, &mut emit, &mut end);
    sum.get().max(0) as f64 / 256.0
}

/// Bytes from which a word is long, and bytes of the longest tokens that such words are made of.
const LONG: usize = 32;
const LONGEST: i64 = 8;

/// Whole tokens of `text` times `safety`, rounded up: at least 1 unless the text is empty.
#[must_use]
pub fn count(text: &str, tokenizer: Tokenizer, safety: f64) -> u32 {
    if text.is_empty() { 0 } else { whole(estimate(text, tokenizer) * safety).max(1) }
}

/// Rounds up; what is no number or too large is the largest number.
fn whole(tokens: f64) -> u32 {
    if tokens.is_nan() { u32::MAX } else { tokens.ceil() as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Tokenizer; 2] = [Tokenizer::O200k, Tokenizer::Cl100k];

    #[test]
    fn one_letter_repeated_is_not_free() {
        for tokenizer in BOTH {
            for text in ["y".repeat(1024), "ab".repeat(512), "я".repeat(512)] {
                assert!(estimate(&text, tokenizer) >= 100.0, "{}", &text[..8]);
            }
        }
    }

    #[test]
    fn every_feature_has_a_price() {
        for (fine, pairs) in [(weights::O200K, weights::O200K_PAIRS), (weights::CL100K, weights::CL100K_PAIRS)] {
            assert_eq!((fine.len(), fine.len() + pairs.len()), (features::FINE, features::FEATURES));
        }
    }

    #[test]
    fn every_character_has_features_within_the_tables() {
        for c in '\0'..'\u{30000}' {
            let text = format!("{c}a{c}{c}1{c} {c}\n{c}");
            features::features(
                &text,
                &mut |feature| assert!(feature < features::FEATURES, "{c:?}: {feature}"),
                &mut |_| {},
            );
        }
    }

    #[test]
    fn lines_add_up() {
        let lines = ["  <skill id=\"a\" />\n", "\ttab 12\n", "日本語のテスト\n", "- x: y...\r\n", "🚀 go\n", "end"];
        for tokenizer in BOTH {
            for (left, right) in lines.iter().zip(&lines[1..]) {
                let joined = estimate(&format!("{left}{right}"), tokenizer);
                let sum = estimate(left, tokenizer) + estimate(right, tokenizer);
                assert!((joined - sum).abs() < 1e-9, "{left:?} {right:?}: {joined} {sum}");
            }
        }
    }

    #[test]
    fn counts_whole_tokens() {
        for tokenizer in BOTH {
            assert_eq!(count("", tokenizer, 1.0), 0);
            assert!((1..=2).contains(&count("a", tokenizer, 1.0)));
            let text = "Read the whole change before you name its faults.\n".repeat(20);
            assert_eq!(count(&text, tokenizer, 1.0), estimate(&text, tokenizer).ceil() as u32);
            assert!(count(&text, tokenizer, 1.2) > count(&text, tokenizer, 1.0));
            assert_eq!(count(&text, tokenizer, f64::NAN), u32::MAX);
            assert_eq!(count(&text, tokenizer, f64::INFINITY), u32::MAX);
        }
    }
}
