//! Whether a ladder in which clients move in turns balances the order of moves, and the number of openings for it: a
//! sentence for the operator.

use super::PreparedLadder;
use crate::schedule::Schedule;
use agon_model::MATCH;
use std::fmt;

/// The facts about a ladder with more than two seats that move in turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnOrder {
    /// The number of cyclic orders of a line-up.
    orders: usize,
    /// The number of openings that contain them all.
    set: u64,
    /// The number of openings that every line-up plays completely.
    openings: u64,
    /// The setting for the number of openings: `openings = `.
    word: &'static str,
}

impl PreparedLadder<'_> {
    /// Returns `None` if there is nothing to balance.
    pub fn turn_order(&self, schedule: &Schedule) -> Option<TurnOrder> {
        let orders = schedule.cyclic_orders()?;
        Some(TurnOrder {
            orders: orders.orders(),
            set: orders.openings(),
            openings: schedule.whole_openings(),
            word: if self.ladder.name == MATCH { "--openings " } else { "openings = " },
        })
    }
}

impl TurnOrder {
    /// Whether everybody moves after everybody else equally often, in each line-up.
    pub fn is_balanced(&self) -> bool {
        self.openings > 0 && self.openings.is_multiple_of(self.set)
    }
}

impl fmt::Display for TurnOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TurnOrder { orders, set, openings, word } = *self;
        if !self.is_balanced() {
            let more = (openings + 1).next_multiple_of(set);
            return write!(
                f,
                "who moves after whom is drawn, not balanced: a line-up goes through {orders} cyclic orders in {set} openings, \
                 and plays {openings}; {word}{more} balances it"
            );
        }
        let over = if set == 1 { "each opening".to_owned() } else { format!("every {set} openings") };
        write!(f, "everybody moves after everybody else equally often, over {over} of a line-up")
    }
}
