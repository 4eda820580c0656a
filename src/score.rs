//! How relevant each eligible skill is, 0 to 1, and why.

use crate::confidence;
use crate::context::{Context, MOST_FILES};
use crate::explain::{Evidence, explain};
use crate::glob::{self, Glob, Work};
use crate::index::Index;
use crate::passages::{FIELDS, Field};
use crate::prior::{for_use, recent_uses};
use crate::query::{Query, QueryRole};
use crate::skill::Skill;
use crate::terms::{Reader, Role};

/// How relevant one skill is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Relevance {
    /// Probability that the conversation calls for the skill, with the prior: 0 to 1. The higher comes first.
    pub score: f64,
    /// The score before calibration, comparable between queries: about 0 to 1.3; 0 without evidence in the text.
    pub strength: f64,
    /// Reasons, the weightiest first; filled for the best [`EXPLAINED`] skills.
    pub evidence: Vec<Evidence>,
    /// Named by the user.
    pub mentioned: bool,
}

/// Number of best skills whose evidence is filled in.
pub const EXPLAINED: usize = 64;

/// What full coverage of a skill's name adds to its score.
const NAME_COVERAGE: f64 = 0.1;
/// What a file in play that matches `paths` adds to a score.
const FILE: f64 = 0.35;
/// What is left of a score when the request has all words of something that the skill is not for.
const NOT_FOR: f64 = 0.5;
/// What is left of a score when the request turns the skill down by name.
const REFUSED: f64 = 0.25;
/// What the host's vectors count beside our scores, both in standard deviations.
const VECTOR: f64 = 0.4;
/// Deviation of our scores that vectors are measured with at least: so they also decide where no word matches.
const LEAST_DEVIATION: f64 = 0.12;
/// The greatest probability that a host's score gives.
const HOST: f64 = 0.98;
/// What each further mention is behind the first.
const MENTION_STEP: f64 = 1e-5;

/// Relevance of every skill of `eligible` (ascending positions), in its order: a pure function, the same whatever the order of
/// the catalog's input.
#[must_use]
pub fn score(skills: &[Skill], index: &Index, query: &Query, context: &Context, eligible: &[u32]) -> Vec<Relevance> {
    Scores::new(skills, index, query, context, eligible).explained(skills, index, query, context, eligible).all()
}

/// [`score`] without evidence.
#[must_use]
pub fn relevance(
    skills: &[Skill],
    index: &Index,
    query: &Query,
    context: &Context,
    eligible: &[u32],
) -> Vec<Relevance> {
    Scores::new(skills, index, query, context, eligible).all()
}

/// What the eligible skills score, in their order.
#[derive(Default)]
pub(crate) struct Scores {
    /// See [`Relevance::score`].
    pub(crate) score: Vec<f64>,
    /// See [`Relevance::strength`].
    pub(crate) strength: Vec<f64>,
    /// Places of those that the user names, ascending.
    pub(crate) mentioned: Vec<u32>,
    /// By place, ascending; of the best [`EXPLAINED`].
    evidence: Vec<(u32, Vec<Evidence>)>,
}

impl Scores {
    pub(crate) fn new(skills: &[Skill], index: &Index, query: &Query, context: &Context, eligible: &[u32]) -> Self {
        let mut strength = strengths(index, query, eligible);
        add_triggers(query, eligible, &mut strength);
        add_conditions(skills, index, query, context, eligible, &mut strength);
        refuse(query, eligible, &mut strength);
        add_vectors(skills, context, eligible, &mut strength);
        let mut score = confidence::calibrate(&strength, query.ideal, index.has_bodies());
        let known = !context.scores.is_empty() || !context.usage.is_empty();
        for (score, &position) in score.iter_mut().zip(eligible) {
            let mut prior = index.priors.get(position as usize).copied().map_or(0.0, f64::from);
            if known && let Some(skill) = skills.get(position as usize) {
                *score = 1.0 - (1.0 - *score) * (1.0 - HOST * host_score(skill, context));
                prior += for_use(uses(skill, context));
            }
            *score += (1.0 - *score) * prior;
        }
        let mut mentioned = Vec::new();
        for (rank, position) in query.named.wanted.iter().enumerate() {
            if let Ok(place) = eligible.binary_search(position) {
                score[place] = 1.0 - MENTION_STEP * rank as f64;
                mentioned.push(place as u32);
            }
        }
        mentioned.sort_unstable();
        Self { score, strength, mentioned, evidence: Vec::new() }
    }

    /// With evidence for the best.
    pub(crate) fn explained(
        mut self,
        skills: &[Skill],
        index: &Index,
        query: &Query,
        context: &Context,
        eligible: &[u32],
    ) -> Self {
        let best = confidence::best(&self.score, EXPLAINED);
        let positions: Vec<u32> = best.iter().map(|&place| eligible[place as usize]).collect();
        let mut files = Files::of(context);
        let with_claims = |(place, words): (u32, Vec<Evidence>)| {
            let mut evidence = claims(skills, query, context, &mut files, eligible[place as usize]);
            evidence.extend(words);
            (place, evidence)
        };
        self.evidence = best.into_iter().zip(explain(index, query, &positions)).map(with_claims).collect();
        self
    }

    /// Of the skill at a place.
    pub(crate) fn relevance(&self, place: u32) -> Relevance {
        let evidence = self.evidence.binary_search_by_key(&place, |(place, _)| *place);
        Relevance {
            score: self.score[place as usize],
            strength: self.strength[place as usize],
            evidence: evidence.map_or(Vec::new(), |at| self.evidence[at].1.clone()),
            mentioned: self.is_mentioned(place),
        }
    }

    pub(crate) fn is_mentioned(&self, place: u32) -> bool {
        self.mentioned.binary_search(&place).is_ok()
    }

    fn all(self) -> Vec<Relevance> {
        let one = |(score, strength)| Relevance { score, strength, ..Relevance::default() };
        let mut all: Vec<Relevance> = self.score.into_iter().zip(self.strength).map(one).collect();
        for place in self.mentioned {
            all[place as usize].mentioned = true;
        }
        for (place, evidence) in self.evidence {
            all[place as usize].evidence = evidence;
        }
        all
    }

    /// Whether some skill has evidence worth acting on. One that the user names scores near 1.
    pub(crate) fn confident(&self) -> bool {
        self.score.iter().any(|&score| score >= confidence::CONFIDENT)
    }
}

/// Whether some skill has evidence worth acting on.
#[must_use]
pub fn confident(relevance: &[Relevance]) -> bool {
    relevance.iter().any(|skill| skill.mentioned || skill.score >= confidence::CONFIDENT)
}

fn uses(skill: &Skill, context: &Context) -> f64 {
    context.usage.get(&*skill.id).map_or(0.0, |usage| recent_uses(usage.count, usage.last_used, context.now))
}

fn host_score(skill: &Skill, context: &Context) -> f64 {
    let score = context.scores.get(&*skill.id).copied().unwrap_or_default();
    if score.is_finite() { score.clamp(0.0, 1.0) } else { 0.0 }
}

/// Skills that the request turns down by name.
fn refuse(query: &Query, eligible: &[u32], found: &mut [f64]) {
    for position in &query.named.refused {
        if let Ok(place) = eligible.binary_search(position) {
            found[place] *= REFUSED;
        }
    }
}

fn add_triggers(query: &Query, eligible: &[u32], found: &mut [f64]) {
    let mut best: Vec<(usize, f64)> = Vec::new();
    for trigger in &query.triggers {
        if let Ok(place) = eligible.binary_search(&trigger.position) {
            best.push((place, trigger.weight));
        }
    }
    best.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    best.dedup_by_key(|(place, _)| *place);
    for (place, weight) in best {
        found[place] += weight;
    }
}

/// Files in play against `paths`, and the request against `not_for`.
fn add_conditions(
    skills: &[Skill],
    index: &Index,
    query: &Query,
    context: &Context,
    eligible: &[u32],
    found: &mut [f64],
) {
    let mut reader = Reader::new(1 << 4);
    let mut files = Files::of(context);
    for &position in &index.conditional {
        let Ok(place) = eligible.binary_search(&position) else { continue };
        let Some(details) = skills.get(position as usize).and_then(|skill| skill.details.as_deref()) else { continue };
        if files.matching(&details.paths).is_some() {
            found[place] += FILE;
        }
        if found[place] > 0.0 && excluded(&details.not_for, query, &mut reader).is_some() {
            found[place] *= NOT_FOR;
        }
    }
}

/// Files in play, and the work that comparing them with patterns may still take.
struct Files<'a> {
    paths: Vec<glob::Path<'a>>,
    work: Work,
}

impl<'a> Files<'a> {
    fn of(context: &'a Context) -> Self {
        let paths = context.files.iter().take(MOST_FILES).filter_map(|file| glob::Path::new(file)).collect();
        Self { paths, work: Work::new() }
    }

    /// The first file that matches one of the patterns.
    fn matching(&mut self, patterns: &[String]) -> Option<&'a str> {
        let Self { paths, work } = self;
        if paths.is_empty() {
            return None;
        }
        let mut globs = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            globs.extend(Glob::new(pattern, work));
        }
        let found = paths.iter().find(|path| globs.iter().any(|glob| glob.matches(path, work)));
        found.map(|path| path.text)
    }
}

/// The exclusion of which the request has all words.
fn excluded<'a>(not_for: &'a [String], query: &Query, reader: &mut Reader) -> Option<&'a str> {
    let mut terms = Vec::new();
    not_for.iter().map(String::as_str).find(|text| {
        terms.clear();
        reader.read(text, &mut terms);
        let mut main = terms.iter().filter(|term| term.role == Role::Main).peekable();
        main.peek().is_some() && main.all(|term| query.asked.binary_search(&term.hash).is_ok())
    })
}

/// Adds the host's vectors: cosine in standard deviations over the skills that have one, on the scale of our own scores.
fn add_vectors(skills: &[Skill], context: &Context, eligible: &[u32], found: &mut [f64]) {
    let Some(wanted) = context.vector.as_deref() else { return };
    let cosine = |&position: &u32| {
        let vector = skills.get(position as usize)?.details.as_deref()?.vector.as_deref()?;
        let cosine = cosine(wanted, vector)?;
        cosine.is_finite().then_some(cosine)
    };
    let cosines: Vec<Option<f64>> = eligible.iter().map(cosine).collect();
    let known: Vec<f64> = cosines.iter().flatten().copied().collect();
    let (mean, deviation) = spread(&known);
    let (_, own) = spread(found);
    if deviation <= 0.0 {
        return;
    }
    for (strength, cosine) in found.iter_mut().zip(cosines) {
        if let Some(cosine) = cosine {
            let gain = VECTOR * own.max(LEAST_DEVIATION) * (cosine - mean) / deviation;
            *strength = (*strength + gain).max(0.0);
        }
    }
}

fn cosine(a: &[f32], b: &[f32]) -> Option<f64> {
    if a.len() != b.len() {
        return None;
    }
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(&x, &y)| f64::from(x) * f64::from(y)).sum::<f64>();
    Some(dot(a, b) / (dot(a, a) * dot(b, b)).sqrt())
}

/// Mean and standard deviation.
fn spread(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (square / count).sqrt())
}

/// The lexical score of every entry of `eligible`, in its order.
pub(crate) fn strengths(index: &Index, query: &Query, eligible: &[u32]) -> Vec<f64> {
    let entries = index.entries as usize;
    // What a skill's terms come to, and what those of its name do.
    let mut sums = vec![[0.0_f32; 2]; entries];
    let common_in_name = index.in_name(0);
    for term in &query.terms {
        let weight = term.weight as f32;
        let rarity = if term.role == QueryRole::Term { term.rarity as f32 } else { 0.0 };
        for (skill, shape) in index.postings.of(term.found) {
            let (Some(worth), Some(sum)) = (index.worth(skill, shape), sums.get_mut(skill as usize)) else { continue };
            sum[0] += weight * worth;
            if if shape == 0 { common_in_name } else { index.in_name(shape) } {
                sum[1] += rarity;
            }
        }
    }
    let share = 1.0 / query.ideal;
    let finish = |(&[sum, name], [of]): (&[f32; 2], [u32; 1])| {
        let sum = f64::from(sum) * share;
        if name == 0.0 {
            return sum;
        }
        sum * (1.0 + NAME_COVERAGE * (f64::from(name) / (f64::from(f32::from_bits(of)) + 1e-9)))
    };
    let all: Vec<f64> = sums.iter().zip(index.name_weights.iter()).map(finish).collect();
    if eligible.len() == entries {
        return all;
    }
    eligible.iter().map(|&at| all.get(at as usize).copied().unwrap_or_default()).collect()
}

impl Index {
    /// Whether the shape has the term itself, not only a part, in the name.
    fn in_name(&self, shape: u32) -> bool {
        self.shapes.get(shape as usize * 2 * FIELDS + 2 * Field::Name as usize).is_some_and(|&main| main > 0)
    }
}

/// Evidence beside the words: mention, trigger, files, exclusion, the host's score, use and priority.
fn claims(skills: &[Skill], query: &Query, context: &Context, files: &mut Files, position: u32) -> Vec<Evidence> {
    let Some(skill) = skills.get(position as usize) else { return Vec::new() };
    let mut claims = Vec::new();
    let mut claim = |field: &str, term: &str, weight: f64| {
        claims.push(Evidence { field: field.into(), term: term.into(), weight: (weight * 1e4).round() / 1e4 });
    };
    if query.named.wanted.contains(&position) {
        claim("mention", &skill.name, 1.0);
    }
    if query.named.refused.contains(&position) {
        claim("mention", &skill.name, REFUSED - 1.0);
    }
    let trigger = query.triggers.iter().filter(|trigger| trigger.position == position);
    if let Some(trigger) = trigger.max_by(|a, b| a.weight.total_cmp(&b.weight)) {
        claim("triggers", &trigger.words, trigger.weight);
    }
    if let Some(details) = skill.details.as_deref() {
        if let Some(file) = files.matching(&details.paths) {
            claim("paths", file, FILE);
        }
        if let Some(text) = excluded(&details.not_for, query, &mut Reader::new(1 << 4)) {
            claim("not_for", text, NOT_FOR - 1.0);
        }
    }
    let host = host_score(skill, context);
    if host > 0.0 {
        claim("scores", "host", host);
    }
    let used = uses(skill, context);
    if used > 0.0 {
        claim("usage", "recent use", for_use(used));
    }
    claims
}
