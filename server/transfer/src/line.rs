//! The lines of an export, schema `agon.export/2`: the ladder, its clients, its matches block by block, what was
//! drawn, who was set aside, void blocks.
//! The same types are written and read. Seats and turns (`n`) count from 0; 64-bit numbers are texts, since not every
//! reader of JSON has them.

use agon_config::LadderTerms;
use agon_model::move_line::hash;
use agon_model::{Ending, Excuse, Fault, MoveLine, Notice, Output, StageKind, SuspensionKind, Told, Usage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What this agon writes.
pub const SCHEMA: &str = "agon.export/2";
/// What it reads: the first one did not tell how matches begin, which the rules know.
pub const READ: [&str; 2] = ["agon.export/1", SCHEMA];

/// One line; the field `t` says which.
#[derive(Serialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum ExportLine<'a> {
    /// The first line.
    Ladder(&'a LadderLine),
    /// One a client, in the order in which they came.
    Client(&'a ClientLine),
    /// One a match; those of a block stand together.
    Match(&'a MatchLine),
    /// Meetings that were drawn from results, in order.
    Stage(&'a StageLine),
    /// A client that was set aside.
    Suspension(&'a SuspensionLine),
    /// What a client was excused for.
    Excuse(&'a ExcuseLine),
    /// A block that could not be played.
    Void(&'a VoidLine),
}

/// What a line is, before it is read as such.
#[derive(Deserialize)]
pub struct Tag {
    pub t: String,
}

/// What is fixed of a ladder.
#[derive(Serialize, Deserialize)]
pub struct LadderLine {
    pub schema: String,
    /// Version of the agon that wrote it.
    pub agon: String,
    pub ladder: String,
    pub game: String,
    pub seats: usize,
    #[serde(with = "number")]
    pub seed: u64,
    pub seed_drawn: bool,
    /// What draws from seeds.
    pub generator: String,
    /// Everything that makes results comparable.
    pub terms: LadderTerms,
    /// Name and options, in order.
    pub settings: Vec<(String, BTreeMap<String, String>)>,
    /// What each of them means, for whoever plays matches again without these rules; null where these rules do not
    /// know. Not read.
    #[serde(default, skip_deserializing)]
    pub resolved: Vec<Option<Told>>,
    pub anonymous: bool,
}

/// A client of the ladder.
#[derive(Clone, Serialize, Deserialize)]
pub struct ClientLine {
    /// Its label, unique in the ladder.
    pub client: String,
    /// What all its versions share.
    pub team: String,
    pub version: u32,
    /// Whether the newest run found its file.
    pub present: bool,
    /// Name of its file.
    pub file: String,
    /// None where it is anonymous or was forgotten.
    #[serde(deserialize_with = "file::hash")]
    pub sha256: Option<String>,
    pub options: BTreeMap<String, String>,
    /// Why it may not play.
    pub refused: Option<String>,
}

/// A match: everything that a replay needs.
#[derive(Serialize, Deserialize)]
pub struct MatchLine {
    /// The block's id and a letter for the rotation.
    #[serde(deserialize_with = "id::text")]
    pub id: String,
    /// How many matches the block has.
    pub of: usize,
    pub ladder: String,
    /// Name and version of the rules.
    pub game: String,
    /// Which setting of the ladder, its name and its options.
    pub setting: usize,
    pub name: String,
    pub options: BTreeMap<String, String>,
    #[serde(with = "number")]
    pub seed: u64,
    #[serde(with = "number")]
    pub opening: u64,
    #[serde(with = "ending")]
    pub ending: Ending,
    /// Hash of the state it began with; 0 where an old record does not know it.
    #[serde(default, skip_serializing_if = "is_unknown", with = "hash")]
    pub start: u64,
    /// What the opening adds to the setting's `resolved`: position, deal, secret; null where these rules do not know.
    /// Not read.
    #[serde(skip_deserializing)]
    pub drawn: Option<Told>,
    pub turns: u32,
    /// Seconds since 1970.
    pub started: u64,
    pub us: u64,
    pub seats: Vec<ExportSeat>,
    pub moves: Vec<MoveLine>,
    pub outputs: Vec<Output>,
}

/// How a seat came out.
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
    #[serde(rename = "rungs")]
    pub layers: Vec<String>,
    pub usage: Usage,
}

/// Meetings that were drawn together; clients by their labels.
#[derive(Serialize, Deserialize)]
pub struct StageLine {
    pub kind: StageKind,
    /// From 1, among those of its kind.
    pub round: u32,
    /// Number of the first opening, and how many each meeting plays.
    #[serde(with = "number")]
    pub opening: u64,
    #[serde(with = "number")]
    pub openings: u64,
    /// All players as they stood when this was drawn, best first.
    pub order: Vec<String>,
    /// Who meets whom; one alone has a bye.
    pub meetings: Vec<Vec<String>>,
    /// The points of each in thousandths, in the order of `meetings`; null before all is played.
    pub scores: Option<Vec<Vec<i64>>>,
}

/// That a client was set aside, and perhaps let back.
#[derive(Serialize, Deserialize)]
pub struct SuspensionLine {
    pub client: String,
    pub kind: SuspensionKind,
    pub by_hand: bool,
    /// A sentence.
    pub why: String,
    /// The first block of the schedule that it does not play, in the schedule with this digest.
    #[serde(with = "number")]
    pub since: u64,
    pub schedule: String,
    /// Seconds since 1970.
    pub at: i64,
    pub let_back: Option<i64>,
    /// Up to this block, in the order of the record, its failures do not count: it was let back after them.
    pub counted: Option<String>,
}

/// For what matches were void for the sake of a client, and how often: the third time is its fault.
#[derive(Serialize, Deserialize)]
pub struct ExcuseLine {
    pub client: String,
    pub cause: Excuse,
    pub times: u32,
}

/// What comes after the matches.
pub struct Tail {
    pub stages: Vec<StageLine>,
    pub suspensions: Vec<SuspensionLine>,
    pub excuses: Vec<ExcuseLine>,
    pub voids: Vec<VoidLine>,
}

/// A block that is void and not played since.
#[derive(Serialize, Deserialize)]
pub struct VoidLine {
    pub block: String,
    pub cause: String,
    pub tries: u32,
}

/// A number of 64 bits as text.
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

/// How a match ended that counts, by name.
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

fn is_unknown(start: &u64) -> bool {
    *start == 0
}

/// The id of a match becomes the name of a file, and so must be nothing else than one.
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

/// The hash of a file becomes the name of its copy.
mod file {
    use agon_arena::admission::names_files;
    use serde::{Deserialize, Deserializer, de::Error};

    pub fn hash<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        if text.as_deref().is_none_or(names_files) {
            return Ok(text);
        }
        Err(D::Error::custom("the hash of a file has 64 hex digits in lower case; with an adapter two, joined by +"))
    }
}
