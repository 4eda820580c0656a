//! Fits, writes, counts the whole, and mends the choice until the block is within the budget.

use std::collections::BTreeMap;

use crate::cost::{Detail, PART};
use crate::error::Error;
use crate::fit::{self, Fitted};
use crate::levels::{Item, Level, Scene};
use crate::order;
use crate::rank::{Claim, Ranked};
use crate::render::{self, Rest};

/// How often a choice is fitted anew after a count.
const ROUNDS: usize = 5;
/// With a counter of the host's, room that a further round may use, as a share of the budget.
const SLACK: f64 = 0.02;

/// The block and the levels that it shows.
#[derive(Default)]
pub(crate) struct Settled {
    pub(crate) xml: String,
    pub(crate) tokens: u32,
    /// Places in `ranked`, in the order of the block, with their level and its price.
    pub(crate) shown: Vec<(usize, Level)>,
    /// How far the value can be from the best possible one, 0 to 1.
    pub(crate) gap: f64,
}

impl Scene<'_> {
    /// The best block within the budget.
    ///
    /// # Errors
    /// `required_too_large`, and what the counter gives.
    pub(crate) fn settle(&self, ranked: &[Ranked], items: &[Item]) -> Result<Settled, Error> {
        let best: Vec<_> = items.iter().map(|item| item.levels.len().checked_sub(1)).collect();
        let Some(budget) = self.budget else {
            return self.block(ranked, items, &best);
        };
        if let Some(block) = self.everything(ranked, items, &best, budget)? {
            return Ok(block);
        }
        let (paid, room) = self.base(ranked, items, budget)?;
        let (fitted, block, bound) = self.approach(ranked, items, &paid, room, budget)?;
        let lost = |at: &usize| ranked[*at].claim == Claim::Required && fitted.levels[*at].is_none();
        if let Some(at) = (0..ranked.len()).find(lost) {
            return Err(self.required_too_large(ranked, at, &items[at], budget));
        }
        let gap = if bound > 0.0 { (1.0 - fitted.value / bound).clamp(0.0, 1.0) } else { 0.0 };
        Ok(Settled { gap, ..block })
    }

    /// The block with all skills at their best level, where that fits.
    fn everything(
        &self,
        ranked: &[Ranked],
        items: &[Item],
        best: &[Option<usize>],
        budget: u32,
    ) -> Result<Option<Settled>, Error> {
        if self.behind > 0 {
            return Ok(None);
        }
        let price = |(item, level): (&Item, &Option<usize>)| level.map(|level| u64::from(item.levels[level].cost));
        let total: Option<u64> = items.iter().zip(best).map(price).sum();
        // A host's counter may find a third less than the estimate does.
        if total.is_none_or(|total| total * 2 / 3 > u64::from(budget) * u64::from(PART)) {
            return Ok(None);
        }
        let block = self.block(ranked, items, best)?;
        Ok((block.tokens <= budget).then_some(block))
    }

    /// What is shown in any case, and the room for more: all names where they fit, else nothing.
    fn base(&self, ranked: &[Ranked], items: &[Item], budget: u32) -> Result<(Vec<Option<usize>>, u64), Error> {
        let price = |item: &Item| item.levels.first().map(|level| u64::from(level.cost));
        let names: Option<u64> = items.iter().map(price).sum();
        let parts = u64::from(budget) * u64::from(PART);
        if self.behind == 0 && names.is_some_and(|names| names * 2 / 3 <= parts) {
            let levels = vec![Some(0); items.len()];
            let block = self.block(ranked, items, &levels)?;
            if block.tokens <= budget {
                return Ok((levels, u64::from(budget - block.tokens) * u64::from(PART)));
            }
        }
        let search_tool = &*self.options.tool_names.search;
        let omitted = if self.adds { 0 } else { ranked.len() + self.behind };
        let rest = Rest { omitted, search_tool, ..Rest::default() };
        let around = self.counter.wrapper(self.style, rest);
        Ok((vec![None; items.len()], parts.saturating_sub(u64::from(around))))
    }

    /// Fits by the estimate, counts the block, and corrects the room by what was found.
    fn approach(
        &self,
        ranked: &[Ranked],
        items: &[Item],
        paid: &[Option<usize>],
        room: u64,
        budget: u32,
    ) -> Result<(Fitted, Settled, f64), Error> {
        let first = room;
        let mut room = room;
        let mut best: Option<(Fitted, Settled)> = None;
        let mut over = None;
        let mut bound = 0.0_f64;
        for _ in 0..ROUNDS {
            let fitted = fit::fit(items, ranked, paid, room);
            let block = self.block(ranked, items, &fitted.levels)?;
            let off = i64::from(budget) - i64::from(block.tokens);
            let next = corrected(room, first, fitted.cost, off);
            if off >= 0 || !self.counter.is_host() {
                bound = bound.max(fitted.bound);
            }
            let settled = off >= 0 && (!self.counter.is_host() || off as f64 <= SLACK * f64::from(budget));
            if off < 0 {
                over = Some(fitted);
            } else if best.as_ref().is_none_or(|(known, _)| fitted.value > known.value) {
                best = Some((fitted, block));
            }
            if settled || next == room || (over.is_some() && best.is_some()) {
                break;
            }
            room = next;
        }
        if let Some((fitted, block)) = best {
            return Ok((fitted, block, bound));
        }
        let fitted = over.unwrap_or_else(|| fit::fit(items, ranked, paid, 0));
        let bound = bound.max(fitted.bound);
        let (fitted, block) = self.give_up(ranked, items, fitted, budget)?;
        Ok((fitted, block, bound))
    }

    /// Gives up the least of the block, more at each step, until it is within the budget.
    fn give_up(
        &self,
        ranked: &[Ranked],
        items: &[Item],
        mut fitted: Fitted,
        budget: u32,
    ) -> Result<(Fitted, Settled), Error> {
        let mut steps = 1;
        let mut giving = GivingUp::new(&fitted.levels);
        loop {
            let block = self.block(ranked, items, &fitted.levels)?;
            if block.tokens <= budget {
                let value = |(item, level): (&Item, &Option<usize>)| level.map(|level| item.levels[level].value);
                fitted.value = items.iter().zip(&fitted.levels).filter_map(value).sum();
                return Ok((fitted, block));
            }
            for _ in 0..steps {
                giving.one(&mut fitted.levels);
            }
            steps = if fitted.levels.len() > 64 { steps * 2 } else { 1 };
        }
    }

    /// Writes and counts the block of these levels.
    pub(crate) fn block(&self, ranked: &[Ranked], items: &[Item], levels: &[Option<usize>]) -> Result<Settled, Error> {
        let chosen = levels.iter().enumerate().filter_map(|(at, level)| Some((at, items[at].levels[(*level)?])));
        let (names, described): (Vec<_>, Vec<_>) = chosen.partition(|(_, level)| level.detail == Detail::Name);
        let (described, names) = (self.arranged(described, ranked), self.arranged(names, ranked));
        let texts: Vec<_> =
            described.iter().map(|(at, level)| self.text(&ranked[*at], &items[*at], level.detail)).collect();
        let shown: Vec<_> = (described.iter().zip(&texts))
            .map(|((at, level), text)| self.shown(&ranked[*at], level.detail, text))
            .collect();
        let ids: Vec<&str> = names.iter().map(|(at, _)| &*self.skill(&ranked[*at]).id).collect();
        let omitted = if self.adds { 0 } else { ranked.len() + self.behind - described.len() - names.len() };
        let rest = Rest { names: &ids, omitted, search_tool: &self.options.tool_names.search };
        let xml = render::block(self.style, &shown, rest);
        let tokens = if xml.is_empty() { 0 } else { self.counter.count(&xml)? };
        Ok(Settled { xml, tokens, shown: described.into_iter().chain(names).collect(), gap: 0.0 })
    }

    fn arranged(&self, part: Vec<(usize, Level)>, ranked: &[Ranked]) -> Vec<(usize, Level)> {
        let mut places: Vec<u32> = part.iter().map(|(at, _)| ranked[*at].at).collect();
        order::arrange(&mut places, self.skills, self.options.order);
        let by_place: BTreeMap<u32, (usize, Level)> = part.into_iter().map(|one| (ranked[one.0].at, one)).collect();
        places.iter().filter_map(|place| by_place.get(place).copied()).collect()
    }

    fn required_too_large(&self, ranked: &[Ranked], at: usize, item: &Item, budget: u32) -> Error {
        let id = &self.skill(&ranked[at]).id;
        let tokens = item.levels.first().map_or(0, |level| level.cost.div_ceil(PART));
        let message = format!("{id:?} is required and does not fit: its name alone takes {tokens} tokens of {budget}");
        Error::at("required_too_large", "options.required", message)
    }
}

/// Room, by the estimate, that would have met the budget had the count grown in step with the estimate: `first` was to be
/// spent, `spent` was by the estimate, and `off` tokens are left or missing by the count.
fn corrected(room: u64, first: u64, spent: u64, off: i64) -> u64 {
    let counted = (first as f64 - off as f64 * f64::from(PART)).max(1.0);
    let wanted = (spent as f64 * first as f64 / counted) as u64;
    if off < 0 { wanted.min(room.saturating_sub(u64::from(PART))) } else { wanted.max(room) }
}

/// Takes the lowest-ranked skill down by one level at a time; while all are visible, the lowest-ranked that is more than a
/// name. What is behind `end` can't go further down, so that all steps together look at each level once.
struct GivingUp {
    end: usize,
    /// The level that stays: a name while all are visible, else nothing.
    least: usize,
}

impl GivingUp {
    fn new(levels: &[Option<usize>]) -> Self {
        let all_visible = levels.iter().all(Option::is_some);
        Self { end: levels.len(), least: usize::from(all_visible) }
    }

    fn one(&mut self, levels: &mut [Option<usize>]) {
        loop {
            let found = levels[..self.end].iter().rposition(|level| level.is_some_and(|level| level >= self.least));
            if let Some(at) = found {
                levels[at] = levels[at].and_then(|level| level.checked_sub(1));
                self.end = at + 1;
                return;
            }
            if self.least == 0 {
                return;
            }
            *self = Self { end: levels.len(), least: 0 };
        }
    }
}
