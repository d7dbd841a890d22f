//! A combination as the course defines it: any number of values in order, and the counts between two of them. It is
//! slow and plain. People write it and files hold it, and tests compare the faster counting in codes.rs with it.

use super::codes::Reply;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Index;
use std::str::FromStr;

/// Values in order, with repetition; perhaps none. Its text is `V_1 V_2 ... V_n`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Combination(Vec<u8>);

/// A word of a text that is not a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadWord {
    /// The column where it begins, in characters from 1.
    pub column: usize,
    /// The word itself.
    pub word: String,
}

impl From<Vec<u8>> for Combination {
    fn from(values: Vec<u8>) -> Self {
        Combination(values)
    }
}

impl Index<usize> for Combination {
    type Output = u8;

    fn index(&self, place: usize) -> &u8 {
        &self.0[place]
    }
}

impl Combination {
    /// The number of its values.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The values in order.
    pub fn values(&self) -> &[u8] {
        &self.0
    }

    /// Each value that it has, once.
    pub fn unique_values(&self) -> BTreeSet<u8> {
        self.0.iter().copied().collect()
    }

    /// How often it has a value.
    pub fn count_value(&self, value: u8) -> usize {
        self.0.iter().filter(|own| **own == value).count()
    }

    /// How often it has a value at a place where the other has it too.
    pub fn count_right_place(&self, value: u8, other: &Combination) -> usize {
        self.0.iter().zip(&other.0).filter(|(own, theirs)| **own == value && **theirs == value).count()
    }

    /// At how many places both have the same value.
    pub fn count_rr(&self, other: &Combination) -> usize {
        self.0.iter().zip(&other.0).filter(|(own, theirs)| own == theirs).count()
    }

    /// How many values of the other are right and at a wrong place.
    pub fn count_rw(&self, other: &Combination) -> usize {
        let elsewhere =
            |value: u8| self.count_value(value).min(other.count_value(value)) - self.count_right_place(value, other);
        other.unique_values().into_iter().map(elsewhere).sum()
    }

    /// The reply to the guess `other`; each count stops at 255.
    pub fn one_try(&self, other: &Combination) -> Reply {
        let small = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
        Reply { rr: small(self.count_rr(other)), rw: small(self.count_rw(other)) }
    }

    /// Whether the guess `other` is this combination.
    pub fn won(&self, other: &Combination) -> bool {
        self == other
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, value) in self.0.iter().enumerate() {
            let gap = if place == 0 { "" } else { " " };
            write!(f, "{gap}{value}")?;
        }
        Ok(())
    }
}

impl FromStr for Combination {
    type Err = BadWord;

    fn from_str(text: &str) -> Result<Self, BadWord> {
        let value = |(column, word): (usize, &str)| {
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            word.parse().ok().filter(|_| digits).ok_or_else(|| BadWord { column, word: word.to_owned() })
        };
        words(text).map(value).collect::<Result<_, _>>().map(Combination)
    }
}

/// The words of a line, each with the column where it begins, in characters from 1.
pub(super) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(|word| {
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        (line[..start].chars().count() + 1, word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combination(text: &str) -> Combination {
        text.parse().unwrap()
    }

    #[test]
    fn the_empty_combination_reads_prints_and_compares() {
        let empty = Combination::default();
        assert_eq!((empty.size(), empty.to_string()), (0, String::new()));
        assert_eq!(combination(""), empty);
        assert_eq!(combination(" \t "), empty);
        assert!(empty.won(&Combination::from(vec![])) && empty != combination("0"));
        assert!(empty.unique_values().is_empty());
        assert_eq!(empty.one_try(&empty), Reply { rr: 0, rw: 0 });
        assert_eq!(empty.one_try(&combination("1 2")), Reply { rr: 0, rw: 0 });
    }

    #[test]
    fn the_example_of_the_course() {
        let (second, third) = (combination("2 0 1 2 4"), combination("2 2 4 3 1"));
        assert_eq!((second.size(), second[4]), (5, 4));
        assert_eq!(second.count_rr(&third), 1);
        assert_eq!(third.count_value(2), 2);
        assert_eq!(second.count_right_place(2, &third), 1);
        assert_eq!(second.count_rw(&third), 3);
        assert_eq!(second.unique_values(), [0, 1, 2, 4].into());
    }

    #[test]
    fn texts_are_read_back_and_bad_words_found() {
        for text in ["0", "1 5 0 0", "19 0 7 255"] {
            assert_eq!(combination(text).to_string(), text);
        }
        assert_eq!(combination("  01  2\t3\r"), combination("1 2 3"));
        let bad = |text: &str| text.parse::<Combination>().map_err(|bad| (bad.column, bad.word));
        assert_eq!(bad("1 é 2x 3"), Err((3, "é".to_owned())));
        assert_eq!(bad(" é"), Err((2, "é".to_owned())));
        assert_eq!(bad("1 256"), Err((3, "256".to_owned())));
        assert_eq!(bad("1 -2"), Err((3, "-2".to_owned())));
        assert_eq!(bad("+1"), Err((1, "+1".to_owned())));
    }
}
