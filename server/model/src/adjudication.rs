//! Ending a match before its rules do, where both clients say the same of it for long enough: the terms, and what the
//! clients have said so far.

use crate::{Ending, Match};
use agon_games::Seat;
use serde::{Deserialize, Serialize};

/// When a match of two is ended by what both clients log as `value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// So many moves in a row, of both clients, must name the same winner.
    pub moves: u32,
    /// From this value on a client says that it wins, and from its negative down that it loses; thousandths.
    pub value: i64,
    /// The share of matches that are played to their end all the same, so that it shows how often both were wrong;
    /// thousandths.
    pub checked: u32,
}

/// What a client says that is sure of a win: docs/reference/abi.md, 7; thousandths.
pub const SURE: i64 = 9_000_000;

impl Adjudication {
    /// Whether a match is played to its end whatever its clients say. It follows from its id, so that it is the same
    /// wherever and however often it is played.
    pub fn plays_on(&self, id: &str) -> bool {
        let drawn = blake3::hash(id.as_bytes()).as_bytes()[..4].iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
        drawn * 1_000 < u64::from(self.checked) << 32
    }

    /// Whom these values name as the winner, and with which turn: the moves of a match, in order, each with its turn,
    /// its seat and what its client logged with it.
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

/// What the clients of a match of two have said, move by move.
#[derive(Clone, Debug)]
pub struct Agreement {
    terms: Adjudication,
    /// Whom the last moves name, all of them the same.
    winner: Option<Seat>,
    /// How many moves of each seat do.
    moves: [u32; 2],
}

impl Agreement {
    /// Nobody has moved.
    pub fn new(terms: Adjudication) -> Agreement {
        Agreement { terms, winner: None, moves: [0; 2] }
    }

    /// Takes what was logged as `value` with a move; nothing, where nothing was, or nobody's client made it.
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

    /// Who wins, where both have said so, and often enough.
    pub fn winner(&self) -> Option<Seat> {
        let is_enough = self.moves.iter().sum::<u32>() >= self.terms.moves && !self.moves.contains(&0);
        self.winner.filter(|_| is_enough)
    }
}

impl Match {
    /// Who won by what both clients said.
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
        // One is not sure, one says nothing, one thinks otherwise.
        assert_eq!(decide(&[(0, 5.0), (1, -4.9), (0, 7.0), (1, -9.0), (0, 9.0)]), None);
        assert_eq!(decide(&[(0, 5.0), (1, f64::NAN), (0, 7.0), (1, -9.0), (0, 9.0)]), None);
        assert_eq!(decide(&[(0, 5.0), (1, 5.0), (0, 5.0), (1, 5.0), (0, 5.0)]), None);
        // Whoever moves alone agrees with nobody.
        assert_eq!(decide(&[(0, 5.0); 9]), None);
        assert_eq!(decide(&[(0, 5.0), (0, 5.0), (0, 5.0), (1, -5.0)]), Some((3, 0)));
        // A third seat is heard by nobody.
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
