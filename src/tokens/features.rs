//! The features of the token estimate: one pass over a text that names each piece which a byte-pair tokenizer's first
//! step would cut (words, numbers, punctuation, white space), its length, and its neighbours.

use super::symbols::{CLASSES, CYRILLIC, GROUPS, HAN, LATIN, Symbol, group, symbol};

const LENGTHS: usize = 20;
const LEADS: usize = 6;
const PUNCT: usize = 37;
const RUNS: usize = 6;
const TRIPLES: usize = 1024;

const SHAPE: usize = 0;
const LEAD: usize = SHAPE + 4 * LENGTHS;
const FIRST: usize = LEAD + LEADS * 8;
const LAST: usize = FIRST + 4 * LATIN;
const CAPITAL: usize = LAST + LATIN;
const LONG: usize = CAPITAL + LATIN;
const CONTRACTION: usize = LONG + 1;
const CYRILLIC_SHAPE: usize = CONTRACTION + 1;
const CYRILLIC_LEAD: usize = CYRILLIC_SHAPE + 3 * LENGTHS;
const DIGITS: usize = CYRILLIC_LEAD + LEADS;
const PUNCT_RUN: usize = DIGITS + 3;
const SPACES: usize = PUNCT_RUN + 16;
const BREAKS: usize = SPACES + 3 * 20;
const INDENT: usize = BREAKS + 2 * 4;
const TABS: usize = INDENT + 3 * 20;
const RETURN: usize = TABS + 8;
const BLANK: usize = RETURN + 1;
const RUN: usize = BLANK + 1;
const CHAR: usize = RUN + CLASSES * 2 * RUNS;
const REPEAT: usize = CHAR + CLASSES;
const GROUP: usize = REPEAT + CLASSES;

/// Number of features that need an exact price; pairs and triples follow, whose prices are small and rounded to one byte.
pub(crate) const FINE: usize = GROUP + GROUPS;
const PAIR: usize = FINE;
const TRIPLE: usize = PAIR + LATIN * LATIN;
const CYRILLIC_PAIR: usize = TRIPLE + TRIPLES;
const PUNCT_PAIR: usize = CYRILLIC_PAIR + (CYRILLIC + 1) * CYRILLIC;

const CYRILLIC_TRIPLE: usize = PUNCT_PAIR + PUNCT * PUNCT;
const SCRIPT_PAIR: usize = CYRILLIC_TRIPLE + TRIPLES;
const SCRIPT_PAIRS: usize = 2048;

/// Number of features.
pub(crate) const FEATURES: usize = SCRIPT_PAIR + SCRIPT_PAIRS;

/// What stands before a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Space,
    Line,
    Punct,
    Digit,
    Lower,
    Other,
}

/// Calls `emit` with the number of each feature of `text`, as often as it occurs. Linear in the length.
///
/// The features of two texts add up to those of the joined text where the first ends with a line break and the second
/// begins with a line that isn't blank.
pub(crate) fn features(text: &str, emit: &mut impl FnMut(usize), end: &mut impl FnMut(&str)) {
    let mut rest = text;
    let mut before = Before::Line;
    while let Some(c) = rest.chars().next() {
        let first = symbol(c);
        let length = match first {
            Symbol::Latin(..) | Symbol::Cyrillic(..) => word_length(rest),
            _ => run_length(rest, first),
        };
        let (piece, after) = rest.split_at(length);
        before = match first {
            Symbol::Latin(..) => latin(piece, before, emit),
            Symbol::Cyrillic(..) => cyrillic(piece, before, emit),
            Symbol::Digit => digits(piece, emit),
            Symbol::Space | Symbol::Tab | Symbol::Break => white(piece, before, after, emit),
            Symbol::Punct(_) => punctuation(piece, before, after, emit),
            Symbol::Class(class) => script(piece, class as usize, before, emit),
        };
        end(piece);
        rest = after;
    }
}

/// Length of the letters of one script up to a change from lower to upper case.
fn word_length(text: &str) -> usize {
    let mut lower = false;
    let mut cyrillic = None;
    for (at, c) in text.char_indices() {
        let (is_cyrillic, upper) = match symbol(c) {
            Symbol::Latin(_, upper) => (false, upper),
            Symbol::Cyrillic(_, upper) => (true, upper),
            _ => return at,
        };
        if *cyrillic.get_or_insert(is_cyrillic) != is_cyrillic || lower && upper {
            return at;
        }
        lower = !upper;
    }
    text.len()
}

fn run_length(text: &str, first: Symbol) -> usize {
    let same = |c: char| match (first, symbol(c)) {
        (Symbol::Punct(_), Symbol::Punct(_)) => true,
        (Symbol::Space | Symbol::Tab | Symbol::Break, next) => {
            matches!(next, Symbol::Space | Symbol::Tab | Symbol::Break)
        }
        (first, next) => first == next,
    };
    text.find(|c| !same(c)).unwrap_or(text.len())
}

/// 0 lower, 1 capitalised, 2 upper, 3 capitals and then lower letters.
fn case(first: bool, second: bool, last: bool, length: usize) -> usize {
    match (first, second, last) {
        (false, ..) => 0,
        (true, _, true) if length > 1 => 2,
        (true, true, false) => 3,
        _ => 1,
    }
}

fn latin(word: &str, before: Before, emit: &mut impl FnMut(usize)) -> Before {
    let letter = |c: char| match symbol(c) {
        Symbol::Latin(letter, upper) => (letter as usize, upper),
        _ => (LATIN - 1, false),
    };
    let (mut length, mut previous, mut older, mut second_upper, mut last) = (0, LATIN, LATIN, false, (0, false));
    let first = word.chars().next().map_or((0, false), letter);
    for c in word.chars() {
        last = letter(c);
        second_upper |= length == 1 && last.1;
        if last.1 && length > 0 {
            emit(CAPITAL + last.0);
        }
        if length > 0 {
            emit(PAIR + previous * LATIN + last.0);
            emit(TRIPLE + triple(older, previous, last.0));
        }
        (older, previous) = (previous, last.0);
        length += 1;
    }
    emit(TRIPLE + triple(older, previous, LATIN));
    emit(LAST + last.0);
    let case = case(first.1, second_upper, last.1, length);
    emit(FIRST + (usize::from(before == Before::Space) * 2 + usize::from(first.1)) * LATIN + first.0);
    emit(SHAPE + case * LENGTHS + length.min(LENGTHS) - 1);
    emit(LEAD + before as usize * 8 + length.min(8) - 1);
    for _ in LENGTHS..length {
        emit(LONG);
    }
    if before == Before::Punct && matches!(word, "s" | "t" | "re" | "ve" | "m" | "ll" | "d") {
        emit(CONTRACTION);
    }
    if last.1 { Before::Other } else { Before::Lower }
}

/// Three neighbouring letters, in fewer places than there are such triples.
fn triple(a: usize, b: usize, c: usize) -> usize {
    spread(((a * 40 + b) * 40 + c) as u32) % TRIPLES
}

fn spread(key: u32) -> usize {
    (key.wrapping_mul(0x9E37_79B1) >> 16) as usize
}

fn cyrillic(word: &str, before: Before, emit: &mut impl FnMut(usize)) -> Before {
    let (mut length, mut older, mut previous, mut capitals) = (0, CYRILLIC, CYRILLIC, 0);
    for c in word.chars() {
        if let Symbol::Cyrillic(letter, upper) = symbol(c) {
            emit(CYRILLIC_PAIR + previous * CYRILLIC + letter as usize);
            emit(CYRILLIC_TRIPLE + triple(older, previous, letter as usize));
            (older, previous) = (previous, letter as usize);
            capitals += usize::from(upper);
            length += 1;
        }
    }
    emit(CYRILLIC_TRIPLE + triple(older, previous, CYRILLIC));
    emit(CYRILLIC_SHAPE + capitals.min(2) * LENGTHS + length.clamp(1, LENGTHS) - 1);
    emit(CYRILLIC_LEAD + before as usize);
    for _ in LENGTHS..length {
        emit(LONG);
    }
    if capitals == length { Before::Other } else { Before::Lower }
}

/// Both tokenizers cut numbers by three digits.
fn digits(number: &str, emit: &mut impl FnMut(usize)) -> Before {
    for _ in 0..number.len() / 3 {
        emit(DIGITS);
    }
    let rest = number.len() % 3;
    if rest > 0 {
        emit(DIGITS + rest);
    }
    Before::Digit
}

/// What follows white space: 0 a word or sign that takes the last space with it, 1 a digit, 2 nothing.
fn follower(after: &str) -> usize {
    match after.chars().next().map(symbol) {
        Some(Symbol::Digit) => 1,
        Some(_) => 0,
        None => 2,
    }
}

fn white(run: &str, before: Before, after: &str, emit: &mut impl FnMut(usize)) -> Before {
    let next = follower(after);
    let tail = match run.rfind(['\n', '\r']) {
        None => run,
        Some(at) => {
            let head = &run[..=at];
            let breaks = head.matches('\n').count().clamp(1, 4);
            emit(BREAKS + usize::from(before == Before::Punct) * 4 + breaks - 1);
            if head.contains('\r') {
                emit(RETURN);
            }
            if head.contains([' ', '\t']) {
                emit(BLANK);
            }
            &run[at + 1..]
        }
    };
    if tail.is_empty() {
        return Before::Line;
    }
    let tabs = tail.matches('\t').count();
    if tabs > 0 {
        emit(TABS + tabs.min(8) - 1);
    }
    let spaces = tail.len() - tabs;
    let table = if tail.len() < run.len() || before == Before::Line { INDENT } else { SPACES };
    if spaces > 0 {
        emit(table + next * 20 + spaces.min(20) - 1);
    }
    if tail.ends_with(' ') { Before::Space } else { Before::Other }
}

fn punctuation(run: &str, before: Before, after: &str, emit: &mut impl FnMut(usize)) -> Before {
    let mut left = match before {
        Before::Space => 32,
        Before::Line => 33,
        Before::Digit => 34,
        Before::Lower => 35,
        Before::Punct | Before::Other => 36,
    };
    for c in run.chars() {
        if let Symbol::Punct(sign) = symbol(c) {
            emit(PUNCT_PAIR + left * PUNCT + sign as usize);
            left = sign as usize;
        }
    }
    let right = match after.chars().next().map(symbol) {
        Some(Symbol::Space | Symbol::Tab) => 32,
        None | Some(Symbol::Break) => 33,
        Some(Symbol::Digit) => 34,
        Some(Symbol::Latin(..) | Symbol::Cyrillic(..)) => 35,
        _ => 36,
    };
    emit(PUNCT_PAIR + left * PUNCT + right);
    emit(PUNCT_RUN + run.len().min(16) - 1);
    for _ in 16..run.len() {
        emit(LONG);
    }
    Before::Punct
}

fn script(run: &str, class: usize, before: Before, emit: &mut impl FnMut(usize)) -> Before {
    let (mut length, mut previous) = (0, None);
    for c in run.chars() {
        emit(CHAR + class);
        if let Some(group) = group(c as u32) {
            emit(GROUP + group);
        }
        if previous == Some(c) {
            emit(REPEAT + class);
        }
        if class != HAN {
            let key = (previous.map_or(0, u32::from) << 9) ^ u32::from(c);
            emit(SCRIPT_PAIR + spread(key) % SCRIPT_PAIRS);
        }
        previous = Some(c);
        length += 1;
    }
    let spaced = usize::from(before == Before::Space);
    emit(RUN + (class * 2 + spaced) * RUNS + length.clamp(1, RUNS) - 1);
    Before::Other
}
