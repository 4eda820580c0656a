//! Diagnostics: what was wrong with a part of the input that did not stop the call.

use crate::json::{names, record};

/// How much a diagnostic matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing was lost.
    Info,
    /// Something was repaired, ignored or degraded.
    Warning,
    /// A skill, or a field that matters, could not be used.
    Error,
}

names!(Severity { Info: "info", Warning: "warning", Error: "error" });

/// One remark about the input or the result, as a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, such as `duplicate_id`.
    pub code: String,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong and how to mend it.
    pub message: String,
    /// Id of the skill concerned.
    pub skill: Option<String>,
    /// Place in the input, such as `skills[3].name`.
    pub path: Option<String>,
}

record!(write Diagnostic { code: "code", severity: "severity", message: "message", skill: "skill", path: "path" });

impl Diagnostic {
    pub(crate) fn new(code: &str, severity: Severity, message: impl Into<String>) -> Self {
        Self { code: code.into(), severity, message: message.into(), skill: None, path: None }
    }

    pub(crate) fn skill(mut self, id: &str) -> Self {
        self.skill = Some(id.into());
        self
    }

    pub(crate) fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }
}
