//! From scores to probabilities: how sure we are that a skill is the one.
//!
//! A logistic model of the score, the score without its division, and the margin to the best other skill, fitted on
//! sub-catalogs of 50, 120 and 500 real skills with queries on and off their topics (benches/quality).

/// From here on a skill counts as found.
pub(crate) const CONFIDENT: f64 = 0.05;

struct Model {
    constant: f64,
    score: f64,
    mass: f64,
    margin: f64,
}

const WITH_BODIES: Model = Model { constant: -7.70, score: 4.29, mass: 1.25, margin: 3.56 };
const WITHOUT_BODIES: Model = Model { constant: -6.41, score: 4.49, mass: 1.34, margin: 2.75 };

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// Probability for each score that its skill is the right one; 0 for a score of 0. Keeps the order.
pub(crate) fn calibrate(scores: &[f64], ideal: f64, bodies: bool) -> Vec<f64> {
    let model = if bodies { WITH_BODIES } else { WITHOUT_BODIES };
    let best = scores.iter().copied().fold(0.0, f64::max);
    let second = {
        let mut rest = scores.iter().copied().filter(|&score| score < best);
        let tied = scores.iter().filter(|&&score| score >= best).count() > 1;
        if tied { best } else { rest.by_ref().fold(0.0, f64::max) }
    };
    let probability = |&score: &f64| {
        if score <= 0.0 {
            return 0.0;
        }
        let other = if score >= best { second } else { best };
        let margin = ((score - other) / score.max(other)).clamp(-1.0, 1.0);
        sigmoid(model.constant + model.score * score + model.mass * libm::log1p(score * ideal) + model.margin * margin)
    };
    scores.iter().map(probability).collect()
}
