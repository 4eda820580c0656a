//! Which skill a name means: exact, decorated, or spelled another way; else the nearest ones that may be seen.

use std::collections::HashMap;

use crate::catalog::Catalog;
use crate::eligible::Policy;
use crate::text::{self, lookalike_key};

/// Most near names in an answer.
pub(crate) const SUGGESTIONS: usize = 3;
/// Longest name that is compared by its spelling.
const LONGEST: usize = 128;

/// What was found for a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found<'a> {
    /// Its place in the catalog; policy is still to be asked. With what followed the name.
    Skill(usize, Option<&'a str>),
    /// The nearest ids that policy allows.
    Nothing(Vec<String>),
}

/// Finds the skill that `asked` means: its id, else a unique name or spelling among those that `policy` allows, each
/// also behind `/`, `$`, `@`, `skill:` and quotes; else the first word so, with the rest of `asked`.
pub(crate) fn find<'a>(catalog: &Catalog, policy: &Policy, asked: &'a str) -> Found<'a> {
    let bare = undecorated(asked);
    for id in [asked, bare] {
        if let Some(at) = catalog.position(id) {
            return Found::Skill(at, None);
        }
    }
    let names = Spellings::new(catalog, policy);
    if let Some(at) = names.unique(bare) {
        return Found::Skill(at, None);
    }
    if let Some((first, rest)) = bare.split_once(char::is_whitespace) {
        let first = undecorated(first);
        if let Some(at) = catalog.position(first).or_else(|| names.unique(first)) {
            return Found::Skill(at, Some(rest));
        }
    }
    Found::Nothing(nearest(catalog, policy, bare))
}

/// `asked` without blanks, quotes and marks of a call around it.
fn undecorated(asked: &str) -> &str {
    const QUOTES: [char; 11] = ['"', '\'', '`', '“', '”', '„', '‘', '’', '«', '»', '*'];
    let mut name = asked;
    // Decorations nest; nobody nests them deeper.
    for _ in 0..4 {
        name = name.trim().trim_matches(QUOTES);
        name = name.strip_prefix(['/', '$', '@']).unwrap_or(name);
        if let Some(prefix) = name.get(..6)
            && prefix.eq_ignore_ascii_case("skill:")
        {
            name = &name[6..];
        }
    }
    name.trim()
}

/// Names and spellings of the skills that may be seen; an entry of two skills means neither.
struct Spellings {
    by_name: HashMap<String, Option<usize>>,
    by_key: HashMap<String, Option<usize>>,
}

impl Spellings {
    fn new(catalog: &Catalog, policy: &Policy) -> Self {
        let mut new = Self { by_name: HashMap::new(), by_key: HashMap::new() };
        for (at, skill) in catalog.skills.iter().enumerate().filter(|(_, skill)| policy.refusal(skill).is_none()) {
            note(&mut new.by_name, skill.name.to_string(), at);
            note(&mut new.by_key, lookalike_key(&skill.id), at);
        }
        new
    }

    fn unique(&self, asked: &str) -> Option<usize> {
        let asked = text::nfc(asked);
        let by_name = self.by_name.get(&*asked).copied().flatten();
        let key = lookalike_key(&asked);
        by_name.or_else(|| self.by_key.get(&key).copied().flatten().filter(|_| !key.is_empty()))
    }
}

fn note(map: &mut HashMap<String, Option<usize>>, key: String, at: usize) {
    map.entry(key).and_modify(|found| *found = found.filter(|other| *other == at)).or_insert(Some(at));
}

/// Ids that are spelled nearly like `asked` or contain it, the nearest first.
fn nearest(catalog: &Catalog, policy: &Policy, asked: &str) -> Vec<String> {
    let key: Vec<char> = lookalike_key(asked).chars().collect();
    if key.is_empty() || key.len() > LONGEST {
        return Vec::new();
    }
    let most = (key.len() / 3).clamp(1, 3);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, skill) in catalog.skills.iter().enumerate() {
        if skill.id.len() > 4 * LONGEST {
            continue;
        }
        let other: Vec<char> = lookalike_key(&skill.id).chars().collect();
        let near = distance(&key, &other, most).or_else(|| contains(&key, &other).then_some(most + 1));
        if let Some(distance) = near
            && policy.refusal(skill).is_none()
        {
            found.push((distance, at));
        }
    }
    found.sort_unstable();
    found.into_iter().take(SUGGESTIONS).map(|(_, at)| catalog.skills[at].id.to_string()).collect()
}

/// Whether one of two names, of four letters or more, is a part of the other.
fn contains(a: &[char], b: &[char]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short.len() >= 4 && long.windows(short.len()).any(|window| window == short)
}

/// Letters to insert, remove, replace or swap with the next; `None` above `most`.
fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        if row.iter().min().is_some_and(|least| *least > most) {
            return None;
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decorations_come_off() {
        for asked in ["a-b", " \"a-b\" ", "/a-b", "$a-b", "skill:a-b", "Skill: 'a-b'", "“/a-b”", "a-b\n"] {
            assert_eq!(undecorated(asked), "a-b", "{asked}");
        }
        assert_eq!(undecorated("技能"), "技能");
    }

    #[test]
    fn a_swap_is_one_step() {
        let letters = |text: &str| text.chars().collect::<Vec<char>>();
        assert_eq!(distance(&letters("tset"), &letters("test"), 3), Some(1));
        assert_eq!(distance(&letters("abc"), &letters("xyz"), 2), None);
        assert_eq!(distance(&letters(""), &letters("ab"), 3), Some(2));
    }
}
