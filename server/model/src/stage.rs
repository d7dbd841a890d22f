//! Meetings that were paired together by earlier results. A stage is kept and stands, even if players come or go.

use crate::EntrantId;
use serde::{Deserialize, Serialize};

/// Meetings that are played at the same time, on the same openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// The purpose of the stage.
    pub kind: StageKind,
    /// The number among stages of its kind, from 1; a playoff has the round of the meetings that it decides.
    pub round: u32,
    /// The number of the first opening.
    pub opening: u64,
    /// The number of openings in each meeting.
    pub openings: u64,
    /// All players in order of their standing at the drawing, best first.
    pub order: Vec<EntrantId>,
    /// The players of each meeting; a single one has a bye.
    pub meetings: Vec<Vec<EntrantId>>,
}

/// The purpose of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StageKind {
    /// It is a round of a Swiss system or a knockout.
    Round,
    /// It has one more opening for tied meetings.
    Playoff,
    /// Newcomers look for their place.
    Placement,
    /// Each player challenges the neighbour above.
    Challenges,
}

impl StageKind {
    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            StageKind::Round => "round",
            StageKind::Playoff => "playoff of round",
            StageKind::Placement => "placement",
            StageKind::Challenges => "challenges",
        }
    }
}

impl Stage {
    /// The number of meetings with two players.
    pub fn played_meetings(&self) -> u64 {
        self.meetings.iter().filter(|meeting| meeting.len() > 1).count() as u64
    }

    /// The players with a bye.
    pub fn byes(&self) -> impl Iterator<Item = EntrantId> + '_ {
        self.meetings.iter().filter(|meeting| meeting.len() == 1).map(|meeting| meeting[0])
    }
}

/// A stage with its results: the points of each player of each meeting, in thousandths, in the order of `meetings`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedStage {
    pub stage: Stage,
    /// The points. A bye is worth as much as winning every match of a meeting; so is, for those present, a block that a
    /// player missed.
    pub scores: Vec<Vec<i64>>,
}
