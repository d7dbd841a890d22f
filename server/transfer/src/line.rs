//! The lines of an export, schema `agon.export/3`: the ladder, its clients, its matches block by block, stages,
//! suspensions, void blocks. The same types are written and read. Seats and turns (`n`) count from 0. Numbers of 64
//! bits are texts, because not every reader of JSON supports them.

use agon_model::move_line::hash;
use agon_model::{
    Ending, Excuse, Fault, LadderTerms, MoveLine, NamedValues, Notice, Output, StageKind, SuspensionKind, Usage,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The schema of an export.
pub const SCHEMA: &str = "agon.export/3";

/// One line; the field `t` names its kind.
#[derive(Serialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum ExportLine<'a> {
    Ladder(&'a LadderLine),
    /// A line for each client, in order of arrival.
    Client(&'a ClientLine),
    /// A line for each match; those of a block stand together.
    Match(&'a MatchLine),
    /// Meetings that were drawn from results, in order.
    Stage(&'a StageLine),
    /// A client's suspension.
    Suspension(&'a SuspensionLine),
    /// An excuse of a client.
    Excuse(&'a ExcuseLine),
    /// A block that could not be played.
    Void(&'a VoidLine),
}

/// The kind of a line, which is read first.
#[derive(Deserialize)]
pub struct Tag {
    pub t: String,
}

/// The facts about a ladder that are fixed.
#[derive(Serialize, Deserialize)]
pub struct LadderLine {
    pub schema: String,
    /// The version of the agon that wrote it.
    pub agon: String,
    pub ladder: String,
    pub game: String,
    pub seats: usize,
    #[serde(with = "number")]
    pub seed: u64,
    pub seed_drawn: bool,
    /// The random generator for seeds.
    pub generator: String,
    /// The terms that make results comparable.
    pub terms: LadderTerms,
    /// Name and options, in order.
    pub settings: Vec<(String, BTreeMap<String, String>)>,
    /// The meaning of each setting, for readers that play matches again without these rules; null if these rules do not
    /// know it. Imports ignore it.
    #[serde(default, skip_deserializing)]
    pub resolved: Vec<Option<NamedValues>>,
    pub anonymous: bool,
    /// Whether everything is played that will be; absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
}

/// A client of the ladder.
#[derive(Clone, Serialize, Deserialize)]
pub struct ClientLine {
    /// Its label, unique in the ladder.
    pub client: String,
    /// The name that all its versions share.
    pub team: String,
    pub version: u32,
    /// Whether the newest run found its file.
    pub present: bool,
    pub file: String,
    /// The hash of its file; null if it is anonymous or was forgotten.
    #[serde(deserialize_with = "file::hash")]
    pub sha256: Option<String>,
    pub options: BTreeMap<String, String>,
    /// The reason why it may not play.
    pub refused: Option<String>,
}

/// A match, with everything that a replay needs.
#[derive(Serialize, Deserialize)]
pub struct MatchLine {
    /// The block's id and a letter for the rotation.
    #[serde(deserialize_with = "id::text")]
    pub id: String,
    /// The number of matches in the block.
    pub of: usize,
    pub ladder: String,
    pub game: String,
    /// The index of the setting in the ladder, its name and its options.
    pub setting: usize,
    pub name: String,
    pub options: BTreeMap<String, String>,
    #[serde(with = "number")]
    pub seed: u64,
    #[serde(with = "number")]
    pub opening: u64,
    #[serde(with = "ending")]
    pub ending: Ending,
    /// Hash of its first state.
    #[serde(with = "hash")]
    pub start: u64,
    /// The opening's addition to the setting's `resolved`: position, deal, secret; null if these rules do not know it.
    /// Imports ignore it.
    #[serde(skip_deserializing)]
    pub drawn: Option<NamedValues>,
    pub turns: u32,
    /// The time in seconds since 1970.
    pub started: u64,
    pub us: u64,
    pub seats: Vec<ExportSeat>,
    pub moves: Vec<MoveLine>,
    pub outputs: Vec<Output>,
}

/// The result of a seat.
#[derive(Serialize, Deserialize)]
pub struct ExportSeat {
    pub client: String,
    pub sha256: Option<String>,
    pub options: BTreeMap<String, String>,
    #[serde(with = "number")]
    pub seed: u64,
    pub told_name: String,
    pub score: i64,
    pub rank: u32,
    pub fault: Option<Fault>,
    pub notices: Vec<Notice>,
    pub layers: Vec<String>,
    pub usage: Usage,
}

/// Meetings that were drawn together; clients by their labels.
#[derive(Serialize, Deserialize)]
pub struct StageLine {
    pub kind: StageKind,
    /// The number among stages of its kind, from 1.
    pub round: u32,
    /// The number of the first opening, and the number of openings in each meeting.
    #[serde(with = "number")]
    pub opening: u64,
    #[serde(with = "number")]
    pub openings: u64,
    /// All players in order of their standing at the drawing, best first.
    pub order: Vec<String>,
    /// The players of each meeting; a single one has a bye.
    pub meetings: Vec<Vec<String>>,
    /// The points of each in thousandths, in the order of `meetings`; null before all is played.
    pub scores: Option<Vec<Vec<i64>>>,
}

/// A client's suspension, and perhaps its end.
#[derive(Serialize, Deserialize)]
pub struct SuspensionLine {
    pub client: String,
    pub kind: SuspensionKind,
    pub by_hand: bool,
    /// The reason, as a sentence.
    pub why: String,
    /// The first block of the schedule without it, and the digest of that schedule.
    #[serde(with = "number")]
    pub since: u64,
    pub schedule: String,
    /// The time in seconds since 1970.
    pub at: i64,
    pub let_back: Option<i64>,
    /// The last block, in the order of the record, before it was let back: failures up to it do not count.
    pub counted: Option<String>,
}

/// The number of matches that were void because of a client, by cause.
#[derive(Serialize, Deserialize)]
pub struct ExcuseLine {
    pub client: String,
    pub cause: Excuse,
    pub times: u32,
}

/// The part after the matches.
pub struct Tail {
    pub stages: Vec<StageLine>,
    pub suspensions: Vec<SuspensionLine>,
    pub excuses: Vec<ExcuseLine>,
    pub voids: Vec<VoidLine>,
}

/// A void block that was not played later.
#[derive(Serialize, Deserialize)]
pub struct VoidLine {
    pub block: String,
    pub cause: String,
    pub tries: u32,
}

/// Writes a number of 64 bits as text.
mod number {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| D::Error::custom(format!("\"{}\" is not a number from 0", text.escape_debug())))
    }
}

/// Writes the ending of a counted match by its name.
mod ending {
    use agon_model::Ending;
    use agon_model::visible::escape;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(value: &Ending, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(value.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Ending, D::Error> {
        let text = String::deserialize(from)?;
        let known = Ending::named(&text).filter(Ending::is_counted);
        known.ok_or_else(|| {
            D::Error::custom(format!(
                "a match ends \"over\", \"adjudicated\" or by \"fault\", not \"{}\"",
                escape(&text, 40)
            ))
        })
    }
}

/// Reads the id of a match, which becomes the name of a file and so must be safe.
mod id {
    use serde::{Deserialize, Deserializer, de::Error};

    pub fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
        let text = String::deserialize(from)?;
        let is_block = |id: &str| id.len() == 16 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let is_letter = |letter: &str| letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_lowercase());
        let fits = text.split_once('-').is_some_and(|(block, letter)| is_block(block) && is_letter(letter));
        if fits { Ok(text) } else { Err(D::Error::custom("an id is 16 hex digits, a dash and a letter")) }
    }
}

/// Reads the hash of a file, which becomes the name of its copy.
mod file {
    use agon_model::names_files;
    use serde::{Deserialize, Deserializer, de::Error};

    pub fn hash<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        if text.as_deref().is_none_or(names_files) {
            return Ok(text);
        }
        Err(D::Error::custom("the hash of a file has 64 hex digits in lower case; with an adapter two, joined by +"))
    }
}
