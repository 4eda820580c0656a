//! What may stand in a prompt: characters removed, white space folded, hidden text found, identifiers normalised.

use std::borrow::Cow;
use std::sync::OnceLock;

/// Unicode normalisation form C. The wasm boundary sets the platform's own, so that no tables are shipped.
pub(crate) static NORMALIZE: OnceLock<fn(&str) -> String> = OnceLock::new();

/// `text` in normalisation form C.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    match NORMALIZE.get() {
        Some(normalize) => normalize(text).into(),
        None => platform_nfc(text),
    }
}

#[cfg(not(target_family = "wasm"))]
fn platform_nfc(text: &str) -> Cow<'_, str> {
    use unicode_normalization::UnicodeNormalization;
    text.nfc().collect::<String>().into()
}

#[cfg(target_family = "wasm")]
fn platform_nfc(text: &str) -> Cow<'_, str> {
    text.into()
}

/// The key under which two ids look alike: case, width, blanks, `-` and `_` folded away.
pub(crate) fn lookalike_key(id: &str) -> String {
    key_letters(id).collect()
}

/// Whether this is the id's [`lookalike_key`], without writing it.
pub(crate) fn has_key(id: &str, key: &str) -> bool {
    key_letters(id).eq(key.chars())
}

fn key_letters(id: &str) -> impl Iterator<Item = char> {
    let kept = id.chars().map(half_width).filter(|c| !matches!(c, '-' | '_') && !c.is_whitespace());
    kept.flat_map(char::to_lowercase)
}

fn half_width(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}

/// Characters that XML 1.0 forbids, or that are invisible and steer what a reader sees.
pub(crate) fn is_stripped(c: char) -> bool {
    let forbidden = matches!(c, '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}') && !matches!(c, '\t' | '\n' | '\r');
    let zero_width = matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}');
    let bidirectional = matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    forbidden || zero_width || bidirectional || is_tag(c)
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{E0000}'..='\u{E007F}')
}

/// The flags that Unicode recommends for interchange: England, Scotland, Wales.
const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];

/// Length in bytes of the tag sequence at the start of `after_flag` (the text behind U+1F3F4) where it is a known flag.
fn known_flag(after_flag: &str) -> usize {
    let mut name = String::new();
    for (at, c) in after_flag.char_indices().take(6) {
        match u32::from(c) {
            0xE007F => {
                return if FLAGS.contains(&name.as_str()) { at + c.len_utf8() } else { 0 };
            }
            code @ 0xE0020..=0xE007E => name.extend(char::from_u32(code - 0xE0000)),
            _ => return 0,
        }
    }
    0
}

/// `text` without stripped characters.
pub(crate) fn strip(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_stripped) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut keep_until = 0;
    for (at, c) in text.char_indices() {
        if c == '\u{1F3F4}' {
            let behind = at + c.len_utf8();
            keep_until = behind + known_flag(&text[behind..]);
        }
        if at < keep_until || !is_stripped(c) {
            out.push(c);
        }
    }
    out.into()
}

/// A body stripped, with every kind of line end as a line feed: a carriage return would have to be written as `&#13;`,
/// three tokens a line for nothing.
pub(crate) fn lines(body: &str) -> Cow<'_, str> {
    let body = strip(body);
    if body.contains('\r') { body.replace("\r\n", "\n").replace('\r', "\n").into() } else { body }
}

/// `text` stripped, with every run of white space as one space and none at the ends: one line, whatever it was.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    let text = strip(text);
    if is_folded(&text) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out.into()
}

fn is_folded(text: &str) -> bool {
    let mut after_space = true;
    for c in text.chars() {
        let space = c.is_whitespace();
        if space && (after_space || c != ' ') {
            return false;
        }
        after_space = space;
    }
    text.is_empty() || !after_space
}

/// What is hidden in `text`: the decoded tag characters and the names of bidirectional or zero-width controls.
pub(crate) fn hidden(text: &str) -> Option<String> {
    let stripped = strip(text);
    if stripped.len() == text.len() {
        return None;
    }
    let mut tags = String::new();
    let mut controls: Vec<String> = Vec::new();
    let mut kept = stripped.chars().peekable();
    for c in text.chars() {
        if kept.peek() == Some(&c) {
            kept.next();
        } else if is_tag(c) {
            tags.extend(char::from_u32(u32::from(c) - 0xE0000).filter(|c| !c.is_control()));
        } else if !c.is_control() {
            let name = format!("U+{:04X}", u32::from(c));
            if !controls.contains(&name) {
                controls.push(name);
            }
        }
    }
    match (tags.is_empty(), controls.is_empty()) {
        (true, true) => None,
        (true, false) => Some(controls.join(", ")),
        (false, true) => Some(format!("{tags:?}")),
        (false, false) => Some(format!("{tags:?} and {}", controls.join(", "))),
    }
}

/// Appends `text` escaped for element text: `&`, `<`, `>`.
pub(crate) fn push_text(out: &mut String, text: &str) {
    escape_into(out, text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\r' => Some("&#13;"),
        _ => None,
    });
}

/// Appends `text` escaped for an attribute in double quotes: also `"` and white-space controls.
pub(crate) fn push_attribute(out: &mut String, text: &str) {
    escape_into(out, text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        _ => None,
    });
}

fn escape_into(out: &mut String, text: &str, entity: impl Fn(char) -> Option<&'static str>) {
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if let Some(entity) = entity(c) {
            out.push_str(&text[start..at]);
            out.push_str(entity);
            start = at + c.len_utf8();
        }
    }
    out.push_str(&text[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_every_kind_of_line_break_into_one_space() {
        assert_eq!(fold(" a\r\n\tb\u{2028}c\u{85}d "), "a b c d");
        assert!(matches!(fold("a b"), Cow::Borrowed("a b")));
        assert_eq!(fold("\0\u{1}"), "");
    }

    #[test]
    fn a_body_keeps_its_lines_whatever_ends_them() {
        assert_eq!(lines("a\r\nb\rc\n\r\n\td\u{7}"), "a\nb\nc\n\n\td");
        assert!(matches!(lines("a\nb"), Cow::Borrowed("a\nb")));
    }

    #[test]
    fn strips_tag_text_but_keeps_known_flags() {
        let scotland = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";
        assert_eq!(strip(scotland), scotland);
        let fake = "\u{1F3F4}\u{E0068}\u{E0069}\u{E007F}";
        assert_eq!(strip(fake), "\u{1F3F4}");
        assert_eq!(hidden(fake).as_deref(), Some("\"hi\""));
        assert_eq!(hidden(scotland), None);
        assert_eq!(hidden("a\u{202E}b").as_deref(), Some("U+202E"));
    }

    #[test]
    fn keeps_joiners_of_emoji_and_persian() {
        let text = "👩\u{200D}💻 می\u{200C}خواهم";
        assert_eq!(fold(text), text);
    }

    #[test]
    fn escapes_once_for_each_position() {
        let mut out = String::new();
        push_text(&mut out, "a & \"b\" <c> 'd' &amp;");
        assert_eq!(out, "a &amp; \"b\" &lt;c&gt; 'd' &amp;amp;");
        out.clear();
        push_attribute(&mut out, "a \"b\"\n");
        assert_eq!(out, "a &quot;b&quot;&#10;");
    }
}
