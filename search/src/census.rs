//! The network's view of a position: the number of vertices of each kind, and how trapped the queens are.

use crate::sets::Both;

/// The classes of distances by queens: one, more, and never.
pub(crate) const BY_QUEENS: usize = 3;
/// Distances by kings: one, two, more, and never.
pub(crate) const BY_KINGS: usize = 4;
/// Numbers of each side.
pub const INPUTS: usize = classes(BY_QUEENS) + classes(BY_KINGS) + NEARER + 1;
/// The same as the network stores them, a whole number of registers.
pub(crate) const SLOTS: usize = INPUTS.next_multiple_of(16);
/// The classes of the side nearer by queens and by kings, including ties.
const NEARER: usize = 5;
/// The powers of two by which the measure of trapped queens is reduced.
const TRAPPED_SHIFT: u32 = 5;

/// Pairs of distances, without regard to whose is whose, that are not both infinite.
const fn classes(distances: usize) -> usize {
    distances * (distances + 1) / 2 - 1
}

/// The numbers of side 0 and of side 1. Of a kind of vertices that is not the same seen from the other side, each has
/// its own count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census(pub [[i32; SLOTS]; 2]);

/// Vertices by the side that reaches them first, by queens or by kings.
pub(crate) struct Nearer<B> {
    /// For each side, the vertices to which it is nearer.
    pub closer: B,
    /// Where both are as near.
    pub tied: B,
}

impl Census {
    /// Counts the vertices at each pair of distances, and the side nearer by queens and by kings.
    #[inline(always)]
    pub(crate) fn count<B: Both>(
        &mut self,
        by_queens: (&[B; BY_QUEENS], &Nearer<B>),
        by_kings: (&[B; BY_KINGS], &Nearer<B>),
    ) {
        self.count_pairs(0, by_queens.0);
        self.count_pairs(classes(BY_QUEENS), by_kings.0);
        let at = classes(BY_QUEENS) + classes(BY_KINGS);
        let (queens, kings) = (by_queens.1, by_kings.1);
        self.put(at, queens.closer.and(kings.closer));
        self.put(at + 1, queens.closer.and(kings.tied));
        self.put(at + 2, queens.tied.and(kings.closer));
        self.put_even(at + 3, queens.tied.and(kings.tied));
        self.put(at + 4, queens.closer.and(kings.closer.swap()));
    }

    /// Notes how trapped the queens of each side are.
    #[inline(always)]
    pub(crate) fn set_trapped(&mut self, trapped: [i32; 2]) {
        self.0[0][INPUTS - 1] = trapped[0] >> TRAPPED_SHIFT;
        self.0[1][INPUTS - 1] = trapped[1] >> TRAPPED_SHIFT;
    }

    #[inline(always)]
    fn count_pairs<B: Both, const N: usize>(&mut self, mut at: usize, levels: &[B; N]) {
        for (other, level) in levels.iter().enumerate() {
            let swapped = level.swap();
            for own in &levels[..other] {
                self.put(at, own.and(swapped));
                at += 1;
            }
            if other < N - 1 {
                self.put_even(at, level.and(swapped));
                at += 1;
            }
        }
    }

    /// The same vertices seen from either side.
    #[inline(always)]
    fn put_even<B: Both>(&mut self, at: usize, vertices: B) {
        let [count, _] = vertices.counts();
        [self.0[0][at], self.0[1][at]] = [count; 2];
    }

    #[inline(always)]
    fn put<B: Both>(&mut self, at: usize, vertices: B) {
        [self.0[0][at], self.0[1][at]] = vertices.counts();
    }
}
