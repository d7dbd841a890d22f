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

/// The quantile of Student's distribution that belongs to the normal quantile `z`, by Fisher and Cornish's expansion (Abramowitz
/// and Stegun 26.7.5): within 0.001 for 95 % and nine or more degrees of freedom.
pub(crate) fn student(z: f64, degrees: f64) -> f64 {
    let (square, inverse) = (z * z, degrees.recip());
    let first = (square + 1.0) / 4.0;
    let second = ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let third = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    z * (1.0 + inverse * (first + inverse * (second + inverse * third)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        assert!((below(TWO_SIDED) - 0.975).abs() < 1e-15);
        assert!((below(EIGHTY) - 0.8).abs() < 1e-15);
        for (degrees, quantile) in [(9.0, 2.262_157), (30.0, 2.042_272)] {
            assert!((student(TWO_SIDED, degrees) - quantile).abs() < 1e-3, "{degrees}");
        }
    }

    #[test]
    fn the_logarithm_is_smooth_where_the_formula_changes() {
        let (before, after) = (ln_below(-30.0 + 1e-9), ln_below(-30.0 - 1e-9));
        assert!((before - after).abs() < 1e-6, "{before} {after}");
        assert!((ln_below(-40.0) + 804.608_442).abs() < 1e-5, "{}", ln_below(-40.0));
    }
}
