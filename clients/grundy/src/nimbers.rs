//! Version 5: no search. A position is lost if the exclusive or of its heaps' nimbers is 0, so that each split is
//! judged at once.

use crate::Version;
use agon_client_api::grundy::{Move, nimbers};

/// See above.
pub struct Nimbers {
    /// The nimbers of all heaps up to the largest so far; computed at the first move, since the others search then as
    /// well.
    of: Vec<u16>,
    calls: u64,
}

impl Nimbers {
    /// Nothing computed yet.
    pub fn new() -> Nimbers {
        Nimbers { of: Vec::new(), calls: 0 }
    }
}

impl Version for Nimbers {
    fn winning_split(&mut self, heaps: &[u32]) -> Option<Move> {
        let most = heaps.iter().max().map_or(0, |most| *most as usize);
        if most >= self.of.len() {
            self.of = nimbers(most);
        }
        let of = |sticks: u32| self.of[sticks as usize];
        let sum = heaps.iter().fold(0, |sum, sticks| sum ^ of(*sticks));
        self.calls += 1;
        if sum == 0 {
            return None;
        }
        for (heap, sticks) in (0..).zip(heaps) {
            let others = sum ^ of(*sticks);
            for split in 1..sticks.div_ceil(2) {
                self.calls += 1;
                if of(split) ^ of(sticks - split) == others {
                    return Some(Move { heap, split });
                }
            }
        }
        None
    }

    fn calls(&self) -> u64 {
        self.calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_heaps_are_no_trouble() {
        let split = Nimbers::new().winning_split(&[50_000, 1222, 932]).unwrap();
        let mut heaps = vec![50_000, 1222, 932];
        heaps[split.heap as usize] -= split.split;
        heaps.push(split.split);
        assert_eq!(Nimbers::new().winning_split(&heaps), None);
    }
}
