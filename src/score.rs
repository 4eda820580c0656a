//! How relevant each eligible skill is, 0 to 1, and why.

use crate::confidence;
use crate::context::Context;
use crate::explain::{Evidence, explain};
use crate::index::{GROUPS, Index, saturate};
use crate::passages::{FIELDS, Field};
use crate::query::{Query, QueryRole};
use crate::skill::Skill;

/// How relevant one skill is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Relevance {
    /// Probability that the conversation calls for the skill, with the prior: 0 to 1. The higher comes first.
    pub score: f64,
    /// The score before calibration, comparable between queries: about 0 to 1.3.
    pub strength: f64,
    /// Reasons, the weightiest first; filled for the best [`EXPLAINED`] skills.
    pub evidence: Vec<Evidence>,
    /// Named by the user.
    pub mentioned: bool,
}

/// Number of best skills whose evidence is filled in.
pub const EXPLAINED: usize = 64;

/// What full coverage of a skill's name adds to its score.
const NAME_COVERAGE: f64 = 0.1;

/// Relevance of every skill of `eligible` (ascending positions), in its order.
#[must_use]
pub fn score(_skills: &[Skill], index: &Index, query: &Query, _context: &Context, eligible: &[u32]) -> Vec<Relevance> {
    let strengths = strengths(index, query);
    let at = |position: u32| strengths.get(position as usize).copied().unwrap_or_default();
    let found: Vec<f64> = eligible.iter().map(|&position| at(position)).collect();
    let probabilities = confidence::calibrate(&found, query.ideal, index.has_bodies());
    let pairs = found.iter().zip(probabilities);
    let mut relevance: Vec<_> =
        pairs.map(|(&strength, score)| Relevance { score, strength, ..Relevance::default() }).collect();
    fill_evidence(index, query, eligible, &mut relevance);
    relevance
}

/// Gives the best [`EXPLAINED`] skills their evidence.
fn fill_evidence(index: &Index, query: &Query, eligible: &[u32], relevance: &mut [Relevance]) {
    let mut best: Vec<usize> = (0..relevance.len()).filter(|&i| relevance[i].strength > 0.0).collect();
    let order = |&a: &usize, &b: &usize| relevance[b].score.total_cmp(&relevance[a].score).then(a.cmp(&b));
    if best.len() > EXPLAINED {
        best.select_nth_unstable_by(EXPLAINED, order);
        best.truncate(EXPLAINED);
    }
    best.sort_unstable();
    let positions: Vec<u32> = best.iter().map(|&i| eligible[i]).collect();
    for (place, evidence) in best.into_iter().zip(explain(index, query, &positions)) {
        relevance[place].evidence = evidence;
    }
}

/// Whether some skill has evidence worth acting on.
#[must_use]
pub fn confident(relevance: &[Relevance]) -> bool {
    relevance.iter().any(|skill| skill.mentioned || skill.score >= confidence::CONFIDENT)
}

/// The lexical score of every entry of the catalog.
pub(crate) fn strengths(index: &Index, query: &Query) -> Vec<f64> {
    let entries = index.entries as usize;
    let mut sums = vec![0.0_f32; entries];
    let mut names = vec![0.0_f32; entries];
    for term in &query.terms {
        let Some(found) = index.postings.find(term.hash) else { continue };
        let (weight, rarity) = (term.weight as f32, term.rarity as f32);
        let is_term = term.role == QueryRole::Term;
        found.each(|skill, shape| {
            let skill = skill as usize;
            let (Some(of), Some(norm)) = (index.frequencies.get(shape as usize), index.norms.get(skill)) else {
                return;
            };
            let frequency: f32 = (0..GROUPS).map(|group| of[group] * norm[group]).sum();
            sums[skill] += weight * saturate(frequency);
            if is_term && of[0] > 0.0 && index.in_name(shape) {
                names[skill] += rarity;
            }
        });
    }
    let finish = |skill: usize| {
        let covered = f64::from(names[skill]) / (f64::from(index.name_weights[skill]) + 1e-9);
        f64::from(sums[skill]) / query.ideal * (1.0 + NAME_COVERAGE * covered)
    };
    (0..entries).map(finish).collect()
}

impl Index {
    /// Whether the shape has the term itself, not only a part, in the name.
    fn in_name(&self, shape: u32) -> bool {
        self.shapes.get(shape as usize * 2 * FIELDS + 2 * Field::Name as usize).is_some_and(|&main| main > 0)
    }
}
