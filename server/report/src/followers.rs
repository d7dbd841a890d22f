//! Counts who moved right after whom in the matches of a ladder, and warns if that is not balanced.

use super::grid::client_label;
use agon_model::visible::escape;
use agon_model::{CyclicOrders, Entrant, LadderRow, MatchOutcome};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// For each two clients, the number of times that they sat at one table, and of those in which the second moved right
/// after the first.
#[derive(Debug, Default)]
pub struct Followers(BTreeMap<(usize, usize), Pair>);

#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    together: u64,
    right_after: u64,
}

impl Followers {
    /// Adds a match of three seats or more that moved in turns.
    pub fn add(&mut self, outcome: &MatchOutcome) {
        let seats = &outcome.seats;
        for (seat, one) in seats.iter().enumerate() {
            for ahead in 1..seats.len() {
                let other = &seats[(seat + ahead) % seats.len()];
                let pair = self.0.entry((one.entrant, other.entrant)).or_default();
                pair.together += 1;
                pair.right_after += u64::from(ahead == 1);
            }
        }
    }

    /// A line on the two clients for whom it is least even, or nothing where it is even for all.
    pub fn warning(&self, ladder: &LadderRow, entrants: &[Entrant]) -> String {
        let others = ladder.seats.saturating_sub(1) as u64;
        let excess = |pair: &Pair| (others * pair.right_after).abs_diff(pair.together);
        let least_even = self.0.iter().max_by_key(|(who, pair)| (excess(pair), Reverse(**who)));
        let Some((&(before, after), pair)) = least_even.filter(|(_, pair)| excess(pair) > 0) else {
            return String::new();
        };
        let name = |client: usize| escape(client_label(entrants, client), 40);
        let set = CyclicOrders::new(ladder.seats).openings();
        format!(
            "who moves after whom is not balanced: {} moved right after {} {} times of {} at one table, {} would be even; \
             every {set} openings of a line-up balance it\n",
            name(after),
            name(before),
            pair.right_after,
            pair.together,
            even(pair.together, others)
        )
    }
}

/// A share of matches, with a place behind the point where it is not whole.
fn even(together: u64, others: u64) -> String {
    if together.is_multiple_of(others) {
        return (together / others).to_string();
    }
    format!("{:.1}", together as f64 / others as f64)
}
