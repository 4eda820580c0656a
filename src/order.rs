//! Arranges what was chosen.

use crate::options::Order;
use crate::skill::Skill;

/// Sorts `shown`, which come best first, into the order of the block.
pub(crate) fn arrange(shown: &mut [u32], skills: &[Skill], order: Order) {
    let skill = |at: &u32| &skills[*at as usize];
    match order {
        Order::Relevance => {}
        Order::Name => shown.sort_by(|a, b| skill(a).name.cmp(&skill(b).name).then(a.cmp(b))),
        Order::Catalog => shown.sort_by_key(|at| (skill(at).position, *at)),
    }
}
