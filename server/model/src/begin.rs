//! The beginning of a match, as a program without the rules needs it to play the match again: docs/reference/verify.md.

use agon_games::{Field, Fields, Opening, PreparedSetting};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A game's own names and values, written as an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValues(pub Fields);

/// The beginning of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begin {
    /// The hash of the state.
    pub start: u64,
    /// The data that it shares with all matches of its setting.
    pub resolved: NamedValues,
    /// The data that its opening adds.
    pub drawn: NamedValues,
}

impl Begin {
    /// The beginning for an opening of a setting.
    pub fn of(setting: &dyn PreparedSetting, opening: &Opening) -> Begin {
        let (resolved, drawn) = (NamedValues(setting.resolved()), NamedValues(setting.drawn(opening)));
        Begin { start: setting.start(opening).hash(), resolved, drawn }
    }
}

impl Serialize for NamedValues {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (name, field) in &self.0 {
            match field {
                Field::Number(number) => map.serialize_entry(name, number)?,
                Field::Text(text) => map.serialize_entry(name, text)?,
                Field::Numbers(numbers) => map.serialize_entry(name, numbers)?,
                Field::Texts(texts) => map.serialize_entry(name, texts)?,
                Field::Rows(rows) => map.serialize_entry(name, rows)?,
            }
        }
        map.end()
    }
}
