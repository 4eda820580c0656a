//! Plain data to and from JSON values. One small walk over `Value` serves every type, where a derived reader for each type
//! would double the wasm, and a wrong value is reported with its place.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::value::{Map, Number, Value};

/// A type that is written as a JSON value.
pub(crate) trait ToJson {
    fn to_json(&self) -> Value;
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
    let found = match found {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => found.to_string(),
        Value::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    Error::at("invalid_option", place, format!("expected {expected}, found {found}"))
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

/// Adds a field, unless it says nothing: null.
pub(crate) fn put(fields: &mut Map, key: &str, value: Value) {
    if !value.is_null() {
        fields.insert(key.to_owned(), value);
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
            fn to_json(&self) -> crate::value::Value {
                let mut fields = crate::value::Map::new();
                $(crate::json::put(&mut fields, $key, crate::json::ToJson::to_json(&self.$field));)*
                $($(fields.insert($null_key.to_owned(), crate::json::ToJson::to_json(&self.$null));)*)?
                crate::value::Value::Object(fields)
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
            fn to_json(&self) -> crate::value::Value {
                self.as_str().into()
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
    fn to_json(&self) -> Value {
        Value::String(self.clone())
    }
}

impl ToJson for bool {
    fn to_json(&self) -> Value {
        Value::Bool(*self)
    }
}

impl ToJson for u32 {
    fn to_json(&self) -> Value {
        Value::Number(Number::from(*self))
    }
}

impl ToJson for &'static str {
    fn to_json(&self) -> Value {
        Value::String((*self).to_owned())
    }
}

impl ToJson for usize {
    fn to_json(&self) -> Value {
        Value::Number(Number::from(*self))
    }
}

impl ToJson for f32 {
    fn to_json(&self) -> Value {
        f64::from(*self).to_json()
    }
}

impl ToJson for f64 {
    fn to_json(&self) -> Value {
        Number::from_f64(*self).map_or(Value::Null, Value::Number)
    }
}

impl ToJson for Value {
    fn to_json(&self) -> Value {
        self.clone()
    }
}

impl ToJson for Map {
    fn to_json(&self) -> Value {
        Value::Object(self.clone())
    }
}

impl<T: ToJson> ToJson for Box<T> {
    fn to_json(&self) -> Value {
        (**self).to_json()
    }
}

impl<T: ToJson> ToJson for Option<T> {
    fn to_json(&self) -> Value {
        self.as_ref().map_or(Value::Null, ToJson::to_json)
    }
}

impl<T: ToJson> ToJson for [T] {
    fn to_json(&self) -> Value {
        Value::Array(self.iter().map(ToJson::to_json).collect())
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn to_json(&self) -> Value {
        self.as_slice().to_json()
    }
}

impl<T: ToJson> ToJson for BTreeMap<String, T> {
    fn to_json(&self) -> Value {
        Value::Object(self.iter().map(|(key, value)| (key.clone(), value.to_json())).collect())
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
