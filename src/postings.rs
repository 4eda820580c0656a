//! The inverted file as two flat arrays: term to the skills that have it, and how.
//!
//! Keys are term hashes. The upper bits choose a bucket, `starts[bucket]` is where its entries begin in `blob`. An entry is the
//! end of the hash (three bytes of a term, two of a form or pair, which nobody guesses at), then variable-length integers: of a
//! term that one skill has, its *shape* with a mark, and the skill; otherwise the length of the postings and the number of
//! skills, then for every skill the difference to the last one and the shape. A shape is an interned tuple of counts by field
//! (see `index`), so that a posting takes two or three bytes and loses nothing.

use crate::terms::COMPOSED;

/// One posting before it is packed: key, skill, shape.
pub(crate) type Raw = (u64, u32, u32);

/// Term hash to postings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Postings {
    /// Number of buckets as a power of two.
    pub(crate) bits: u32,
    /// First byte of every bucket, and the end.
    pub(crate) starts: Vec<u32>,
    /// The entries.
    pub(crate) blob: Vec<u8>,
}

/// The postings of one term.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'a> {
    /// Skills that have the term.
    pub(crate) skills: u32,
    /// Skill and shape of a term that one skill has.
    only: Option<(u32, u32)>,
    bytes: &'a [u8],
}

fn write_number(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn read_number(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let first = *bytes.get(*at)?;
    *at += 1;
    let mut value = u32::from(first & 0x7f);
    let mut byte = first;
    let mut shift = 7;
    while byte & 0x80 != 0 {
        byte = *bytes.get(*at)?;
        *at += 1;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
    }
    Some(value)
}

/// The end of a hash that an entry keeps, and its bytes.
fn remainder(key: u64) -> ([u8; 3], usize) {
    let [a, b, c, ..] = key.to_le_bytes();
    if key & COMPOSED == 0 { ([a, b, c], 3) } else { ([a, b, 0], 2) }
}

impl Postings {
    /// Packs postings. `raw` is in parts by the upper four bits of the key; each part is sorted here.
    pub(crate) fn pack(parts: Vec<Vec<Raw>>) -> Self {
        let total: usize = parts.iter().map(Vec::len).sum();
        // A bucket for about 64 postings: 15 to 25 forms and pairs, or a few terms, which typing errors are compared with.
        let bits = (total / 48).max(16).ilog2().clamp(4, 22);
        let mut packed =
            Self { bits, starts: Vec::with_capacity((1 << bits) + 1), blob: Vec::with_capacity(total * 3) };
        for mut part in parts {
            part.sort_unstable();
            packed.append(&part);
        }
        packed.starts.resize((1 << bits) + 1, packed.blob.len() as u32);
        packed.blob.shrink_to_fit();
        packed
    }

    fn append(&mut self, part: &[Raw]) {
        let mut body = Vec::new();
        let mut rest = part;
        while let Some(&(key, _, _)) = rest.first() {
            let count = rest.iter().take_while(|posting| posting.0 == key).count();
            let bucket = (key >> (64 - self.bits)) as usize;
            while self.starts.len() <= bucket {
                self.starts.push(self.blob.len() as u32);
            }
            let (end, length) = remainder(key);
            self.blob.extend_from_slice(&end[..length]);
            if let [(_, skill, shape)] = rest[..count] {
                write_number(shape << 1 | 1, &mut self.blob);
                write_number(skill, &mut self.blob);
            } else {
                body.clear();
                let mut before = 0;
                for &(_, skill, shape) in &rest[..count] {
                    write_number(skill - before, &mut body);
                    write_number(shape, &mut body);
                    before = skill;
                }
                write_number((body.len() as u32) << 1, &mut self.blob);
                write_number(count as u32, &mut self.blob);
                self.blob.extend_from_slice(&body);
            }
            rest = &rest[count..];
        }
    }

    /// The postings of a term.
    pub(crate) fn find(&self, key: u64) -> Option<Found<'_>> {
        let bucket = (key >> (64 - self.bits)) as usize;
        let (start, end) = (*self.starts.get(bucket)? as usize, *self.starts.get(bucket + 1)? as usize);
        let entries = self.blob.get(start..end)?;
        let (end_of_hash, length) = remainder(key);
        let wanted = &end_of_hash[..length];
        let mut at = 0;
        while let Some(head) = entries.get(at..at + length) {
            at += length;
            let size = read_number(entries, &mut at)?;
            if size & 1 == 1 {
                let skill = read_number(entries, &mut at)?;
                if head == wanted {
                    return Some(Found { skills: 1, only: Some((skill, size >> 1)), bytes: &[] });
                }
                continue;
            }
            let skills = read_number(entries, &mut at)?;
            let stop = at.checked_add((size >> 1) as usize)?;
            if head == wanted {
                return Some(Found { skills, only: None, bytes: entries.get(at..stop)? });
            }
            at = stop;
        }
        None
    }
}

impl Found<'_> {
    /// Calls `with` for every skill and shape, ascending by skill.
    pub(crate) fn each(&self, mut with: impl FnMut(u32, u32)) {
        if let Some((skill, shape)) = self.only {
            with(skill, shape);
        }
        let (mut at, mut skill) = (0, 0_u32);
        while at < self.bytes.len() {
            let Some(delta) = read_number(self.bytes, &mut at) else { return };
            let Some(shape) = read_number(self.bytes, &mut at) else { return };
            skill = skill.wrapping_add(delta);
            with(skill, shape);
        }
    }
}
