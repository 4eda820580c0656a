//! Looking skills up by words: for catalogs too large to list. The same ranking as a pick, without budget and priors' company.

use crate::catalog::Catalog;
use crate::context::Context;
use crate::eligible::Policy;
use crate::explain::Evidence;
use crate::json::record;
use crate::options::{Actor, UserConfig};
use crate::query::Query;
use crate::score::Scores;
use crate::skill::Skill;

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
        let scores = Scores::new(&self.skills, &self.index, &read, &context, &eligible);
        let scores = scores.explained(&self.skills, &self.index, &read, &context, &eligible);
        let wanted = query.trim().to_lowercase();
        let mut found: Vec<(f64, u32)> = Vec::new();
        for (place, &at) in (0_u32..).zip(&eligible) {
            let skill = &self.skills[at as usize];
            let by_words = scores.strength[place as usize] > 0.0 || scores.is_mentioned(place);
            match named(skill, &wanted) {
                Named::Exactly => found.push((1.0, place)),
                _ if by_words => found.push((scores.score[place as usize], place)),
                Named::InPart => found.push((BY_NAME, place)),
                Named::Not => {}
            }
        }
        let limit = limit.min(MAX_HITS).min(found.len());
        // Places are in the order of ids.
        let order = |a: &(f64, u32), b: &(f64, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        if limit < found.len() {
            found.select_nth_unstable_by(limit, order);
            found.truncate(limit);
        }
        found.sort_unstable_by(order);
        let hit = |(score, place): (f64, u32)| {
            let skill = &self.skills[eligible[place as usize] as usize];
            let mut evidence = scores.relevance(place).evidence;
            if scores.strength[place as usize] <= 0.0 && !scores.is_mentioned(place) && score < 1.0 {
                evidence = vec![Evidence { field: "name".into(), term: wanted.clone(), weight: BY_NAME }];
            }
            SearchHit {
                id: skill.id.to_string(),
                name: skill.name.to_string(),
                description: skill.description.to_string(),
                score,
                evidence,
            }
        };
        found.into_iter().map(hit).collect()
    }
}

/// How a skill's name or id has what is searched for.
enum Named {
    Exactly,
    InPart,
    Not,
}

fn named(skill: &Skill, wanted: &str) -> Named {
    let has = |text: &str| {
        if !text.is_ascii() {
            let lower = text.to_lowercase();
            return (lower == wanted, lower.contains(wanted));
        }
        let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
        let part = text.windows(wanted.len().max(1)).any(|window| window.eq_ignore_ascii_case(wanted));
        (text.eq_ignore_ascii_case(wanted), part)
    };
    let ((name, in_name), (id, in_id)) = (has(&skill.name), has(&skill.id));
    match (name || id, !wanted.is_empty() && (in_name || in_id)) {
        (true, _) => Named::Exactly,
        (false, true) => Named::InPart,
        (false, false) => Named::Not,
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
