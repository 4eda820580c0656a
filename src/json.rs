//! Plain data to and from JSON values. One small walk over `Value` serves every type, where a derived reader for each type
//! would double the wasm, and a wrong value is reported with its place.

use std::collections::BTreeMap;

use crate::decimal::{decimal, whole};
use crate::error::Error;
use crate::value::{self, Map, Value, write_text};

/// A type that is written as a JSON value.
pub(crate) trait ToJson {
    /// Appends the JSON text.
    fn write(&self, out: &mut String);

    /// Whether a field with it says nothing and is left out.
    fn is_null(&self) -> bool {
        false
    }

    fn to_json(&self) -> Value {
        let mut text = String::new();
        self.write(&mut text);
        Value::parse(&text).unwrap_or_default()
    }
}

/// A type that is read from a JSON value; `place` names it in errors.
pub(crate) trait FromJson: Sized {
    fn from_json(value: Value, place: &str) -> Result<Self, Error>;

    /// What an explicit null stands for; nothing means that the default stays.
    fn null() -> Option<Self> {
        None
    }
}

/// `code` for a value of the wrong type.
pub(crate) fn wrong(place: &str, expected: &str, found: &Value) -> Error {
    Error::at("invalid_option", place, format!("expected {expected}, found {}", described(found)))
}

/// A value as messages show it: short, whatever it is.
pub(crate) fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string().chars().take(40).collect(),
        Value::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Moves the value under `key` into `slot`; where there is none, `slot` keeps its default. The first error of several
/// fields is kept in `first`.
pub(crate) fn take<T: FromJson>(fields: &mut Map, key: &str, slot: &mut T, place: &str, first: &mut Option<Error>) {
    match fields.remove(key) {
        None => {}
        Some(Value::Null) => {
            if let Some(null) = T::null() {
                *slot = null;
            }
        }
        Some(value) => match T::from_json(value, &format!("{place}.{key}")) {
            Ok(read) => *slot = read,
            Err(error) => {
                first.get_or_insert(error);
            }
        },
    }
}

pub(crate) fn object(value: Value, place: &str) -> Result<Map, Error> {
    match value {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(Map::new()),
        other => Err(wrong(place, "an object", &other)),
    }
}

/// Appends a field to an object that is being written.
pub(crate) fn put(out: &mut String, key: &str, value: &dyn ToJson) {
    // Values end in a quotation mark, a bracket, a digit, or a letter: a brace that opens is the object's.
    if !out.ends_with('{') {
        out.push(',');
    }
    write_text(out, key);
    out.push(':');
    value.write(out);
}

/// Appends a field, unless it says nothing: null.
pub(crate) fn put_some(out: &mut String, key: &str, value: &dyn ToJson) {
    if !value.is_null() {
        put(out, key, value);
    }
}

/// Reading and writing of a struct whose fields are all of readable and writable types. Absent fields keep their default.
macro_rules! record {
    (read $type:ident { $($field:ident: $key:literal),* $(,)? }) => {
        impl crate::json::FromJson for $type {
            #[inline(never)]
            fn from_json(value: crate::value::Value, place: &str) -> Result<Self, crate::error::Error> {
                let mut fields = crate::json::object(value, place)?;
                let mut record = Self::default();
                let mut first = None;
                // One check at the end and not one a field: a record half built has to be dropped at each way out.
                $(crate::json::take(&mut fields, $key, &mut record.$field, place, &mut first);)*
                first.map_or(Ok(record), Err)
            }
        }
        crate::json::serde_read!($type);
    };
    (write $type:ident { $($field:ident: $key:literal),* $(,)? } $(null { $($null:ident: $null_key:literal),* })?) => {
        impl crate::json::ToJson for $type {
            fn write(&self, out: &mut String) {
                out.push('{');
                $(crate::json::put_some(out, $key, &self.$field);)*
                $($(crate::json::put(out, $null_key, &self.$null);)*)?
                out.push('}');
            }
        }
        crate::json::serde_write!($type);
    };
}

/// Reading and writing of an enum by the names of its variants.
macro_rules! names {
    ($type:ident { $($variant:ident: $name:literal),* $(,)? }) => {
        impl $type {
            /// The name that users see.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
        impl crate::json::FromJson for $type {
            fn from_json(value: crate::value::Value, place: &str) -> Result<Self, crate::error::Error> {
                match value.as_str() {
                    $(Some($name) => Ok(Self::$variant),)*
                    _ => Err(crate::json::wrong(place, concat!("one of" $(, " ", $name)*), &value)),
                }
            }
        }
        impl crate::json::ToJson for $type {
            fn write(&self, out: &mut String) {
                crate::value::write_text(out, self.as_str());
            }
        }
        crate::json::serde_read!($type);
        crate::json::serde_write!($type);
    };
}

/// The same for users of serde; not part of the wasm, which never calls it.
macro_rules! serde_read {
    ($type:ident) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <crate::value::Value as serde::Deserialize>::deserialize(deserializer)?;
                crate::json::FromJson::from_json(value, stringify!($type)).map_err(serde::de::Error::custom)
            }
        }
    };
}
macro_rules! serde_write {
    ($type:ident) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&crate::json::ToJson::to_json(self), serializer)
            }
        }
    };
}
pub(crate) use {names, record, serde_read, serde_write};

impl ToJson for String {
    fn write(&self, out: &mut String) {
        write_text(out, self);
    }
}

impl ToJson for &'static str {
    fn write(&self, out: &mut String) {
        write_text(out, self);
    }
}

impl ToJson for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl ToJson for u32 {
    fn write(&self, out: &mut String) {
        out.push_str(&whole(u64::from(*self)));
    }
}

impl ToJson for usize {
    fn write(&self, out: &mut String) {
        out.push_str(&whole(*self as u64));
    }
}

impl ToJson for f32 {
    fn write(&self, out: &mut String) {
        f64::from(*self).write(out);
    }
}

impl ToJson for f64 {
    fn write(&self, out: &mut String) {
        if self.is_finite() {
            out.push_str(&decimal(*self));
        } else {
            out.push_str("null");
        }
    }

    fn is_null(&self) -> bool {
        !self.is_finite()
    }
}

impl ToJson for Value {
    fn write(&self, out: &mut String) {
        value::write(out, self);
    }

    fn is_null(&self) -> bool {
        self.is_null()
    }

    fn to_json(&self) -> Value {
        self.clone()
    }
}

impl ToJson for Map {
    fn write(&self, out: &mut String) {
        value::write_fields(out, self);
    }
}

impl<T: ToJson> ToJson for Box<T> {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }

    fn is_null(&self) -> bool {
        (**self).is_null()
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }

    fn is_null(&self) -> bool {
        self.as_ref().is_none_or(ToJson::is_null)
    }
}

impl<T: ToJson> ToJson for [T] {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (at, item) in self.iter().enumerate() {
            out.push_str(if at > 0 { "," } else { "" });
            item.write(out);
        }
        out.push(']');
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write(&self, out: &mut String) {
        self.as_slice().write(out);
    }
}

impl<T: ToJson> ToJson for BTreeMap<String, T> {
    fn write(&self, out: &mut String) {
        out.push('{');
        for (key, value) in self {
            put(out, key, value);
        }
        out.push('}');
    }
}

impl FromJson for String {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        match value {
            Value::String(text) => Ok(text),
            other => Err(wrong(place, "a text", &other)),
        }
    }
}

impl FromJson for bool {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        value.as_bool().ok_or_else(|| wrong(place, "true or false", &value))
    }
}

impl FromJson for f64 {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        value.as_f64().ok_or_else(|| wrong(place, "a number", &value))
    }
}

impl FromJson for u32 {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        let number = value.as_f64().filter(|n| *n >= 0.0 && *n <= f64::from(u32::MAX) && n.fract() == 0.0);
        number.map(|n| n as u32).ok_or_else(|| wrong(place, "a whole number of 0 or more", &value))
    }
}

impl FromJson for Value {
    fn from_json(value: Value, _: &str) -> Result<Self, Error> {
        Ok(value)
    }
}

impl FromJson for Map {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        object(value, place)
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        T::from_json(value, place).map(Some)
    }

    fn null() -> Option<Self> {
        Some(None)
    }
}

impl<T: FromJson> FromJson for Box<T> {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        T::from_json(value, place).map(Box::new)
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        match value {
            Value::Array(items) => {
                items.into_iter().enumerate().map(|(at, item)| T::from_json(item, &format!("{place}[{at}]"))).collect()
            }
            other => Err(wrong(place, "an array", &other)),
        }
    }
}

impl<T: FromJson> FromJson for BTreeMap<String, T> {
    fn from_json(value: Value, place: &str) -> Result<Self, Error> {
        let fields = object(value, place)?;
        fields
            .into_iter()
            .map(|(key, value)| T::from_json(value, &format!("{place}.{key}")).map(|value| (key, value)))
            .collect()
    }
}
