//! One order for everything that follows: claims, then relevance, then the documented ties.

use std::collections::HashSet;

use crate::context::Context;
use crate::options::Options;
use crate::score::{Relevance, Scores};
use crate::skill::Skill;
use crate::text;
use crate::top::{Key, least};

/// Who is served first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Claim {
    Required,
    Pinned,
    Active,
    Value,
}

/// In their order.
const CLAIMS: [Claim; 4] = [Claim::Required, Claim::Pinned, Claim::Active, Claim::Value];

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

/// The order of the eligible, worked out as far as somebody asks for.
#[derive(Default)]
pub(crate) struct Ranking {
    /// Claim, score rounded to a millionth, place among equals, and the place among the eligible of the best, best first.
    head: Vec<Key>,
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
    fn keys(&self) -> impl Iterator<Item = Key> {
        let &Self { skills, ties, eligible, claims, scores } = self;
        let unclaimed = claims.none();
        let mut mentioned = scores.mentioned.iter().peekable();
        (0_u32..).zip(&scores.score).zip(eligible).map(move |((place, &score), &at)| {
            let at = at as usize;
            let claim = if unclaimed { Claim::Value } else { claims.of(&skills[at].id) };
            let named = mentioned.next_if_eq(&&place).is_some();
            let claim = if named { claim.min(Claim::Pinned) } else { claim };
            let millionths = (score.clamp(0.0, 1.0) * 1e6 + 0.5) as i32;
            let score = (1_000_000 - millionths) as u64;
            ((claim as u64) << 56 | score << 32 | u64::from(ties[at]), place)
        })
    }
}

impl Ranking {
    /// The best `most`, best first.
    pub(crate) fn first(&mut self, most: usize, of: Candidates) -> Vec<Ranked> {
        let most = most.min(of.eligible.len());
        if most > self.head.len() {
            self.head = least(of.keys(), most);
            self.head.sort_unstable();
        }
        (0..most).map(|place| self.ranked(place, of)).collect()
    }

    /// Those of `wanted` (places in the catalog) that are not among the first `most`, best first.
    pub(crate) fn beyond(&mut self, most: usize, wanted: &HashSet<u32>, of: Candidates) -> Vec<Ranked> {
        let is_wanted = |&(_, place): &Key| wanted.contains(&of.eligible[place as usize]);
        let there = wanted.iter().filter(|at| of.eligible.binary_search(at).is_ok()).count();
        if there == self.head.iter().take(most).filter(|key| is_wanted(key)).count() {
            return Vec::new();
        }
        self.first(usize::MAX, of);
        let places = (most..self.head.len()).filter(|&place| is_wanted(&self.head[place]));
        places.map(|place| self.ranked(place, of)).collect()
    }

    fn ranked(&self, place: usize, of: Candidates) -> Ranked {
        let (key, one) = self.head[place];
        let at = of.eligible[one as usize];
        let active = !of.claims.active.is_empty() && of.claims.active.contains(&*of.skills[at as usize].id);
        Ranked { at, place, claim: CLAIMS[(key >> 56) as usize], active, relevance: of.scores.relevance(one) }
    }
}

/// A score to a millionth, so that the last bits of a sum decide nothing.
pub(crate) fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}
