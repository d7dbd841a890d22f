//! Binary logarithms as whole numbers, so that entropies are compared alike on every machine and in every order of
//! summing.
//!
//! The logarithm of a number is the sum of those of its prime factors. Parts whose sizes have equal products of powers
//! therefore have equal entropies to the last bit, as 4, 1, 1, 1, 1 and 2, 2, 2, 2 do.

/// Binary digits after the point.
const FRACTION: u32 = 40;

/// n log2 n for each n from 0 to `most` (at most 2^16), in units of 2^-40.
pub fn weighted(most: usize) -> Vec<u64> {
    let mut logs = vec![0; most + 1];
    for n in 2..=most {
        let factor = (2..).take_while(|factor| factor * factor <= n).find(|factor| n % factor == 0);
        logs[n] = factor.map_or_else(|| log2(n as u64), |factor| logs[factor] + logs[n / factor]);
    }
    (0..).zip(logs).map(|(n, log)| n * log).collect()
}

/// The binary logarithm of a number from 1, cut after 40 digits: each digit by squaring what is left.
fn log2(n: u64) -> u64 {
    let whole = n.ilog2();
    let mut log = u64::from(whole) << FRACTION;
    // From 1 to below 2, in units of 2^-63.
    let mut rest = n << (63 - whole);
    for digit in (0..FRACTION).rev() {
        let square = (u128::from(rest) * u128::from(rest)) >> 63;
        let carries = square >> 64 == 1;
        log |= u64::from(carries) << digit;
        rest = if carries { (square >> 1) as u64 } else { square as u64 };
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_the_last_digits() {
        let unit = (1u64 << FRACTION) as f64;
        for (n, found) in weighted(8192).into_iter().enumerate().skip(1) {
            let expected = n as f64 * (n as f64).log2();
            assert!((found as f64 / unit - expected).abs() < 1e-6, "{n}");
        }
        assert_eq!(weighted(0), [0]);
    }

    #[test]
    fn equal_entropies_are_equal() {
        let of = weighted(12);
        assert_eq!(of[4] + 4 * of[1], 4 * of[2]);
        assert_eq!(of[6] + 6 * of[1], 2 * of[3] + 3 * of[2]);
        assert_eq!(of[8], 24 << FRACTION);
    }
}
