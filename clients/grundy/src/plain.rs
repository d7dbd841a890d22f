//! Version 0: plain recursion over ordered lists of heaps. A position is lost if no split leads to a lost one.

use crate::Version;
use crate::splits::{first_split, is_over};
use agon_client_api::grundy::Move;

/// See above.
pub struct Plain {
    misere: bool,
    calls: u64,
}

impl Plain {
    /// With `misere`, a position without a split is won.
    pub fn new(misere: bool) -> Plain {
        Plain { misere, calls: 0 }
    }

    fn is_lost(&mut self, heaps: &mut Vec<u32>) -> bool {
        self.calls += 1;
        if self.misere && is_over(heaps) {
            return false;
        }
        first_split(heaps, |child| self.is_lost(child)).is_none()
    }
}

impl Version for Plain {
    fn winning_split(&mut self, heaps: &[u32]) -> Option<Move> {
        first_split(&mut heaps.to_vec(), |child| self.is_lost(child))
    }

    fn calls(&self) -> u64 {
        self.calls
    }
}
