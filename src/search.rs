//! Looking skills up by words: for catalogs too large to list. The same ranking as a pick, without budget and priors' company.

use crate::catalog::Catalog;
use crate::context::Context;
use crate::eligible::Policy;
use crate::explain::Evidence;
use crate::json::record;
use crate::mention;
use crate::options::{Actor, UserConfig};
use crate::query::Query;
use crate::score::Scores;
use crate::skill::Skill;
use crate::top::{Key, descending, least};

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
        let (eligible, _) = self.divide(&Policy::of(Actor::Model, user, &[], &[], None));
        let context = Context { query: Some(query.to_owned()), ..Context::default() };
        let read = Query::read(&context, &self.skills, &self.index);
        let scores = Scores::new(&self.skills, &self.index, &read, &context, &eligible);
        let scores = scores.explained(&self.skills, &self.index, &read, &context, &eligible);
        let wanted = query.trim().to_lowercase();
        let exactly = mention::known(&wanted, &self.skills, &self.index.names);
        let by_words = |place: u32| scores.strength[place as usize] > 0.0 || scores.is_mentioned(place);
        let found = (0_u32..).zip(&*eligible).filter_map(|(place, at)| {
            let score = if exactly.contains(at) { 1.0 } else { scores.score[place as usize] };
            (by_words(place) || exactly.contains(at)).then_some((descending(score), place))
        });
        let limit = limit.min(MAX_HITS);
        // Places are in the order of ids.
        let mut found = least(found, limit);
        let last = descending(BY_NAME);
        if found.len() < limit || found.iter().any(|&(key, _)| key >= last) {
            let others = (0_u32..).zip(&*eligible).filter(|&(place, at)| {
                !by_words(place) && !exactly.contains(at) && is_in_name(&self.skills[*at as usize], &wanted)
            });
            found = least(found.into_iter().chain(others.map(|(place, _)| (last, place))), limit);
        }
        found.sort_unstable();
        let hit = |(key, place): Key| {
            let skill = &self.skills[eligible[place as usize] as usize];
            let mut evidence = scores.relevance(place).evidence;
            if key == last && !by_words(place) {
                evidence = vec![Evidence { field: "name".into(), term: wanted.clone(), weight: BY_NAME }];
            }
            SearchHit {
                id: skill.id.to_string(),
                name: skill.name.to_string(),
                description: skill.description.to_string(),
                score: f64::from_bits(!key),
                evidence,
            }
        };
        found.into_iter().map(hit).collect()
    }
}

/// Whether the skill's name or id contains what is searched for, in lower case.
fn is_in_name(skill: &Skill, wanted: &str) -> bool {
    let contains = |text: &str| {
        if text.is_ascii() {
            let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
            text.windows(wanted.len()).any(|window| window.eq_ignore_ascii_case(wanted))
        } else {
            text.to_lowercase().contains(wanted)
        }
    };
    !wanted.is_empty() && (contains(&skill.name) || skill.name != skill.id && contains(&skill.id))
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
