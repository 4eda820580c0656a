//! What each piece of a block costs, exactly as it would be written.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use crate::decimal::decimal;
use crate::error::Error;
use crate::json::names;
use crate::options::Options;
use crate::render::{self, Rest, Shown, Style};
use crate::skill::Skill;
use crate::tokens::{self, Tokenizer};

/// How much of a skill is shown, cheapest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Detail {
    /// Only its name, beside the others'.
    #[default]
    Name,
    /// The part of the description that says when to use it.
    Summary,
    /// The whole description.
    Description,
    /// Description and body.
    Instructions,
}

names!(Detail { Name: "name", Summary: "summary", Description: "description", Instructions: "instructions" });

/// Prices are in this part of a token, so that rounding them up costs next to nothing.
pub(crate) const PART: u32 = 64;

/// A counter of the host's: tokens of a text, or why it can't say.
pub type HostCounter<'a> = &'a dyn Fn(&str) -> Result<f64, Error>;

/// Whose tokens are counted: the estimator's, times `safety`, or the host's, whose answers are remembered.
pub(crate) struct Counter<'a> {
    tokenizer: Tokenizer,
    safety: f64,
    host: Option<HostCounter<'a>>,
    known: RefCell<HashMap<String, u32>>,
    /// Estimate of two names without a third between them.
    between: OnceCell<f64>,
}

impl<'a> Counter<'a> {
    pub(crate) fn of(options: &Options, host: Option<HostCounter<'a>>) -> Self {
        Self::new(options.tokenizer, options.safety, host)
    }

    pub(crate) fn new(tokenizer: Tokenizer, safety: Option<f64>, host: Option<HostCounter<'a>>) -> Self {
        let safety = if host.is_some() { 1.0 } else { safety.unwrap_or(1.0) };
        Self { tokenizer, safety, host, known: RefCell::default(), between: OnceCell::new() }
    }

    /// What estimates depend on beside the text.
    pub(crate) fn key(&self) -> u64 {
        self.safety.to_bits() ^ self.tokenizer as u64
    }

    pub(crate) fn is_host(&self) -> bool {
        self.host.is_some()
    }

    /// Tokens of `text`, whole.
    ///
    /// # Errors
    /// `invalid_count` where the host's counter gives no number of 0 or more; its own error where it fails.
    pub(crate) fn count(&self, text: &str) -> Result<u32, Error> {
        let Some(count) = self.host else { return Ok(tokens::count(text, self.tokenizer, self.safety)) };
        if text.is_empty() {
            return Ok(0);
        }
        if let Some(&tokens) = self.known.borrow().get(text) {
            return Ok(tokens);
        }
        let tokens = count(text)?;
        if !(tokens >= 0.0 && tokens.is_finite()) {
            let message = format!("countTokens returned {}; it must return a number of 0 or more", decimal(tokens));
            return Err(Error::at("invalid_count", "options.countTokens", message));
        }
        let tokens = tokens.ceil() as u32;
        self.known.borrow_mut().insert(text.to_owned(), tokens);
        Ok(tokens)
    }

    /// Estimated price of `text`, in [`PART`]s of a token.
    pub(crate) fn price(&self, text: &str) -> u32 {
        (self.estimate(text) * f64::from(PART)).ceil() as u32
    }

    fn estimate(&self, text: &str) -> f64 {
        tokens::estimate(text, self.tokenizer) * self.safety
    }

    /// Whether `text` has at most this many tokens by the estimate.
    pub(crate) fn fits(&self, text: &str, tokens: f64) -> bool {
        self.estimate(text) <= tokens
    }

    /// Price of one skill's piece of the block.
    pub(crate) fn element(&self, style: Style, shown: Shown) -> u32 {
        let mut piece = String::new();
        render::element(&mut piece, style, shown);
        self.price(&piece)
    }

    /// Price of one more name in the names element: what it adds between two others.
    pub(crate) fn name(&self, style: Style, skill: &Skill) -> u32 {
        if render::is_listable(&skill.id) {
            let without = *self.between.get_or_init(|| self.estimate("a, a"));
            let more = self.estimate(&format!("a, {}, a", skill.id)) - without;
            return (more.max(0.0) * f64::from(PART)).ceil() as u32;
        }
        let mut piece = String::new();
        render::more(&mut piece, style.format, Rest { names: &[&skill.id], ..Rest::default() });
        self.price(&piece)
    }

    /// Price of all that stands around the skills: wrapper, an empty names element, the note on what was left out.
    pub(crate) fn wrapper(&self, style: Style, rest: Rest) -> u32 {
        let mut piece = render::opening(style).into_owned();
        render::more(&mut piece, style.format, Rest { names: &["a"], ..rest });
        piece.push_str(render::closing(style.format));
        self.price(&piece)
    }
}
