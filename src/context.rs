//! What the conversation is about: messages of any shape, files and mentions become one weighted query.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::error::Error;
use crate::json::{FromJson, object, record, serde_read};
use crate::limits::MAX_REQUEST_BYTES;
use crate::pasted::stretches;
use crate::value::{Map, Value};

/// What the host knows at the moment of a choice. Every part may be absent.
#[derive(Debug, Clone, PartialEq, Default)]
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
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Usage {
    /// Number of uses.
    pub count: f64,
    /// Milliseconds since the epoch of the last use.
    pub last_used: Option<f64>,
}

record!(read Usage { count: "count", last_used: "lastUsed" });

impl FromJson for Context {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        let mut fields = object(value, place)?;
        Ok(Self {
            messages: lenient(&mut fields, "messages"),
            query: lenient(&mut fields, "query"),
            files: lenient(&mut fields, "files"),
            active: lenient(&mut fields, "active"),
            usage: lenient_map(&mut fields, "usage"),
            now: lenient(&mut fields, "now"),
            scores: lenient_map(&mut fields, "scores"),
            vector: lenient::<Option<Vec<f64>>>(&mut fields, "vector")
                .map(|numbers| numbers.into_iter().map(|number| number as f32).collect()),
            tools: lenient(&mut fields, "tools"),
            previous: lenient(&mut fields, "previous"),
        })
    }
}
serde_read!(Context);

/// A value of the wrong shape is as good as absent: hosts pass on what they have.
fn lenient<T: Default + FromJson>(fields: &mut Map, key: &str) -> T {
    fields
        .remove(key)
        .filter(|value| !value.is_null())
        .and_then(|value| T::from_json(value, key).ok())
        .unwrap_or_default()
}

/// As [`lenient`], entry by entry.
fn lenient_map<T: FromJson>(fields: &mut Map, key: &str) -> BTreeMap<String, T> {
    let Some(Value::Object(entries)) = fields.remove(key) else { return BTreeMap::new() };
    entries.into_iter().filter_map(|(id, value)| Some((id, T::from_json(value, key).ok()?))).collect()
}

/// What a stretch of the conversation is to the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The newest words of the user.
    Request,
    /// Pasted with them: code, logs, quotations, the middle of a very long text.
    Pasted,
    /// Older messages, other roles, files in play.
    History,
}

/// Number of origins.
pub(crate) const ORIGINS: usize = 3;

/// Text of the conversation with what it counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Segment<'a> {
    pub(crate) text: Cow<'a, str>,
    /// 1 for the newest request of the user.
    pub(crate) weight: f64,
    pub(crate) origin: Origin,
}

/// Weight of the user message before the newest; each older one has half.
const OLDER: f64 = 0.4;
const DECAY: f64 = 0.5;
/// What an assistant's or a tool's text counts beside a user's of the same age.
const ASSISTANT: f64 = 0.4;
const TOOL: f64 = 0.2;
/// What pasted text counts beside the words around it.
const PASTED: f64 = 0.25;

/// What the names of files in play count.
const FILES: f64 = 0.3;
/// Messages that are read, from the newest.
const MESSAGES: usize = 24;
/// Files that are read.
pub(crate) const MOST_FILES: usize = 256;
/// Bytes of the name of a file that are read.
const FILE_BYTES: usize = 1024;
/// Bytes of one message outside the request that are read.
const MESSAGE_BYTES: usize = 16_384;

/// The conversation as weighted texts, newest first.
pub(crate) fn segments(context: &Context) -> Vec<Segment<'_>> {
    let mut found = Vec::new();
    if let Some(query) = context.query.as_deref() {
        request(query.into(), &mut found);
    } else {
        messages(&context.messages, &mut found);
    }
    if !context.files.is_empty() {
        let names = context.files.iter().take(MOST_FILES).map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file));
        let names = names.map(|name| head(name.into(), FILE_BYTES)).collect::<Vec<_>>();
        let text = names.join("\n");
        found.push(Segment { text: text.into(), weight: FILES, origin: Origin::History });
    }
    found
}

/// The newest message of the user with words is the request; what is newer still and what is older is history.
fn messages<'a>(messages: &'a [Value], found: &mut Vec<Segment<'a>>) {
    let mut asked = false;
    let mut weight = OLDER;
    for message in messages.iter().rev().take(MESSAGES) {
        let share = match role(message) {
            "user" | "human" => 1.0,
            "assistant" | "model" | "ai" => ASSISTANT,
            "system" | "developer" => continue,
            _ => TOOL,
        };
        let text = text_of(message, 0);
        if text.trim().is_empty() {
            continue;
        }
        if share >= 1.0 && !asked {
            asked = true;
            request(text, found);
            continue;
        }
        let text = head(text, MESSAGE_BYTES);
        found.push(Segment { text, weight: weight * share, origin: Origin::History });
        if share >= 1.0 {
            weight *= DECAY;
        }
    }
}

fn request<'a>(text: Cow<'a, str>, found: &mut Vec<Segment<'a>>) {
    if text.len() > MAX_REQUEST_BYTES {
        // What is asked stands at an end; between the ends of so long a text lies what was pasted.
        let half = MAX_REQUEST_BYTES / 2;
        let from = (text.len() - half..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        let tail = text[from..].to_owned();
        request(head(text, half), found);
        request(tail.into(), found);
        return;
    }
    let mut push = |text: Cow<'a, str>, pasted: bool| {
        let (weight, origin) = if pasted { (PASTED, Origin::Pasted) } else { (1.0, Origin::Request) };
        found.push(Segment { text, weight, origin });
    };
    match text {
        Cow::Borrowed(text) => stretches(text).iter().for_each(|part| push(part.text.into(), part.pasted)),
        Cow::Owned(text) => stretches(&text).iter().for_each(|part| push(part.text.to_owned().into(), part.pasted)),
    }
}

fn head(text: Cow<'_, str>, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return text;
    }
    let end = (0..=bytes).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    text[..end].to_owned().into()
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
fn text_of(value: &Value, depth: u32) -> Cow<'_, str> {
    match value {
        Value::String(text) => text.as_str().into(),
        Value::Array(parts) if depth < DEPTH => {
            let mut texts = parts.iter().map(|part| text_of(part, depth + 1)).filter(|text| !text.is_empty());
            let first = texts.next().unwrap_or_default();
            texts.fold(first, |all, text| all + "\n" + text)
        }
        Value::Object(fields) if depth < DEPTH => {
            let keys = ["content", "parts", "text", "value", "output", "result"];
            let mut inner = keys.iter().filter_map(|key| fields.get(key)).map(|inner| text_of(inner, depth + 1));
            inner.find(|text| !text.is_empty()).unwrap_or_default()
        }
        _ => "".into(),
    }
}
