//! The likelihood ratio of results that are counted from the worst to the best. Under each hypothesis, it takes the
//! likeliest distribution that the hypothesis allows. See fishtest's LLRcalc, and Van den Bergh, "The generalized
//! maximum likelihood ratio for the multinomial distribution".

use super::{Hypotheses, Scale};
use crate::interval::Moments;

/// For results that never came, so that no likelihood is zero.
const NEVER: f64 = 0.001;

/// How much of the way to a pole one step goes at most.
const NEARER: f64 = 0.9;

/// The logarithm of the likelihood ratio of H1 to H0, from how often pairs brought 0, 1/2, 1, 3/2 and 2 points; 0
/// without pairs.
///
/// # Example
/// ```
/// use agon_stats::sprt::{Hypotheses, Scale, llr};
/// let hypotheses = Hypotheses { scale: Scale::Normalised, elo0: 0.0, elo1: 2.0, alpha: 0.05, beta: 0.05 };
/// let found = llr(&hypotheses, [379, 10170, 21828, 10640, 343]);
/// assert!((2.945..=2.946).contains(&found));
/// ```
pub fn llr(hypotheses: &Hypotheses, counts: [u64; 5]) -> f64 {
    ratio(hypotheses, &counts, 2.0)
}

/// The same for any results, each of this number of games.
pub(super) fn ratio(hypotheses: &Hypotheses, counts: &[u64], games: f64) -> f64 {
    if counts.iter().all(|count| *count == 0) {
        return 0.0;
    }
    let counts: Vec<f64> = counts.iter().map(|count| if *count == 0 { NEVER } else { *count as f64 }).collect();
    let all: f64 = counts.iter().sum();
    let seen: Vec<f64> = counts.iter().map(|count| count / all).collect();
    let parts = [hypotheses.elo0, hypotheses.elo1].map(|elo| match hypotheses.scale {
        Scale::Logistic => divisors(&seen, &offsets(seen.len(), score(elo))),
        Scale::Normalised => normalised(&seen, t_value(elo, games)),
    });
    let ratio = |place: usize| seen[place] * (parts[0][place] / parts[1][place]).ln();
    all * (0..seen.len()).map(ratio).sum::<f64>()
}

/// The score of a result, from 0 to 1, by its place among this number of results.
pub(super) fn score_at(place: usize, results: usize) -> f64 {
    place as f64 / (results - 1) as f64
}

/// The expected score of a logistic Elo difference.
pub(super) fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A normalised Elo difference as (mean - 1/2) / deviation of the score of this number of games. The deviation of the
/// mean of two is that of one divided by the root of two.
pub(super) fn t_value(elo: f64, games: f64) -> f64 {
    elo * games.sqrt() * std::f64::consts::LN_10 / 800.0
}

/// Mean and variance of a score.
pub(super) fn moments(chances: &[f64]) -> (f64, f64) {
    let at = |place: usize| score_at(place, chances.len());
    let mean: f64 = (0..chances.len()).map(|place| chances[place] * at(place)).sum();
    let variance = (0..chances.len()).map(|place| chances[place] * (at(place) - mean).powi(2)).sum();
    (mean, variance)
}

/// How results with these chances lie about their mean.
pub(super) fn shape(chances: &[f64]) -> Moments {
    Moments::new((0..chances.len()).map(|place| (score_at(place, chances.len()), chances[place])))
}

fn offsets(results: usize, mean: f64) -> Vec<f64> {
    (0..results).map(|place| score_at(place, results) - mean).collect()
}

/// The divisor of the observed chances that gives the likeliest ones under which the offsets have mean zero.
///
/// They are 1 + theta * offset with the theta between the poles at which sum(seen * offset / divisor) is zero. The sum
/// falls steadily, so that Newton's method, kept between the ends that were proved too small and too great and off the
/// poles, finds it.
fn divisors(seen: &[f64], offsets: &[f64]) -> Vec<f64> {
    let (least, most) =
        offsets.iter().fold((0.0f64, 0.0f64), |(least, most), offset| (least.min(*offset), most.max(*offset)));
    if least == 0.0 || most == 0.0 {
        return vec![1.0; seen.len()]; // no distribution meets the condition; the bounds of Elo keep this out
    }
    let poles = (-1.0 / most, -1.0 / least);
    let ((mut low, mut high), mut theta) = (poles, 0.0);
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for place in 0..seen.len() {
            let part = offsets[place] / (1.0 + theta * offsets[place]);
            value += seen[place] * part;
            slope -= seen[place] * part * part;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        // A step too near to a pole would end there: a point at a pole takes no visible step.
        let (below, above) = (theta - poles.0, poles.1 - theta);
        let newton = (theta - value / slope).clamp(theta - NEARER * below, theta + NEARER * above);
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        let step = (next - theta).abs();
        theta = next;
        if step < 1e-11 * below.min(above) {
            break;
        }
    }
    offsets.iter().map(|offset| 1.0 + theta * offset).collect()
}

/// The same for the condition (mean - 1/2) / deviation = t, which is made linear about the distribution found before.
fn normalised(seen: &[f64], t: f64) -> Vec<f64> {
    let results = seen.len();
    let mut chances = vec![1.0 / results as f64; results];
    let mut found = vec![1.0; results];
    for _ in 0..10 {
        let (mean, variance) = moments(&chances);
        let deviation = variance.sqrt();
        let offset = |score: f64| score - 0.5 - t * deviation / 2.0 * (1.0 + (score - mean).powi(2) / variance);
        let offsets: Vec<f64> = (0..results).map(|place| offset(score_at(place, results))).collect();
        found = divisors(seen, &offsets);
        let next: Vec<f64> = (0..results).map(|place| seen[place] / found[place]).collect();
        let change = (0..results).map(|place| (next[place] - chances[place]).abs()).fold(0.0, f64::max);
        chances = next;
        if change < 1e-9 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hypotheses(scale: Scale, elo0: f64, elo1: f64) -> Hypotheses {
        Hypotheses { scale, elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn both_scales_follow_their_quick_forms() {
        let counts = [40, 210, 430, 240, 50];
        let (mean, variance) = moments(&counts.map(|count| count as f64 / 970.0));
        let quick = |low: f64, high: f64| 970.0 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance);
        let logistic = llr(&hypotheses(Scale::Logistic, 0.0, 5.0), counts);
        assert!((logistic / quick(0.5, score(5.0)) - 1.0).abs() < 0.01, "{logistic}");
        let normalised = llr(&hypotheses(Scale::Normalised, 0.0, 5.0), counts);
        let expected = quick(0.5, 0.5 + t_value(5.0, 2.0) * variance.sqrt());
        assert!((normalised / expected - 1.0).abs() < 0.01, "{normalised} {expected}");
    }

    /// The same by halving alone.
    fn divisors_by_halving(seen: &[f64], offsets: &[f64]) -> Vec<f64> {
        let most = offsets.iter().fold(0.0f64, |most, offset| most.max(*offset));
        let least = offsets.iter().fold(0.0f64, |least, offset| least.min(*offset));
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        for _ in 0..100 {
            let theta = (low + high) / 2.0;
            let sum: f64 = (0..5).map(|place| seen[place] * offsets[place] / (1.0 + theta * offsets[place])).sum();
            if sum > 0.0 { low = theta } else { high = theta }
        }
        offsets.iter().map(|offset| 1.0 + (low + high) / 2.0 * offset).collect()
    }

    #[test]
    fn few_results_are_weighed_as_exactly_as_many() {
        // With 0, 11, 4, 1 and 1 the first step of Newton's method is to a pole.
        for number in 1..9u32.pow(5) {
            let mut counts = [0, 1, 2, 3, 4].map(|place| f64::from(number / 9u32.pow(place) % 9));
            counts[1] += 3.0 * counts[3] + 8.0 * counts[4];
            let seen = counts.map(|count| count.max(NEVER) / counts.iter().map(|count| count.max(NEVER)).sum::<f64>());
            for elo in [0.0, 5.0] {
                let (found, plain) =
                    (divisors(&seen, &offsets(5, score(elo))), divisors_by_halving(&seen, &offsets(5, score(elo))));
                for (found, plain) in found.iter().zip(plain) {
                    assert!((found / plain - 1.0).abs() < 1e-6, "{counts:?} {elo}: {found} for {plain}");
                }
            }
        }
    }

    #[test]
    fn the_conditions_hold_at_the_distributions_found() {
        let seen = [0.05, 0.2, 0.4, 0.25, 0.1];
        for t in [-0.5, 0.0, 0.02, 0.8] {
            let found = normalised(&seen, t);
            let chances: [f64; 5] = std::array::from_fn(|place| seen[place] / found[place]);
            let (mean, variance) = moments(&chances);
            assert!(((mean - 0.5) / variance.sqrt() - t).abs() < 1e-6, "{t}");
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn sides_exchanged_turn_the_sign() {
        for scale in [Scale::Logistic, Scale::Normalised] {
            let one = llr(&hypotheses(scale, 0.0, 30.0), [3, 0, 9, 12, 7]);
            let other = llr(&hypotheses(scale, -30.0, 0.0), [7, 12, 9, 0, 3]);
            assert!((one + other).abs() < 1e-9);
            assert!(llr(&hypotheses(scale, 0.0, 30.0), [0, 0, 0, 0, 1]).is_finite());
            assert_eq!(llr(&hypotheses(scale, 0.0, 30.0), [0; 5]), 0.0);
        }
    }
}
