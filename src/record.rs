//! A skill as plain data with the public names, for hosts.

use crate::json::ToJson;
use crate::skill::{Details, Kind, Skill};
use crate::value::{Map, Value};

impl Skill {
    /// The record with camelCase names; fields that are not set are absent.
    #[must_use]
    pub fn to_record(&self) -> Map {
        let mut record = Map::new();
        let mut put = |key: &str, value: Value| {
            record.insert(key.to_owned(), value);
        };
        put("id", Value::from(&*self.id));
        put("name", Value::from(&*self.name));
        put("description", Value::from(&*self.description));
        for (key, text) in [("whenToUse", &self.when_to_use), ("location", &self.location), ("source", &self.source)] {
            if !text.is_empty() {
                put(key, Value::from(&**text));
            }
        }
        if let Some(body) = &self.instructions {
            put("instructions", Value::from(&**body));
        }
        if let Some(tokens) = self.instruction_tokens {
            put("instructionTokens", tokens.to_json());
        }
        if self.kind == Kind::Rule {
            put("kind", "rule".into());
        }
        if self.priority != 0.0 {
            put("priority", self.priority.to_json());
        }
        for (key, flag) in [
            ("enabled", self.enabled),
            ("modelInvocable", self.model_invocable),
            ("userInvocable", self.user_invocable),
        ] {
            put(key, Value::Bool(flag));
        }
        if let Some(details) = &self.details {
            put_details(&mut record, details);
        }
        record
    }
}

/// Details write themselves; what is empty is left away.
fn put_details(record: &mut Map, details: &Details) {
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
