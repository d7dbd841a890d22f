//! Levels of play for people and courses, from a beginner's mistakes to full strength: fewer positions looked at, and
//! at the lowest levels no look ahead at all and an eye that is not sure of what it sees.

use crate::arena::Arena;
use crate::judge::Judge;
use crate::position::{Move, Position};
use agon_games::mix::splitmix64;

/// How a level is weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Positions evaluated a move.
    pub nodes: u64,
    /// Instead of a search, each move is judged by its evaluation, wrong by up to so many thousandths of a vertex.
    pub error: Option<i32>,
}

impl Level {
    /// The highest, which is full strength.
    pub const HIGHEST: u64 = 10;

    /// Of a number from 1 to [`Level::HIGHEST`].
    pub fn of(number: u64) -> Level {
        let by_eye = |error| Level { nodes: u64::MAX, error: Some(error) };
        let nodes = |nodes| Level { nodes, error: None };
        match number {
            0..=1 => by_eye(18_000),
            2 => by_eye(11_000),
            3 => by_eye(6_000),
            4 => by_eye(2_500),
            5 => by_eye(0),
            6 => nodes(3_000),
            7 => nodes(10_000),
            8 => nodes(33_000),
            9 => nodes(110_000),
            _ => nodes(u64::MAX),
        }
    }
}

impl Level {
    /// Whether it fills closed regions as well as can be.
    pub fn fills(self) -> bool {
        self.error.is_none_or(|error| error == 0)
    }
}

impl Judge {
    /// The best move by an eye that is wrong by up to `error` about each; the same for the same position and seed.
    pub fn by_eye(&mut self, arena: &Arena, position: &mut Position, error: i32, seed: u64) -> Option<Move> {
        let children = self.children(arena, position, usize::MAX, usize::MAX);
        let chance = splitmix64(position.hash() ^ seed);
        let seen = (0..).zip(&children).map(|(index, child)| {
            let wrong = splitmix64(chance ^ index) % (2 * error as u64 + 1);
            (i64::from(child.value) + wrong as i64, child.mv)
        });
        seen.max_by_key(|(value, _)| *value).map(|(_, mv)| mv)
    }
}
