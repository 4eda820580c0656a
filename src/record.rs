//! A skill as plain data with the public names, for hosts.

use serde_json::{Map, Value, json};

use crate::json::ToJson;
use crate::skill::{Details, Kind, Skill};

impl Skill {
    /// The record with camelCase names; fields that are not set are absent.
    #[must_use]
    pub fn to_record(&self) -> Map<String, Value> {
        let mut record = Map::new();
        let mut put = |key: &str, value: Value| {
            record.insert(key.to_owned(), value);
        };
        put("id", json!(self.id));
        put("name", json!(self.name));
        put("description", json!(self.description));
        for (key, text) in [("whenToUse", &self.when_to_use), ("location", &self.location), ("source", &self.source)] {
            if !text.is_empty() {
                put(key, json!(text));
            }
        }
        if let Some(body) = &self.instructions {
            put("instructions", json!(body));
        }
        if let Some(tokens) = self.instruction_tokens {
            put("instructionTokens", json!(tokens));
        }
        if self.kind == Kind::Rule {
            put("kind", json!("rule"));
        }
        if self.priority != 0.0 {
            put("priority", json!(self.priority));
        }
        for (key, flag) in [
            ("enabled", self.enabled),
            ("modelInvocable", self.model_invocable),
            ("userInvocable", self.user_invocable),
        ] {
            put(key, json!(flag));
        }
        if let Some(details) = &self.details {
            put_details(&mut record, details);
        }
        record
    }
}

/// Details write themselves; what is empty is left away.
fn put_details(record: &mut Map<String, Value>, details: &Details) {
    let Value::Object(fields) = details.to_json() else { return };
    for (key, value) in fields {
        let empty = match &value {
            Value::Null => true,
            Value::Array(items) => items.is_empty() && key != "allowedTools",
            Value::Object(map) => map.is_empty(),
            _ => false,
        };
        if empty {
            continue;
        }
        record.insert(key, value);
    }
}
