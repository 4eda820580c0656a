//! The catalog's words, once for all queries: postings by term, counts by field, lengths.

use crate::background;
use crate::passages::{FIELDS, Field};
use crate::postings::Postings;
use crate::rows::Rows;
use crate::terms::UNLISTED;

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
pub(crate) const BODY: usize = 3;

/// What a part counts beside a main term.
const PART: f32 = 0.4;

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
    pub(crate) norms: Rows<GROUPS>,
    /// For every entry: what a term of the commonest shape is worth, which is most of what is asked for.
    pub(crate) common: Vec<f32>,
    /// For every entry: sum of the weights of the terms in its name.
    pub(crate) name_weights: Rows<1>,
    /// Hashes of lower-case names and ids with their positions, ascending.
    pub(crate) names: Rows<2>,
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

/// What no term frequency counts.
pub(crate) const MOST_WORTH: f32 = 2.2;

/// What a term frequency counts: the first matters most, the tenth hardly.
fn saturate(frequency: f32) -> f32 {
    frequency * MOST_WORTH / (frequency + 1.2)
}

impl Index {
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

    /// Works out what follows from the other parts.
    pub(crate) fn prepare(mut self) -> Self {
        self.frequencies = self.shapes.chunks_exact(2 * FIELDS).map(frequency).collect();
        if let Some(common) = self.frequencies.first() {
            self.common = self.norms.iter().map(|norm| saturate(weighed(common, &reals(norm)))).collect();
        }
        self
    }

    /// What a term of this shape counts in an entry: less than [`MOST_WORTH`].
    #[inline]
    pub(crate) fn worth(&self, entry: u32, shape: u32) -> Option<f32> {
        if shape == 0 { self.common.get(entry as usize).copied() } else { self.frequency(entry, shape).map(saturate) }
    }

    /// Term frequency of a shape in an entry, given how long it is.
    #[inline]
    fn frequency(&self, entry: u32, shape: u32) -> Option<f32> {
        Some(weighed(self.frequencies.get(shape as usize)?, &self.norm(entry)?))
    }

    /// What a term in each group of an entry counts.
    #[inline]
    pub(crate) fn norm(&self, entry: u32) -> Option<[f32; GROUPS]> {
        self.norms.get(entry as usize).map(reals)
    }

    /// Bytes that the index takes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.postings.blob.len()
            + self.postings.starts.len() * 4
            + self.shapes.len()
            + self.frequencies.len() * 4 * GROUPS
            + self.norms.len() * 4 * GROUPS
            + self.common.len() * 4
            + self.name_weights.len() * 4
            + self.names.len() * 8
            + self.phrases.len() * 16
            + self.conditional.len() * 4
            + self.priors.len() * 4
    }
}

/// Words that are numbers with a fraction.
pub(crate) fn reals<const N: usize>(words: [u32; N]) -> [f32; N] {
    words.map(f32::from_bits)
}

/// The sum of term frequencies, each by what it counts.
fn weighed(of: &[f32; GROUPS], norm: &[f32; GROUPS]) -> f32 {
    (of[0] * norm[0] + of[1] * norm[1]) + (of[2] * norm[2] + of[3] * norm[3])
}

/// Term frequency by group of one shape, for a skill of average length.
fn frequency(counts: &[u8]) -> [f32; GROUPS] {
    let mut sum = [0.0; GROUPS];
    for (field, pair) in Field::ALL.into_iter().zip(counts.chunks_exact(2)) {
        sum[field.group()] += field.frequency(pair[0], pair[1]);
    }
    sum
}
