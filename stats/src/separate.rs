//! Computes the number of blocks that it takes to separate two clients.

use crate::normal::{EIGHTY, TWO_SIDED};

/// How many blocks in all would show a difference, from what `blocks` of them have shown of it so far.
///
/// With variance s^2 a block, B blocks leave the error s / sqrt(B). A difference d is seen at the 95 % level with a
/// probability of 80 % where d = (1.96 + 0.84) errors (the usual sample size; Cohen, Statistical Power Analysis, 1988,
/// section 2.4), so B = (2.80 s / d)^2. It supposes that the true difference is the estimated one; far below one error
/// that is a guess.
///
/// `difference` and `error` in one unit, whichever. Matches may be given instead of blocks: then matches come out.
/// `None` where the difference is zero or the number beyond 10^15.
pub fn blocks_to_separate(difference: f64, error: f64, blocks: f64) -> Option<u64> {
    let needed = blocks * ((TWO_SIDED + EIGHTY) * error / difference).powi(2);
    (needed.is_finite() && needed < 1e15).then(|| needed.ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_the_difference_takes_four_times_the_blocks() {
        // (1.959964 + 0.841621)^2 = 7.84888.
        assert_eq!(blocks_to_separate(10.0, 10.0, 1000.0), Some(7849));
        assert_eq!(blocks_to_separate(-5.0, 10.0, 1000.0), Some(31396));
        assert_eq!(blocks_to_separate(0.0, 10.0, 1000.0), None);
        assert_eq!(blocks_to_separate(0.0, 0.0, 1000.0), None);
    }
}
