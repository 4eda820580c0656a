//! What speaks for a skill before anything is asked: priority, scope, use. Small beside any evidence, and never nothing.

use crate::context::Context;
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

/// Number of uses, each older one counting less; without a clock or a date all count fully.
pub(crate) fn recent_uses(id: &str, context: &Context) -> f64 {
    let Some(usage) = context.usage.get(id) else { return 0.0 };
    let count = if usage.count.is_finite() { usage.count.max(0.0) } else { 0.0 };
    match (context.now, usage.last_used) {
        (Some(now), Some(last)) if (now - last).is_finite() => {
            count * libm::exp2(-(now - last).max(0.0) / DAY / HALF_LIFE)
        }
        _ => count,
    }
}

/// The prior of a skill: 0.002 to 0.034; 0.007 to 0.009 without priority and use.
pub(crate) fn prior(skill: &Skill, context: &Context) -> f64 {
    let uses = recent_uses(&skill.id, context);
    let priority = if skill.priority.is_finite() { skill.priority / (skill.priority.abs() + 10.0) } else { 0.0 };
    FLOOR
        + PRIORITY * (priority + 1.0) / 2.0
        + SCOPE / (1.0 + f64::from(skill.scope_rank))
        + USE * uses / (uses + HALF_USE)
}
