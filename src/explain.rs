//! Why a skill has its place: the terms that count most, as the user wrote them, and where the skill has them.

use crate::index::{Index, MOST_WORTH};
use crate::json::record;
use crate::passages::{FIELDS, Field};
use crate::query::{Query, QueryRole};

/// One reason for a skill's place.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// Where the skill has it: `name`, `description`, `triggers`, …
    pub field: String,
    /// As the user wrote it.
    pub term: String,
    /// Share of the skill's score.
    pub weight: f64,
}

record!(write Evidence { field: "field", term: "term", weight: "weight" });

/// Reasons given for one skill.
const REASONS: usize = 8;

/// One term that a skill has: its share of the score, its number in the query, its shape.
type Reason = (f32, usize, u32);

/// Evidence of the skills at `positions` (ascending), the weightiest first.
#[must_use]
pub fn explain(index: &Index, query: &Query, positions: &[u32]) -> Vec<Vec<Evidence>> {
    let mut reasons: Vec<Vec<Reason>> = vec![Vec::new(); positions.len()];
    // The form as written says nothing that its stem has not said.
    let terms = query.terms.iter().enumerate().filter(|(_, term)| term.role != QueryRole::Exact);
    let mut terms: Vec<_> = terms.collect();
    terms.sort_by(|(_, a), (_, b)| b.weight.total_cmp(&a.weight));
    for (number, term) in terms {
        let weight = term.weight as f32;
        // The many skills that have a common term are not gone through where it can be no one's reason.
        let decided = |of: &Vec<Reason>| of.get(REASONS - 1).is_some_and(|last| last.0 > weight * MOST_WORTH);
        if reasons.iter().all(decided) {
            break;
        }
        let mut place = 0;
        let mut wanted = positions.first().copied().unwrap_or(u32::MAX);
        for (skill, shape) in index.postings.of(term.found) {
            // Of most skills that have the term nobody asks.
            if skill < wanted {
                continue;
            }
            while positions.get(place).is_some_and(|&position| position < skill) {
                place += 1;
            }
            let Some(&next) = positions.get(place) else { break };
            wanted = next;
            if skill != wanted {
                continue;
            }
            let (Some(worth), Some(of)) = (index.worth(skill, shape), reasons.get_mut(place)) else { continue };
            let reason = (weight * worth, number, shape);
            let at = of.partition_point(|other| order(other, &reason).is_lt());
            of.insert(at, reason);
            of.truncate(REASONS);
        }
    }
    let evidence = |(&position, reasons): (&u32, Vec<Reason>)| {
        let one = |(weight, number, shape): Reason| Evidence {
            field: index.strongest_field(position, shape).map_or("", Field::name).into(),
            term: query.terms[number].word.to_string(),
            weight: (f64::from(weight) / query.ideal * 1e4).round() / 1e4,
        };
        reasons.into_iter().map(one).collect()
    };
    positions.iter().zip(reasons).map(evidence).collect()
}

/// The weightiest first, then as the terms stand in the query.
fn order(a: &Reason, b: &Reason) -> std::cmp::Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

impl Index {
    /// The field that gives most of a posting's term frequency.
    fn strongest_field(&self, skill: u32, shape: u32) -> Option<Field> {
        let norm = self.norm(skill)?;
        let counts = self.shapes.get(shape as usize * 2 * FIELDS..)?;
        let counted = |field: Field| {
            let at = 2 * field as usize;
            field.frequency(counts[at], counts[at + 1]) * norm[field.group()]
        };
        Field::ALL.into_iter().rev().max_by(|&a, &b| counted(a).total_cmp(&counted(b)))
    }
}
