//! Chooses the level of each skill under the budget.

use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use crate::rank::Claim;

/// How much of a skill is shown, cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// Only its name, beside the others'.
    Name,
    /// The part of the description that says when to use it.
    Summary,
    /// The whole description.
    Description,
    /// Description and body.
    Instructions,
}

impl Detail {
    /// The level as users see it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Summary => "summary",
            Self::Description => "description",
            Self::Instructions => "instructions",
        }
    }
}

/// One level that a skill can be shown at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Level {
    pub(crate) detail: Detail,
    pub(crate) cost: u32,
    pub(crate) value: f64,
}

/// One skill to fit: its levels, cheapest first, and whether it may be left out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) claim: Claim,
    pub(crate) levels: Vec<Level>,
}

/// What was chosen: for each item the place of its level, or nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fitted {
    pub(crate) levels: Vec<Option<usize>>,
    pub(crate) gap: f64,
}

/// Serves claims in order, then the most value for its tokens; `items` are in rank order, `levels` are paid for already and
/// only rise, `left` is what may be spent on that.
pub(crate) fn fit(items: &[Item], mut levels: Vec<Option<usize>>, mut left: u32) -> Fitted {
    for claim in [Claim::Required, Claim::Pinned, Claim::Active] {
        for (at, item) in items.iter().enumerate().filter(|(_, item)| item.claim == claim) {
            left = raise(item, &mut levels[at], left);
        }
    }
    left -= climb(items, left, &mut levels);
    for (at, item) in items.iter().enumerate() {
        left = raise(item, &mut levels[at], left);
    }
    let gap = relative_gap(items, &levels, left);
    Fitted { levels, gap }
}

/// Takes one skill as far up as `left` pays for; what is left then.
fn raise(item: &Item, level: &mut Option<usize>, left: u32) -> u32 {
    let affordable = level.map_or(0, |level| item.levels[level].cost).saturating_add(left);
    let best = item.levels.iter().rposition(|level| level.cost <= affordable);
    if best <= *level {
        return left;
    }
    *level = best;
    affordable - best.map_or(0, |level| item.levels[level].cost)
}

/// Takes steps up in the order of value for tokens, as long as the next one fits.
fn climb(items: &[Item], budget: u32, levels: &mut [Option<usize>]) -> u32 {
    let mut spent = 0;
    let mut steps: BinaryHeap<Step> = BinaryHeap::new();
    for (at, item) in items.iter().enumerate() {
        steps.extend(Step::next(item, at, levels[at]));
    }
    while let Some(step) = steps.pop() {
        if step.cost <= budget - spent {
            spent += step.cost;
            levels[step.item] = Some(step.level);
            steps.extend(Step::next(&items[step.item], step.item, Some(step.level)));
        }
    }
    spent
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    ratio: f64,
    item: usize,
    level: usize,
    cost: u32,
}

impl Step {
    /// The step from `level` with the most value for its tokens.
    fn next(item: &Item, at: usize, level: Option<usize>) -> Option<Self> {
        let (cost, value, first) = match level {
            None => (0, 0.0, 0),
            Some(level) => (item.levels[level].cost, item.levels[level].value, level + 1),
        };
        let step = |to: usize| {
            let cost = item.levels[to].cost.saturating_sub(cost);
            Self { ratio: (item.levels[to].value - value) / f64::from(cost.max(1)), item: at, level: to, cost }
        };
        (first..item.levels.len()).map(step).max()
    }
}

impl Eq for Step {}

impl Ord for Step {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.ratio.total_cmp(&other.ratio).then(other.item.cmp(&self.item)).then(other.level.cmp(&self.level))
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Bound on what a better choice could still win: the unspent tokens at the best rate that is left.
fn relative_gap(items: &[Item], levels: &[Option<usize>], left: u32) -> f64 {
    let value: f64 = items.iter().zip(levels).filter_map(|(item, level)| level.map(|l| item.levels[l].value)).sum();
    let best =
        items.iter().zip(levels).enumerate().filter_map(|(at, (item, level))| Step::next(item, at, *level)).max();
    match best {
        Some(step) if value > 0.0 => {
            let gain = step.ratio.max(0.0) * f64::from(left);
            gain / (value + gain)
        }
        Some(_) => 1.0,
        None => 0.0,
    }
}
