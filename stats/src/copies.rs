//! Finds games that are copies of others. Chance cannot explain equal games of a line-up whose games from one start,
//! with everybody in the same seat, never differ. If two of them differ, chance has a part in all games of the line-up:
//! equal ones are frequencies, and all of them count.

use std::collections::{HashMap, HashSet};

/// Games in order of arrival, and the facts that they show about their line-ups. Two numbers a game, in any order.
#[derive(Clone, Debug, Default)]
pub struct PlayedMatches {
    /// For each line-up, start and order of seats, the game that came first.
    first: HashMap<u64, u64>,
    /// Line-ups that played two games from one start in the same seats.
    by_chance: HashSet<u64>,
}

/// A game as far as copies go: three hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMatch {
    /// The hash of the players at the table, in any seats.
    pub lineup: u64,
    /// The hash of the seating and the start.
    pub seating: u64,
    /// A hash of its moves and its result.
    pub played: u64,
}

impl PlayedMatch {
    /// Takes the seats in order, by entrant; the start of the game; and what distinguishes games: the hash of the
    /// moves, and the ranks.
    pub fn new(
        seats: impl Iterator<Item = u64> + Clone,
        start: [u64; 2],
        moves: u64,
        ranks: impl Iterator<Item = u64>,
    ) -> PlayedMatch {
        let lineup = scramble(seats.clone().map(scramble).fold(0, u64::wrapping_add));
        PlayedMatch {
            lineup,
            seating: chain(start.into_iter().chain(seats)),
            played: chain([moves].into_iter().chain(ranks)),
        }
    }
}

impl PlayedMatches {
    pub fn add(&mut self, game: PlayedMatch) {
        if !self.is_by_chance(game.lineup) && *self.first.entry(game.seating).or_insert(game.played) != game.played {
            self.by_chance.insert(game.lineup);
        }
    }

    /// Whether chance has a part in the games of this line-up, so that all of them count.
    pub fn is_by_chance(&self, lineup: u64) -> bool {
        self.by_chance.contains(&lineup)
    }
}

/// One number of several, in their order.
pub(crate) fn chain(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, |hash, number| scramble(hash ^ scramble(number)))
}

/// A number that looks drawn by chance (Steele, Lea and Flood's SplitMix, 2014).
pub(crate) fn scramble(state: u64) -> u64 {
    let mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(seats: [u64; 2], state: u64, moves: u64, first_rank: u64) -> PlayedMatch {
        PlayedMatch::new(seats.into_iter(), [0, state], moves, [first_rank, 3 - first_rank].into_iter())
    }

    fn shown(games: &[PlayedMatch]) -> bool {
        let mut all = PlayedMatches::default();
        games.iter().for_each(|game| all.add(*game));
        all.is_by_chance(game([0, 1], 0, 0, 1).lineup)
    }

    #[test]
    fn chance_shows_where_one_start_and_seating_brought_two_games() {
        let one = game([0, 1], 7, 5, 1);
        assert!(!shown(&[one, one, one]));
        // From another start, in other seats or by others a game may be another without chance.
        assert!(!shown(&[one, game([0, 1], 8, 6, 1), game([1, 0], 7, 6, 1), game([0, 2], 7, 9, 1)]));
        assert!(shown(&[one, one, game([0, 1], 7, 6, 1)]));
        // The same moves with another result, as by the clock.
        assert!(shown(&[one, game([0, 1], 7, 5, 2)]));
        assert!(!shown(&[game([0, 2], 7, 5, 1), game([0, 2], 7, 6, 1)]));
    }

    #[test]
    fn a_line_up_is_the_same_in_any_seats() {
        assert_eq!(game([3, 9], 0, 0, 1).lineup, game([9, 3], 1, 1, 2).lineup);
        assert_ne!(game([3, 9], 0, 0, 1).lineup, game([3, 8], 0, 0, 1).lineup);
        assert_ne!(game([3, 9], 0, 0, 1).seating, game([9, 3], 0, 0, 1).seating);
    }
}
