//! The bytes of a snapshot to a catalog. Everything that is an offset, a length or a place is checked here: bytes with a right checksum
//! can still have been written by anybody.

use std::sync::Arc;

use crate::catalog::{Catalog, CatalogOptions, Invalid};
use crate::collision::Shadowed;
use crate::diagnostic::{Diagnostic, Severity};
use crate::entry;
use crate::error::Error;
use crate::index::{Index, reals};
use crate::pack::has;
use crate::passages::FIELDS;
use crate::postings::{Postings, read_number};
use crate::prices::Memo;
use crate::prior::standing;
use crate::rows::Rows;
use crate::skill::{Kind, Skill};
use crate::snapshot::{Incoming, Section, little};
use crate::stored::Stored;

impl Catalog {
    /// Reads what [`Catalog::to_snapshot`] wrote.
    ///
    /// # Errors
    /// As [`Incoming::push`] and [`Incoming::finish`].
    pub fn from_snapshot(bytes: &[u8], options: &CatalogOptions) -> Result<Self, Error> {
        let mut incoming = Incoming::new(Some(bytes.len()));
        incoming.push(bytes)?;
        incoming.finish(options)
    }
}

impl Incoming {
    /// The catalog, when all bytes have come. The scopes are those that it was built with.
    ///
    /// # Errors
    /// `snapshot_truncated`, `snapshot_checksum`; `snapshot_format` where the contents contradict each other; `too_many_skills`.
    pub fn finish(mut self, options: &CatalogOptions) -> Result<Catalog, Error> {
        self.check()?;
        let texts = String::from_utf8(self.take(Section::Texts)).map_err(|_| contradiction("texts"))?;
        let records = self.take(Section::Records);
        let mut input = Input { texts: Arc::new(texts), text_at: 0, records, at: 0, broken: false };
        let [entries, real, bodies, bits] = std::array::from_fn(|_| input.number());
        let postings = Postings { bits, starts: self.words(Section::Starts), blob: self.take(Section::Postings) };
        // Before the skills, so that what was received is freed before they take memory.
        let mut index = self.index(postings, entries, real, bodies);
        let most = options.max_skills;
        let scopes = input.list(most, Input::string)?;
        let invalid = input.list(most, |input| Invalid { position: input.number(), id: input.string() })?;
        let shadowed = input.list(most, Input::shadowed)?;
        let diagnostics = input.list(most, Input::diagnostic)?;
        let skills = input.many(entries, most, Input::skill)?;
        if !input.is_done() || !skills.is_sorted_by(|a, b| a.id < b.id) {
            return Err(contradiction("records"));
        }
        index.priors = skills.iter().map(standing).collect();
        if !fits(&index) {
            return Err(contradiction("index"));
        }
        let index = index.prepare();
        let options = CatalogOptions { scopes, ..options.clone() };
        Ok(Catalog { skills, shadowed, invalid, diagnostics, options, index, memo: Memo::default() })
    }

    fn take(&mut self, section: Section) -> Vec<u8> {
        std::mem::take(&mut self.sections[section as usize])
    }

    /// Section by section: what was received of one is freed before the next one is made.
    fn index(&mut self, postings: Postings, entries: u32, real: u32, bodies: u32) -> Index {
        let long = |row: &[u8]| u64::from(word(row, 0)) | u64::from(word(row, 1)) << 32;
        Index {
            entries,
            skills: real,
            shapes: self.take(Section::Shapes),
            norms: self.words(Section::Norms),
            name_weights: self.words(Section::NameWeights),
            names: self.words(Section::Names),
            phrases: self.rows(Section::Phrases, 12, |row| (long(row), word(row, 2))),
            conditional: self.rows(Section::Conditional, 4, little),
            bodies,
            postings,
            ..Index::default()
        }
    }

    /// Rows that stay as they came.
    fn words<const N: usize>(&mut self, section: Section) -> Rows<N> {
        Rows::received(self.take(section))
    }

    fn rows<T>(&mut self, section: Section, length: usize, read: impl Fn(&[u8]) -> T) -> Vec<T> {
        self.take(section).chunks_exact(length).map(read).collect()
    }
}

/// Whether the parts of an index agree with each other, so that nothing in it points outside.
fn fits(index: &Index) -> bool {
    let Postings { bits, starts, blob } = &index.postings;
    let entries = index.entries as usize;
    let ours = |at: u32| at < index.entries;
    let weight = |of: f32| of.is_finite() && of >= 0.0;
    (4..=22).contains(bits)
        && starts.len() == (1 << bits) + 1
        && starts.iter().is_sorted()
        && starts.get(1 << bits).is_some_and(|[end]| end as usize <= blob.len())
        && index.skills <= index.entries
        && index.bodies <= index.skills
        && index.shapes.len().is_multiple_of(2 * FIELDS)
        && index.norms.len() == entries
        && index.norms.iter().flat_map(reals).all(weight)
        && index.name_weights.len() == entries
        && index.name_weights.iter().flat_map(reals).all(f32::is_finite)
        && index.names.iter().is_sorted()
        && index.names.iter().all(|[_, at]| ours(at))
        && index.phrases.is_sorted()
        && index.phrases.iter().all(|&(_, at)| ours(at))
        && index.conditional.is_sorted()
        && index.conditional.iter().all(|&at| ours(at))
}

fn word(row: &[u8], at: usize) -> u32 {
    little(&row[4 * at..4 * at + 4])
}

fn contradiction(part: &str) -> Error {
    Error::at("snapshot_format", part, "the contents contradict each other, although the checksum is right")
}

/// Records and the texts that they name, both read from front to back. A failed step is remembered, so that it is checked once a
/// record and not once a field.
struct Input {
    texts: Arc<String>,
    text_at: u32,
    records: Vec<u8>,
    at: usize,
    broken: bool,
}

impl Input {
    fn number(&mut self) -> u32 {
        let number = read_number(&self.records, &mut self.at);
        self.broken |= number.is_none();
        number.unwrap_or_default()
    }

    fn long(&mut self) -> u64 {
        let bytes = self.records.get(self.at..).and_then(|rest| rest.first_chunk::<8>());
        self.broken |= bytes.is_none();
        self.at += 8;
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    fn text(&mut self) -> Stored {
        let length = self.number();
        let text = Stored::part(&self.texts, self.text_at, length);
        self.broken |= text.is_none();
        let text = text.unwrap_or_default();
        self.text_at += text.len() as u32;
        text
    }

    fn string(&mut self) -> String {
        self.text().to_string()
    }

    fn list<T>(&mut self, most: usize, read: impl Fn(&mut Self) -> T) -> Result<Vec<T>, Error> {
        let count = self.number();
        self.many(count, most, read)
    }

    fn many<T>(&mut self, count: u32, most: usize, read: impl Fn(&mut Self) -> T) -> Result<Vec<T>, Error> {
        if count as usize > most {
            return Err(Error::new("too_many_skills", format!("{count} skills or remarks, the limit is {most}")));
        }
        // A skill's record takes 16 bytes or more.
        let mut items = Vec::with_capacity((count as usize).min(self.records.len() / 16));
        for _ in 0..count {
            items.push(read(self));
            if self.broken {
                return Err(contradiction("records"));
            }
        }
        Ok(items)
    }

    fn is_done(&self) -> bool {
        !self.broken && self.at == self.records.len() && self.text_at as usize == self.texts.len()
    }

    fn shadowed(&mut self) -> Shadowed {
        let position = self.number();
        let id = self.text();
        let [source, location, by] = std::array::from_fn(|_| self.text().into());
        Shadowed { id, source, location, by, position }
    }

    fn diagnostic(&mut self) -> Diagnostic {
        let flags = self.number();
        let severity = match flags & 3 {
            0 => Severity::Info,
            1 => Severity::Warning,
            _ => Severity::Error,
        };
        let [code, message] = std::array::from_fn(|_| self.string());
        let [skill, path] = [4, 8].map(|flag| (flags & flag != 0).then(|| self.string()));
        Diagnostic { code, severity, message, skill, path }
    }

    fn skill(&mut self) -> Skill {
        let flags = self.number();
        let is = |flag: u32| flags & flag != 0;
        let position = self.number();
        let scope_rank = self.number().min(255) as u8;
        let hash = self.long();
        let priority = if is(has::PRIORITY) { f64::from_bits(self.long()) } else { 0.0 };
        let instruction_tokens = is(has::TOKENS).then(|| self.number());
        let id = self.text();
        let name = if is(has::OWN_NAME) { self.text() } else { id.clone() };
        self.broken |= id.is_empty() || name.is_empty() || !priority.is_finite();
        let description = self.text();
        let [when_to_use, location, source] = std::array::from_fn(|_| self.text().into());
        Skill {
            id,
            name,
            description,
            when_to_use,
            instructions: is(has::BODY).then(|| self.text().into()),
            instruction_tokens,
            kind: if is(has::RULE) { Kind::Rule } else { Kind::Skill },
            priority,
            enabled: is(has::ENABLED),
            model_invocable: is(has::MODEL),
            user_invocable: is(has::USER),
            scope_rank,
            location,
            source,
            shares_name: is(has::SHARED_NAME),
            hash,
            position,
            details: is(has::DETAILS).then(|| Box::new(entry::details(&self.text()))),
        }
    }
}
