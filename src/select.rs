//! Conversation in, block out: the pipeline.

use crate::catalog::Catalog;
use crate::context::Context;
use crate::cost::HostCounter;
use crate::eligible::Reason;
use crate::error::Error;
use crate::listing;
use crate::options::{Options, Placement};
use crate::pick::{MAX_OMITTED, Pick, PickState};
use crate::placement;
use crate::selection::{Listed, Selection};

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
        let mut selection = Selection::new(self, options, host_counter)?;
        let by_characters = listing::by_characters(options);
        if options.placement == Placement::Split && !by_characters {
            return placement::split(&selection, context, previous.as_ref(), host_counter);
        }
        let mut survey = selection.survey(context)?;
        let most = options.max_skills();
        let mut beyond = Vec::new();
        let (mut ranked, mut items) = if by_characters {
            let mut all = survey.first(usize::MAX);
            all.sort_by_key(|one| one.at);
            beyond = all.split_off(most.min(all.len()));
            let items = selection.scene.items(&all);
            (all, items)
        } else {
            let shown = previous.iter().flat_map(|previous| &previous.shown);
            let shown = shown.filter_map(|one| self.position(&one.id)).map(|at| at as u32).collect();
            survey.head(&selection.scene, most, &shown)
        };
        selection.scene.behind = survey.len().min(most) - ranked.len();
        let settled = match previous {
            _ if by_characters => selection.scene.rows(&ranked)?,
            None => selection.scene.settle(&ranked, &items)?,
            Some(previous) => {
                let fresh = selection.scene.settle(&ranked, &items)?;
                selection.scene.keep(&mut ranked, &mut items, fresh, &previous)?
            }
        };
        if most < survey.len() && !by_characters {
            beyond = survey.first(most + MAX_OMITTED).split_off(most);
        }
        let reason = if beyond.is_empty() { Reason::Budget } else { Reason::Limit };
        let rest = (survey.len() - ranked.len() - beyond.len(), reason);
        let listed = Listed { ranked: &ranked, items: &items, beyond: &beyond, rest };
        selection.report(context, &survey, &listed, settled)
    }
}
