//! The order of moves in a game of turns: cyclic orders that make play fair. If all rotations of each are played, each
//! player has moved from every seat right after each other player equally often.

use crate::{Facts, Seat};

impl Facts {
    /// Whether rotating the seats does not make a block fair: with three or more of them in turns, each still moves
    /// after the same one.
    pub fn has_turn_order(&self, seats: usize) -> bool {
        !self.simultaneous && seats > 2
    }
}

/// Cyclic orders of this number of seats that belong together: together they have each seat right after each other one
/// equally often, and the last one of an order precedes its first. There are 1 for two seats, 2 for three, 6 for four,
/// 4 for five, 10 for six, 6 for seven, 14 for eight, 8 for nine, 18 for ten. Up to four seats these are all that
/// exist.
///
/// The rows are those of the squares of E. J. Williams (Australian Journal of Scientific Research A 2, 1949, page 149)
/// of one symbol less. In one square for an even number of symbols, and two for an odd one, each symbol stands right
/// before each other one equally often. Each symbol begins and ends the same number of rows, so one more symbol closes
/// the rows to circles.
pub fn cyclic_orders(seats: usize) -> Vec<Vec<Seat>> {
    if seats < 3 {
        return vec![(0..seats).collect()];
    }
    let symbols = seats - 1;
    // 0, 1, -1, 2, -2, …: each difference of neighbours comes once, or with the reversed order twice.
    let zigzag = (0..symbols).map(|place| if place % 2 == 1 { place.div_ceil(2) } else { symbols - place / 2 });
    let zigzag: Vec<usize> = zigzag.collect();
    let mut orders = Vec::new();
    for shift in 0..symbols {
        let row: Vec<Seat> = zigzag.iter().map(|symbol| (symbol + shift) % symbols).collect();
        let back: Option<Vec<Seat>> = (symbols % 2 == 1).then(|| row.iter().rev().copied().collect());
        orders.extend([Some(row), back].into_iter().flatten().map(|row| [row, vec![symbols]].concat()));
    }
    orders
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn everybody_has_moved_from_every_seat_after_everybody_else_equally_often() {
        for (seats, count) in (2..=12).zip([1, 2, 6, 4, 10, 6, 14, 8, 18, 10, 22]) {
            let orders = cyclic_orders(seats);
            assert_eq!(orders.len(), count, "{seats} seats");
            let mut found: BTreeMap<(Seat, Seat, Seat), usize> = BTreeMap::new();
            for order in &orders {
                assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), seats);
                for (rotation, seat) in (0..seats).flat_map(|rotation| (0..seats).map(move |seat| (rotation, seat))) {
                    let at = |seat: usize| order[(seat + rotation) % seats];
                    *found.entry((seat, at(seat), at(seat + 1))).or_default() += 1;
                }
            }
            let times: BTreeSet<usize> = found.values().copied().collect();
            assert_eq!((found.len(), times.len()), (seats * seats * (seats - 1), 1), "{seats} seats: {times:?}");
            assert_eq!(orders.iter().collect::<BTreeSet<_>>().len(), count, "no order comes twice");
        }
    }

    #[test]
    fn for_three_seats_one_order_is_the_other_turned_round() {
        assert_eq!(cyclic_orders(3), [[0, 1, 2], [1, 0, 2]]);
    }
}
