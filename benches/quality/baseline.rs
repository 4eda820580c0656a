//! Plain BM25 over one field: what a host would write in an afternoon. Lower-case words, English stems, k1 1.2, b 0.75.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};
use skillpick::Skill;

pub struct Bm25 {
    postings: HashMap<String, Vec<(u32, f64)>>,
    lengths: Vec<f64>,
}

fn words(text: &str) -> Vec<String> {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut words = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        if lower.chars().any(|c| u32::from(c) > 0x2fff) {
            let chars: Vec<char> = lower.chars().collect();
            words.extend(chars.windows(2.min(chars.len())).map(|pair| pair.iter().collect::<String>()));
        } else {
            words.push(stemmer.stem(&lower).into_owned());
        }
    }
    words
}

impl Bm25 {
    pub fn build(skills: &[Skill]) -> Self {
        let mut postings: HashMap<String, Vec<(u32, f64)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (position, skill) in skills.iter().enumerate() {
            let body: String = skill.instructions.as_deref().unwrap_or_default().chars().take(20_000).collect();
            let all = words(&format!("{} {} {body}", skill.name, skill.description));
            lengths.push(all.len() as f64);
            let mut counts: HashMap<String, f64> = HashMap::new();
            for word in all {
                *counts.entry(word).or_default() += 1.0;
            }
            for (word, count) in counts {
                postings.entry(word).or_default().push((position as u32, count));
            }
        }
        Self { postings, lengths }
    }

    pub fn scores(&self, query: &str) -> Vec<f64> {
        let n = self.lengths.len() as f64;
        let average = self.lengths.iter().sum::<f64>() / n.max(1.0);
        let mut scores = vec![0.0; self.lengths.len()];
        for word in words(query) {
            let Some(postings) = self.postings.get(&word) else { continue };
            let having = postings.len() as f64;
            let rarity = (1.0 + (n - having + 0.5) / (having + 0.5)).ln();
            for &(position, count) in postings {
                let norm = 1.2 * (0.25 + 0.75 * self.lengths[position as usize] / average);
                scores[position as usize] += rarity * count * 2.2 / (count + norm);
            }
        }
        scores
    }
}
