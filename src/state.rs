//! What a conversation has loaded, as plain JSON that a host can keep.

use crate::error::Error;
use crate::json::{FromJson, record};
use crate::options::Actor;
use crate::value::Value;

/// Version of [`SessionState`] that this code reads and writes.
pub const STATE_VERSION: u32 = 1;

/// Everything that a session remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionState {
    /// [`STATE_VERSION`].
    pub version: u32,
    /// Skills that are active, in the order of activation.
    pub active: Vec<ActiveSkill>,
    /// Ids of those that become active at the next boundary, sorted.
    pub staged: Vec<String>,
    /// Boundaries so far.
    pub turn: u32,
    /// The staged skills themselves, in the order of loading.
    pub pending: Vec<ActiveSkill>,
    /// Tools of the host, without those that skills brought.
    pub host_tools: Vec<String>,
    /// Rules that the model has been shown.
    pub rules: Vec<KnownRule>,
}

record!(read SessionState { version: "version", active: "active", staged: "staged", turn: "turn", pending: "pending", host_tools: "hostTools", rules: "rules" });
record!(write SessionState { version: "version", active: "active", staged: "staged", turn: "turn", pending: "pending", host_tools: "hostTools", rules: "rules" });

/// One loaded skill.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActiveSkill {
    /// Its id.
    pub id: String,
    /// Hash of its body as written.
    pub hash: String,
    /// Its body with arguments.
    pub text: String,
    /// Tools that it brings.
    pub tools: Vec<String>,
    /// The boundary at which it became active; 0 while staged.
    pub turn: u32,
    /// What it was called with.
    pub arguments: Option<String>,
    /// Its body as written, where arguments changed it.
    pub template: Option<String>,
    /// Hash of its entry in the catalog: its identity.
    pub entry: String,
    /// Who loaded it.
    pub actor: Actor,
}

record!(read ActiveSkill { id: "id", hash: "hash", text: "text", tools: "tools", turn: "turn", arguments: "arguments", template: "template", entry: "entry", actor: "actor" });
record!(write ActiveSkill { id: "id", hash: "hash", text: "text", tools: "tools", turn: "turn", arguments: "arguments", template: "template", entry: "entry", actor: "actor" });

/// A rule that the model has been shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownRule {
    /// Its id.
    pub id: String,
    /// Hash of its entry.
    pub entry: String,
}

record!(read KnownRule { id: "id", entry: "entry" });
record!(write KnownRule { id: "id", entry: "entry" });

impl Default for SessionState {
    fn default() -> Self {
        Self {
            version: STATE_VERSION,
            active: Vec::new(),
            staged: Vec::new(),
            turn: 0,
            pending: Vec::new(),
            host_tools: Vec::new(),
            rules: Vec::new(),
        }
    }
}

impl SessionState {
    /// Reads a state that a host has kept.
    ///
    /// # Errors
    /// `state_version` for one of another version, `invalid_state` for anything that is none.
    pub fn read(value: Value) -> Result<Self, Error> {
        match value.get("version").and_then(Value::as_f64).map(|version| version as u32) {
            None => return Err(Error::at("invalid_state", "state.version", "a session's state has a version")),
            Some(version) if version != STATE_VERSION => {
                let message = format!("version {version}, this package reads version {STATE_VERSION}");
                return Err(Error::at("state_version", "state.version", message));
            }
            Some(_) => {}
        }
        let state = Self::from_json(value, "state").map_err(|error| error.with_code("invalid_state"))?;
        let mut staged: Vec<&str> = state.pending.iter().map(|one| one.id.as_str()).collect();
        staged.sort_unstable();
        if !staged.iter().eq(&state.staged) {
            let message = format!("{:?} are staged, but {staged:?} are pending", state.staged);
            return Err(Error::at("invalid_state", "state.staged", message));
        }
        Ok(state)
    }

    /// Ids of the active skills, in the order of activation.
    #[must_use]
    pub fn active_ids(&self) -> Vec<String> {
        self.active.iter().map(|one| one.id.clone()).collect()
    }

    /// Brings `staged` in line with `pending`.
    pub(crate) fn note_staged(&mut self) {
        self.staged = self.pending.iter().map(|one| one.id.clone()).collect();
        self.staged.sort_unstable();
    }
}

/// A hash as the state writes it.
pub(crate) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
