//! The snapshot of a catalog and its index: what the bytes are, and how they come in, in pieces of any size.
//!
//! A header of [`HEADER`] bytes, then [`SECTIONS`] sections without gaps, all numbers little-endian; docs/snapshots.md has the table.
//! A section is received into memory of its own, of the declared size and never more, so that texts and postings are used where they
//! came in: nothing is parsed, copied or indexed again.

use std::hash::Hasher;

use xxhash_rust::xxh64::Xxh64;

use crate::error::Error;

/// The first bytes. The first of them is no text, the last two do not survive a change of line ends.
pub(crate) const MAGIC: [u8; 8] = *b"\x89skill\r\n";
/// Raised whenever the layout, or what a term's hash is, changes: an older snapshot has to be built again.
pub(crate) const VERSION: u32 = 2;
/// Most bytes of a snapshot.
pub(crate) const MAX_BYTES: usize = 256 << 20;
/// Bytes before the first section.
pub(crate) const HEADER: usize = 64;
/// Where the checksum stands, and from where on it counts.
const CHECKSUM: usize = 16;
const CHECKED: usize = 24;

/// The sections in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Section {
    /// All texts, one after the other, UTF-8.
    Texts,
    /// One record a skill, and what is said of the catalog as a whole.
    Records,
    /// [`crate::postings::Postings::blob`].
    Postings,
    /// [`crate::postings::Postings::starts`].
    Starts,
    /// Counts by field, as the postings name them.
    Shapes,
    /// What a term counts, given the length of the skill.
    Norms,
    /// Sums of the weights of the terms of names.
    NameWeights,
    /// Hashes of names and their skills.
    Names,
    /// Hashes of trigger phrases and their skills.
    Phrases,
    /// Skills with conditions.
    Conditional,
}

/// Number of sections.
pub(crate) const SECTIONS: usize = 10;

/// The header for sections of these lengths; `rest` is everything behind it.
pub(crate) fn write_header(out: &mut [u8], lengths: [u32; SECTIONS]) {
    out[..8].copy_from_slice(&MAGIC);
    out[8..12].copy_from_slice(&VERSION.to_le_bytes());
    out[12..16].copy_from_slice(&(SECTIONS as u32).to_le_bytes());
    for (place, length) in out[CHECKED..HEADER].chunks_exact_mut(4).zip(lengths) {
        place.copy_from_slice(&length.to_le_bytes());
    }
    let mut hasher = Xxh64::new(0);
    hasher.write(&out[CHECKED..]);
    out[CHECKSUM..CHECKED].copy_from_slice(&hasher.finish().to_le_bytes());
}

/// A snapshot that comes in piece by piece.
pub struct Incoming {
    header: Vec<u8>,
    lengths: [usize; SECTIONS],
    pub(crate) sections: [Vec<u8>; SECTIONS],
    /// The section that is being filled.
    current: usize,
    hasher: Xxh64,
    /// Bytes that there are, where that is known.
    known: Option<usize>,
}

impl std::fmt::Debug for Incoming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Incoming").field("lengths", &self.lengths).finish_non_exhaustive()
    }
}

impl Incoming {
    /// Nothing has come yet. `known` is the number of bytes, where it is known: no memory is then taken for more.
    #[must_use]
    pub fn new(known: Option<usize>) -> Self {
        Self {
            header: Vec::with_capacity(HEADER),
            lengths: [0; SECTIONS],
            sections: [const { Vec::new() }; SECTIONS],
            current: 0,
            hasher: Xxh64::new(0),
            known,
        }
    }

    /// Takes the next bytes, copying them to their place.
    ///
    /// # Errors
    /// `snapshot_format`, `snapshot_version`, `catalog_too_large`, and `snapshot_truncated` if the length is known, as soon as the
    /// header is there; `snapshot_format` for bytes behind the end.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        if self.header.len() < HEADER {
            let taken = bytes.len().min(HEADER - self.header.len());
            self.header.extend_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            check_identity(&self.header)?;
            if self.header.len() < HEADER {
                return Ok(());
            }
            self.read_lengths()?;
        }
        self.hasher.write(bytes);
        while !bytes.is_empty() {
            let Some(length) = self.lengths.get(self.current) else {
                return Err(Error::new("snapshot_format", "there are more bytes than the header says"));
            };
            let section = &mut self.sections[self.current];
            if section.capacity() < *length {
                let missing = |_| Error::new("catalog_too_large", format!("no memory for {length} bytes"));
                section.try_reserve_exact(*length).map_err(missing)?;
            }
            let taken = bytes.len().min(length - section.len());
            section.extend_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            if section.len() == *length {
                self.current += 1;
            }
        }
        Ok(())
    }

    fn read_lengths(&mut self) -> Result<(), Error> {
        self.hasher.write(&self.header[CHECKED..]);
        let mut total = HEADER as u64;
        for (length, bytes) in self.lengths.iter_mut().zip(self.header[CHECKED..].chunks_exact(4)) {
            *length = little(bytes) as usize;
            total += u64::from(little(bytes));
        }
        if let Some(known) = self.known.filter(|&known| total > known as u64) {
            return Err(truncated(known, total));
        }
        check_size(total)
    }

    /// That all bytes have come, and came as they were written.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let expected: usize = HEADER + self.lengths.iter().sum::<usize>();
        let received = self.header.len() + self.sections.iter().map(Vec::len).sum::<usize>();
        if self.header.len() < HEADER || received < expected {
            return Err(truncated(received, expected as u64));
        }
        if self.hasher.finish().to_le_bytes() != self.header[CHECKSUM..CHECKED] {
            return Err(Error::new(
                "snapshot_checksum",
                "the snapshot has changed since it was written: checksum wrong",
            ));
        }
        Ok(())
    }
}

fn truncated(received: usize, expected: u64) -> Error {
    Error::new("snapshot_truncated", format!("the snapshot ends after {received} bytes, it should have {expected}"))
}

/// That a snapshot is not larger than any may be.
pub(crate) fn check_size(bytes: u64) -> Result<(), Error> {
    if bytes <= MAX_BYTES as u64 {
        return Ok(());
    }
    let message = format!("a snapshot of {bytes} bytes, the limit is {MAX_BYTES}");
    Err(Error::new("catalog_too_large", message))
}

/// A little-endian number of up to four bytes.
pub(crate) fn little(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))
}

/// Whether this can be a snapshot of this version, by as much of the header as is there.
fn check_identity(header: &[u8]) -> Result<(), Error> {
    if !MAGIC.starts_with(&header[..header.len().min(8)]) {
        return Err(Error::new("snapshot_format", "these bytes are no snapshot of a catalog"));
    }
    if let Some(version) = header.get(8..12).map(little)
        && version != VERSION
    {
        let message = format!("a snapshot of version {version}, this release reads version {VERSION}; build it again");
        return Err(Error::new("snapshot_version", message));
    }
    if header.get(12..16).is_some_and(|count| little(count) != SECTIONS as u32) {
        return Err(Error::new("snapshot_format", "the header is damaged"));
    }
    Ok(())
}
