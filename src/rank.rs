//! One order for everything that follows: claims, then relevance, then the documented ties.

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::context::Context;
use crate::options::Options;
use crate::score::Relevance;
use crate::skill::Skill;
use crate::text;

/// Who is served first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Claim {
    Required,
    Pinned,
    Active,
    Value,
}

/// One eligible skill with all that later stages ask about it.
#[derive(Debug, Clone)]
pub(crate) struct Ranked {
    /// Place in the catalog.
    pub(crate) at: u32,
    pub(crate) claim: Claim,
    pub(crate) active: bool,
    pub(crate) relevance: Relevance,
}

/// `eligible` and `relevance` run in parallel.
pub(crate) fn rank(
    skills: &[Skill],
    eligible: &[u32],
    relevance: Vec<Relevance>,
    context: &Context,
    options: &Options,
) -> Vec<Ranked> {
    let set = |ids: &[String]| -> HashSet<String> { ids.iter().map(|id| text::nfc(id).into_owned()).collect() };
    let required = set(&options.required);
    let pinned = set(&options.pinned);
    let active = set(&context.active);
    let chosen = options.user.as_ref().and_then(|user| user.active.as_deref());
    let mut ranked: Vec<Ranked> = eligible
        .iter()
        .zip(relevance)
        .map(|(&at, relevance)| {
            let id = &*skills[at as usize].id;
            let active = active.contains(id);
            let claim = if required.contains(id) {
                Claim::Required
            } else if relevance.mentioned || pinned.contains(id) || chosen == Some(id) {
                Claim::Pinned
            } else if active {
                Claim::Active
            } else {
                Claim::Value
            };
            Ranked { at, claim, active, relevance }
        })
        .collect();
    ranked.sort_by(|a, b| precedence(skills, a, b));
    ranked
}

/// Claim, score rounded to a millionth, priority, scope, id.
fn precedence(skills: &[Skill], a: &Ranked, b: &Ranked) -> Ordering {
    let (left, right) = (&skills[a.at as usize], &skills[b.at as usize]);
    (a.claim.cmp(&b.claim))
        .then_with(|| rounded(b.relevance.score).total_cmp(&rounded(a.relevance.score)))
        .then_with(|| right.priority.total_cmp(&left.priority))
        .then(left.scope_rank.cmp(&right.scope_rank))
        .then(a.at.cmp(&b.at))
}

/// A score to a millionth, so that the last bits of a sum decide nothing.
pub(crate) fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}
