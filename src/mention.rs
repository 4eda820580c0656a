//! Skills that the user names: `/name`, `$name`, `@name`, a hyphenated name, or a name beside the word skill.

use crate::rows::Rows;
use crate::skill::Skill;
use crate::terms::hash;

/// Names of skills for look-up: hash of the lower-case name or id, and position; ascending.
pub(crate) fn names(skills: &[Skill]) -> Rows<2> {
    let mut names = Vec::with_capacity(skills.len());
    for (skill, position) in skills.iter().zip(0_u32..) {
        names.push([key(&skill.id), position]);
        if skill.name != skill.id {
            names.push([key(&skill.name), position]);
        }
    }
    names.sort_unstable();
    names.into_iter().collect()
}

fn key(name: &str) -> u32 {
    (hash(name.to_lowercase().as_bytes()) >> 32) as u32
}

/// Characters of a name that is written without spaces around it, at most.
const LONGEST_JOINED: usize = 24;
/// Skills that one request can name.
const MOST_MENTIONS: usize = 64;
/// Words of a name that is written with spaces, at most.
const MOST_WORDS: usize = 4;

/// Skills that a request names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Named {
    /// Called for, in the order of their first mention.
    pub(crate) wanted: Vec<u32>,
    /// Turned down: `not pdf-fill`.
    pub(crate) refused: Vec<u32>,
}

/// How the words before a bare name take it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Calls,
    /// `I finished pdf-fill`: neither called for nor refused.
    Tells,
    Refuses,
}

/// Finds the skills that a request names.
pub(crate) fn mentions(request: &str, skills: &[Skill], names: &Rows<2>, found: &mut Named) {
    let words: Vec<&str> = request.split_whitespace().collect();
    for (i, word) in words.iter().enumerate() {
        let tone = tone(&words[i.saturating_sub(3)..i]);
        signed(word, tone, skills, names, found);
        if is_skill_word(bare(word)) && tone == Tone::Calls {
            beside(&words, i, skills, names, &mut found.wanted);
        }
        joined(word, skills, names, &mut found.wanted);
    }
}

fn tone(before: &[&str]) -> Tone {
    const REFUSE: [&str; 8] = ["not", "without", "don't", "dont", "never", "except", "avoid", "instead"];
    const TELL: [&str; 5] = ["finished", "completed", "used", "ran", "ignore"];
    let has =
        |words: &[&str]| before.iter().any(|word| words.iter().any(|known| bare(word).eq_ignore_ascii_case(known)));
    if has(&REFUSE) {
        Tone::Refuses
    } else if has(&TELL) {
        Tone::Tells
    } else {
        Tone::Calls
    }
}

/// Words before a bare name that make `NAME skill` a call for it.
fn introduces(word: &str) -> bool {
    const WORDS: [&str; 19] = [
        "the", "this", "that", "my", "our", "your", "use", "using", "with", "via", "run", "load", "start", "call",
        "invoke", "activate", "apply", "try", "per",
    ];
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// `/name`, `$name`, `@name`, `hyphenated-name` inside one word; never inside a path or address.
fn signed(word: &str, tone: Tone, skills: &[Skill], names: &Rows<2>, found: &mut Named) {
    let opened =
        word.trim_start_matches(['(', '[', '{', '"', '\'', '`', '*', '<', '“', '‘', '「', '（', ',', ';', ':']);
    let inner = opened.trim_start_matches(['/', '$', '@']);
    if opened.len() - inner.len() == 1 && add(bare(inner), skills, names, &mut found.wanted) {
        return;
    }
    if inner.contains(['/', '\\']) {
        return;
    }
    let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    let mut rest = opened;
    while let Some(start) = rest.find(in_name) {
        let run = &rest[start..];
        let end = run.find(|c| !in_name(c)).unwrap_or(run.len());
        let name = run[..end].trim_end_matches(['.', ':', '-', '_']);
        let mut before = rest[..start].chars().rev();
        let last = before.next();
        let sign = matches!(last, Some('/' | '$' | '@'));
        let outside = if sign { before.next() } else { last };
        // Words of scripts without spaces may touch a name; Latin letters and path signs may not.
        let alone = outside.is_none_or(|c| !matches!(c, '\\' | '~' | '/') && (!c.is_alphanumeric() || c > '\u{2fff}'));
        let written = |position: &u32| {
            skills.get(*position as usize).is_some_and(|skill| &*skill.name == name || &*skill.id == name)
        };
        let bare = name.contains('-') && !name.starts_with('-') && known(name, skills, names).iter().any(written);
        let target = match tone {
            _ if alone && sign => Some(&mut found.wanted),
            Tone::Calls if alone && bare => Some(&mut found.wanted),
            Tone::Refuses if alone && bare => Some(&mut found.refused),
            _ => None,
        };
        if let Some(target) = target {
            add(name, skills, names, target);
        }
        rest = &run[end..];
    }
}

/// A name directly before the word skill, or after it with a sign that it is one.
fn beside(words: &[&str], at: usize, skills: &[Skill], names: &Rows<2>, found: &mut Vec<u32>) {
    let quoted = |word: &str| word.starts_with(['"', '\'', '`', '“', '‘', '「', '*']);
    let called = words.get(at + 1).is_some_and(|word| matches!(bare(word), "named" | "called"));
    let after = at + 1 + usize::from(called);
    let open = called || words[at].ends_with(':') || words.get(after).is_some_and(|word| quoted(word));
    for length in (1..=MOST_WORDS).rev() {
        let before = at
            .checked_sub(length)
            .filter(|&start| quoted(words[start]) || start == 0 || introduces(bare(words[start - 1])));
        let before = before.map(|start| &words[start..at]);
        let after = if open { words.get(after..after + length) } else { None };
        for words in [before, after].into_iter().flatten() {
            let words: Vec<&str> = words.iter().map(|word| bare(word)).collect();
            if [" ", "-", "_"].iter().any(|join| add(&words.join(join), skills, names, found)) {
                return;
            }
        }
    }
}

/// A name that touches the word for skill, where words have no spaces between them.
fn joined(word: &str, skills: &[Skill], names: &Rows<2>, found: &mut Vec<u32>) {
    let Some(end) = ["技能", "スキル", "스킬"].iter().find_map(|skill| word.find(skill)) else { return };
    let before = bare(&word[..end]);
    let starts = before.char_indices().map(|(i, _)| i).rev().take(LONGEST_JOINED).collect::<Vec<_>>();
    for start in starts.into_iter().rev() {
        if add(&before[start..], skills, names, found) {
            return;
        }
    }
}

/// A word without the punctuation around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_skill_word(word: &str) -> bool {
    ["skill", "skills"].iter().any(|skill| word.eq_ignore_ascii_case(skill))
        || matches!(word, "技能" | "スキル" | "스킬")
}

/// Names of one spelling, case aside, that are looked at: more would only be there to slow the look-up down.
const MOST_ALIKE: usize = 64;

/// The skills of this id or name, without regard to case: the one with exactly this id, and [`MOST_ALIKE`] others at most.
pub(crate) fn known(name: &str, skills: &[Skill], names: &Rows<2>) -> Vec<u32> {
    if name.is_empty() {
        return Vec::new();
    }
    let key = key(name);
    let lower = name.to_lowercase();
    let start = names.partition_point(|[other, _]| other < key);
    let same =
        (start..).map_while(|at| names.get(at)).take_while(|&[other, _]| other == key).map(|[_, position]| position);
    let is_named = |position: &u32| {
        let skill = skills.get(*position as usize);
        skill.is_some_and(|skill| skill.id.to_lowercase() == lower || skill.name.to_lowercase() == lower)
    };
    let mut found: Vec<u32> = same.take(MOST_ALIKE).filter(is_named).collect();
    if let Ok(exact) = skills.binary_search_by(|skill| (*skill.id).cmp(name))
        && found.len() >= MOST_ALIKE
        && !found.contains(&(exact as u32))
    {
        found.insert(0, exact as u32);
    }
    found
}

/// Adds the skills of this id or name; false when there is none.
fn add(name: &str, skills: &[Skill], names: &Rows<2>, found: &mut Vec<u32>) -> bool {
    let known = known(name, skills, names);
    for &position in &known {
        if found.len() < MOST_MENTIONS && !found.contains(&position) {
            found.push(position);
        }
    }
    !known.is_empty()
}
