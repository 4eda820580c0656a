//! A choice that stays as it was from turn to turn, as long as nothing clearly better has come up.
//!
//! What was shown stays, in its order. A newcomer is a skill that a fresh choice shows with more, and that the conversation
//! calls for with a probability of [`SURE`] or more. It comes in where there is room, or where what it adds is worth
//! [`MARGIN`] times what must go for it; it is appended. Whatever goes is what is worth least for its tokens.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

use crate::cost::PART;
use crate::error::Error;
use crate::levels::{Item, Level, Scene};
use crate::pick::PickState;
use crate::rank::{Claim, Ranked};
use crate::settle::Settled;

/// How many times the value of what goes a newcomer must be worth.
const MARGIN: f64 = 1.5;
/// Relevance that a newcomer without a claim must have.
const SURE: f64 = 0.47;
/// Newcomers that are looked at in one turn.
const NEWCOMERS: usize = 16;

/// The choice that is being mended: a level for each item, and the room that is left, in parts of a token.
struct Choice<'a> {
    items: &'a [Item],
    ranked: &'a [Ranked],
    levels: Vec<Option<usize>>,
    room: i64,
}

impl Scene<'_> {
    /// The block that stays closest to the previous one. `ranked` and `items` are put into the order of the block.
    ///
    /// # Errors
    /// What the counter gives.
    pub(crate) fn keep(
        &self,
        ranked: &mut Vec<Ranked>,
        items: &mut Vec<Item>,
        fresh: Settled,
        previous: &PickState,
    ) -> Result<Settled, Error> {
        let kept = self.kept(ranked, items, previous);
        if kept.is_empty() {
            return Ok(fresh);
        }
        let mut levels = vec![None; items.len()];
        for (at, level) in &kept {
            levels[*at] = Some(*level);
        }
        let wanted = wanted(items, &fresh);
        let before = levels.clone();
        let base = self.block(ranked, items, &levels)?;
        let room =
            self.budget.map_or(i64::MAX / 2, |budget| (i64::from(budget) - i64::from(base.tokens)) * i64::from(PART));
        let mut choice = Choice { items, ranked, levels, room };
        choice.shed(usize::MAX, -choice.room);
        for (at, level) in choice.newcomers(&wanted) {
            choice.admit(at, level);
        }
        let levels = choice.levels;
        let order = order(ranked.len(), &kept, &before, &levels);
        *ranked = order.iter().map(|at| ranked[*at].clone()).collect();
        let sorted: Vec<Item> = order.iter().map(|at| items[*at].clone()).collect();
        let back: HashMap<usize, usize> = order.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        *items = sorted;
        let levels = order.iter().map(|at| levels[*at]).collect();
        let fresh = Settled { shown: fresh.shown.iter().map(|(at, level)| (back[at], *level)).collect(), ..fresh };
        self.within(ranked, items, levels, fresh)
    }

    /// What was shown before and may be shown now, in its order, at the level that is nearest below.
    fn kept(&self, ranked: &[Ranked], items: &mut [Item], previous: &PickState) -> Vec<(usize, usize)> {
        let places: HashMap<&str, usize> =
            ranked.iter().enumerate().map(|(at, one)| (&*self.skill(one).id, at)).collect();
        let mut kept = Vec::new();
        let mut seen = vec![false; items.len()];
        for shown in &previous.shown {
            let Some(&at) = places.get(shown.id.as_str()) else { continue };
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            // Where the budget can't reach, prices stop at names; what was shown is priced all the same.
            if items[at].levels.last().is_none_or(|level| level.detail < shown.detail) {
                items[at] = self.item(&ranked[at], ranked[at].place, shown.detail);
            }
            let level = items[at].levels.iter().rposition(|level| level.detail <= shown.detail);
            kept.extend(level.map(|level| (at, level)));
        }
        kept
    }

    /// The block of these levels, less what it is over the budget; the fresh one where that fails.
    fn within(
        &self,
        ranked: &[Ranked],
        items: &[Item],
        levels: Vec<Option<usize>>,
        fresh: Settled,
    ) -> Result<Settled, Error> {
        let mut choice = Choice { items, ranked, levels, room: 0 };
        for _ in 0..8 {
            let block = self.block(ranked, items, &choice.levels)?;
            let over = self.budget.map_or(0, |budget| i64::from(block.tokens) - i64::from(budget));
            if over <= 0 {
                let value = |shown: &[(usize, Level)]| shown.iter().map(|(_, level)| level.value).sum::<f64>();
                let (stays, best) = (value(&block.shown), value(&fresh.shown));
                let gap = if best > 0.0 { 1.0 - (1.0 - fresh.gap) * (stays / best).min(1.0) } else { fresh.gap };
                return Ok(Settled { gap: gap.clamp(0.0, 1.0), ..block });
            }
            choice.shed(usize::MAX, over * i64::from(PART));
        }
        Ok(fresh)
    }
}

/// The levels of a fresh choice, by place.
fn wanted(items: &[Item], fresh: &Settled) -> Vec<(usize, usize)> {
    let place = |(at, level): &(usize, Level)| {
        Some((*at, items[*at].levels.iter().position(|other| other.detail == level.detail)?))
    };
    fresh.shown.iter().filter_map(place).collect()
}

/// What stays where it was, then what is new or more than a name now, then all others by rank.
fn order(length: usize, kept: &[(usize, usize)], before: &[Option<usize>], after: &[Option<usize>]) -> Vec<usize> {
    let stays =
        |at: usize| before[at].is_some() && after[at].is_some() && !(before[at] == Some(0) && after[at] > Some(0));
    let mut order: Vec<usize> = kept.iter().map(|(at, _)| *at).filter(|at| stays(*at)).collect();
    order.extend((0..length).filter(|at| !stays(*at)));
    order
}

impl Choice<'_> {
    fn cost(&self, at: usize) -> i64 {
        self.levels[at].map_or(0, |level| i64::from(self.items[at].levels[level].cost))
    }

    fn value(&self, at: usize) -> f64 {
        self.levels[at].map_or(0.0, |level| self.items[at].levels[level].value)
    }

    fn set(&mut self, at: usize, level: Option<usize>) {
        self.room += self.cost(at);
        self.levels[at] = level;
        self.room -= self.cost(at);
    }

    /// Those that a fresh choice shows with more, claims first, then by what they add.
    fn newcomers(&self, wanted: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let gain = |at: usize, level: usize| self.items[at].levels[level].value - self.value(at);
        let claims = |at: usize| self.ranked[at].claim < Claim::Value;
        let mut found: Vec<(usize, usize)> = wanted.to_vec();
        found.retain(|(at, level)| {
            self.levels[*at].is_none_or(|now| now < *level) && (claims(*at) || self.ranked[*at].relevance.score >= SURE)
        });
        found.sort_by(|a, b| {
            (self.ranked[a.0].claim.cmp(&self.ranked[b.0].claim))
                .then_with(|| gain(b.0, b.1).total_cmp(&gain(a.0, a.1)))
                .then(a.0.cmp(&b.0))
        });
        found.truncate(NEWCOMERS);
        found
    }

    /// Takes a newcomer in, if it is worth it.
    fn admit(&mut self, at: usize, level: usize) {
        let claimed = self.ranked[at].claim < Claim::Value;
        let gain = self.items[at].levels[level].value - self.value(at);
        let extra = i64::from(self.items[at].levels[level].cost) - self.cost(at);
        let (before, room) = (self.levels.clone(), self.room);
        let loss = self.shed(at, extra - self.room);
        let fits = self.room >= extra;
        if fits && (claimed || gain > MARGIN * loss) {
            self.set(at, Some(level));
        } else {
            (self.levels, self.room) = (before, room);
        }
    }

    /// Lowers what is worth least for its tokens until this much is free; not `spared`, and no claims. Gives what is lost.
    fn shed(&mut self, spared: usize, needed: i64) -> f64 {
        let (mut freed, mut lost) = (0, 0.0);
        if needed <= 0 {
            return lost;
        }
        let may_go = |at: &usize| *at != spared && self.ranked[*at].claim == Claim::Value;
        let mut open: BinaryHeap<Lowering> =
            (0..self.levels.len()).filter(may_go).filter_map(|at| self.lowering(at)).collect();
        while freed < needed {
            let Some(least) = open.pop() else { break };
            self.set(least.at, least.below);
            open.extend(self.lowering(least.at));
            freed += least.cost.max(1);
            lost += least.value;
        }
        lost
    }

    /// The next step down of an item that is shown.
    fn lowering(&self, at: usize) -> Option<Lowering> {
        let below = self.levels[at]?.checked_sub(1);
        let less = below.map(|level| &self.items[at].levels[level]);
        let cost = self.cost(at) - less.map_or(0, |level| i64::from(level.cost));
        let value = self.value(at) - less.map_or(0.0, |level| level.value);
        Some(Lowering { at, below, cost, value })
    }
}

/// A step down: what it frees and what it loses. The greatest is the one that loses least for its tokens, of equals the
/// lowest-ranked.
struct Lowering {
    at: usize,
    below: Option<usize>,
    cost: i64,
    value: f64,
}

impl Lowering {
    fn ratio(&self) -> f64 {
        self.value / self.cost.max(1) as f64
    }
}

impl Ord for Lowering {
    fn cmp(&self, other: &Self) -> Ordering {
        other.ratio().total_cmp(&self.ratio()).then(self.at.cmp(&other.at))
    }
}

impl PartialOrd for Lowering {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Lowering {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Lowering {}
