//! Work at n, 2n and 4n of inputs made to be slow. By itself it does each once; `make bench-complexity` runs it under
//! callgrind, which counts the instructions of each call of [`measured`], and prints how they grow.

mod inputs;

use std::hint::black_box;

use inputs::{CASES, Case};

/// The one function that is counted.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}

fn main() {
    let only: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    for Case { name, size, prepare } in CASES {
        if !only.is_empty() && !only.iter().any(|word| word == name) {
            continue;
        }
        for n in [*size, 2 * size, 4 * size] {
            let mut work = prepare(n);
            measured(&mut || {
                black_box(work());
            });
            println!("{name} {n}");
        }
    }
}
