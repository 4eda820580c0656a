//! What the active skills ask of the host: one result, for the host to apply. Reported, never enforced.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::catalog::Catalog;
use crate::error::{Diagnostic, Severity};
use crate::options::Options;
use crate::skill::Skill;

/// What the host's request already says.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct Request {
    /// The mode asked for; a skill's default fills it only where it is absent.
    pub mode: Option<String>,
    /// Tools allowed already.
    pub allowlist: Option<Vec<String>>,
}

/// The joined policy of the active skills.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolPolicy {
    /// Tools, each once: the request's, the skills' in the order of activation, the load tool. `None` where nobody lists any.
    pub allowed_tools: Option<Vec<String>>,
    /// True where a skill is restricted, false where one is open and none restricted.
    pub strict_side_effects: Option<bool>,
    /// Mode for a request without one.
    pub default_mode: Option<String>,
    /// Policy on prompt blocks.
    pub prompt_block_policy: Option<Map<String, Value>>,
    /// Model to use.
    pub model_override: Option<String>,
    /// Effort to use.
    pub effort_override: Option<String>,
    /// `inline` or `fork`.
    pub execution_context: Option<String>,
    /// Each active skill's own list.
    pub by_skill: BTreeMap<String, SkillTools>,
}

/// One skill's own list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillTools {
    /// `None` where it lists none, which is not an empty list.
    pub allowed_tools: Option<Vec<String>>,
}

/// Joins the policies of `active`, in the order of activation. Unknown ids are skipped.
pub(crate) fn bridge(
    catalog: &Catalog,
    active: &[String],
    request: &Request,
    options: &Options,
) -> (ToolPolicy, Vec<Diagnostic>) {
    let skills: Vec<&Skill> = active.iter().filter_map(|id| catalog.get(id)).filter(|skill| skill.enabled).collect();
    let mut diagnostics = Vec::new();
    let mut last = |field: &str, value: fn(&Skill) -> Option<&String>| {
        let values: Vec<(&Skill, &String)> = skills.iter().filter_map(|skill| Some((*skill, value(skill)?))).collect();
        let (winner, chosen) = values.last()?;
        if values.iter().any(|(_, other)| other != chosen) {
            let message = format!("active skills differ in {field}; the last activated, {:?}, wins", winner.id);
            diagnostics.push(Diagnostic::new("policy_conflict", Severity::Info, message).skill(&winner.id));
        }
        Some((*chosen).clone()).filter(|text| !text.is_empty())
    };
    let default_mode = last("defaultMode", |skill| skill.details().default_mode.as_ref());
    let policy = ToolPolicy {
        default_mode: if request.mode.is_some() { None } else { default_mode },
        model_override: last("modelOverride", |skill| skill.details().model_override.as_ref()),
        effort_override: last("effortOverride", |skill| skill.details().effort_override.as_ref()),
        execution_context: last("executionContext", |skill| skill.details().execution_context.as_ref()),
        allowed_tools: allowed_tools(&skills, request, options),
        strict_side_effects: strict_side_effects(&skills),
        prompt_block_policy: skills.iter().rev().find_map(|skill| skill.details().prompt_block_policy.clone()),
        by_skill: skills
            .iter()
            .map(|skill| (skill.id.to_string(), SkillTools { allowed_tools: skill.details().allowed_tools.clone() }))
            .collect(),
    };
    (policy, diagnostics)
}

fn allowed_tools(skills: &[&Skill], request: &Request, options: &Options) -> Option<Vec<String>> {
    let of_skills: Vec<&Vec<String>> =
        skills.iter().filter_map(|skill| skill.details().allowed_tools.as_ref()).collect();
    if request.allowlist.is_none() && of_skills.is_empty() {
        return None;
    }
    let all = request.allowlist.iter().chain(of_skills).flatten().chain([&options.tool_names.load]);
    let mut seen = std::collections::HashSet::new();
    Some(all.filter(|name| seen.insert(name.as_str())).cloned().collect())
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
