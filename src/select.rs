//! Conversation in, block out: the pipeline.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::context::Context;
use crate::cost::{Counter, Detail, HostCounter, PART};
use crate::eligible::{Policy, Reason, Seen};
use crate::error::{Diagnostic, Error, Severity};
use crate::levels::{Item, Level, Scene};
use crate::options::{Mode, Options};
use crate::pick::{MAX_OMITTED, Next, Omitted, Pick, PickState, Picked, ShownState, never_shown};
use crate::policy;
use crate::query::Query;
use crate::rank::{self, Claim, Ranked};
use crate::render::Style;
use crate::score;
use crate::settle::Settled;

impl Catalog {
    /// Picks skills for the conversation and writes the block.
    ///
    /// # Errors
    /// `invalid_budget` and `invalid_option` for options, `unknown_required` and `required_too_large` for `required`,
    /// `invalid_count` and the host's own errors where `host_counter` fails.
    pub fn select(
        &self,
        context: &Context,
        options: &Options,
        host_counter: Option<HostCounter>,
    ) -> Result<Pick, Error> {
        options.validate()?;
        let scene = Scene {
            skills: &self.skills,
            options,
            style: Style::of(options),
            counter: Counter::of(options, host_counter),
            budget: options.budget.tokens()?,
        };
        let selection = Selection { catalog: self, options, scene };
        let (eligible, refused) = selection.eligible(context)?;
        let query = Query::read(context, &self.skills, &self.index);
        let relevance = score::score(&self.skills, &self.index, &query, context, &eligible);
        let confident = score::confident(&relevance);
        let mut ranked = rank::rank(&self.skills, &eligible, relevance, context, options);
        let beyond = ranked.split_off(options.max_skills().min(ranked.len()));
        let items = selection.scene.items(&ranked);
        let settled = selection.scene.settle(&ranked, &items)?;
        let ranking = Ranking { ranked: &ranked, items: &items, beyond: &beyond };
        selection.report(context, confident, &ranking, refused, settled)
    }
}

/// What all steps of one call share.
struct Selection<'a> {
    catalog: &'a Catalog,
    options: &'a Options,
    scene: Scene<'a>,
}

/// Who could have been shown, best first.
struct Ranking<'a> {
    ranked: &'a [Ranked],
    items: &'a [Item],
    /// Those past `maxSkills`.
    beyond: &'a [Ranked],
}

impl Selection<'_> {
    /// Places of those that may be seen, and the others with their reason.
    fn eligible(&self, context: &Context) -> Result<(Vec<u32>, Vec<Omitted>), Error> {
        let policy = Policy::new(self.options, context.tools.as_deref());
        let mut eligible = Vec::with_capacity(self.catalog.skills.len());
        let mut refused = Vec::new();
        for (at, skill) in self.catalog.skills.iter().enumerate() {
            let off = (self.options.mode == Mode::Off).then_some(Reason::Off);
            match policy.refusal(skill).or(off) {
                None => eligible.push(at as u32),
                Some(reason) => refused.push(Omitted::new(&skill.id, reason)),
            }
        }
        for (at, id) in self.options.required.iter().enumerate() {
            let known = self.catalog.position(id).is_some_and(|at| eligible.binary_search(&(at as u32)).is_ok());
            if !known && self.options.mode != Mode::Off {
                let message = format!("{id:?} is required and no skill that may be shown has this id");
                return Err(Error::at("unknown_required", format!("options.required[{at}]"), message));
            }
        }
        refused.extend(never_shown(self.catalog));
        Ok((eligible, refused))
    }

    fn report(
        &self,
        context: &Context,
        confident: bool,
        ranking: &Ranking,
        refused: Vec<Omitted>,
        written: Settled,
    ) -> Result<Pick, Error> {
        let &Ranking { ranked, items, beyond } = ranking;
        let picked = |(at, level): &(usize, Level)| self.picked(&ranked[*at], &items[*at], *level);
        let skills: Vec<Picked> = written.shown.iter().map(picked).collect::<Result<_, _>>()?;
        let mut is_shown = vec![false; ranked.len()];
        for (at, _) in &written.shown {
            is_shown[*at] = true;
        }
        let left = ranked.iter().zip(&is_shown).filter(|(_, shown)| !**shown).map(|(one, _)| (one, Reason::Budget));
        let omitted = left.chain(beyond.iter().map(|one| (one, Reason::Limit))).map(|(one, reason)| Omitted {
            score: Some(rank::rounded(one.relevance.score)),
            ..Omitted::new(&self.skill(one).id, reason)
        });
        let omitted: Vec<Omitted> = omitted.chain(refused).collect();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for key in skills.iter().map(|one| one.detail.as_str()).chain(omitted.iter().map(|one| one.reason.as_str())) {
            *counts.entry(key.to_owned()).or_default() += 1;
        }
        let fingerprint = fingerprint(&written.xml);
        let mut seen = Seen::of(self.options, context.tools.as_deref());
        if !beyond.is_empty() {
            seen.limited = true;
            let without_room = ranked.iter().zip(&is_shown).filter(|(_, shown)| !**shown);
            seen.without_room = without_room.map(|(one, _)| self.skill(one).id.to_string()).collect();
        }
        let shown = skills.iter().map(|one| ShownState { id: one.id.clone(), detail: one.detail }).collect();
        Ok(Pick {
            diagnostics: degraded(ranked, &skills, self),
            xml: written.xml,
            stable: None,
            turn: None,
            tokens: written.tokens,
            budget: self.scene.budget,
            confident,
            skills,
            omitted: omitted.into_iter().take(MAX_OMITTED).collect(),
            counts,
            gap: written.gap,
            policy: self.catalog.policy(&context.active, &policy::Request::default(), self.options),
            state: PickState { shown, fingerprint: fingerprint.clone(), seen },
            fingerprint,
        })
    }

    fn skill(&self, ranked: &Ranked) -> &crate::skill::Skill {
        self.scene.skill(ranked)
    }

    fn picked(&self, ranked: &Ranked, item: &Item, level: Level) -> Result<Picked, Error> {
        let skill = self.skill(ranked);
        let next = item.levels.iter().find(|next| next.detail > level.detail);
        Ok(Picked {
            id: skill.id.to_string(),
            name: skill.name.to_string(),
            detail: level.detail,
            tokens: self.scene.tokens(ranked, item, level)?,
            next: next.map(|next| Next { detail: next.detail, tokens: next.cost.div_ceil(PART) }),
            score: rank::rounded(ranked.relevance.score),
            pinned: ranked.claim <= Claim::Pinned,
            evidence: ranked.relevance.evidence.clone(),
        })
    }
}

/// A warning for each pinned skill that is shown with less than its description.
fn degraded(ranked: &[Ranked], skills: &[Picked], selection: &Selection) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for one in ranked.iter().filter(|one| one.claim <= Claim::Pinned) {
        let id = &*selection.skill(one).id;
        let detail = skills.iter().find(|picked| picked.id == id).map(|picked| picked.detail);
        if detail.is_none_or(|detail| detail < Detail::Description) {
            let shown = detail.map_or("left out", Detail::as_str);
            let message = format!("{id:?} is pinned and only shown as: {shown}; raise the budget to show more");
            out.push(Diagnostic::new("pinned_degraded", Severity::Warning, message).skill(id));
        }
    }
    out
}

/// Short hash of a block.
pub(crate) fn fingerprint(xml: &str) -> String {
    format!("{:016x}", xxhash_rust::xxh64::xxh64(xml.as_bytes(), 0))
}
