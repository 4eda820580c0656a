//! Why a skill has its place: the terms that count most, as the user wrote them, and where the skill has them.

use crate::index::{Index, saturate};
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

/// Evidence of the skills at `positions` (ascending), the weightiest first.
#[must_use]
pub fn explain(index: &Index, query: &Query, positions: &[u32]) -> Vec<Vec<Evidence>> {
    let mut reasons: Vec<Vec<(f32, usize, Field)>> = vec![Vec::new(); positions.len()];
    for (number, term) in query.terms.iter().enumerate() {
        // The form as written says nothing that its stem has not said.
        if term.role == QueryRole::Exact {
            continue;
        }
        let mut next = 0;
        index.postings.each(term.found, |skill, shape| {
            while positions.get(next).is_some_and(|&position| position < skill) {
                next += 1;
            }
            if positions.get(next) == Some(&skill)
                && let Some((frequency, field)) = index.strongest_field(skill, shape)
            {
                reasons[next].push((term.weight as f32 * saturate(frequency), number, field));
            }
        });
    }
    reasons.into_iter().map(|reasons| strongest(query, reasons)).collect()
}

fn strongest(query: &Query, mut reasons: Vec<(f32, usize, Field)>) -> Vec<Evidence> {
    reasons.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let reason = |(weight, number, field): (f32, usize, Field)| Evidence {
        field: field.name().into(),
        term: query.terms[number].word.to_string(),
        weight: (f64::from(weight) / query.ideal * 1e4).round() / 1e4,
    };
    reasons.into_iter().take(REASONS).map(reason).collect()
}

impl Index {
    /// Term frequency of a posting, and the field that gives most of it.
    fn strongest_field(&self, skill: u32, shape: u32) -> Option<(f32, Field)> {
        let norm = self.norm(skill)?;
        let frequency = self.frequency(skill, shape)?;
        let counts = self.shapes.get(shape as usize * 2 * FIELDS..)?;
        let counted = |field: Field| {
            let at = 2 * field as usize;
            field.frequency(counts[at], counts[at + 1]) * norm[field.group()]
        };
        let field = Field::ALL.into_iter().rev().max_by(|&a, &b| counted(a).total_cmp(&counted(b)))?;
        Some((frequency, field))
    }
}
