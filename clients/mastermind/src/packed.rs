//! Codes as sets of bits, in which a reply is counted by two intersections.

use agon_client_api::mastermind::{Code, Codes, Reply};

/// A code of at most `64 * W` pegs times values. The pair of a place and its value is a bit of `places`; the first,
/// second, … occurrence of a value is a bit of `counts`, so that a value that two codes have a and b times is in both
/// min(a, b) times.
#[derive(Clone, Copy, Debug)]
pub struct Packed<const W: usize> {
    places: [u64; W],
    counts: [u64; W],
}

/// Words for every size.
pub const WIDEST: usize = 4;

/// How many numbers replies have: see [`Packed::reply`].
pub fn replies(codes: Codes) -> usize {
    (codes.pegs() + 1) * (codes.pegs() + 2) / 2
}

/// The number of a reply: of r right values in all, e of them exact, it is r (r + 1) / 2 + e.
pub fn number(reply: Reply) -> usize {
    let right = usize::from(reply.rr) + usize::from(reply.rw);
    right * (right + 1) / 2 + usize::from(reply.rr)
}

impl<const W: usize> Packed<W> {
    pub fn new(codes: Codes, code: &Code) -> Self {
        let (mut places, mut counts) = ([0; W], [0; W]);
        for (place, &value) in code[..codes.pegs()].iter().enumerate() {
            let before = code[..place].iter().filter(|other| **other == value).count();
            set(&mut places, place * codes.values() + usize::from(value));
            set(&mut counts, usize::from(value) * codes.pegs() + before);
        }
        Packed { places, counts }
    }

    /// The number of the reply that one code gives to the other.
    #[inline]
    pub fn reply(&self, other: &Self) -> usize {
        let (right, exact) = (common(&self.counts, &other.counts), common(&self.places, &other.places));
        (right * (right + 1) / 2 + exact) as usize
    }
}

fn set(words: &mut [u64], bit: usize) {
    words[bit / 64] |= 1 << (bit % 64);
}

#[inline]
fn common<const W: usize>(a: &[u64; W], b: &[u64; W]) -> u32 {
    (0..W).map(|word| (a[word] & b[word]).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_client_api::chance::rng;

    #[test]
    fn replies_are_those_of_the_rules() {
        let mut rng = rng(1);
        for (pegs, values) in [(1, 2), (4, 6), (5, 12), (3, 20), (12, 5), (12, 20)] {
            let codes = Codes::new(pegs, values);
            for _ in 0..2000 {
                let pair = [codes.draw(&mut rng), codes.draw(&mut rng)];
                let expected = number(codes.reply(&pair[0], &pair[1]));
                let [a, b] = pair.map(|code| Packed::<WIDEST>::new(codes, &code));
                assert_eq!(a.reply(&b), expected);
                assert!(expected < replies(codes) && a.reply(&a) == replies(codes) - 1);
                if codes.pegs() * codes.values() <= 64 {
                    let [a, b] = pair.map(|code| Packed::<1>::new(codes, &code));
                    assert_eq!(a.reply(&b), expected);
                }
            }
        }
    }
}
