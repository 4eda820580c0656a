//! JSON values and how they are written. The crate has its own, since a general library's reader, writer and maps take a
//! fifth of the wasm; `tests/json.rs` compares them with serde_json.

use std::fmt;

use crate::decimal::{decimal, read_number, whole};

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Value {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// Fields by key.
    Object(Map),
}

/// A number as it was written, so that passing it on changes nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number(pub(crate) Box<str>);

/// Fields in the order of their keys, each key once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Map(Vec<(String, Value)>);

impl Value {
    /// The field of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Self::Object(fields) => fields.get(key),
            _ => None,
        }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(number) => number.as_f64(),
            _ => None,
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }
}

impl Number {
    /// The nearest floating-point number; none where it is too large for one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        Some(read_number(self.0.as_bytes())).filter(|number| number.is_finite())
    }
}

impl From<u32> for Number {
    fn from(number: u32) -> Self {
        Self(whole(u64::from(number)).into())
    }
}

impl From<usize> for Number {
    fn from(number: usize) -> Self {
        Self(whole(number as u64).into())
    }
}

impl Number {
    /// None for NaN and infinities, which JSON lacks.
    #[must_use]
    pub fn from_f64(number: f64) -> Option<Self> {
        number.is_finite().then(|| Self(decimal(number).into()))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl Map {
    /// No fields.
    #[must_use]
    pub fn new() -> Self {
        Self(Vec::new())
    }

    /// The field.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.place(key).ok().map(|at| &self.0[at].1)
    }

    /// Whether there is such a field.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.place(key).is_ok()
    }

    /// Whether there is no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets a field; for objects of few fields, since it shifts what comes behind.
    pub fn insert(&mut self, key: String, value: Value) {
        match self.place(&key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    /// Takes a field out.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let at = self.place(key).ok()?;
        Some(self.0.remove(at).1)
    }

    /// The fields.
    pub fn iter(&self) -> std::slice::Iter<'_, (String, Value)> {
        self.0.iter()
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.as_str().cmp(key))
    }
}

impl IntoIterator for Map {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = &'a (String, Value);
    type IntoIter = std::slice::Iter<'a, (String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl FromIterator<(String, Value)> for Map {
    /// Of equal keys the last one counts.
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(fields: I) -> Self {
        let mut fields: Vec<(String, Value)> = fields.into_iter().collect();
        fields.reverse();
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        fields.dedup_by(|later, kept| later.0 == kept.0);
        Self(fields)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        write(&mut out, self);
        f.write_str(&out)
    }
}

/// Appends the JSON of `value`.
pub(crate) fn write(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number.0),
        Value::String(text) => write_text(out, text),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write(out, item);
            }
            out.push(']');
        }
        Value::Object(fields) => write_fields(out, fields),
    }
}

pub(crate) fn write_fields(out: &mut String, fields: &Map) {
    out.push('{');
    for (at, (key, value)) in fields.iter().enumerate() {
        out.push_str(if at > 0 { "," } else { "" });
        write_text(out, key);
        out.push(':');
        write(out, value);
    }
    out.push('}');
}

/// Appends `text` as a JSON text.
pub(crate) fn write_text(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        out.push_str(&rest[..at]);
        let byte = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        let short = match byte {
            b'\n' => 'n',
            b'\r' => 'r',
            b'\t' => 't',
            8 => 'b',
            12 => 'f',
            b' '.. => char::from(byte),
            _ => 'u',
        };
        out.push('\\');
        out.push(short);
        if short == 'u' {
            out.push_str(if byte < 16 { "000" } else { "001" });
            out.push(char::from_digit(u32::from(byte) % 16, 16).unwrap_or('0'));
        }
    }
    out.push_str(rest);
    out.push('"');
}
