//! Where a long body may be cut: before a heading, else between paragraphs, else lines, words, characters.

/// The best place to cut at or before `most`, in bytes; more than 0 wherever `text` has a character that fits.
/// A better kind of place counts only in the second half, so that a part is never needlessly short.
pub(crate) fn cut(text: &str, most: usize) -> usize {
    if most >= text.len() {
        return text.len();
    }
    let places = places(text, most);
    let late = places.into_iter().find(|place| *place * 2 > most);
    late.unwrap_or_else(|| before_joined(text, most))
}

/// The last place of each kind up to `most`, the best kind first; 0 for none.
fn places(text: &str, most: usize) -> [usize; 4] {
    let [mut heading, mut paragraph, mut line_end, mut word] = [0; 4];
    let mut fence: Option<&str> = None;
    let mut after_blank = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > most {
            break;
        }
        let trimmed = line.trim();
        line_end = at;
        if fence.is_none() && is_heading(trimmed) {
            heading = at;
        }
        if fence.is_none() && after_blank && !trimmed.is_empty() {
            paragraph = at;
        }
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        fence = match (fence, mark) {
            (None, mark) => mark,
            (Some(open), Some(mark)) if open == mark => None,
            (open, _) => open,
        };
        after_blank = trimmed.is_empty();
        at += line.len();
    }
    let head = &text[..floor(text, most)];
    if let Some((at, space)) = head.char_indices().rev().find(|(_, c)| c.is_whitespace()) {
        word = at + space.len_utf8();
    }
    [heading, paragraph, line_end, word]
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    rest.len() < line.len() && line.len() - rest.len() <= 6 && rest.starts_with(' ')
}

/// The last character boundary up to `most`.
pub(crate) fn floor(text: &str, most: usize) -> usize {
    let mut at = most.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// As [`floor`], and not between characters that show as one.
fn before_joined(text: &str, most: usize) -> usize {
    let end = floor(text, most);
    let mut at = end;
    // No visible character has more parts; a longer run is cut anywhere.
    for _ in 0..16 {
        let joined = text[at..].chars().next().is_some_and(is_joined) || text[..at].ends_with('\u{200D}');
        match text[..at].chars().next_back() {
            Some(c) if joined => at -= c.len_utf8(),
            _ => break,
        }
    }
    if at == 0 { end } else { at }
}

/// Marks, selectors and skin tones: they change the character before.
fn is_joined(c: char) -> bool {
    matches!(u32::from(c),
        0x0300..=0x036F | 0x200D | 0x20D0..=0x20FF | 0xFE00..=0xFE0F | 0xFE20..=0xFE2F | 0x1F3FB..=0x1F3FF
        | 0x3099..=0x309A | 0x0591..=0x05BD | 0x064B..=0x065F | 0x0900..=0x0903 | 0x093A..=0x094F
        | 0x0E31 | 0x0E34..=0x0E3A | 0x0E47..=0x0E4E)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_come_before_paragraphs_before_lines_before_words() {
        let text = "intro line\n\n# One\ntext one\n\nmore\n\n# Two\nrest";
        let at = |most: usize| &text[cut(text, most)..];
        assert_eq!(at(text.len() - 6), "# Two\nrest");
        assert_eq!(at(text.find("more").expect("more") + 2), "more\n\n# Two\nrest");
        assert_eq!(&"a b\n\nc d e"[cut("a b\n\nc d e", 8)..], "c d e");
        assert_eq!(&"one two three"[cut("one two three", 11)..], "three");
        assert_eq!(cut("abc", 3), 3);
    }

    #[test]
    fn a_fence_is_no_place_for_headings() {
        let text = "start of it\n```\n# not a heading\n```\nend of the text";
        assert_eq!(&text[cut(text, 30)..], "# not a heading\n```\nend of the text", "a line, for want of better");
        assert_eq!(&text[cut(text, 34)..], "```\nend of the text");
    }

    #[test]
    fn never_inside_a_character() {
        for text in ["日本語日本語", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "e\u{301}e\u{301}e\u{301}", "\u{301}\u{301}"]
        {
            for most in 0..=text.len() {
                let at = cut(text, most);
                assert!(text.is_char_boundary(at) && at <= most, "{text} {most} {at}");
            }
        }
        let family = "👨‍👩‍👧";
        assert_eq!(cut(&format!("ab{family}"), 9), 2);
    }
}
