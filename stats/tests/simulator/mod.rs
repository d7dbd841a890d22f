//! Invents results of known strengths. It shares no code with the crate: its own generator, its own formulas.

use agon_stats::bradley_terry::{Duel, DuelOutcome};
use agon_stats::plackett_luce::{RankedSeat, Ranking};
use agon_stats::sprt::{MatchPair, Scale};

/// Correlation of the results of one block.
pub const CORRELATION: f64 = 0.15;

/// xorshift64* (Vigna 2016), seeded through a multiplication so that neighbouring seeds differ.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        let mut chance = Chance((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..8).for_each(|_| _ = chance.bits());
        chance
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// From 0 to 1, both excluded.
    pub fn unit(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) / (1u64 << 52) as f64
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.unit() * bound as f64) as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        (1..items.len()).rev().for_each(|last| items.swap(last, self.below(last + 1)));
    }
}

/// The results of a pair, the worst first.
pub const PAIRS: [MatchPair; 5] =
    [MatchPair::Nothing, MatchPair::Half, MatchPair::Even, MatchPair::OneAndHalf, MatchPair::Both];

/// The chances of the five results at an Elo difference: a usual distribution, tilted until it has it.
pub fn chances(scale: Scale, elo: f64) -> [f64; 5] {
    let wanted = match scale {
        Scale::Normalised => elo / (800.0 / 10f64.ln()),
        Scale::Logistic => 1.0 / (1.0 + 10f64.powf(-elo / 400.0)),
    };
    let tilted = |tilt: f64| {
        let parts = [0.04, 0.2, 0.5, 0.21, 0.05];
        let parts: [f64; 5] = std::array::from_fn(|place| parts[place] * (tilt * place as f64).exp());
        parts.map(|part| part / parts.iter().sum::<f64>())
    };
    let found = |chances: [f64; 5]| {
        let mean: f64 = (0..5).map(|place| chances[place] * place as f64 / 4.0).sum();
        let square: f64 = (0..5).map(|place| chances[place] * (place as f64 / 4.0 - mean).powi(2)).sum();
        match scale {
            // Of a game: the deviation of a pair's mean score times the root of two.
            Scale::Normalised => (mean - 0.5) / (2.0 * square).sqrt(),
            Scale::Logistic => mean,
        }
    };
    let (mut low, mut high) = (-1.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if found(tilted(middle)) < wanted { low = middle } else { high = middle }
    }
    tilted(low)
}

/// One of the five by these chances.
pub fn draw(chance: &mut Chance, chances: &[f64; 5]) -> MatchPair {
    let mut left = chance.unit();
    for (pair, part) in PAIRS.iter().zip(chances) {
        left -= part;
        if left < 0.0 {
            return *pair;
        }
    }
    MatchPair::Both
}

/// A world of two seats: Elo above each other, Elo for sitting first, draws between equals.
pub struct World {
    pub elo: Vec<f64>,
    pub first_seat: f64,
    pub draw_rate: f64,
    /// Whether the luck of a block is with a seat rather than with a client, as on an opening that favours one: the two
    /// results of a client then have minus the correlation.
    pub uneven: bool,
}

impl World {
    /// The chances that `a` wins against `b`, and that they draw.
    fn chances(&self, a: usize, b: usize, a_is_first: bool) -> (f64, f64) {
        let advantage = if a_is_first { self.first_seat } else { -self.first_seat };
        let steep = 400.0 * (1.0 - self.draw_rate);
        let odds = 10f64.powf((self.elo[a] - self.elo[b] + advantage) / steep / 2.0);
        let draws = 2.0 * self.draw_rate / (1.0 - self.draw_rate);
        let all = odds + 1.0 / odds + draws;
        (odds / all, draws / all)
    }

    /// A block: both seats on one opening. Each game is decided by a number that with the chance sqrt(CORRELATION) is
    /// the block's, so that the chances of each game stay exact and two of them have that correlation.
    pub fn block(&self, chance: &mut Chance, a: usize, b: usize, block: u64) -> [Duel; 2] {
        self.correlated_block(chance, a, b, block, CORRELATION)
    }

    /// The same with another correlation.
    pub fn correlated_block(&self, chance: &mut Chance, a: usize, b: usize, block: u64, correlation: f64) -> [Duel; 2] {
        let shared = chance.unit();
        [true, false].map(|a_is_first| {
            let own = chance.unit();
            let shared = if self.uneven && !a_is_first { 1.0 - shared } else { shared };
            let luck = if chance.unit() < correlation.sqrt() { shared } else { own };
            let (win, draw) = self.chances(a, b, a_is_first);
            let (first, second) = if a_is_first { (a as u32, b as u32) } else { (b as u32, a as u32) };
            let outcome = match luck {
                luck if luck < win => {
                    if a_is_first {
                        DuelOutcome::First
                    } else {
                        DuelOutcome::Second
                    }
                }
                luck if luck < win + draw => DuelOutcome::Draw,
                _ => {
                    if a_is_first {
                        DuelOutcome::Second
                    } else {
                        DuelOutcome::First
                    }
                }
            };
            Duel { first, second, setting: 0, opening: block, game: chance.bits(), outcome, block }
        })
    }

    /// Plays this number of blocks for every pair.
    pub fn round_robin(&self, chance: &mut Chance, blocks: usize) -> Vec<Duel> {
        let mut duels = Vec::new();
        for b in 0..self.elo.len() {
            for a in 0..b {
                (0..blocks).for_each(|_| duels.extend(self.block(chance, a, b, duels.len() as u64)));
            }
        }
        duels
    }
}

/// A block of as many seats as `players`, in all rotations: each has its strength plus a Gumbel number, kept for the
/// block with the chance sqrt(CORRELATION); the highest is first. Results closer than `tie` Elo are shared.
pub fn ranked_block(chance: &mut Chance, elo: &[f64], players: &[usize], block: u64, tie: f64) -> Vec<Ranking> {
    correlated_ranked_block(chance, elo, players, block, tie, CORRELATION)
}

/// The same with another correlation.
pub fn correlated_ranked_block(
    chance: &mut Chance,
    elo: &[f64],
    players: &[usize],
    block: u64,
    tie: f64,
    correlation: f64,
) -> Vec<Ranking> {
    let gumbel = |chance: &mut Chance| -(-chance.unit().ln()).ln() * 400.0 / 10f64.ln();
    let shared: Vec<f64> = players.iter().map(|_| gumbel(chance)).collect();
    let rotation = |by: usize| {
        let mut shown: Vec<f64> = Vec::new();
        for (player, shared) in players.iter().zip(&shared) {
            let own = gumbel(chance);
            let luck = if chance.unit() < correlation.sqrt() { *shared } else { own };
            shown.push(elo[*player] + luck);
        }
        let better = |seat: usize| shown.iter().filter(|other| **other > shown[seat] + tie).count() as u32;
        let seat = |seat: usize| RankedSeat { entrant: players[seat] as u32, rank: 1 + better(seat) };
        let seats = (0..players.len()).map(|place| seat((place + by) % players.len())).collect();
        Ranking { seats, setting: 0, opening: block, game: chance.bits(), block }
    };
    (0..players.len()).map(rotation).collect()
}
