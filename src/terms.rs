//! Text to terms: words of any script, their stems, the parts of identifiers, and character pairs where a script has no spaces.
//!
//! A term is the 64-bit hash of its text; the text itself is never kept. Three kinds: *main* (the stem of a whole run: what a
//! document is about), *exact* (the run as written, without case and accents), *part* (pieces of `camelCase`, single Chinese
//! characters: weaker evidence).

use crate::background;
use crate::script::{Class, class, fold};
use crate::stem;

/// What a term stands for in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The stem of a whole run.
    Main,
    /// The run as written.
    Exact,
    /// A piece of a run.
    Part,
}

/// Level of a term that the background list does not have.
pub(crate) const UNLISTED: u8 = 16;

/// One term of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    pub(crate) hash: u64,
    pub(crate) role: Role,
    /// Background level, [`UNLISTED`] for a rare or exact term.
    pub(crate) level: u8,
    /// Where the run stands, in bytes.
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Function words, and words that every request to an assistant has.
const STOP: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by",
    "can", "cant", "could", "did", "do", "does", "doesnt", "dont", "each", "for", "from", "get", "had", "has", "have",
    "he", "hello", "her", "hey", "hi", "his", "how", "i", "if", "im", "in", "into", "is", "it", "its", "ive", "just",
    "let", "make", "may", "me", "must", "my", "need", "no", "not", "of", "ok", "okay", "on", "or", "our", "please",
    "she", "should", "so", "some", "such", "than", "thank", "thanks", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "to", "too", "us", "use", "used", "using", "very", "want", "was", "we", "were", "what",
    "when", "where", "which", "who", "why", "will", "with", "would", "yeah", "yes", "you", "your",
];

/// Longest run that is one word, in bytes; the rest of a longer run (a hash, encoded data) is skipped.
const LONGEST_RUN: usize = 80;

/// Parts that one run can have.
const MOST_PARTS: usize = 5;

/// The bit that tells exact forms and pairs from terms: the two stand apart in the postings.
pub(crate) const COMPOSED: u64 = 1 << 63;

/// Hash of a term's text.
pub(crate) fn hash(text: &[u8]) -> u64 {
    let mut value = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in text {
        value = (value ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    finish(value) & !COMPOSED
}

fn finish(mut value: u64) -> u64 {
    value ^= value >> 32;
    value = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    value ^ value >> 29
}

/// Hash of the form as written, apart from that of a stem with the same letters.
fn exact_hash(text: &[u8]) -> u64 {
    finish(hash(text) ^ 0x5bd1_e995_7f4a_7c15) | COMPOSED
}

/// Hash of two neighbouring main terms.
pub(crate) fn pair_hash(first: u64, second: u64) -> u64 {
    finish(first.wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(23) ^ second ^ 0x2545_f491_4f6c_dd1d) | COMPOSED
}

/// Hash of main terms in a row; `None` of none.
pub(crate) fn phrase_hash(terms: impl Iterator<Item = u64>) -> Option<u64> {
    terms.fold(None, |hash, term| Some(hash.map_or(term, |hash| pair_hash(hash, term))))
}

#[derive(Clone, Copy, Default)]
struct Piece {
    hash: u64,
    level: u8,
}

#[derive(Clone, Copy, Default)]
struct Analysed {
    run: u64,
    main: Piece,
    exact: u64,
    parts: [Piece; MOST_PARTS],
    count: u8,
    stop: bool,
}

/// Turns texts into terms; remembers the words it has seen.
pub(crate) struct Reader {
    seen: Vec<Analysed>,
    lower: Vec<u8>,
    part: Vec<u8>,
    /// Single letters are terms: in names, where `r-stats` means R.
    pub(crate) letters: bool,
}

impl Reader {
    /// A reader that remembers `remembered` words, a power of two.
    pub(crate) fn new(remembered: usize) -> Self {
        Self { seen: vec![Analysed::default(); remembered], lower: Vec::new(), part: Vec::new(), letters: false }
    }

    /// Appends the terms of a text, in its order.
    pub(crate) fn read(&mut self, text: &str, out: &mut Vec<Term>) {
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let kind = class(c);
            let end =
                if kind == Class::Gap || kind == Class::Mark { at + c.len_utf8() } else { run_end(text, at, kind) };
            match kind {
                Class::Gap | Class::Mark => {}
                Class::Word => self.word(text, at, end, out),
                Class::Katakana => katakana(&text[at..end], at, out),
                Class::Hiragana => pairs(&text[at..end], at, Role::Part, out),
                Class::Spaceless => pairs(&text[at..end], at, Role::Main, out),
                Class::Han | Class::Hangul => {
                    pairs(&text[at..end], at, Role::Main, out);
                    singles(&text[at..end], at, out);
                }
            }
            at = end;
        }
    }

    fn word(&mut self, text: &str, start: usize, end: usize, out: &mut Vec<Term>) {
        let (start_of_word, end_of_word) = (start, end);
        let run = &text[start..end];
        if run.len() > LONGEST_RUN {
            return;
        }
        let dotted = text[..start].ends_with('.') && !text[..start - 1].ends_with(|c: char| class(c) != Class::Gap);
        let key = hash(run.as_bytes()) ^ u64::from(self.letters) ^ u64::from(dotted) << 1;
        let slot = key as usize & (self.seen.len() - 1);
        if self.seen[slot].run != key {
            self.seen[slot] = self.analyse(run);
            self.seen[slot].run = key;
        }
        let word = &self.seen[slot];
        if word.stop {
            return;
        }
        let (start, end) = (start_of_word as u32, end_of_word as u32);
        let term = |hash, role, level| Term { hash, role, level, start, end };
        out.push(term(word.main.hash, Role::Main, word.main.level));
        out.push(term(word.exact, Role::Exact, UNLISTED));
        let parts = &word.parts[..usize::from(word.count)];
        out.extend(parts.iter().map(|part| term(part.hash, Role::Part, part.level)));
    }

    fn analyse(&mut self, run: &str) -> Analysed {
        let stop = Analysed { stop: true, ..Analysed::default() };
        let mut word = run;
        fold_into(word, &mut self.lower);
        if self.lower.ends_with(b"#") || self.lower.ends_with(b"++") {
            let base = word.trim_end_matches(['+', '#']);
            if base.len() <= 2 {
                return whole(&self.lower);
            }
            word = base;
            fold_into(word, &mut self.lower);
        }
        if let [letter] = self.lower.as_slice()
            && !letter.is_ascii_digit()
        {
            // A capital by itself is a name (R, C, K); `a` and `I` are not.
            let name = self.letters || (run.as_bytes()[0].is_ascii_uppercase() && !matches!(letter, b'a' | b'i'));
            return if name { whole(&self.lower) } else { stop };
        }
        if self.lower.is_empty() || is_stop(&self.lower) {
            return stop;
        }
        let mut result = Analysed { exact: exact_hash(&self.lower), ..Analysed::default() };
        split(word, |piece| {
            let count = usize::from(result.count);
            if count < MOST_PARTS && piece.len() < word.len() {
                fold_into(piece, &mut self.part);
                if self.part.len() >= 2 && !self.part.iter().all(u8::is_ascii_digit) && !is_stop(&self.part) {
                    result.parts[count] = stemmed(&mut self.part);
                    result.count += 1;
                }
            }
        });
        result.main = stemmed(&mut self.lower);
        result
    }
}

fn whole(lower: &[u8]) -> Analysed {
    let hash = hash(lower);
    let main = Piece { hash, level: background::level(hash).unwrap_or(UNLISTED) };
    Analysed { main, exact: exact_hash(lower), ..Analysed::default() }
}

fn stemmed(lower: &mut Vec<u8>) -> Piece {
    let root = if lower.is_ascii() { stem::stem(lower) } else { None };
    let hash = hash(lower);
    let listed = background::level(hash).or_else(|| background::level(self::hash(&lower[..root?])));
    Piece { hash, level: listed.unwrap_or(UNLISTED) }
}

fn fold_into(text: &str, out: &mut Vec<u8>) {
    out.clear();
    for c in text.chars() {
        fold(c, out);
    }
}

fn is_stop(lower: &[u8]) -> bool {
    STOP.binary_search_by(|word| word.as_bytes().cmp(lower)).is_ok()
}

/// The end of the run of one class that starts at `start`, marks included.
fn run_end(text: &str, start: usize, kind: Class) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < bytes.len() {
        if bytes[at].is_ascii() {
            if kind != Class::Word || !bytes[at].is_ascii_alphanumeric() {
                break;
            }
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        let next = class(c);
        let long_vowel = c == 'ー' && kind == Class::Hiragana;
        if next != kind && next != Class::Mark && !long_vowel {
            break;
        }
        at += c.len_utf8();
    }
    if kind == Class::Word {
        if text[at..].starts_with("++") {
            at += 2;
        } else if text[at..].starts_with('#') {
            at += 1;
        }
    }
    at
}

/// Calls `found` with the pieces of an identifier: `XMLHttpRequest2` is XML, Http, Request, 2.
fn split(word: &str, mut found: impl FnMut(&str)) {
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return;
    }
    let mut chars = word.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        let mut end = start + first.len_utf8();
        if first.is_numeric() {
            while let Some((i, c)) = chars.next_if(|(_, c)| c.is_numeric()) {
                end = i + c.len_utf8();
            }
        } else {
            let mut last_capital = start;
            let mut capitals = usize::from(first.is_uppercase());
            if capitals == 1 {
                while let Some((i, c)) = chars.next_if(|(_, c)| c.is_uppercase()) {
                    (last_capital, end) = (i, i + c.len_utf8());
                    capitals += 1;
                }
            }
            let lower_follows = chars.peek().is_some_and(|(_, c)| !c.is_numeric());
            if capitals > 1 && lower_follows {
                found(&word[start..last_capital]);
                let mut piece_end = end;
                while let Some((i, c)) = chars.next_if(|(_, c)| !c.is_numeric() && !c.is_uppercase()) {
                    piece_end = i + c.len_utf8();
                }
                found(&word[last_capital..piece_end]);
                continue;
            }
            while let Some((i, c)) = chars.next_if(|(_, c)| capitals <= 1 && !c.is_numeric() && !c.is_uppercase()) {
                end = i + c.len_utf8();
            }
        }
        found(&word[start..end]);
    }
}

fn plain_term(text: &[u8], role: Role, start: usize, len: usize) -> Term {
    let hash = hash(text);
    let level = background::level(hash).unwrap_or(UNLISTED);
    Term { hash, role, level, start: start as u32, end: (start + len) as u32 }
}

/// Pairs of neighbouring characters; a single character stands for itself.
fn pairs(run: &str, start: usize, role: Role, out: &mut Vec<Term>) {
    let mut before: Option<(usize, usize)> = None;
    let mut found = false;
    for (i, c) in run.char_indices() {
        let end = i + c.len_utf8();
        if let Some((first, _)) = before {
            out.push(plain_term(&run.as_bytes()[first..end], role, start + first, end - first));
            found = true;
        }
        before = Some((i, end));
    }
    if !found && role == Role::Main {
        out.push(plain_term(run.as_bytes(), role, start, run.len()));
    }
}

fn singles(run: &str, start: usize, out: &mut Vec<Term>) {
    if run.chars().nth(1).is_some() {
        for (i, c) in run.char_indices() {
            out.push(plain_term(&run.as_bytes()[i..i + c.len_utf8()], Role::Part, start + i, c.len_utf8()));
        }
    }
}

/// A katakana word; a long vowel at its end is a matter of house style.
fn katakana(run: &str, start: usize, out: &mut Vec<Term>) {
    let base = if run.chars().nth(2).is_some() { run.trim_end_matches('ー') } else { run };
    out.push(plain_term(base.as_bytes(), Role::Main, start, run.len()));
    let exact = Term { hash: exact_hash(run.as_bytes()), role: Role::Exact, level: UNLISTED, start: 0, end: 0 };
    out.push(Term { start: start as u32, end: (start + run.len()) as u32, ..exact });
}
