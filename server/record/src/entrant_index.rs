//! Turns the numbers of entrants in the record into their indices in a ladder's list.

use super::{Result, SqliteRecord};
use agon_model::{EntrantId, LadderId};

/// The entrants of one ladder, by their numbers.
pub struct EntrantIndex(Vec<EntrantId>);

impl EntrantIndex {
    /// Takes the numbers of a ladder's entrants in ascending order.
    pub fn new(entrants: Vec<EntrantId>) -> EntrantIndex {
        EntrantIndex(entrants)
    }

    /// The index in the ladder's list; an index beyond the list if it is of another ladder.
    pub fn index_of(&self, entrant: EntrantId) -> usize {
        // Numbers of one ladder are mostly consecutive.
        let guess = self.0.first().map_or(usize::MAX, |first| entrant.0.wrapping_sub(first.0) as usize);
        if self.0.get(guess) == Some(&entrant) {
            return guess;
        }
        self.0.binary_search(&entrant).unwrap_or(usize::MAX)
    }
}

impl SqliteRecord {
    /// The index of a ladder's entrants.
    pub(super) fn entrant_index(&self, ladder: LadderId) -> Result<EntrantIndex> {
        Ok(EntrantIndex(self.all("SELECT id FROM entrant WHERE ladder = ?1 ORDER BY id", [ladder.0], |row| {
            row.get(0).map(EntrantId)
        })?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entrant_of_another_ladder_has_no_index() {
        let entrant_index = EntrantIndex::new([3, 4, 5, 9, 12].map(EntrantId).to_vec());
        for (index, entrant) in [3, 4, 5, 9, 12].into_iter().enumerate() {
            assert_eq!(entrant_index.index_of(EntrantId(entrant)), index);
        }
        for other in [i64::MIN, -1, 0, 2, 6, 10, 13, i64::MAX] {
            assert_eq!(entrant_index.index_of(EntrantId(other)), usize::MAX);
        }
        assert_eq!(EntrantIndex::new(Vec::new()).index_of(EntrantId(0)), usize::MAX);
    }
}
