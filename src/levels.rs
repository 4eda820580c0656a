//! The levels that each skill can be shown at, what they cost, and what they are worth.
//!
//! A level is worth the probability that the conversation calls for the skill, beyond noise, times a share that grows with
//! the detail: the expected use of what is shown. Being visible at all is worth a little, the more the better the rank, so
//! that names are kept; what is left over is spent in the order of the ranking. The constants were chosen on the visibility
//! bench (`cargo bench --bench visibility`).

use std::borrow::Cow;
use std::sync::Arc;

use crate::cost::{Counter, Detail, PART};
use crate::error::Error;
use crate::options::{Mode, Options};
use crate::prices::{Described, Prices};
use crate::rank::{Claim, Ranked};
use crate::render::{self, Shown, Style};
use crate::skill::Skill;
use crate::summary;
use crate::terms::pair_hash;

/// Worth of a name, a summary, a description, a body, as shares of the evidence.
const SHARES: [f64; 4] = [0.1, 0.7, 1.0, 1.5];
/// Probability that is noise: evidence is what exceeds it.
const NOISE: f64 = 0.01;
/// Worth of being visible at place 0 of the ranking; at place n it is `VISIBLE / (1 + n / VISIBLE_PLACES)`.
const VISIBLE: f64 = 0.0006;
const VISIBLE_PLACES: f64 = 200.0;
/// Worth of a name, a summary, a description, a body without evidence, as shares of probability and visibility: too little
/// to displace anything, enough to spend what is left over.
const LEFT_OVER: [f64; 4] = [0.0, 0.005, 0.01, 0.012];
/// Longest summary, in tokens.
const SUMMARY_TOKENS: f64 = 28.0;
/// Tokens that a body of unknown length is taken for: the median of public skills.
const UNKNOWN_BODY: u32 = 1_300;
/// Probability from which `auto` shows a body.
const STRONG: f64 = 0.5;
/// Details are priced, in rank order, as far as this many times the budget goes: no choice reaches further.
const WINDOW: u64 = 4;

/// One level that a skill can be shown at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Level {
    pub(crate) detail: Detail,
    /// In parts of a token, by the estimate.
    pub(crate) cost: u32,
    pub(crate) value: f64,
}

/// One skill to fit: its levels, cheapest first; none where the budget can't reach it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Item {
    pub(crate) levels: Vec<Level>,
    /// Text of the level `summary`.
    pub(crate) summary: Option<Arc<str>>,
}

/// What all steps of one selection share.
pub(crate) struct Scene<'a> {
    pub(crate) skills: &'a [Skill],
    pub(crate) options: &'a Options,
    pub(crate) style: Style<'a>,
    pub(crate) counter: Counter<'a>,
    pub(crate) prices: &'a Prices,
    /// In tokens; `None` is no limit.
    pub(crate) budget: Option<u32>,
    /// The block adds to another one, which says what is left out.
    pub(crate) adds: bool,
    /// How many more there are than those that are looked at, all without a place in the block.
    pub(crate) behind: usize,
}

impl<'a> Scene<'a> {
    pub(crate) fn skill(&self, ranked: &Ranked) -> &'a Skill {
        &self.skills[ranked.at as usize]
    }

    /// The items of `ranked`, in its order.
    pub(crate) fn items(&self, ranked: &[Ranked]) -> Vec<Item> {
        let reach = self.budget.map_or(u64::MAX, |budget| u64::from(budget) * u64::from(PART));
        let (mut names, mut descriptions, mut bodies) = (0_u64, 0_u64, 0_u64);
        let mut items = Vec::with_capacity(ranked.len());
        for (place, one) in ranked.iter().enumerate() {
            if names > reach.saturating_mul(2) {
                items.push(Item::default());
                continue;
            }
            let window = reach.saturating_mul(WINDOW);
            let most = match one.claim {
                Claim::Value if descriptions > window => Detail::Name,
                Claim::Value if bodies > window => Detail::Description,
                _ => self.ceiling(one),
            };
            let item = self.item(one, place, most);
            let cost = |detail: Detail| item.levels.iter().find(|level| level.detail == detail).map_or(0, |l| l.cost);
            names += u64::from(cost(Detail::Name));
            descriptions += u64::from(cost(Detail::Description).max(cost(Detail::Summary)));
            bodies += u64::from(cost(Detail::Instructions));
            items.push(item);
        }
        items
    }

    /// How many skills are looked at to begin with: names take about five tokens, and twice what fits is priced.
    pub(crate) fn reach(&self) -> usize {
        self.budget.map_or(usize::MAX, |budget| budget as usize / 3 + 256)
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

    pub(crate) fn item(&self, ranked: &Ranked, place: usize, most: Detail) -> Item {
        let skill = self.skill(ranked);
        let probability = ranked.relevance.score.max(0.0);
        let evidence = (probability - NOISE).max(0.0);
        let visible = VISIBLE / (1.0 + place as f64 / VISIBLE_PLACES);
        let value = |detail: usize| SHARES[detail] * evidence + visible + LEFT_OVER[detail] * (probability + visible);
        let level = |detail: Detail, cost: u32| Level { detail, cost, value: value(detail as usize) };
        let mut known = self.prices.of(self.way_of_writing(), self.skills.len());
        let price = known.at(ranked.at as usize, || self.counter.name(self.style, skill));
        let mut item = Item { levels: vec![level(Detail::Name, price.name)], summary: None };
        if most >= Detail::Description {
            let described = price.described.get_or_insert_with(|| self.described(skill));
            if let Some((text, cost)) = &described.summary {
                item.summary = Some(text.clone());
                item.levels.push(level(Detail::Summary, *cost));
            }
            item.levels.extend(described.description.map(|cost| level(Detail::Description, cost)));
            if most >= Detail::Instructions {
                item.levels.extend(self.whole(skill, described).map(|cost| level(Detail::Instructions, cost)));
            }
        }
        item
    }

    /// What prices depend on beside the skill.
    fn way_of_writing(&self) -> u64 {
        let longest = self.options.max_description_tokens.unwrap_or(f64::INFINITY);
        let style = self.style.format as u64 * 2 + u64::from(self.style.location);
        pair_hash(pair_hash(style, self.counter.key()), longest.to_bits())
    }

    fn described(&self, skill: &Skill) -> Described {
        let text = render::description(self.style, skill);
        let longest = self.options.max_description_tokens.unwrap_or(f64::INFINITY);
        let short = longest.is_infinite() || self.counter.fits(&text, longest);
        // A description over the host's limit is shown as far as the limit allows.
        let limit = if short { SUMMARY_TOKENS } else { longest };
        let fits = |text: &str| self.counter.fits(text, limit);
        let summary = summary::summary(&skill.description, &skill.when_to_use, fits);
        let summary = summary.map(|text| (text.as_str().into(), self.element(skill, &text, None)));
        Described { summary, description: short.then(|| self.element(skill, &text, None)), body: None }
    }

    /// Price of description and body, where there is a body.
    fn whole(&self, skill: &Skill, described: &mut Described) -> Option<u32> {
        let text = || render::description(self.style, skill);
        if let Some(fetched) = self.options.bodies.get(&*skill.id) {
            return Some(self.element(skill, &text(), Some(fetched)));
        }
        if let Some(own) = skill.instructions.as_deref() {
            return Some(*described.body.get_or_insert_with(|| self.element(skill, &text(), Some(own))));
        }
        let planned = || self.element(skill, &text(), Some("")).saturating_add(elsewhere(skill));
        self.options.plan_bodies.then(planned)
    }

    fn element(&self, skill: &Skill, description: &str, body: Option<&str>) -> u32 {
        self.counter.element(self.style, Shown { skill, description, body })
    }

    /// Tokens of a skill's part of the block, by the counter in use; of a name by the estimate.
    ///
    /// # Errors
    /// What the counter gives.
    pub(crate) fn tokens(&self, ranked: &Ranked, item: &Item, level: Level) -> Result<u32, Error> {
        if level.detail == Detail::Name || !self.counter.is_host() {
            return Ok(level.cost.div_ceil(PART));
        }
        let mut piece = String::new();
        let text = self.text(ranked, item, level.detail);
        render::element(&mut piece, self.style, self.shown(ranked, level.detail, &text));
        self.counter.count(&piece)
    }

    /// The text that stands for the description at a level.
    pub(crate) fn text<'s>(&'s self, ranked: &Ranked, item: &'s Item, detail: Detail) -> Cow<'s, str> {
        match &item.summary {
            Some(summary) if detail == Detail::Summary => summary.as_ref().into(),
            _ => render::description(self.style, self.skill(ranked)),
        }
    }

    /// What is written of a skill at a level.
    pub(crate) fn shown<'s>(&'s self, ranked: &Ranked, detail: Detail, text: &'s str) -> Shown<'s> {
        let skill = self.skill(ranked);
        let body = (detail == Detail::Instructions).then(|| self.body(skill)).flatten();
        Shown { skill, description: text, body }
    }

    /// The body that the host has fetched, else the catalog's.
    fn body<'s>(&'s self, skill: &'s Skill) -> Option<&'s str> {
        self.options.bodies.get(&*skill.id).map(String::as_str).or(skill.instructions.as_deref())
    }
}

/// What a body that lives elsewhere is expected to cost, in parts of a token.
fn elsewhere(skill: &Skill) -> u32 {
    skill.instruction_tokens.unwrap_or(UNKNOWN_BODY).saturating_mul(PART)
}
