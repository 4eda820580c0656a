//! Who may be shown, in which order, and what is said of each in the end: the two ends of every selection.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::catalog::Catalog;
use crate::context::Context;
use crate::cost::{Counter, Detail, HostCounter, PART};
use crate::diagnostic::{Diagnostic, Severity};
use crate::eligible::{Policy, Reason, Refusal, Seen};
use crate::error::Error;
use crate::levels::{Item, Level, Scene};
use crate::options::{Mode, Options};
use crate::pick::{MAX_OMITTED, Next, Omitted, Pick, PickState, Picked, ShownState, never_shown};
use crate::policy;
use crate::query::Query;
use crate::rank::{self, Candidates, Claim, Claims, Ranked, Ranking};
use crate::render::Style;
use crate::score::Scores;
use crate::settle::Settled;
use crate::skill::Skill;
use crate::suggest;

/// Unknown ids that are reported: each is compared with every id of the catalog.
const MOST_UNKNOWN: usize = 4;

/// What all steps of one call share.
pub(crate) struct Selection<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) options: &'a Options,
    pub(crate) scene: Scene<'a>,
}

/// Everyone, after policy and scoring.
pub(crate) struct Survey<'a> {
    skills: &'a [Skill],
    ties: &'a [u32],
    eligible: Cow<'a, [u32]>,
    claims: Claims,
    scores: Scores,
    ranking: Ranking,
    /// Those that may not be shown.
    pub(crate) refused: Vec<Refusal>,
    pub(crate) confident: bool,
}

impl Survey<'_> {
    /// How many may be shown.
    pub(crate) fn len(&self) -> usize {
        self.eligible.len()
    }

    /// The best `most`, best first.
    pub(crate) fn first(&mut self, most: usize) -> Vec<Ranked> {
        let Self { skills, ties, eligible, claims, scores, ranking, .. } = self;
        ranking.first(most, Candidates { skills, ties, eligible, claims, scores })
    }

    /// Those of `wanted` (places in the catalog) that are not among the best `most`, best first.
    fn beyond(&mut self, most: usize, wanted: &HashSet<u32>) -> Vec<Ranked> {
        let Self { skills, ties, eligible, claims, scores, ranking, .. } = self;
        ranking.beyond(most, wanted, Candidates { skills, ties, eligible, claims, scores })
    }

    /// As many of the best as the budget could reach, and a list of those left out besides; with the `wanted` behind them.
    pub(crate) fn head(&mut self, scene: &Scene, most: usize, wanted: &HashSet<u32>) -> (Vec<Ranked>, Vec<Item>) {
        let mut reach = if most < self.len() { most } else { scene.reach() };
        loop {
            let mut ranked = self.first(reach);
            let mut items = scene.items(&ranked);
            let unpriced = items.iter().rev().take_while(|item| item.levels.is_empty()).count();
            if reach >= self.len().min(most) || unpriced >= MAX_OMITTED {
                if most >= self.len() {
                    ranked.extend(self.beyond(ranked.len(), wanted));
                }
                items.resize_with(ranked.len(), Item::default);
                return (ranked, items);
            }
            reach *= 2;
        }
    }
}

/// Who could have been shown, best first.
pub(crate) struct Listed<'a> {
    pub(crate) ranked: &'a [Ranked],
    pub(crate) items: &'a [Item],
    /// The first of those past `maxSkills`.
    pub(crate) beyond: &'a [Ranked],
    /// How many more could have been shown, and why they are not.
    pub(crate) rest: (usize, Reason),
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
            prices: &catalog.memo.prices,
            budget: options.budget.tokens()?,
            adds: false,
            behind: 0,
        };
        Ok(Self { catalog, options, scene })
    }

    /// Asks policy, reads the conversation, ranks.
    pub(crate) fn survey(&self, context: &Context) -> Result<Survey<'a>, Error> {
        let (eligible, refused) = self.eligible(context)?;
        let Catalog { skills, index, .. } = self.catalog;
        let query = Query::read(context, skills, index);
        let scores =
            Scores::new(skills, index, &query, context, &eligible).explained(skills, index, &query, context, &eligible);
        let claims = Claims::new(context, self.options);
        let ties = self.catalog.ties();
        let confident = scores.confident();
        Ok(Survey { skills, ties, eligible, claims, scores, ranking: Ranking::default(), refused, confident })
    }

    /// Places of those that may be seen, and the others with their reason.
    fn eligible(&self, context: &Context) -> Result<(Cow<'a, [u32]>, Vec<Refusal>), Error> {
        let policy = Policy::new(self.options, context.tools.as_deref());
        let (mut eligible, mut refused) = self.catalog.divide(&policy);
        if self.options.mode == Mode::Off {
            refused.extend(std::mem::take(&mut eligible).iter().map(|&at| (at, Reason::Off)));
            refused.sort_unstable();
        }
        for (at, id) in self.options.required.iter().enumerate() {
            let known = self.catalog.position(id).is_some_and(|at| eligible.binary_search(&(at as u32)).is_ok());
            if !known && self.options.mode != Mode::Off {
                let hint = suggest::did_you_mean(self.catalog, &policy, id);
                let message = format!("{id:?} is required and no skill that may be shown has this id{hint}");
                return Err(Error::at("unknown_required", format!("options.required[{at}]"), message));
            }
        }
        Ok((eligible, refused))
    }

    pub(crate) fn report(
        &self,
        context: &Context,
        survey: &Survey,
        listed: &Listed,
        written: Settled,
    ) -> Result<Pick, Error> {
        let &Listed { ranked, items, beyond, rest } = listed;
        let picked = |(at, level): &(usize, Level)| self.picked(&ranked[*at], &items[*at], *level);
        let skills: Vec<Picked> = written.shown.iter().map(picked).collect::<Result<_, _>>()?;
        let mut is_shown = vec![false; ranked.len()];
        for (at, _) in &written.shown {
            is_shown[*at] = true;
        }
        let unshown = || ranked.iter().zip(&is_shown).filter(|(_, shown)| !**shown).map(|(one, _)| one);
        let scored = |one: &Ranked, reason: Reason| Omitted {
            score: Some(rank::rounded(one.relevance.score)),
            ..Omitted::new(&self.skill(one).id, reason)
        };
        let omitted = (unshown().map(|one| scored(one, Reason::Budget)))
            .chain(beyond.iter().map(|one| scored(one, Reason::Limit)))
            .chain(
                survey.refused.iter().map(|&(at, reason)| Omitted::new(&self.catalog.skills[at as usize].id, reason)),
            )
            .chain(never_shown(self.catalog))
            .take(MAX_OMITTED)
            .collect();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let mut count = |key: &str, number: usize| {
            if number > 0 {
                *counts.entry(key.to_owned()).or_default() += number as u32;
            }
        };
        for one in &skills {
            count(one.detail.as_str(), 1);
        }
        count(Reason::Budget.as_str(), ranked.len() - skills.len());
        count(Reason::Limit.as_str(), beyond.len());
        count(rest.1.as_str(), rest.0);
        for (_, reason) in &survey.refused {
            count(reason.as_str(), 1);
        }
        count(Reason::Shadowed.as_str(), self.catalog.shadowed.len());
        count(Reason::Invalid.as_str(), self.catalog.invalid.len());
        let fingerprint = fingerprint(&written.xml);
        let mut seen = Seen::of(self.options, context.tools.as_deref());
        if !beyond.is_empty() {
            seen.limited = true;
            seen.without_room = unshown().map(|one| self.skill(one).id.to_string()).collect();
        }
        let shown = skills.iter().map(|one| ShownState { id: one.id.clone(), detail: one.detail }).collect();
        Ok(Pick {
            diagnostics: degraded(ranked, &skills, self).into_iter().chain(self.unknown(context)).collect(),
            xml: written.xml,
            stable: None,
            turn: None,
            tokens: written.tokens,
            budget: self.scene.budget,
            confident: survey.confident,
            skills,
            omitted,
            counts,
            gap: written.gap,
            policy: self.catalog.policy(&context.active, &policy::Request::default(), self.options),
            state: PickState { shown, fingerprint: fingerprint.clone(), seen, given: Vec::new() },
            fingerprint,
        })
    }

    /// A remark for the first ids of `pinned` and `exclude` that no skill has.
    fn unknown(&self, context: &Context) -> Vec<Diagnostic> {
        let Options { pinned, exclude, .. } = self.options;
        let lists = [("pinned", pinned, Severity::Warning), ("exclude", exclude, Severity::Info)];
        let ids =
            lists.into_iter().flat_map(|(name, ids, severity)| ids.iter().zip(0..).map(move |id| (name, id, severity)));
        let policy = Policy::new(self.options, context.tools.as_deref());
        ids.filter(|(_, (id, _), _)| self.catalog.position(id).is_none())
            .take(MOST_UNKNOWN)
            .map(|(name, (id, at), severity)| {
                let hint = suggest::did_you_mean(self.catalog, &policy, id);
                Diagnostic::new("unknown_id", severity, format!("no skill has the id {id:?}{hint}"))
                    .at(format!("options.{name}[{at}]"))
            })
            .collect()
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
