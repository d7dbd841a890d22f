//! The cyclic orders in which a line-up sits, opening by opening, in a game of turns. Each opening uses one order and
//! its reverse, so that of any two neighbours each moves right after the other. After a set of openings, everybody has
//! moved from every seat right after everybody else equally often. A draw for each set decides the sequence of orders.

use agon_games::{Seed, cyclic_orders, rng_from, shuffle};
use std::collections::BTreeSet;

/// The cyclic orders that the blocks of a line-up use; of an order and its reverse, only one.
#[derive(Clone, Debug)]
pub struct CyclicOrders(Vec<Vec<usize>>);

impl CyclicOrders {
    /// The orders for this number of seats, at least three.
    pub fn new(seats: usize) -> CyclicOrders {
        let mut seen = BTreeSet::new();
        CyclicOrders(cyclic_orders(seats).into_iter().filter(|order| seen.insert(either_way(order))).collect())
    }

    /// The number of matches of a block: all rotations of an order and of its reverse.
    pub fn matches(&self) -> usize {
        2 * self.0[0].len()
    }

    /// The number of openings in a set.
    pub fn openings(&self) -> u64 {
        self.0.len() as u64
    }

    /// The number of cyclic orders in a set.
    pub fn orders(&self) -> usize {
        2 * self.0.len()
    }

    /// The line-up in the order of its seats on an opening. `draw` gives the seed of a set of openings, from 0.
    pub fn arrange(&self, lineup: &[usize], opening: u64, draw: impl FnOnce(u64) -> Seed) -> Vec<usize> {
        let mut rng = rng_from(&draw(opening / self.openings()));
        let mut places = lineup.to_vec();
        shuffle(&mut rng, &mut places);
        let mut when: Vec<usize> = (0..self.0.len()).collect();
        shuffle(&mut rng, &mut when);
        let order = &self.0[when[(opening % self.openings()) as usize]];
        order.iter().map(|place| places[*place]).collect()
    }
}

/// The same for an order, all its rotations, and their reverses.
fn either_way(order: &[usize]) -> Vec<usize> {
    let from_least = |mut order: Vec<usize>| {
        let at = order.iter().position(|seat| *seat == 0).unwrap_or(0);
        order.rotate_left(at);
        order
    };
    let turned = order.iter().rev().copied().collect();
    from_least(order.to_vec()).min(from_least(turned))
}
