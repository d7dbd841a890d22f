//! Openings: draws the heaps of a match from the ranges of the options; on request, so that a given side wins.

use super::Prepared;
use crate::{Opening, Rng, below, rng_from};

/// The set of nimbers that several heaps can have together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sums(Vec<bool>);

impl Sums {
    pub fn has(&self, sum: u16) -> bool {
        self.0.get(usize::from(sum)).is_some_and(|has| *has)
    }

    pub fn has_other_than(&self, sum: u16) -> bool {
        (0..).zip(&self.0).any(|(other, has)| *has && other != sum)
    }
}

/// The sums that heaps within the ranges can have: of all, of all but the first, and so on to none.
pub(super) fn sums(ranges: &[(u32, u32)], nimbers: &[u16]) -> Vec<Sums> {
    let largest = nimbers.iter().max().map_or(0, |largest| usize::from(*largest));
    let size = (largest + 1).next_power_of_two();
    let mut none = vec![false; size];
    none[0] = true;
    let mut all = vec![Sums(none)];
    for (least, most) in ranges.iter().rev() {
        let mut own = vec![false; size];
        nimbers[*least as usize..=*most as usize].iter().for_each(|nimber| own[usize::from(*nimber)] = true);
        let mut next = vec![false; size];
        let rest = all.last().map_or(&[][..], |rest| &rest.0);
        for (of_rest, _) in rest.iter().enumerate().filter(|(_, has)| **has) {
            (0..size).filter(|of_own| own[*of_own]).for_each(|of_own| next[of_own ^ of_rest] = true);
        }
        all.push(Sums(next));
    }
    all.reverse();
    all
}

/// The heaps of an opening. Balanced openings take each heap in turn, from numbers of sticks with which the later heaps
/// can still reach the goal, each equally likely. The side to move loses if the opening's number is even, else it wins.
pub(super) fn heaps(setting: &Prepared, opening: &Opening) -> Vec<u32> {
    let mut rng = rng_from(&opening.seed);
    let lost = opening.number.is_multiple_of(2);
    let mut sum = 0;
    let draw = |(at, (least, most)): (usize, &(u32, u32))| {
        let Some(sums) = &setting.sums else {
            return least + below(&mut rng, u64::from(most - least) + 1) as u32;
        };
        let so_far = |heap: u32| sum ^ setting.nimbers[heap as usize];
        let possible = |heap: &u32| {
            if lost { sums[at + 1].has(so_far(*heap)) } else { sums[at + 1].has_other_than(so_far(*heap)) }
        };
        let heap = pick((*least..=*most).filter(possible), &mut rng).unwrap_or(*least);
        sum = so_far(heap);
        heap
    };
    setting.ranges.iter().enumerate().map(draw).collect()
}

/// One of the items, each equally likely; `None` if there is none.
fn pick<T>(mut items: impl Iterator<Item = T> + Clone, rng: &mut Rng) -> Option<T> {
    let count = items.clone().count() as u64;
    if count == 0 { None } else { items.nth(below(rng, count) as usize) }
}
