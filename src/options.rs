//! What the host asks for: every option with its default, checked once at the door.

use std::collections::BTreeMap;

use crate::decimal::decimal;
use crate::error::Error;
use crate::json::{FromJson, names, record, wrong};
use crate::limits::{MAX_PATTERN_BYTES, MAX_RULES};
use crate::tokens::Tokenizer;
use crate::value::Value;

/// Tokens of a block when the host names no budget.
pub const DEFAULT_BUDGET: u32 = 2000;
/// Share of the budget for the stable part with `placement: "split"`.
pub const DEFAULT_STABLE_SHARE: f64 = 0.6;

/// How much of a skill the block may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// No block.
    Off,
    /// Up to descriptions.
    #[default]
    Metadata,
    /// Up to full instructions.
    Full,
    /// Instructions only where the evidence is strong.
    Auto,
}

names!(Mode { Off: "off", Metadata: "metadata", Full: "full", Auto: "auto" });

/// The form of the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// `<available-skills>` with attributes.
    #[default]
    Agentpool,
    /// `<available_skills>` with child elements.
    Agentskills,
    /// One element, a row a skill.
    Compact,
    /// Plain text rows with an indent of two.
    TwoLayer,
    /// Plain text rows with a header, cut by characters.
    Promethea,
}

names!(Format {
    Agentpool: "agentpool",
    Agentskills: "agentskills",
    Compact: "compact",
    TwoLayer: "two-layer",
    Promethea: "promethea"
});

/// The order of the skills in the block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// The most relevant first.
    #[default]
    Relevance,
    /// By name.
    Name,
    /// As in the catalog's input.
    Catalog,
}

names!(Order { Relevance: "relevance", Name: "name", Catalog: "catalog" });

/// One block, or a stable part and one for this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    /// One block.
    #[default]
    Single,
    /// A part that never changes with the conversation, and the turn's.
    Split,
}

names!(Placement { Single: "single", Split: "split" });

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Actor {
    /// The model, or a listing for it.
    #[default]
    Model,
    /// The user, by name.
    User,
}

names!(Actor { Model: "model", User: "user" });

/// What a rule on ids does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Action {
    /// Listed and loadable.
    #[default]
    Allow,
    /// Listed; the host asks the user before a load.
    Ask,
    /// As if the skill were not there.
    Deny,
}

names!(Action { Allow: "allow", Ask: "ask", Deny: "deny" });

/// A rule on ids; the last one that matches wins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rule {
    /// Id with `*` for any characters and `?` for one.
    pub pattern: String,
    /// What it does.
    pub action: Action,
}

record!(read Rule { pattern: "match", action: "action" });
record!(write Rule { pattern: "match", action: "action" });

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Switch {
    /// Absent: not decided here.
    pub enabled: Option<bool>,
}

record!(read Switch { enabled: "enabled" });
record!(write Switch { enabled: "enabled" });

/// A user's own choice of skills.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserConfig {
    /// The same, nested, as some hosts store it.
    pub skills: Option<Box<UserConfig>>,
    /// Only these, where any are named.
    pub enabled: Option<Vec<String>>,
    /// Never these.
    pub disabled: Option<Vec<String>>,
    /// One by one.
    pub overrides: Option<BTreeMap<String, Switch>>,
    /// The older place for the same.
    pub plugins: Option<BTreeMap<String, Switch>>,
    /// The skill that the user chose.
    pub active: Option<String>,
}

record!(read UserConfig { skills: "skills", enabled: "enabled", disabled: "disabled", overrides: "overrides", plugins: "plugins", active: "active" });
record!(write UserConfig { skills: "skills", enabled: "enabled", disabled: "disabled", overrides: "overrides", plugins: "plugins", active: "active" });

/// What the host calls the tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolNames {
    /// Loads a skill; default `load_skill`, in the format `promethea` its own `skill.run`.
    pub load: Option<String>,
    /// Finds skills that the listing leaves out.
    pub search: String,
    /// Lists skills.
    pub list: String,
}

record!(read ToolNames { load: "load", search: "search", list: "list" });

impl Default for ToolNames {
    fn default() -> Self {
        Self { load: None, search: "search_skills".into(), list: "list_skills".into() }
    }
}

impl ToolNames {
    /// The name of the tool that loads, in a listing of this format.
    #[must_use]
    pub fn load_in(&self, format: Format) -> &str {
        let default = if format == Format::Promethea { "skill.run" } else { "load_skill" };
        self.load.as_deref().unwrap_or(default)
    }
}

/// The options of one selection. `Options::default()` is what a host gets that asks for nothing.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Default `metadata`.
    pub mode: Mode,
    /// Tokens; default [`DEFAULT_BUDGET`].
    pub budget: Budget,
    /// Whose tokens are estimated; default `o200k`.
    pub tokenizer: Tokenizer,
    /// Factor on estimated tokens for tokenizers without public tables; default 1, from 0.1 to 10.
    pub safety: Option<f64>,
    /// Share of the budget for the stable part; default [`DEFAULT_STABLE_SHARE`], from 0 to 1.
    pub stable_share: Option<f64>,
    /// What the host calls the tools.
    pub tool_names: ToolNames,
    /// Longest description in tokens; longer ones are shown as summaries of that length. Default none.
    pub max_description_tokens: Option<f64>,
    /// Show each skill's location; default only in `agentskills`.
    pub location: Option<bool>,
    /// Put bodies of active skills into the block again; default false.
    pub active_bodies: bool,
    /// Rules on ids.
    pub rules: Vec<Rule>,
    /// Most characters, `promethea` only.
    pub max_chars: Option<f64>,
    /// Most characters of a description, `promethea` only.
    pub description_chars: Option<f64>,
    /// Most skills in the block, names included; default none.
    pub max_skills: Option<f64>,
    /// Default `agentpool`.
    pub format: Format,
    /// Default `relevance`.
    pub order: Order,
    /// Default `single`.
    pub placement: Placement,
    /// Listed first and in as much detail as fits.
    pub pinned: Vec<String>,
    /// Like pinned, and an error where they can't fit.
    pub required: Vec<String>,
    /// Left out.
    pub exclude: Vec<String>,
    /// The user's own choice.
    pub user: Option<UserConfig>,
    /// Who asks; default the model.
    pub actor: Actor,
    /// Bodies that the host has fetched, by id; they stand for the catalog's.
    pub bodies: BTreeMap<String, String>,
    /// Choose as if bodies that live elsewhere were here, at the price that the catalog gives: the pick then says which
    /// bodies to fetch, and its block is not for use. Default false.
    pub plan_bodies: bool,
}

record!(read Options { mode: "mode", budget: "budget", tokenizer: "tokenizer", safety: "safety", stable_share: "stableShare", tool_names: "toolNames", max_description_tokens: "maxDescriptionTokens", location: "location", active_bodies: "activeBodies", rules: "rules", max_chars: "maxChars", description_chars: "descriptionChars", max_skills: "maxSkills", format: "format", order: "order", placement: "placement", pinned: "pinned", required: "required", exclude: "exclude", user: "user", actor: "actor", bodies: "bodies", plan_bodies: "planBodies" });

impl Options {
    /// Checks what types can't say.
    ///
    /// # Errors
    /// `invalid_budget`, or `invalid_option` with the option's name.
    pub fn validate(&self) -> Result<(), Error> {
        self.budget.tokens()?;
        check_rules(&self.rules)?;
        in_range("options.safety", self.safety, 0.1, 10.0)?;
        in_range("options.stableShare", self.stable_share, 0.0, 1.0)?;
        let unlimited = f64::INFINITY;
        in_range("options.maxSkills", self.max_skills, 0.0, unlimited)?;
        in_range("options.maxDescriptionTokens", self.max_description_tokens, 0.0, unlimited)?;
        in_range("options.maxChars", self.max_chars, 0.0, unlimited)?;
        in_range("options.descriptionChars", self.description_chars, 0.0, unlimited)
    }

    /// What the host calls the tool that loads.
    #[must_use]
    pub fn load_tool(&self) -> &str {
        self.tool_names.load_in(self.format)
    }

    /// Most skills in the block.
    #[must_use]
    pub fn max_skills(&self) -> usize {
        self.max_skills.map_or(usize::MAX, |n| n as usize)
    }
}

/// That every rule is asked for every skill of a catalog must stay affordable.
pub(crate) fn check_rules(rules: &[Rule]) -> Result<(), Error> {
    if rules.len() > MAX_RULES {
        let message = format!("{} rules, the limit is {MAX_RULES}", rules.len());
        return Err(Error::at("invalid_option", "options.rules", message));
    }
    match rules.iter().position(|rule| rule.pattern.len() > MAX_PATTERN_BYTES) {
        Some(at) => {
            let message = format!("{} bytes, the limit is {MAX_PATTERN_BYTES}", rules[at].pattern.len());
            Err(Error::at("invalid_option", format!("options.rules[{at}].match"), message))
        }
        None => Ok(()),
    }
}

pub(crate) fn in_range(path: &str, value: Option<f64>, least: f64, most: f64) -> Result<(), Error> {
    match value {
        Some(value) if !(least..=most).contains(&value) => {
            let message =
                format!("{} is out of range; it must be from {} to {}", decimal(value), decimal(least), decimal(most));
            Err(Error::at("invalid_option", path, message))
        }
        _ => Ok(()),
    }
}

/// The budget as the host wrote it.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Budget {
    /// Nothing was said: [`DEFAULT_BUDGET`].
    #[default]
    Default,
    /// Tokens; infinite for none.
    Tokens(f64),
    /// A share of the model's window.
    Share {
        /// Tokens of the window.
        window: f64,
        /// From 0 to 1.
        share: f64,
    },
    /// Something else, described.
    Invalid(String),
}

impl Budget {
    /// Whole tokens; `None` is no limit. Fractions are rounded down.
    ///
    /// # Errors
    /// `invalid_budget` for negative numbers, NaN, and anything that is no number.
    pub fn tokens(&self) -> Result<Option<u32>, Error> {
        let tokens = match self {
            Self::Default => f64::from(DEFAULT_BUDGET),
            Self::Tokens(tokens) => *tokens,
            Self::Share { window, share } if *window >= 0.0 && (0.0..=1.0).contains(share) => window * share,
            Self::Share { window, share } => {
                return Err(invalid_budget(&format!("{{ window: {}, share: {} }}", decimal(*window), decimal(*share))));
            }
            Self::Invalid(found) => return Err(invalid_budget(found)),
        };
        if tokens.is_nan() || tokens < 0.0 {
            return Err(invalid_budget(&decimal(tokens)));
        }
        Ok((tokens < f64::from(u32::MAX)).then_some(tokens as u32))
    }
}

fn invalid_budget(found: &str) -> Error {
    let message = format!(
        "{found} is no budget; give tokens as a number of 0 or more, null for no limit, \
         or {{ window, share }} with a share from 0 to 1"
    );
    Error::at("invalid_budget", "options.budget", message)
}

impl FromJson for Budget {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        Ok(match value {
            Value::Number(ref number) => Self::Tokens(number.as_f64().unwrap_or(f64::NAN)),
            Value::Object(ref fields) => {
                let number = |key: &str| fields.get(key).and_then(Value::as_f64);
                match (number("window"), number("share")) {
                    (Some(window), Some(share)) => Self::Share { window, share },
                    _ => Self::Invalid("an object without the numbers window and share".into()),
                }
            }
            Value::String(ref text) if text == "NaN" || text.ends_with("Infinity") => Self::Invalid(text.clone()),
            other => Self::Invalid(wrong(place, "", &other).message().trim_start_matches("expected , found ").into()),
        })
    }

    fn null() -> Option<Self> {
        Some(Self::Tokens(f64::INFINITY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(json: &str) -> Result<Option<u32>, &'static str> {
        let options: Options = serde_json::from_str(json).expect("options");
        options.budget.tokens().map_err(|error| error.code())
    }

    #[test]
    fn a_budget_is_tokens_or_null_or_a_share() {
        assert_eq!(tokens("{}"), Ok(Some(2000)));
        assert_eq!(tokens(r#"{"budget":0}"#), Ok(Some(0)));
        assert_eq!(tokens(r#"{"budget":99.9}"#), Ok(Some(99)));
        assert_eq!(tokens(r#"{"budget":null}"#), Ok(None));
        assert_eq!(tokens(r#"{"budget":{"window":200000,"share":0.01}}"#), Ok(Some(2000)));
        for bad in ["-1", "\"2000\"", "true", "[]", "{}", r#"{"window":1000,"share":2}"#] {
            assert_eq!(tokens(&format!(r#"{{"budget":{bad}}}"#)), Err("invalid_budget"), "{bad}");
        }
        assert!(Budget::Tokens(f64::NAN).tokens().is_err());
        assert_eq!(Budget::Tokens(f64::INFINITY).tokens(), Ok(None));
    }
}
