//! One entry of the catalog's JSON to a `Skill`: keys in any case, legacy keys, lenient values, remarks with their place.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Remarks, Severity};
use crate::json::described;
use crate::json::object;
use crate::limits::{MAX_ITEMS, MAX_NAME_BYTES, MAX_TEXT_BYTES};
use crate::skill::{Details, EvaluationCase, Example, Kind, Skill};
use crate::text;
use crate::value::{Map, Value};

/// A key in snake_case, whatever its case was.
fn snake_case(key: &str) -> String {
    let mut out = String::with_capacity(key.len() + 4);
    for (i, c) in key.chars().enumerate() {
        match c {
            '-' | ' ' => out.push('_'),
            c if c.is_ascii_uppercase() => {
                if i > 0 && !out.ends_with('_') {
                    out.push('_');
                }
                out.push(c.to_ascii_lowercase());
            }
            c => out.push(c),
        }
    }
    out
}

/// The canonical name of a legacy key.
fn canonical(key: &str) -> &str {
    match key {
        "skill_id" => "id",
        "system_instruction" | "body" => "instructions",
        "context" => "execution_context",
        "model" => "model_override",
        "effort" => "effort_override",
        "trigger" => "triggers",
        "globs" => "paths",
        "base_dir" | "skill_path" => "location",
        other => other,
    }
}

/// The fields of one entry by canonical key, taken one by one; what remains is `extra`.
struct Fields<'a> {
    map: Map,
    place: &'a str,
    diagnostics: &'a mut Remarks,
}

impl Fields<'_> {
    fn remark(&mut self, code: &str, severity: Severity, key: &str, message: String) {
        self.diagnostics.push(Diagnostic::new(code, severity, message).at(format!("{}.{key}", self.place)));
    }

    fn wrong_type(&mut self, key: &str, expected: &str) {
        let message = format!("expected {expected}; the value was ignored");
        self.remark("invalid_field", Severity::Warning, key, message);
    }

    fn text(&mut self, key: &str) -> Option<String> {
        match self.map.remove(key)? {
            Value::Null => None,
            Value::String(text) => Some(text),
            scalar @ (Value::Number(_) | Value::Bool(_)) => Some(scalar.to_string()),
            Value::Array(_) | Value::Object(_) => {
                self.wrong_type(key, "text");
                None
            }
        }
    }

    /// A text of bounded length: all but the body.
    fn short(&mut self, key: &str) -> Option<String> {
        let mut text = self.text(key)?;
        if text.len() > MAX_TEXT_BYTES {
            let message = format!("{} bytes, the limit is {MAX_TEXT_BYTES}; the rest was cut off", text.len());
            self.remark("text_too_long", Severity::Warning, key, message);
            text.truncate(chunk_end(&text));
        }
        Some(text)
    }

    /// The items of a list of bounded length.
    fn items(&mut self, key: &str, mut items: Vec<Value>) -> Vec<Value> {
        if items.len() > MAX_ITEMS {
            let message = format!("{} items, the limit is {MAX_ITEMS}; the rest was left out", items.len());
            self.remark("list_too_long", Severity::Warning, key, message);
            items.truncate(MAX_ITEMS);
        }
        items
    }

    fn list(&mut self, key: &str) -> Option<Vec<String>> {
        match self.map.remove(key)? {
            Value::Null => None,
            Value::String(text) => Some(vec![text]),
            Value::Array(items) => Some(self.items(key, items).into_iter().filter_map(scalar_text).collect()),
            _ => {
                self.wrong_type(key, "a list of texts");
                None
            }
        }
    }

    /// A flag that restricts when it is `restrictive`. A value that cannot be read counts as the restriction.
    fn flag(&mut self, key: &str, restrictive: bool) -> Option<bool> {
        match self.map.remove(key)? {
            Value::Null => None,
            Value::Bool(flag) => Some(flag),
            value => {
                let read = read_flag(&value);
                let flag = read.unwrap_or(restrictive);
                let found = described(&value);
                let message = format!("expected true or false, found {found}; read as {flag}");
                self.remark("invalid_flag", Severity::Warning, key, message);
                Some(flag)
            }
        }
    }

    fn number(&mut self, key: &str) -> Option<f64> {
        match self.map.remove(key)? {
            Value::Null => None,
            Value::Number(number) => number.as_f64(),
            Value::String(ref text) if Value::parse(text).is_ok_and(|value| value.as_f64().is_some()) => {
                Value::parse(text).ok().and_then(|value| value.as_f64())
            }
            _ => {
                self.wrong_type(key, "a number");
                None
            }
        }
    }

    fn object(&mut self, key: &str) -> Option<Map> {
        match self.map.remove(key)? {
            Value::Null => None,
            Value::Object(map) => Some(map),
            _ => {
                self.wrong_type(key, "an object");
                None
            }
        }
    }

    fn objects(&mut self, key: &str) -> Vec<Map> {
        match self.map.remove(key) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => self
                .items(key, items)
                .into_iter()
                .filter_map(|item| match item {
                    Value::Object(map) => Some(map.into_iter().map(|(k, v)| (snake_case(&k), v)).collect()),
                    Value::String(text) => Some(Map::from_iter([("input".to_owned(), Value::String(text))])),
                    _ => None,
                })
                .collect(),
            Some(_) => {
                self.wrong_type(key, "a list of objects");
                Vec::new()
            }
        }
    }
}

/// Where a text that is too long is cut.
fn chunk_end(text: &str) -> usize {
    (0..=MAX_TEXT_BYTES).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0)
}

fn scalar_text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

fn read_flag(value: &Value) -> Option<bool> {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(0.0) => Some(false),
            Some(1.0) => Some(true),
            _ => None,
        },
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Reads one entry. `Err` holds the diagnostic that says why it is no skill.
pub(crate) fn read(value: Value, position: usize, place: &str, diagnostics: &mut Remarks) -> Result<Skill, Diagnostic> {
    let Value::Object(map) = value else {
        let message = "expected an object such as {\"name\": \"pdf-forms\", \"description\": \"…\"}";
        return Err(Diagnostic::new("invalid_skill", Severity::Error, message).at(place));
    };
    let mut fields = Fields { map: canonical_keys(map), place, diagnostics };
    let name = text::nfc(fields.text("name").unwrap_or_default().trim()).into_owned();
    let id = text::nfc(fields.text("id").unwrap_or_default().trim()).into_owned();
    let (id, name) = match (id.is_empty(), name.is_empty()) {
        (true, true) => {
            let message = "a skill needs a name (or an id)";
            return Err(Diagnostic::new("missing_name", Severity::Error, message).at(format!("{place}.name")));
        }
        (true, false) => (name.clone(), name),
        (false, true) => (id.clone(), id),
        (false, false) => (id, name),
    };
    for (key, value) in [("id", &id), ("name", &name)] {
        if value.len() > MAX_NAME_BYTES {
            let message = format!("{} bytes, the limit is {MAX_NAME_BYTES}", value.len());
            return Err(Diagnostic::new("name_too_long", Severity::Error, message).at(format!("{place}.{key}")));
        }
    }
    let model_invocable = read_model_invocable(&mut fields);
    let skill = Skill {
        id: id.into(),
        name: name.into(),
        description: fields.short("description").unwrap_or_default().into(),
        when_to_use: fields.short("when_to_use").unwrap_or_default().into(),
        instructions: fields.text("instructions").map(Into::into),
        instruction_tokens: fields.number("instruction_tokens").map(|n| n.max(0.0).ceil() as u32),
        kind: read_kind(&mut fields),
        priority: fields.number("priority").filter(|n| n.is_finite()).unwrap_or(0.0),
        enabled: fields.flag("enabled", false).unwrap_or(true),
        model_invocable,
        user_invocable: fields.flag("user_invocable", false).unwrap_or(true),
        location: fields.short("location").unwrap_or_default().into(),
        source: fields.short("source").unwrap_or_default().into(),
        position: position as u32,
        ..Skill::default()
    };
    let details = read_details(&mut fields);
    let details = (details != Details::default()).then(|| Box::new(details));
    Ok(Skill { details, ..skill })
}

/// Keys renamed; of two keys with one meaning the canonical spelling wins, tool lists and restrictions are joined later.
fn canonical_keys(map: Map) -> Map {
    let mut out: Vec<(String, Value)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (key, value) in map {
        let snake = snake_case(&key);
        let name = canonical(&snake);
        match places.get(name) {
            None => {
                places.insert(name.to_owned(), out.len());
                out.push((name.to_owned(), value));
            }
            Some(&place) if name == snake && !restricts(name, &out[place].1) => out[place].1 = value,
            Some(_) => {}
        }
    }
    out.into_iter().collect()
}

/// Whether `value` under this key takes something away: such a value wins over another spelling of the key.
fn restricts(key: &str, value: &Value) -> bool {
    let flag = value.as_bool().or_else(|| read_flag(value));
    match key {
        "enabled" | "model_invocable" | "user_invocable" => flag != Some(true),
        "disable_model_invocation" => flag != Some(false),
        _ => false,
    }
}

fn read_model_invocable(fields: &mut Fields) -> bool {
    let invocable = fields.flag("model_invocable", false).unwrap_or(true);
    let disabled = fields.flag("disable_model_invocation", true).unwrap_or(false);
    invocable && !disabled
}

fn read_kind(fields: &mut Fields) -> Kind {
    match fields.short("kind").as_deref() {
        None | Some("skill") => Kind::Skill,
        Some("rule") => Kind::Rule,
        Some(other) => {
            let message = format!("expected \"skill\" or \"rule\", found {other:?}; read as \"skill\"");
            fields.remark("invalid_field", Severity::Warning, "kind", message);
            Kind::Skill
        }
    }
}

/// The details of a skill from the JSON that they write; what can't be read counts as absent.
pub(crate) fn details(json: &str) -> Details {
    let Ok(Value::Object(mut map)) = Value::parse(json) else { return Details::default() };
    let extra = map.remove("extra").and_then(|extra| object(extra, "extra").ok());
    let mut fields = Fields { map: canonical_keys(map), place: "", diagnostics: &mut Remarks::default() };
    Details { extra: extra.unwrap_or_default(), ..read_details(&mut fields) }
}

fn read_details(fields: &mut Fields) -> Details {
    let allowed_tools = read_allowed_tools(fields);
    Details {
        triggers: fields.list("triggers").unwrap_or_default(),
        not_for: fields.list("not_for").unwrap_or_default(),
        paths: fields.list("paths").unwrap_or_default(),
        scope: fields.short("scope"),
        resources: fields.list("resources").unwrap_or_default(),
        tags: fields.list("tags").unwrap_or_default(),
        category: fields.short("category"),
        version: fields.short("version"),
        license: fields.short("license"),
        compatibility: fields.short("compatibility"),
        metadata: fields.object("metadata"),
        allowed_tools,
        tools: fields.list("tools").unwrap_or_default(),
        permission_profile: fields.short("permission_profile"),
        default_mode: fields.short("default_mode"),
        execution_context: read_execution_context(fields),
        model_override: fields.short("model_override"),
        effort_override: fields.short("effort_override"),
        prompt_block_policy: fields.object("prompt_block_policy"),
        arguments: fields.list("arguments").unwrap_or_default(),
        argument_hint: fields.short("argument_hint"),
        examples: fields.objects("examples").into_iter().map(read_example).collect(),
        evaluation_cases: fields.objects("evaluation_cases").into_iter().map(read_case).collect(),
        vector: read_vector(fields),
        extra: std::mem::take(&mut fields.map),
    }
}

/// `tool_allowlist` first, then `allowed_tools`, each name once.
fn read_allowed_tools(fields: &mut Fields) -> Option<Vec<String>> {
    let lists = [fields.list("tool_allowlist"), fields.list("allowed_tools")];
    if lists.iter().all(Option::is_none) {
        return None;
    }
    let mut seen = std::collections::HashSet::new();
    let mut names: Vec<String> = Vec::new();
    for name in lists.into_iter().flatten().flatten() {
        let name = name.trim();
        if !name.is_empty() && seen.insert(name.to_owned()) {
            names.push(name.to_owned());
        }
    }
    Some(names)
}

fn read_execution_context(fields: &mut Fields) -> Option<String> {
    let context = fields.short("execution_context")?;
    match context.trim() {
        "fork" => Some("fork".to_owned()),
        "inline" | "" => Some("inline".to_owned()),
        other => {
            let message = format!("expected \"inline\" or \"fork\", found {other:?}; read as \"inline\"");
            fields.remark("invalid_field", Severity::Warning, "execution_context", message);
            Some("inline".to_owned())
        }
    }
}

fn read_vector(fields: &mut Fields) -> Option<Vec<f32>> {
    match fields.map.remove("vector")? {
        Value::Null => None,
        Value::Array(items) => {
            let numbers: Option<Vec<f32>> = items.iter().map(|n| n.as_f64().map(|n| n as f32)).collect();
            if numbers.is_none() {
                fields.wrong_type("vector", "a list of numbers");
            }
            numbers
        }
        _ => {
            fields.wrong_type("vector", "a list of numbers");
            None
        }
    }
}

fn take_text(map: &mut Map, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| map.remove(key).and_then(scalar_text))
}

fn take_list(map: &mut Map, key: &str) -> Vec<String> {
    match map.remove(key) {
        Some(Value::Array(items)) => items.into_iter().filter_map(scalar_text).collect(),
        Some(Value::String(text)) => vec![text],
        _ => Vec::new(),
    }
}

fn read_example(mut map: Map) -> Example {
    Example {
        title: take_text(&mut map, &["title"]),
        user_input: take_text(&mut map, &["user_input", "input", "query"]).unwrap_or_default(),
        assistant_output: take_text(&mut map, &["assistant_output", "output"]),
        notes: take_text(&mut map, &["notes"]),
    }
}

fn read_case(mut map: Map) -> EvaluationCase {
    EvaluationCase {
        case_id: take_text(&mut map, &["case_id", "id"]).unwrap_or_default(),
        title: take_text(&mut map, &["title"]),
        input: take_text(&mut map, &["input", "query", "prompt"]).unwrap_or_default(),
        expected_behavior: take_text(&mut map, &["expected_behavior"]),
        required_tools: take_list(&mut map, "required_tools"),
        tags: take_list(&mut map, "tags"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_json(json: &str) -> (Result<Skill, Diagnostic>, Vec<Diagnostic>) {
        let mut diagnostics = Remarks::default();
        let value = serde_json::from_str(json).expect("test input is JSON");
        (read(value, 0, "skills[0]", &mut diagnostics), diagnostics.list)
    }

    #[test]
    fn reads_every_case_of_a_key_and_legacy_keys() {
        let (skill, diagnostics) = read_json(
            r#"{"skill_id":"a","name":"A","when-to-use":"w","disable-model-invocation":true,"context":"fork",
                "tool_allowlist":["x"," y "],"allowedTools":["y","z"],"systemInstruction":"body","colour":"red"}"#,
        );
        let skill = skill.expect("a skill");
        assert_eq!((&*skill.id, &*skill.name, &*skill.when_to_use), ("a", "A", "w"));
        assert!(!skill.model_invocable);
        assert_eq!(skill.instructions.as_deref(), Some("body"));
        let details = skill.details();
        assert_eq!(details.execution_context.as_deref(), Some("fork"));
        assert_eq!(details.allowed_tools.as_deref(), Some(&["x", "y", "z"].map(String::from)[..]));
        assert_eq!(details.extra.get("colour"), Some(&Value::from("red")));
        assert!(diagnostics.is_empty());
    }

    #[test]
    fn an_unreadable_restriction_restricts() {
        for json in [
            r#"{"name":"a","enabled":"perhaps"}"#,
            r#"{"name":"a","enabled":[]}"#,
            r#"{"name":"a","enabled":"no"}"#,
            r#"{"name":"a","enabled":0}"#,
        ] {
            let (skill, diagnostics) = read_json(json);
            assert!(!skill.expect("a skill").enabled, "{json}");
            assert_eq!(diagnostics[0].path.as_deref(), Some("skills[0].enabled"));
        }
        let (skill, _) = read_json(r#"{"name":"a","disableModelInvocation":"dunno","model_invocable":true}"#);
        assert!(!skill.expect("a skill").model_invocable);
        let (skill, _) = read_json(r#"{"name":"a","modelInvocable":false,"model_invocable":true}"#);
        assert!(!skill.expect("a skill").model_invocable);
    }

    #[test]
    fn says_where_the_name_is_missing_or_too_long() {
        let (error, _) = read_json(r#"{"description":"d"}"#);
        assert_eq!(error.expect_err("no skill").path.as_deref(), Some("skills[0].name"));
        let (error, _) = read_json(&format!(r#"{{"name":"{}"}}"#, "n".repeat(1025)));
        assert_eq!(error.expect_err("no skill").message, "1025 bytes, the limit is 1024");
    }
}
