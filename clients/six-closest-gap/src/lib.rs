//! 6 qui prend!: the card with the smallest gap to the end of its row, of those that take nothing now; if all do, the
//! one that takes the fewest heads. A row, if one is asked for, is the cheapest.
#![forbid(unsafe_code)]

use agon_client_api::six_qui_prend::{CHEAPEST_ROW, COURSE_EXACT, Move, Setup, SixQuiPrend, Turn, lay, take};
use agon_client_api::{Client, Declined, export_client};

struct ClosestGap {
    capacity: u8,
    /// Whether rows are found as by the program of the course.
    is_exact: bool,
}

impl Client for ClosestGap {
    type Game = SixQuiPrend;
    const NAME: &'static str = "Closest gap";

    fn new(setup: &Setup) -> Result<Self, Declined> {
        Ok(ClosestGap { capacity: setup.facts.row_capacity, is_exact: setup.facts.rules == COURSE_EXACT })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        if turn.pending().is_some() {
            return take(CHEAPEST_ROW);
        }
        let best = turn.hand().iter().min_by_key(|card| self.price(turn, **card));
        lay(best.copied().unwrap_or(0))
    }
}

impl ClosestGap {
    /// Heads that the card takes as the table is, then the gap to the card before it.
    fn price(&self, turn: &Turn, card: u8) -> (u8, u8) {
        let end = |row: &usize| turn.row(*row).last().copied().unwrap_or(0);
        let rows = 0..turn.facts.rows.len();
        let nearest = rows.clone().filter(|row| end(row) < card).max_by_key(end);
        let cheapest = || rows.min_by_key(|row| turn.facts.row_heads[*row]).unwrap_or(0);
        let row = nearest.filter(|_| !self.is_exact || end(&0) < card).unwrap_or_else(cheapest);
        match card.checked_sub(end(&row)) {
            Some(gap) if turn.facts.row_size[row] < self.capacity => (0, gap),
            _ => (turn.facts.row_heads[row], 0),
        }
    }
}

export_client!(ClosestGap);
