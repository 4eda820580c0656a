//! How long the choice of levels takes at a budget of 2,000 tokens, best of 20 runs: as a selection asks it, where skills whose
//! names alone would take twice the budget are out of reach, and over all skills at four levels each.
//!
//! `cargo bench --bench fit`

#[path = "../src/knapsack.rs"]
#[allow(dead_code, reason = "the bench calls one function of it")]
mod knapsack;

use std::time::Instant;

use knapsack::{Choice, pack};

/// A small generator, so that every run has the same skills.
fn random(state: &mut u64) -> f64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// Prices in sixteenths of a token; few skills are relevant, as in a real catalog.
fn classes(skills: usize) -> Vec<Vec<Choice>> {
    let mut state = 88_172_645_463_325_252;
    let class = |_| {
        let relevance = random(&mut state).powi(12);
        let (mut cost, mut value) = (0, 0.0);
        let level = |(tokens, share): (f64, f64)| {
            cost += (tokens * (0.5 + random(&mut state)) * 16.0) as u32 + 1;
            value += share * relevance + 0.0006;
            Choice { cost, value }
        };
        [(5.5, 0.1), (25.0, 0.6), (20.0, 0.3), (900.0, 0.5)].into_iter().map(level).collect()
    };
    (0..skills).map(class).collect()
}

/// The budget, in sixteenths of a token.
const CAPACITY: u64 = 2_000 * 16;

fn main() {
    println!("| skills | fit ms | all at four levels, ms | ns a skill |\n|--:|--:|--:|--:|");
    for skills in [100, 1_000, 10_000, 100_000] {
        let all = classes(skills);
        let best = |classes: &[Vec<Choice>]| {
            let run = |_| {
                let start = Instant::now();
                std::hint::black_box(pack(classes, CAPACITY));
                start.elapsed().as_secs_f64()
            };
            (0..20).map(run).fold(f64::INFINITY, f64::min)
        };
        let mut names = 0;
        let reached = |class: &Vec<Choice>| {
            let within = names <= CAPACITY * 2;
            names += u64::from(class[0].cost);
            if within { class.clone() } else { Vec::new() }
        };
        let selected: Vec<Vec<Choice>> = all.iter().map(reached).collect();
        let (fit, whole) = (best(&selected), best(&all));
        println!("| {skills} | {:.3} | {:.3} | {:.0} |", fit * 1e3, whole * 1e3, whole * 1e9 / skills as f64);
    }
}
