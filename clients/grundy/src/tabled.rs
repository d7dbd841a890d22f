//! Version 6: the nimbers of all heaps from a file that the ladder gives, so that a heap of 100,000,000 sticks is split
//! as well as one of 8, and nothing is computed when a match begins.
//!
//! The heap that is split is the largest with a winning split that is found soon, and the split the most even one: a
//! match that ends when no heap is large comes to its end so.

use crate::Version;
use agon_client_api::grundy::{BadTable, Move, NimberTable};

/// The number of largest heaps that are tried, and of splits of each, before one that surely has a winning split is
/// searched to the end.
const TRIED: (usize, u32) = (4, 200_000);

/// See above.
pub struct Tabled {
    table: NimberTable<'static>,
    calls: u64,
}

impl Tabled {
    /// With a table that knows all heaps of the match.
    pub fn new(table: NimberTable<'static>) -> Tabled {
        Tabled { table, calls: 0 }
    }

    fn find(&mut self, heaps: &[u32]) -> Result<Option<Move>, BadTable> {
        let mut known = Vec::with_capacity(heaps.len());
        for (heap, sticks) in (0..).zip(heaps) {
            known.push((*sticks, heap, self.table.nimber(*sticks)?));
        }
        self.calls += 1;
        let sum = known.iter().fold(0, |sum, (_, _, nimber)| sum ^ nimber);
        if sum == 0 {
            return Ok(None);
        }
        known.sort_unstable_by_key(|(sticks, heap, _)| (std::cmp::Reverse(*sticks), *heap));
        // A heap has a split with every nimber below its own, and one heap or more needs no other.
        let is_sure = |nimber: u16| nimber ^ sum < nimber;
        let tries = known.iter().take(TRIED.0).map(|one| (one, TRIED.1));
        let sure = known.iter().filter(|(_, _, nimber)| is_sure(*nimber)).map(|one| (one, u32::MAX));
        for (&(sticks, heap, nimber), most) in tries.chain(sure) {
            self.calls += 1;
            if let Some(split) = self.table.find_split(sticks, nimber ^ sum, most)? {
                return Ok(Some(Move { heap, split }));
            }
        }
        Ok(None)
    }
}

impl Version for Tabled {
    #[allow(clippy::panic)] // a client that no longer knows what is right says so and ends
    fn winning_split(&mut self, heaps: &[u32]) -> Option<Move> {
        self.find(heaps).unwrap_or_else(|bad| panic!("{bad}"))
    }

    fn calls(&self) -> u64 {
        self.calls
    }
}
