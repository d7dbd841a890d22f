//! Treats results as a sample: copies count once (see [`crate::copies`]), and dependent results form clusters.
//!
//! A start is drawn once and played by many: a client that likes it likes it in every block, against any opponent. So
//! all results from one start are a cluster. If everything in a setting began alike, no starts are drawn: then the
//! blocks are the clusters, those of a line-up in which chance has shown are a stratum, and the results describe only
//! this start. Nothing depends on the order of the results or on
//! the numbers of blocks.

use crate::copies::{PlayedMatch, PlayedMatches};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

/// A result as both models see it.
pub(crate) trait Row {
    /// A number that the results of a block share, and no others.
    fn block(&self) -> u64;
    /// The setting, and the number of the start in it.
    fn start(&self) -> [u64; 2];
    /// The order of everything except the block: the seating and the start, then the result and the game. Results that
    /// differ only by the game are equal in all sums, so a record that does not know its games may number them freely.
    fn contents(&self, other: &Self) -> Ordering;
    fn entrants(&self) -> impl Iterator<Item = u32> + Clone;
    /// The key that identifies copies.
    fn game(&self) -> PlayedMatch;
}

/// A result with its weight: of a game that is in several clusters each has a share, and all together are 1.
pub(crate) struct Weighted<R> {
    pub row: R,
    pub weight: f64,
    pub cluster: u32,
    /// The stratum of the cluster; 0 if it is in none.
    pub stratum: u32,
}

/// The number of games played, by entrant or in all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Count {
    pub matches: u64,
    /// Those that count: copies are left out.
    pub games: f64,
}

/// Results cluster by cluster.
pub(crate) struct Sample<R> {
    pub rows: Vec<Weighted<R>>,
    pub counts: Vec<Count>,
    /// Games that one line-up plays in a cluster, at least one.
    pub per_lineup: f64,
    /// Games that an entrant plays in a cluster, the mean over these games, at least one.
    pub per_entrant: f64,
}

impl<R: Row> Sample<R> {
    /// From results in any order; with copies as games of their own unless `distinct`.
    pub fn new(rows: Vec<R>, entrants: usize, distinct: bool) -> Sample<R> {
        let mut counts = vec![Count::default(); entrants];
        rows.iter().flat_map(R::entrants).for_each(|entrant| counts[entrant as usize].matches += 1);
        let without_chance = copyable(&rows);
        let copyable = if distinct { without_chance.clone() } else { HashSet::new() };
        let rows = share(in_clusters(in_blocks(rows, &copyable), &without_chance), &copyable);
        rows.iter().for_each(|row| row.row.entrants().for_each(|entrant| counts[entrant as usize].games += row.weight));
        let (per_lineup, per_entrant) = sizes(&rows);
        Sample { rows, counts, per_lineup, per_entrant }
    }
}

/// The line-ups of which equal games are copies.
fn copyable<R: Row>(rows: &[R]) -> HashSet<u64> {
    let mut played_matches = PlayedMatches::default();
    rows.iter().for_each(|row| played_matches.add(row.game()));
    rows.iter().map(|row| row.game().lineup).filter(|lineup| !played_matches.is_by_chance(*lineup)).collect()
}

/// The results by block, blocks in the order of their contents, copies of whole blocks left out in these line-ups.
fn in_blocks<R: Row>(mut rows: Vec<R>, copyable: &HashSet<u64>) -> Vec<Weighted<R>> {
    rows.sort_unstable_by(|a, b| a.block().cmp(&b.block()).then_with(|| a.contents(b)));
    let by_contents = |a: &&[R], b: &&[R]| {
        let first = a.iter().zip(b.iter()).map(|(a, b)| a.contents(b)).find(|order| order.is_ne());
        first.unwrap_or_else(|| a.len().cmp(&b.len()))
    };
    let mut blocks: Vec<&[R]> = rows.chunk_by(|a, b| a.block() == b.block()).collect();
    blocks.sort_by(by_contents);
    let is_copyable = |block: &[R]| block.iter().all(|row| copyable.contains(&row.game().lineup));
    if !copyable.is_empty() {
        blocks.dedup_by(|a, b| by_contents(&&**a, &&**b).is_eq() && is_copyable(a));
    }
    let mut number = HashMap::with_capacity(blocks.len());
    (0..).zip(&blocks).for_each(|(place, block)| _ = number.insert(block[0].block(), place));
    let with_block =
        |row: R| number.get(&row.block()).map(|cluster| Weighted { weight: 1.0, cluster: *cluster, stratum: 0, row });
    let mut rows: Vec<Weighted<R>> = rows.into_iter().filter_map(with_block).collect();
    rows.sort_by_key(|row| row.cluster);
    rows
}

/// Puts the blocks together that began alike, in settings in which not all did. In the others, the blocks of a line-up
/// are a stratum, unless there are line-ups `without_chance`: whether chance has shown is chance too, and decides how
/// much the line-up weighs.
fn in_clusters<R: Row>(mut rows: Vec<Weighted<R>>, without_chance: &HashSet<u64>) -> Vec<Weighted<R>> {
    let mut only: HashMap<u64, Option<u64>> = HashMap::new();
    for row in &rows {
        let [setting, opening] = row.row.start();
        let first = only.entry(setting).or_insert(Some(opening));
        *first = first.filter(|first| *first == opening);
    }
    let is_drawn = |setting: u64| only.get(&setting) == Some(&None);
    // The line-up of each block, if it has only one.
    let mut lineups: HashMap<u32, Option<u64>> = HashMap::new();
    for row in rows.iter().filter(|row| !is_drawn(row.row.start()[0])) {
        let lineup = Some(row.row.game().lineup).filter(|lineup| !without_chance.contains(lineup));
        let first = lineups.entry(row.cluster).or_insert(lineup);
        *first = first.filter(|first| Some(*first) == lineup);
    }
    if lineups.values().any(Option::is_none) {
        lineups.clear();
    }
    let key = |row: &Weighted<R>| match row.row.start() {
        start @ [setting, _] if is_drawn(setting) => (start, None, 0),
        start => (start, lineups.get(&row.cluster).copied().flatten(), row.cluster),
    };
    // Stable, so that the blocks of a cluster stay in the order of their contents.
    rows.sort_by_cached_key(key);
    let keys: Vec<_> = rows.iter().map(key).collect();
    let (mut cluster, mut stratum) = (0, 0);
    for (place, row) in rows.iter_mut().enumerate() {
        let (start, lineup, _) = keys[place];
        let before = place.checked_sub(1).map(|before| keys[before]);
        cluster += u32::from(before.is_some_and(|before| before != keys[place]));
        let is_new = before.is_none_or(|(other, before, _)| (other, before) != (start, lineup));
        stratum += u32::from(lineup.is_some() && is_new);
        row.cluster = cluster;
        row.stratum = lineup.map_or(0, |_| stratum);
    }
    rows
}

/// Counts each game of these line-ups once: one that is in several clusters in equal shares.
fn share<R: Row>(mut rows: Vec<Weighted<R>>, copyable: &HashSet<u64>) -> Vec<Weighted<R>> {
    if copyable.is_empty() {
        return rows;
    }
    let is_copyable = |row: &R| copyable.contains(&row.game().lineup);
    rows.sort_by(|a, b| a.row.contents(&b.row).then(a.cluster.cmp(&b.cluster)));
    for game in rows.chunk_by_mut(|a, b| a.row.contents(&b.row).is_eq()) {
        let weight = if is_copyable(&game[0].row) { 1.0 / game.len() as f64 } else { 1.0 };
        game.iter_mut().for_each(|row| row.weight = weight);
    }
    rows.dedup_by(|next, kept| {
        let is_same = next.cluster == kept.cluster && next.row.contents(&kept.row).is_eq() && is_copyable(&next.row);
        kept.weight += if is_same { next.weight } else { 0.0 };
        is_same
    });
    rows.sort_by_key(|row| row.cluster);
    rows
}

/// See [`Sample::per_lineup`] and [`Sample::per_entrant`].
fn sizes<R: Row>(rows: &[Weighted<R>]) -> (f64, f64) {
    let (mut lineups, mut games, mut seats, mut squares) = (0usize, 0.0, 0.0, 0.0);
    for cluster in rows.chunk_by(|a, b| a.cluster == b.cluster) {
        let mut met: HashSet<Vec<u32>> = HashSet::new();
        let mut played: HashMap<u32, f64> = HashMap::new();
        for Weighted { row, weight, .. } in cluster {
            let mut lineup: Vec<u32> = row.entrants().collect();
            lineup.sort_unstable();
            lineup.iter().for_each(|entrant| *played.entry(*entrant).or_default() += weight);
            met.insert(lineup);
            games += weight;
        }
        lineups += met.len();
        let mut played: Vec<f64> = played.into_values().collect();
        // They are sorted, because sums of numbers that are not integers depend on the order.
        played.sort_unstable_by(f64::total_cmp);
        played.iter().for_each(|count| (seats, squares) = (seats + count, squares + count * count));
    }
    let at_least_one = |number: f64| if number.is_finite() { number.max(1.0) } else { 1.0 };
    (at_least_one(games / lineups as f64), at_least_one(squares / seats))
}
