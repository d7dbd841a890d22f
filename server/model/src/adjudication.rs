//! Ends a match before its rules do, if both clients claim the same result for long enough: the terms, and the claims
//! so far.

use crate::{Ending, Match};
use agon_games::Seat;
use serde::{Deserialize, Serialize};

/// When the `value` logs of both clients end a match of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// The number of moves in a row, by both clients, that must name the same winner.
    pub moves: u32,
    /// The value from which a client claims to win, and, negated, to lose; thousandths.
    pub value: i64,
    /// The share of matches that are played to their end nevertheless, to show how often both were wrong; thousandths.
    pub checked: u32,
}

/// The value of a client that is sure of a win: docs/reference/abi.md, 7; thousandths.
pub const SURE: i64 = 9_000_000;

impl Adjudication {
    /// Whether a match is played to its end whatever its clients claim. It follows from its id, so every replay decides
    /// the same.
    pub fn plays_on(&self, id: &str) -> bool {
        let drawn = blake3::hash(id.as_bytes()).as_bytes()[..4].iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
        drawn * 1_000 < u64::from(self.checked) << 32
    }

    /// The winner that these values name, and the turn. They come from the moves of a match in order, each with its
    /// turn, its seat and its client's value.
    pub fn decide(&self, moves: impl IntoIterator<Item = (u32, Seat, Option<f64>)>) -> Option<(u32, Seat)> {
        let mut agreement = Agreement::new(*self);
        for (ply, seat, value) in moves {
            agreement.hear(seat, value);
            if let Some(winner) = agreement.winner() {
                return Some((ply, winner));
            }
        }
        None
    }
}

/// The claims of the clients of a match of two, move by move.
#[derive(Clone, Debug)]
pub struct Agreement {
    terms: Adjudication,
    /// The winner that all of the last moves name.
    winner: Option<Seat>,
    /// The number of each seat's moves that name it.
    moves: [u32; 2],
}

impl Agreement {
    /// Begins before the first move.
    pub fn new(terms: Adjudication) -> Agreement {
        Agreement { terms, winner: None, moves: [0; 2] }
    }

    /// Takes the `value` logged with a move; `None` if there was none, or if no client made the move.
    pub fn hear(&mut self, seat: Seat, value: Option<f64>) {
        let named = value.and_then(|value| self.name_winner(seat, value));
        if named != self.winner || named.is_none() {
            (self.winner, self.moves) = (named, [0; 2]);
        }
        if let (Some(_), Some(moves)) = (named, self.moves.get_mut(seat)) {
            *moves += 1;
        }
    }

    fn name_winner(&self, seat: Seat, value: f64) -> Option<Seat> {
        let bound = self.terms.value as f64 / 1e3;
        match value {
            _ if seat > 1 => None,
            value if value >= bound => Some(seat),
            value if value <= -bound => Some(1 - seat),
            _ => None,
        }
    }

    /// The winner, if both have named it often enough.
    pub fn winner(&self) -> Option<Seat> {
        let is_enough = self.moves.iter().sum::<u32>() >= self.terms.moves && !self.moves.contains(&0);
        self.winner.filter(|_| is_enough)
    }
}

impl Match {
    /// The winner by the claims of both clients.
    pub fn adjudicated_to(&self) -> Option<Seat> {
        let is_so = self.ending == Ending::Adjudicated;
        self.seats.iter().position(|seat| seat.rank == 1).filter(|_| is_so)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: Adjudication = Adjudication { moves: 4, value: 5_000, checked: 0 };

    fn decide(values: &[(Seat, f64)]) -> Option<(u32, Seat)> {
        let moves = values.iter().zip(0..).map(|(&(seat, value), ply)| (ply, seat, Some(value)));
        TERMS.decide(moves)
    }

    #[test]
    fn both_must_say_it_often_enough_and_without_a_doubt_between() {
        assert_eq!(decide(&[(0, 5.0), (1, -5.0), (0, 7.0), (1, -90.0)]), Some((3, 0)));
        assert_eq!(decide(&[(0, -5.0), (1, 6.0), (0, -7.0), (1, 5.0)]), Some((3, 1)));
        // One is not sure, one claims nothing, one disagrees.
        assert_eq!(decide(&[(0, 5.0), (1, -4.9), (0, 7.0), (1, -9.0), (0, 9.0)]), None);
        assert_eq!(decide(&[(0, 5.0), (1, f64::NAN), (0, 7.0), (1, -9.0), (0, 9.0)]), None);
        assert_eq!(decide(&[(0, 5.0), (1, 5.0), (0, 5.0), (1, 5.0), (0, 5.0)]), None);
        // A side that moves alone agrees with nobody.
        assert_eq!(decide(&[(0, 5.0); 9]), None);
        assert_eq!(decide(&[(0, 5.0), (0, 5.0), (0, 5.0), (1, -5.0)]), Some((3, 0)));
        // A third seat does not count.
        assert_eq!(decide(&[(2, 5.0); 9]), None);
        let silent = (0..9).map(|ply| (ply, ply as usize % 2, None));
        assert_eq!(TERMS.decide(silent), None);
    }

    #[test]
    fn so_many_matches_are_played_on_as_was_said() {
        for checked in [0, 100, 500, 1_000] {
            let terms = Adjudication { checked, ..TERMS };
            let ids = (0..2_000).flat_map(|block| ['a', 'b'].map(|letter| format!("{block:016x}-{letter}")));
            let count = ids.filter(|id| terms.plays_on(id)).count();
            let expected = 4 * checked as usize;
            assert!(count.abs_diff(expected) <= 100, "{count} of 4000 at {checked}");
        }
    }
}
