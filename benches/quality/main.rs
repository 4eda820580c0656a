//! Ranking quality on labelled sets, in figures that can be compared with other systems (`benches/quality/peers.mjs`).
//!
//! `cargo bench --bench quality [-- part ...]` with the parts `sets`, `small`, `typos`, `confidence`, `speed`; all without.

mod baseline;
mod data;
mod measure;
mod random;
mod sure;

use std::time::Instant;

use baseline::Bm25;
use data::{Labelled, Set, read, without_bodies};
use measure::{Measures, asked, measure, ours};
use random::{Random, mistyped, sub_catalog};
use skillpick::{Index, Query, Skill, relevance};

/// One part of the run.
type Run = fn(&Set);

const SETS: &[&str] = &["skill-evals-dev", "skillsbench-2k", "metatool-single", "acebench-zh", "livemcpbench", "bfcl"];

fn row(name: &str, of: &Measures) {
    let figures = [of.hit_1, of.hit_5, of.hit_10, of.recall_10, of.reciprocal, of.gain];
    let figures: Vec<_> = figures.iter().map(|figure| format!("{:6.2}", figure * 100.0)).collect();
    println!("{name:<36} {:>6} {}", of.queries, figures.join(" "));
}

fn sets(sets: &[Set]) {
    println!("{:<36} queries  hit@1  hit@5 hit@10   R@10    MRR   nDCG", "set");
    for set in sets {
        if set.bodies {
            report(&format!("{} with bodies", set.name), set, &set.skills);
        }
        report(&set.name, set, &without_bodies(&set.skills));
    }
}

fn report(name: &str, set: &Set, skills: &[Skill]) {
    let index = Index::build(skills);
    let (micro, by_source) = measure(&set.queries, &*ours(skills, &index));
    row(name, &micro);
    if by_source.queries > 1.0 {
        row(&format!("{name}, mean of sources"), &by_source);
    }
}

/// Small catalogs, where most hosts are: ours beside plain BM25 on the same text.
fn small(set: &Set) {
    println!("\n{:<36} queries  hit@1  hit@5 hit@10   R@10    MRR   nDCG", "sub-catalogs");
    for bodies in [true, false] {
        for size in [50, 120, 500] {
            let mut random = Random(size as u64);
            let (mut own, mut plain) = (Measures::default(), Measures::default());
            for _ in 0..12 {
                let mut sub = sub_catalog(set, size, &mut random);
                if !bodies {
                    sub.skills = without_bodies(&sub.skills);
                }
                let index = Index::build(&sub.skills);
                let baseline = Bm25::build(&sub.skills);
                own.join(&measure(&sub.queries, &*ours(&sub.skills, &index)).0);
                plain.join(&measure(&sub.queries, &|text| baseline.scores(text)).0);
            }
            let label = if bodies { "with bodies" } else { "without bodies" };
            row(&format!("{size} {label}: skillpick"), &own.mean());
            row(&format!("{size} {label}: plain BM25"), &plain.mean());
        }
    }
}

/// One typing error a query: with and without correction, beside the clean queries.
fn typos(set: &Set) {
    println!("\n{:<36} queries  hit@1  hit@5 hit@10   R@10    MRR   nDCG", "typing errors");
    for (label, skills) in [("with bodies", set.skills.clone()), ("without bodies", without_bodies(&set.skills))] {
        let index = Index::build(&skills);
        let mut random = Random(7);
        let (mut clean, mut wrong) = (Vec::new(), Vec::new());
        for of in &set.queries {
            if let Some(query) = mistyped(&of.query, &mut random) {
                let labelled = |query| Labelled { query, relevant: of.relevant.clone(), source: String::new() };
                clean.push(labelled(of.query.clone()));
                wrong.push(labelled(query));
            }
        }
        let all: Vec<u32> = (0..skills.len() as u32).collect();
        let literal = |text: &str| {
            let context = asked(text);
            let query = Query::literal(&context, &skills, &index);
            relevance(&skills, &index, &query, &context, &all).iter().map(|of| of.score).collect::<Vec<_>>()
        };
        row(&format!("clean, {label}"), &measure(&clean, &*ours(&skills, &index)).0);
        row(&format!("clean, no correction, {label}"), &measure(&clean, &literal).0);
        row(&format!("typed, no correction, {label}"), &measure(&wrong, &literal).0);
        row(&format!("typed, corrected, {label}"), &measure(&wrong, &*ours(&skills, &index)).0);
    }
}

/// Time of a query, time of building, size of the index.
fn speed(set: &Set) {
    println!("\n{:<28} skills    build ms   index KB   read us  score us  both us", "speed");
    for (label, skills) in [("with bodies", set.skills.clone()), ("without bodies", without_bodies(&set.skills))] {
        let start = Instant::now();
        let index = Index::build(&skills);
        let build = start.elapsed().as_secs_f64() * 1e3;
        let all: Vec<u32> = (0..skills.len() as u32).collect();
        let contexts: Vec<_> = set.queries.iter().map(|of| asked(&of.query)).collect();
        let (mut reading, mut scoring) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            for context in &contexts {
                let start = Instant::now();
                let query = Query::read(context, &skills, &index);
                let read = start.elapsed();
                std::hint::black_box(relevance(&skills, &index, &query, context, &all));
                reading.push(read.as_secs_f64() * 1e6);
                scoring.push(start.elapsed().saturating_sub(read).as_secs_f64() * 1e6);
            }
        }
        let (read, score) = (median(reading), median(scoring));
        let size = index.size() / 1024;
        println!(
            "{label:<28} {:>6} {build:>11.1} {size:>10} {read:>9.1} {score:>9.1} {:>8.1}",
            skills.len(),
            read + score
        );
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn main() {
    if !data::folder().exists() {
        println!("no labelled sets at {}: set SKILLPICK_SHARED", data::folder().display());
        return;
    }
    let parts: Vec<String> = std::env::args().skip(1).filter(|part| !part.starts_with('-')).collect();
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|other| other == part);
    let start = Instant::now();
    let only = std::env::var("SETS").ok();
    let names = SETS.iter().filter(|name| only.as_ref().is_none_or(|only| only.split(',').any(|part| part == **name)));
    let all: Vec<Set> = names.map(|name| read(name)).collect();
    let negatives: usize = all.iter().map(|set| set.negatives.len()).sum();
    eprintln!("read in {:?}, {negatives} negatives", start.elapsed());
    if wanted("sets") {
        sets(&all);
    }
    let evals = all.iter().find(|set| set.name == "skill-evals-dev");
    if let Some(set) = evals {
        let runs: [(&str, Run); 4] =
            [("small", small), ("typos", typos), ("confidence", sure::confidence), ("speed", speed)];
        runs.into_iter().filter(|(part, _)| wanted(part)).for_each(|(_, run)| run(set));
        if parts.iter().any(|part| part == "fit") {
            sure::dump(set);
        }
    }
    eprintln!("done in {:?}", start.elapsed());
}
