//! What a load is asked and what it answers.

use crate::arguments::Arguments;
use crate::eligible::Policy;
use crate::error::Error;
use crate::json::{ToJson, record, serde_write};
use crate::options::{Actor, Rule, ToolNames, UserConfig, check_rules, in_range};
use crate::tokens::Tokenizer;
use crate::value::Value;
use crate::wrapper::LoadFormat;

/// How a skill is loaded. `LoadOptions::default()` is a plain call of the model.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Put into the body; see the rules in docs/loading.md.
    pub arguments: Arguments,
    /// Who asks; default the model.
    pub actor: Actor,
    /// Default `agentpool`.
    pub format: LoadFormat,
    /// Most tokens of the tool result; default none.
    pub max_tokens: Option<f64>,
    /// Characters of the body to leave out at its start: where an earlier part ended. Default 0.
    pub offset: Option<f64>,
    /// The user's own choice.
    pub user: Option<UserConfig>,
    /// Rules on ids.
    pub rules: Vec<Rule>,
    /// Not to be loaded.
    pub exclude: Vec<String>,
    /// What the host has; a skill that brings other tools is not available. Default: not asked.
    pub tools: Option<Vec<String>>,
    /// The conversation; a body that stands in it is not repeated.
    pub messages: Vec<Value>,
    /// Repeat it all the same; default false.
    pub force: bool,
    /// The body, where the catalog does not hold it.
    pub instructions: Option<String>,
    /// In a session: tools of the host, without those that skills brought; a skill that brings one of them is refused.
    pub host_tools: Option<Vec<String>>,
    /// What the host calls the tools.
    pub tool_names: ToolNames,
    /// Whose tokens are estimated; default `o200k`.
    pub tokenizer: Tokenizer,
    /// Factor on estimated tokens; default 1.
    pub safety: Option<f64>,
}

record!(read LoadOptions { arguments: "arguments", actor: "actor", format: "format", max_tokens: "maxTokens", offset: "offset", user: "user", rules: "rules", exclude: "exclude", tools: "tools", messages: "messages", force: "force", instructions: "instructions", host_tools: "hostTools", tool_names: "toolNames", tokenizer: "tokenizer", safety: "safety" });

impl LoadOptions {
    pub(crate) fn validate(&self) -> Result<(), Error> {
        check_rules(&self.rules)?;
        in_range("options.maxTokens", self.max_tokens, 0.0, f64::INFINITY)?;
        in_range("options.offset", self.offset, 0.0, f64::INFINITY)?;
        in_range("options.safety", self.safety, 0.1, 10.0)
    }

    pub(crate) fn policy(&self) -> Policy<'_> {
        Policy::of(self.actor, self.user.as_ref(), &self.rules, &self.exclude, self.tools.as_deref())
    }
}

/// What a load gives; both are answers to the model.
#[derive(Debug, Clone, PartialEq)]
pub enum LoadResult {
    /// The body.
    Loaded(Loaded),
    /// Why there is none.
    Refused(Refused),
}

impl ToJson for LoadResult {
    fn write(&self, out: &mut String) {
        match self {
            Self::Loaded(loaded) => loaded.write(out),
            Self::Refused(refused) => refused.write(out),
        }
    }
}
serde_write!(LoadResult);

impl LoadResult {
    /// The tool result for the model.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Loaded(loaded) => &loaded.text,
            Self::Refused(refused) => &refused.text,
        }
    }
}

/// A loaded skill.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// Always true.
    pub ok: bool,
    /// Id of the skill.
    pub id: String,
    /// What was asked for, where it is not the id.
    pub asked: Option<String>,
    /// The tool result.
    pub text: String,
    /// Tokens of `text`.
    pub tokens: u32,
    /// Whether the body goes on behind this part.
    pub truncated: bool,
    /// Where the next part starts.
    pub next_offset: Option<usize>,
    /// Tokens of the whole body in its wrapper.
    pub total_tokens: u32,
    /// Hash of the body.
    pub hash: String,
    /// Tools that become available.
    pub tools: Vec<String>,
    /// Files beside the skill.
    pub resources: Vec<String>,
    /// The body is in the conversation already; `text` only says so.
    pub repeated: bool,
}

record!(write Loaded { ok: "ok", id: "id", asked: "asked", text: "text", tokens: "tokens", truncated: "truncated", next_offset: "nextOffset", total_tokens: "totalTokens", hash: "hash", tools: "tools", resources: "resources", repeated: "repeated" });

/// A load that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Always false.
    pub ok: bool,
    /// What was asked for.
    pub id: String,
    /// Why, for the host: `unknown_skill`, `not_model_invocable`, `not_user_invocable`, `not_available`,
    /// `instructions_not_loaded`, `max_tokens_too_small`, `arguments_too_large`; in a session also `tool_conflict`.
    pub code: &'static str,
    /// The id that was meant, with `instructions_not_loaded`.
    pub resolved: Option<String>,
    /// Why, for the model.
    pub text: String,
    /// Near ids that can be loaded.
    pub suggestions: Vec<String>,
}

record!(write Refused { ok: "ok", id: "id", code: "code", resolved: "resolved", text: "text", suggestions: "suggestions" });

impl Refused {
    pub(crate) fn new(asked: &str, code: &'static str, text: impl Into<String>) -> Self {
        Self { ok: false, id: asked.into(), code, resolved: None, text: text.into(), suggestions: Vec::new() }
    }
}
