//! Ranking quality on labelled sets, in figures that can be compared with other systems (`benches/quality/peers.mjs`).
//!
//! `cargo bench --bench quality [-- part ...]` with the parts `sets`, `small`, `typos`, `confidence`, `speed`; all without.

mod data;
mod measure;

use std::time::Instant;

use data::{Set, read, without_bodies};
use measure::{Measures, measure, ours};
use skillpick::{Index, Skill};

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
    eprintln!("done in {:?}", start.elapsed());
}
