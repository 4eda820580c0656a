//! Confidence: are picks at 0.5 and above right, do off-topic queries stay quiet, do near misses score lower.

use skillpick::{Context, Index, Query, Skill, relevance};

use crate::data::{Labelled, Set, without_bodies};
use crate::measure::{asked, ours};
use crate::random::{Random, sub_catalog};

/// What no skill of these catalogs is for.
const OFF_TOPIC: &[&str] = &[
    "hi",
    "thanks, that was great",
    "how are you today?",
    "what's the capital of Portugal?",
    "tell me a joke about penguins",
    "who won the world cup in 1998?",
    "my cat keeps sneezing, should I worry?",
    "recommend a good pasta recipe for two",
    "how tall is Mount Kilimanjaro?",
    "what should I wear to a wedding in October?",
    "is it going to rain tomorrow in Leeds?",
    "write a birthday poem for my grandmother",
    "how do I get red wine out of a carpet?",
    "translate good morning into Greek",
    "what's the difference between a crocodile and an alligator?",
    "plan a weekend in Vienna with kids",
    "yes, go on",
    "ok do it",
    "why is the sky blue?",
    "how long do I boil an egg?",
    "suggest names for a golden retriever puppy",
    "what time is it in Tokyo?",
    "can you explain the rules of cricket?",
    "I feel a bit sad today",
    "how many moons has Jupiter?",
    "which herbs grow well on a shady balcony?",
    "what is the meaning of life?",
    "help me apologise to my neighbour for the noise",
    "which bus goes to the old harbour?",
    "how do I tie a bow tie?",
    "is a tomato a fruit?",
    "who painted the Night Watch?",
    "what are good exercises for lower back pain?",
    "remind me how to play rummy",
    "how do bees make honey?",
    "what's a polite way to decline an invitation?",
    "can dogs eat blueberries?",
    "how do I remove a splinter?",
    "give me three facts about Iceland",
    "what rhymes with orange?",
    "which wine goes with grilled trout?",
    "how do I fold a fitted sheet?",
    "why do leaves change colour in autumn?",
    "what's the best way to peel garlic?",
    "how old was Mozart when he died?",
    "what do I do with leftover rice?",
    "how do I train for a half marathon?",
    "what's the plot of Hamlet in two sentences?",
    "how many calories are in a banana?",
    "can I repot orchids in winter?",
    "my bicycle chain keeps slipping",
    "how do I cook dried chickpeas?",
    "where do swallows spend the winter?",
    "how much should I tip in Canada?",
    "what's the etiquette at a funeral?",
    "why does bread go stale?",
    "is it safe to swim after eating?",
    "tell me about the history of chess",
    "how do I stop a tap from dripping?",
    "what's the fastest land animal?",
];

/// Score of the best skill, and whether it is a wanted one.
fn best(skills: &[Skill], index: &Index, labelled: &Labelled) -> (f64, bool) {
    let scores = ours(skills, index)(&labelled.query);
    let order = |a: &usize, b: &usize| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a));
    let top = (0..scores.len()).max_by(order).unwrap_or(0);
    (scores[top], labelled.relevant.contains(&(top as u32)))
}

pub fn confidence(set: &Set) {
    println!("\n{:<22} picks>=.5 share  right   all right   off-topic>=.5   ECE of the best", "confidence");
    let meta = Set {
        name: set.name.clone(),
        skills: without_bodies(&set.skills),
        queries: clone(&set.queries),
        negatives: clone(&set.negatives),
        bodies: false,
    };
    for (label, set) in [("with bodies", set), ("without bodies", &meta)] {
        let (mut strong, mut strong_right, mut all, mut all_right, mut off, mut off_strong) = (0, 0, 0, 0, 0, 0);
        let mut bins = [(0.0, 0.0, 0.0); 10];
        for size in [50, 120, 500] {
            let mut random = Random(size as u64);
            for _ in 0..8 {
                let sub = sub_catalog(set, size, &mut random);
                let index = Index::build(&sub.skills);
                for labelled in &sub.queries {
                    let (score, right) = best(&sub.skills, &index, labelled);
                    all += 1;
                    all_right += usize::from(right);
                    strong += usize::from(score >= 0.5);
                    strong_right += usize::from(score >= 0.5 && right);
                    let bin = &mut bins[((score * 10.0) as usize).min(9)];
                    *bin = (bin.0 + 1.0, bin.1 + score, bin.2 + f64::from(u8::from(right)));
                }
                for text in OFF_TOPIC {
                    let query = Labelled { query: (*text).into(), relevant: Vec::new(), source: String::new() };
                    let (score, _) = best(&sub.skills, &index, &query);
                    if score >= 0.5 && std::env::var_os("VERBOSE").is_some() {
                        eprintln!("off topic at {score:.2}: {text}");
                    }
                    off += 1;
                    off_strong += usize::from(score >= 0.5);
                }
            }
        }
        let error: f64 = bins.iter().map(|bin| (bin.1 - bin.2).abs()).sum::<f64>() / f64::from(all);
        let share = |a: usize, b: usize| 100.0 * a as f64 / b.max(1) as f64;
        println!(
            "{label:<22} {strong:>9} {:>5.1}% {:>5.1}% {:>10.1}% {:>14.2}% {error:>14.3}",
            share(strong, all as usize),
            share(strong_right, strong),
            share(all_right, all as usize),
            share(off_strong, off)
        );
    }
    for (label, skills) in [("with bodies", set.skills.clone()), ("without bodies", without_bodies(&set.skills))] {
        println!("near misses against prompts, {label}: area under the curve {:.3}", near_misses(set, &skills));
    }
}

fn clone(queries: &[Labelled]) -> Vec<Labelled> {
    let copy =
        |of: &Labelled| Labelled { query: of.query.clone(), relevant: of.relevant.clone(), source: of.source.clone() };
    queries.iter().map(copy).collect()
}

/// How often a prompt scores its skill higher than a near miss scores the skill that it must not trigger.
fn near_misses(set: &Set, skills: &[Skill]) -> f64 {
    let index = Index::build(skills);
    let rank = ours(skills, &index);
    let of = |labelled: &Labelled| {
        let scores = rank(&labelled.query);
        labelled.relevant.iter().map(|&position| scores[position as usize]).fold(0.0, f64::max)
    };
    let sources: Vec<&str> = set.negatives.iter().map(|query| query.source.as_str()).collect();
    let positives: Vec<f64> = set.queries.iter().filter(|query| sources.contains(&&*query.source)).map(of).collect();
    let negatives: Vec<f64> = set.negatives.iter().map(of).collect();
    let mut wins = 0.0;
    for positive in &positives {
        for negative in &negatives {
            wins += if positive > negative {
                1.0
            } else if positive < negative {
                0.0
            } else {
                0.5
            };
        }
    }
    wins / (positives.len() * negatives.len()).max(1) as f64
}

/// One line a pair of query and skill, for fitting: size, bodies, right, score, logarithm of the mass, margin.
pub fn dump(set: &Set) {
    for (bodies, skills) in [(1, set.skills.clone()), (0, without_bodies(&set.skills))] {
        let set =
            Set { name: String::new(), skills, queries: clone(&set.queries), negatives: Vec::new(), bodies: false };
        for size in [50, 120, 500] {
            let mut random = Random(size as u64 + 1000);
            for _ in 0..12 {
                let sub = sub_catalog(&set, size, &mut random);
                let index = Index::build(&sub.skills);
                let off = OFF_TOPIC.iter().map(|text| Labelled {
                    query: (*text).into(),
                    relevant: Vec::new(),
                    source: "off".into(),
                });
                for labelled in sub.queries.iter().map(|of| clone(std::slice::from_ref(of)).remove(0)).chain(off) {
                    dump_one(&sub.skills, &index, &labelled, bodies, size);
                }
            }
        }
    }
}

fn dump_one(skills: &[Skill], index: &Index, labelled: &Labelled, bodies: u8, size: usize) {
    let context: Context = asked(&labelled.query);
    let query = Query::read(&context, skills, index);
    let all: Vec<u32> = (0..skills.len() as u32).collect();
    let found: Vec<f64> = relevance(skills, index, &query, &context, &all).iter().map(|of| of.strength).collect();
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|&a, &b| found[b].total_cmp(&found[a]));
    let off = u8::from(labelled.source == "off");
    for &place in order.iter().take(5) {
        let other = if place == order[0] { found[order[1]] } else { found[order[0]] };
        let margin = (found[place] - other) / found[place].max(other).max(1e-9);
        let right = u8::from(labelled.relevant.contains(&(place as u32)));
        let mass = (found[place] * query.ideal()).ln_1p();
        println!("{bodies} {size} {off} {right} {:.5} {mass:.4} {margin:.4}", found[place]);
    }
}
