//! Definitions of the tools that a model needs to use a catalog, in the subset of JSON Schema that strict modes take:
//! every property typed and required, nothing else allowed, no defaults.

use serde_json::{Value, json};

use crate::catalog::Catalog;
use crate::context::Context;
use crate::cost::HostCounter;
use crate::eligible::Policy;
use crate::error::Error;
use crate::json::record;
use crate::options::{Mode, Options, Placement};

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
    let mut id = json!({ "type": "string", "description": "Id of the skill, as listed." });
    if few && ids.len() <= MOST_IDS {
        id["enum"] = json!(ids);
    }
    let arguments = json!({
        "type": "string",
        "description": "What the skill is to work on, in the user's words; an empty string for nothing.",
    });
    ToolDefinition {
        name: options.load_tool().to_owned(),
        description: "Loads the full instructions of a skill. Call it before you start a task that a listed skill \
                      covers, then follow the instructions."
            .into(),
        parameters: object(&[("id", id), ("arguments", arguments)]),
    }
}

fn search_tool(options: &Options) -> ToolDefinition {
    let query = json!({ "type": "string", "description": "What the task is about, in a few words." });
    ToolDefinition {
        name: options.tool_names.search.clone(),
        description: "Finds skills by what they are for, those included that are not listed.".into(),
        parameters: object(&[("query", query)]),
    }
}

fn list_tool(options: &Options) -> ToolDefinition {
    let from = json!({ "type": "integer", "description": "How many skills to leave out at the start; 0 for none." });
    ToolDefinition {
        name: options.tool_names.list.clone(),
        description: "Lists the ids of all skills, in their order.".into(),
        parameters: object(&[("from", from)]),
    }
}

/// An object with these properties and no others, all of them required.
fn object(properties: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
