//! All codes of a size, numbered in lexicographic order, and the reply that one code gives to another.

use crate::{Rng, below};

/// The most values in a code.
pub const MAX_PEGS: usize = 12;
/// The most values to choose from.
pub const MAX_VALUES: usize = 20;

/// A code: its values in order, 0 beyond their number.
pub type Code = [u8; MAX_PEGS];

/// A reply: how close a guess is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reply {
    /// Values at the right place.
    pub rr: u8,
    /// Right values at a wrong place.
    pub rw: u8,
}

/// All codes of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Codes {
    pegs: u8,
    values: u8,
}

impl Codes {
    /// Codes of `pegs` (1 to 12) values from 0 to `values - 1` (2 to 20); other sizes become the nearest of these.
    pub fn new(pegs: u8, values: u8) -> Codes {
        Codes { pegs: pegs.clamp(1, MAX_PEGS as u8), values: values.clamp(2, MAX_VALUES as u8) }
    }

    /// The number of values in a code.
    pub fn pegs(self) -> usize {
        self.pegs.into()
    }

    /// The number of values to choose from.
    pub fn values(self) -> usize {
        self.values.into()
    }

    /// The number of codes, at most 20^12.
    pub fn count(self) -> u64 {
        u64::from(self.values).pow(self.pegs.into())
    }

    /// The code with a number below `count`, from 0 in lexicographic order.
    pub fn at(self, number: u64) -> Code {
        let (mut code, mut rest) = ([0; MAX_PEGS], number);
        for value in code[..self.pegs()].iter_mut().rev() {
            *value = (rest % u64::from(self.values)) as u8;
            rest /= u64::from(self.values);
        }
        code
    }

    /// The number of a code.
    pub fn number(self, code: &Code) -> u64 {
        code[..self.pegs()].iter().fold(0, |number, value| number * u64::from(self.values) + u64::from(*value))
    }

    /// All codes in lexicographic order.
    pub fn iter(self) -> impl Iterator<Item = Code> {
        let mut next = Some([0; MAX_PEGS]);
        std::iter::from_fn(move || {
            let code = next?;
            next = self.after(code);
            Some(code)
        })
    }

    /// The code that follows in lexicographic order.
    fn after(self, mut code: Code) -> Option<Code> {
        for value in code[..self.pegs()].iter_mut().rev() {
            *value += 1;
            if *value < self.values {
                return Some(code);
            }
            *value = 0;
        }
        None
    }

    /// Any code, each equally likely.
    pub fn draw(self, rng: &mut Rng) -> Code {
        self.at(below(rng, self.count()))
    }

    /// Any code except this one, each equally likely.
    pub fn draw_other(self, than: &Code, rng: &mut Rng) -> Code {
        let number = below(rng, self.count() - 1);
        self.at(number + u64::from(number >= self.number(than)))
    }

    /// The reply of a secret to a guess, which is also that of the guess to the secret.
    #[inline]
    pub fn reply(self, secret: &Code, guess: &Code) -> Reply {
        // How many more of each value the secret has than the guess, at the places where they differ.
        let mut surplus = [0i8; 32];
        let mut differ = 0;
        for (of_secret, of_guess) in secret[..self.pegs()].iter().zip(guess) {
            differ += u8::from(of_secret != of_guess);
            surplus[usize::from(of_secret % 32)] += 1;
            surplus[usize::from(of_guess % 32)] -= 1;
        }
        let missing: i8 = surplus.iter().map(|surplus| (*surplus).max(0)).sum();
        Reply { rr: self.pegs - differ, rw: differ - missing as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_numbered_in_order() {
        for (pegs, values) in [(1, 2), (4, 6), (3, 20), (12, 2)] {
            let codes = Codes::new(pegs, values);
            assert!(codes.iter().is_sorted());
            assert_eq!(codes.iter().count() as u64, codes.count());
            for (number, code) in codes.iter().enumerate() {
                assert_eq!((codes.at(number as u64), codes.number(&code)), (code, number as u64));
            }
        }
        let most = Codes::new(12, 20);
        assert_eq!(most.count(), 4_096_000_000_000_000);
        assert_eq!(most.at(most.count() - 1), [19; 12]);
    }

    #[test]
    fn draws_are_legal_and_the_other_is_another() {
        let mut rng = crate::rng_from(&[3; 32]);
        let codes = Codes::new(2, 2);
        let mut counts = [0; 4];
        for _ in 0..3000 {
            counts[codes.number(&codes.draw_other(&codes.at(2), &mut rng)) as usize] += 1;
        }
        assert!(counts[2] == 0 && [0, 1, 3].iter().all(|&other| counts[other] > 900), "{counts:?}");
    }
}
