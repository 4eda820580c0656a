//! A skill as passages of text: which field each belongs to, and which of them say what the skill is not for.

use crate::limits::MAX_INDEXED_BYTES;
use crate::phrases::Phrases;
use crate::skill::Skill;

/// Where a term stands in a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Field {
    Name,
    Description,
    WhenToUse,
    Triggers,
    Tags,
    Examples,
    Prose,
    Code,
}

/// Number of fields.
pub(crate) const FIELDS: usize = 8;

impl Field {
    /// All fields.
    pub(crate) const ALL: [Self; FIELDS] = [
        Self::Name,
        Self::Description,
        Self::WhenToUse,
        Self::Triggers,
        Self::Tags,
        Self::Examples,
        Self::Prose,
        Self::Code,
    ];

    /// How a field is called in evidence.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::WhenToUse => "when_to_use",
            Self::Triggers => "triggers",
            Self::Tags => "tags",
            Self::Examples => "examples",
            Self::Prose | Self::Code => "instructions",
        }
    }
}

/// A piece of a skill's text. Neighbouring words are a pair only inside one passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Passage<'a> {
    pub(crate) field: Field,
    pub(crate) text: &'a str,
    /// Names what the skill is not for.
    pub(crate) excluded: bool,
}

/// Characters of a body that are read.
pub(crate) const BODY_CHARS: usize = 20_000;

/// Calls `with` for every passage of a skill.
pub(crate) fn passages<'a>(skill: &'a Skill, mut each: impl FnMut(Passage<'a>)) {
    let mut left = MAX_INDEXED_BYTES;
    let mut with = |passage: Passage<'a>| {
        let of = passage.text;
        let end = (0..=of.len().min(left)).rev().find(|&end| of.is_char_boundary(end)).unwrap_or(0);
        left -= end;
        each(Passage { text: &of[..end], ..passage });
    };
    with(Passage { field: Field::Name, text: &skill.name, excluded: false });
    sentences(Field::Description, &skill.description, &mut with);
    sentences(Field::WhenToUse, &skill.when_to_use, &mut with);
    let details = skill.details();
    let mut plain = |field, text: &'a str| with(Passage { field, text, excluded: false });
    details.triggers.iter().for_each(|text| plain(Field::Triggers, text));
    details.tags.iter().chain(&details.category).for_each(|text| plain(Field::Tags, text));
    details.examples.iter().for_each(|example| plain(Field::Examples, &example.user_input));
    details.evaluation_cases.iter().for_each(|case| plain(Field::Examples, &case.input));
    if let Some(text) = skill.instructions.as_deref() {
        body(text, &mut each);
    }
}

fn body<'a>(text: &'a str, with: &mut impl FnMut(Passage<'a>)) {
    let end = text.char_indices().nth(BODY_CHARS).map_or(text.len(), |(i, _)| i);
    let mut inside = false;
    let mut start = 0;
    let mut at = 0;
    let text = &text[..end];
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            let field = if inside { Field::Code } else { Field::Prose };
            with(Passage { field, text: &text[start..at], excluded: false });
            inside = !inside;
            start = at + line.len();
        }
        at += line.len();
    }
    let field = if inside { Field::Code } else { Field::Prose };
    with(Passage { field, text: &text[start..], excluded: false });
}

/// Splits a description at the places where it turns to what the skill is not for.
fn sentences<'a>(field: Field, text: &'a str, with: &mut impl FnMut(Passage<'a>)) {
    let mut positive = 0;
    let mut at = 0;
    while at < text.len() {
        let end = at + sentence_end(&text[at..]);
        let sentence = &text[at..end];
        if let Some((from, to)) = exclusion(sentence) {
            with(Passage { field, text: &text[positive..at + from], excluded: false });
            with(Passage { field, text: &text[at + from..at + to], excluded: true });
            positive = at + to;
        }
        at = end;
    }
    with(Passage { field, text: &text[positive..], excluded: false });
}

fn sentence_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match (byte, bytes.get(at + 1..at + 3)) {
            (b'\n', _) => return at + 1,
            (b'.' | b'!' | b'?' | b';', _) if text[at + 1..].chars().next().is_none_or(char::is_whitespace) => {
                return at + 1;
            }
            // The full stop of Chinese and Japanese, and ！ ？ ；
            (0xE3, Some([0x80, 0x82])) | (0xEF, Some([0xBC, 0x81 | 0x9F | 0x9B])) => return at + 3,
            _ => {}
        }
    }
    text.len()
}

/// Phrases that open an exclusion, in lower case.
static OPENERS: Phrases = Phrases::new(&[
    "avoid using",
    "avoid for",
    "do not use",
    "don't use",
    "don’t use",
    "do not trigger",
    "do not invoke",
    "do not activate",
    "not for",
    "never use",
    "not intended for",
    "not suitable for",
    "not meant for",
    "not when",
    "not to be used",
    "should not be used",
    "should not use",
    "skip for",
    "skip when",
    "skip if",
    "ではなく",
    "不要用于",
    "不适用",
    "不用于",
    "不要使用",
    "使用しない",
    "请勿",
]);

/// Words after which a sentence is positive again.
const CLOSERS: &[&str] = &[")", ", but ", " but use ", "）"];

/// The part of a sentence that says what the skill is not for, as a byte range.
fn exclusion(sentence: &str) -> Option<(usize, usize)> {
    let from = opener(sentence)?;
    let rest = &sentence[from..];
    let close = CLOSERS.iter().filter_map(|closer| rest.find(closer)).min();
    Some((from, close.map_or(sentence.len(), |close| from + close)))
}

/// First place where an exclusion opens, at the start of a word, without regard to ASCII case.
fn opener(sentence: &str) -> Option<usize> {
    let bytes = sentence.as_bytes();
    let mut in_word = false;
    for (at, &byte) in bytes.iter().enumerate() {
        let starts = !in_word;
        in_word = byte.is_ascii_alphanumeric();
        if !starts && byte.is_ascii() {
            continue;
        }
        let opens = |phrase: &&str| {
            let wanted = phrase.as_bytes();
            let next = bytes.get(at + wanted.len());
            bytes[at..].get(..wanted.len()).is_some_and(|found| found.eq_ignore_ascii_case(wanted))
                && (!byte.is_ascii() || next.is_none_or(|next| !next.is_ascii_alphanumeric()))
        };
        if OPENERS.with_first(byte.to_ascii_lowercase()).iter().any(opens) {
            return Some(at);
        }
    }
    None
}
