//! Picks the agent skills that matter for a conversation within a token budget, and renders them as an escaped instruction block.
//!
//! ```
//! use skillpick::{Budget, Catalog, CatalogOptions, Context, Detail, Options};
//!
//! let json = br#"[
//!     {"name": "berth-plan", "description": "Plans berths. Use when a ship calls.", "instructions": "Look at the tides."},
//!     {"name": "tug-order", "description": "Books tugs. Use when a ship is too large for the basin."}
//! ]"#;
//! let catalog = Catalog::from_slice(json, CatalogOptions::default())?;
//!
//! let context = Context { query: Some("Which berth for the ship?".into()), ..Context::default() };
//! let options = Options { budget: Budget::Tokens(70.0), ..Options::default() };
//! let pick = catalog.select(&context, &options, None)?;
//! assert_eq!(pick.skills[0].id, "berth-plan");
//! assert_eq!(pick.skills[0].detail, Detail::Description);
//! assert!(pick.tokens <= 70);
//! # Ok::<(), skillpick::Error>(())
//! ```
//!
//! What always holds: the whole block costs no more tokens than the budget; in the XML formats it is well-formed for any input; every
//! skill of the catalog is shown or left out for a reason ([`Pick::skills`], [`Pick::omitted`], [`Pick::counts`]); the same input
//! gives the same bytes on every platform; no input panics. Bad input is an [`Error`] with a code, one bad skill a [`Diagnostic`].
//!
//! - [`Catalog::from_slice`] reads skills from JSON; [`Catalog::select`] picks, with [`Options`] and what [`Context`] knows.
//! - [`Catalog::load`] answers the model's tool call, [`Catalog::tools`] describes the tools, [`Catalog::search`] finds by words.
//! - [`SessionState`] keeps what a conversation has loaded; [`Catalog::policy`] joins what the active skills ask for.
//! - [`HostCounter`] counts tokens your way; without one [`estimate`] does.
//!
//! The crate has no features, reads no files, and starts no threads. The files read in the order of the data: `catalog` (with `entry`,
//! `collision`, `index`), `context`, `query`, `eligible`, `score`, `rank`, `cost`, `fit`, `order`, `render`, and `select`, which calls them.

mod activation;
mod arguments;
mod background;
mod catalog;
mod chunk;
mod collision;
mod confidence;
mod context;
mod cost;
mod decimal;
mod diagnostic;
mod eligible;
mod entry;
mod error;
mod evaluate;
mod explain;
mod fit;
mod folder;
mod glob;
mod index;
mod indexer;
mod json;
mod knapsack;
mod levels;
pub mod limits;
mod listing;
mod load;
mod loaded;
mod mention;
mod options;
mod order;
mod pack;
mod parse;
mod passages;
mod pasted;
mod phrases;
mod pick;
mod placement;
mod policy;
mod postings;
mod prices;
mod prior;
mod query;
mod rank;
mod reattach;
#[cfg(test)]
mod recipe_tests;
mod record;
mod refuse;
mod render;
mod repeat;
mod report;
mod rows;
mod rules;
mod score;
mod script;
mod search;
mod select;
mod selection;
mod serde_value;
mod settle;
mod skill;
mod snapshot;
mod state;
mod stem;
mod sticky;
mod stored;
mod suggest;
mod summary;
mod terms;
mod text;
mod tokens;
mod tools;
mod top;
mod typo;
mod unpack;
mod value;
mod wrapper;

#[cfg(target_family = "wasm")]
mod wasm;

pub use activation::{ActiveText, Boundary, BoundaryOptions, Dropped};
pub use arguments::Arguments;
pub use catalog::{Catalog, CatalogOptions, Changes, Invalid};
pub use collision::Shadowed;
pub use context::{Context, Usage};
pub use cost::{Detail, HostCounter};
pub use diagnostic::{Diagnostic, Severity};
pub use eligible::{Reason, Seen};
pub use error::Error;
pub use evaluate::{Confusion, Evaluation, EvaluationPrompt, SkillEvaluation};
pub use explain::{Evidence, explain};
pub use index::Index;
pub use loaded::{LoadOptions, LoadResult, Loaded, Refused};
pub use options::{
    Action, Actor, Budget, DEFAULT_BUDGET, DEFAULT_STABLE_SHARE, Format, Mode, Options, Order, Placement, Rule, Switch,
    ToolNames, UserConfig,
};
pub use parse::Malformed;
pub use pick::{MAX_OMITTED, Next, Omitted, Pick, PickState, Picked, ShownState};
pub use policy::{Request, SkillTools, ToolPolicy};
pub use query::Query;
pub use reattach::{REATTACH_BUDGET, REATTACH_PER_SKILL, ReattachOptions};
pub use rules::{Entered, Rules, RulesOptions};
pub use score::{EXPLAINED, Relevance, confident, relevance, score};
pub use search::{DEFAULT_HITS, MAX_HITS, SearchHit};
pub use skill::{Details, EvaluationCase, Example, Kind, Skill};
pub use snapshot::Incoming;
pub use state::{ActiveSkill, KnownRule, STATE_VERSION, SessionState};
pub use stored::{Spare, Stored};
pub use tokens::{Tokenizer, count, estimate};
pub use tools::ToolDefinition;
pub use value::{Map, Number, Value};
pub use wrapper::{LoadFormat, Unwrapped, decode};

/// The README's Rust is run like the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
