//! A shorter description: the sentence that says when to use the skill, cut at a sentence, else a word, else a character
//! as readers see it.

use crate::phrases::Phrases;

/// What ends a text that was cut.
const CUT: &str = "…";

/// Words that begin or mark the sentence that says when a skill applies, in lower case.
static WHEN: Phrases = Phrases::new(&[
    "activate",
    "applies when",
    "cuando",
    "einsetzen",
    "invoke when",
    "if the user",
    "kullan",
    "khi ",
    "lorsque",
    "nutze",
    "quand",
    "quando",
    "trigger",
    "use when",
    "use this",
    "use it",
    "use for",
    "used when",
    "used for",
    "utilise",
    "usa ",
    "use quando",
    "usare",
    "verwende",
    "whenever",
    "when the user",
    "when you",
    "when asked",
    "úsalo",
    "используй",
    "используйте",
    "применя",
    "когда",
    "عند",
    "استخدم",
    "जब",
    "उपयोग",
    "とき",
    "ときに",
    "使用此",
    "使用する",
    "当用户",
    "場合",
    "时使用",
    "時使用",
    "時に",
    "當用戶",
    "用于",
    "触发",
    "适用于",
    "適用於",
    "때 사용",
    "사용하",
]);

/// Description and, apart, when to use it (may be empty): the most important of it, no longer than `fits` says; `None` where
/// nothing was left out or nothing fits.
pub(crate) fn summary(description: &str, when_to_use: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    let (description, when_to_use) = (description.trim(), when_to_use.trim());
    let whole = if when_to_use.is_empty() || description.contains(when_to_use) {
        description.to_owned()
    } else {
        format!("{description} {when_to_use}").trim().to_owned()
    };
    if whole.is_empty() || fits(&whole) {
        return None;
    }
    let (first, when) = (sentences(description).next().unwrap_or(""), sentence_on_when(description, when_to_use));
    let both = format!("{first} {when}");
    let candidates = [if first == when { "" } else { both.trim() }, when, first];
    if let Some(best) = candidates.into_iter().find(|text| !text.is_empty() && *text != whole && fits(text)) {
        return Some(best.to_owned());
    }
    cut(if when.is_empty() { first } else { when }, fits)
}

/// The sentence that says when: of `when_to_use` the first, else the first of the description with a word for it.
fn sentence_on_when<'a>(description: &'a str, when_to_use: &'a str) -> &'a str {
    if let Some(first) = sentences(when_to_use).next() {
        return first;
    }
    sentences(description).find(|sentence| says_when(&sentence.to_lowercase())).unwrap_or("")
}

/// Whether one of [`WHEN`] stands in a text in lower case.
fn says_when(text: &str) -> bool {
    let text = text.as_bytes();
    text.iter()
        .enumerate()
        .any(|(at, &byte)| WHEN.with_first(byte).iter().any(|phrase| text[at..].starts_with(phrase.as_bytes())))
}

/// The sentences of a text, trimmed. A full stop counts where white space follows and no lower-case letter after it.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (sentence, after) = rest.split_at(sentence_end(rest));
        rest = after.trim_start();
        Some(sentence.trim_end())
    })
}

fn sentence_end(text: &str) -> usize {
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match c {
            '\n' | '。' | '！' | '？' | '।' => return end,
            '.' | '!' | '?' => {
                let after = &text[end..];
                let spaced = after.starts_with(char::is_whitespace);
                if spaced && !after.trim_start().starts_with(char::is_lowercase) {
                    return end;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// The longest beginning of `text` that fits with a sign that it was cut: at a word where that keeps most of it, else at a
/// visible character. `None` where not even one fits.
pub(crate) fn cut(text: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    let marked = |end: usize| format!("{}{CUT}", text[..end].trim_end_matches(|c: char| c.is_whitespace() || c == ','));
    let ends = visible_ends(text);
    let fitting = ends.partition_point(|&end| fits(&marked(end)));
    let end = *ends[..fitting].last()?;
    if end == text.len() {
        return Some(text.to_owned());
    }
    let word = text[..end].rfind(char::is_whitespace).filter(|at| *at * 2 > end);
    let inside_word = !text[end..].starts_with(char::is_whitespace);
    Some(marked(word.filter(|_| inside_word).unwrap_or(end)))
}

/// Where each visible character ends.
fn visible_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut flags = 0;
    let mut previous = None;
    for (at, c) in text.char_indices() {
        if previous.is_some_and(|previous| !joined(previous, c, flags)) {
            ends.push(at);
        }
        flags = if is_flag(c) { flags + 1 } else { 0 };
        previous = Some(c);
    }
    if previous.is_some() {
        ends.push(text.len());
    }
    ends
}

/// Whether two neighbours show as one character; `flags` counts the regional indicators up to the first of them.
fn joined(previous: char, next: char, flags: usize) -> bool {
    let hangul_open = matches!(previous, '\u{1100}'..='\u{11A7}' | '가'..='힣');
    is_mark(next)
        || previous == '\u{200D}'
        || (previous == '\r' && next == '\n')
        || (is_flag(previous) && is_flag(next) && flags % 2 == 1)
        || (hangul_open && matches!(next, '\u{1160}'..='\u{11FF}'))
        || (matches!(previous, '\u{1100}'..='\u{115F}') && matches!(next, '\u{1100}'..='\u{115F}' | '가'..='힣'))
        || (is_virama(previous) && matches!(next, '\u{900}'..='\u{DFF}'))
}

fn is_flag(c: char) -> bool {
    matches!(c, '\u{1F1E6}'..='\u{1F1FF}')
}

/// Signs of Indian scripts that tie two consonants.
fn is_virama(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{D7F}') && matches!(c as u32 & 0x7F, 0x4D)
}

/// Marks, selectors, skin tones and joiners, which change the character before.
fn is_mark(c: char) -> bool {
    match c as u32 {
        c @ 0x900..=0xDFF => matches!(c & 0x7F, 0..=3 | 0x3C | 0x3E..=0x4D | 0x51..=0x57 | 0x62..=0x63),
        c => matches!(c,
            0x0300..=0x036F | 0x0483..=0x0489 | 0x0591..=0x05BD | 0x05BF..=0x05C7 | 0x0610..=0x061A | 0x064B..=0x065F
            | 0x0670 | 0x06D6..=0x06DC | 0x06DF..=0x06E4 | 0x06E7..=0x06ED | 0x0E31 | 0x0E34..=0x0E3A | 0x0E47..=0x0E4E
            | 0x0EB1 | 0x0EB4..=0x0EBC | 0x0EC8..=0x0ECE | 0x0F71..=0x0F87 | 0x0F8D..=0x0FBC | 0x102B..=0x103E
            | 0x17B4..=0x17D3 | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x200C..=0x200D | 0x20D0..=0x20FF | 0x302A..=0x302F
            | 0x3099..=0x309A | 0xFE00..=0xFE0F | 0xFE20..=0xFE2F | 0x1F3FB..=0x1F3FF | 0xE0020..=0xE007F
            | 0xE0100..=0xE01EF),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shorter_than(most: usize) -> impl Fn(&str) -> bool {
        move |text| text.chars().count() <= most
    }

    #[test]
    fn keeps_the_sentence_that_says_when() {
        let text = "Draws bar and line charts from tables. It reads CSV, e.g. from a spreadsheet, and labels the axes. \
                    Use when the user asks for a plot. Never used for maps.";
        assert_eq!(
            summary(text, "", shorter_than(80)).as_deref(),
            Some("Draws bar and line charts from tables. Use when the user asks for a plot.")
        );
        assert_eq!(summary(text, "", shorter_than(40)).as_deref(), Some("Use when the user asks for a plot."));
        assert_eq!(summary(text, "", shorter_than(20)).as_deref(), Some("Use when the user…"));
        assert_eq!(summary(text, "", shorter_than(500)), None);
        assert_eq!(
            summary(text, "For a plot of a table.", shorter_than(25)).as_deref(),
            Some("For a plot of a table.")
        );
        let chinese = "根据表格绘制图表。支持折线图和柱状图。当用户需要数据图时使用。";
        assert_eq!(summary(chinese, "", shorter_than(14)).as_deref(), Some("当用户需要数据图时使用。"));
    }

    #[test]
    fn without_such_a_sentence_keeps_the_first() {
        let text = "Draws bar and line charts. Reads tables, and labels the axes of all of them.";
        assert_eq!(summary(text, "", shorter_than(30)).as_deref(), Some("Draws bar and line charts."));
        assert_eq!(summary(text, "", shorter_than(15)).as_deref(), Some("Draws bar and…"));
        assert_eq!(summary("", "", shorter_than(0)), None);
    }

    #[test]
    fn cuts_at_every_length_between_visible_characters() {
        let parts =
            ["a", "é", "中", "文", "😀", "👨‍👩‍👧", "e\u{301}", "→", "“", "🇩🇪", "🇯🇵", "👍🏽", "क्षि", "각", "\r\n", "ก็", "."];
        let text: String = parts.concat();
        let boundaries: Vec<usize> = parts
            .iter()
            .scan(0, |at, part| {
                *at += part.len();
                Some(*at)
            })
            .collect();
        assert_eq!(visible_ends(&text), boundaries);
        for most in 0..30 {
            if let Some(short) = cut(&text, shorter_than(most)) {
                assert!(short.chars().count() <= most);
                let kept = short.trim_end_matches(CUT).len();
                assert!(boundaries.iter().any(|&end| text[..end].trim_end().len() == kept), "{short:?}");
            }
        }
    }
}
