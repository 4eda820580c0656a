//! Placeholder of an interim commit: whoever lands the real stage takes their own file over this one.
#![allow(missing_docs, clippy::all, clippy::pedantic)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tokenizer {
    #[default]
    O200k,
    Cl100k,
}
pub fn count(text: &str, _t: Tokenizer, safety: f64) -> u32 {
    (text.len() as f64 / 4.0 * safety).ceil() as u32
}
