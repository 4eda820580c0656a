//! The weighted query: which terms, how much each counts, and the best score that a skill could have.

use std::collections::HashMap;

use crate::context::{Context, ORIGINS, Origin, Segment, segments};
use crate::index::{Index, catalog_weight};
use crate::mention::{Named, mentions};
use crate::postings::Found;
use crate::skill::Skill;
use crate::terms::{Reader, Role, Term, UNLISTED, pair_hash};
use crate::typo;

/// A term, a form as written, or a pair of neighbours, with all that scoring needs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QueryTerm {
    /// The skills that have it.
    pub(crate) found: Found,
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

impl QueryRole {
    /// What a match counts beside one of a main term.
    fn share(self) -> f64 {
        match self {
            Self::Term => 1.0,
            Self::Pair => 0.4,
            Self::Exact => 0.2,
        }
    }
}

/// A trigger phrase that the user wrote.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trigger {
    pub(crate) position: u32,
    /// What it adds to the skill's score.
    pub(crate) weight: f64,
    pub(crate) words: Box<str>,
}

/// What the conversation asks for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    pub(crate) terms: Vec<QueryTerm>,
    /// The score before division of a skill that has all terms without end.
    pub(crate) ideal: f64,
    /// Skills that the newest request names.
    pub(crate) named: Named,
    pub(crate) triggers: Vec<Trigger>,
    /// Main terms of the newest request, ascending: what exclusions are compared with.
    pub(crate) asked: Vec<u64>,
}

/// Terms of a conversation that are read.
const MOST_TERMS: usize = 40_000;
/// Bytes of one text that are read at each of its ends; what lies between says nothing that these don't, and its terms would take
/// thirty times its memory.
const READ_END: usize = 1 << 18;
/// Terms, pairs and forms that are looked up, the weightiest first.
const MOST_KEPT: usize = 600;
/// Words that are corrected.
const MOST_CORRECTED: usize = 8;
/// Main terms of a request that are compared with trigger phrases, and of a phrase.
const MOST_ASKED: usize = 2_000;
const LONGEST_PHRASE: usize = 8;
/// What a trigger phrase adds to a score at most, and the sum of rarities from which it does.
const TRIGGER: f64 = 0.4;
const TRIGGER_RARITY: f64 = 6.0;

/// What pasted text and history may weigh together beside the request, however long they are.
const PASTED_SHARE: f64 = 0.4;
const HISTORY_SHARE: f64 = 0.6;
/// Weight that a request counts as at least: about two good words. A short "yes, go on" leaves the choice to the history.
const LEAST_REQUEST: f64 = 12.0;

/// The terms of a text; of a very long one those of its beginning and its end.
fn read_ends(reader: &mut Reader, text: &str, terms: &mut Vec<Term>) {
    if text.len() <= 2 * READ_END {
        return reader.read(text, terms);
    }
    let boundary = |at: usize| (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    reader.read(&text[..boundary(READ_END)], terms);
    let (head, from) = (terms.len(), boundary(text.len() - READ_END));
    reader.read(&text[from..], terms);
    for term in &mut terms[head..] {
        term.start += from as u32;
        term.end += from as u32;
    }
}

/// One place of a term.
#[derive(Clone, Copy)]
struct Seen {
    hash: u64,
    role: QueryRole,
    part: bool,
    level: u8,
    order: u32,
    start: u32,
    end: u32,
    segment: u32,
}

/// All places of a term.
#[derive(Clone, Copy)]
struct Group {
    first: Seen,
    /// By origin: the greatest weight and the sum of weights of its places as a main term, the greatest as a part.
    main: [f64; ORIGINS],
    sum: [f64; ORIGINS],
    part: [f64; ORIGINS],
    found: Found,
    rarity: f64,
}

impl Query {
    /// Reads the conversation against an index. Words that no skill has are taken for the nearest that some have.
    #[must_use]
    pub fn read(context: &Context, skills: &[Skill], index: &Index) -> Self {
        Self::with_corrections(context, skills, index, MOST_CORRECTED)
    }

    /// As [`Query::read`], every word as it stands.
    #[must_use]
    pub fn literal(context: &Context, skills: &[Skill], index: &Index) -> Self {
        Self::with_corrections(context, skills, index, 0)
    }

    /// The score before division of a skill that has every word of the request without end.
    #[must_use]
    pub fn ideal(&self) -> f64 {
        self.ideal
    }

    fn with_corrections(context: &Context, skills: &[Skill], index: &Index, corrections: usize) -> Self {
        let segments = segments(context);
        let mut query = Self::default();
        let mut seen = query.terms_of(&segments, index, corrections);
        for segment in segments.iter().filter(|segment| segment.origin == Origin::Request) {
            mentions(&segment.text, skills, &index.names, &mut query.named);
        }
        let groups = groups(&mut seen, &segments, index);
        let shares = shares(&groups);
        query.weigh(&groups, shares, &segments);
        query
    }

    /// The terms of all segments with corrected typing errors; triggers on the way.
    fn terms_of(&mut self, segments: &[Segment<'_>], index: &Index, mut corrections: usize) -> Vec<Seen> {
        let mut reader = Reader::new(1 << 6);
        let (mut seen, mut terms) = (Vec::new(), Vec::new());
        for (number, segment) in segments.iter().enumerate() {
            terms.clear();
            read_ends(&mut reader, &segment.text, &mut terms);
            let most = if segment.origin == Origin::Request { MOST_TERMS / 2 } else { MOST_TERMS / 4 };
            if terms.len() > most {
                // What is asked stands at an end, and what comes behind a long paste must still be read.
                terms.drain(most / 2..terms.len() - most / 2);
            }
            if segment.origin == Origin::Request {
                correct(&mut terms, &segment.text, index, &mut corrections);
                self.find_triggers(&terms, &segment.text, index);
            }
            collect(&terms, number as u32, &mut seen);
            if seen.len() > MOST_TERMS {
                break;
            }
        }
        self.asked.sort_unstable();
        self.asked.dedup();
        seen
    }

    fn find_triggers(&mut self, terms: &[Term], text: &str, index: &Index) {
        let main: Vec<&Term> = terms.iter().filter(|term| term.role == Role::Main).take(MOST_ASKED).collect();
        self.asked.extend(main.iter().map(|term| term.hash));
        if index.phrases.is_empty() {
            return;
        }
        // By first entry in `phrases`: a phrase counts once, however often it is said and however many skills have it.
        let mut said: Vec<(usize, (u32, u32), f64)> = Vec::new();
        for (i, first) in main.iter().enumerate() {
            let mut phrase = first.hash;
            let mut rarity = 0.0;
            for (length, term) in main[i..].iter().take(LONGEST_PHRASE).enumerate() {
                if length > 0 {
                    phrase = pair_hash(phrase, term.hash);
                }
                rarity += index.term_weight(index.having(term.hash), term.level);
                let start = index.phrases.partition_point(|&(hash, _)| hash < phrase);
                if index.phrases.get(start).is_some_and(|&(hash, _)| hash == phrase) {
                    said.push((start, (first.start, term.end), rarity));
                }
            }
        }
        let last: HashMap<usize, usize> = said.iter().enumerate().map(|(at, &(start, ..))| (start, at)).collect();
        for (at, (start, (from, to), rarity)) in said.into_iter().enumerate() {
            if last.get(&start) != Some(&at) {
                continue;
            }
            let phrase = index.phrases[start].0;
            for &(_, position) in index.phrases[start..].iter().take_while(|&&(hash, _)| hash == phrase) {
                let words = text.get(from as usize..to as usize).unwrap_or_default().into();
                let weight = TRIGGER * (rarity / TRIGGER_RARITY).min(1.0);
                self.triggers.push(Trigger { position, weight, words });
            }
        }
    }

    fn weigh(&mut self, groups: &[Group], shares: [f64; ORIGINS], segments: &[Segment<'_>]) {
        for group in groups {
            let weight = group.weight(shares);
            if group.first.role == QueryRole::Term {
                self.ideal += weight * group.rarity;
            }
            if group.found.skills > 0 && weight > 0.0 {
                let first = group.first;
                let text = &segments[first.segment as usize].text;
                let word = text.get(first.start as usize..first.end as usize).unwrap_or_default().into();
                let weight = first.role.share() * weight * group.rarity;
                self.terms.push(QueryTerm { found: group.found, role: first.role, weight, rarity: group.rarity, word });
            }
        }
        self.ideal = 2.2 * self.ideal + 1e-6;
        if self.terms.len() > MOST_KEPT {
            let mut weights: Vec<f64> = self.terms.iter().map(|term| term.weight).collect();
            let (_, &mut least, _) = weights.select_nth_unstable_by(MOST_KEPT, |a, b| b.total_cmp(a));
            self.terms.retain(|term| term.weight > least);
        }
    }
}

impl Group {
    /// Weight in the conversation: a main term said again counts more, with a bound.
    fn weight(&self, shares: [f64; ORIGINS]) -> f64 {
        let (mut main, mut sum, mut part) = (0.0_f64, 0.0, 0.0_f64);
        for (origin, share) in shares.into_iter().enumerate() {
            main = main.max(share * self.main[origin]);
            sum += share * self.sum[origin];
            part = part.max(share * self.part[origin]);
        }
        if self.first.role != QueryRole::Term {
            return main;
        }
        let times = if main > 0.0 { sum / main } else { 0.0 };
        0.3 * part + main * 2.0 * times / (times + 1.0)
    }
}

/// Replaces main terms that no skill has by those one keystroke away.
fn correct(terms: &mut [Term], text: &str, index: &Index, left: &mut usize) {
    for term in terms.iter_mut().filter(|term| term.role == Role::Main) {
        let Some(word) = text.get(term.start as usize..term.end as usize) else { continue };
        if *left > 0
            && term.level == UNLISTED
            && index.having(term.hash) == 0
            && let Some((hash, level)) = typo::correct(word, index)
        {
            (term.hash, term.level) = (hash, level);
            *left -= 1;
        }
    }
}

fn collect(terms: &[Term], segment: u32, seen: &mut Vec<Seen>) {
    let mut before: Option<&Term> = None;
    for term in terms {
        let order = seen.len() as u32;
        let role = if term.role == Role::Exact { QueryRole::Exact } else { QueryRole::Term };
        let (part, level, start, end) = (term.role == Role::Part, term.level, term.start, term.end);
        seen.push(Seen { hash: term.hash, role, part, level, order, start, end, segment });
        if term.role == Role::Main
            && let Some(first) = before.replace(term)
        {
            let (hash, role, level) = (pair_hash(first.hash, term.hash), QueryRole::Pair, UNLISTED);
            seen.push(Seen { hash, role, part, level, order: order + 1, start: first.start, end, segment });
        }
    }
}

/// One entry a term, in the order of first places.
fn groups(seen: &mut [Seen], segments: &[Segment<'_>], index: &Index) -> Vec<Group> {
    seen.sort_unstable_by_key(|term| (term.hash, term.order));
    let mut groups = Vec::new();
    // The buckets first, all at once: each is far from the last, and a processor waits for several as long as for one.
    let touched: u32 = seen.iter().map(|term| index.postings.touch(term.hash)).fold(0, u32::wrapping_add);
    std::hint::black_box(touched);
    for same in seen.chunk_by(|a, b| a.hash == b.hash) {
        let zero = [0.0_f64; ORIGINS];
        let first = same[0];
        let found = index.postings.find(first.hash).unwrap_or_default();
        let rarity = match first.role {
            QueryRole::Term => index.term_weight(found.skills, first.level),
            _ => catalog_weight(index.skills, found.skills),
        };
        let mut group = Group { first, main: zero, sum: zero, part: zero, found, rarity };
        for term in same {
            let Segment { weight, origin, .. } = segments[term.segment as usize];
            let origin = origin as usize;
            if term.part {
                group.part[origin] = group.part[origin].max(weight);
            } else {
                group.main[origin] = group.main[origin].max(weight);
                group.sum[origin] += weight;
            }
        }
        groups.push(group);
    }
    groups.sort_unstable_by_key(|group| group.first.order);
    groups
}

/// By origin: what keeps long pastes and long histories from outvoting the request.
fn shares(groups: &[Group]) -> [f64; ORIGINS] {
    let mut masses = [0.0; ORIGINS];
    for group in groups.iter().filter(|group| group.first.role == QueryRole::Term) {
        for (origin, mass) in masses.iter_mut().enumerate() {
            let mut only = [0.0; ORIGINS];
            only[origin] = 1.0;
            *mass += group.weight(only) * group.rarity;
        }
    }
    let request = masses[Origin::Request as usize].max(LEAST_REQUEST);
    let share = |origin: Origin, most: f64| {
        let mass = masses[origin as usize];
        if mass > most * request { most * request / mass } else { 1.0 }
    };
    [1.0, share(Origin::Pasted, PASTED_SHARE), share(Origin::History, HISTORY_SHARE)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_very_long_text_is_read_at_both_ends() {
        let filler = "água ".repeat(READ_END / 3);
        let text = format!("quay {filler} middle {filler} tide");
        let mut terms = Vec::new();
        read_ends(&mut Reader::new(1 << 6), &text, &mut terms);
        let words: Vec<&str> = terms.iter().map(|term| &text[term.start as usize..term.end as usize]).collect();
        assert_eq!((words.first(), words.last()), (Some(&"quay"), Some(&"tide")));
        assert!(words.iter().all(|word| *word != "middle"));
        // Of a word that is cut there are a stem and a form.
        let cut = words.iter().filter(|word| !["água", "quay", "tide"].contains(word)).count();
        assert!(cut <= 4, "{cut} pieces");
    }
}
