//! From scores to probabilities: how sure we are that a skill is the one.
//!
//! A logistic model of the score, the score without its division, and the margin to the best other skill, fitted on
//! sub-catalogs of 50, 120 and 500 real skills with queries on and off their topics (benches/quality).

use crate::top::{descending, least};

/// From here on a skill counts as found: 98 % of on-topic queries have such a skill, 35 % of off-topic ones.
pub(crate) const CONFIDENT: f64 = 0.03;

/// Scores that go through the model; the many behind them fall evenly to nothing.
const MODELLED: usize = 96;

struct Model {
    constant: f64,
    score: f64,
    mass: f64,
    /// For the best skill: what it is ahead of the next. For the others: what they are behind the best.
    ahead: f64,
    behind: f64,
}

const WITH_BODIES: Model = Model { constant: -10.8, score: 1.75, mass: 2.88, ahead: 2.43, behind: 9.42 };
const WITHOUT_BODIES: Model = Model { constant: -9.28, score: -0.93, mass: 3.07, ahead: 1.5, behind: 5.64 };

impl Model {
    /// Grows with the score: the term in the logarithm outweighs the one before it wherever scores can be.
    fn probability(&self, score: f64, ideal: f64, margin: f64) -> f64 {
        let share = if margin > 0.0 { self.ahead } else { self.behind };
        let mass = libm::log1p(score * ideal);
        1.0 / (1.0 + libm::exp(-(self.constant + self.score * score + self.mass * mass + share * margin)))
    }
}

/// In a catalog of ten no word can be rare: what its evidence weighs beside the same in a catalog of 200.
fn small_catalog(skills: usize) -> f64 {
    let rarity = |skills: f64| 3.0 + 0.4 * libm::log(1.0 + (skills - 0.5) / 1.5);
    if skills == 0 { 1.0 } else { (rarity(200.0) / rarity(skills as f64)).max(1.0) }
}

/// Probability for each score that its skill is the right one; 0 for a score of 0. Keeps the order.
pub(crate) fn calibrate(scores: &[f64], ideal: f64, bodies: bool) -> Vec<f64> {
    let ideal = ideal * small_catalog(scores.len());
    let model = if bodies { WITH_BODIES } else { WITHOUT_BODIES };
    let mut top: Vec<f64> = best(scores, MODELLED + 1).into_iter().map(|at| scores[at as usize]).collect();
    top.sort_unstable_by(|a, b| b.total_cmp(a));
    let [best, second, least] = [0, 1, MODELLED].map(|place| top.get(place).map_or(0.0, |score| score.max(0.0)));
    let modelled = |score: f64| {
        let other = if score >= best { second } else { best };
        model.probability(score, ideal, ((score - other) / score.max(other)).clamp(-1.0, 1.0))
    };
    let slope = if least > 0.0 { modelled(least) / least } else { 0.0 };
    let least = least.max(f64::MIN_POSITIVE);
    let probability = |&score: &f64| match score {
        score if score >= least => modelled(score),
        score if score > 0.0 => score * slope,
        _ => 0.0,
    };
    scores.iter().map(probability).collect()
}

/// Where the best scores are, ascending; of equal ones the first.
pub(crate) fn best(scores: &[f64], most: usize) -> Vec<u32> {
    let keys = scores.iter().zip(0..).map(|(&score, at)| (descending(score), at));
    let mut places: Vec<u32> = least(keys, most).into_iter().map(|(_, at)| at).collect();
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use super::calibrate;

    #[test]
    fn keeps_the_order_and_stays_a_probability() {
        for bodies in [true, false] {
            for ideal in [1e-6, 3.0, 60.0, 4000.0] {
                let scores: Vec<f64> = (0..1500).map(|i| f64::from(i) / 1000.0).collect();
                let found = calibrate(&scores, ideal, bodies);
                assert!(found.windows(2).all(|pair| pair[0] <= pair[1]), "ideal {ideal}");
                assert!(found.iter().all(|p| (0.0..=1.0).contains(p)));
                assert!(found[0] == 0.0 && found[1] > 0.0);
            }
        }
        assert!(calibrate(&[], 1.0, true).is_empty());
    }
}
