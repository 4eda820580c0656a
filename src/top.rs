//! The first few of many, in one pass.

/// What something is ordered by, and which it is.
pub(crate) type Key = (u64, u32);

/// The `most` least keys, in no order.
pub(crate) fn least(keys: impl Iterator<Item = Key>, most: usize) -> Vec<Key> {
    if most == 0 {
        return Vec::new();
    }
    // Twice as many before the worse half is dropped, so that few of the many are looked at more than once.
    let mut kept = Vec::new();
    let mut bound = (u64::MAX, u32::MAX);
    for key in keys {
        if key.0 < bound.0 || key.0 == bound.0 && key.1 <= bound.1 {
            kept.push(key);
            if kept.len() == most.saturating_mul(2) {
                bound = halve(&mut kept, most);
            }
        }
    }
    if kept.len() > most {
        halve(&mut kept, most);
    }
    kept
}

/// Keeps the `most` least, and gives the greatest of them.
fn halve(kept: &mut Vec<Key>, most: usize) -> Key {
    let bound = *kept.select_nth_unstable(most - 1).1;
    kept.truncate(most);
    bound
}

/// A key that is the less the greater the score; what is below 0 counts as 0. As bits, which are ordered as the numbers are: the
/// maximum of two numbers takes three times as long in the wasm.
#[inline]
pub(crate) fn descending(score: f64) -> u64 {
    !(score.to_bits().cast_signed().max(0).cast_unsigned())
}

#[cfg(test)]
mod tests {
    use super::{Key, descending, least};

    #[test]
    fn keeps_what_a_sort_would_put_first() {
        let keys: Vec<Key> = (0..2_000_u32).map(|at| (u64::from(at.wrapping_mul(0x9E37_79B1) >> 24), at)).collect();
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        for most in [0, 1, 2, 63, 64, 999, 1_000, 1_999, 2_000, 3_000, usize::MAX] {
            let mut found = least(keys.iter().copied(), most);
            found.sort_unstable();
            assert_eq!(found, sorted[..most.min(2_000)], "{most}");
        }
    }

    #[test]
    fn greater_scores_come_first() {
        let scores = [1.0, 0.5, 0.25, f64::MIN_POSITIVE, 0.0];
        assert!(scores.is_sorted_by(|&a, &b| descending(a) < descending(b)));
        assert_eq!(descending(-0.0), descending(0.0));
        assert_eq!(descending(-1.0), descending(0.0));
    }
}
