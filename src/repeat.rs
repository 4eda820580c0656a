//! Whether a text is still in the conversation, complete and unchanged.

use serde_json::Value;

/// Whether a message holds one of `texts` whole: as a string at any depth, or escaped in one, as hosts do that pass
/// tool results on as JSON.
pub(crate) fn holds(messages: &[Value], texts: &[String]) -> bool {
    if messages.is_empty() {
        return false;
    }
    let json = texts.iter().filter_map(|text| serde_json::to_string(text).ok());
    let mut written: Vec<String> = json.map(|text| text[1..text.len() - 1].to_owned()).collect();
    written.extend_from_slice(texts);
    written.sort_unstable();
    written.dedup();
    let mut open: Vec<&Value> = messages.iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(found) if written.iter().any(|text| found.contains(text.as_str())) => return true,
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    false
}
