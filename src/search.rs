//! Looking skills up by words: for catalogs too large to list. The same ranking as a pick, without budget and priors' company.

use crate::catalog::Catalog;
use crate::context::Context;
use crate::eligible::Policy;
use crate::explain::Evidence;
use crate::json::record;
use crate::options::{Actor, UserConfig};
use crate::query::Query;
use crate::score::score;

/// Hits without a limit of the caller's.
pub const DEFAULT_HITS: usize = 10;
/// Hits at most.
pub const MAX_HITS: usize = 100;

/// One skill that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchHit {
    /// The skill.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    /// Its relevance, 0 to 1.
    pub score: f64,
    /// Why, the weightiest first.
    pub evidence: Vec<Evidence>,
}

record!(write SearchHit { id: "id", name: "name", description: "description", score: "score", evidence: "evidence" });

/// What a hit by a part of its name scores.
const BY_NAME: f64 = 0.01;

impl Catalog {
    /// The skills that the model may see and that have the words of `query`, the most relevant first, ties by id. A query that
    /// is a name or id finds that skill first; letters inside names are found after all words.
    #[must_use]
    pub fn search(&self, query: &str, limit: usize, user: Option<&UserConfig>) -> Vec<SearchHit> {
        let policy = Policy::of(Actor::Model, user, &[], &[], None);
        let places = (0_u32..).zip(&self.skills);
        let eligible: Vec<u32> =
            places.filter(|(_, skill)| policy.refusal(skill).is_none()).map(|(at, _)| at).collect();
        let context = Context { query: Some(query.to_owned()), ..Context::default() };
        let read = Query::read(&context, &self.skills, &self.index);
        let relevance = score(&self.skills, &self.index, &read, &context, &eligible);
        let wanted = query.trim().to_lowercase();
        let mut hits: Vec<SearchHit> = Vec::new();
        for (&at, relevance) in eligible.iter().zip(relevance) {
            let skill = &self.skills[at as usize];
            let (name, id) = (skill.name.to_lowercase(), skill.id.to_lowercase());
            let part = |text: &str| !wanted.is_empty() && text.contains(&wanted);
            let mut hit = SearchHit {
                id: skill.id.to_string(),
                name: skill.name.to_string(),
                description: skill.description.to_string(),
                score: relevance.score,
                evidence: relevance.evidence,
            };
            if name == wanted || id == wanted {
                hit.score = 1.0;
            } else if relevance.strength <= 0.0 && !relevance.mentioned {
                if !part(&name) && !part(&id) {
                    continue;
                }
                hit.score = BY_NAME;
                hit.evidence = vec![Evidence { field: "name".into(), term: wanted.clone(), weight: BY_NAME }];
            }
            hits.push(hit);
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
        hits.truncate(limit.min(MAX_HITS));
        hits
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::{Catalog, CatalogOptions};

    #[test]
    fn names_come_first_words_next_letters_last() {
        let json = br#"[
            {"name": "tides", "description": "Tide times."},
            {"name": "harbour", "description": "Tides at the quay, tides on the chart."},
            {"name": "riptidesurf", "description": "Waves."},
            {"name": "secret-tides", "description": "Tides.", "model_invocable": false},
            {"name": "bread", "description": "Bakes."}
        ]"#;
        let catalog = Catalog::from_slice(json, CatalogOptions::default()).unwrap();
        let found = catalog.search("tides", 10, None);
        let ids: Vec<&str> = found.iter().map(|hit| hit.id.as_str()).collect();
        assert_eq!(ids, ["tides", "harbour", "riptidesurf"]);
        assert!(found.iter().all(|hit| !hit.evidence.is_empty()));
        assert_eq!(catalog.search("tides", 1, None).len(), 1);
        assert!(catalog.search("", 10, None).is_empty());
    }
}
