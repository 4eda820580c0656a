//! Whether a text is still in the conversation, complete and unchanged.

use crate::value::{self, Value};

/// Whether a message holds one of `texts` whole: as a string at any depth, or escaped in one, as hosts do that pass
/// tool results on as JSON.
pub(crate) fn holds(messages: &[Value], texts: &[String]) -> bool {
    if messages.is_empty() {
        return false;
    }
    let mut written: Vec<String> = texts.iter().map(|text| escaped(text)).collect();
    written.extend_from_slice(texts);
    written.sort_unstable();
    written.dedup();
    let mut open: Vec<&Value> = messages.iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(found) if written.iter().any(|text| found.contains(text.as_str())) => return true,
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    false
}

/// `text` as it stands inside a JSON text.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    value::write_text(&mut out, text);
    out[1..out.len() - 1].to_owned()
}
