//! One skill as the catalog holds it: what every stage reads, small; what few read, boxed apart.

use crate::json::{names, record};
use crate::stored::{Spare, Stored};
use crate::value::Map;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// A procedure that the model may load.
    #[default]
    Skill,
    /// Rules of a folder, such as AGENTS.md; never part of a listing.
    Rule,
}

names!(Kind { Skill: "skill", Rule: "rule" });

/// One valid entry of a catalog.
#[derive(Debug, Clone, PartialEq, Default)]
#[allow(clippy::struct_excessive_bools)] // independent facts of the format, each with a name of its own
pub struct Skill {
    /// Unique key in its catalog.
    pub id: Stored,
    /// Name as written.
    pub name: Stored,
    /// What the skill does and when to use it; may be empty.
    pub description: Stored,
    /// When it applies, where the author wrote this apart from the description; may be empty.
    pub when_to_use: Spare,
    /// The full body, where the catalog holds it.
    pub instructions: Option<Spare>,
    /// Price in tokens of a body that is loaded later.
    pub instruction_tokens: Option<u32>,
    /// Skill or rule.
    pub kind: Kind,
    /// Higher comes first among equals; default 0.
    pub priority: f64,
    /// False: nobody sees or loads it.
    pub enabled: bool,
    /// False: only the user may start it.
    pub model_invocable: bool,
    /// False: only the model may start it.
    pub user_invocable: bool,
    /// Rank of `source` among the catalog's scopes, 0 the strongest.
    pub scope_rank: u8,
    /// Base folder, file or URI; may be empty.
    pub location: Spare,
    /// Where it comes from: `project`, `user`, `plugin:<id>`, `builtin`, …; may be empty.
    pub source: Spare,
    /// Another skill of the catalog has the same name; formats with one key then print the id.
    pub shares_name: bool,
    /// Hash of the entry without a body that a loader supplied: its identity.
    pub hash: u64,
    /// Place in the input.
    pub position: u32,
    /// Everything that few stages read.
    pub details: Option<Box<Details>>,
}

/// The rarely used part of a skill.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Details {
    /// Exact phrases that call for the skill.
    pub triggers: Vec<String>,
    /// What it must not be used for.
    pub not_for: Vec<String>,
    /// Globs; files in play that match are evidence.
    pub paths: Vec<String>,
    /// For rules: the folder that they govern.
    pub scope: Option<String>,
    /// Files beside the skill, relative to its location.
    pub resources: Vec<String>,
    /// Free labels.
    pub tags: Vec<String>,
    /// One free label.
    pub category: Option<String>,
    /// Version as written.
    pub version: Option<String>,
    /// Licence as written.
    pub license: Option<String>,
    /// What it needs to run, as written.
    pub compatibility: Option<String>,
    /// Free data of the author.
    pub metadata: Option<Map>,
    /// Tools that the skill pre-approves; `None` is not an empty list.
    pub allowed_tools: Option<Vec<String>>,
    /// Tools that become available with it.
    pub tools: Vec<String>,
    /// `default`, `restricted`, `open`, or the host's own.
    pub permission_profile: Option<String>,
    /// Mode for a request that names none.
    pub default_mode: Option<String>,
    /// `inline` or `fork`.
    pub execution_context: Option<String>,
    /// Model to use while active.
    pub model_override: Option<String>,
    /// Effort to use while active.
    pub effort_override: Option<String>,
    /// Policy on prompt blocks while active.
    pub prompt_block_policy: Option<Map>,
    /// Declared arguments, in order.
    pub arguments: Vec<String>,
    /// Hint for the user, such as `[issue-number]`.
    pub argument_hint: Option<String>,
    /// Conversations that show the skill.
    pub examples: Vec<Example>,
    /// Cases that the skill is measured by.
    pub evaluation_cases: Vec<EvaluationCase>,
    /// Vector of the host's embedding model.
    pub vector: Option<Vec<f32>>,
    /// Keys that the catalog did not know.
    pub extra: Map,
}

record!(write Details { triggers: "triggers", not_for: "notFor", paths: "paths", scope: "scope", resources: "resources", tags: "tags", category: "category", version: "version", license: "license", compatibility: "compatibility", metadata: "metadata", allowed_tools: "allowedTools", tools: "tools", permission_profile: "permissionProfile", default_mode: "defaultMode", execution_context: "executionContext", model_override: "modelOverride", effort_override: "effortOverride", prompt_block_policy: "promptBlockPolicy", arguments: "arguments", argument_hint: "argumentHint", examples: "examples", evaluation_cases: "evaluationCases", vector: "vector", extra: "extra" });

/// One example conversation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Example {
    /// Short title.
    pub title: Option<String>,
    /// What the user says.
    pub user_input: String,
    /// What the assistant answers.
    pub assistant_output: Option<String>,
    /// Remarks.
    pub notes: Option<String>,
}

record!(write Example { title: "title", user_input: "userInput", assistant_output: "assistantOutput", notes: "notes" });

/// One evaluation case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EvaluationCase {
    /// Key of the case.
    pub case_id: String,
    /// Short title.
    pub title: Option<String>,
    /// What the user says.
    pub input: String,
    /// What should happen.
    pub expected_behavior: Option<String>,
    /// Tools that must be used.
    pub required_tools: Vec<String>,
    /// Free labels.
    pub tags: Vec<String>,
}

record!(write EvaluationCase { case_id: "caseId", title: "title", input: "input", expected_behavior: "expectedBehavior", required_tools: "requiredTools", tags: "tags" });

static NO_DETAILS: std::sync::OnceLock<Details> = std::sync::OnceLock::new();

impl Skill {
    /// The rarely used fields; the same empty value for every skill that has none.
    #[must_use]
    pub fn details(&self) -> &Details {
        self.details.as_deref().unwrap_or_else(|| NO_DETAILS.get_or_init(Details::default))
    }

    /// Description, then `when_to_use` after a space unless the description already contains it.
    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        let (description, when) = (self.description.trim(), self.when_to_use.trim());
        if when.is_empty() || description.contains(when) {
            description.into()
        } else if description.is_empty() {
            when.into()
        } else {
            format!("{description} {when}").into()
        }
    }
}
