//! A block in two parts: one that never changes with the conversation, for the front of a prompt that is cached, and one
//! with what this turn adds, for the newest message.

use std::collections::{HashMap, HashSet};

use crate::confidence::CONFIDENT;
use crate::context::Context;
use crate::cost::{Detail, HostCounter};
use crate::eligible::Reason;
use crate::error::Error;
use crate::levels::{Item, Level};
use crate::options::{Budget, DEFAULT_STABLE_SHARE, Mode, Options};
use crate::pick::{Pick, PickState, ShownState};
use crate::rank::{Claim, Ranked};
use crate::selection::{Listed, Selection, Survey, fingerprint};
use crate::settle::Settled;

/// Most skills that one turn adds.
const TURN_SKILLS: usize = 8;

/// A part of the block, and the places in the catalog that it shows.
#[derive(Default)]
struct Part {
    xml: String,
    shown: Vec<(u32, Level)>,
    gap: f64,
}

impl Part {
    fn of(settled: Settled, ranked: &[Ranked]) -> Self {
        let shown = settled.shown.iter().map(|(at, level)| (ranked[*at].at, *level)).collect();
        Self { xml: settled.xml, shown, gap: settled.gap }
    }
}

/// The block in two parts.
///
/// # Errors
/// As [`crate::Catalog::select`].
pub(crate) fn split(
    selection: &Selection,
    context: &Context,
    previous: Option<&PickState>,
    host_counter: Option<HostCounter>,
) -> Result<Pick, Error> {
    let stable = stable(selection, context, host_counter)?;
    let mut survey = selection.survey(context)?;
    let wanted = stable.shown.iter().map(|(at, _)| *at).collect();
    let (ranked, items) = survey.head(&selection.scene, usize::MAX, &wanted);
    let mut given: Vec<ShownState> = previous.map(|state| state.given.clone()).unwrap_or_default();
    let turn = turn(selection, &ranked, &stable, &given, host_counter)?;
    for (at, level) in &turn.shown {
        let id = selection.catalog.skills[*at as usize].id.to_string();
        given.retain(|one| one.id != id);
        given.push(ShownState { id, detail: level.detail });
    }
    let joined = joined(&stable, &turn);
    let tokens = if joined.is_empty() { 0 } else { selection.scene.counter.count(&joined)? };
    let shown = merged(&ranked, &stable, &turn);
    let settled = Settled { xml: joined, tokens, shown, gap: stable.gap.max(turn.gap) };
    let mut pick = report(selection, context, &survey, (&ranked, &items), settled)?;
    pick.fingerprint = fingerprint(&stable.xml);
    pick.state.fingerprint.clone_from(&pick.fingerprint);
    pick.state.given = given;
    pick.stable = Some(stable.xml);
    pick.turn = Some(turn.xml);
    Ok(pick)
}

fn joined(stable: &Part, turn: &Part) -> String {
    if stable.xml.is_empty() && turn.xml.is_empty() { String::new() } else { format!("{}\n{}", stable.xml, turn.xml) }
}

/// The part that depends on catalog, options and the host's tools alone: names and what the prior puts first, without
/// bodies, within its share of the budget. Required skills may have more than the share.
fn stable(selection: &Selection, context: &Context, host_counter: Option<HostCounter>) -> Result<Part, Error> {
    let nothing = Context { tools: context.tools.clone(), ..Context::default() };
    let share = selection.options.stable_share.unwrap_or(DEFAULT_STABLE_SHARE);
    // The line break between the parts is counted as well.
    let whole = selection.scene.budget.map(|budget| budget.saturating_sub(1));
    let mut most = selection.scene.budget.map(|budget| (f64::from(budget) * share) as u32).min(whole);
    let mut retry = true;
    let mut least = 1_u32;
    loop {
        let options = Options {
            mode: if selection.options.mode == Mode::Off { Mode::Off } else { Mode::Metadata },
            budget: Budget::Tokens(most.map_or(f64::INFINITY, f64::from)),
            ..selection.options.clone()
        };
        let mut inner = Selection::new(selection.catalog, &options, host_counter)?;
        let mut survey = inner.survey(&nothing)?;
        let (ranked, items) = survey.head(&inner.scene, options.max_skills(), &HashSet::new());
        inner.scene.behind = survey.len().min(options.max_skills()) - ranked.len();
        let settled = match inner.scene.settle(&ranked, &items) {
            Err(error) if error.code() == "required_too_large" && retry && most < whole => {
                retry = false;
                most = whole;
                continue;
            }
            settled => settled?,
        };
        let part = Part::of(settled, &ranked);
        let tokens =
            if part.xml.is_empty() { 0 } else { inner.scene.counter.count(&joined(&part, &Part::default()))? };
        match (selection.scene.budget, most) {
            // Twice as much less at every step: with a counter whose numbers don't add up the steps would have no end.
            (Some(budget), Some(had)) if tokens > budget && had > 0 => {
                most = Some(had.saturating_sub((tokens - budget).max(least)));
                least = least.saturating_mul(2);
            }
            _ => return Ok(part),
        }
    }
}

/// What the conversation adds to the stable part, and to what earlier turns gave, within the rest of the budget.
fn turn(
    selection: &Selection,
    ranked: &[Ranked],
    stable: &Part,
    given: &[ShownState],
    host_counter: Option<HostCounter>,
) -> Result<Part, Error> {
    let known = known(selection, stable, given);
    let mut inner = Selection::new(selection.catalog, selection.options, host_counter)?;
    inner.scene.adds = true;
    let counter = &selection.scene.counter;
    let spent = if stable.xml.is_empty() { 0 } else { counter.count(&joined(stable, &Part::default()))? };
    inner.scene.budget = selection.scene.budget.map(|budget| budget.saturating_sub(spent));
    let (ranked, items) = additions(&inner, ranked, &known, stable.shown.len());
    for _ in 0..8 {
        let settled = match inner.scene.settle(&ranked, &items) {
            // What is required stands in the stable part; its detail here is a matter of room.
            Err(error) if error.code() == "required_too_large" => Settled::default(),
            settled => settled?,
        };
        let part = Part::of(settled, &ranked);
        let over = match selection.scene.budget {
            Some(budget) if !part.xml.is_empty() => counter.count(&joined(stable, &part))?.saturating_sub(budget),
            _ => 0,
        };
        if over == 0 {
            return Ok(part);
        }
        inner.scene.budget = inner.scene.budget.map(|budget| budget.saturating_sub(over));
    }
    Ok(Part::default())
}

/// The detail that each skill has been shown with. A summary given once stands for the description.
fn known(selection: &Selection, stable: &Part, given: &[ShownState]) -> HashMap<u32, Detail> {
    let mut known: HashMap<u32, Detail> = stable.shown.iter().map(|(at, level)| (*at, level.detail)).collect();
    for one in given {
        let Some(at) = selection.catalog.position(&one.id) else { continue };
        let detail = known.entry(at as u32).or_insert(Detail::Name);
        *detail = (*detail).max(one.detail.max(Detail::Description));
    }
    known
}

/// Those with evidence or a claim that could be shown with more than they are, with the levels above that.
fn additions(
    inner: &Selection,
    ranked: &[Ranked],
    known: &HashMap<u32, Detail>,
    shown: usize,
) -> (Vec<Ranked>, Vec<Item>) {
    let mut new = inner.options.max_skills().saturating_sub(shown);
    let wanted: Vec<Ranked> = ranked
        .iter()
        .filter(|one| one.claim <= Claim::Pinned || one.relevance.score >= CONFIDENT)
        .filter(|one| !one.active || inner.options.active_bodies)
        .take(TURN_SKILLS * 4)
        .cloned()
        .collect();
    let items = inner.scene.items(&wanted);
    let mut out = (Vec::new(), Vec::new());
    for (one, mut item) in wanted.into_iter().zip(items) {
        let floor = known.get(&one.at).copied();
        item.levels.retain(|level| level.detail > floor.unwrap_or(Detail::Name));
        if item.levels.is_empty() || out.0.len() == TURN_SKILLS || (floor.is_none() && new == 0) {
            continue;
        }
        new -= usize::from(floor.is_none());
        out.0.push(one);
        out.1.push(item);
    }
    out
}

/// Both parts as places in `ranked`, in the order of the block; who is in both, where more of it is shown.
fn merged(ranked: &[Ranked], stable: &Part, turn: &Part) -> Vec<(usize, Level)> {
    let places: HashMap<u32, usize> = ranked.iter().enumerate().map(|(place, one)| (one.at, place)).collect();
    let raised = |at: &u32| turn.shown.iter().any(|(other, _)| other == at);
    let first = stable.shown.iter().filter(|(at, _)| !raised(at));
    first.chain(&turn.shown).filter_map(|(at, level)| Some((*places.get(at)?, *level))).collect()
}

fn report(
    selection: &Selection,
    context: &Context,
    survey: &Survey,
    (ranked, items): (&[Ranked], &[Item]),
    settled: Settled,
) -> Result<Pick, Error> {
    let rest = survey.len() - ranked.len();
    let full = settled.shown.len() >= selection.options.max_skills();
    if !full {
        let listed = Listed { ranked, items, beyond: &[], rest: (rest, Reason::Budget) };
        return selection.report(context, survey, &listed, settled);
    }
    let places: Vec<usize> = settled.shown.iter().map(|(at, _)| *at).collect();
    let shown: Vec<Ranked> = places.iter().map(|at| ranked[*at].clone()).collect();
    let its: Vec<Item> = places.iter().map(|at| items[*at].clone()).collect();
    let is_shown: std::collections::HashSet<usize> = places.into_iter().collect();
    let beyond: Vec<Ranked> =
        ranked.iter().enumerate().filter(|(at, _)| !is_shown.contains(at)).map(|(_, one)| one.clone()).collect();
    let levels = settled.shown.iter().enumerate().map(|(place, (_, level))| (place, *level)).collect();
    let listed = Listed { ranked: &shown, items: &its, beyond: &beyond, rest: (rest, Reason::Limit) };
    selection.report(context, survey, &listed, Settled { shown: levels, ..settled })
}
