//! What each skill costs at each level of detail, exactly as it would be written.

use crate::error::Error;
use crate::options::Options;
use crate::render::{self, Rest, Shown, Style};
use crate::skill::Skill;
use crate::tokens::{self, Tokenizer};

/// A counter of the host's: tokens of a text, or why it can't say.
pub type HostCounter<'a> = &'a dyn Fn(&str) -> Result<f64, Error>;

/// Whose tokens are counted.
#[derive(Clone, Copy)]
pub enum Counter<'a> {
    /// The built-in estimator.
    Estimate {
        /// Whose tokens are estimated.
        tokenizer: Tokenizer,
        /// Factor on every count.
        safety: f64,
    },
    /// The host's own tokenizer.
    Host(HostCounter<'a>),
}

impl<'a> Counter<'a> {
    pub(crate) fn of(options: &Options, host: Option<HostCounter<'a>>) -> Self {
        match host {
            Some(count) => Self::Host(count),
            None => Self::Estimate { tokenizer: options.tokenizer, safety: options.safety.unwrap_or(1.0) },
        }
    }

    /// Tokens of `text`.
    ///
    /// # Errors
    /// `invalid_count` where the host's counter gives no number of 0 or more; its own error where it fails.
    pub fn count(&self, text: &str) -> Result<u32, Error> {
        match self {
            Self::Estimate { tokenizer, safety } => Ok(tokens::count(text, *tokenizer, *safety)),
            Self::Host(count) => {
                let tokens = count(text)?;
                if tokens >= 0.0 && tokens.is_finite() {
                    return Ok(tokens.ceil() as u32);
                }
                let message = format!("countTokens returned {tokens}; it must return a number of 0 or more");
                Err(Error::at("invalid_count", "options.countTokens", message))
            }
        }
    }
}

/// Tokens of one skill's piece of the block.
pub(crate) fn element(counter: &Counter, style: Style, shown: Shown) -> Result<u32, Error> {
    let mut piece = String::new();
    render::element(&mut piece, style, shown);
    counter.count(&piece)
}

/// Tokens of one more name in the names element.
pub(crate) fn name(counter: &Counter, style: Style, skill: &Skill) -> Result<u32, Error> {
    if render::is_listable(&skill.id) {
        return counter.count(&format!(" {},", skill.id));
    }
    let mut piece = String::new();
    render::more(&mut piece, style.format, Rest { names: &[&skill.id], ..Rest::default() });
    counter.count(&piece)
}

/// Tokens of everything that stands around the skills: wrapper, an empty names element, the note on what was left out.
pub(crate) fn wrapper(counter: &Counter, style: Style, search_tool: &str, omitted: usize) -> Result<u32, Error> {
    let mut piece = String::from(render::opening(style.format));
    render::more(&mut piece, style.format, Rest { names: &["a"], omitted, search_tool });
    piece.push_str(render::closing(style.format));
    counter.count(&piece)
}
