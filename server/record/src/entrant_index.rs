//! Turns the numbers of entrants in the record into their places in a ladder's list.

use super::{Result, SqliteRecord};
use agon_model::{EntrantId, LadderId};

/// The entrants of one ladder, by their numbers.
pub struct EntrantIndex(Vec<EntrantId>);

impl EntrantIndex {
    /// The place in `SqliteRecord::entrants`; a place beyond the list if it is of another ladder.
    pub fn of(&self, entrant: EntrantId) -> usize {
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
    fn whoever_is_of_another_ladder_has_no_place() {
        let entrant_index = EntrantIndex([3, 4, 5, 9, 12].map(EntrantId).to_vec());
        for (place, entrant) in [3, 4, 5, 9, 12].into_iter().enumerate() {
            assert_eq!(entrant_index.of(EntrantId(entrant)), place);
        }
        for other in [i64::MIN, -1, 0, 2, 6, 10, 13, i64::MAX] {
            assert_eq!(entrant_index.of(EntrantId(other)), usize::MAX);
        }
        assert_eq!(EntrantIndex(Vec::new()).of(EntrantId(0)), usize::MAX);
    }
}
