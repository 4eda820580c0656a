//! Diagnostics: what was wrong with a part of the input that did not stop the call.

use crate::json::{names, record};
use crate::limits::{MAX_DIAGNOSTICS, MAX_MESSAGE_BYTES};

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

/// Remarks while a catalog is read: [`MAX_DIAGNOSTICS`] at most, of the rest the number.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    pub(crate) list: Vec<Diagnostic>,
    more: usize,
}

impl Remarks {
    pub(crate) fn push(&mut self, mut remark: Diagnostic) {
        if self.list.len() >= MAX_DIAGNOSTICS {
            self.more += 1;
            return;
        }
        if remark.message.len() > MAX_MESSAGE_BYTES {
            let end = (0..=MAX_MESSAGE_BYTES).rev().find(|&end| remark.message.is_char_boundary(end));
            remark.message.truncate(end.unwrap_or(0));
            remark.message.push('…');
        }
        self.list.push(remark);
    }

    /// All of them, the number of those without a place at the end.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        if self.more > 0 {
            let message = format!("{} more remarks; {MAX_DIAGNOSTICS} are listed", self.more);
            self.list.push(Diagnostic::new("more_diagnostics", Severity::Warning, message));
        }
        self.list
    }
}

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
