//! Sums of a tally over independent units, in bounded memory: the starts of a setting, or its blocks if all of them
//! began alike.

use crate::copies::scramble;
use crate::one_start::{BlockParts, OneStart};
use crate::part::Part;
use crate::strata::Strata;
use std::collections::{HashMap, HashSet};

/// Where a block began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Start {
    /// A number of the game's options.
    pub setting: usize,
    /// A hash of the state, or another key that distinguishes the starts of a setting.
    pub state: u64,
}

/// The results of the blocks of one setting.
#[derive(Clone, Debug, Default)]
struct Setting {
    /// Its blocks, as long as all of them began alike.
    only: OneStart,
    /// The different starts; empty where there are too many.
    starts: HashSet<u64>,
    /// By start and entrant, or by group of starts.
    parts: HashMap<(u64, usize), Part>,
    /// How many groups, where starts are too many to be kept apart.
    groups: Option<u64>,
}

/// All starts of a tally.
#[derive(Clone, Debug)]
pub(crate) struct Starts {
    settings: HashMap<usize, Setting>,
    most: u64,
}

/// Starts of a setting that are kept apart, times entrants. Beyond this chance puts them into groups, which are as
/// independent as they.
const KEPT: u64 = 262_144;
/// The fewest and the most starts that are kept apart.
const RANGE: (u64, u64) = (512, 65_536);

impl Setting {
    fn add(&mut self, state: u64, block: BlockParts, most: u64) {
        if self.groups.is_none() && self.starts.insert(state) && self.starts.len() as u64 > most {
            self.fold(most);
        }
        let key = self.groups.map_or(state, |groups| scramble(state) % groups);
        for (entrant, part) in &block.parts {
            self.parts.entry((key, *entrant)).or_default().add(*part);
        }
        if self.is_fixed() {
            self.only.add(block);
        } else {
            self.only = OneStart::default();
        }
    }

    fn fold(&mut self, groups: u64) {
        self.groups = Some(groups);
        self.starts = HashSet::new();
        for ((state, entrant), part) in std::mem::take(&mut self.parts) {
            self.parts.entry((scramble(state) % groups, entrant)).or_default().add(part);
        }
    }

    /// Whether there is one start only.
    fn is_fixed(&self) -> bool {
        self.groups.is_none() && self.starts.len() == 1
    }
}

impl Starts {
    pub fn new(entrants: usize) -> Starts {
        Starts { settings: HashMap::new(), most: (KEPT / entrants.max(1) as u64).clamp(RANGE.0, RANGE.1) }
    }

    pub fn add(&mut self, start: Start, block: BlockParts) {
        let Starts { settings, most } = self;
        settings.entry(start.setting).or_default().add(start.state, block, *most);
    }

    /// The sums of each entrant, those of line-ups from a setting's only start apart.
    pub fn sums(&self, entrants: usize) -> Vec<Strata> {
        let mut sums = vec![Strata::default(); entrants];
        let mut settings: Vec<_> = self.settings.iter().collect();
        settings.sort_unstable_by_key(|(number, _)| **number);
        for (_, setting) in settings {
            if setting.is_fixed() {
                for ((lineup, entrant), blocks) in setting.only.sums() {
                    sums[entrant].add(lineup.is_some(), blocks);
                }
            } else {
                setting.parts.iter().for_each(|((_, entrant), part)| sums[*entrant].together.add(*part));
            }
        }
        sums
    }

    /// Whether there are copies among the blocks of a setting in which all began alike.
    pub fn have_copies(&self) -> bool {
        self.settings.values().any(|setting| setting.is_fixed() && setting.only.has_copies())
    }

    /// The settings in which all blocks began alike, and the number of settings with blocks.
    pub fn fixed(&self) -> (Vec<usize>, usize) {
        let is_fixed = |(number, setting): (&usize, &Setting)| setting.is_fixed().then_some(*number);
        let mut fixed: Vec<usize> = self.settings.iter().filter_map(is_fixed).collect();
        fixed.sort_unstable();
        (fixed, self.settings.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(points: i128) -> Part {
        Part { seats: 2, points, rank: 3, score: 0 }
    }

    fn errors(blocks: &[(u64, i128)], entrants: usize) -> (f64, f64) {
        let mut starts = Starts::new(entrants);
        let block = |points| BlockParts { parts: vec![(0, part(points))], played_matches: Vec::new() };
        blocks.iter().for_each(|(state, points)| starts.add(Start { setting: 0, state: *state }, block(*points)));
        let found = starts.sums(entrants)[0].estimate(|part| &part.points, 1, None);
        (found.error.unwrap(), found.degrees)
    }

    #[test]
    fn blocks_of_one_start_count_together() {
        // Means 1 and 1/2 over starts, whatever came twice: as of two blocks.
        assert_eq!(errors(&[(1, 2), (2, 1), (1, 2), (2, 1)], 2), errors(&[(1, 2), (2, 1)], 2));
        assert_eq!(errors(&[(1, 2), (2, 1)], 2), (0.25, 1.0));
        // All from one start: blocks.
        assert_eq!(errors(&[(7, 2), (7, 1), (7, 2), (7, 1)], 2).1, 3.0);
    }

    #[test]
    fn many_starts_are_put_into_groups_whatever_came_first() {
        let blocks: Vec<(u64, i128)> = (0..4_000).map(|n| (n, i128::from(scramble(n + 4_000) % 3))).collect();
        let (error, degrees) = errors(&blocks, 1_000);
        // Chance makes groups of unlike sizes: 512 of them are worth about 512 / (1 + 512 / 4000) of one size.
        assert!((430.0..480.0).contains(&degrees), "{degrees}");
        let plain = errors(&blocks, 1).0;
        // By the unlike sizes it is a little wider, never narrower.
        assert!((0.95..1.15).contains(&(error / plain)), "{error} {plain}");
        let mut turned = blocks;
        turned.reverse();
        assert_eq!(errors(&turned, 1_000), (error, degrees));
    }
}
