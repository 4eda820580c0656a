//! Two skills with one id: the nearer scope wins and the other is reported. Listing, tools and loading share this resolution.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::Hasher;

use crate::diagnostic::{Diagnostic, Remarks, Severity};
use crate::json::ToJson;
use crate::skill::Skill;
use crate::stored::{Spare, Stored};
use crate::text;

/// A skill that lost its id to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shadowed {
    /// The id of both.
    pub id: Stored,
    /// Source of the loser.
    pub source: Spare,
    /// Location of the loser.
    pub location: Spare,
    /// Source, else location, of the winner.
    pub by: Spare,
    /// Place of the loser in the input.
    pub position: u32,
}

/// Sorted by id, one skill an id, hashes and scope ranks set.
pub(crate) fn resolve(
    mut skills: Vec<Skill>,
    scopes: &[String],
    diagnostics: &mut Remarks,
) -> (Vec<Skill>, Vec<Shadowed>) {
    for skill in &mut skills {
        skill.scope_rank = scope_rank(&skill.source, scopes);
        // A body that a snapshot leaves out is part of the identity all the same: what was computed once is kept.
        if skill.hash == 0 {
            skill.hash = identity(skill);
        }
    }
    skills.sort_by(precedence);
    let mut winners: Vec<Skill> = Vec::with_capacity(skills.len());
    let mut shadowed = Vec::new();
    // Of the last winner: it may be long, and thousands may have its id.
    let mut content_of_winner = None;
    for skill in skills {
        match winners.last() {
            Some(winner) if winner.id == skill.id => {
                let same = same_place(winner, &skill)
                    || *content_of_winner.get_or_insert_with(|| content(winner)) == content(&skill);
                if let Some(diagnostic) = (!same).then(|| remark(winner, &skill)) {
                    diagnostics.push(diagnostic);
                }
                let by = if winner.source.is_empty() { &winner.location } else { &winner.source };
                shadowed.push(Shadowed {
                    by: by.clone(),
                    id: skill.id,
                    source: skill.source,
                    location: skill.location,
                    position: skill.position,
                });
            }
            _ => {
                winners.push(skill);
                content_of_winner = None;
            }
        }
    }
    mark_shared_names(&mut winners);
    remark_lookalikes(&winners, diagnostics);
    (winners, shadowed)
}

fn scope_rank(source: &str, scopes: &[String]) -> u8 {
    let kind = source.split(':').next().unwrap_or_default();
    let rank = scopes.iter().position(|scope| scope == source || scope == kind).unwrap_or(scopes.len());
    u8::try_from(rank).unwrap_or(u8::MAX)
}

/// By id; within an id the winner first: nearer scope, then smaller location, then content.
fn precedence(a: &Skill, b: &Skill) -> Ordering {
    (a.id.cmp(&b.id))
        .then(a.scope_rank.cmp(&b.scope_rank))
        .then_with(|| a.location.cmp(&b.location))
        .then(a.hash.cmp(&b.hash))
}

/// Why the loser is hidden.
fn remark(winner: &Skill, loser: &Skill) -> Diagnostic {
    let described = |skill: &Skill| match (skill.source.is_empty(), skill.location.is_empty()) {
        (true, true) => format!("skills[{}]", skill.position),
        (true, false) => skill.location.to_string(),
        (false, true) => skill.source.to_string(),
        (false, false) => format!("{} ({})", skill.source, skill.location),
    };
    let (kept, hidden) = (described(winner), described(loser));
    let (code, severity, why) = if winner.scope_rank < loser.scope_rank {
        ("shadowed", Severity::Info, "the nearer scope wins")
    } else {
        ("duplicate_id", Severity::Warning, "of equal scopes the smaller location wins; rename one of them")
    };
    let message = format!("two skills have the id {:?}: {kept} is kept, {hidden} is hidden; {why}", loser.id);
    Diagnostic::new(code, severity, message).skill(&loser.id).at(format!("skills[{}]", loser.position))
}

/// Whether both are one skill reached twice.
fn same_place(a: &Skill, b: &Skill) -> bool {
    a.hash == b.hash || a.location == b.location && !a.location.is_empty() && a.description == b.description
}

/// Hash of everything that an author writes; not of where the skill lies.
fn content(skill: &Skill) -> u64 {
    let mut hasher = xxhash_rust::xxh64::Xxh64::new(0);
    for text in [&*skill.id, &*skill.name, &*skill.description, &*skill.when_to_use] {
        hasher.write(text.as_bytes());
        hasher.write_u8(0xFF);
    }
    if let Some(body) = &skill.instructions {
        hasher.write(body.as_bytes());
        hasher.write_u8(0xFE);
    }
    hasher.write(&skill.priority.to_le_bytes());
    hasher.write(&[u8::from(skill.enabled), u8::from(skill.model_invocable), u8::from(skill.user_invocable)]);
    hasher.write_u8(skill.kind as u8);
    hasher.write(&skill.instruction_tokens.unwrap_or(0).to_le_bytes());
    if let Some(details) = &skill.details {
        // The order of keys is fixed.
        hasher.write(details.to_json().to_string().as_bytes());
    }
    hasher.finish()
}

/// Hash of the whole entry: what a later catalog must repeat for the skill to be unchanged.
fn identity(skill: &Skill) -> u64 {
    let mut hasher = xxhash_rust::xxh64::Xxh64::new(content(skill));
    hasher.write(skill.source.as_bytes());
    hasher.write_u8(0xFF);
    hasher.write(skill.location.as_bytes());
    hasher.finish()
}

/// A name that two skills share, or that is another skill's id, is no key.
fn mark_shared_names(winners: &mut [Skill]) {
    let mut uses: HashMap<&str, u32> = HashMap::with_capacity(winners.len());
    for skill in winners.iter() {
        *uses.entry(&skill.name).or_default() += 1;
        if skill.id != skill.name {
            *uses.entry(&skill.id).or_default() += 1;
        }
    }
    let shared: Vec<bool> = winners.iter().map(|skill| uses.get(&*skill.name).is_some_and(|&n| n > 1)).collect();
    for (skill, shared) in winners.iter_mut().zip(shared) {
        skill.shares_name = shared;
    }
}

/// Ids that a person would take for one another.
fn remark_lookalikes(winners: &[Skill], diagnostics: &mut Remarks) {
    let mut first: HashMap<String, usize> = HashMap::with_capacity(winners.len());
    for (at, skill) in winners.iter().enumerate() {
        let key = text::lookalike_key(&skill.id);
        let key = if key.is_empty() { skill.id.to_string() } else { key };
        match first.entry(key) {
            std::collections::hash_map::Entry::Vacant(slot) => {
                slot.insert(at);
            }
            std::collections::hash_map::Entry::Occupied(slot) => {
                let other = &winners[*slot.get()].id;
                let message =
                    format!("{:?} and {other:?} are easily confused; both are kept, rename one of them", skill.id);
                diagnostics.push(Diagnostic::new("near_duplicate_name", Severity::Warning, message).skill(&skill.id));
            }
        }
    }
}
