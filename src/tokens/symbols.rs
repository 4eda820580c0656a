//! What kind of character each character is, as the tokenizers' first step sees it.

/// Letters of an alphabet in one symbol table: a to z, German extras, other Latin-1, other Latin.
pub(crate) const LATIN: usize = 29;
/// а to я, and all other Cyrillic letters.
pub(crate) const CYRILLIC: usize = 33;
/// Class of Chinese characters; there are too many for pairs to say something.
pub(crate) const HAN: usize = 0;
/// Number of classes that `class` gives.
pub(crate) const CLASSES: usize = 50;
/// Class of the control characters.
const CONTROL: u8 = 48;

/// One character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// Latin letter and whether it is upper case.
    Latin(u8, bool),
    /// Cyrillic letter and whether it is upper case.
    Cyrillic(u8, bool),
    Digit,
    Space,
    Tab,
    Break,
    /// One of the 32 ASCII punctuation characters.
    Punct(u8),
    /// Any other character, by class.
    Class(u8),
}

/// Of most texts nearly all characters are looked up here.
static ASCII: [Symbol; 128] = {
    let mut table = [Symbol::Class(0); 128];
    let mut at = 0;
    while at < table.len() {
        table[at] = ascii(at as u8 as char);
        at += 1;
    }
    table
};

#[inline]
pub(crate) fn symbol(c: char) -> Symbol {
    ASCII.get(c as usize).copied().unwrap_or_else(|| beyond_ascii(c))
}

const fn ascii(c: char) -> Symbol {
    match c {
        'a'..='z' => Symbol::Latin(c as u8 - b'a', false),
        'A'..='Z' => Symbol::Latin(c as u8 - b'A', true),
        '0'..='9' => Symbol::Digit,
        ' ' => Symbol::Space,
        '\n' | '\r' => Symbol::Break,
        '\t' => Symbol::Tab,
        '!'..='/' => Symbol::Punct(c as u8 - b'!'),
        ':'..='@' => Symbol::Punct(c as u8 - b':' + 15),
        '['..='`' => Symbol::Punct(c as u8 - b'[' + 22),
        '{'..='~' => Symbol::Punct(c as u8 - b'{' + 28),
        _ => Symbol::Class(CONTROL),
    }
}

fn beyond_ascii(c: char) -> Symbol {
    match c {
        'ä' | 'ö' | 'ü' | 'ß' => Symbol::Latin(26, false),
        'Ä' | 'Ö' | 'Ü' => Symbol::Latin(26, true),
        'À'..='ÿ' if c != '×' && c != '÷' => Symbol::Latin(27, c <= 'Þ'),
        'Ā'..='ɏ' | 'Ḁ'..='ỿ' => Symbol::Latin(28, c.is_uppercase()),
        'А'..='Я' => Symbol::Cyrillic((c as u32 - 'А' as u32) as u8, true),
        'а'..='я' => Symbol::Cyrillic((c as u32 - 'а' as u32) as u8, false),
        'Ѐ'..='ӿ' => Symbol::Cyrillic(32, c.is_uppercase()),
        _ => Symbol::Class(class(c as u32)),
    }
}

/// Last code point and class, in order; what lies beyond the end is class 46.
const RANGES: [(u32, u8); 88] = [
    (0x9F, CONTROL),
    (0xBF, 49),
    (0x24F, 49),
    (0x2FF, 27),
    (0x36F, 28),
    (0x3FF, 23),
    (0x52F, 47),
    (0x58F, 24),
    (0x5FF, 25),
    (0x6FF, 26),
    (0x74F, 47),
    (0x77F, 26),
    (0x8FF, 47),
    (0x97F, 5),
    (0x9FF, 6),
    (0xA7F, 7),
    (0xAFF, 8),
    (0xB7F, 9),
    (0xBFF, 10),
    (0xC7F, 11),
    (0xCFF, 12),
    (0xD7F, 13),
    (0xDFF, 14),
    (0xE7F, 15),
    (0xEFF, 16),
    (0xFFF, 17),
    (0x109F, 18),
    (0x10FF, 19),
    (0x11FF, 4),
    (0x139F, 20),
    (0x177F, 47),
    (0x17FF, 21),
    (0x18AF, 22),
    (0x1AAF, 47),
    (0x1AFF, 28),
    (0x1DBF, 47),
    (0x1DFF, 28),
    (0x1EFF, 47),
    (0x1FFF, 23),
    (0x200A, 30),
    (0x200F, 30),
    (0x2027, 29),
    (0x202F, 30),
    (0x205F, 29),
    (0x206F, 30),
    (0x20CF, 31),
    (0x20FF, 28),
    (0x218F, 31),
    (0x21FF, 32),
    (0x22FF, 33),
    (0x23FF, 34),
    (0x24FF, 40),
    (0x25FF, 35),
    (0x27BF, 36),
    (0x2BFF, 37),
    (0x2E7F, 47),
    (0x2FFF, 0),
    (0x303F, 38),
    (0x309F, 1),
    (0x30FF, 2),
    (0x312F, 47),
    (0x318F, 4),
    (0x31EF, 47),
    (0x31FF, 2),
    (0x33FF, 40),
    (0x4DBF, 0),
    (0x4DFF, 37),
    (0x9FFF, 0),
    (0xABFF, 47),
    (0xD7AF, 3),
    (0xDFFF, 47),
    (0xF8FF, 45),
    (0xFAFF, 0),
    (0xFDFF, 26),
    (0xFE0F, 30),
    (0xFE2F, 28),
    (0xFE6F, 39),
    (0xFEFE, 26),
    (0xFEFF, 30),
    (0xFF65, 39),
    (0xFF9F, 2),
    (0xFFFF, 39),
    (0x1D3FF, 46),
    (0x1D7FF, 43),
    (0x1EFFF, 46),
    (0x1F1FF, 42),
    (0x1FAFF, 41),
    (0x1FFFF, 46),
];

fn class(c: u32) -> u8 {
    match c {
        // Of the other scripts' characters most are Chinese ones: first, and without a search.
        0x4E00..=0x9FFF | 0x20000..=0x3FFFF => HAN as u8,
        0xE0000..=0xE0FFF => 44,
        0x1F3FB..=0x1F3FF => 42,
        _ => RANGES.get(RANGES.partition_point(|&(last, _)| last < c)).map_or(46, |&(_, class)| class),
    }
}

/// First and last code point, and how many low bits make one group.
const GROUPED: [(u32, u32, u32); 17] = [
    (0xA0, 0xBF, 0),
    (0x370, 0x3FF, 0),
    (0x5D0, 0x5EF, 0),
    (0x600, 0x67F, 0),
    (0x900, 0x97F, 0),
    (0xE00, 0xE5F, 0),
    (0x2000, 0x203F, 0),
    (0x2190, 0x219F, 0),
    (0x2200, 0x22FF, 4),
    (0x2500, 0x25FF, 3),
    (0x2600, 0x27BF, 3),
    (0x3000, 0x301F, 0),
    (0x3040, 0x30FF, 0),
    (0x4E00, 0x9FFF, 6),
    (0xFF00, 0xFF5F, 2),
    (0x1F300, 0x1FAFF, 5),
    (0xAC00, 0xD7AF, 6),
];

/// The number of each range's first group, and of all groups.
const BASES: [usize; GROUPED.len() + 1] = {
    let mut bases = [0; GROUPED.len() + 1];
    let mut i = 0;
    while i < GROUPED.len() {
        let (first, last, shift) = GROUPED[i];
        bases[i + 1] = bases[i] + ((last - first) >> shift) as usize + 1;
        i += 1;
    }
    bases
};

/// Number of groups that `group` gives.
pub(crate) const GROUPS: usize = BASES[GROUPED.len()];

/// Small group of neighbouring code points within a class, for scripts where they differ much in price.
pub(crate) fn group(c: u32) -> Option<usize> {
    let inside = |at: usize| {
        let (first, last, shift) = GROUPED[at];
        (first..=last).contains(&c).then(|| BASES[at] + ((c - first) >> shift) as usize)
    };
    // The most frequent ones first.
    inside(CHINESE).or_else(|| (0..GROUPED.len()).take_while(|&at| GROUPED[at].0 <= c).find_map(inside))
}

/// Place of the Chinese characters in [`GROUPED`].
const CHINESE: usize = 13;
