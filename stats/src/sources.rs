//! Checks whether results depend on where they were played. It looks for clients that scored more or less at one source
//! (a machine, a kind of processor) than at all others in the same meetings. It is a flag and no proof, nor a proof of
//! the opposite: a worker that forges a tenth of its losses is hardly ever found so.

use crate::normal;
use std::collections::BTreeMap;

/// The points of a player in one block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// The meeting as a number: only results of the same meeting are compared.
    pub meeting: usize,
    /// Where, as a number.
    pub source: usize,
    /// The player, as a number.
    pub player: usize,
    /// Its mean points in the block's matches: 1 = it won all.
    pub points: f64,
}

/// How a player fared at one source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    pub source: usize,
    pub player: usize,
    /// In how many blocks that others have, too.
    pub blocks: u64,
    /// How much more it got there a match than at all others in the same meetings; between -1 and 1.
    pub more: f64,
    /// That in its standard errors.
    pub z: f64,
}

/// Blocks and their points, with squares.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    points: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, points: f64) {
        self.count += 1.0;
        self.points += points;
        self.squares += points * points;
    }

    fn mean(&self) -> f64 {
        self.points / self.count
    }

    /// The variance of one block; `None` if there is none, or if all came to the same.
    fn variance(&self) -> Option<f64> {
        let around = self.squares - self.points * self.mean();
        (self.count > 1.0 && around > 1e-9 * self.count).then(|| around / (self.count - 1.0))
    }
}

/// The residuals of each player at each source, in order of both. Players without others in the same meetings have
/// none.
pub fn residuals(played: &[Played]) -> Vec<Residual> {
    let mut all: BTreeMap<(usize, usize), Sums> = BTreeMap::new();
    let mut own: BTreeMap<(usize, usize, usize), Sums> = BTreeMap::new();
    for &Played { meeting, source, player, points } in played {
        all.entry((meeting, player)).or_default().add(points);
        own.entry((source, player, meeting)).or_default().add(points);
    }
    // Blocks, points more than expected, the variance of these.
    let mut found: BTreeMap<(usize, usize), (f64, f64, f64)> = BTreeMap::new();
    for ((source, player, meeting), here) in own {
        let together = all[&(meeting, player)];
        let elsewhere = together.count - here.count;
        let Some(variance) = together.variance().filter(|_| elsewhere > 0.0) else { continue };
        let sums = found.entry((source, player)).or_default();
        let apart = here.mean() - (together.points - here.points) / elsewhere;
        sums.0 += here.count;
        // How much the mean here and the mean of all others differ, in the weight of the blocks here.
        sums.1 += here.count * apart;
        sums.2 += here.count * here.count * variance * (1.0 / here.count + 1.0 / elsewhere);
    }
    let residual = |((source, player), (blocks, more, variance)): ((usize, usize), (f64, f64, f64))| Residual {
        source,
        player,
        blocks: blocks as u64,
        more: more / blocks,
        z: more / variance.sqrt(),
    };
    found.into_iter().map(residual).collect()
}

/// Those that differ by more than chance: where all sources are alike, one list in a thousand has any. With few blocks
/// chance is not normal: below [`FEWEST`] there is no verdict.
pub fn beyond_chance(residuals: &[Residual]) -> Vec<Residual> {
    let enough: Vec<Residual> = residuals.iter().copied().filter(|residual| residual.blocks >= FEWEST).collect();
    let tests = enough.len() as f64;
    let is_unlikely = |residual: &Residual| 2.0 * normal::below(-residual.z.abs()) * tests < 0.001;
    enough.into_iter().filter(is_unlikely).collect()
}

/// The fewest blocks at one source for a comparison.
pub const FEWEST: u64 = 20;
