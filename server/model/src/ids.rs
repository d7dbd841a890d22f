//! The numbers of ladders, entrants and blocks in the record, each with its own type, so that none passes for another.

use serde::{Deserialize, Serialize};

/// The number of a ladder in the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LadderId(pub i64);

/// The number of an entrant in the record. Its index in a list of entrants is a `usize`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntrantId(pub i64);

/// The row of a block in the record: a block that is kept later has a greater one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockRow(pub i64);

impl std::fmt::Display for LadderId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::fmt::Display for EntrantId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::fmt::Display for BlockRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_and_shown_as_their_plain_numbers() {
        let json = serde_json::to_string(&(LadderId(7), vec![EntrantId(-1)])).unwrap();
        assert_eq!(json, "[7,[-1]]");
        assert_eq!(
            serde_json::from_str::<(LadderId, Vec<EntrantId>)>(&json).unwrap(),
            (LadderId(7), vec![EntrantId(-1)])
        );
        assert_eq!(format!("{:>3} {}", LadderId(7), EntrantId(-1)), "  7 -1");
    }
}
