//! Globs against paths, in time linear in pattern times path whatever the pattern.
//!
//! `*` and `?` stay inside a folder, `**` crosses folders, `[a-z]` and `[!a]` are classes, `{a,b}` are alternatives. A pattern
//! without a slash matches the last part of a path, as in ignore files.

/// Alternatives that the braces of one pattern can give.
const MOST_ALTERNATIVES: usize = 64;

/// Whether a path matches a pattern.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let path = path.replace('\\', "/");
    let path = path.trim_start_matches("./").trim_start_matches('/');
    let names: Vec<Vec<char>> = path.split('/').map(|name| name.chars().collect()).collect();
    let mut alternatives = vec![pattern.trim_start_matches("./").to_owned()];
    let mut done = 0;
    while done < alternatives.len() {
        match expand(&alternatives[done]) {
            Some(expanded) if alternatives.len() + expanded.len() <= MOST_ALTERNATIVES => {
                alternatives.swap_remove(done);
                alternatives.extend(expanded);
            }
            _ => done += 1,
        }
    }
    alternatives.iter().any(|pattern| one(pattern, &names))
}

/// The alternatives of the first pair of braces.
fn expand(pattern: &str) -> Option<Vec<String>> {
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
    cuts.push(close);
    let piece =
        |cut: &[usize]| format!("{}{}{}", &pattern[..open], &pattern[cut[0] + 1..cut[1]], &pattern[close + 1..]);
    Some(cuts.windows(2).map(piece).collect())
}

fn one(pattern: &str, names: &[Vec<char>]) -> bool {
    let anchored = pattern.trim_start_matches('/');
    let mut parts: Vec<Vec<char>> = anchored.split('/').map(|part| part.chars().collect()).collect();
    if anchored.ends_with('/') {
        parts.pop();
        parts.push(vec!['*', '*']);
    }
    if parts.len() == 1 {
        return names.last().is_some_and(|name| name_matches(&parts[0], name));
    }
    // reached[i]: the parts so far match the first i names.
    let mut reached = vec![false; names.len() + 1];
    reached[0] = true;
    for part in &parts {
        let mut next = vec![false; names.len() + 1];
        if part.as_slice() == ['*', '*'] {
            let mut any = false;
            for (before, after) in reached.iter().zip(&mut next) {
                any |= before;
                *after = any;
            }
        } else {
            for (i, name) in names.iter().enumerate() {
                next[i + 1] = reached[i] && name_matches(part, name);
            }
        }
        reached = next;
    }
    reached.last() == Some(&true)
}

/// Whether one name matches one part: greedy, going back to the last star only.
fn name_matches(part: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if part.get(p) == Some(&'*') {
            star = Some((p, n));
            p += 1;
        } else if let Some(size) = part.get(p..).and_then(|rest| element(rest, name[n])) {
            p += size;
            n += 1;
        } else if let Some((after, from)) = star {
            star = Some((after, from + 1));
            (p, n) = (after + 1, from + 1);
        } else {
            return false;
        }
    }
    part[p..].iter().all(|&c| c == '*')
}

/// Characters of the pattern that the first element takes, if it allows the character.
fn element(part: &[char], c: char) -> Option<usize> {
    match part {
        ['?', ..] => Some(1),
        ['[', rest @ ..] => {
            let negated = matches!(rest.first(), Some('!' | '^'));
            let set = &rest[usize::from(negated)..];
            let close = set.iter().skip(1).position(|&c| c == ']').map(|i| i + 1);
            let Some(close) = close else { return (c == '[').then_some(1) };
            let mut inside = false;
            let mut i = 0;
            while i < close {
                let range = i + 2 < close && set[i + 1] == '-';
                let last = if range { set[i + 2] } else { set[i] };
                inside |= (set[i]..=last).contains(&c);
                i += if range { 3 } else { 1 };
            }
            (inside != negated).then_some(close + 2 + usize::from(negated))
        }
        ['\\', literal, ..] => (*literal == c).then_some(2),
        [literal, ..] => (*literal == c).then_some(1),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

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
        ];
        for (pattern, path, wanted) in cases {
            assert_eq!(matches(pattern, path), wanted, "{pattern} on {path}");
        }
    }

    #[test]
    fn stars_do_not_explode() {
        let pattern = "*a".repeat(200) + "b";
        assert!(!matches(&pattern, &"a".repeat(4000)));
        assert!(!matches(&("**/a/".repeat(100) + "b"), &"a/".repeat(500)));
        assert!(!matches(&"{a,b}".repeat(30), "x"));
    }
}
