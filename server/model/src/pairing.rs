//! Draws the next meetings where they follow from results: pure functions of the results so far. They know no matches,
//! clients or record; only whole meetings and their points.

mod continuous;
mod knockout;
mod matching;
mod swiss;
#[cfg(test)]
mod tests;

pub use continuous::ranking;
pub use knockout::winner;
pub use swiss::{Standing, rematches, standings};

use crate::{EntrantId, PlayedStage, Stage, StageKind, System};

/// The rules for pairings, in addition to results.
#[derive(Clone, Debug)]
pub struct PairingRules {
    pub system: System,
    /// How many openings a meeting plays.
    pub openings: u64,
    /// How many blocks a meeting plays on each opening.
    pub settings: u64,
}

impl PairingRules {
    /// The next stage; `None` = the tournament is over. `field` are the players that may play now, in seeding order.
    pub fn next(&self, field: &[EntrantId], played: &[PlayedStage]) -> Option<Stage> {
        match self.system {
            System::RoundRobin | System::PartialRoundRobin { .. } | System::Gauntlet(_) => None,
            System::Swiss { rounds } => swiss::next(self, rounds, field, played),
            System::Knockout { playoffs } => knockout::next(self, playoffs, field, played),
            System::Continuous { blocks } => continuous::next(self, blocks, field, played),
        }
    }

    /// The number of meetings, each on `openings`, that may follow after these stages, without byes. It is exact if
    /// nobody comes, leaves or ties.
    pub fn meetings_to_come(&self, players: usize, stages: &[&Stage]) -> u64 {
        let rounds = stages.iter().filter(|stage| stage.kind == StageKind::Round).count() as u32;
        match self.system {
            System::RoundRobin | System::PartialRoundRobin { .. } | System::Gauntlet(_) => 0,
            System::Swiss { rounds: wanted } => {
                let players = stages.first().map_or(players, |first| first.order.len());
                let wanted = wanted.unwrap_or_else(|| swiss::rounds_to_part(players));
                u64::from(wanted.saturating_sub(rounds)) * (players / 2) as u64
            }
            System::Knockout { .. } => {
                let rounds = stages.iter().filter(|stage| stage.kind == StageKind::Round);
                let out: u64 = rounds.map(|stage| stage.played_meetings()).sum();
                let players = stages.first().map_or(players, |first| first.order.len()) as u64;
                players.saturating_sub(1 + out)
            }
            System::Continuous { blocks } => self.meetings_left(blocks, stages.iter().copied()),
        }
    }

    /// The number of meetings that fit into `blocks` after these stages.
    fn meetings_left<'a>(&self, blocks: u64, stages: impl Iterator<Item = &'a Stage>) -> u64 {
        let done: u64 = stages.map(|stage| stage.played_meetings() * stage.openings * self.settings).sum();
        blocks.saturating_sub(done) / (self.openings * self.settings)
    }

    /// Makes a stage on the openings after those of the earlier stages.
    fn stage(&self, kind: StageKind, round: u32, order: Vec<EntrantId>, played: &[PlayedStage]) -> Stage {
        let opening = played.last().map_or(0, |last| last.stage.opening + last.stage.openings);
        let openings = if kind == StageKind::Playoff { 1 } else { self.openings };
        Stage { kind, round, opening, openings, order, meetings: Vec::new() }
    }
}

/// The players of each meeting, with their points.
fn results<'a>(
    played: impl IntoIterator<Item = &'a PlayedStage>,
) -> impl Iterator<Item = (&'a [EntrantId], &'a [i64])> {
    played.into_iter().flat_map(|played| {
        let scores = played.scores.iter().map(Vec::as_slice);
        played.stage.meetings.iter().map(Vec::as_slice).zip(scores)
    })
}
