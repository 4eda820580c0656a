//! Pick agent skills for a conversation within a token budget and render them as an escaped XML instruction block.

mod background;
mod confidence;
mod context;
mod error;
mod explain;
mod index;
mod passages;
mod postings;
mod query;
#[cfg(test)]
mod recipe_tests;
mod score;
mod script;
mod skill;
mod stem;
mod terms;

pub use context::{Context, Usage};
pub use error::{Diagnostic, Error, Severity};
pub use explain::{Evidence, explain};
pub use index::Index;
pub use query::Query;
pub use score::{EXPLAINED, Relevance, confident, score};
pub use skill::{Details, EvaluationCase, Example, Kind, Skill};
