//! What speaks for a skill before anything is asked: priority, scope, use. Small beside any evidence, and never nothing.

use crate::skill::Skill;

/// What every skill has, used or not.
const FLOOR: f64 = 0.002;
/// What priority, the strongest scope and much use add at most.
const PRIORITY: f64 = 0.01;
const SCOPE: f64 = 0.002;
const USE: f64 = 0.02;
/// Uses that count half of [`USE`].
const HALF_USE: f64 = 5.0;
/// Days in which a use loses half of what it counts.
const HALF_LIFE: f64 = 14.0;
const DAY: f64 = 86_400_000.0;

/// Number of uses, each counting half after two weeks; without a clock or a date all count fully.
pub(crate) fn recent_uses(count: f64, last: Option<f64>, now: Option<f64>) -> f64 {
    let count = if count.is_finite() { count.max(0.0) } else { 0.0 };
    match (now, last) {
        (Some(now), Some(last)) if (now - last).is_finite() => {
            count * libm::exp2(-(now - last).max(0.0) / DAY / HALF_LIFE)
        }
        _ => count,
    }
}

/// What so many recent uses add to a skill's prior.
pub(crate) fn for_use(uses: f64) -> f64 {
    USE * uses / (uses + HALF_USE)
}

/// The prior of a skill that nobody has used yet: 0.002 to 0.014, about 0.008 without a priority.
pub(crate) fn standing(skill: &Skill) -> f32 {
    let priority = if skill.priority.is_finite() { skill.priority / (skill.priority.abs() + 10.0) } else { 0.0 };
    (FLOOR + PRIORITY * (priority + 1.0) / 2.0 + SCOPE / (1.0 + f64::from(skill.scope_rank))) as f32
}

/// The order of skills before anything is asked, priority, scope, id: for each its place in it.
pub(crate) fn ties(skills: &[Skill]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..skills.len() as u32).collect();
    let skill = |at: &u32| &skills[*at as usize];
    order.sort_by(|a, b| {
        let (left, right) = (skill(a), skill(b));
        right.priority.total_cmp(&left.priority).then(left.scope_rank.cmp(&right.scope_rank))
    });
    let mut ties = vec![0; order.len()];
    for (place, &at) in order.iter().enumerate() {
        ties[at as usize] = place as u32;
    }
    ties
}
