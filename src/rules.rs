//! Rules of folders: which ones govern a batch of paths, as one element, the nearest last.

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
        for rule in governing {
            state.rules.retain(|known| *known.id != *rule.id);
            state.rules.push(KnownRule { id: rule.id.to_string(), entry: hex(rule.hash) });
        }
        Ok(rules)
    }

    /// Which rules work on `paths` would newly reveal.
    #[must_use]
    pub fn session_enter(&self, state: &SessionState, paths: &[String], options: &LoadOptions) -> Entered {
        let known = |rule: &Skill| state.rules.iter().any(|one| one.id == *rule.id && one.entry == hex(rule.hash));
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

/// As many of the nearest rules as fit, each of them whole.
fn fitting(governing: &[&Skill], budget: Option<u32>, counter: &Counter) -> Result<Rules, Error> {
    let mut chosen: Vec<&Skill> = Vec::new();
    let mut omitted: Vec<String> = Vec::new();
    for rule in governing.iter().rev() {
        chosen.insert(0, rule);
        let left_out = governing.len() - chosen.len();
        if let Some(budget) = budget
            && counter.count(&element(&chosen, left_out))? > budget
        {
            chosen.remove(0);
            omitted.insert(0, rule.id.to_string());
        }
    }
    if chosen.is_empty() {
        return Ok(Rules { omitted, ..Rules::default() });
    }
    let xml = element(&chosen, omitted.len());
    let tokens = counter.count(&xml)?;
    Ok(Rules { tokens, ids: chosen.iter().map(|rule| rule.id.to_string()).collect(), omitted, xml })
}

fn element(rules: &[&Skill], omitted: usize) -> String {
    let mut out = String::from("<rules");
    if omitted > 0 {
        attribute(&mut out, "omitted", &omitted.to_string());
    }
    out.push_str(">\n");
    for rule in rules {
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
