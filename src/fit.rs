//! Chooses the level of each skill under the budget.

use crate::knapsack::{self, Choice};
use crate::levels::Item;
use crate::rank::{Claim, Ranked};

/// A level that takes more than this share of all there is to spend is not offered, unless everything fits: one giant
/// never starves the others. Only `required` may have it.
const GIANT: f64 = 2.0 / 3.0;

/// What was chosen: for each item the place of its level, or nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fitted {
    pub(crate) levels: Vec<Option<usize>>,
    /// Price of what was chosen beyond `paid`.
    pub(crate) cost: u64,
    pub(crate) value: f64,
    /// No choice has more value than this.
    pub(crate) bound: f64,
}

/// Serves the claims in order, each as a knapsack problem of its own, then all others. `paid` are levels that are taken
/// already and can only rise; `room` is what may be spent on that.
pub(crate) fn fit(items: &[Item], ranked: &[Ranked], paid: &[Option<usize>], room: u64) -> Fitted {
    let mut fitted = Fitted { levels: paid.to_vec(), cost: 0, value: 0.0, bound: 0.0 };
    let taken: u64 =
        items.iter().zip(paid).filter_map(|(item, level)| Some(u64::from(item.levels[(*level)?].cost))).sum();
    let giant = ((room + taken) as f64 * GIANT) as u64;
    for claim in [Claim::Required, Claim::Pinned, Claim::Active, Claim::Value] {
        let most = if claim == Claim::Required { u64::MAX } else { giant };
        let members: Vec<usize> =
            (0..items.len()).filter(|&at| ranked[at].claim == claim && !items[at].levels.is_empty()).collect();
        let classes: Vec<Vec<Choice>> = members.iter().map(|&at| choices(&items[at], paid[at], most)).collect();
        let packed = knapsack::pack(&classes, room - fitted.cost);
        for (&at, option) in members.iter().zip(&packed.options) {
            let first = paid[at].map_or(0, |level| level + 1);
            fitted.levels[at] = option.map(|option| option + first).or(paid[at]);
        }
        let already: f64 = members.iter().filter_map(|&at| Some(items[at].levels[paid[at]?].value)).sum();
        fitted.cost += packed.cost;
        fitted.value += packed.value + already;
        fitted.bound += packed.bound + already;
    }
    fitted
}

/// The levels above the one that is paid for, as what they add to it. A giant costs more than any room.
fn choices(item: &Item, paid: Option<usize>, giant: u64) -> Vec<Choice> {
    let (cost, value, first) = match paid {
        None => (0, 0.0, 0),
        Some(level) => (item.levels[level].cost, item.levels[level].value, level + 1),
    };
    let choice = |level: &crate::levels::Level| {
        let more = level.cost.saturating_sub(cost);
        if u64::from(more) > giant && level.detail > crate::cost::Detail::Name {
            return Choice { cost: u32::MAX, value: 0.0 };
        }
        Choice { cost: more, value: (level.value - value).max(0.0) }
    };
    item.levels[first..].iter().map(choice).collect()
}
