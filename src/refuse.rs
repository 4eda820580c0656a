//! Refusals: a code for the host and a text for the model that gives nothing away.

use crate::catalog::Catalog;
use crate::chunk;
use crate::eligible::{Policy, Reason};
use crate::loaded::Refused;
use crate::options::Actor;
use crate::skill::Skill;
use crate::text;

/// An id as error texts show it: one line, of bounded length, with nothing that a wrapper could be made of.
pub(crate) fn quoted(id: &str) -> String {
    let id = text::fold(id);
    let mut out = String::from("'");
    let end = chunk::floor(&id, 100);
    text::push_text(&mut out, &id[..end]);
    if end < id.len() {
        out.push('…');
    }
    out.push('\'');
    out
}

pub(crate) fn unknown(catalog: &Catalog, policy: &Policy, asked: &str, near: Vec<String>) -> Refused {
    let mut text = format!("Error: Unknown skill {}.", quoted(asked));
    if !near.is_empty() {
        let near: Vec<String> = near.iter().map(|id| quoted(id)).collect();
        for piece in [" Did you mean ", &near.join(" or "), "?"] {
            text.push_str(piece);
        }
    } else if catalog.skills.iter().all(|skill| policy.refusal(skill).is_some()) {
        text.push_str(" There are no skills to load.");
    }
    Refused { suggestions: near, ..Refused::new(asked, "unknown_skill", text) }
}

pub(crate) fn refused(asked: &str, skill: &Skill, reason: Reason, actor: Actor) -> Refused {
    let id = quoted(&skill.id);
    match (reason, actor) {
        (Reason::Hidden, Actor::Model) => {
            let text = format!("Error: The skill {id} can only be started by the user; ask them to start it.");
            Refused::new(asked, "not_model_invocable", text)
        }
        (Reason::Hidden, Actor::User) => {
            let text = format!("Error: The skill {id} is for the model to load; it can't be started by name.");
            Refused::new(asked, "not_user_invocable", text)
        }
        _ => Refused::new(asked, "not_available", "Error: This skill is not available."),
    }
}
