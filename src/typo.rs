//! A word that no skill has may be one keystroke away from one that many have.

use crate::background;
use crate::index::Index;
use crate::stem;
use crate::terms::{UNLISTED, hash};

/// Shortest word that is corrected, and shortest term that it is corrected to.
const SHORTEST: usize = 5;
const SHORTEST_TERM: usize = 4;

/// The term at one insertion, deletion, substitution or transposition with the same first letter that most skills have: hash
/// and background level. Tries about 55 terms a letter and keeps no list of words.
pub(crate) fn correct(word: &str, index: &Index) -> Option<(u64, u8)> {
    if word.len() < SHORTEST || word.len() > stem::LONGEST || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let mut text = word.to_ascii_lowercase().into_bytes();
    stem::stem(&mut text);
    let mut best: Option<(u32, u64)> = None;
    let mut try_term = |candidate: &[u8]| {
        if candidate.len() < SHORTEST_TERM {
            return;
        }
        let hash = hash(candidate);
        let having = index.having(hash);
        if having > best.map_or(0, |(most, _)| most) {
            best = Some((having, hash));
        }
    };
    let mut candidate = Vec::with_capacity(text.len() + 1);
    for at in 1..=text.len() {
        let (head, tail) = text.split_at(at);
        let mut with = |parts: [&[u8]; 3]| {
            candidate.clear();
            for part in parts {
                candidate.extend_from_slice(part);
            }
            try_term(&candidate);
        };
        for letter in b'a'..=b'z' {
            with([head, &[letter], tail]);
            if !tail.is_empty() {
                with([head, &[letter], &tail[1..]]);
            }
        }
        if !tail.is_empty() {
            with([head, &[], &tail[1..]]);
        }
        if tail.len() > 1 {
            with([head, &[tail[1], tail[0]], &tail[2..]]);
        }
    }
    best.map(|(_, hash)| (hash, background::level(hash).unwrap_or(UNLISTED)))
}
