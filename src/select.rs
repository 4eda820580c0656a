//! Conversation in, block out: the pipeline.

use crate::catalog::Catalog;
use crate::context::Context;
use crate::cost::HostCounter;
use crate::error::Error;
use crate::listing;
use crate::options::{Options, Placement};
use crate::pick::{Pick, PickState};
use crate::placement;
use crate::selection::{Ranking, Selection, Survey};

impl Catalog {
    /// Picks skills for the conversation and writes the block.
    ///
    /// # Errors
    /// `invalid_budget` and `invalid_option` for options, `unknown_required` and `required_too_large` for `required`,
    /// `invalid_previous` for a `previous` that is none, `invalid_count` and the host's own errors where `host_counter`
    /// fails.
    pub fn select(
        &self,
        context: &Context,
        options: &Options,
        host_counter: Option<HostCounter>,
    ) -> Result<Pick, Error> {
        options.validate()?;
        let previous = PickState::previous(context)?;
        let selection = Selection::new(self, options, host_counter)?;
        let by_characters = listing::by_characters(options);
        if options.placement == Placement::Split && !by_characters {
            return placement::split(&selection, context, previous.as_ref(), host_counter);
        }
        let Survey { mut ranked, refused, confident } = selection.survey(context)?;
        if by_characters {
            ranked.sort_by_key(|one| one.at);
        }
        let beyond = ranked.split_off(options.max_skills().min(ranked.len()));
        let mut items = selection.scene.items(&ranked);
        let settled = match previous {
            _ if by_characters => selection.scene.rows(&ranked)?,
            None => selection.scene.settle(&ranked, &items)?,
            Some(previous) => {
                let fresh = selection.scene.settle(&ranked, &items)?;
                selection.scene.keep(&mut ranked, &mut items, fresh, &previous)?
            }
        };
        let ranking = Ranking { ranked: &ranked, items: &items, beyond: &beyond };
        selection.report(context, confident, &ranking, refused, settled)
    }
}
