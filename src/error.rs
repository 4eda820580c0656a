//! The one error type.

/// Why a call could not give a result: a stable code, the place in the input, and a message that says how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    code: &'static str,
    path: Option<String>,
    message: String,
}

impl Error {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, path: None, message: message.into() }
    }

    pub(crate) fn at(code: &'static str, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code, path: Some(path.into()), message: message.into() }
    }

    pub(crate) fn with_code(self, code: &'static str) -> Self {
        Self { code, ..self }
    }

    /// The stable code that callers switch on, such as `invalid_budget`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The place in the input, such as `skills[3].name`.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    /// The message without its place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{path}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {}
