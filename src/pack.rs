//! A catalog and its index to the bytes of a snapshot.

use crate::catalog::Catalog;
use crate::error::Error;
use crate::json::ToJson;
use crate::postings::write_number;
use crate::skill::{Kind, Skill};
use crate::snapshot::{HEADER, SECTIONS, Section, check_size, write_header};
use crate::tokens::{self, Tokenizer};

/// What a record has, as bits of its first number.
pub(crate) mod has {
    pub(crate) const RULE: u32 = 1;
    pub(crate) const ENABLED: u32 = 1 << 1;
    pub(crate) const MODEL: u32 = 1 << 2;
    pub(crate) const USER: u32 = 1 << 3;
    pub(crate) const SHARED_NAME: u32 = 1 << 4;
    pub(crate) const OWN_NAME: u32 = 1 << 5;
    pub(crate) const PRIORITY: u32 = 1 << 6;
    pub(crate) const TOKENS: u32 = 1 << 7;
    pub(crate) const BODY: u32 = 1 << 8;
    pub(crate) const DETAILS: u32 = 1 << 9;
}

impl Catalog {
    /// The catalog and its index as bytes that [`Catalog::from_snapshot`] reads: the same bytes for the same catalog. Without
    /// `instructions` the bodies stay out; what they say for relevance stays in, and their price.
    ///
    /// # Errors
    /// `catalog_too_large` if the snapshot would have more than 256 MiB.
    pub fn to_snapshot(&self, instructions: bool) -> Result<Vec<u8>, Error> {
        let mut out = Out { bytes: vec![0; HEADER], records: Vec::new() };
        self.write_facts(&mut out);
        for skill in &self.skills {
            write_skill(skill, instructions, &mut out);
        }
        let mut lengths = [0; SECTIONS];
        let Out { mut bytes, records } = out;
        let mut start = HEADER;
        let mut section = |at: Section, write: &dyn Fn(&mut Vec<u8>)| {
            write(&mut bytes);
            lengths[at as usize] = (bytes.len() - start) as u32;
            start = bytes.len();
        };
        let index = &self.index;
        // The texts are there already.
        section(Section::Texts, &|_| {});
        section(Section::Records, &|out| out.extend_from_slice(&records));
        section(Section::Postings, &|out| out.extend_from_slice(&index.postings.blob));
        section(Section::Starts, &|out| out.extend_from_slice(index.postings.starts.bytes()));
        section(Section::Shapes, &|out| out.extend_from_slice(&index.shapes));
        section(Section::Norms, &|out| out.extend_from_slice(index.norms.bytes()));
        section(Section::NameWeights, &|out| out.extend_from_slice(index.name_weights.bytes()));
        section(Section::Names, &|out| out.extend_from_slice(index.names.bytes()));
        section(Section::Phrases, &|out| {
            words(index.phrases.iter().flat_map(|&(hash, at)| [hash as u32, (hash >> 32) as u32, at]), out);
        });
        section(Section::Conditional, &|out| words(index.conditional.iter().copied(), out));
        check_size(bytes.len() as u64)?;
        write_header(&mut bytes, lengths);
        Ok(bytes)
    }

    /// What is true of the catalog as a whole, before the records of its skills.
    fn write_facts(&self, out: &mut Out) {
        let index = &self.index;
        for number in [index.entries, index.skills, index.bodies, index.postings.bits] {
            out.number(number);
        }
        out.number(self.options.scopes.len() as u32);
        self.options.scopes.iter().for_each(|scope| out.text(scope));
        out.number(self.invalid.len() as u32);
        for one in &self.invalid {
            out.number(one.position);
            out.text(&one.id);
        }
        out.number(self.shadowed.len() as u32);
        for one in &self.shadowed {
            out.number(one.position);
            for text in [&*one.id, &*one.source, &*one.location, &*one.by] {
                out.text(text);
            }
        }
        let remarks = &self.diagnostics[..self.diagnostics.len().min(self.options.max_skills)];
        out.number(remarks.len() as u32);
        for one in remarks {
            let known = u32::from(one.skill.is_some()) | u32::from(one.path.is_some()) << 1;
            out.number(one.severity as u32 | known << 2);
            let optional = [&one.skill, &one.path];
            for text in [&one.code, &one.message].into_iter().chain(optional.into_iter().flatten()) {
                out.text(text);
            }
        }
    }
}

/// Texts behind the header, and records apart.
struct Out {
    bytes: Vec<u8>,
    records: Vec<u8>,
}

impl Out {
    fn number(&mut self, value: u32) {
        write_number(value, &mut self.records);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.bytes.extend_from_slice(text.as_bytes());
    }
}

fn words(values: impl Iterator<Item = u32>, out: &mut Vec<u8>) {
    values.for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
}

fn write_skill(skill: &Skill, instructions: bool, out: &mut Out) {
    let body = skill.instructions.as_deref();
    let left_out = body.filter(|_| !instructions).map(|body| tokens::count(body, Tokenizer::default(), 1.0));
    let tokens = skill.instruction_tokens.or(left_out);
    let details = skill.details.as_deref().map(|details| details.to_json().to_string());
    let flags = [
        (has::RULE, skill.kind == Kind::Rule),
        (has::ENABLED, skill.enabled),
        (has::MODEL, skill.model_invocable),
        (has::USER, skill.user_invocable),
        (has::SHARED_NAME, skill.shares_name),
        (has::OWN_NAME, skill.name != skill.id),
        (has::PRIORITY, skill.priority.to_bits() != 0),
        (has::TOKENS, tokens.is_some()),
        (has::BODY, body.is_some() && instructions),
        (has::DETAILS, details.is_some()),
    ];
    out.number(flags.iter().filter(|(_, set)| *set).fold(0, |all, (flag, _)| all | flag));
    out.number(skill.position);
    out.number(u32::from(skill.scope_rank));
    out.records.extend_from_slice(&skill.hash.to_le_bytes());
    if skill.priority.to_bits() != 0 {
        out.records.extend_from_slice(&skill.priority.to_bits().to_le_bytes());
    }
    if let Some(tokens) = tokens {
        out.number(tokens);
    }
    out.text(&skill.id);
    if skill.name != skill.id {
        out.text(&skill.name);
    }
    for text in [&*skill.description, &*skill.when_to_use, &*skill.location, &*skill.source] {
        out.text(text);
    }
    if let Some(body) = body.filter(|_| instructions) {
        out.text(body);
    }
    if let Some(details) = details {
        out.text(&details);
    }
}
