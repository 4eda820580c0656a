//! The catalog's words, once for all queries: postings by term, counts by field, lengths.

use std::collections::HashMap;

use crate::background;
use crate::limits::MAX_POSTINGS;
use crate::mention;
use crate::passages::{FIELDS, Field, Passage, passages};
use crate::postings::{Postings, Raw};
use crate::prior::standing;
use crate::skill::{Kind, Skill};
use crate::terms::{Reader, Role, Term, UNLISTED, pair_hash, phrase_hash};

/// Fields whose lengths are counted together: name; description and what belongs to it; examples; body.
pub(crate) const GROUPS: usize = 4;

impl Field {
    /// What a term in the field counts.
    fn weight(self) -> f32 {
        match self {
            Self::Name | Self::Description | Self::WhenToUse | Self::Triggers => 1.0,
            Self::Tags | Self::Examples => 0.6,
            Self::Prose => 0.3,
            Self::Code => 0.15,
        }
    }

    /// What so many main terms and parts count in the field.
    pub(crate) fn frequency(self, main: u8, part: u8) -> f32 {
        self.weight() * (f32::from(main) + PART * f32::from(part))
    }

    pub(crate) fn group(self) -> usize {
        match self {
            Self::Name => 0,
            Self::Description | Self::WhenToUse | Self::Triggers | Self::Tags => 1,
            Self::Examples => 2,
            Self::Prose | Self::Code => BODY,
        }
    }
}

/// The group of a skill's body.
const BODY: usize = 3;

/// Terms of a body whose pairs of neighbours are indexed; what comes later in a body is found by single words. Measured on
/// skill-evals-dev: 800 is level with all of 20,000 characters and takes a fifth less memory.
const PAIRED_TERMS: u32 = 800;

/// How far a group's length counts: 0 not at all, 1 fully.
const LENGTH_SHARE: [f32; GROUPS] = [0.5, 0.6, 0.85, 0.85];

/// What a part counts beside a main term.
const PART: f32 = 0.4;

/// Counts of one term in one skill: main and part for every field.
type Counts = [u8; 2 * FIELDS];

/// The index of a catalog. Everything is in flat arrays; positions are those of the catalog's skills.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Index {
    /// Number of entries of the catalog.
    pub(crate) entries: u32,
    /// Number of entries that are skills: what frequencies are measured against.
    pub(crate) skills: u32,
    /// Terms of all kinds.
    pub(crate) postings: Postings,
    /// Interned counts, [`Counts`] one after another.
    pub(crate) shapes: Vec<u8>,
    /// Term frequency of each shape by group, before the length of the skill is known.
    pub(crate) frequencies: Vec<[f32; GROUPS]>,
    /// For every entry: what a term in each group counts, given its length there.
    pub(crate) norms: Vec<[f32; GROUPS]>,
    /// For every entry: sum of the weights of the terms in its name.
    pub(crate) name_weights: Vec<f32>,
    /// Hashes of lower-case names and ids with their positions, ascending.
    pub(crate) names: Vec<(u32, u32)>,
    /// Hashes of the trigger phrases with the positions of their skills, ascending.
    pub(crate) phrases: Vec<(u64, u32)>,
    /// Skills with `paths` or `not_for`, ascending.
    pub(crate) conditional: Vec<u32>,
    /// What speaks for each entry before anything is asked, without use.
    pub(crate) priors: Vec<f32>,
    /// Skills with an indexed body.
    pub(crate) bodies: u32,
}

/// Weight of a term by how many of the catalog's skills have it.
pub(crate) fn catalog_weight(skills: u32, having: u32) -> f64 {
    libm::log(1.0 + (f64::from(skills) - f64::from(having) + 0.5) / (f64::from(having) + 0.5))
}

/// What a term frequency counts: the first matters most, the tenth hardly.
pub(crate) fn saturate(frequency: f32) -> f32 {
    frequency * 2.2 / (frequency + 1.2)
}

impl Index {
    /// Indexes the skills of a catalog, in its order.
    #[must_use]
    pub fn build(skills: &[Skill]) -> Self {
        Self::build_counting(skills).0
    }

    /// As [`Index::build`], and how many skills are found by name only, since the index was full.
    pub(crate) fn build_counting(skills: &[Skill]) -> (Self, usize) {
        let mut builder = Builder::new(skills.len());
        let index = builder.build(skills);
        (index, builder.by_name_only)
    }

    /// Weight of a main term or part: how rare it is in the catalog, and in public skills at large.
    pub(crate) fn term_weight(&self, having: u32, level: u8) -> f64 {
        let here = catalog_weight(self.skills, having);
        let at_large = if level < UNLISTED {
            background::weight(level)
        } else {
            let rarest = libm::log(1.0 + (f64::from(self.skills) - 0.5) / 1.5);
            let rarity = if rarest > 0.0 { here / rarest } else { 1.0 };
            background::RAREST_LISTED + 0.75 * rarity * (background::RAREST - background::RAREST_LISTED)
        };
        0.4 * here + 0.6 * at_large
    }

    /// Number of skills that have a term.
    pub(crate) fn having(&self, hash: u64) -> u32 {
        self.postings.find(hash).map_or(0, |found| found.skills)
    }

    /// Whether most skills have their body indexed.
    pub(crate) fn has_bodies(&self) -> bool {
        self.bodies * 2 > self.skills
    }

    /// Term frequencies of shapes.
    pub(crate) fn frequencies(shapes: &[u8]) -> Vec<[f32; GROUPS]> {
        shapes.chunks_exact(2 * FIELDS).map(frequency).collect()
    }

    /// Bytes that the index takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.postings.blob.len()
            + self.postings.starts.len() * 4
            + self.shapes.len()
            + self.frequencies.len() * 4 * GROUPS
            + self.norms.len() * 4 * GROUPS
            + self.name_weights.len() * 4
            + self.names.len() * 8
            + self.phrases.len() * 16
            + self.conditional.len() * 4
            + self.priors.len() * 4
    }
}

/// One term of the skill being read.
#[derive(Clone, Copy)]
struct Local {
    hash: u64,
    counts: Counts,
    /// Counts inside exclusions, which hold only if the term also stands elsewhere.
    excluded: [u8; 2],
    level: u8,
    kind: Role,
}

struct Builder {
    reader: Reader,
    terms: Vec<Term>,
    /// The skill's terms in the order of their first places, and where each is.
    local: Vec<Local>,
    places: HashMap<u64, u32, std::hash::BuildHasherDefault<Straight>>,
    parts: Vec<Vec<Raw>>,
    shape_ids: HashMap<u128, u32, std::hash::BuildHasherDefault<Straight>>,
    shapes: Vec<u8>,
    lengths: Vec<[u32; GROUPS]>,
    name_terms: Vec<(u64, u32, u8)>,
    phrases: Vec<(u64, u32)>,
    bodies: u32,
    postings: usize,
    by_name_only: usize,
}

/// A hasher for keys that are hashes already.
#[derive(Default)]
struct Straight(u64);

impl std::hash::Hasher for Straight {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = pair_hash(self.0, u64::from(byte));
        }
    }
    fn write_u128(&mut self, value: u128) {
        self.0 = pair_hash(value as u64, (value >> 64) as u64);
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

impl Builder {
    fn new(entries: usize) -> Self {
        Self {
            // A hundred bytes a word, for as long as the index is built.
            reader: Reader::new(if entries > 2_000 { 1 << 15 } else { 1 << 11 }),
            terms: Vec::new(),
            local: Vec::new(),
            places: HashMap::default(),
            parts: vec![Vec::new(); 16],
            shape_ids: HashMap::default(),
            shapes: Vec::new(),
            lengths: Vec::with_capacity(entries),
            name_terms: Vec::new(),
            phrases: Vec::new(),
            bodies: 0,
            postings: 0,
            by_name_only: 0,
        }
    }

    fn build(&mut self, skills: &[Skill]) -> Index {
        let mut real = 0;
        for (position, skill) in skills.iter().enumerate() {
            self.lengths.push([0; GROUPS]);
            if skill.kind == Kind::Skill {
                real += 1;
                self.skill(position as u32, skill);
            }
        }
        self.phrases.sort_unstable();
        self.phrases.dedup();
        self.number_shapes();
        let norms = norms(&self.lengths);
        let frequencies = Index::frequencies(&self.shapes);
        let postings = Postings::pack(std::mem::take(&mut self.parts));
        let mut index = Index {
            entries: skills.len() as u32,
            skills: real,
            postings,
            shapes: std::mem::take(&mut self.shapes),
            frequencies,
            norms,
            name_weights: vec![0.0; skills.len()],
            names: mention::names(skills),
            phrases: std::mem::take(&mut self.phrases),
            conditional: conditional(skills),
            priors: skills.iter().map(standing).collect(),
            bodies: self.bodies,
        };
        for &(hash, position, level) in &self.name_terms {
            let having = index.having(hash);
            index.name_weights[position as usize] += index.term_weight(having, level) as f32;
        }
        index
    }

    /// Numbers the shapes by how often they occur: most postings are then read in the same two steps.
    fn number_shapes(&mut self) {
        let mut uses = vec![0_u32; self.shape_ids.len()];
        for (_, _, shape) in self.parts.iter().flatten() {
            uses[*shape as usize] += 1;
        }
        let mut order: Vec<u32> = (0..uses.len() as u32).collect();
        order.sort_unstable_by_key(|&shape| (std::cmp::Reverse(uses[shape as usize]), shape));
        let mut shapes = Vec::with_capacity(self.shapes.len());
        for (number, &shape) in order.iter().enumerate() {
            shapes.extend_from_slice(&self.shapes[shape as usize * 2 * FIELDS..][..2 * FIELDS]);
            uses[shape as usize] = number as u32;
        }
        for (_, _, shape) in self.parts.iter_mut().flatten() {
            *shape = uses[*shape as usize];
        }
        self.shapes = shapes;
    }

    fn skill(&mut self, position: u32, skill: &Skill) {
        self.local.clear();
        self.places.clear();
        let mut body = false;
        passages(skill, |passage| {
            body |= passage.field == Field::Prose;
            self.passage(position, &passage);
        });
        self.bodies += u32::from(body);
        let full = self.postings >= MAX_POSTINGS;
        self.by_name_only += usize::from(full);
        for term in &mut self.local {
            if term.counts == [0; 2 * FIELDS] || full && term.counts[..2] == [0; 2] {
                continue;
            }
            let slot = 2 * Field::Description as usize;
            term.counts[slot] = term.counts[slot].saturating_add(term.excluded[0]);
            term.counts[slot + 1] = term.counts[slot + 1].saturating_add(term.excluded[1]);
            let next = self.shape_ids.len() as u32;
            let shape = *self.shape_ids.entry(u128::from_le_bytes(term.counts)).or_insert_with(|| {
                self.shapes.extend_from_slice(&term.counts);
                next
            });
            self.postings += 1;
            self.parts[(term.hash >> 60) as usize].push((term.hash, position, shape));
            if term.kind == Role::Main && term.counts[0] > 0 {
                self.name_terms.push((term.hash, position, term.level));
            }
        }
    }

    fn passage(&mut self, position: u32, passage: &Passage<'_>) {
        self.terms.clear();
        self.reader.letters = passage.field == Field::Name;
        self.reader.read(passage.text, &mut self.terms);
        let field = passage.field;
        let body = field.group() == BODY;
        let body_terms = self.lengths[position as usize][BODY];
        let mut before = None;
        let mut count = 0;
        let terms = std::mem::take(&mut self.terms);
        for term in &terms {
            self.count(term.hash, term.role, term.level, field, passage.excluded);
            if term.role == Role::Main {
                count += 1;
                if let Some(before) = before.replace(term.hash)
                    && (!body || body_terms + count < PAIRED_TERMS)
                {
                    self.count(pair_hash(before, term.hash), Role::Exact, UNLISTED, field, passage.excluded);
                }
            }
        }
        if passage.field == Field::Triggers
            && let Some(phrase) = phrase_hash(terms.iter().filter(|term| term.role == Role::Main).map(|term| term.hash))
        {
            self.phrases.push((phrase, position));
        }
        self.terms = terms;
        self.lengths[position as usize][field.group()] += count;
    }

    fn count(&mut self, hash: u64, role: Role, level: u8, field: Field, excluded: bool) {
        let local = &mut self.local;
        let place = *self.places.entry(hash).or_insert_with(|| {
            local.push(Local { hash, counts: [0; 2 * FIELDS], excluded: [0; 2], level, kind: role });
            local.len() as u32 - 1
        });
        let term = &mut self.local[place as usize];
        let part = usize::from(role == Role::Part);
        if role == Role::Main {
            term.kind = Role::Main;
        }
        let slot = if excluded { &mut term.excluded[part] } else { &mut term.counts[2 * field as usize + part] };
        *slot = slot.saturating_add(1);
    }
}

/// Term frequency by group of one shape, for a skill of average length.
fn frequency(counts: &[u8]) -> [f32; GROUPS] {
    let mut sum = [0.0; GROUPS];
    for (field, pair) in Field::ALL.into_iter().zip(counts.chunks_exact(2)) {
        sum[field.group()] += field.frequency(pair[0], pair[1]);
    }
    sum
}

/// What a term in each group counts: less in a longer text. Averages are over the skills that have the group.
fn norms(lengths: &[[u32; GROUPS]]) -> Vec<[f32; GROUPS]> {
    let mut averages = [1.0; GROUPS];
    for (group, average) in averages.iter_mut().enumerate() {
        let having = lengths.iter().filter(|of| of[group] > 0).count();
        let sum: u64 = lengths.iter().map(|of| u64::from(of[group])).sum();
        if having > 0 {
            *average = sum as f32 / having as f32;
        }
    }
    let norm = |of: &[u32; GROUPS]| {
        std::array::from_fn(|group| {
            let share = LENGTH_SHARE[group];
            1.0 / (1.0 - share + share * of[group] as f32 / averages[group])
        })
    };
    lengths.iter().map(norm).collect()
}

fn conditional(skills: &[Skill]) -> Vec<u32> {
    let has = |skill: &Skill| skill.details.as_deref().is_some_and(|of| !of.paths.is_empty() || !of.not_for.is_empty());
    (0..).zip(skills).filter(|(_, skill)| has(skill)).map(|(position, _)| position).collect()
}
