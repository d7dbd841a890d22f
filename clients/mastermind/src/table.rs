//! The replies of all pairs of codes, a byte each.

use crate::packed::{Packed, replies};
use agon_client_api::mastermind::Codes;

/// Most codes for which there is a table: 2^13 take 64 MiB.
pub const MOST_CODES: u64 = 1 << 13;

/// See the file's header.
pub struct ReplyTable {
    codes: usize,
    /// How many numbers replies have.
    pub replies: usize,
    bytes: Vec<u8>,
}

impl ReplyTable {
    /// The table of at most [`MOST_CODES`] codes: these have at most 64 pegs times values.
    pub fn new(codes: Codes) -> ReplyTable {
        let packed: Vec<Packed<1>> = codes.iter().map(|code| Packed::new(codes, &code)).collect();
        let count = packed.len();
        let mut bytes = vec![0; count * count];
        for (guess, row) in bytes.chunks_exact_mut(count).enumerate() {
            for (place, other) in row.iter_mut().zip(&packed) {
                *place = packed[guess].reply(other) as u8;
            }
        }
        ReplyTable { codes: count, replies: replies(codes), bytes }
    }

    /// How many codes there are.
    pub fn codes(&self) -> usize {
        self.codes
    }

    /// The reply of each code to a guess.
    #[inline]
    pub fn row(&self, guess: u32) -> &[u8] {
        &self.bytes[guess as usize * self.codes..][..self.codes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::number;

    #[test]
    fn replies_of_all_pairs_are_those_of_the_rules() {
        let codes = Codes::new(3, 5);
        let table = ReplyTable::new(codes);
        for (guess, code) in (0..).zip(codes.iter()) {
            let expected: Vec<u8> = codes.iter().map(|other| number(codes.reply(&other, &code)) as u8).collect();
            assert_eq!(table.row(guess), expected);
        }
    }

    #[test]
    fn codes_that_have_a_table_fit_into_one_word() {
        let sizes = (1..=12).flat_map(|pegs| (2..=20).map(move |values| Codes::new(pegs, values)));
        let most = sizes.filter(|codes| codes.count() <= MOST_CODES).map(|codes| codes.pegs() * codes.values()).max();
        assert_eq!(most, Some(60));
    }
}
