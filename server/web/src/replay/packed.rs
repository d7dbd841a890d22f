//! Numbers as the data of a replay has them.

/// A number in digits of base 36, the least first; those from 18 on say that more follow.
pub(super) fn pack(to: &mut String, number: usize) {
    let digit = |value: usize| char::from_digit(value as u32, 36).unwrap_or_default();
    let mut rest = number;
    while rest > 17 {
        to.push(digit(18 + rest % 18));
        rest /= 18;
    }
    to.push(digit(rest));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_packed_small_ones_into_one_digit() {
        let packed = |number| {
            let mut text = String::new();
            pack(&mut text, number);
            text
        };
        for (number, text) in [(0, "0"), (17, "h"), (18, "i1"), (35, "z1"), (324, "ii1"), (1000, "sj3")] {
            assert_eq!(packed(number), text, "{number}");
        }
    }
}
