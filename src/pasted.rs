//! Which parts of a message are the request, and which were pasted: code, logs, traces, quotations.

/// A stretch of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch<'a> {
    pub(crate) text: &'a str,
    pub(crate) pasted: bool,
}

/// Machine-like lines in a row that count as pasted.
const ROW: usize = 3;
/// A single machine-like line of this many bytes is pasted too.
const LONG_LINE: usize = 300;

/// The stretches of a message, in order.
pub(crate) fn stretches(text: &str) -> Vec<Stretch<'_>> {
    let mut lines: Vec<(&str, bool)> = Vec::new();
    let mut fence: Option<u8> = None;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"].iter().find(|mark| trimmed.starts_with(**mark)).map(|mark| mark.as_bytes()[0]);
        let inside = fence.is_some();
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(close)) if open == close => fence = None,
            _ => {}
        }
        lines.push((line, inside || mark.is_some()));
    }
    mark_rows(&mut lines);
    let mut found: Vec<Stretch<'_>> = Vec::new();
    let mut at = 0;
    let mut start = 0;
    for (i, (line, pasted)) in lines.iter().enumerate() {
        at += line.len();
        if lines.get(i + 1).is_none_or(|(_, next)| next != pasted) {
            found.push(Stretch { text: &text[start..at], pasted: *pasted });
            start = at;
        }
    }
    found
}

/// Marks rows of machine-like lines; blank lines inside a row belong to it.
fn mark_rows(lines: &mut [(&str, bool)]) {
    let mut at = 0;
    while at < lines.len() {
        let mut end = at;
        let mut machine = 0;
        let mut last = at;
        while end < lines.len() && !lines[end].1 {
            let line = lines[end].0.trim();
            if is_machine(line) {
                machine += 1;
                last = end + 1;
            } else if !line.is_empty() || machine == 0 {
                break;
            }
            end += 1;
        }
        let long = lines[at..last].iter().any(|(line, _)| line.len() >= LONG_LINE);
        if machine >= ROW || long {
            lines[at..last].iter_mut().for_each(|line| line.1 = true);
        }
        at = end.max(at + 1);
    }
}

/// Whether a line looks like it was written by a program, or quoted.
fn is_machine(line: &str) -> bool {
    const STARTS: [&str; 12] =
        ["at ", "File \"", "Traceback", "$ ", ">", "+++", "---", "@@", "Caused by", "npm ERR", "{", "}"];
    const LEVELS: [&str; 9] = ["ERROR", "WARN", "INFO", "DEBUG", "TRACE", "FATAL", "[error]", "[warn]", "[info]"];
    if line.is_empty() {
        return false;
    }
    if STARTS.iter().any(|start| line.starts_with(start)) {
        return true;
    }
    let head_end = line.char_indices().nth(48).map_or(line.len(), |(i, _)| i);
    if LEVELS.iter().any(|level| line[..head_end].contains(level)) {
        return true;
    }
    let (mut signs, mut all) = (0_usize, 0_usize);
    for byte in line.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        all += 1;
        signs += usize::from(byte.is_ascii_digit() || b"{}[]()<>=;:/\\|_\"#$&*+@~^".contains(&byte));
    }
    all >= 8 && signs * 10 >= all * 3
}
