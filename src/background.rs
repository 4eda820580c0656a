//! How common a term is in public skills at large: what keeps term weights meaningful in a catalog of ten.
//!
//! `background.bin` holds the 4,000 most frequent stems of 84,063 public skills as 24 bits of their hashes,
//! ascending, as 16-bit differences, then a 4-bit level for each. No text, and no list to read by string.

use std::sync::OnceLock;

const TABLE: &[u8] = include_bytes!("background.bin");

/// Natural logarithm of corpus size over the document frequency at which the list ends.
pub(crate) const RAREST_LISTED: f64 = 4.3957;
/// Natural logarithm of the corpus size: the weight of a term that one document has.
pub(crate) const RAREST: f64 = 11.3393;

/// The weight of a level of the list.
pub(crate) fn weight(level: u8) -> f64 {
    f64::from(level) / 15.0 * RAREST_LISTED
}

struct Listed {
    keys: Vec<u32>,
    levels: Vec<u8>,
}

fn listed() -> &'static Listed {
    static LISTED: OnceLock<Listed> = OnceLock::new();
    LISTED.get_or_init(|| {
        // 2.5 bytes an entry: count it back from the size.
        let count = TABLE.len() * 2 / 5;
        let (deltas, nibbles) = TABLE.split_at(count * 2);
        let mut key = 0;
        let keys = deltas.chunks_exact(2).map(|pair| {
            key += u32::from(u16::from_le_bytes([pair[0], pair[1]]));
            key
        });
        let keys = keys.collect();
        let levels = (0..count).map(|i| nibbles[i / 2] >> (i % 2 * 4) & 15).collect();
        Listed { keys, levels }
    })
}

/// The level of a term, by the hash of its stem: 0 the most common, 15 the rarest on the list; `None` when rarer.
pub(crate) fn level(hash: u64) -> Option<u8> {
    let listed = listed();
    listed.keys.binary_search(&((hash >> 39) as u32 & 0xff_ffff)).ok().map(|i| listed.levels[i])
}
