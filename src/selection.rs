//! Who may be shown, in which order, and what is said of each in the end: the two ends of every selection.

use std::collections::{BTreeMap, HashMap};

use crate::catalog::Catalog;
use crate::context::Context;
use crate::cost::{Counter, Detail, HostCounter, PART};
use crate::diagnostic::{Diagnostic, Severity};
use crate::eligible::{Policy, Reason, Seen};
use crate::error::Error;
use crate::levels::{Item, Level, Scene};
use crate::options::{Mode, Options};
use crate::pick::{MAX_OMITTED, Next, Omitted, Pick, PickState, Picked, ShownState, never_shown};
use crate::policy;
use crate::query::Query;
use crate::rank::{self, Claim, Ranked};
use crate::render::Style;
use crate::score;
use crate::settle::Settled;

/// What all steps of one call share.
pub(crate) struct Selection<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) options: &'a Options,
    pub(crate) scene: Scene<'a>,
}

/// Everyone, after policy and ranking.
pub(crate) struct Survey {
    /// Those that may be shown, best first.
    pub(crate) ranked: Vec<Ranked>,
    pub(crate) refused: Vec<Omitted>,
    pub(crate) confident: bool,
}

/// Who could have been shown, best first.
pub(crate) struct Ranking<'a> {
    pub(crate) ranked: &'a [Ranked],
    pub(crate) items: &'a [Item],
    /// Those past `maxSkills`.
    pub(crate) beyond: &'a [Ranked],
}

impl<'a> Selection<'a> {
    pub(crate) fn new(
        catalog: &'a Catalog,
        options: &'a Options,
        host_counter: Option<HostCounter<'a>>,
    ) -> Result<Self, Error> {
        let scene = Scene {
            skills: &catalog.skills,
            options,
            style: Style::of(options),
            counter: Counter::of(options, host_counter),
            prices: &catalog.prices,
            budget: options.budget.tokens()?,
            adds: false,
        };
        Ok(Self { catalog, options, scene })
    }

    /// Asks policy, reads the conversation, ranks.
    pub(crate) fn survey(&self, context: &Context) -> Result<Survey, Error> {
        let (eligible, refused) = self.eligible(context)?;
        let query = Query::read(context, &self.catalog.skills, &self.catalog.index);
        let relevance = score::score(&self.catalog.skills, &self.catalog.index, &query, context, &eligible);
        let confident = score::confident(&relevance);
        let ranked = rank::rank(&self.catalog.skills, &eligible, relevance, context, self.options);
        Ok(Survey { ranked, refused, confident })
    }

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

    pub(crate) fn report(
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
            state: PickState { shown, fingerprint: fingerprint.clone(), seen, given: Vec::new() },
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
    let shown: HashMap<&str, usize> = skills.iter().enumerate().map(|(at, picked)| (&*picked.id, at)).collect();
    for one in ranked.iter().filter(|one| one.claim <= Claim::Pinned) {
        let id = &*selection.skill(one).id;
        let detail = shown.get(id).map(|at| skills[*at].detail);
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
