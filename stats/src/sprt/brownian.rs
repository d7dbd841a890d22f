//! Approximates a test by Brownian motion from zero between two bounds, with a drift, and variance 1 per unit of time.

use crate::normal::ln_below;

/// The probability that motion with this drift reaches `upper` (above 0) by `time`, and had not reached `lower` (below
/// 0) before.
///
/// By reflection: the motion reaches the images of the upper bound at the distances d + 2 k A and those at d + 2 k A +
/// 2 x, where A is the width and d and x are the distances of the bounds; the former count, the latter are taken off,
/// and drift weighs each path by its end (Borodin and Salminen, Handbook of Brownian Motion, 2002, part II 2.3.0.6). In
/// logarithms, so that nothing overflows.
pub(super) fn reaches_upper(lower: f64, upper: f64, time: f64, drift: f64) -> f64 {
    let width = upper - lower;
    let image = |distance: f64| {
        let there = drift * (upper - distance) + ln_below((drift * time - distance) / time.sqrt());
        let back = drift * (upper + distance) + ln_below(-(drift * time + distance) / time.sqrt());
        there.exp() + back.exp()
    };
    let mut sum = 0.0;
    for turn in 0.. {
        let distance = upper + 2.0 * f64::from(turn) * width;
        let part = image(distance);
        sum += part - image(distance - 2.0 * lower);
        if part < 1e-13 || turn >= 100_000 {
            break;
        }
    }
    sum.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_the_end_it_is_the_gamblers_ruin() {
        for drift in [-2.0, -0.5, -0.01, 0.01, 0.5, 2.0f64] {
            let (lower, upper) = (-2.0, 3.0);
            let ruin = (-2.0 * drift * lower).exp_m1() / ((-2.0 * drift * lower).exp() - (-2.0 * drift * upper).exp());
            assert!((reaches_upper(lower, upper, 2000.0, drift) - ruin).abs() < 1e-9, "{drift}");
        }
    }

    #[test]
    fn with_the_lower_bound_far_away_it_is_the_inverse_gaussian_distribution() {
        // Without drift: 2 (1 - Phi(d / sqrt(t))).
        let found = reaches_upper(-100.0, 2.0, 4.0, 0.0);
        assert!((found - 2.0 * crate::normal::below(-1.0)).abs() < 1e-12);
    }

    #[test]
    fn great_drifts_are_certainties() {
        assert_eq!(reaches_upper(-3.0, 3.0, 5.0, 200.0), 1.0);
        assert_eq!(reaches_upper(-3.0, 3.0, 5.0, -200.0), 0.0);
    }
}
