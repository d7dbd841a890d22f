//! Finding a secret in bytes, in any of the forms in which a program would hold it; and making seeds of numbers.

use agon_games::Seed;
use agon_model::opening;

/// What must not be found.
#[derive(Debug)]
pub enum Secret {
    /// Ten cards in any order, as numbers of 1, 2, 4 or 8 bytes, or as a set of bits.
    Hand([u8; 10]),
    /// Eight bytes in either order, or as text in base 10 or 16.
    Number(u64),
}

impl Secret {
    /// Whether the bytes hold it.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        match self {
            Secret::Hand(hand) => {
                let has_cards = [1, 2, 4, 8].into_iter().any(|stride| has_cards(bytes, hand, stride));
                has_cards || bit_sets(hand).iter().any(|set| has_piece(bytes, set))
            }
            Secret::Number(_) => self.disguises().iter().any(|disguise| has_piece(bytes, disguise)),
        }
    }

    /// Bytes in which it must be found.
    pub fn disguises(&self) -> Vec<Vec<u8>> {
        match self {
            Secret::Number(number) => vec![
                number.to_le_bytes().to_vec(),
                number.to_be_bytes().to_vec(),
                number.to_string().into_bytes(),
                format!("{number:x}").into_bytes(),
            ],
            Secret::Hand(hand) => {
                let backwards: Vec<u8> = hand.iter().rev().copied().collect();
                let wide = backwards.iter().flat_map(|card| u32::from(*card).to_le_bytes()).collect();
                [vec![backwards, wide], bit_sets(hand)].concat()
            }
        }
    }
}

/// The set of cards as 128 bits, counted from card 0 and from card 1.
fn bit_sets(hand: &[u8; 10]) -> Vec<Vec<u8>> {
    let set = hand.iter().fold(0u128, |set, card| set | 1 << card);
    vec![set.to_le_bytes().to_vec(), (set >> 1).to_le_bytes().to_vec()]
}

/// Whether some ten bytes, each so far from the next, are these cards in any order.
fn has_cards(bytes: &[u8], hand: &[u8; 10], stride: usize) -> bool {
    let bit = |byte: u8| hand.iter().position(|card| *card == byte).map_or(1 << 15, |index| 1u16 << index);
    let bits: Vec<u16> = (0..=255).map(bit).collect();
    let starts = 0..bytes.len().saturating_sub(9 * stride);
    starts.into_iter().any(|start| {
        let mut found = 0;
        for byte in bytes[start..].iter().step_by(stride).take(10) {
            let bit = bits[usize::from(*byte)];
            if bit == 1 << 15 || found & bit != 0 {
                return false;
            }
            found |= bit;
        }
        true
    })
}

fn has_piece(bytes: &[u8], piece: &[u8]) -> bool {
    bytes.windows(piece.len()).any(|window| window == piece)
}

/// Every aligned word of eight bytes.
pub fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()))
}

/// Every aligned piece of 32 bytes that is not mostly zero.
pub fn windows(bytes: &[u8]) -> impl Iterator<Item = Seed> + '_ {
    let seeds = bytes.windows(32).step_by(8).map(|window| <Seed>::try_from(window).unwrap());
    seeds.filter(|seed| seed.iter().filter(|byte| **byte == 0).count() < 16)
}

/// The seeds that one would make of a number, the server's own way among them.
pub fn seeds_from(number: u64) -> [Seed; 4] {
    let (mut low, mut high) = ([0; 32], [0; 32]);
    low[..8].copy_from_slice(&number.to_le_bytes());
    high[24..].copy_from_slice(&number.to_be_bytes());
    let four: Vec<u8> = number.to_le_bytes().repeat(4);
    [low, high, four.try_into().unwrap(), opening(number, 0).seed]
}

/// Two digits a byte.
pub fn from_hex(text: &str) -> Vec<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap() as u8;
    text.as_bytes().chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
