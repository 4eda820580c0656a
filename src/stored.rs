//! A text of its own, or a part of one that many share: a catalog from a snapshot keeps one buffer and copies nothing out of it.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A text that never changes.
#[derive(Clone)]
pub struct Stored(Place);

#[derive(Clone)]
enum Place {
    Own(Box<str>),
    Part { of: Arc<String>, start: u32, length: u32 },
}

impl Stored {
    /// The `length` bytes from `start`; none where these are no whole characters of the text.
    pub(crate) fn part(of: &Arc<String>, start: u32, length: u32) -> Option<Self> {
        of.get(start as usize..)?.get(..length as usize)?;
        Some(Self(Place::Part { of: Arc::clone(of), start, length }))
    }
}

impl Deref for Stored {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.0 {
            Place::Own(text) => text,
            // `part` has seen that it is there.
            Place::Part { of, start, length } => of.get(*start as usize..(start + length) as usize).unwrap_or_default(),
        }
    }
}

impl Default for Stored {
    fn default() -> Self {
        Self(Place::Own(Box::default()))
    }
}

impl From<String> for Stored {
    fn from(text: String) -> Self {
        Self(Place::Own(text.into()))
    }
}

impl From<&str> for Stored {
    fn from(text: &str) -> Self {
        Self(Place::Own(text.into()))
    }
}

impl PartialEq for Stored {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Stored {}

impl PartialOrd for Stored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Stored {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl serde::Serialize for Stored {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

/// A text that most skills do not have: nothing but a pointer where it is empty, since a catalog holds a hundred thousand of them.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Spare(Option<Box<Stored>>);

impl Deref for Spare {
    type Target = str;

    fn deref(&self) -> &str {
        self.0.as_deref().map_or("", |text| text)
    }
}

impl From<Stored> for Spare {
    fn from(text: Stored) -> Self {
        Self((!text.is_empty()).then(|| Box::new(text)))
    }
}

impl From<String> for Spare {
    fn from(text: String) -> Self {
        Stored::from(text).into()
    }
}

impl From<&str> for Spare {
    fn from(text: &str) -> Self {
        Stored::from(text).into()
    }
}

impl fmt::Debug for Spare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for Spare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}
