//! Versions 1 to 4: the recursion of version 0 with lists of positions whose outcome is known, and with ever fewer
//! heaps in them.
//!
//! 1. A list of losing positions, as occurrence tables: how many heaps there are of each size. Their order does not
//!    count then, and heaps of 1 and 2 are left out.
//! 2. A list of winning positions, too.
//! 3. Heaps that are known to be lost by themselves and pairs of equal heaps are removed before anything else.
//! 4. Up to 50 sticks, a table of types: heaps of type 0 and pairs of one type are removed.
//!
//! Removing heaps is right in normal play only, as the types are nimbers.

use crate::Version;
use crate::splits::{first_split, is_over};
use agon_client_api::grundy::Move;
use std::collections::HashSet;

/// The course's table: the type of the heaps of 0 to 50 sticks.
const TYPES: [u8; 51] = [
    0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0, 4, 3, 0, 4, 3, 0, 4, 1, 2, 3, 1, 2, 4, 1, 2, 4, 1,
    2, 4, 1, 5, 4, 1, 5, 4, 1, 5, 4, 1, 0,
];

/// How many heaps there are of each number of sticks; as long as the largest heap needs, so that equal positions are
/// equal.
type Occurrences = Box<[u8]>;

/// One of these versions.
pub struct Lists {
    /// How many of the four ideas are used.
    ideas: u32,
    misere: bool,
    losing: HashSet<Occurrences>,
    winning: HashSet<Occurrences>,
    calls: u64,
}

impl Lists {
    /// Version 1 to 4; 3 and 4 are wrong with `misere`.
    pub fn new(ideas: u32, misere: bool) -> Lists {
        Lists { ideas, misere, losing: HashSet::new(), winning: HashSet::new(), calls: 0 }
    }

    /// Whether the side to move loses. Only positions that are in no list are counted, as the course did.
    fn is_lost(&mut self, heaps: &[u32]) -> bool {
        let mut heaps = self.simplify(heaps);
        let position = occurrences(&heaps);
        if self.losing.contains(&position) {
            return true;
        }
        if self.winning.contains(&position) {
            return false;
        }
        self.calls += 1;
        let over_and_won = self.misere && is_over(&heaps);
        let lost = !over_and_won && first_split(&mut heaps, |child| self.is_lost(child)).is_none();
        if lost {
            self.losing.insert(position);
        } else if self.ideas >= 2 {
            self.winning.insert(position);
        }
        lost
    }

    /// The heaps that matter, in their order.
    fn simplify(&self, heaps: &[u32]) -> Vec<u32> {
        let mut rest: Vec<u32> = Vec::with_capacity(heaps.len() + 1);
        for &sticks in heaps.iter().filter(|sticks| **sticks > 2) {
            if self.ideas >= 3 && self.is_known_to_lose(sticks) {
                continue;
            }
            match rest.iter().position(|other| self.cancel(*other, sticks)) {
                Some(twin) => drop(rest.remove(twin)),
                None => rest.push(sticks),
            }
        }
        rest
    }

    fn is_known_to_lose(&self, sticks: u32) -> bool {
        self.type_of(sticks) == Some(0) || self.losing.contains(&occurrences(&[sticks]))
    }

    fn cancel(&self, one: u32, other: u32) -> bool {
        self.ideas >= 3 && (one == other || (self.type_of(one).is_some() && self.type_of(one) == self.type_of(other)))
    }

    /// From the table, where this version has one.
    fn type_of(&self, sticks: u32) -> Option<u8> {
        TYPES.get(sticks as usize).copied().filter(|_| self.ideas >= 4)
    }
}

fn occurrences(heaps: &[u32]) -> Occurrences {
    let most = heaps.iter().max().map_or(0, |most| *most as usize + 1);
    let mut counts = vec![0; most];
    heaps.iter().for_each(|sticks| counts[*sticks as usize] += 1);
    counts.into_boxed_slice()
}

impl Version for Lists {
    fn winning_split(&mut self, heaps: &[u32]) -> Option<Move> {
        first_split(&mut heaps.to_vec(), |child| self.is_lost(child))
    }

    fn calls(&self) -> u64 {
        self.calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_client_api::grundy::nimbers;

    #[test]
    fn all_types_are_nimbers() {
        assert_eq!(TYPES.map(u16::from), nimbers(50)[..]);
    }

    #[test]
    fn occurrences_are_those_of_the_course() {
        assert_eq!(*occurrences(&[1, 2, 3, 4, 5]), [0, 1, 1, 1, 1, 1]);
        assert_eq!(*occurrences(&[3, 3, 3, 3]), [0, 0, 0, 4]);
    }

    #[test]
    fn each_version_leaves_out_what_it_may() {
        let rest = |ideas, heaps: &[u32]| Lists::new(ideas, false).simplify(heaps);
        assert_eq!(rest(1, &[3, 1, 4, 2, 5, 5]), [3, 4, 5, 5]);
        assert_eq!(rest(3, &[3, 4, 5, 5]), [3, 4]);
        assert_eq!(rest(4, &[3, 4, 6, 5, 8, 13]), [13]);
        assert_eq!(rest(4, &[53, 61, 61, 52]), [53, 52]);
        let mut third = Lists::new(3, false);
        assert!(third.is_lost(&[4]));
        assert_eq!(third.simplify(&[3, 4, 5, 5]), [3]);
    }
}
