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

    /// A record keeps its turn orders, so these never change: neither the orders nor their sequence.
    #[test]
    fn the_orders_of_three_to_ten_seats_stay() {
        let fixed = [
            "012 102",
            "0123 2103 1203 0213 2013 1023",
            "01324 12034 23104 30214",
            "014235 324105 120345 430215 231405 041325 342015 102435 403125 213045",
            "0152436 1203546 2314056 3425106 4530216 5041326",
            "01625347 43526107 12036457 54630217 23140567 65041327 34251607 06152437 45362017 10263547 \
             56403127 21304657 60514237 32415067",
            "017263548 120374658 231405768 342516078 453627108 564730218 675041328 706152438",
            "0182736459 5463728109 1203847569 6574830219 2314058679 7685041329 3425160789 8706152439 \
             4536271809 0817263549 5647382019 1028374659 6758403129 2130485769 7860514239 3241506879 \
             8071625349 4352617089",
        ];
        for (seats, fixed) in (3..).zip(fixed) {
            let digits = |order: &Vec<Seat>| order.iter().map(ToString::to_string).collect::<String>();
            assert_eq!(cyclic_orders(seats).iter().map(digits).collect::<Vec<_>>().join(" "), fixed, "{seats} seats");
        }
    }
}
