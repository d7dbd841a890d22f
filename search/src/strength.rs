//! Levels of play for people and courses, from a beginner's mistakes to full strength. Lower levels look at fewer
//! positions; the lowest do not look ahead at all, and their evaluation is noisy.

use crate::board_tables::BoardTables;
use crate::endgame::Filling;
use crate::judge::{Judge, SearchLimits};
use crate::position::{Move, Position};
use agon_games::mix::splitmix64;
use std::fmt::Display;

/// How a level is weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Positions evaluated a move.
    pub nodes: u64,
    /// Instead of a search, each move is judged by its evaluation, wrong by up to this many thousandths of a vertex.
    pub error: Option<i32>,
    /// The percentage of moves that it draws from all, as somebody does who only knows the rules.
    pub drawn: u64,
}

impl Level {
    /// The highest, which is full strength.
    pub const HIGHEST: u64 = 16;

    /// The level with a number from 1 to [`Level::HIGHEST`].
    pub fn of(number: u64) -> Level {
        let by_eye = |error, drawn| Level { nodes: u64::MAX, error: Some(error), drawn };
        let nodes = |nodes| Level { nodes, error: None, drawn: 0 };
        match number {
            0..=1 => by_eye(9_500, 93),
            2 => by_eye(9_500, 77),
            3 => by_eye(9_500, 60),
            4 => by_eye(9_500, 44),
            5 => by_eye(9_500, 28),
            6 => by_eye(9_500, 13),
            7 => by_eye(9_500, 0),
            8 => by_eye(5_300, 0),
            9 => by_eye(2_500, 0),
            10 => by_eye(1_100, 0),
            11 => by_eye(0, 0),
            12 => nodes(1_000),
            13 => nodes(1_800),
            14 => nodes(5_000),
            15 => nodes(15_000),
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

/// A move that is played without a search.
pub enum Early {
    /// It fills the regions that are left.
    Filling(Filling),
    /// The eye of a low level takes it.
    ByEye(Move),
}

impl Early {
    /// The move, after what explains it on a board of `grid` columns and rows was logged under its keys.
    pub fn explain(self, grid: [usize; 2], log: impl Fn(&str, &dyn Display)) -> Move {
        match self {
            Early::Filling(filling) => {
                if let Some(value) = filling.value() {
                    log("value", &value);
                }
                log("room", &filling);
                log("regions", &filling.regions(grid[0], grid[1]));
                filling.mv
            }
            Early::ByEye(mv) => mv,
        }
    }
}

impl Judge {
    /// The move of a level that needs no search, if there is one.
    pub fn early(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        (level, seed): (&Level, u64),
        limits: SearchLimits,
    ) -> Option<Early> {
        let filling = level.fills().then(|| self.regions().fill(tables, position, limits)).flatten();
        if let Some(filling) = filling {
            return Some(Early::Filling(filling));
        }
        let error = level.error?;
        self.begin(limits);
        self.by_eye(tables, position, (error, level.drawn), seed).map(Early::ByEye)
    }

    /// The best move by an eye that is wrong by up to `error` about each, or of this percentage any move; the same for the
    /// same position and seed.
    fn by_eye(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        (error, drawn): (i32, u64),
        seed: u64,
    ) -> Option<Move> {
        let children = self.children(tables, position, usize::MAX, usize::MAX);
        let chance = splitmix64(position.hash() ^ seed);
        let drawn_now = splitmix64(!chance);
        if drawn_now % 100 < drawn {
            return children.get((drawn_now / 100) as usize % children.len().max(1)).map(|child| child.mv);
        }
        let seen = (0..).zip(&children).map(|(index, child)| {
            let wrong = splitmix64(chance ^ index) % (2 * error as u64 + 1);
            (i64::from(child.value) + wrong as i64, child.mv)
        });
        seen.max_by_key(|(value, _)| *value).map(|(_, mv)| mv)
    }
}
