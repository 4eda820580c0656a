//! Arguments of a load, inserted into the body in one literal pass. What was inserted is never read again.

use crate::error::Error;
use crate::json::{FromJson, serde_read};
use crate::value::Value;

use std::borrow::Cow;
use std::collections::BTreeMap;

/// What the caller hands to a skill.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Arguments {
    /// Nothing: the body stays as it is, byte for byte.
    #[default]
    None,
    /// One text, as the user typed it.
    Text(String),
    /// One by one.
    List(Vec<String>),
    /// By name.
    Named(BTreeMap<String, String>),
}

impl FromJson for Arguments {
    /// Lenient: models send numbers and null where texts are meant.
    fn from_json(value: Value, _: &str) -> Result<Self, Error> {
        Ok(match value {
            Value::Null => Self::None,
            Value::Array(items) => Self::List(items.into_iter().map(scalar).collect()),
            Value::Object(fields) => {
                Self::Named(fields.into_iter().map(|(name, value)| (name, scalar(value))).collect())
            }
            value => Self::Text(scalar(value)),
        })
    }
}

serde_read!(Arguments);

fn scalar(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

impl Arguments {
    /// Whether there is nothing to insert.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::None => true,
            Self::Text(text) => text.is_empty(),
            Self::List(items) => items.is_empty(),
            Self::Named(fields) => fields.is_empty(),
        }
    }

    /// As one text: the text itself, the items with blanks between, or a line `name: value` for each.
    #[must_use]
    pub fn whole(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Text(text) => text.clone(),
            Self::List(items) => items.join(" "),
            Self::Named(fields) => {
                let lines: Vec<String> = fields.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                lines.join("\n")
            }
        }
    }

    /// One by one; named ones in the order of declaration.
    fn items(&self, declared: &[String]) -> Vec<Option<Cow<'_, str>>> {
        match self {
            Self::None => Vec::new(),
            Self::Text(text) => words(text).into_iter().map(|word| Some(word.into())).collect(),
            Self::List(items) => items.iter().map(|item| Some(item.as_str().into())).collect(),
            Self::Named(fields) => {
                declared.iter().map(|name| fields.get(name).map(|value| value.as_str().into())).collect()
            }
        }
    }
}

/// Words between white space; one that starts with a quote ends at the next such quote.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = matches!(first, '"' | '\'').then(|| rest[1..].find(first)).flatten();
        let word = match quoted {
            Some(length) => &rest[1..=length],
            None => rest.split(char::is_whitespace).next().unwrap_or(rest),
        };
        words.push(word);
        rest = rest[word.len() + if quoted.is_some() { 2 } else { 0 }..].trim_start();
    }
    words
}

/// Longest name of a declared argument that has places, in bytes.
const LONGEST_NAME: usize = 128;
/// Bytes that arguments can add to a body: one that repeats a place a thousand times can't make a long argument endless.
pub(crate) const MOST_INSERTED: usize = 16 << 20;

/// A body with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Substituted<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Whether every argument found a place.
    pub(crate) complete: bool,
}

/// Puts `arguments` in the places of `$ARGUMENTS`, `$ARGUMENTS[N]` (from 0) and the `declared` `$name`. A backslash
/// before such a place keeps it; a place without a value stays as written. `None` where they would add more than
/// [`MOST_INSERTED`].
pub(crate) fn substitute<'a>(body: &'a str, arguments: &Arguments, declared: &[String]) -> Option<Substituted<'a>> {
    if arguments.is_empty() {
        return Some(Substituted { text: body.into(), complete: true });
    }
    let places = Places::new(body, arguments, declared);
    let mut seen = vec![false; places.items.len()];
    let mut whole = false;
    let mut out = String::with_capacity(body.len());
    let mut copied = 0;
    for (at, _) in body.match_indices('$') {
        if at < copied {
            continue;
        }
        let Some((length, place)) = places.read(body, at) else { continue };
        if body[..at].ends_with('\\') {
            out.push_str(&body[copied..at - 1]);
            out.push_str(&body[at..at + length]);
        } else {
            out.push_str(&body[copied..at]);
            match place {
                Place::Whole => {
                    out.push_str(&places.whole);
                    whole = true;
                }
                Place::Item(number) => {
                    out.push_str(places.items[number].as_deref().unwrap_or_default());
                    seen[number] = true;
                }
            }
        }
        copied = at + length;
        if out.len() > body.len() + MOST_INSERTED {
            return None;
        }
    }
    out.push_str(&body[copied..]);
    let is_declared = |key: &String| places.names.binary_search_by(|(name, _)| (*name).cmp(key)).is_ok();
    let undeclared = matches!(arguments, Arguments::Named(fields) if !fields.keys().all(is_declared));
    let all = !undeclared && seen.iter().zip(&places.items).all(|(seen, item)| *seen || item.is_none());
    Some(Substituted { text: out.into(), complete: whole || all })
}

#[derive(Clone, Copy)]
enum Place {
    Whole,
    Item(usize),
}

struct Places<'a> {
    whole: String,
    items: Vec<Option<Cow<'a, str>>>,
    /// Declared names with their number, in code point order.
    names: Vec<(&'a str, usize)>,
    /// Code of the body; a number such as `$1` is the shell's there.
    code: Vec<std::ops::Range<usize>>,
}

impl<'a> Places<'a> {
    fn new(body: &str, arguments: &'a Arguments, declared: &'a [String]) -> Self {
        let mut names: Vec<(&str, usize)> =
            declared.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
        names.retain(|(name, _)| (1..=LONGEST_NAME).contains(&name.len()));
        names.sort_unstable();
        names.dedup_by_key(|(name, _)| *name);
        let numbered = names.iter().any(|(name, _)| is_number(name));
        let code = if numbered { code_ranges(body) } else { Vec::new() };
        Self { whole: arguments.whole(), items: arguments.items(declared), names, code }
    }

    /// The place that starts at `at`, where it has a value, with its length.
    fn read(&self, body: &str, at: usize) -> Option<(usize, Place)> {
        let rest = &body[at + 1..];
        if let Some(after) = rest.strip_prefix("ARGUMENTS")
            && !continues(after)
        {
            let length = "$ARGUMENTS".len();
            return match index(after) {
                Some((_, number)) if !self.has(number) => None,
                Some((brackets, number)) => Some((length + brackets, Place::Item(number))),
                None => Some((length, Place::Whole)),
            };
        }
        let (name, number) = self.longest(rest, |name, after| !continues(after) && self.may_stand(name, after, at))?;
        self.has(number).then_some((1 + name.len(), Place::Item(number)))
    }

    /// The longest declared name that `text` starts with and that is `good` with what follows it.
    fn longest(&self, text: &str, good: impl Fn(&str, &str) -> bool) -> Option<(&'a str, usize)> {
        let mut text_end = text.len();
        loop {
            // Of the names that are no greater than the text, only the greatest can be its longest beginning.
            let places = self.names.partition_point(|(name, _)| *name <= &text[..text_end]);
            let &(name, number) = self.names[..places].last()?;
            let common = common_start(name, &text[..text_end]);
            if common == name.len() && good(name, &text[common..]) {
                return Some((name, number));
            }
            // The next shorter beginning: less than what both have in common, or than the name itself.
            text_end = if common == name.len() { shorter(text, common)? } else { common };
        }
    }

    fn has(&self, number: usize) -> bool {
        self.items.get(number).is_some_and(Option::is_some)
    }

    /// `$1` is also the shell's and a price's: not in code, and not before a full stop.
    fn may_stand(&self, name: &str, after: &str, at: usize) -> bool {
        !is_number(name) || !after.starts_with('.') && !self.in_code(at)
    }

    fn in_code(&self, at: usize) -> bool {
        let next = self.code.partition_point(|range| range.end <= at);
        self.code.get(next).is_some_and(|range| range.start <= at)
    }
}

/// Bytes of whole characters that two texts have in common at their start.
fn common_start(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    (0..=same).rev().find(|&end| a.is_char_boundary(end)).unwrap_or(0)
}

/// One character less than the first `length` bytes of `text`.
fn shorter(text: &str, length: usize) -> Option<usize> {
    text[..length].char_indices().next_back().map(|(at, _)| at)
}

fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a name goes on in `after`.
fn continues(after: &str) -> bool {
    after.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// `[N]` at the start of `after`: its length and number.
fn index(after: &str) -> Option<(usize, usize)> {
    let inside = after.strip_prefix('[')?;
    let digits = &inside[..inside.bytes().take(7).take_while(u8::is_ascii_digit).count()];
    let few = !digits.is_empty() && digits.len() <= 6 && inside[digits.len()..].starts_with(']');
    few.then(|| digits.parse().ok().map(|number| (digits.len() + 2, number)))?
}

/// Fenced blocks and inline code, ascending.
fn code_ranges(body: &str) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut fence: Option<(usize, &str)> = None;
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence, mark) {
            (Some((start, open)), Some(mark)) if open == mark => {
                ranges.push(start..at + line.len());
                fence = None;
            }
            (None, Some(mark)) => fence = Some((at, mark)),
            (None, None) => {
                let ticks: Vec<usize> = line.match_indices('`').map(|(tick, _)| at + tick).collect();
                ranges.extend(ticks.chunks_exact(2).map(|pair| pair[0]..pair[1] + 1));
            }
            (Some(_), _) => {}
        }
        at += line.len();
    }
    ranges.extend(fence.map(|(start, _)| start..body.len()));
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(body: &str, arguments: &Arguments, declared: &[&str]) -> String {
        let declared: Vec<String> = declared.iter().map(ToString::to_string).collect();
        substitute(body, arguments, &declared).expect("not too large").text.into_owned()
    }

    fn typed(arguments: &str) -> Arguments {
        Arguments::Text(arguments.into())
    }

    #[test]
    fn only_known_places_are_filled() {
        let body =
            "$ARGUMENTS | $ARGUMENTS[1] | $ARGUMENTS[9] | $ARGUMENTSX | $file | $filename | $0 | $HOME ${1:-x} $@";
        assert_eq!(
            text(body, &typed("a 'b c'"), &["file"]),
            "a 'b c' | b c | $ARGUMENTS[9] | $ARGUMENTSX | a | $filename | $0 | $HOME ${1:-x} $@"
        );
    }

    #[test]
    fn a_backslash_keeps_a_place_and_nothing_else() {
        assert_eq!(text(r"\$ARGUMENTS \$HOME \$2 $ARGUMENTS", &typed("x"), &[]), r"$ARGUMENTS \$HOME \$2 x");
    }

    #[test]
    fn numbers_only_where_declared_and_outside_code() {
        let body = "$1 $1.50 $10 `$1`\n```sh\necho $1\n```\n";
        assert_eq!(text(body, &typed("x"), &[]), body);
        assert_eq!(text(body, &typed("x"), &["1"]), "x $1.50 $10 `$1`\n```sh\necho $1\n```\n");
    }

    #[test]
    fn what_was_inserted_is_not_read_again() {
        let arguments = Arguments::List(vec!["$ARGUMENTS[1]".into(), "$b".into()]);
        assert_eq!(text("$a $b $ARGUMENTS", &arguments, &["a", "b"]), "$ARGUMENTS[1] $b $ARGUMENTS[1] $b");
    }

    #[test]
    fn says_whether_every_argument_found_a_place() {
        let complete = |body: &str, arguments: &Arguments| {
            substitute(body, arguments, &["a".into(), "b".into()]).expect("short").complete
        };
        assert!(!complete("none", &typed("x")));
        assert!(!complete("$a", &typed("x y")));
        assert!(complete("$a $b", &typed("x y")));
        let named: Arguments = serde_json::from_str(r#"{"a":1,"c":"z"}"#).expect("arguments");
        assert!(!complete("$a", &named));
        assert!(complete("$ARGUMENTS", &named));
    }
}
