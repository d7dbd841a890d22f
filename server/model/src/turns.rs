//! In which cyclic orders a line-up sits, opening by opening, in a game of turns: on each in one and in the same turned
//! round, so that of any two neighbours each moves right after the other; and after a set of openings everybody has
//! moved from every seat right after everybody else equally often. Which order comes when is drawn for each set.

use agon_games::{Seed, cyclic_orders, rng_from, shuffle};
use std::collections::BTreeSet;

/// The cyclic orders among which the blocks of a line-up change; of two that are each other turned round, one.
#[derive(Clone, Debug)]
pub struct Turns(Vec<Vec<usize>>);

impl Turns {
    /// For so many seats, at least three.
    pub fn new(seats: usize) -> Turns {
        let mut seen = BTreeSet::new();
        Turns(cyclic_orders(seats).into_iter().filter(|order| seen.insert(either_way(order))).collect())
    }

    /// How many matches a block has: all rotations of an order and of the same turned round.
    pub fn matches(&self) -> usize {
        2 * self.0[0].len()
    }

    /// How many openings make a set.
    pub fn openings(&self) -> u64 {
        self.0.len() as u64
    }

    /// How many cyclic orders there are in a set.
    pub fn orders(&self) -> usize {
        2 * self.0.len()
    }

    /// The line-up in the order of its seats on an opening. `draw` gives what is drawn for a set of openings, from 0.
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

/// The same for an order, all its rotations, and these turned round.
fn either_way(order: &[usize]) -> Vec<usize> {
    let from_least = |mut order: Vec<usize>| {
        let at = order.iter().position(|seat| *seat == 0).unwrap_or(0);
        order.rotate_left(at);
        order
    };
    let turned = order.iter().rev().copied().collect();
    from_least(order.to_vec()).min(from_least(turned))
}
