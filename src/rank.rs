//! One order for everything that follows: claims, then relevance, then the documented ties.

use std::collections::HashSet;

use crate::context::Context;
use crate::options::Options;
use crate::score::{Relevance, Scores};
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
    /// Place in the order.
    pub(crate) place: usize,
    pub(crate) claim: Claim,
    pub(crate) active: bool,
    pub(crate) relevance: Relevance,
}

/// The order of the eligible, of which only as much is sorted as somebody asks for.
pub(crate) struct Ranking {
    /// Claim, score rounded to a millionth, place among equals; and the place among the eligible.
    keys: Vec<(u64, u32)>,
    /// How many of the first are sorted.
    sorted: usize,
}

/// Who of the catalog has which claim, beside those that the user names.
pub(crate) struct Claims {
    required: HashSet<String>,
    pinned: HashSet<String>,
    active: HashSet<String>,
}

impl Claims {
    pub(crate) fn new(context: &Context, options: &Options) -> Self {
        let set = |ids: &[String]| -> HashSet<String> { ids.iter().map(|id| text::nfc(id).into_owned()).collect() };
        let mut pinned = set(&options.pinned);
        pinned.extend(options.user.as_ref().and_then(|user| user.active.clone()));
        Self { required: set(&options.required), pinned, active: set(&context.active) }
    }

    fn none(&self) -> bool {
        self.required.is_empty() && self.pinned.is_empty() && self.active.is_empty()
    }

    fn of(&self, id: &str) -> Claim {
        if self.required.contains(id) {
            Claim::Required
        } else if self.pinned.contains(id) {
            Claim::Pinned
        } else if self.active.contains(id) {
            Claim::Active
        } else {
            Claim::Value
        }
    }
}

/// All of an order's parts.
#[derive(Clone, Copy)]
pub(crate) struct Candidates<'a> {
    pub(crate) skills: &'a [Skill],
    pub(crate) ties: &'a [u32],
    pub(crate) eligible: &'a [u32],
    pub(crate) claims: &'a Claims,
    pub(crate) scores: &'a Scores,
}

impl Candidates<'_> {
    fn claim(&self, place: u32) -> Claim {
        let at = self.eligible[place as usize] as usize;
        let claim = if self.claims.none() { Claim::Value } else { self.claims.of(&self.skills[at].id) };
        if self.scores.is_mentioned(place) { claim.min(Claim::Pinned) } else { claim }
    }
}

impl Ranking {
    pub(crate) fn new(of: Candidates) -> Self {
        let key = |(place, &score): (u32, &f64)| {
            let claim = of.claim(place) as u64;
            let score = 1_000_000 - (score.clamp(0.0, 1.0) * 1e6 + 0.5) as u64;
            let tie = of.ties[of.eligible[place as usize] as usize];
            (claim << 56 | score << 32 | u64::from(tie), place)
        };
        Self { keys: (0..).zip(&of.scores.score).map(key).collect(), sorted: 0 }
    }

    /// The best `most`, best first.
    pub(crate) fn first(&mut self, most: usize, of: Candidates) -> Vec<Ranked> {
        let most = most.min(self.keys.len());
        if most > self.sorted {
            if most < self.keys.len() {
                self.keys[self.sorted..].select_nth_unstable(most - self.sorted);
            }
            self.keys[self.sorted..most].sort_unstable();
            self.sorted = most;
        }
        (0..most).map(|place| self.ranked(place, of)).collect()
    }

    /// Those of `wanted` (places in the catalog) that are not among the first `most`, best first.
    pub(crate) fn beyond(&mut self, most: usize, wanted: &HashSet<u32>, of: Candidates) -> Vec<Ranked> {
        let is_wanted = |&(_, place): &(u64, u32)| wanted.contains(&of.eligible[place as usize]);
        if wanted.is_empty() || !self.keys[most..].iter().any(is_wanted) {
            return Vec::new();
        }
        self.keys[most..].sort_unstable();
        self.sorted = self.keys.len();
        (most..self.keys.len())
            .filter(|&place| is_wanted(&self.keys[place]))
            .map(|place| self.ranked(place, of))
            .collect()
    }

    fn ranked(&self, place: usize, of: Candidates) -> Ranked {
        let one = self.keys[place].1;
        let at = of.eligible[one as usize];
        let active = !of.claims.active.is_empty() && of.claims.active.contains(&*of.skills[at as usize].id);
        Ranked { at, place, claim: of.claim(one), active, relevance: of.scores.relevance(one) }
    }
}

/// A score to a millionth, so that the last bits of a sum decide nothing.
pub(crate) fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}
