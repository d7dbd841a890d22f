//! Finds the cheapest pairing of everybody: Edmonds' algorithm for weighted matchings in general graphs, in its cubic
//! form by Gabow with dual variables. See Galil, "Efficient algorithms for finding maximum matching in graphs", 1986.
//!
//! Vertices and blossoms, which are odd circles shrunk to one vertex, share one numbering from 1; 0 stands for none.
//! Every vertex is even, odd or free in the forest of alternating paths. `label` has the duals, and an edge of slack 0
//! is tight.

mod blossom;

use std::collections::VecDeque;

/// Pairs all of an even number of players so that the sum of `cost` is least; of equal pairings always the same.
/// `mate[i]` is the opponent of `i`. Costs are symmetric, not negative, and below 2^120 in sum.
pub fn pair_off(players: usize, cost: &dyn Fn(usize, usize) -> i128) -> Vec<usize> {
    let mut weight = vec![vec![0; players + 1]; players + 1];
    for (a, b) in (0..players).flat_map(|a| (0..a).map(move |b| (a, b))) {
        // Costs are doubled, so that duals stay whole.
        weight[a + 1][b + 1] = -2 * cost(a, b);
        weight[b + 1][a + 1] = weight[a + 1][b + 1];
    }
    let mut search = Search::new(players, weight);
    while search.grow() {}
    (1..=players).map(|vertex| search.mate[vertex] - 1).collect()
}

/// The place of a vertex in the forest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Free,
    Even,
    Odd,
}

/// An edge by its two players.
type Edge = (usize, usize);

struct Search {
    players: usize,
    /// The highest number in use.
    last: usize,
    weight: Vec<Vec<i128>>,
    /// The tightest edge between two vertices; between players the edge itself.
    edge: Vec<Vec<Option<Edge>>>,
    label: Vec<i128>,
    /// The player on the other side of a vertex's matched edge.
    mate: Vec<usize>,
    /// The even player with the tightest edge to a vertex.
    slack: Vec<usize>,
    /// The outermost blossom that holds a vertex.
    outer: Vec<usize>,
    /// The player from which a vertex was reached.
    parent: Vec<usize>,
    /// Which part of a blossom holds a player.
    part: Vec<Vec<usize>>,
    side: Vec<Side>,
    seen: Vec<u64>,
    look: u64,
    /// The parts of a blossom, around its circle from its base.
    circle: Vec<Vec<usize>>,
    queue: VecDeque<usize>,
}

impl Search {
    fn new(players: usize, weight: Vec<Vec<i128>>) -> Search {
        let size = players + players / 2 + 2;
        let mut edge = vec![vec![None; size]; size];
        let mut part = vec![vec![0; players + 1]; size];
        for a in 1..=players {
            part[a][a] = a;
            (1..=players).filter(|&b| b != a).for_each(|b| edge[a][b] = Some((a, b)));
        }
        Search {
            players,
            last: players,
            weight,
            edge,
            // No edge has a positive weight, so no edge is too light for these duals.
            label: vec![0; size],
            mate: vec![0; size],
            slack: vec![0; size],
            outer: (0..size).map(|vertex| if vertex <= players { vertex } else { 0 }).collect(),
            parent: vec![0; size],
            part,
            side: vec![Side::Free; size],
            seen: vec![0; size],
            look: 0,
            circle: vec![Vec::new(); size],
            queue: VecDeque::new(),
        }
    }

    /// Twice the distance of an edge from being tight.
    fn distance(&self, (a, b): Edge) -> i128 {
        self.label[a] + self.label[b] - 2 * self.weight[a][b]
    }

    fn distance_to(&self, from: usize, to: usize) -> Option<i128> {
        self.edge[from][to].map(|edge| self.distance(edge))
    }

    fn is_outer(&self, vertex: usize) -> bool {
        self.outer[vertex] == vertex
    }

    fn blossoms(&self) -> std::ops::RangeInclusive<usize> {
        self.players + 1..=self.last
    }

    fn note_slack(&mut self, from: usize, to: usize) {
        let known = self.slack[to];
        if known == 0 || self.distance_to(from, to) < self.distance_to(known, to) {
            self.slack[to] = from;
        }
    }

    fn find_slack(&mut self, to: usize) {
        self.slack[to] = 0;
        for from in 1..=self.players {
            let outer = self.outer[from];
            if self.edge[from][to].is_some() && outer != to && self.side[outer] == Side::Even {
                self.note_slack(from, to);
            }
        }
    }

    fn enqueue(&mut self, vertex: usize) {
        if vertex <= self.players {
            self.queue.push_back(vertex);
        } else {
            self.circle[vertex].clone().into_iter().for_each(|part| self.enqueue(part));
        }
    }

    fn set_outer(&mut self, vertex: usize, outer: usize) {
        self.outer[vertex] = outer;
        if vertex > self.players {
            self.circle[vertex].clone().into_iter().for_each(|part| self.set_outer(part, outer));
        }
    }

    /// Takes a tight edge from an even vertex into the forest; returns whether the matching grew.
    fn take(&mut self, edge: Edge) -> bool {
        let (from, to) = (self.outer[edge.0], self.outer[edge.1]);
        match self.side[to] {
            Side::Free => {
                self.parent[to] = edge.0;
                self.side[to] = Side::Odd;
                let partner = self.outer[self.mate[to]];
                (self.slack[to], self.slack[partner]) = (0, 0);
                self.side[partner] = Side::Even;
                self.enqueue(partner);
                false
            }
            Side::Even => match self.meet(from, to) {
                0 => {
                    self.augment(from, to);
                    self.augment(to, from);
                    true
                }
                base => {
                    self.shrink(from, base, to);
                    false
                }
            },
            Side::Odd => false,
        }
    }

    /// Grows alternating trees from all single vertices until the matching has one more pair; false = it is perfect.
    fn grow(&mut self) -> bool {
        self.side[..=self.last].fill(Side::Free);
        self.slack[..=self.last].fill(0);
        self.queue.clear();
        for vertex in 1..=self.last {
            if self.is_outer(vertex) && self.mate[vertex] == 0 {
                self.parent[vertex] = 0;
                self.side[vertex] = Side::Even;
                self.enqueue(vertex);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            if self.search() || self.shift() {
                return true;
            }
            for blossom in self.blossoms() {
                if self.is_outer(blossom) && self.side[blossom] == Side::Odd && self.label[blossom] == 0 {
                    self.expand(blossom);
                }
            }
        }
    }

    /// Follows tight edges from all even players in the queue.
    fn search(&mut self) -> bool {
        while let Some(from) = self.queue.pop_front() {
            if self.side[self.outer[from]] == Side::Odd {
                continue;
            }
            for to in 1..=self.players {
                if from == to || self.outer[from] == self.outer[to] {
                    continue;
                }
                if self.distance((from, to)) > 0 {
                    self.note_slack(from, self.outer[to]);
                } else if self.take((from, to)) {
                    return true;
                }
            }
        }
        false
    }

    /// Shifts the duals until an edge becomes tight or a blossom can be taken apart, and takes such edges.
    fn shift(&mut self) -> bool {
        let step = self.step();
        for player in 1..=self.players {
            match self.side[self.outer[player]] {
                Side::Even => self.label[player] -= step,
                Side::Odd => self.label[player] += step,
                Side::Free => {}
            }
        }
        for blossom in self.blossoms().filter(|&blossom| self.outer[blossom] == blossom) {
            match self.side[blossom] {
                Side::Even => self.label[blossom] += 2 * step,
                Side::Odd => self.label[blossom] -= 2 * step,
                Side::Free => {}
            }
        }
        for vertex in 1..=self.last {
            let from = self.slack[vertex];
            if !self.is_outer(vertex) || from == 0 || self.outer[from] == vertex {
                continue;
            }
            if let Some(edge) = self.edge[from][vertex].filter(|&edge| self.distance(edge) == 0)
                && self.take(edge)
            {
                return true;
            }
        }
        false
    }

    /// The amount by which the duals can be shifted.
    fn step(&self) -> i128 {
        let blossoms = self.blossoms().filter(|&blossom| self.is_outer(blossom) && self.side[blossom] == Side::Odd);
        let expanding = blossoms.map(|blossom| self.label[blossom] / 2);
        let slack = (1..=self.last).filter(|&vertex| self.is_outer(vertex) && self.slack[vertex] != 0);
        let tightening = slack.filter_map(|vertex| {
            let distance = self.distance_to(self.slack[vertex], vertex)?;
            match self.side[vertex] {
                Side::Free => Some(distance),
                Side::Even => Some(distance / 2),
                Side::Odd => None,
            }
        });
        // With an even number of players in a complete graph, some shift is always possible.
        expanding.chain(tightening).min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Finds the least cost by trying everything.
    fn least(left: &[usize], cost: &dyn Fn(usize, usize) -> i128) -> i128 {
        let Some((&first, others)) = left.split_first() else { return 0 };
        let try_one = |at: usize| {
            let mut rest = others.to_vec();
            let second = rest.remove(at);
            cost(first, second) + least(&rest, cost)
        };
        (0..others.len()).map(try_one).min().unwrap()
    }

    fn check(players: usize, cost: &dyn Fn(usize, usize) -> i128) -> i128 {
        let mate = pair_off(players, cost);
        let sum = (0..players).map(|player| {
            assert_eq!(mate[mate[player]], player);
            assert_ne!(mate[player], player);
            cost(player, mate[player])
        });
        sum.sum::<i128>() / 2
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn the_sum_is_the_least(half in 0usize..6, most in 1u32..40, seeds in proptest::collection::vec(any::<u32>(), 100)) {
            let players = 2 * half;
            let cost = |a: usize, b: usize| i128::from(seeds[a.min(b) * 10 + a.max(b)] % most);
            let all: Vec<usize> = (0..players).collect();
            prop_assert_eq!(check(players, &cost), least(&all, &cost));
        }
    }

    #[test]
    fn many_players_and_large_costs_are_paired_in_time() {
        let cost = |a: usize, b: usize| {
            let hash = (a.min(b) * 7_919 + a.max(b) * 104_729) % 1_009;
            hash as i128 * (1 << 90)
        };
        let began = std::time::Instant::now();
        check(200, &cost);
        assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
    }
}
