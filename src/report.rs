//! Every skill of the catalog in one state, worked out again from a pick.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::eligible::{Policy, Reason};
use crate::options::{Actor, Mode, Options, Rule, UserConfig};
use crate::pick::{Omitted, never_shown};

/// What decided who could be seen, kept in a pick's state.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Seen {
    /// Of the selection.
    pub mode: Mode,
    /// Who asked.
    pub actor: Actor,
    /// Rules on ids.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// Left out by the host.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// The user's choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<UserConfig>,
    /// What the host has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// Whether `maxSkills` left anyone out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub limited: bool,
    /// Those without room, where `maxSkills` left out others as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_room: Vec<String>,
}

impl Seen {
    pub(crate) fn of(options: &Options, tools: Option<&[String]>) -> Self {
        Self {
            mode: options.mode,
            actor: options.actor,
            rules: options.rules.clone(),
            exclude: options.exclude.clone(),
            user: options.user.clone(),
            tools: tools.map(<[String]>::to_vec),
            limited: false,
            without_room: Vec::new(),
        }
    }
}

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
