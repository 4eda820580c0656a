//! Measures of a ranking: hit rates, recall, reciprocal rank, discounted gain.

use std::collections::BTreeMap;

use skillpick::{Context, Index, Query, Skill, relevance};

use crate::data::Labelled;

/// Sums over queries.
#[derive(Default, Clone)]
pub struct Measures {
    pub queries: f64,
    pub hit_1: f64,
    pub hit_5: f64,
    pub hit_10: f64,
    pub recall_10: f64,
    pub reciprocal: f64,
    pub gain: f64,
}

impl Measures {
    /// Adds one ranking: the places (from 0) of the relevant ones among the first ten.
    pub fn add(&mut self, places: &[usize], relevant: usize) {
        self.queries += 1.0;
        let hit = |k| f64::from(u8::from(places.first().is_some_and(|&place| place < k)));
        self.hit_1 += hit(1);
        self.hit_5 += hit(5);
        self.hit_10 += hit(10);
        let discount = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let ideal: f64 = (0..relevant.min(10)).map(discount).sum();
        self.recall_10 += places.len() as f64 / relevant.max(1) as f64;
        self.reciprocal += places.first().map_or(0.0, |&place| 1.0 / (place as f64 + 1.0));
        self.gain += if ideal > 0.0 { places.iter().map(|&place| discount(place)).sum::<f64>() / ideal } else { 0.0 };
    }

    /// Adds the means of another run, weighted by its queries.
    pub fn join(&mut self, other: &Self) {
        let n = other.queries;
        self.queries += n;
        self.hit_1 += other.hit_1 * n;
        self.hit_5 += other.hit_5 * n;
        self.hit_10 += other.hit_10 * n;
        self.recall_10 += other.recall_10 * n;
        self.reciprocal += other.reciprocal * n;
        self.gain += other.gain * n;
    }

    /// Means.
    pub fn mean(&self) -> Self {
        let n = self.queries.max(1.0);
        Self {
            queries: self.queries,
            hit_1: self.hit_1 / n,
            hit_5: self.hit_5 / n,
            hit_10: self.hit_10 / n,
            recall_10: self.recall_10 / n,
            reciprocal: self.reciprocal / n,
            gain: self.gain / n,
        }
    }
}

/// A ranker: query text to scores by position.
pub type Ranker<'a> = dyn Fn(&str) -> Vec<f64> + 'a;

/// The context of one user message.
pub fn asked(query: &str) -> Context {
    let message = serde_json::json!({ "role": "user", "content": query });
    serde_json::from_value(serde_json::json!({ "messages": [message] })).expect("a context")
}

/// Our ranking, through the public functions.
pub fn ours<'a>(skills: &'a [Skill], index: &'a Index) -> Box<Ranker<'a>> {
    let all: Vec<u32> = (0..skills.len() as u32).collect();
    Box::new(move |text| {
        let context = asked(text);
        let query = Query::read(&context, skills, index);
        relevance(skills, index, &query, &context, &all).into_iter().map(|skill| skill.score).collect()
    })
}

/// Places of the relevant positions among the first ten; ties by position.
pub fn places(scores: &[f64], relevant: &[u32]) -> Vec<usize> {
    let mut found: Vec<usize> = relevant
        .iter()
        .filter(|&&position| scores[position as usize] > 0.0)
        .map(|&position| {
            let own = scores[position as usize];
            let before = |(i, &other): (usize, &f64)| other > own || (other >= own && i < position as usize);
            scores.iter().enumerate().filter(|&other| before(other)).count()
        })
        .filter(|&place| place < 10)
        .collect();
    found.sort_unstable();
    found
}

/// Micro measures over all queries, and macro measures over sources with eight queries or more.
pub fn measure(queries: &[Labelled], rank: &Ranker<'_>) -> (Measures, Measures) {
    let mut all = Measures::default();
    let mut by_source: BTreeMap<&str, Measures> = BTreeMap::new();
    for labelled in queries {
        let found = places(&rank(&labelled.query), &labelled.relevant);
        all.add(&found, labelled.relevant.len());
        by_source.entry(&labelled.source).or_default().add(&found, labelled.relevant.len());
    }
    let sources: Vec<_> = by_source.values().filter(|of| of.queries >= 8.0).map(Measures::mean).collect();
    let mean = |of: fn(&Measures) -> f64| sources.iter().map(of).sum::<f64>() / sources.len().max(1) as f64;
    let by_source = Measures {
        queries: sources.len() as f64,
        hit_1: mean(|m| m.hit_1),
        hit_5: mean(|m| m.hit_5),
        hit_10: mean(|m| m.hit_10),
        recall_10: mean(|m| m.recall_10),
        reciprocal: mean(|m| m.reciprocal),
        gain: mean(|m| m.gain),
    };
    (all.mean(), by_source)
}
