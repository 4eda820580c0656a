//! Globs against paths, in time linear in pattern times path whatever the pattern, and bounded over all of them.
//!
//! `*` and `?` stay inside a folder, `**` crosses folders, `[a-z]` and `[!a]` are classes, `{a,b}` are alternatives. A pattern
//! without a slash matches the last part of a path, as in ignore files.

/// Alternatives that the braces of one pattern can give.
const MOST_ALTERNATIVES: usize = 64;
/// Bytes of a pattern and of a path; a longer one matches nothing.
pub(crate) const LONGEST_PATTERN: usize = 1024;
const LONGEST_PATH: usize = 4096;

/// Steps that matching may still take, a character of a pattern or a path each. At the end nothing matches any more.
pub(crate) struct Work(u64);

impl Work {
    /// Enough for 5,000 skills with three patterns each and 256 files; some 0.2 s where it is all used up.
    pub(crate) fn new() -> Self {
        Self(100_000_000)
    }

    fn take(&mut self, steps: usize) -> bool {
        self.0 = self.0.saturating_sub(steps as u64);
        self.0 > 0
    }
}

/// A path, cut into names.
pub(crate) struct Path<'a> {
    pub(crate) text: &'a str,
    names: Vec<Vec<char>>,
}

impl<'a> Path<'a> {
    pub(crate) fn new(text: &'a str) -> Option<Self> {
        if text.len() > LONGEST_PATH {
            return None;
        }
        let path = text.replace('\\', "/");
        let path = path.trim_start_matches("./").trim_start_matches('/');
        Some(Self { text, names: path.split('/').map(|name| name.chars().collect()).collect() })
    }
}

/// A pattern, read once for all paths.
pub(crate) struct Glob {
    alternatives: Vec<Vec<Part>>,
}

/// What stands between two slashes.
enum Part {
    /// `**`
    Folders,
    Name(Vec<Element>),
}

enum Element {
    Star,
    Any,
    Literal(char),
    Class { ranges: Vec<(char, char)>, negated: bool },
}

impl Glob {
    pub(crate) fn new(pattern: &str, work: &mut Work) -> Option<Self> {
        if pattern.len() > LONGEST_PATTERN || !work.take(pattern.len()) {
            return None;
        }
        let mut alternatives = vec![pattern.trim_start_matches("./").to_owned()];
        let mut done = 0;
        while done < alternatives.len() && work.take(pattern.len()) {
            match expand(&alternatives[done], MOST_ALTERNATIVES - alternatives.len()) {
                Some(expanded) => {
                    alternatives.swap_remove(done);
                    alternatives.extend(expanded);
                }
                None => done += 1,
            }
        }
        Some(Self { alternatives: alternatives.iter().map(|pattern| parts(pattern)).collect() })
    }

    /// Whether a path matches.
    pub(crate) fn matches(&self, path: &Path, work: &mut Work) -> bool {
        self.alternatives.iter().any(|parts| one(parts, &path.names, work))
    }
}

/// The alternatives of the first pair of braces, where there are no more than `most`.
fn expand(pattern: &str, most: usize) -> Option<Vec<String>> {
    let open = pattern.find('{')?;
    let (mut depth, mut cuts, mut close) = (0, vec![open], None);
    for (i, c) in pattern[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    close = Some(open + i);
                    break;
                }
            }
            ',' if depth == 1 => cuts.push(open + i),
            _ => {}
        }
    }
    let close = close?;
    if cuts.len() > most {
        return None;
    }
    cuts.push(close);
    let piece =
        |cut: &[usize]| format!("{}{}{}", &pattern[..open], &pattern[cut[0] + 1..cut[1]], &pattern[close + 1..]);
    Some(cuts.windows(2).map(piece).collect())
}

fn parts(pattern: &str) -> Vec<Part> {
    let anchored = pattern.trim_start_matches('/');
    let mut parts: Vec<Part> = anchored.split('/').map(part).collect();
    if anchored.ends_with('/') {
        parts.pop();
        parts.push(Part::Folders);
    }
    parts
}

fn part(text: &str) -> Part {
    if text == "**" {
        return Part::Folders;
    }
    let chars: Vec<char> = text.chars().collect();
    let last_close = chars.iter().rposition(|&c| c == ']').unwrap_or(0);
    let mut elements = Vec::with_capacity(chars.len());
    let mut at = 0;
    while at < chars.len() {
        let (element, length) = match chars[at] {
            '*' => (Element::Star, 1),
            '?' => (Element::Any, 1),
            '[' if at < last_close => class(&chars[at..]).unwrap_or((Element::Literal('['), 1)),
            '\\' if at + 1 < chars.len() => (Element::Literal(chars[at + 1]), 2),
            literal => (Element::Literal(literal), 1),
        };
        elements.push(element);
        at += length;
    }
    Part::Name(elements)
}

/// The class at the start of `part`, with its length; nothing where it isn't closed.
fn class(part: &[char]) -> Option<(Element, usize)> {
    let rest = &part[1..];
    let negated = matches!(rest.first(), Some('!' | '^'));
    let set = &rest[usize::from(negated)..];
    let close = set.iter().skip(1).position(|&c| c == ']')? + 1;
    let mut ranges = Vec::new();
    let mut i = 0;
    while i < close {
        let range = i + 2 < close && set[i + 1] == '-';
        ranges.push((set[i], if range { set[i + 2] } else { set[i] }));
        i += if range { 3 } else { 1 };
    }
    Some((Element::Class { ranges, negated }, close + 2 + usize::from(negated)))
}

fn one(parts: &[Part], names: &[Vec<char>], work: &mut Work) -> bool {
    if let [only] = parts {
        let Part::Name(elements) = only else { return true };
        return names.last().is_some_and(|name| name_matches(elements, name, work));
    }
    // reached[i]: the parts so far match the first i names.
    let mut reached = vec![false; names.len() + 1];
    reached[0] = true;
    for part in parts {
        if !work.take(names.len()) || !reached.contains(&true) {
            return false;
        }
        let mut next = vec![false; names.len() + 1];
        match part {
            Part::Folders => {
                let mut any = false;
                for (before, after) in reached.iter().zip(&mut next) {
                    any |= before;
                    *after = any;
                }
            }
            Part::Name(elements) => {
                for (i, name) in names.iter().enumerate() {
                    next[i + 1] = reached[i] && name_matches(elements, name, work);
                }
            }
        }
        reached = next;
    }
    reached.last() == Some(&true)
}

/// Whether one name matches one part: greedy, going back to the last star only.
fn name_matches(part: &[Element], name: &[char], work: &mut Work) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        let steps = if let Some(Element::Class { ranges, .. }) = part.get(p) { ranges.len() } else { 1 };
        if !work.take(steps) {
            return false;
        }
        if let Some(Element::Star) = part.get(p) {
            star = Some((p, n));
            p += 1;
        } else if part.get(p).is_some_and(|element| element.allows(name[n])) {
            p += 1;
            n += 1;
        } else if let Some((after, from)) = star {
            star = Some((after, from + 1));
            (p, n) = (after + 1, from + 1);
        } else {
            return false;
        }
    }
    part[p..].iter().all(|element| matches!(element, Element::Star))
}

impl Element {
    fn allows(&self, c: char) -> bool {
        match self {
            Self::Star => false,
            Self::Any => true,
            Self::Literal(literal) => *literal == c,
            Self::Class { ranges, negated } => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) != *negated
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Glob, Path, Work};

    fn matches(pattern: &str, path: &str) -> bool {
        let mut work = Work::new();
        let glob = Glob::new(pattern, &mut work);
        glob.zip(Path::new(path)).is_some_and(|(glob, path)| glob.matches(&path, &mut work))
    }

    #[test]
    fn patterns() {
        let cases = [
            ("*.py", "src/app/main.py", true),
            ("*.py", "main.pyc", false),
            ("src/**/*.rs", "src/a/b/c.rs", true),
            ("src/**/*.rs", "src/c.rs", true),
            ("src/*.rs", "src/a/c.rs", false),
            ("**/test_*.{py,ts}", "a/b/test_x.ts", true),
            ("**/test_*.{py,ts}", "a/b/test_x.rs", false),
            ("docs/", "docs/a/b.md", true),
            ("[a-c]?.md", "b1.md", true),
            ("[!a-c]?.md", "b1.md", false),
            ("Makefile", "sub/Makefile", true),
            ("./src/*", "src/x", true),
            ("src\\*", "src/x", false),
            ("{a,b{c,d}}.txt", "bd.txt", true),
            ("[", "[", true),
            ("{", "{", true),
            ("文档/*.md", "文档/说明.md", true),
            ("", "a", false),
            ("**", "a/b", true),
            ("[]a]", "]", true),
            ("a[b", "a[b", true),
            ("\\*", "*", true),
            ("\\*", "a", false),
            ("a\\", "a\\", false),
        ];
        for (pattern, path, wanted) in cases {
            assert_eq!(matches(pattern, path), wanted, "{pattern} on {path}");
        }
    }

    #[test]
    fn stars_do_not_explode() {
        for (pattern, path) in [
            ("*a".repeat(200) + "b", "a".repeat(4000)),
            ("**/a/".repeat(100) + "b", "a/".repeat(500)),
            ("{a,b}".repeat(30), "x".to_owned()),
            (format!("{{{}}}", ",".repeat(1000)), "x".to_owned()),
            ("*[[".repeat(300) + "b", "[".repeat(4000)),
            (format!("*[{}]b", "c".repeat(1000)), "a".repeat(4000)),
        ] {
            let (mut work, whole) = (Work::new(), Work::new().0);
            let glob = Glob::new(&pattern, &mut work).expect("short enough");
            assert!(!glob.matches(&Path::new(&path).expect("short enough"), &mut work));
            let most = 2 * (pattern.len() * path.len() + 65 * pattern.len()) as u64;
            assert!(whole - work.0 <= most, "{pattern}: {} steps, {most} allowed", whole - work.0);
        }
    }

    #[test]
    fn what_is_too_long_matches_nothing() {
        assert!(matches(&"a".repeat(1024), &"a".repeat(1024)) && !matches(&"a".repeat(1025), &"a".repeat(1025)));
        assert!(matches("*", &"a".repeat(4096)) && !matches("*", &"a".repeat(4097)));
    }

    #[test]
    fn nothing_matches_when_the_work_is_used_up() {
        let mut work = Work(10);
        let glob = Glob::new("*b", &mut work).expect("short enough");
        assert!(!glob.matches(&Path::new("aaaaaaaaaaaab").expect("short enough"), &mut work));
        assert!(Glob::new("a", &mut work).is_none());
    }
}
