//! A small generator, so that every run draws the same sub-catalogs and typing errors.

use skillpick::Skill;

use crate::data::{Labelled, Set};

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// A part of a catalog with the queries that it can answer; a third of its skills are wanted by some query.
pub struct Sub {
    pub skills: Vec<Skill>,
    pub queries: Vec<Labelled>,
}

/// Draws a sub-catalog of `size` skills.
pub fn sub_catalog(set: &Set, size: usize, random: &mut Random) -> Sub {
    let mut chosen: Vec<u32> = Vec::new();
    while chosen.len() < size.min(set.skills.len()) {
        let wanted = chosen.len() * 10 < size * 3;
        let position = if wanted {
            let query = &set.queries[random.below(set.queries.len())];
            query.relevant[random.below(query.relevant.len())]
        } else {
            random.below(set.skills.len()) as u32
        };
        if !chosen.contains(&position) {
            chosen.push(position);
        }
    }
    chosen.sort_unstable();
    let skills = chosen.iter().map(|&position| set.skills[position as usize].clone()).collect();
    let inside = |relevant: &[u32]| -> Vec<u32> {
        relevant.iter().filter_map(|position| chosen.binary_search(position).ok()).map(|place| place as u32).collect()
    };
    let mut queries: Vec<Labelled> = set
        .queries
        .iter()
        .map(|of| Labelled { query: of.query.clone(), relevant: inside(&of.relevant), source: of.source.clone() })
        .filter(|of| !of.relevant.is_empty())
        .collect();
    while queries.len() > 60 {
        queries.swap_remove(random.below(queries.len()));
    }
    Sub { skills, queries }
}

/// The query with one typing error in one word of five letters or more; `None` where there is no such word.
pub fn mistyped(query: &str, random: &mut Random) -> Option<String> {
    let chars: Vec<char> = query.chars().collect();
    let mut words = Vec::new();
    let mut start = 0;
    for end in 0..=chars.len() {
        if end == chars.len() || !chars[end].is_ascii_alphabetic() {
            if end - start >= 5 {
                words.push((start, end));
            }
            start = end + 1;
        }
    }
    if words.is_empty() {
        return None;
    }
    let (start, end) = words[random.below(words.len())];
    let at = start + 1 + random.below(end - start - 2);
    let letter = char::from(b'a' + random.below(26) as u8);
    let mut typed = chars;
    match random.below(4) {
        0 => {
            typed.remove(at);
        }
        1 => typed.insert(at, letter),
        2 => typed[at] = letter,
        _ => typed.swap(at, at + 1),
    }
    Some(typed.into_iter().collect())
}
