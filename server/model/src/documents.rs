//! The documents that programs read. Pages are made from the same ones, so that they agree.

mod standings;
mod workers;

pub use standings::{
    Adjudicated, Excluded, Lineup, LineupRow, OnSeat, OnSetting, OwnTime, PairedStage, PairedStages, RankedPlayer,
    Standings, StandingsRow, SwissPlace, UncountedResults, VoidBlock,
};
pub use workers::{Worker, WorkerDifference, Workers};

use crate::visible::json_document;
use serde::{Deserialize, Serialize};

/// A document with its schema, as JSON that ends with a newline.
#[derive(Serialize)]
struct Titled<'a, T> {
    schema: &'static str,
    #[serde(flatten)]
    document: &'a T,
}

/// A mean with the ends of its 95 % interval, where there is one.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Mean {
    pub mean: f64,
    pub standard_error: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// A list of matches, `agon.matches/1`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Matches {
    pub ladder: String,
    pub matches: Vec<ListedMatch>,
}

impl Matches {
    /// Writes the document as JSON, with its schema.
    pub fn json(&self) -> String {
        json_document(&Titled { schema: "agon.matches/1", document: self })
    }
}

/// A match of a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListedMatch {
    pub id: String,
    pub setting: String,
    pub ending: String,
    /// The number of turns, as the tables of people and their CSV call it.
    pub plies: u32,
    /// When it began, in seconds since 1970; the document does not have it.
    #[serde(skip_serializing, default)]
    pub started: u64,
    pub seats: Vec<ListedSeat>,
}

/// A seat of such a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListedSeat {
    pub label: String,
    pub rank: u32,
    pub score: i64,
    pub fault: Option<String>,
    pub notices: u32,
}

/// How a table came about, `agon.history/1`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct History {
    pub ladder: String,
    /// The moments, each after this number of matches of the ladder.
    pub matches: Vec<u64>,
    /// The moments with ratings; empty if there are none, or too many clients.
    pub rated_after: Vec<u64>,
    pub clients: Vec<Course>,
}

impl History {
    /// Writes the document as JSON, with its schema.
    pub fn json(&self) -> String {
        json_document(&Titled { schema: "agon.history/1", document: self })
    }
}

/// The points and ratings of a client at these moments.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Course {
    pub client: String,
    /// Mean points; `null` before its first match.
    pub points: Vec<Option<f64>>,
    /// Mean scores, if each plays alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Option<f64>>,
    /// Ratings after `rated_after`; `null` before its first match.
    pub ratings: Vec<Option<Rating>>,
}

impl Course {
    /// Mean points or, if each plays alone, mean scores.
    pub fn means(&self, is_alone: bool) -> &[Option<f64>] {
        if is_alone { &self.scores } else { &self.points }
    }
}

/// A rating with the ends of its 95 % interval, if results bound it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Rating {
    pub rating: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// Ratings, `agon.ratings/1`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Ratings {
    pub ladder: String,
    pub scale: String,
    pub matches: usize,
    pub clients: Vec<RatedClient>,
    pub groups: Vec<Vec<String>>,
    pub first_seat: Option<Mean>,
    pub draw_rate: Option<Mean>,
    /// How the ladder asks for less than the full sandbox; absent if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weaker_sandbox: Option<String>,
    /// A warning if the order of moves is not balanced; absent if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<String>,
}

impl Ratings {
    /// Writes the document as JSON, with its schema.
    pub fn json(&self) -> String {
        json_document(&Titled { schema: "agon.ratings/1", document: self })
    }
}

/// A client with its rating.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RatedClient {
    pub client: String,
    pub rating: f64,
    pub standard_error: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub group: usize,
    pub matches: u64,
    pub distinct_matches: f64,
    /// Its lead over the next client of the same group, if results bound the difference.
    pub over_next: Option<Lead>,
}

impl RatedClient {
    /// Whether chance alone could have put it before the next one.
    pub fn may_be_next(&self) -> bool {
        let is_open = |over: &Lead| over.low.is_none_or(|low| low < 0.0) && over.high.is_none_or(|high| high > 0.0);
        self.over_next.as_ref().is_some_and(is_open)
    }
}

/// The difference of two ratings, with the ends of its 95 % interval.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Lead {
    pub difference: f64,
    pub standard_error: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub superiority: f64,
    pub matches_to_separate: Option<u64>,
}

/// The answer of a sequential test, `agon.sprt/1`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SequentialTest {
    pub new: String,
    pub base: String,
    pub ladder: String,
    pub scale: String,
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    pub pairs: u64,
    /// How many pairs brought the new version 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [u64; 5],
    /// Different starts, how many pairs are worth an independent one, and how many different starts would do.
    pub openings: u64,
    pub design_effect: f64,
    pub openings_needed: Option<u64>,
    pub llr: f64,
    pub lower: f64,
    pub upper: f64,
    /// `H0`, `H1`, or why there is none.
    pub verdict: Option<String>,
    /// Whether no more pairs are played.
    pub is_over: bool,
    pub normalised_elo_as_counted: Option<EloInterval>,
    pub logistic_elo_as_counted: Option<EloInterval>,
    pub superiority_as_counted: Option<f64>,
    pub corrected_for_the_stop: Option<EloInterval>,
    pub repeated_pairs: u64,
    pub faults: usize,
}

impl SequentialTest {
    /// Writes the document as JSON, with its schema.
    pub fn json(&self) -> String {
        json_document(&Titled { schema: "agon.sprt/1", document: self })
    }
}

/// A difference with the ends of its 95 % interval; `null` = open.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EloInterval {
    pub elo: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}
