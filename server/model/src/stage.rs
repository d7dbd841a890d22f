//! Meetings that were drawn together from the results before them. What was drawn is kept and stands, whoever comes or
//! goes later.

use serde::{Deserialize, Serialize};

/// A player of drawn pairings: the number of its entrant in the record.
pub type PlayerId = i64;

/// Meetings that are played at the same time, on the same openings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// What they are for.
    pub kind: StageKind,
    /// From 1, among those of its kind; a playoff has the round of the meetings that it decides.
    pub round: u32,
    /// Number of the first opening.
    pub opening: u64,
    /// How many openings each meeting plays.
    pub openings: u64,
    /// All players as they stood when this was drawn, best first.
    pub order: Vec<PlayerId>,
    /// Who meets whom; one alone has a bye.
    pub meetings: Vec<Vec<PlayerId>>,
}

/// What a stage is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StageKind {
    /// A round of a Swiss or a knockout.
    Round,
    /// One more opening for meetings that are tied.
    Playoff,
    /// Newcomers look for their place.
    Placement,
    /// Each challenges the neighbour above.
    Challenges,
}

impl StageKind {
    /// In messages.
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
    /// How many meetings are played.
    pub fn played_meetings(&self) -> u64 {
        self.meetings.iter().filter(|meeting| meeting.len() > 1).count() as u64
    }

    /// Who has a bye.
    pub fn byes(&self) -> impl Iterator<Item = PlayerId> + '_ {
        self.meetings.iter().filter(|meeting| meeting.len() == 1).map(|meeting| meeting[0])
    }
}

/// A stage with what came of it: of each meeting the points of each player, in thousandths, in the order of `meetings`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedStage {
    /// What was drawn.
    pub stage: Stage,
    /// A bye is worth as much as winning every match of a meeting; so is, for those present, a block that somebody did
    /// not play.
    pub scores: Vec<Vec<i64>>,
}
