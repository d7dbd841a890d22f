//! Which vertices are occupied: one word a line, so that a slide is two bit operations.

use crate::Lines;

/// Which vertices are occupied, as the words of the [`Lines`] that made it and that each call needs.
///
/// Bit p of a line's word stands for the vertex at position p, from 1; all bits outside the line are set, as sentinels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupancy {
    pub(crate) words: Vec<u64>,
}

impl Occupancy {
    /// Occupies a free vertex, or frees an occupied one.
    #[inline]
    pub fn toggle(&mut self, lines: &Lines, vertex: usize) {
        for place in lines.places[vertex] {
            self.words[usize::from(place.line)] ^= 1 << place.position;
        }
    }

    /// Whether something stands on the vertex.
    #[inline]
    pub fn has(&self, lines: &Lines, vertex: usize) -> bool {
        let place = lines.places[vertex][0];
        self.words[usize::from(place.line)] >> place.position & 1 == 1
    }
}
