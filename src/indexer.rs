//! Reading a catalog's skills into an index.

use std::collections::HashMap;

use crate::index::{BODY, GROUPS, Index};
use crate::limits::MAX_POSTINGS;
use crate::mention;
use crate::passages::{FIELDS, Field, Passage, passages};
use crate::postings::{Postings, Raw};
use crate::prior::standing;
use crate::rows::Rows;
use crate::skill::{Kind, Skill};
use crate::terms::{Reader, Role, Term, UNLISTED, pair_hash, phrase_hash};

/// Terms of a body whose pairs of neighbours are indexed; what comes later in a body is found by single words. Measured on
/// skill-evals-dev: 800 is level with all of 20,000 characters and takes a fifth less memory.
const PAIRED_TERMS: u32 = 800;

/// How far a group's length counts: 0 not at all, 1 fully.
const LENGTH_SHARE: [f32; GROUPS] = [0.5, 0.6, 0.85, 0.85];

/// Counts of one term in one skill: main and part for every field.
type Counts = [u8; 2 * FIELDS];

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
        let postings = Postings::pack(std::mem::take(&mut self.parts));
        let mut index = Index {
            entries: skills.len() as u32,
            skills: real,
            postings,
            shapes: std::mem::take(&mut self.shapes),
            frequencies: Vec::new(),
            norms: norms(&self.lengths).map(|norm| norm.map(f32::to_bits)).collect(),
            common: Vec::new(),
            name_weights: Rows::default(),
            names: mention::names(skills),
            phrases: std::mem::take(&mut self.phrases),
            conditional: conditional(skills),
            priors: skills.iter().map(standing).collect(),
            bodies: self.bodies,
        };
        let mut weights = vec![0.0; skills.len()];
        for &(hash, position, level) in &self.name_terms {
            weights[position as usize] += index.term_weight(index.having(hash), level) as f32;
        }
        index.name_weights = weights.into_iter().map(|weight: f32| [weight.to_bits()]).collect();
        index.prepare()
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

/// What a term in each group counts: less in a longer text. Averages are over the skills that have the group.
fn norms(lengths: &[[u32; GROUPS]]) -> impl Iterator<Item = [f32; GROUPS]> {
    let mut averages = [1.0; GROUPS];
    for (group, average) in averages.iter_mut().enumerate() {
        let having = lengths.iter().filter(|of| of[group] > 0).count();
        let sum: u64 = lengths.iter().map(|of| u64::from(of[group])).sum();
        if having > 0 {
            *average = sum as f32 / having as f32;
        }
    }
    let norm = move |of: &[u32; GROUPS]| {
        std::array::from_fn(|group| {
            let share = LENGTH_SHARE[group];
            1.0 / (1.0 - share + share * of[group] as f32 / averages[group])
        })
    };
    lengths.iter().map(norm)
}

fn conditional(skills: &[Skill]) -> Vec<u32> {
    let has = |skill: &Skill| skill.details.as_deref().is_some_and(|of| !of.paths.is_empty() || !of.not_for.is_empty());
    (0..).zip(skills).filter(|(_, skill)| has(skill)).map(|(position, _)| position).collect()
}
