//! Which skill a name means: exact, decorated, or spelled another way; else the nearest ones that may be seen.

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
    if let Some(at) = unique(catalog, policy, bare) {
        return Found::Skill(at, None);
    }
    if let Some((first, rest)) = bare.split_once(char::is_whitespace) {
        let first = undecorated(first);
        if let Some(at) = catalog.position(first).or_else(|| unique(catalog, policy, first)) {
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

/// The one skill among those that may be seen that has this name, else the one whose id is spelled so.
fn unique(catalog: &Catalog, policy: &Policy, asked: &str) -> Option<usize> {
    let asked = text::nfc(asked);
    let key = lookalike_key(&asked);
    let mut by_name = None;
    let mut by_key = None;
    for (at, skill) in catalog.skills.iter().enumerate() {
        let (named, spelled) = (*skill.name == *asked, !key.is_empty() && text::has_key(&skill.id, &key));
        if (named || spelled) && policy.refusal(skill).is_none() {
            for (is, found) in [(named, &mut by_name), (spelled, &mut by_key)] {
                if is {
                    *found = Some(found.map_or(Some(at), |_| None));
                }
            }
        }
    }
    by_name.flatten().or(by_key.flatten())
}

/// What a message says of an unknown id: the nearest one that may be seen, if there is one.
pub(crate) fn did_you_mean(catalog: &Catalog, policy: &Policy, asked: &str) -> String {
    nearest(catalog, policy, asked).first().map_or(String::new(), |id| format!("; did you mean {id:?}?"))
}

/// Ids that are spelled nearly like `asked` or contain it, the nearest first.
fn nearest(catalog: &Catalog, policy: &Policy, asked: &str) -> Vec<String> {
    let text = lookalike_key(asked);
    let key: Vec<char> = text.chars().collect();
    if key.is_empty() || key.len() > LONGEST {
        return Vec::new();
    }
    let most = (key.len() / 3).clamp(1, 3);
    let mut other = Vec::new();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, skill) in catalog.skills.iter().enumerate() {
        if skill.id.len() > 4 * LONGEST {
            continue;
        }
        let other_text = lookalike_key(&skill.id);
        other.clear();
        other.extend(other_text.chars());
        let part = || contains((&text, key.len()), (&other_text, other.len())).then_some(most + 1);
        let near = distance(&key, &other, most).or_else(part);
        if let Some(distance) = near
            && policy.refusal(skill).is_none()
        {
            found.push((distance, at));
        }
    }
    found.sort_unstable();
    found.into_iter().take(SUGGESTIONS).map(|(_, at)| catalog.skills[at].id.to_string()).collect()
}

/// Whether one of two names, of four letters or more, is a part of the other. Each comes with its number of letters.
fn contains(a: (&str, usize), b: (&str, usize)) -> bool {
    let (short, long) = if a.1 <= b.1 { (a, b) } else { (b, a) };
    short.1 >= 4 && long.0.contains(short.0)
}

/// Letters to insert, remove, replace or swap with the next; `None` above `most`. What lies farther than `most` from the
/// diagonal can't be within it and is not looked at.
fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let far = most + 1;
    let mut before: Vec<usize> = vec![far; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    let mut row = before.clone();
    for i in 1..=a.len() {
        let first = i.saturating_sub(most).max(1);
        let last = (i + most).min(b.len());
        row[first - 1] = if first == 1 { i } else { far };
        if let Some(behind) = row.get_mut(last + 1) {
            *behind = far;
        }
        for j in first..=last {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        if row[first - 1..=last].iter().all(|&least| least > most) {
            return None;
        }
        std::mem::swap(&mut before, &mut above);
        std::mem::swap(&mut above, &mut row);
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
        assert_eq!(distance(&letters("ab"), &letters(""), 3), Some(2));
    }

    /// The whole table, without a band.
    fn whole_table(a: &[char], b: &[char]) -> usize {
        let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
        for i in 1..=a.len() {
            let mut row = vec![i];
            for j in 1..=b.len() {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(rows[i - 2][j - 2] + 1);
                }
                row.push(least);
            }
            rows.push(row);
        }
        rows[a.len()][b.len()]
    }

    proptest::proptest! {
        #[test]
        fn the_band_loses_nothing(a in "[abc]{0,9}", b in "[abc]{0,9}", most in 1_usize..4) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let whole = whole_table(&a, &b);
            proptest::prop_assert_eq!(distance(&a, &b, most), Some(whole).filter(|&found| found <= most));
        }
    }
}
