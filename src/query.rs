//! The weighted query: which terms, how much each counts, and the best score that a skill could have.

use crate::context::{Context, segments};
use crate::index::{Index, catalog_weight};
use crate::skill::Skill;
use crate::terms::{Reader, Role, Term, UNLISTED, pair_hash};

/// A term, a form as written, or a pair of neighbours, with all that scoring needs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) hash: u64,
    pub(crate) role: QueryRole,
    /// Weight in the conversation times rarity.
    pub(crate) weight: f64,
    /// Rarity alone: what the term counts in a name.
    pub(crate) rarity: f64,
    /// As the user wrote it.
    pub(crate) word: Box<str>,
}

/// What kind of evidence a query term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueryRole {
    /// Main term or part.
    Term,
    /// Two neighbouring main terms.
    Pair,
    /// The form as written.
    Exact,
}

/// What the conversation asks for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    pub(crate) terms: Vec<QueryTerm>,
    /// The score before division of a skill that has all terms without end.
    pub(crate) ideal: f64,
}

/// Terms of a conversation that are read.
const MOST_TERMS: usize = 20_000;

#[derive(Clone, Copy)]
struct Seen {
    hash: u64,
    role: QueryRole,
    part: bool,
    level: u8,
    weight: f64,
    order: u32,
    start: u32,
    end: u32,
    segment: u32,
}

impl Query {
    /// Reads the conversation against an index.
    #[must_use]
    pub fn read(context: &Context, _skills: &[Skill], index: &Index) -> Self {
        let segments = segments(context);
        let mut reader = Reader::new(1 << 6);
        let mut seen = Vec::new();
        let mut terms: Vec<Term> = Vec::new();
        for (number, segment) in segments.iter().enumerate() {
            terms.clear();
            reader.read(&segment.text, &mut terms);
            collect(&terms, number as u32, segment.weight, &mut seen);
            if seen.len() > MOST_TERMS {
                break;
            }
        }
        let mut query = Self::default();
        for group in grouped(&mut seen) {
            let found = index.postings.find(group.hash).map_or(0, |found| found.skills);
            let rarity = match group.role {
                QueryRole::Term => index.term_weight(found, group.level),
                _ => catalog_weight(index.skills, found),
            };
            if group.role == QueryRole::Term {
                query.ideal += group.weight * rarity;
            }
            if found > 0 {
                let text = &segments[group.segment as usize].text;
                let word = text.get(group.start as usize..group.end as usize).unwrap_or_default();
                let share = match group.role {
                    QueryRole::Term => 1.0,
                    QueryRole::Pair => 0.4,
                    QueryRole::Exact => 0.2,
                };
                let weight = share * group.weight * rarity;
                query.terms.push(QueryTerm { hash: group.hash, role: group.role, weight, rarity, word: word.into() });
            }
        }
        query.ideal = 2.2 * query.ideal + 1e-6;
        query
    }
}

fn collect(terms: &[Term], segment: u32, weight: f64, seen: &mut Vec<Seen>) {
    let mut before: Option<Term> = None;
    for term in terms {
        let order = seen.len() as u32;
        let (part, role) = match term.role {
            Role::Main => (false, QueryRole::Term),
            Role::Part => (true, QueryRole::Term),
            Role::Exact => (false, QueryRole::Exact),
        };
        let (start, end) = (term.start, term.end);
        seen.push(Seen { hash: term.hash, role, part, level: term.level, weight, order, start, end, segment });
        if term.role == Role::Main
            && let Some(first) = before.replace(*term)
        {
            let hash = pair_hash(first.hash, term.hash);
            let role = QueryRole::Pair;
            let order = order + 1;
            seen.push(Seen { hash, role, part, level: UNLISTED, weight, order, start: first.start, end, segment });
        }
    }
}

/// One entry a term, in the order of first places: a main term said again counts more, with a bound.
fn grouped(seen: &mut [Seen]) -> Vec<Seen> {
    seen.sort_unstable_by_key(|term| (term.hash, term.order));
    let mut groups: Vec<Seen> = Vec::new();
    for same in seen.chunk_by(|a, b| a.hash == b.hash) {
        let mut group = same[0];
        let strongest =
            |part: bool| same.iter().filter(|term| term.part == part).map(|term| term.weight).fold(0.0, f64::max);
        let (main, part) = (strongest(false), strongest(true));
        group.weight = if group.role == QueryRole::Term { 0.3 * part } else { main };
        if group.role == QueryRole::Term && main > 0.0 {
            let times = same.iter().filter(|term| !term.part).map(|term| term.weight).sum::<f64>() / main;
            group.weight += main * 2.0 * times / (times + 1.0);
        }
        groups.push(group);
    }
    groups.sort_unstable_by_key(|group| group.order);
    groups
}
