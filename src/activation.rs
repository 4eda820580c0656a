//! Loading in steps: staged by a load, active with its tools from the next model boundary on.

use std::collections::{BTreeMap, HashMap};

use crate::catalog::Catalog;
use crate::cost::HostCounter;
use crate::error::Error;
use crate::json::{FromJson, object, record, serde_read, take};
use crate::load::{self, Prepared};
use crate::loaded::{LoadOptions, LoadResult, Refused};
use crate::options::Actor;
use crate::refuse::quoted;
use crate::skill::Skill;
use crate::state::{ActiveSkill, SessionState, hex};
use crate::value::Value;

/// What a host says at a boundary.
#[derive(Debug, Clone, Default)]
pub struct BoundaryOptions {
    /// Tools of the host, without those that skills brought. Default: as before.
    pub host_tools: Option<Vec<String>>,
    /// Ids that must be active; loaded now.
    pub required: Vec<String>,
    /// Bodies that the catalog does not hold, by id.
    pub bodies: BTreeMap<String, String>,
    /// Policy; the other fields are not read.
    pub load: LoadOptions,
}

impl FromJson for BoundaryOptions {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        let mut fields = object(value, place)?;
        let mut options = Self::default();
        let mut first = None;
        take(&mut fields, "hostTools", &mut options.host_tools, place, &mut first);
        take(&mut fields, "required", &mut options.required, place, &mut first);
        take(&mut fields, "bodies", &mut options.bodies, place, &mut first);
        options.load = LoadOptions::from_json(Value::Object(fields), place)?;
        first.map_or(Ok(options), Err)
    }
}
serde_read!(BoundaryOptions);

/// What holds for the model request that follows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Boundary {
    /// Active skills, in the order of activation.
    pub active: Vec<ActiveText>,
    /// All tools that they brought, in that order.
    pub tools: Vec<String>,
}

record!(write Boundary { active: "active", tools: "tools" });

/// One active skill for the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveText {
    /// Its id.
    pub id: String,
    /// Its body with arguments.
    pub text: String,
    /// Its tools.
    pub tools: Vec<String>,
}

record!(write ActiveText { id: "id", text: "text", tools: "tools" });

/// What a synchronisation dropped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dropped {
    /// No longer in the catalog, or no longer allowed.
    pub removed: Vec<String>,
    /// Another entry has the id now.
    pub changed: Vec<String>,
}

record!(write Dropped { removed: "removed", changed: "changed" });

impl Catalog {
    /// Loads a skill and stages it. What is active already with the same text and tools is not staged again; a refused
    /// load changes nothing.
    ///
    /// # Errors
    /// As [`Catalog::load`].
    pub fn session_load(
        &self,
        state: &mut SessionState,
        id: &str,
        options: &LoadOptions,
        host_counter: Option<HostCounter>,
    ) -> Result<LoadResult, Error> {
        let result = self.load(id, options, host_counter)?;
        let LoadResult::Loaded(_) = &result else { return Ok(result) };
        let host_tools = options.host_tools.as_deref().unwrap_or(&state.host_tools);
        let Ok(prepared) = load::prepare(self, id, options) else { return Ok(result) };
        let skill = prepared.skill;
        if let Some(tool) = Taken::of(state, host_tools).conflict(skill) {
            let text = format!("Error: Conflicting tool name: {}.", quoted(tool));
            return Ok(LoadResult::Refused(Refused::new(id, "tool_conflict", text)));
        }
        let entry = entry_of(&prepared, options.actor);
        if let Some(tools) = &options.host_tools {
            state.host_tools.clone_from(tools);
        }
        state.pending.retain(|one| one.id != entry.id);
        if !state.active.iter().any(|one| is_same(one, &entry)) {
            state.pending.push(entry);
        }
        state.note_staged();
        Ok(result)
    }

    /// Drops what this catalog no longer has as it was, or no longer allows.
    pub fn synchronize(&self, state: &mut SessionState, options: &LoadOptions) -> Dropped {
        let policy = options.policy();
        let mut dropped = Dropped::default();
        let mut keep = |one: &ActiveSkill| match self.get(&one.id) {
            Some(skill) if policy.may_be_active(skill) && hex(skill.hash) == one.entry => true,
            Some(skill) if policy.may_be_active(skill) => {
                dropped.changed.push(one.id.clone());
                false
            }
            _ => {
                dropped.removed.push(one.id.clone());
                false
            }
        };
        state.active.retain(&mut keep);
        state.pending.retain(&mut keep);
        state.rules.retain(|rule| self.get(&rule.id).is_some_and(|skill| hex(skill.hash) == rule.entry));
        state.note_staged();
        for ids in [&mut dropped.removed, &mut dropped.changed] {
            ids.sort_unstable();
            ids.dedup();
        }
        dropped
    }

    /// The next model request is about to be made: drops what is gone, loads what is required, makes staged skills
    /// active.
    ///
    /// # Errors
    /// `required_failed` with the reason; the state is as before then.
    pub fn boundary(&self, state: &mut SessionState, options: &BoundaryOptions) -> Result<Boundary, Error> {
        let mut next = state.clone();
        self.synchronize(&mut next, &options.load);
        if let Some(tools) = &options.host_tools {
            next.host_tools.clone_from(tools);
        }
        let mut taken = Taken::of(&next, &next.host_tools);
        let mut staging = Staging::of(std::mem::take(&mut next.pending));
        let mut places: HashMap<String, usize> =
            next.active.iter().enumerate().rev().map(|(place, one)| (one.id.clone(), place)).collect();
        for id in &options.required {
            let entry = self.required(&taken, id, options)?;
            staging.remove(&entry.id);
            if !places.get(&entry.id).is_some_and(|place| is_same(&next.active[*place], &entry)) {
                taken.add(&entry);
                staging.put(entry);
            }
        }
        next.turn = next.turn.saturating_add(1);
        for mut entry in staging.entries.into_iter().flatten() {
            entry.turn = next.turn;
            let place = *places.entry(entry.id.clone()).or_insert(next.active.len());
            match next.active.get_mut(place) {
                Some(active) => *active = entry,
                None => next.active.push(entry),
            }
        }
        next.note_staged();
        let boundary = Boundary {
            tools: next.active.iter().flat_map(|one| one.tools.clone()).collect(),
            active: (next.active.iter())
                .map(|one| ActiveText { id: one.id.clone(), text: one.text.clone(), tools: one.tools.clone() })
                .collect(),
        };
        *state = next;
        Ok(boundary)
    }

    /// A required skill as it is now. The host asks, so it matters not who else may start the skill.
    fn required(&self, taken: &Taken, id: &str, options: &BoundaryOptions) -> Result<ActiveSkill, Error> {
        let failed =
            |why: String| Error::at("required_failed", "options.required", format!("{id:?} is required, but {why}"));
        let skill = self.get(id).ok_or_else(|| failed("there is no such skill".into()))?;
        if !options.load.policy().may_be_active(skill) {
            return Err(failed("it is not available".into()));
        }
        let body = options.bodies.get(&*skill.id).map(String::as_str).or(skill.instructions.as_deref());
        let body = body.ok_or_else(|| failed("its instructions are not loaded".into()))?;
        if let Some(tool) = taken.conflict(skill) {
            return Err(failed(format!("its tool {tool:?} is there already")));
        }
        Ok(ActiveSkill {
            id: skill.id.to_string(),
            hash: load::body_hash(body),
            text: body.to_owned(),
            tools: skill.details().tools.clone(),
            entry: hex(skill.hash),
            ..ActiveSkill::default()
        })
    }
}

/// Who has which tool, so that asking for a conflict doesn't go through all of them.
#[derive(Default)]
struct Taken {
    /// Tool to the number of the skill that has it, or to [`OTHERS`].
    owners: HashMap<String, usize>,
    numbers: HashMap<String, usize>,
}

/// The host, or several skills.
const OTHERS: usize = usize::MAX;

impl Taken {
    fn of(state: &SessionState, host_tools: &[String]) -> Self {
        let mut taken = Self::default();
        for one in state.active.iter().chain(&state.pending) {
            taken.add(one);
        }
        taken.owners.extend(host_tools.iter().map(|tool| (tool.clone(), OTHERS)));
        taken
    }

    fn add(&mut self, entry: &ActiveSkill) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(entry.id.clone()).or_insert(next);
        for tool in &entry.tools {
            let owner = self.owners.entry(tool.clone()).or_insert(number);
            *owner = if *owner == number { number } else { OTHERS };
        }
    }

    /// A tool of the skill that the host or another skill has already.
    fn conflict<'a>(&self, skill: &'a Skill) -> Option<&'a String> {
        let own = self.numbers.get(&*skill.id);
        skill.details().tools.iter().find(|tool| self.owners.get(*tool).is_some_and(|owner| Some(owner) != own))
    }
}

/// Staged skills, of which each has one place: a later entry takes the place of an earlier one and goes to the end.
struct Staging {
    entries: Vec<Option<ActiveSkill>>,
    places: HashMap<String, usize>,
}

impl Staging {
    fn of(entries: Vec<ActiveSkill>) -> Self {
        let mut staging = Self { entries: Vec::new(), places: HashMap::new() };
        for entry in entries {
            staging.put(entry);
        }
        staging
    }

    fn remove(&mut self, id: &str) {
        if let Some(&place) = self.places.get(id) {
            self.entries[place] = None;
        }
    }

    fn put(&mut self, entry: ActiveSkill) {
        self.remove(&entry.id);
        self.places.insert(entry.id.clone(), self.entries.len());
        self.entries.push(Some(entry));
    }
}

fn entry_of(prepared: &Prepared, actor: Actor) -> ActiveSkill {
    let skill = prepared.skill;
    let called = !prepared.arguments.is_empty();
    ActiveSkill {
        id: skill.id.to_string(),
        hash: prepared.hash(),
        text: prepared.body.to_string(),
        tools: skill.details().tools.clone(),
        turn: 0,
        arguments: called.then(|| prepared.arguments.clone()),
        template: (called && prepared.body != prepared.template).then(|| prepared.template.to_owned()),
        entry: hex(skill.hash),
        actor,
    }
}

fn is_same(a: &ActiveSkill, b: &ActiveSkill) -> bool {
    a.id == b.id && a.text == b.text && a.tools == b.tools && a.entry == b.entry && a.arguments == b.arguments
}
