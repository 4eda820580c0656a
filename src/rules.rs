//! Rules of folders: which ones govern a batch of paths, as one element, the nearest last.

use std::collections::HashMap;

use crate::catalog::Catalog;
use crate::cost::{Counter, HostCounter};
use crate::error::Error;
use crate::folder::Folder;
use crate::json::{FromJson, object, record, serde_read, take};
use crate::load;
use crate::loaded::LoadOptions;
use crate::options::Budget;
use crate::skill::{Kind, Skill};
use crate::state::{KnownRule, SessionState, hex};
use crate::text::{fold, push_attribute, push_text, strip};
use crate::value::Value;

/// How rules are written.
#[derive(Debug, Clone, Default)]
pub struct RulesOptions {
    /// Tokens of the whole element; default as for a selection.
    pub budget: Budget,
    /// Policy and tokenizer; the other fields are not read.
    pub load: LoadOptions,
}

impl FromJson for RulesOptions {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        let mut fields = object(value, place)?;
        let mut options = Self::default();
        let mut first = None;
        take(&mut fields, "budget", &mut options.budget, place, &mut first);
        options.load = LoadOptions::from_json(Value::Object(fields), place)?;
        first.map_or(Ok(options), Err)
    }
}
serde_read!(RulesOptions);

/// The rules of some paths.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    /// One element; empty for no rules.
    pub xml: String,
    /// Ids of the rules in it, in their order.
    pub ids: Vec<String>,
    /// Tokens of `xml`.
    pub tokens: u32,
    /// Ids of the rules that had no room; the farthest go first.
    pub omitted: Vec<String>,
}

record!(write Rules { xml: "xml", ids: "ids", tokens: "tokens", omitted: "omitted" });

/// What a batch of paths would reveal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entered {
    /// Ids of rules that govern the paths and that the model has not been shown as they are, nearest last.
    pub reveals: Vec<String>,
    /// Whether to put the batch off until the model has seen them.
    pub defer: bool,
}

record!(write Entered { reveals: "reveals", defer: "defer" });

impl Catalog {
    /// The rules that govern `paths`, nearest last; the session remembers that the model has seen them.
    ///
    /// # Errors
    /// `invalid_budget`; the host's own errors where its counter fails.
    pub fn session_rules(
        &self,
        state: &mut SessionState,
        paths: &[String],
        options: &RulesOptions,
        host_counter: Option<HostCounter>,
    ) -> Result<Rules, Error> {
        let budget = options.budget.tokens()?;
        let governing = self.governing(paths, &options.load);
        let rules = fitting(&governing, budget, &load::counter(&options.load, host_counter))?;
        let shown: HashMap<&str, usize> = governing.iter().enumerate().map(|(at, rule)| (&*rule.id, at)).collect();
        state.rules.retain(|known| !shown.contains_key(&*known.id));
        let known = |rule: &&Skill| KnownRule { id: rule.id.to_string(), entry: hex(rule.hash) };
        state.rules.extend(governing.iter().map(known));
        Ok(rules)
    }

    /// Which rules work on `paths` would newly reveal.
    #[must_use]
    pub fn session_enter(&self, state: &SessionState, paths: &[String], options: &LoadOptions) -> Entered {
        let seen: HashMap<&str, usize> = state.rules.iter().enumerate().map(|(at, one)| (&*one.id, at)).collect();
        let known = |rule: &Skill| seen.get(&*rule.id).is_some_and(|at| state.rules[*at].entry == hex(rule.hash));
        let new = self.governing(paths, options).into_iter().filter(|rule| !known(rule));
        let reveals: Vec<String> = new.map(|rule| rule.id.to_string()).collect();
        Entered { defer: !reveals.is_empty(), reveals }
    }

    /// Rules whose folder holds one of the paths: from the root down, then by priority, then by id.
    fn governing(&self, paths: &[String], options: &LoadOptions) -> Vec<&Skill> {
        let policy = options.policy();
        let paths: Vec<Folder> = paths.iter().map(|path| Folder::of(path)).collect();
        let mut found: Vec<(Folder, &Skill)> = Vec::new();
        for rule in self.skills.iter().filter(|skill| skill.kind == Kind::Rule && policy.may_be_active(skill)) {
            let scope = Folder::of(rule.details().scope.as_deref().unwrap_or_default());
            if rule.instructions.is_some() && paths.iter().any(|path| scope.governs(path)) {
                found.push((scope, rule));
            }
        }
        found.sort_by(|(a, left), (b, right)| {
            let nearer = a.parts.len().cmp(&b.parts.len());
            nearer.then_with(|| a.parts.cmp(&b.parts)).then_with(|| left.priority.total_cmp(&right.priority))
        });
        found.into_iter().map(|(_, rule)| rule).collect()
    }
}

/// Rules without room that are tried before those farther away are left out without a try.
const MISSES: usize = 64;

/// As many of the nearest rules as fit, each of them whole.
fn fitting(governing: &[&Skill], budget: Option<u32>, counter: &Counter) -> Result<Rules, Error> {
    let nearest: Vec<&Skill> = governing.iter().rev().copied().collect();
    let fits = |chosen: &[&Skill]| -> Result<bool, Error> {
        let left_out = nearest.len() - chosen.len();
        Ok(match budget {
            Some(budget) => counter.count(&element(chosen, left_out))? <= budget,
            None => true,
        })
    };
    let first = longest(nearest.len(), |length| fits(&nearest[..length]))?;
    let mut chosen: Vec<&Skill> = nearest[..first].to_vec();
    let mut omitted: Vec<&Skill> = Vec::new();
    for &rule in &nearest[first..] {
        chosen.push(rule);
        if omitted.len() >= MISSES || !fits(&chosen)? {
            omitted.extend(chosen.pop());
        }
    }
    let ids = |rules: &[&Skill]| rules.iter().rev().map(|rule| rule.id.to_string()).collect::<Vec<_>>();
    let omitted = ids(&omitted);
    if chosen.is_empty() {
        return Ok(Rules { omitted, ..Rules::default() });
    }
    let xml = element(&chosen, omitted.len());
    let tokens = counter.count(&xml)?;
    Ok(Rules { tokens, ids: ids(&chosen), omitted, xml })
}

/// The greatest number up to `most` that fits, found in steps that double and halve.
fn longest(most: usize, fits: impl Fn(usize) -> Result<bool, Error>) -> Result<usize, Error> {
    let (mut fitting, mut step) = (0, 1);
    while fitting < most && fits((fitting + step).min(most))? {
        fitting = (fitting + step).min(most);
        step *= 2;
    }
    while step > 1 {
        step /= 2;
        if fitting + step <= most && fits(fitting + step)? {
            fitting += step;
        }
    }
    Ok(fitting)
}

/// The element of rules, which come nearest first and are written nearest last.
fn element(rules: &[&Skill], omitted: usize) -> String {
    let mut out = String::from("<rules");
    if omitted > 0 {
        attribute(&mut out, "omitted", &omitted.to_string());
    }
    out.push_str(">\n");
    for rule in rules.iter().rev() {
        out.push_str("<rule");
        attribute(&mut out, "id", &strip(&rule.id));
        if let Some(scope) = rule.details().scope.as_deref().filter(|scope| !scope.is_empty()) {
            attribute(&mut out, "scope", &fold(scope));
        }
        out.push_str(">\n");
        push_text(&mut out, &strip(rule.instructions.as_deref().unwrap_or_default()));
        out.push_str("\n</rule>\n");
    }
    out.push_str("</rules>");
    out
}

fn attribute(out: &mut String, name: &str, value: &str) {
    for piece in [" ", name, "=\""] {
        out.push_str(piece);
    }
    push_attribute(out, value);
    out.push('"');
}
