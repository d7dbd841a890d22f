//! The normal distribution and the quantile of Student's.

use std::f64::consts::{LN_2, PI, SQRT_2};

/// The 97.5 % quantile: 95 % lie between minus this and this.
pub(crate) const TWO_SIDED: f64 = 1.959_963_984_540_054;
/// The 80 % quantile.
pub(crate) const EIGHTY: f64 = 0.841_621_233_572_914_3;

/// The probability of less than `z`.
pub(crate) fn below(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The logarithm of [`below`], which does not underflow.
pub(crate) fn ln_below(z: f64) -> f64 {
    if z > -30.0 {
        return below(z).ln();
    }
    // Mills' ratio by its asymptotic series; the next term is below 10^-7 of the whole here.
    let square = (z * z).recip();
    -0.5 * z * z - (-z).ln() - 0.5 * (LN_2 + PI.ln()) + (-square * (1.0 - 3.0 * square)).ln_1p()
}

/// The probability of less than `t` in Student's distribution, of any positive degrees of freedom.
pub(crate) fn student_below(t: f64, degrees: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + t * t));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The quantile of Student's distribution to which belongs the normal quantile `z`, by bisection: to nine digits.
pub(crate) fn student(z: f64, degrees: f64) -> f64 {
    let probability = below(-z.abs());
    let (mut low, mut high) = (0.0, 1.0);
    while student_below(-high, degrees) > probability && high < 1e12 {
        (low, high) = (high, 2.0 * high);
    }
    while high - low > 1e-10 * high {
        let middle = (low + high) / 2.0;
        if student_below(-middle, degrees) > probability { low = middle } else { high = middle }
    }
    high.copysign(z)
}

/// The regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8) in Lentz's way.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * x.ln() + b * (-x).ln_1p();
    let away = |number: f64| if number.abs() < 1e-300 { 1e-300 } else { number };
    let (mut above, mut below) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut value = below;
    for step in 1..100_000 {
        let m = f64::from(step);
        for part in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            below = 1.0 / away(1.0 + part * below);
            above = away(1.0 + part / above);
            value *= below * above;
        }
        if (below * above - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front.exp() * value / a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        assert!((below(TWO_SIDED) - 0.975).abs() < 1e-15);
        assert!((below(EIGHTY) - 0.8).abs() < 1e-15);
        let table = [
            (1.0, 12.706_205),
            (2.0, 4.302_653),
            (3.0, 3.182_446),
            (9.0, 2.262_157),
            (30.0, 2.042_272),
            (1e6, 1.959_966),
        ];
        for (degrees, quantile) in table {
            assert!((student(TWO_SIDED, degrees) / quantile - 1.0).abs() < 1e-6, "{degrees}");
            assert!((student_below(quantile, degrees) - 0.975).abs() < 1e-7);
        }
        // Between 2 and 3.
        assert!((3.3..4.2).contains(&student(TWO_SIDED, 2.5)) && student(-TWO_SIDED, 2.0) < -4.3);
    }

    #[test]
    fn the_logarithm_is_smooth_where_the_formula_changes() {
        let (before, after) = (ln_below(-30.0 + 1e-9), ln_below(-30.0 - 1e-9));
        assert!((before - after).abs() < 1e-6, "{before} {after}");
        assert!((ln_below(-40.0) + 804.608_442).abs() < 1e-5, "{}", ln_below(-40.0));
    }
}
