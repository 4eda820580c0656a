//! Definitions of the tools that a model needs to use a catalog, in the subset of JSON Schema that strict modes take:
//! every property typed and required, nothing else allowed, no defaults.

use crate::catalog::Catalog;
use crate::context::Context;
use crate::cost::HostCounter;
use crate::eligible::Policy;
use crate::error::Error;
use crate::json::record;
use crate::options::{Mode, Options, Placement};
use crate::value::{Map, Value};

/// Most ids that are named in a schema, and most bytes of them where there are more than [`FEW_IDS`]: the limits of
/// the strictest provider. Beyond, any text is allowed.
const MOST_IDS: usize = 1000;
const FEW_IDS: usize = 250;
const MOST_ID_BYTES: usize = 15_000;

/// A tool for the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDefinition {
    /// What the host calls it.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
}

record!(write ToolDefinition { name: "name", description: "description", parameters: "parameters" });

impl Catalog {
    /// The tools that are of use with this catalog and these options, the same for every conversation: loading where
    /// anything can be loaded, searching and listing where the listing can leave skills out.
    ///
    /// # Errors
    /// As [`Catalog::select`].
    pub fn tools(&self, options: &Options, host_counter: Option<HostCounter>) -> Result<Vec<ToolDefinition>, Error> {
        options.validate()?;
        let policy = Policy::new(options, None);
        let ids: Vec<&str> =
            self.skills.iter().filter(|skill| policy.refusal(skill).is_none()).map(|skill| &*skill.id).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut tools = vec![load_tool(options, &ids)];
        if self.leaves_out(options, host_counter)? {
            tools.push(search_tool(options));
            tools.push(list_tool(options));
        }
        Ok(tools)
    }

    /// Whether a listing with these options can be without some skill.
    fn leaves_out(&self, options: &Options, host_counter: Option<HostCounter>) -> Result<bool, Error> {
        if options.mode == Mode::Off {
            return Ok(true);
        }
        let single = Options { placement: Placement::Single, ..options.clone() };
        let counts = self.select(&Context::default(), &single, host_counter)?.counts;
        Ok(["budget", "limit"].iter().any(|reason| counts.contains_key(*reason)))
    }
}

fn load_tool(options: &Options, ids: &[&str]) -> ToolDefinition {
    let few = ids.len() <= FEW_IDS || ids.iter().map(|id| id.len()).sum::<usize>() <= MOST_ID_BYTES;
    let mut id = property("string", "Id of the skill, as listed.");
    if few && ids.len() <= MOST_IDS {
        id.insert("enum".to_owned(), texts(ids));
    }
    let arguments =
        property("string", "What the skill is to work on, in the user's words; an empty string for nothing.");
    ToolDefinition {
        name: options.load_tool().to_owned(),
        description: "Loads the full instructions of a skill. Call it before you start a task that a listed skill \
                      covers, then follow the instructions."
            .into(),
        parameters: object([("id", id), ("arguments", arguments)]),
    }
}

fn search_tool(options: &Options) -> ToolDefinition {
    let query = property("string", "What the task is about, in a few words.");
    ToolDefinition {
        name: options.tool_names.search.clone(),
        description: "Finds skills by what they are for, those included that are not listed.".into(),
        parameters: object([("query", query)]),
    }
}

fn list_tool(options: &Options) -> ToolDefinition {
    let from = property("integer", "How many skills to leave out at the start; 0 for none.");
    ToolDefinition {
        name: options.tool_names.list.clone(),
        description: "Lists the ids of all skills, in their order.".into(),
        parameters: object([("from", from)]),
    }
}

fn property(kind: &str, description: &str) -> Map {
    Map::from_iter([("type".to_owned(), kind.into()), ("description".to_owned(), description.into())])
}

fn texts(items: &[&str]) -> Value {
    Value::Array(items.iter().map(|item| Value::from(*item)).collect())
}

/// An object with these properties and no others, all of them required.
fn object<const N: usize>(properties: [(&str, Map); N]) -> Value {
    let required = texts(&properties.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let properties = properties.into_iter().map(|(name, schema)| (name.to_owned(), Value::Object(schema))).collect();
    Value::Object(Map::from_iter([
        ("type".to_owned(), "object".into()),
        ("properties".to_owned(), Value::Object(properties)),
        ("required".to_owned(), required),
        ("additionalProperties".to_owned(), Value::Bool(false)),
    ]))
}
