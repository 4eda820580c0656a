//! Every skill of the catalog in one state, worked out again from a pick.

use std::collections::HashMap;

use crate::catalog::Catalog;
use crate::eligible::{Policy, Reason, Seen};
use crate::options::Mode;
use crate::pick::{Omitted, never_shown};

impl Catalog {
    /// Those that the pick does not show, each with its reason: `shown` are the ids that it shows, `listed` its own
    /// `omitted`, whose scores are kept.
    #[must_use]
    pub fn omitted(&self, shown: &[String], listed: &[Omitted], seen: &Seen) -> Vec<Omitted> {
        let policy = Policy::of(seen.actor, seen.user.as_ref(), &seen.rules, &seen.exclude, seen.tools.as_deref());
        let shown: std::collections::HashSet<&str> = shown.iter().map(String::as_str).collect();
        let known: HashMap<&str, &Omitted> =
            listed.iter().filter(|one| one.index.is_none()).map(|one| (&*one.id, one)).collect();
        let without_room: std::collections::HashSet<&str> = seen.without_room.iter().map(String::as_str).collect();
        let mut out = Vec::new();
        for skill in self.skills.iter().filter(|skill| !shown.contains(&*skill.id)) {
            let off = (seen.mode == Mode::Off).then_some(Reason::Off);
            let reason = match policy.refusal(skill).or(off) {
                Some(reason) => reason,
                None if seen.limited && !without_room.contains(&*skill.id) => Reason::Limit,
                None => Reason::Budget,
            };
            let score = known.get(&*skill.id).and_then(|one| one.score);
            out.push(Omitted { score, ..Omitted::new(&skill.id, reason) });
        }
        out.extend(never_shown(self));
        out
    }
}
