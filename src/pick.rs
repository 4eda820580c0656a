//! The result of a selection: every skill in one state, with its reason.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::context::Context;
use crate::cost::Detail;
use crate::diagnostic::Diagnostic;
use crate::eligible::{Reason, Seen};
use crate::error::Error;
use crate::explain::Evidence;
use crate::json::{FromJson, record};
use crate::policy::ToolPolicy;

/// Most entries of [`Pick::omitted`].
pub const MAX_OMITTED: usize = 100;

/// The block and what it is made of.
#[derive(Debug, Clone)]
pub struct Pick {
    /// The whole block; with a split placement the stable part, a line break, and the turn's.
    pub xml: String,
    /// The part that never changes with the conversation.
    pub stable: Option<String>,
    /// The part for this turn.
    pub turn: Option<String>,
    /// Tokens of `xml`, by the counter in use.
    pub tokens: u32,
    /// The budget in tokens; `None` is no limit.
    pub budget: Option<u32>,
    /// Changes when the stable part (or the single block) changes.
    pub fingerprint: String,
    /// Whether some skill has evidence.
    pub confident: bool,
    /// What is shown, in the order of the block.
    pub skills: Vec<Picked>,
    /// The best-ranked of those left out, [`MAX_OMITTED`] at most.
    pub omitted: Vec<Omitted>,
    /// How many skills are at each level, and left out for each reason, over the whole catalog.
    pub counts: BTreeMap<String, u32>,
    /// How far the value of the choice can be from the best possible one, 0 to 1.
    pub gap: f64,
    /// What the active skills ask of the host.
    pub policy: ToolPolicy,
    /// Remarks on this selection.
    pub diagnostics: Vec<Diagnostic>,
    /// What a later selection needs as `previous`.
    pub state: PickState,
}

record!(write Pick { xml: "xml", stable: "stable", turn: "turn", tokens: "tokens", fingerprint: "fingerprint", confident: "confident", skills: "skills", omitted: "omitted", counts: "counts", gap: "gap", policy: "policy", diagnostics: "diagnostics", state: "state" } null { budget: "budget" });

/// A skill that is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Picked {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How much of it is shown.
    pub detail: Detail,
    /// Tokens of its part of the block.
    pub tokens: u32,
    /// The next level of detail, where there is one.
    pub next: Option<Next>,
    /// Relevance, 0 to 1.
    pub score: f64,
    /// Required, pinned by the host, or named by the user.
    pub pinned: bool,
    /// Why it is relevant.
    pub evidence: Vec<Evidence>,
}

record!(write Picked { id: "id", name: "name", detail: "detail", tokens: "tokens", next: "next", score: "score", pinned: "pinned", evidence: "evidence" });

/// A level that a skill could have been shown at, and the tokens of its part of the block then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Next {
    /// The level.
    pub detail: Detail,
    /// By the estimate.
    pub tokens: u32,
}

record!(read Next { detail: "detail", tokens: "tokens" });
record!(write Next { detail: "detail", tokens: "tokens" });

/// A skill that is left out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Omitted {
    /// Its id, or its place in the input where it has none.
    pub id: String,
    /// Why.
    pub reason: Reason,
    /// Relevance, 0 to 1, where it was ranked.
    pub score: Option<f64>,
    /// Where a shadowed one comes from.
    pub source: Option<String>,
    /// Where a shadowed one lies.
    pub location: Option<String>,
    /// What shadows it.
    pub by: Option<String>,
    /// Place in the input of a shadowed or invalid one.
    pub index: Option<u32>,
}

record!(read Omitted { id: "id", reason: "reason", score: "score", source: "source", location: "location", by: "by", index: "index" });
record!(write Omitted { id: "id", reason: "reason", score: "score", source: "source", location: "location", by: "by", index: "index" });

impl Omitted {
    pub(crate) fn new(id: &str, reason: Reason) -> Self {
        Self { id: id.into(), reason, score: None, source: None, location: None, by: None, index: None }
    }
}

/// What was shown, as plain data.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PickState {
    /// In the order of the block.
    pub shown: Vec<ShownState>,
    /// Of the stable part or the single block.
    pub fingerprint: String,
    /// What decided who could be seen.
    pub seen: Seen,
    /// With a split placement: what the turns so far have given.
    pub given: Vec<ShownState>,
}

impl PickState {
    /// The state in `previous`, which may be a whole pick.
    pub(crate) fn previous(context: &Context) -> Result<Option<Self>, Error> {
        let Some(previous) = context.previous.as_ref().filter(|previous| !previous.is_null()) else { return Ok(None) };
        let state = previous.get("state").unwrap_or(previous);
        if !state.is_object() {
            return Err(Error::at("invalid_previous", "context.previous", "neither a pick nor the state of one"));
        }
        Self::from_json(state.clone(), "context.previous")
            .map(Some)
            .map_err(|error| error.with_code("invalid_previous"))
    }
}

record!(read PickState { shown: "shown", fingerprint: "fingerprint", seen: "seen", given: "given" });
record!(write PickState { shown: "shown", fingerprint: "fingerprint", seen: "seen", given: "given" });

/// One skill that was shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShownState {
    /// Its id.
    pub id: String,
    /// How much of it.
    pub detail: Detail,
}

record!(read ShownState { id: "id", detail: "detail" });
record!(write ShownState { id: "id", detail: "detail" });

/// Those that no selection can show: shadowed and invalid entries.
pub(crate) fn never_shown(catalog: &Catalog) -> impl Iterator<Item = Omitted> + '_ {
    let shadowed = catalog.shadowed.iter().map(|shadowed| Omitted {
        source: Some(shadowed.source.to_string()).filter(|text| !text.is_empty()),
        location: Some(shadowed.location.to_string()).filter(|text| !text.is_empty()),
        by: Some(shadowed.by.to_string()).filter(|text| !text.is_empty()),
        index: Some(shadowed.position),
        ..Omitted::new(&shadowed.id, Reason::Shadowed)
    });
    let invalid = catalog
        .invalid
        .iter()
        .map(|invalid| Omitted { index: Some(invalid.position), ..Omitted::new(&invalid.id, Reason::Invalid) });
    shadowed.chain(invalid)
}
