//! Judges again, when a ladder begins, who was benched for faults: only matches of the present clients count. So the same
//! files give the same table, whatever was submitted before.

use crate::controller::Came;
use crate::participants::Participants;
use crate::schedule::{Checkpoints, FailureStreaks, is_checkpoint};
use crate::suspensions::Suspensions;
use agon_model::{Block, EntrantId, Ladder, SuspensionKind};
use agon_record::{Record, RunError};
use std::collections::BTreeSet;

/// Lets back the clients that an earlier run benched, and that the present matches do not bench; a line about each.
///
/// # Errors
/// The record cannot be read or written.
pub fn judge_again(store: &dyn Record, participants: &Participants, ladder: &Ladder) -> Result<Vec<String>, RunError> {
    let row = participants.row.id;
    let (mut suspensions, mut doubted) = (Suspensions::default(), BTreeSet::new());
    // The schedule of a drawn tournament follows from results.
    if ladder.system.is_drawn() {
        return Ok(Vec::new());
    }
    for member in store.members(row)? {
        let Some(entrant) = participants.index(member.id) else { continue };
        suspensions.pardon(entrant, member.pardoned);
        match member.suspension {
            Some(aside) if aside.kind == SuspensionKind::Benched && !aside.by_hand => drop(doubted.insert(entrant)),
            Some(_) => drop(suspensions.begin(entrant, 0)),
            None => {}
        }
    }
    let mut judgement = Judgement::new(ladder.disable_after, suspensions, doubted);
    for block in participants.schedule.blocks() {
        if judgement.is_over() {
            break;
        }
        let came = recall(store, participants, &judgement.suspensions, &block)?;
        judgement.pass(block, came);
    }
    let back = |entrant: usize| {
        participants.retry.until_done(|| store.confirm_not(row, participants.ids[entrant]))?;
        let label = &participants.entrants[entrant].label;
        let why = match ladder.disable_after {
            0 => "disable_after is 0".to_owned(),
            limit => format!("its matches with the present clients have no {limit} failures in a row"),
        };
        Ok(format!("{label} is let back: {why}"))
    };
    judgement.doubted.into_iter().map(back).collect()
}

/// The recorded result of a block; `None` if it was not played.
fn recall(
    store: &dyn Record,
    participants: &Participants,
    suspensions: &Suspensions,
    block: &Block,
) -> Result<Option<Came>, RunError> {
    let index = |player: EntrantId| participants.index(player).unwrap_or(usize::MAX);
    let Some(matches) = store.block_outcomes(participants.row.id, &block.id, &index)? else { return Ok(None) };
    Ok(Some(Came { pardoned: suspensions.pardoned_in(&matches), matches }))
}

/// Counts as a run does, over the recorded blocks.
struct Judgement {
    streaks: FailureStreaks,
    suspensions: Suspensions,
    /// The benched clients that are not confirmed so far.
    doubted: BTreeSet<usize>,
    blocks: Checkpoints<(Block, Option<Came>)>,
}

impl Judgement {
    fn new(limit: u32, suspensions: Suspensions, doubted: BTreeSet<usize>) -> Judgement {
        Judgement { streaks: FailureStreaks::new(limit), suspensions, doubted, blocks: Checkpoints::default() }
    }

    /// Whether nothing is left to judge.
    fn is_over(&self) -> bool {
        self.doubted.is_empty() || !self.streaks.judges()
    }

    /// Takes the next block of the schedule.
    fn pass(&mut self, block: Block, came: Option<Came>) {
        if is_checkpoint(block.number) {
            self.judge(block.number);
        }
        self.blocks.close(block.number, (block, came));
    }

    fn judge(&mut self, place: u64) {
        let mut failing = Vec::new();
        for (block, came) in self.blocks.take(place) {
            let is_left_out = || block.lineup.iter().any(|entrant| self.suspensions.is_out(*entrant, block.number));
            match came {
                Some(came) => failing.extend(self.streaks.count(&came.matches, &came.pardoned)),
                None if is_left_out() => {}
                // It is still to be played, so nobody knows who fails in it.
                None => self.streaks.interrupt(&block.lineup),
            }
        }
        for failing in failing {
            self.suspensions.begin(failing.entrant, place);
            self.doubted.remove(&failing.entrant);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::{FaultKind, MatchOutcome, SeatOutcome};

    /// Whether client 0 stays benched: a letter a block, `x` its fault, `.` a good match, `?` one to be played, `-` one that
    /// is left out for its opponent.
    fn stays(blocks: &str) -> bool {
        let mut suspensions = Suspensions::default();
        suspensions.begin(2, 0);
        let mut judgement = Judgement::new(3, suspensions, [0].into());
        for (number, letter) in blocks.chars().chain("~".repeat(70).chars()).enumerate() {
            let opponent = match letter {
                '-' => 2,
                _ => 1,
            };
            let lineup = if letter == '~' { vec![1, 3] } else { vec![0, opponent] };
            let (number, id) = (number as u64, number.to_string());
            let block = Block { id, number, lineup, rotations: 1, setting: 0, opening: 0, draws: [0; 32] };
            let fault = (letter == 'x').then_some(FaultKind::Crash);
            let seats = vec![SeatOutcome { entrant: 0, rank: 1, score: 0, fault, notices: 0 }];
            let matches = vec![MatchOutcome { seats, ..MatchOutcome::default() }];
            let came = matches!(letter, 'x' | '.').then(|| Came { matches, ..Came::default() });
            judgement.pass(block, came);
        }
        judgement.doubted.is_empty()
    }

    #[test]
    fn only_failures_in_a_row_of_present_matches_bench() {
        for (blocks, wanted) in [
            ("xxx", true),
            (".xxx", true),
            ("xx.xx", false),
            ("xx?x", false),
            ("xx-x", true),
            ("x?xxx", true),
            ("xx", false),
            ("", false),
        ] {
            assert_eq!(stays(blocks), wanted, "{blocks}");
        }
    }
}
