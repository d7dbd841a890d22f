//! In which cyclic order a line-up sits, opening by opening, in a game of turns: after a set of openings everybody has moved from every
//! seat right after everybody else equally often. Which order comes when is drawn for each set.

use agon_games::{Seed, cyclic_orders, rng_from, shuffle};

/// The cyclic orders among which the blocks of a line-up change.
#[derive(Clone, Debug)]
pub struct Turns {
    orders: Vec<Vec<usize>>,
    /// Whether a block has its order and the same one turned round: the only two there are for three seats.
    both_ways: bool,
}

impl Turns {
    /// For so many seats, at least three.
    pub fn new(seats: usize) -> Turns {
        Turns { orders: cyclic_orders(seats), both_ways: seats == 3 }
    }

    /// How many matches a block has.
    pub fn matches(&self) -> usize {
        self.orders.iter().take(self.orders_of_a_block()).map(Vec::len).sum()
    }

    /// How many openings make a set.
    pub fn openings(&self) -> u64 {
        (self.orders.len() / self.orders_of_a_block()) as u64
    }

    /// How many cyclic orders there are in a set.
    pub fn orders(&self) -> usize {
        self.orders.len()
    }

    fn orders_of_a_block(&self) -> usize {
        if self.both_ways { 2 } else { 1 }
    }

    /// The line-up in the order of its seats on an opening. `draw` gives what is drawn for a set of openings, from 0.
    pub fn arrange(&self, lineup: &[usize], opening: u64, draw: impl FnOnce(u64) -> Seed) -> Vec<usize> {
        let mut rng = rng_from(&draw(opening / self.openings()));
        let mut places = lineup.to_vec();
        shuffle(&mut rng, &mut places);
        let mut when: Vec<usize> = (0..self.orders.len()).collect();
        shuffle(&mut rng, &mut when);
        let order = &self.orders[when[(opening % self.openings()) as usize]];
        order.iter().map(|place| places[*place]).collect()
    }
}
