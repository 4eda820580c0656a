//! What the active skills ask of the host: one result, for the host to apply. Reported, never enforced.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostic, Severity};
use crate::eligible::Policy;
use crate::json::record;
use crate::options::Options;
use crate::skill::Skill;
use crate::value::Map;

/// What the host's request already says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Request {
    /// The mode asked for; a skill's default fills it only where it is absent or blank.
    pub mode: Option<String>,
    /// Tools allowed already; they come first.
    pub allowlist: Option<Vec<String>>,
    /// Policy on prompt blocks that is set already; a skill's applies only where none is.
    pub prompt_block_policy: Option<Map>,
}

record!(read Request { mode: "mode", allowlist: "allowlist", prompt_block_policy: "promptBlockPolicy" });

/// The joined policy of the active skills.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolPolicy {
    /// Tools, each once: the request's, the skills' in the order of activation, the load tool. `None` where nobody lists any.
    pub allowed_tools: Option<Vec<String>>,
    /// True where a skill is restricted, false where one is open and none restricted.
    pub strict_side_effects: Option<bool>,
    /// Mode for a request without one.
    pub default_mode: Option<String>,
    /// Policy on prompt blocks for a request without one.
    pub prompt_block_policy: Option<Map>,
    /// Model to use.
    pub model_override: Option<String>,
    /// Effort to use.
    pub effort_override: Option<String>,
    /// `inline` or `fork`.
    pub execution_context: Option<String>,
    /// Each active skill's own list.
    pub by_skill: BTreeMap<String, SkillTools>,
    /// Where active skills differ and the last one won.
    pub diagnostics: Vec<Diagnostic>,
}

record!(write ToolPolicy { by_skill: "bySkill", diagnostics: "diagnostics" } null { allowed_tools: "allowedTools", strict_side_effects: "strictSideEffects", default_mode: "defaultMode", prompt_block_policy: "promptBlockPolicy", model_override: "modelOverride", effort_override: "effortOverride", execution_context: "executionContext" });

/// One skill's own list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkillTools {
    /// `None` where it lists none, which is not an empty list.
    pub allowed_tools: Option<Vec<String>>,
}

record!(write SkillTools {  } null { allowed_tools: "allowedTools" });

impl Catalog {
    /// Joins what the skills of `active` ask for, in the order of activation. Ids that are unknown, disabled or denied
    /// are skipped, and each counts once.
    #[must_use]
    pub fn policy(&self, active: &[String], request: &Request, options: &Options) -> ToolPolicy {
        let policy = Policy::new(options, None);
        let mut seen = std::collections::HashSet::new();
        let positions = active.iter().filter_map(|id| self.position(id)).filter(|at| seen.insert(*at));
        let skills: Vec<&Skill> =
            positions.map(|at| &self.skills[at]).filter(|skill| policy.may_be_active(skill)).collect();
        bridge(&skills, request, options)
    }
}

fn bridge(skills: &[&Skill], request: &Request, options: &Options) -> ToolPolicy {
    let mut diagnostics = Vec::new();
    let mut text = |field, value: fn(&Skill) -> Option<&String>| {
        let values =
            skills.iter().filter_map(|skill| Some((*skill, value(skill).filter(|text| !text.trim().is_empty())?)));
        last(field, &values.collect::<Vec<_>>(), &mut diagnostics).cloned()
    };
    let default_mode = text("defaultMode", |skill| skill.details().default_mode.as_ref());
    let model_override = text("modelOverride", |skill| skill.details().model_override.as_ref());
    let effort_override = text("effortOverride", |skill| skill.details().effort_override.as_ref());
    let execution_context = text("executionContext", |skill| skill.details().execution_context.as_ref());
    let blocks = skills.iter().filter_map(|skill| Some((*skill, skill.details().prompt_block_policy.as_ref()?)));
    let blocks = last("promptBlockPolicy", &blocks.collect::<Vec<_>>(), &mut diagnostics).cloned();
    let asked = request.mode.as_ref().is_some_and(|mode| !mode.trim().is_empty());
    ToolPolicy {
        allowed_tools: allowed_tools(skills, request, options),
        strict_side_effects: strict_side_effects(skills),
        default_mode: default_mode.filter(|_| !asked),
        prompt_block_policy: blocks.filter(|_| request.prompt_block_policy.is_none()),
        model_override,
        effort_override,
        execution_context,
        by_skill: skills
            .iter()
            .map(|skill| (skill.id.to_string(), SkillTools { allowed_tools: skill.details().allowed_tools.clone() }))
            .collect(),
        diagnostics,
    }
}

/// The value of the last skill; a remark where another had another.
fn last<'a, T: PartialEq>(field: &str, values: &[(&Skill, &'a T)], diagnostics: &mut Vec<Diagnostic>) -> Option<&'a T> {
    let (winner, chosen) = values.last()?;
    if values.iter().any(|(_, other)| other != chosen) {
        let message = format!("active skills differ in {field}; the last activated, {:?}, wins", winner.id);
        diagnostics.push(Diagnostic::new("policy_conflict", Severity::Info, message).skill(&winner.id));
    }
    Some(chosen)
}

fn allowed_tools(skills: &[&Skill], request: &Request, options: &Options) -> Option<Vec<String>> {
    let of_skills: Vec<&Vec<String>> =
        skills.iter().filter_map(|skill| skill.details().allowed_tools.as_ref()).collect();
    if request.allowlist.is_none() && of_skills.is_empty() {
        return None;
    }
    let all = request.allowlist.iter().chain(of_skills).flatten().map(String::as_str).chain([options.load_tool()]);
    let mut seen = std::collections::HashSet::new();
    Some(all.filter(|name| seen.insert(*name)).map(str::to_owned).collect())
}

fn strict_side_effects(skills: &[&Skill]) -> Option<bool> {
    let profile = |name: &str| skills.iter().any(|skill| skill.details().permission_profile.as_deref() == Some(name));
    if profile("restricted") {
        Some(true)
    } else if profile("open") {
        Some(false)
    } else {
        None
    }
}
