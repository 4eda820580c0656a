//! After a compaction: which bodies go back into the conversation, and how much of each.

use crate::arguments::Arguments;
use crate::catalog::Catalog;
use crate::cost::HostCounter;
use crate::error::Error;
use crate::json::{FromJson, object, serde_read, take};
use crate::load;
use crate::loaded::{LoadOptions, LoadResult};
use crate::options::{Budget, in_range};
use crate::state::{ActiveSkill, SessionState, hex};
use crate::value::Value;

/// Tokens of all bodies together, where the host says nothing.
pub const REATTACH_BUDGET: u32 = 25_000;
/// Tokens of one body, where the host says nothing.
pub const REATTACH_PER_SKILL: u32 = 5_000;

/// How much may go back.
#[derive(Debug, Clone)]
pub struct ReattachOptions {
    /// Tokens of all; default [`REATTACH_BUDGET`].
    pub budget: Budget,
    /// Tokens of each; default [`REATTACH_PER_SKILL`].
    pub per_skill: f64,
    /// Policy, format, tokenizer and messages, as for a load; the other fields are not read.
    pub load: LoadOptions,
}

impl Default for ReattachOptions {
    fn default() -> Self {
        Self {
            budget: Budget::Tokens(f64::from(REATTACH_BUDGET)),
            per_skill: f64::from(REATTACH_PER_SKILL),
            load: LoadOptions::default(),
        }
    }
}

impl FromJson for ReattachOptions {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        let mut fields = object(value, place)?;
        let mut options = Self::default();
        let mut first = None;
        take(&mut fields, "budget", &mut options.budget, place, &mut first);
        take(&mut fields, "perSkill", &mut options.per_skill, place, &mut first);
        options.load = LoadOptions::from_json(Value::Object(fields), place)?;
        first.map_or(Ok(options), Err)
    }
}
serde_read!(ReattachOptions);

impl Catalog {
    /// Loads of the active skills whose body is no longer in the messages: the newest first, each without the arguments
    /// of its old call, cut where it is too long. One that no part of fits is refused with `max_tokens_too_small`.
    ///
    /// # Errors
    /// `invalid_budget` and `invalid_option`; the host's own errors where its counter fails.
    pub fn reattach(
        &self,
        state: &SessionState,
        options: &ReattachOptions,
        host_counter: Option<HostCounter>,
    ) -> Result<Vec<LoadResult>, Error> {
        in_range("options.perSkill", Some(options.per_skill), 0.0, f64::INFINITY)?;
        let mut left = options.budget.tokens()?.map_or(f64::INFINITY, f64::from);
        let mut newest: Vec<&ActiveSkill> = state.active.iter().rev().collect();
        newest.sort_by_key(|one| std::cmp::Reverse(one.turn));
        let mut results = Vec::new();
        for entry in newest {
            let Some(load) = self.fresh(entry, options, options.per_skill.min(left)) else { continue };
            let result = self.load(&entry.id, &load, host_counter)?;
            if let LoadResult::Loaded(loaded) = &result {
                left -= f64::from(loaded.tokens);
            }
            results.push(result);
        }
        Ok(results)
    }

    /// How to load a skill again; `None` where it must or need not be.
    fn fresh(&self, entry: &ActiveSkill, options: &ReattachOptions, most: f64) -> Option<LoadOptions> {
        let skill = self.get(&entry.id).filter(|skill| hex(skill.hash) == entry.entry)?;
        let wanted = skill.details().extra.get("reattach") != Some(&Value::Bool(false));
        let body = || entry.template.as_ref().unwrap_or(&entry.text).clone();
        let instructions = skill.instructions.is_none().then(body);
        let load = LoadOptions { actor: entry.actor, instructions, max_tokens: Some(most), ..options.load.clone() };
        let load = LoadOptions { arguments: Arguments::None, offset: None, force: true, messages: Vec::new(), ..load };
        let called =
            LoadOptions { arguments: entry.arguments.clone().map_or(Arguments::None, Arguments::Text), ..load.clone() };
        let is_in = |load: &LoadOptions| {
            load::prepare(self, &entry.id, load).is_ok_and(|prepared| prepared.is_in(&options.load.messages))
        };
        let may = options.load.policy().may_be_active(skill) && load.policy().refusal(skill).is_none();
        (wanted && may && !is_in(&load) && !is_in(&called)).then_some(load)
    }
}
