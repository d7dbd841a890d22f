//! How a player that thinks is expected to choose: each card has a score, linear in what the table says of it, and is
//! chosen with a likelihood that falls with it (multinomial logit; McFadden 1974). The weights are fitted to what this
//! client chose (`examples/fit_skill.rs`).

use crate::chance::Chance;
use crate::deal::{LANES, Lanes};
use crate::table::{CAPACITY, Table};
use crate::weights::WEIGHTS;
use std::sync::OnceLock;

/// Numbers that a score is made of.
pub const TERMS: usize = 15;
/// Scores that differ by this much: one is e times as likely to be chosen.
pub const UNIT: i16 = 64;
/// Gaps beyond this count as it.
pub const WIDEST_GAP: i16 = 30;
/// Keeps sums above zero before they are shifted; all scores have it in common.
pub const GAP_BIAS: i16 = 1 << 13;
/// The same for what depends on the card alone.
pub const CARD_BIAS: i16 = 1 << 14;
/// Bits that are shifted away of a gap times its weight,
pub const GAP_BITS: i32 = 3;
/// of what depends on the card alone,
pub const CARD_BITS: i32 = 4;
/// and of a card's square.
pub const SQUARE_BITS: i32 = 6;

/// The weights of a score: a card with a high score is not likely to be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// A row of 1 to 4 cards that it is put behind.
    pub placed: [i16; 4],
    /// A gap to the end of that row, in parts of `1 << GAP_BITS`.
    pub gap: [i16; 4],
    /// Each head of a full row that it takes.
    pub taken: i16,
    /// A full row.
    pub takes: i16,
    /// It is too low for any row.
    pub low: i16,
    /// Each head of the cheapest row then.
    pub low_heads: i16,
    /// The number on it, in parts of `1 << CARD_BITS`.
    pub number: i16,
    /// Its square, likewise, in parts of `1 << SQUARE_BITS` besides.
    pub square: i16,
    /// Each head of a row of four that it makes full.
    pub fourth: i16,
}

impl Weights {
    const fn of(numbers: [i16; TERMS]) -> Weights {
        let [a, b, c, d, e, f, g, h, taken, takes, low, low_heads, number, square, fourth] = numbers;
        Weights { placed: [a, b, c, d], gap: [e, f, g, h], taken, takes, low, low_heads, number, square, fourth }
    }

    /// The weights of a player with this number of cards, at a table of this number of seats.
    pub fn at(seats: usize, cards: usize) -> Weights {
        Weights::of(WEIGHTS[seats.clamp(2, 10) - 2][cards.clamp(2, 10) - 2])
    }

    /// The score of a card.
    pub fn score(&self, table: &Table, card: u8) -> i16 {
        let nearest = table.nearest(card).filter(|_| !table.is_exact || table.rows[0].end < card);
        let flat = GAP_BIAS >> GAP_BITS;
        let placed = match nearest.map(|row| table.rows[row]) {
            None => self.low + self.low_heads * i16::from(table.rows[table.cheapest()].heads) + flat,
            Some(row) if row.size >= CAPACITY => self.takes + self.taken * i16::from(row.heads) + flat,
            Some(row) => {
                let at = usize::from(row.size.max(1)) - 1;
                let gap = i16::from(card - row.end).min(WIDEST_GAP);
                let fourth = if row.size + 1 == CAPACITY { self.fourth * i16::from(row.heads) } else { 0 };
                self.placed[at] + fourth + ((gap * self.gap[at] + GAP_BIAS) >> GAP_BITS)
            }
        };
        let card = i16::from(card);
        let of_card = card * self.number + ((card * card) >> SQUARE_BITS) * self.square + CARD_BIAS;
        placed + (of_card >> CARD_BITS)
    }
}

/// Cards are at least so likely, in parts of the likeliest, so that sums never vanish.
const LEAST_LIKELY: f64 = 16.0;
/// The part of the likeliest.
const MOST_LIKELY: f64 = 65536.0;

impl Weights {
    /// How likely each card is to be chosen beside others, as parts of the likeliest.
    pub fn likely(&self, table: &Table) -> [u32; 128] {
        let scores: [i16; 128] = std::array::from_fn(|card| self.score(table, card.clamp(1, 104) as u8));
        let least = scores.iter().copied().min().unwrap_or(0);
        scores.map(|score| {
            let likely = MOST_LIKELY * libm::exp(f64::from(least - score) / f64::from(UNIT));
            likely.max(LEAST_LIKELY) as u32
        })
    }
}

/// How many draws of chance are kept ready.
const DRAWS: usize = 2048;

/// Chance that is added to scores: the card with the least sum is then chosen as often as it should be (Gumbel 1954).
pub struct Noise([i16; DRAWS + LANES]);

impl Noise {
    /// Made once.
    pub fn get() -> &'static Noise {
        static NOISE: OnceLock<Noise> = OnceLock::new();
        NOISE.get_or_init(|| {
            let mut draws: [i16; DRAWS] = std::array::from_fn(|at| {
                let unit = (at as f64 + 0.5) / DRAWS as f64;
                libm::round(f64::from(UNIT) * libm::log(-libm::log(unit))) as i16
            });
            Chance::new(1).draw(&mut draws, DRAWS);
            Noise(std::array::from_fn(|at| draws[at % DRAWS]))
        })
    }

    /// Draws for all lanes.
    #[inline]
    pub fn fill(&self, slots: &mut [Lanes], chance: &mut Chance) {
        let mut bits = 0;
        for (at, slot) in slots.iter_mut().enumerate() {
            bits = if at % 5 == 0 { chance.bits() } else { bits >> 11 };
            let begin = bits as usize % DRAWS;
            slot.0.copy_from_slice(&self.0[begin..begin + LANES]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lanes shift as if there were no signs, and neither they nor scores may overflow.
    #[test]
    fn sums_of_all_weights_have_room() {
        let room = 0..=i32::from(i16::MAX);
        for weights in WEIGHTS.as_flattened().iter().map(|numbers| Weights::of(*numbers)) {
            for gap in weights.gap {
                let most = i32::from(gap) * i32::from(WIDEST_GAP) + i32::from(GAP_BIAS);
                assert!(room.contains(&most), "{weights:?}");
            }
            for card in 1..=104 {
                let of_card =
                    card * i32::from(weights.number) + ((card * card) >> SQUARE_BITS) * i32::from(weights.square);
                assert!(room.contains(&(of_card + i32::from(CARD_BIAS))), "{card}: {weights:?}");
            }
        }
    }

    /// If the scores of two cards differ by one unit, the lower one is chosen e times as often.
    #[test]
    fn cards_are_chosen_as_often_as_their_scores_say() {
        let (mut chance, mut slots) = (Chance::new(5), [Lanes([0; LANES]); 2]);
        let mut first = 0;
        for _ in 0..4_000 {
            Noise::get().fill(&mut slots, &mut chance);
            let [one, other] = &slots;
            first += one.0.iter().zip(other.0).filter(|(one, other)| **one < *other + UNIT).count();
        }
        let share = first as f64 / (4_000 * LANES) as f64;
        assert!((share - 0.731).abs() < 0.01, "{share}");
    }
}
