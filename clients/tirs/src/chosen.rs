//! The question to a search, and its answer.

use crate::allowance::Allowance;
use crate::board::{Cell, to_move};
use crate::cards::Values;
use agon_client_api::log;
use agon_client_api::tirs_croises::Move;

/// Most players of a match.
pub const MAX_PLAYERS: usize = 9;

/// Points of each player, from the one to move on; 0 where there is none.
pub type Points = [i32; MAX_PLAYERS];

/// A turn, as a search needs it.
pub struct Occasion<'a> {
    /// The values left on the board.
    pub values: &'a Values,
    /// Where cards are taken from; `None` if any card may be taken.
    pub cursor: Option<Move>,
    /// The points of the players so far.
    pub points: Points,
    /// The limits of the search.
    pub allowance: Allowance,
}

/// How certain the value of a choice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It is estimated.
    Estimate,
    /// The match is won with at least this value.
    Win,
    /// The match is lost; by how much is estimated.
    Loss,
    /// It is exact.
    Value,
}

/// A card that was not chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alternative {
    /// Where it lies.
    pub cell: Cell,
    /// It is worth no more than this.
    pub at_most: f64,
}

/// A choice with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Where the card lies.
    pub cell: Cell,
    /// With two players, the points to come of the player to move, less those of the other; with several, the lead at
    /// the end.
    pub value: f64,
    /// Moves looked ahead.
    pub depth: u32,
    /// The kind of `value`
    pub certainty: Certainty,
    /// Positions searched.
    pub nodes: u64,
    /// Other cards, the best first.
    pub alternatives: Vec<Alternative>,
}

/// Chooses cards by searching.
pub trait Choose {
    /// The best card, `None` if there is none within reach.
    fn choose(&mut self, occasion: &Occasion) -> Option<Chosen>;
}

/// Alternatives that are told.
const TOLD: usize = 3;

impl Chosen {
    /// Keeps what other cards are worth at most.
    pub fn compare(&mut self, others: impl Iterator<Item = (Cell, f64)>) {
        self.alternatives = others.map(|(cell, at_most)| Alternative { cell, at_most }).collect();
        self.alternatives.sort_by(|one, two| two.at_most.total_cmp(&one.at_most));
    }

    /// Writes the reasons into the log of the match.
    pub fn explain(&self) {
        log("value", self.value);
        log("depth", self.depth);
        log("nodes", self.nodes);
        log("complete", self.certainty == Certainty::Value);
        log("certainty", format!("{:?}", self.certainty).to_lowercase());
        if !self.alternatives.is_empty() {
            let tell = |other: &Alternative| {
                let Move { x, y } = to_move(other.cell);
                format!("{x} {y} <= {}", other.at_most)
            };
            let told: Vec<String> = self.alternatives.iter().take(TOLD).map(tell).collect();
            log("alternatives", told.join(", "));
        }
    }
}
