//! Pick agent skills for a conversation within a token budget and render them as an escaped XML instruction block.

mod error;
mod skill;

pub use error::{Diagnostic, Error, Severity};
pub use skill::{Details, EvaluationCase, Example, Kind, Skill};
