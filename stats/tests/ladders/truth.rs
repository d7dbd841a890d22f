//! The strengths and points that are true of the clients of a simulated ladder.

use super::{Ladder, Starts, World, fit, lineups, rotations};
use crate::simulator::Chance;
use std::collections::HashMap;

/// The most steps towards the strengths that endless games show.
const MOST_STEPS: usize = 10_000;
/// The games of each order of seats that stand for very many.
const MANY: f64 = 400.0;

/// All orders, each as often among this number as by strengths it is to be expected: those at equal steps of the sum of
/// the chances.
fn expected_orders(lineup: &[usize], elo: impl Fn(usize) -> f64, number: f64) -> Vec<Vec<usize>> {
    let mut orders = vec![(Vec::new(), 1.0)];
    for _ in lineup {
        let next = |(order, chance): &(Vec<usize>, f64)| {
            let left: Vec<usize> = lineup.iter().copied().filter(|client| !order.contains(client)).collect();
            let odds = |client: usize| 10f64.powf(elo(client) / 400.0);
            let all: f64 = left.iter().map(|client| odds(*client)).sum();
            let after = |client: usize| ([order.as_slice(), &[client]].concat(), chance * odds(client) / all);
            left.into_iter().map(after).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(next).collect();
    }
    let (mut found, mut sum) = (Vec::new(), 0.0);
    for (order, chance) in orders {
        sum += chance * number;
        while (found.len() as f64) + 0.5 < sum {
            found.push(order.clone());
        }
    }
    found
}

impl Ladder {
    /// Elo of each client, of all starts or of the only one.
    pub(super) fn true_elo(&self, world: &World<'_>) -> Vec<f64> {
        if self.starts != Starts::One || self.again == 0.0 {
            return (0..self.clients).map(|client| world.elo(client)).collect();
        }
        if self.seats > 2 { self.limit(world) } else { self.sampled(world, MANY) }
    }

    /// Points of each client, likewise.
    pub(super) fn true_points(&self, world: &World<'_>) -> Vec<f64> {
        let before = |one: usize, other: usize| 1.0 / (1.0 + 10f64.powf((world.elo(other) - world.elo(one)) / 400.0));
        let others = |one: usize| (0..self.clients).filter(move |other| *other != one);
        let mean = |one: usize| others(one).map(|other| before(one, other)).sum::<f64>() / (self.clients - 1) as f64;
        let points: Vec<f64> = (0..self.clients).map(mean).collect();
        if self.starts != Starts::One || self.again == 0.0 {
            return points;
        }
        // The first games of the only start come again.
        let mut fixed = vec![(0.0, 0.0); self.clients];
        for (_, (order, _)) in world.first.iter() {
            for (place, client) in order.iter().enumerate() {
                fixed[*client].0 += (order.len() - 1 - place) as f64 / (order.len() - 1) as f64;
                fixed[*client].1 += 1.0;
            }
        }
        let mixed =
            |client: usize| self.again * fixed[client].0 / fixed[client].1 + (1.0 - self.again) * points[client];
        (0..self.clients).map(mixed).collect()
    }

    /// The strengths that this number of games of each order of seats from the only start show, in which each order comes
    /// as often as it is to be expected.
    fn sampled(&self, world: &World<'_>, many: f64) -> Vec<f64> {
        let (mut all, mut number) = (Vec::new(), 0);
        for lineup in lineups(self.clients, self.seats) {
            let expected = expected_orders(&lineup, |client| world.elo(client), ((1.0 - self.again) * many).round());
            for seats in rotations(&lineup) {
                let known = &world.first[&(0, seats.clone())].0;
                let again = std::iter::repeat_n(known, (self.again * many).round() as usize);
                all.extend(again.chain(&expected).map(|order| {
                    number += 1;
                    ((seats.clone(), order.clone()), 0, number, number)
                }));
            }
        }
        fit(self, &all).strengths.iter().map(|strength| strength.elo).collect()
    }

    /// How far the strengths that so many games show are from those that endless games show, at most, in Elo.
    pub fn error_of_sample(&self, seed: u64, many: f64) -> f64 {
        let (mut world, mut chance) = (World { ladder: self, first: HashMap::new() }, Chance::new(seed));
        for lineup in lineups(self.clients, self.seats) {
            rotations(&lineup).for_each(|seats| drop(world.play(&mut chance, 0, &seats)));
        }
        let (limit, sampled) = (self.limit(&world), self.sampled(&world, many));
        let apart = |(a, b): (usize, usize)| (limit[a] - limit[b] - sampled[a] + sampled[b]).abs();
        (0..self.clients).flat_map(|a| (0..a).map(move |b| (a, b))).map(apart).fold(0.0, f64::max)
    }

    /// The strengths that endless games from the only start show in the model of Plackett and Luce, exactly. A sample of
    /// the 120 or 720 orders of five or six seats is off by so much that intervals seem too short that are not.
    fn limit(&self, world: &World<'_>) -> Vec<f64> {
        let odds: Vec<f64> = (0..self.clients).map(|client| 10f64.powf(world.elo(client) / 400.0)).collect();
        // How often the next place is between these clients, by bits, and how often each takes one.
        let (mut between, mut taken) = (vec![0.0; 1 << self.clients], vec![0.0; self.clients]);
        for lineup in lineups(self.clients, self.seats) {
            let all = lineup.iter().fold(0usize, |set, client| set | 1 << client);
            let mut chance = vec![0.0; 1 << self.clients];
            chance[all] = (1.0 - self.again) * lineup.len() as f64;
            // Fewer clients make a smaller number.
            for set in (1..=all).rev().filter(|set| set & all == *set && set.count_ones() > 1) {
                between[set] += chance[set];
                let inside = || lineup.iter().copied().filter(|client| set >> client & 1 == 1);
                let sum: f64 = inside().map(|client| odds[client]).sum();
                for client in inside() {
                    let won = chance[set] * odds[client] / sum;
                    taken[client] += won;
                    chance[set & !(1 << client)] += won;
                }
            }
            for seats in rotations(&lineup) {
                let mut set = all;
                for client in &world.first[&(0, seats)].0[..lineup.len() - 1] {
                    between[set] += self.again;
                    taken[*client] += self.again;
                    set &= !(1 << client);
                }
            }
        }
        // Hunter, MM algorithms for generalized Bradley-Terry models (Annals of Statistics 32, 2004).
        let sets: Vec<(usize, f64)> = between.into_iter().enumerate().filter(|(_, times)| *times > 0.0).collect();
        let mut found = odds;
        for _ in 0..MOST_STEPS {
            let mut expected = vec![0.0; self.clients];
            for (set, times) in &sets {
                let inside = || (0..self.clients).filter(|client| set >> client & 1 == 1);
                let sum: f64 = inside().map(|client| found[client]).sum();
                inside().for_each(|client| expected[client] += times / sum);
            }
            let next: Vec<f64> = taken.iter().zip(&expected).map(|(taken, expected)| taken / expected).collect();
            let apart = next.iter().zip(&found).map(|(a, b)| (a / b).ln().abs()).fold(0.0, f64::max);
            found = next;
            if apart < 1e-9 {
                break;
            }
        }
        found.into_iter().map(|strength| 400.0 * strength.log10()).collect()
    }
}
