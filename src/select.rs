//! Conversation in, block out: the pipeline.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::context::Context;
use crate::cost::{self, Counter, HostCounter};
use crate::eligible::{Policy, Reason, Seen};
use crate::error::{Diagnostic, Error, Severity};
use crate::fit::{self, Detail, Fitted, Item, Level};
use crate::options::{Mode, Options};
use crate::order;
use crate::pick::{MAX_OMITTED, Omitted, Pick, PickState, Picked, ShownState, never_shown};
use crate::policy;
use crate::query::Query;
use crate::rank::{self, Claim, Ranked};
use crate::render::{self, Rest, Shown, Style};
use crate::score;

/// Evidence from which `auto` shows a body.
const STRONG: f64 = 0.5;

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
        let selection = Selection {
            catalog: self,
            options,
            style: Style::of(options),
            counter: Counter::of(options, host_counter),
            budget: options.budget.tokens()?,
        };
        let (eligible, refused) = selection.eligible(context)?;
        let query = Query::read(context, &self.skills, &self.index);
        let relevance = score::score(&self.skills, &self.index, &query, context, &eligible);
        let confident = score::confident(&relevance);
        let mut ranked = rank::rank(&self.skills, &eligible, relevance, context, options);
        let beyond = ranked.split_off(options.max_skills().min(ranked.len()));
        let items = selection.price(&ranked)?;
        let fitted = selection.fit(&items, &ranked)?;
        let written = selection.write(&items, &ranked, fitted)?;
        Ok(selection.report(context, confident, &ranked, &beyond, refused, written))
    }
}

/// What all steps of one call share.
struct Selection<'a> {
    catalog: &'a Catalog,
    options: &'a Options,
    style: Style,
    counter: Counter<'a>,
    budget: Option<u32>,
}

/// The block and the levels that it shows.
struct Written {
    xml: String,
    tokens: u32,
    /// Places in `ranked`, in the order of the block, with their level and price.
    shown: Vec<(usize, Level)>,
    gap: f64,
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

    fn ceiling(&self, ranked: &Ranked) -> Detail {
        match self.options.mode {
            Mode::Off | Mode::Metadata => Detail::Description,
            _ if ranked.active && !self.options.active_bodies => Detail::Description,
            Mode::Full => Detail::Instructions,
            Mode::Auto if ranked.relevance.score >= STRONG || ranked.claim <= Claim::Pinned => Detail::Instructions,
            Mode::Auto => Detail::Description,
        }
    }

    fn price(&self, ranked: &[Ranked]) -> Result<Vec<Item>, Error> {
        ranked.iter().map(|one| self.price_one(one)).collect()
    }

    fn price_one(&self, ranked: &Ranked) -> Result<Item, Error> {
        let skill = &self.catalog.skills[ranked.at as usize];
        let worth = ranked.relevance.score + 0.02;
        let name = cost::name(&self.counter, self.style, skill)?;
        let mut levels = vec![Level { detail: Detail::Name, cost: name, value: worth * 0.3 }];
        for (detail, share) in [(Detail::Description, 1.0), (Detail::Instructions, 1.5)] {
            if detail > self.ceiling(ranked) || (detail == Detail::Instructions && skill.instructions.is_none()) {
                continue;
            }
            let cost = cost::element(&self.counter, self.style, self.shown(ranked, detail, &skill.text()))?;
            levels.push(Level { detail, cost, value: worth * share });
        }
        Ok(Item { claim: ranked.claim, levels })
    }

    fn shown<'s>(&'s self, ranked: &Ranked, detail: Detail, description: &'s str) -> Shown<'s> {
        let skill = &self.catalog.skills[ranked.at as usize];
        let body = (detail == Detail::Instructions).then_some(skill.instructions.as_deref()).flatten();
        Shown { skill, description, body }
    }

    fn fit(&self, items: &[Item], ranked: &[Ranked]) -> Result<Fitted, Error> {
        let best: Vec<Option<usize>> = items.iter().map(|item| Some(item.levels.len() - 1)).collect();
        let Some(budget) = self.budget else {
            return Ok(Fitted { levels: best, gap: 0.0 });
        };
        let open = format!("{}{}", render::opening(self.style.format), render::closing(self.style.format));
        let total: u64 = items.iter().map(|item| u64::from(item.levels[item.levels.len() - 1].cost)).sum();
        if total + u64::from(self.counter.count(&open)?) <= u64::from(budget) {
            return Ok(Fitted { levels: best, gap: 0.0 });
        }
        let names = vec![Some(0); items.len()];
        let all_names = self.counter.count(&self.render(items, ranked, &names).0)?;
        if all_names <= budget {
            return Ok(fit::fit(items, names, budget - all_names));
        }
        let around = cost::wrapper(&self.counter, self.style, &self.options.tool_names.search, ranked.len())?;
        Ok(fit::fit(items, vec![None; items.len()], budget.saturating_sub(around)))
    }

    /// Writes the block; gives up the least of it until the whole is within the budget.
    fn write(&self, items: &[Item], ranked: &[Ranked], mut fitted: Fitted) -> Result<Written, Error> {
        loop {
            let (xml, shown) = self.render(items, ranked, &fitted.levels);
            let tokens = if xml.is_empty() { 0 } else { self.counter.count(&xml)? };
            if self.budget.is_none_or(|budget| tokens <= budget) {
                let lost = |at: usize| fitted.levels[at].is_none();
                if let Some(at) = (0..ranked.len()).find(|&at| ranked[at].claim == Claim::Required && lost(at)) {
                    return Err(self.required_too_large(&ranked[at], items[at].levels[0].cost));
                }
                return Ok(Written { xml, tokens, shown, gap: fitted.gap });
            }
            if !give_up_one(&mut fitted.levels) {
                return Ok(Written { xml: String::new(), tokens: 0, shown: Vec::new(), gap: 1.0 });
            }
        }
    }

    fn required_too_large(&self, ranked: &Ranked, tokens: u32) -> Error {
        let id = &self.catalog.skills[ranked.at as usize].id;
        let budget = self.budget.unwrap_or(u32::MAX);
        let message = format!("{id:?} is required and does not fit: its name alone takes {tokens} tokens of {budget}");
        Error::at("required_too_large", "options.required", message)
    }

    fn render(&self, items: &[Item], ranked: &[Ranked], levels: &[Option<usize>]) -> (String, Vec<(usize, Level)>) {
        let chosen: Vec<(usize, Level)> =
            levels.iter().enumerate().filter_map(|(at, level)| Some((at, items[at].levels[(*level)?]))).collect();
        let (names, described): (Vec<_>, Vec<_>) =
            chosen.into_iter().partition(|(_, level)| level.detail == Detail::Name);
        let described = self.arranged(described, ranked);
        let names = self.arranged(names, ranked);
        let texts: Vec<_> = described.iter().map(|(at, _)| self.skill(&ranked[*at]).text()).collect();
        let shown: Vec<Shown> = (described.iter().zip(&texts))
            .map(|((at, level), text)| self.shown(&ranked[*at], level.detail, text))
            .collect();
        let ids: Vec<&str> = names.iter().map(|(at, _)| &*self.skill(&ranked[*at]).id).collect();
        let omitted = ranked.len() - described.len() - names.len();
        let rest = Rest { names: &ids, omitted, search_tool: &self.options.tool_names.search };
        let xml = render::block(self.style, &shown, rest);
        (xml, described.into_iter().chain(names).collect())
    }

    fn skill(&self, ranked: &Ranked) -> &crate::skill::Skill {
        &self.catalog.skills[ranked.at as usize]
    }

    fn arranged(&self, part: Vec<(usize, Level)>, ranked: &[Ranked]) -> Vec<(usize, Level)> {
        let mut places: Vec<u32> = part.iter().map(|(at, _)| ranked[*at].at).collect();
        order::arrange(&mut places, &self.catalog.skills, self.options.order);
        let by_place: BTreeMap<u32, (usize, Level)> = part.into_iter().map(|one| (ranked[one.0].at, one)).collect();
        places.iter().filter_map(|place| by_place.get(place).copied()).collect()
    }

    fn report(
        &self,
        context: &Context,
        confident: bool,
        ranked: &[Ranked],
        beyond: &[Ranked],
        refused: Vec<Omitted>,
        written: Written,
    ) -> Pick {
        let skills: Vec<Picked> = written.shown.iter().map(|(at, level)| self.picked(&ranked[*at], *level)).collect();
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
        Pick {
            diagnostics: degraded(ranked, &skills, self),
            xml: written.xml,
            stable: None,
            turn: None,
            tokens: written.tokens,
            budget: self.budget,
            confident,
            skills,
            omitted: omitted.into_iter().take(MAX_OMITTED).collect(),
            counts,
            gap: written.gap,
            policy: policy::bridge(self.catalog, &context.active, &policy::Request::default(), self.options).0,
            state: PickState { shown, fingerprint: fingerprint.clone(), seen },
            fingerprint,
        }
    }

    fn picked(&self, ranked: &Ranked, level: Level) -> Picked {
        let skill = self.skill(ranked);
        Picked {
            id: skill.id.to_string(),
            name: skill.name.to_string(),
            detail: level.detail,
            tokens: level.cost,
            score: rank::rounded(ranked.relevance.score),
            pinned: ranked.claim <= Claim::Pinned,
            evidence: ranked.relevance.evidence.clone(),
        }
    }
}

/// Takes the lowest-ranked skill down by one level; while all are visible, the lowest-ranked that is more than a name.
fn give_up_one(levels: &mut [Option<usize>]) -> bool {
    let all_visible = levels.iter().all(Option::is_some);
    let least = usize::from(all_visible && levels.iter().any(|level| *level > Some(0)));
    match levels.iter_mut().rev().find(|level| level.is_some_and(|level| level >= least)) {
        Some(level) => {
            *level = level.and_then(|at| at.checked_sub(1));
            true
        }
        None => false,
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
