//! The standings for programs and pages: `agon.standings/1`. Keys keep their order; a change of meaning gets a new
//! number.

use super::{Mean, Titled};
use crate::visible::json_document;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The standings of a ladder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Standings {
    pub ladder: String,
    pub game: String,
    pub seats: usize,
    /// Text, since not every reader of JSON has whole numbers of 64 bits; `null` while it is kept back.
    pub seed: Option<String>,
    pub seed_drawn: bool,
    pub matches: u64,
    pub blocks: u64,
    /// The value that decides places where each plays alone; absent if it is points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranked_by: Option<String>,
    pub clients: Vec<StandingsRow>,
    pub refused: Vec<Excluded>,
    /// The clients that do not play any more; absent if all do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<Excluded>,
    /// The clients that play by a time of their own; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own_times: Vec<OwnTime>,
    pub by_seat: Vec<OnSeat>,
    pub by_setting: Vec<OnSetting>,
    /// Absent unless asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_lineup: Option<Vec<Lineup>>,
    pub void: Vec<VoidBlock>,
    /// A warning if the order of moves is not balanced; absent if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<String>,
    /// How the ladder asks for less than the full sandbox; absent where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weaker_sandbox: Option<String>,
    /// The effects of matches that clients may end; absent if they may not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudicated>,
    /// The stages; absent if pairings do not follow from results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairing: Option<PairedStages>,
}

impl Standings {
    /// Writes the document as JSON, with its schema.
    pub fn json(&self) -> String {
        json_document(&Titled { schema: "agon.standings/1", document: self })
    }
}

/// A client with its results.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StandingsRow {
    /// `null`: others are measured by it.
    pub place: Option<usize>,
    pub client: String,
    /// Its author's name, which all its versions share.
    pub team: String,
    pub status: String,
    pub file: String,
    pub sha256: String,
    pub options: BTreeMap<String, String>,
    pub matches: u64,
    pub blocks: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub points: Mean,
    pub rank: Mean,
    pub score: Mean,
    pub faults: BTreeMap<String, u64>,
    pub notices: u64,
    /// The first fault in the whole ladder; absent in the rows of one setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_fault: Option<Option<String>>,
    /// Matches that were void for its sake; likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voids: Option<u32>,
    /// Likewise; absent where it gets none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<String>,
}

impl StandingsRow {
    /// The place as a table shows it.
    pub fn shown_place(&self) -> String {
        self.place.map_or("–".to_owned(), |place| place.to_string())
    }

    /// The place for an order in which rows without one come last.
    pub fn order(&self) -> usize {
        self.place.unwrap_or(usize::MAX)
    }
}

/// A client that was refused, or does not play any more.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Excluded {
    pub client: String,
    pub team: String,
    /// The refused file and its hash; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    pub status: String,
    pub why: String,
    /// Absent where it gets none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<String>,
    /// Its results, if they count for nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apart: Option<UncountedResults>,
}

/// Results that count for nobody.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UncountedResults {
    pub matches: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub points: Mean,
}

/// A client with a time of its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnTime {
    pub client: String,
    pub time: String,
}

/// The results from one seat.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OnSeat {
    pub matches: u64,
    pub wins: u64,
    /// First places that several shared.
    pub shared: u64,
}

/// The standings on one setting.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OnSetting {
    pub setting: String,
    pub options: BTreeMap<String, String>,
    pub matches: u64,
    pub blocks: u64,
    pub clients: Vec<StandingsRow>,
}

/// The results of one line-up.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Lineup {
    pub lineup: Vec<String>,
    pub matches: u64,
    pub blocks: u64,
    pub clients: Vec<LineupRow>,
}

/// A client of a line-up.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LineupRow {
    pub client: String,
    /// Seats played; more than matches where it sat on several.
    pub matches: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub points: Mean,
    pub rank: Mean,
    pub score: Mean,
}

/// A block that is void.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct VoidBlock {
    pub block: String,
    pub cause: String,
    pub tries: u32,
}

/// The effects of `[adjudication]` in a ladder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Adjudicated {
    /// Matches that ended by it.
    pub decided: u64,
    /// Matches in which both said the same, and that were played to their end to check.
    pub checked: u64,
    /// The ids of those of them that somebody else won, in order.
    pub wrong: Vec<String>,
}

/// The stages that were paired by results.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PairedStages {
    pub system: String,
    /// Best first; of a knockout only its winner, when it is over.
    pub order: Vec<String>,
    /// The ranking of a continuous ladder; absent in other systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<RankedPlayer>,
    /// The table of a Swiss; absent in other systems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub table: Vec<SwissPlace>,
    pub stages: Vec<PairedStage>,
}

/// A place of the ranking of a continuous ladder.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RankedPlayer {
    pub client: String,
    pub meetings: u64,
    /// 0 is a newcomer's.
    pub elo: f64,
    /// One standard deviation of `elo`.
    pub deviation: f64,
}

/// A place of a Swiss, byes included.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SwissPlace {
    pub client: String,
    pub points: f64,
    /// The points of all whom it met, which part equal points.
    pub opponents: f64,
}

/// A stage of a ladder that pairs by results.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PairedStage {
    pub kind: String,
    pub round: u32,
    pub opening: u64,
    pub openings: u64,
    /// The clients that met; one alone had a bye.
    pub meetings: Vec<Vec<String>>,
    /// Points of each; `null` while the stage is being played.
    pub points: Option<Vec<Vec<f64>>>,
}
