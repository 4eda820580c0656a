//! What the conversation is about: messages of any shape, files and mentions become one weighted query.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// What the host knows at the moment of a choice. Every part may be absent.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Context {
    /// The conversation, oldest first, in any provider's shape.
    pub messages: Vec<Value>,
    /// A request that stands for the conversation.
    pub query: Option<String>,
    /// Files in play.
    pub files: Vec<String>,
    /// Ids of the skills that are loaded.
    pub active: Vec<String>,
    /// How often each skill was used, and when last.
    pub usage: BTreeMap<String, Usage>,
    /// Milliseconds since the epoch; without it usage does not decay.
    pub now: Option<f64>,
    /// The host's own relevance by skill, 0 to 1.
    pub scores: BTreeMap<String, f64>,
    /// The host's query vector, to compare with vectors of the catalog.
    pub vector: Option<Vec<f32>>,
    /// Tools that the host has; `None` is not an empty list.
    pub tools: Option<Vec<String>>,
    /// An earlier pick or its state.
    pub previous: Option<Value>,
}

/// How often a skill was used.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Usage {
    /// Number of uses.
    pub count: f64,
    /// Milliseconds since the epoch of the last use.
    pub last_used: Option<f64>,
}

/// Text of the conversation with what it counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Segment<'a> {
    pub(crate) text: std::borrow::Cow<'a, str>,
    /// 1 for the newest request of the user.
    pub(crate) weight: f64,
    /// Part of the newest request, and not pasted: where mentions count.
    pub(crate) request: bool,
}

/// Share that each older user message keeps of the next newer one's weight.
const DECAY: f64 = 0.5;
/// Weight of the first older user message.
const OLDER: f64 = 0.4;
/// What an assistant's or a tool's text counts beside a user's of the same age.
const ASSISTANT: f64 = 0.4;
const TOOL: f64 = 0.2;
/// Messages that are read, from the newest.
const MESSAGES: usize = 24;

/// The conversation as weighted texts, newest first.
pub(crate) fn segments(context: &Context) -> Vec<Segment<'_>> {
    let mut found = Vec::new();
    if let Some(query) = context.query.as_deref() {
        found.push(Segment { text: query.into(), weight: 1.0, request: true });
        return found;
    }
    let mut weight = 1.0;
    let mut requests = 0;
    for message in context.messages.iter().rev().take(MESSAGES) {
        let text = text_of(message, 0);
        if text.trim().is_empty() {
            continue;
        }
        let share = match role(message) {
            "user" | "human" => {
                if requests == 1 {
                    weight = OLDER;
                } else if requests > 1 {
                    weight *= DECAY;
                }
                requests += 1;
                1.0
            }
            "assistant" | "model" | "ai" => ASSISTANT,
            "system" | "developer" => continue,
            _ => TOOL,
        };
        let request = requests == 1 && share >= 1.0;
        let weight = if requests == 0 { share } else { weight.min(OLDER.max(share)) * share };
        found.push(Segment { text: text.into(), weight, request });
    }
    found
}

fn role(message: &Value) -> &str {
    let get = |key| message.get(key).and_then(Value::as_str);
    match message {
        Value::String(_) => "user",
        _ => get("role").or_else(|| get("type")).or_else(|| get("author")).unwrap_or("tool"),
    }
}

/// Depth to which parts of parts are read.
const DEPTH: u32 = 8;

/// The text of a message or part, whatever its shape: strings and text parts; images, calls and rubbish give nothing.
fn text_of(value: &Value, depth: u32) -> String {
    if depth > DEPTH {
        return String::new();
    }
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<_> =
                parts.iter().map(|part| text_of(part, depth + 1)).filter(|text| !text.is_empty()).collect();
            texts.join("\n")
        }
        Value::Object(fields) => {
            let keys = ["content", "parts", "text", "value", "output", "result"];
            let inner = keys.iter().filter_map(|key| fields.get(*key)).map(|inner| text_of(inner, depth + 1));
            inner.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
        }
        _ => String::new(),
    }
}
