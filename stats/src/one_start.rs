//! Blocks of a setting in which all began alike: each counts for itself, but copies form one cluster, whose size is
//! their number. Line-ups in which chance has shown are strata (see [`crate::strata`]).

use crate::copies::{PlayedMatch, PlayedMatches, chain};
use crate::part::{Part, PartSums};
use std::collections::HashMap;

/// A block, as sums take it.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockParts {
    /// The part of each entrant, once each.
    pub parts: Vec<(usize, Part)>,
    /// Its games; none where they are not known.
    pub played_matches: Vec<PlayedMatch>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct OneStart {
    played_matches: PlayedMatches,
    /// By line-up and seats: the blocks of those line-ups in which chance has not shown.
    alike: HashMap<u64, HashMap<u64, Alike>>,
    kept: usize,
    /// By entrant, the sums of each line-up in which chance has shown, and of all others together.
    sums: HashMap<(Option<u64>, usize), PartSums>,
    /// Whether line-ups are too many to be kept apart.
    is_folded: bool,
}

/// Blocks of one line-up in the same seats that are copies of one.
#[derive(Clone, Debug)]
struct Alike {
    parts: Vec<(usize, Part)>,
    blocks: i128,
}

/// Blocks that are kept to find their copies; beyond this each counts for itself.
const KEPT: usize = 262_144;
/// Sums of line-ups that are kept apart, times their entrants. Beyond this all line-ups count together, which makes
/// errors no smaller.
const APART: usize = 65_536;

impl OneStart {
    pub fn add(&mut self, block: BlockParts) {
        block.played_matches.iter().for_each(|game| self.played_matches.add(*game));
        let Some(lineup) = block.played_matches.first().map(|game| game.lineup) else {
            return self.count(None, 1, &block.parts);
        };
        if self.played_matches.is_by_chance(lineup) {
            self.part(lineup);
            return self.count(Some(lineup), 1, &block.parts);
        }
        let mut seatings: Vec<u64> = block.played_matches.iter().map(|game| game.seating).collect();
        seatings.sort_unstable();
        let key = chain(seatings.into_iter());
        match self.alike.get_mut(&lineup).and_then(|all| all.get_mut(&key)) {
            Some(alike) => {
                let (parts, blocks) = (alike.parts.clone(), alike.blocks);
                alike.blocks += 1;
                self.weigh(&parts, blocks, blocks + 1);
            }
            None => {
                self.count(None, 1, &block.parts);
                if self.kept < KEPT {
                    self.kept += 1;
                    let alike = Alike { parts: block.parts, blocks: 1 };
                    self.alike.entry(lineup).or_default().insert(key, alike);
                }
            }
        }
    }

    /// The sums of each entrant over its clusters in each stratum, in order.
    pub fn sums(&self) -> Vec<((Option<u64>, usize), &PartSums)> {
        let mut sums: Vec<_> = self.sums.iter().map(|(key, sums)| (*key, sums)).collect();
        sums.sort_unstable_by_key(|(key, _)| *key);
        sums
    }

    /// Whether a cluster is of several blocks.
    pub fn has_copies(&self) -> bool {
        self.alike.values().flat_map(HashMap::values).any(|alike| alike.blocks > 1)
    }

    /// Counts this number of equal blocks, each for itself.
    fn count(&mut self, lineup: Option<u64>, blocks: i128, parts: &[(usize, Part)]) {
        let lineup = lineup.filter(|_| !self.is_folded);
        for (entrant, part) in parts {
            let sums = self.sums.entry((lineup, *entrant)).or_default();
            (0..blocks).for_each(|_| sums.add(*part));
        }
        if lineup.is_some() && self.sums.len() > APART {
            self.is_folded = true;
            for ((_, entrant), sums) in std::mem::take(&mut self.sums) {
                self.sums.entry((None, entrant)).or_default().merge(&sums);
            }
        }
    }

    /// Changes the size of a cluster of copies.
    fn weigh(&mut self, parts: &[(usize, Part)], from: i128, to: i128) {
        for (entrant, part) in parts {
            let sums = self.sums.entry((None, *entrant)).or_default();
            sums.remove(part.times(from));
            sums.add(part.times(to));
        }
    }

    /// Counts each block of a line-up for itself, as chance has shown in it.
    fn part(&mut self, lineup: u64) {
        for Alike { parts, blocks } in self.alike.remove(&lineup).into_iter().flat_map(HashMap::into_values) {
            self.kept -= 1;
            for (entrant, part) in &parts {
                self.sums.entry((None, *entrant)).or_default().remove(part.times(blocks));
            }
            self.count(Some(lineup), blocks, &parts);
        }
    }
}

impl Part {
    fn times(self, times: i128) -> Part {
        let Part { seats, points, rank, score } = self;
        Part { seats: times * seats, points: times * points, rank: times * rank, score: times * score }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(moves: u64, points: i128) -> BlockParts {
        let part = |points| Part { seats: 2, points, rank: 3, score: 0 };
        let game = |seats: [u64; 2]| PlayedMatch::new(seats.into_iter(), [0, 0], moves, [1, 2].into_iter());
        BlockParts {
            parts: vec![(0, part(points)), (1, part(2 - points))],
            played_matches: vec![game([0, 1]), game([1, 0])],
        }
    }

    fn sums(blocks: &[BlockParts]) -> String {
        let mut all = OneStart::default();
        blocks.iter().for_each(|block| all.add(block.clone()));
        let sums: Vec<_> = all.sums().into_iter().filter(|(_, sums)| sums.points.seats() > 0).collect();
        format!("{sums:?}").replace(&format!("Some({})", block(5, 0).played_matches[0].lineup), "Some(_)")
    }

    #[test]
    fn copies_are_one_cluster_until_chance_shows() {
        let (one, other) = (block(5, 2), block(6, 1));
        let mut plain = PartSums::default();
        [2, 2, 2, 1].iter().for_each(|points| plain.add(Part { seats: 2, points: *points, rank: 3, score: 0 }));
        let by_chance = sums(&[one.clone(), one.clone(), one.clone(), other.clone()]);
        assert!(by_chance.starts_with(&format!("[((Some(_), 0), {plain:?})")), "{by_chance}");
        for order in [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]] {
            let blocks = order.map(|which| if which == 0 { one.clone() } else { other.clone() });
            assert_eq!(sums(&blocks), by_chance);
        }
        let mut alike = PartSums::default();
        alike.add(Part { seats: 6, points: 6, rank: 9, score: 0 });
        let copies = sums(&[one.clone(), one.clone(), one]);
        assert!(copies.starts_with(&format!("[((None, 0), {alike:?})")), "{copies}");
    }
}
