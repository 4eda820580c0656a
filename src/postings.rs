//! The inverted file as two flat arrays: term to the skills that have it, and how.
//!
//! Keys are term hashes. The upper bits choose a bucket, `starts[bucket]` is where its entries begin in `blob`. An entry is the
//! end of the hash (three bytes of a term, two of a form or pair, which nobody guesses at), then variable-length integers: of a
//! term that one skill has, its posting with a mark; otherwise the length of the postings and the number of skills, then for
//! every skill a posting: the difference to the last one, and its *shape* where that is not the commonest. A shape is an interned
//! tuple of counts by field (see `index`), so that a posting takes one or two bytes and loses nothing.

use crate::rows::Rows;
use crate::terms::COMPOSED;

/// One posting before it is packed: key, skill, shape.
pub(crate) type Raw = (u64, u32, u32);

/// Term hash to postings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Postings {
    /// Number of buckets as a power of two.
    pub(crate) bits: u32,
    /// First byte of every bucket, and the end.
    pub(crate) starts: Rows<1>,
    /// The entries.
    pub(crate) blob: Vec<u8>,
}

/// Where the postings of one term are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Found {
    /// Skills that have the term.
    pub(crate) skills: u32,
    /// Skill and shape of a term that one skill has; otherwise the first byte and the end.
    place: (u32, u32),
}

/// A number in seven bits a byte, the lowest first.
pub(crate) fn write_number(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn read_number(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let mut rest = bytes.get(*at..)?.iter();
    let value = next_number(&mut rest);
    *at = bytes.len() - rest.len();
    value
}

#[expect(clippy::inline_always)]
#[inline(always)]
fn next_number(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u32> {
    let mut byte = *bytes.next()?;
    let mut value = u32::from(byte & 0x7f);
    let mut shift = 7;
    while byte & 0x80 != 0 {
        byte = *bytes.next()?;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        shift += 7;
    }
    Some(value)
}

/// A skill and a shape: whether a shape follows stands below the skill, and below that, in an entry of one skill, that mark.
fn write_posting(skill: u32, shape: u32, alone: bool, out: &mut Vec<u8>) {
    let head = skill << 1 | u32::from(shape != 0);
    write_number(if alone { head << 1 | 1 } else { head }, out);
    if shape != 0 {
        write_number(shape, out);
    }
}

/// The end of a hash that an entry keeps, and its bytes.
fn remainder(key: u64) -> (u32, usize) {
    if key & COMPOSED == 0 { (key as u32 & 0x00ff_ffff, 3) } else { (key as u32 & 0xffff, 2) }
}

/// Entries of a bucket that are compared. There are some 20 in one, unless somebody has chosen words whose hashes fall together;
/// what lies behind is not found, so that looking up many such words stays quick.
const MOST_COMPARED: usize = 1_024;

/// Postings that are put in order one by one; heapsort, which the wasm has, takes longer.
const FEW: usize = 24;

/// The postings of one part in order: into fine buckets first, so that only a few are ever compared with each other.
fn sorted(part: &[Raw], bits: u32) -> Vec<Raw> {
    let bits = bits + 3;
    // The upper four bits are the part's.
    let buckets = 1_usize << (bits - 4);
    let bucket = |raw: &Raw| (raw.0 >> (64 - bits)) as usize & (buckets - 1);
    let mut ends = vec![0_usize; buckets];
    for raw in part {
        ends[bucket(raw)] += 1;
    }
    let mut end = 0;
    for place in &mut ends {
        end += std::mem::replace(place, end);
    }
    let mut sorted = vec![(0, 0, 0); part.len()];
    for raw in part {
        let place = &mut ends[bucket(raw)];
        sorted[*place] = *raw;
        *place += 1;
    }
    let mut start = 0;
    for end in ends {
        let bucket = &mut sorted[start..end];
        if bucket.len() <= FEW {
            insert_each(bucket);
        } else {
            bucket.sort_unstable();
        }
        start = end;
    }
    sorted
}

fn insert_each(bucket: &mut [Raw]) {
    for end in 1..bucket.len() {
        let one = bucket[end];
        let place = bucket[..end].iter().rposition(|before| *before <= one).map_or(0, |before| before + 1);
        bucket.copy_within(place..end, place + 1);
        bucket[place] = one;
    }
}

impl Postings {
    /// Packs postings. `raw` is in parts by the upper four bits of the key; each part is sorted here.
    pub(crate) fn pack(parts: Vec<Vec<Raw>>) -> Self {
        let total: usize = parts.iter().map(Vec::len).sum();
        // A bucket for about 64 postings: 15 to 25 forms and pairs, or a few terms, which typing errors are compared with.
        let bits = (total / 48).max(16).ilog2().clamp(4, 22);
        let mut packed = Packed { starts: Vec::with_capacity((1 << bits) + 1), blob: Vec::with_capacity(total * 2) };
        for part in parts {
            packed.append(&sorted(&part, bits), bits);
        }
        let Packed { mut starts, mut blob } = packed;
        starts.resize((1 << bits) + 1, blob.len() as u32);
        blob.shrink_to_fit();
        Self { bits, starts: starts.into_iter().map(|start| [start]).collect(), blob }
    }

    /// Where the entries of a term's bucket begin and end.
    fn bucket(&self, key: u64) -> Option<(usize, usize)> {
        let bucket = (key >> (64 - self.bits)) as usize;
        let ([start], [end]) = (self.starts.get(bucket)?, self.starts.get(bucket + 1)?);
        Some((start as usize, end as usize))
    }

    /// Reads a byte of the bucket of a term, so that it is near when its postings are looked for.
    pub(crate) fn touch(&self, key: u64) -> u32 {
        self.bucket(key).and_then(|(start, _)| self.blob.get(start)).copied().unwrap_or_default().into()
    }

    /// The postings of a term.
    pub(crate) fn find(&self, key: u64) -> Option<Found> {
        let (start, end) = self.bucket(key)?;
        let entries = self.blob.get(..end)?;
        let (wanted, length) = remainder(key);
        let mut at = start;
        for _ in 0..MOST_COMPARED {
            let &[a, b, c] = entries.get(at..at + 3)? else { return None };
            let head = u32::from_le_bytes([a, b, if length == 3 { c } else { 0 }, 0]);
            at += length;
            let first = read_number(entries, &mut at)?;
            if first & 1 == 1 {
                let shape = if first & 2 == 0 { 0 } else { read_number(entries, &mut at)? };
                if head == wanted {
                    return Some(Found { skills: 1, place: (first >> 2, shape) });
                }
                continue;
            }
            let skills = read_number(entries, &mut at)?;
            let stop = at.checked_add((first >> 1) as usize)?;
            if head == wanted {
                return Some(Found { skills, place: (at as u32, stop as u32) });
            }
            at = stop;
        }
        None
    }

    /// Every skill and shape of a term, ascending by skill.
    pub(crate) fn of(&self, found: Found) -> Entries<'_> {
        let (first, second) = found.place;
        if found.skills == 1 {
            return Entries { alone: Some((first, second)), bytes: [].iter(), skill: 0 };
        }
        let bytes = self.blob.get(first as usize..second as usize).unwrap_or_default();
        Entries { alone: None, bytes: bytes.iter(), skill: 0 }
    }
}

/// The postings of one term, skill and shape.
pub(crate) struct Entries<'a> {
    /// Of a term that one skill has.
    alone: Option<(u32, u32)>,
    bytes: std::slice::Iter<'a, u8>,
    skill: u32,
}

impl Iterator for Entries<'_> {
    type Item = (u32, u32);

    // Half of a selection among many skills is spent here; without it the wasm, which is built for size, calls it each time.
    #[expect(clippy::inline_always)]
    #[inline(always)]
    fn next(&mut self) -> Option<(u32, u32)> {
        let Some(number) = next_number(&mut self.bytes) else { return self.alone.take() };
        let shape = if number & 1 == 0 { 0 } else { next_number(&mut self.bytes)? };
        self.skill = self.skill.wrapping_add(number >> 1);
        Some((self.skill, shape))
    }
}

/// Postings that are being packed.
struct Packed {
    starts: Vec<u32>,
    blob: Vec<u8>,
}

impl Packed {
    fn append(&mut self, part: &[Raw], bits: u32) {
        let mut body = Vec::new();
        let mut rest = part;
        while let Some(&(key, _, _)) = rest.first() {
            let count = rest.iter().take_while(|posting| posting.0 == key).count();
            let bucket = (key >> (64 - bits)) as usize;
            while self.starts.len() <= bucket {
                self.starts.push(self.blob.len() as u32);
            }
            let (end, length) = remainder(key);
            self.blob.extend_from_slice(&end.to_le_bytes()[..length]);
            if let [(_, skill, shape)] = rest[..count] {
                write_posting(skill, shape, true, &mut self.blob);
            } else {
                body.clear();
                let mut before = 0;
                for &(_, skill, shape) in &rest[..count] {
                    write_posting(skill - before, shape, false, &mut body);
                    before = skill;
                }
                write_number((body.len() as u32) << 1, &mut self.blob);
                write_number(count as u32, &mut self.blob);
                self.blob.extend_from_slice(&body);
            }
            rest = &rest[count..];
        }
    }
}
