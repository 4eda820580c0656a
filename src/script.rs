//! What a character is to a reader of words: its script where words need one, its lower-case form without accents.

/// How a run of characters becomes terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Letter or digit of a script that separates words.
    Word,
    /// Belongs to the word it stands in: combining marks, joiners.
    Mark,
    /// Chinese characters, in any language: pairs of neighbours are terms.
    Han,
    /// Japanese function words and endings.
    Hiragana,
    /// Japanese words of foreign origin.
    Katakana,
    /// Korean syllables: pairs of neighbours are terms.
    Hangul,
    /// Thai, Lao, Khmer, Burmese, Tibetan: letters without spaces between words.
    Spaceless,
    /// Separates terms.
    Gap,
}

/// The class of a character.
pub(crate) fn class(c: char) -> Class {
    let code = u32::from(c);
    match code {
        0..=0x7f => {
            if c.is_ascii_alphanumeric() {
                Class::Word
            } else {
                Class::Gap
            }
        }
        0xad
        | 0x300..=0x36f
        | 0x483..=0x489
        | 0x591..=0x5bd
        | 0x5bf..=0x5c7
        | 0x610..=0x61a
        | 0x640
        | 0x3099..=0x309a => Class::Mark,
        0x64b..=0x65f | 0x670 | 0x6d6..=0x6ed | 0x200b..=0x200d | 0x2060 | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f => {
            Class::Mark
        }
        0xe00..=0xeff | 0xf40..=0xfbc | 0x1000..=0x109f | 0x1780..=0x17dd if !sentence_sign(code) => Class::Spaceless,
        0x900..=0xdff if code & 0x7f != 0x64 && code & 0x7f != 0x65 && !c.is_alphanumeric() => Class::Mark,
        0x3041..=0x3096 | 0x309d..=0x309f => Class::Hiragana,
        0x30a1..=0x30fa | 0x30fc..=0x30ff | 0x31f0..=0x31ff | 0xff66..=0xff9f => Class::Katakana,
        0x3005..=0x3007 | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3fffd => Class::Han,
        0xac00..=0xd7a3 => Class::Hangul,
        _ if c.is_alphanumeric() => Class::Word,
        _ => Class::Gap,
    }
}

/// Punctuation and digits-like signs inside the blocks of scripts without spaces.
fn sentence_sign(code: u32) -> bool {
    matches!(code, 0xe2f | 0xe3f | 0xe46 | 0xe4f | 0xe5a..=0xe5b | 0xeaf | 0xec6 | 0x104a..=0x104f | 0x17d4..=0x17dc)
}

/// Base letters of U+00C0 to U+017F; `.` where the character stands for itself or for two letters.
const LATIN: &[u8; 192] = b"aaaaaa.ceeeeiiiidnooooo.ouuuuy..aaaaaa.ceeeeiiiidnooooo.ouuuuy.y\
aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkk.llllllllllnnnnnn...oooooo..rrrrrrsssssssstttttt\
uuuuuuuuuuuuwwyyyzzzzzzs";

/// Base letters of U+1EA0 to U+1EF9, one for each pair of upper and lower case.
const VIETNAMESE: &[u8; 45] = b"aaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyy";

/// Appends the character in lower case and without accents; nothing for a mark.
pub(crate) fn fold(c: char, out: &mut Vec<u8>) {
    let code = u32::from(c);
    match code {
        0..=0x7f => out.push(c.to_ascii_lowercase() as u8),
        0xc6 | 0xe6 => out.extend_from_slice(b"ae"),
        0xdf => out.extend_from_slice(b"ss"),
        0xde | 0xfe => out.extend_from_slice(b"th"),
        0x132 | 0x133 => out.extend_from_slice(b"ij"),
        0x152 | 0x153 => out.extend_from_slice(b"oe"),
        0xc0..=0x17f if LATIN[code as usize - 0xc0] != b'.' => out.push(LATIN[code as usize - 0xc0]),
        0x1a0 | 0x1a1 => out.push(b'o'),
        0x1af | 0x1b0 => out.push(b'u'),
        0x1ea0..=0x1ef9 => out.push(VIETNAMESE[(code as usize - 0x1ea0) / 2]),
        0xff01..=0xff5e => fold(char::from((code - 0xff01 + 0x21) as u8), out),
        _ if class(c) == Class::Mark => {
            // Vowel signs of Indian scripts are part of the spelling; accents and joiners are not.
            if (0x900..=0xdff).contains(&code) {
                push(c, out);
            }
        }
        _ => {
            let plain = plain(c);
            for lower in plain.to_lowercase() {
                if class(lower) != Class::Mark {
                    push(lower, out);
                }
            }
        }
    }
}

/// Letters of other scripts without their accents.
fn plain(c: char) -> char {
    match c {
        'ά' | 'Ά' => 'α',
        'έ' | 'Έ' => 'ε',
        'ή' | 'Ή' => 'η',
        'ί' | 'Ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' | 'Ό' => 'ο',
        'ύ' | 'Ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ώ' | 'Ώ' => 'ω',
        'ς' => 'σ',
        'ё' | 'Ё' => 'е',
        'й' | 'Й' => 'и',
        'ї' | 'Ї' => 'і',
        'أ' | 'إ' | 'آ' | 'ٱ' => 'ا',
        'ى' => 'ي',
        'ة' => 'ه',
        other => other,
    }
}

fn push(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}
