//! Promethea's listing, counted in its characters: rows in the order of ids until the first one that does not fit.

use crate::cost::Detail;
use crate::error::Error;
use crate::levels::{Level, Scene};
use crate::options::{Budget, Format, Mode, Options};
use crate::rank::Ranked;
use crate::render::{self, Shown};
use crate::settle::Settled;
use crate::text::fold;

/// Characters of the listing and of one description: what holds where nothing is said, and what is the least.
const MAX_CHARS: (f64, f64) = (8000.0, 256.0);
const DESCRIPTION_CHARS: (f64, f64) = (250.0, 32.0);

/// Whether a listing is counted in characters: in this format, where a limit in characters or no budget is given.
pub(crate) fn by_characters(options: &Options) -> bool {
    let limited = options.max_chars.is_some() || options.description_chars.is_some();
    options.format == Format::Promethea && (limited || options.budget == Budget::Default)
}

fn limit(given: Option<f64>, (default, least): (f64, f64)) -> usize {
    given.unwrap_or(default).max(least) as usize
}

impl Scene<'_> {
    /// The listing of `ranked`, which are in id order. It has its header even without a skill.
    ///
    /// # Errors
    /// What the counter gives.
    pub(crate) fn rows(&self, ranked: &[Ranked]) -> Result<Settled, Error> {
        if self.options.mode == Mode::Off {
            return Ok(Settled::default());
        }
        let most = limit(self.options.max_chars, MAX_CHARS);
        let longest = limit(self.options.description_chars, DESCRIPTION_CHARS);
        let mut xml = render::opening(self.style).trim_end().to_owned();
        let mut length = xml.chars().count();
        let mut shown = Vec::new();
        for (at, one) in ranked.iter().enumerate() {
            let skill = self.skill(one);
            let text = fold(&render::description(self.style, skill)).into_owned();
            let description = cut(&text, longest);
            let mut row = String::from("\n");
            render::element(&mut row, self.style, Shown { skill, description: &description, body: None });
            let row = row.trim_end_matches('\n');
            length += row.chars().count();
            if length > most {
                break;
            }
            let detail =
                if description.ends_with("...") && description != text { Detail::Summary } else { Detail::Description };
            shown.push((at, Level { detail, cost: self.counter.price(row), value: one.relevance.score }));
            xml.push_str(row);
        }
        let tokens = self.counter.count(&xml)?;
        Ok(Settled { xml, tokens, shown, gap: 0.0 })
    }
}

/// The first characters of a text, with three full stops for the rest.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}...", text[..at].trim_end()),
    }
}
