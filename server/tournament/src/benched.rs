//! Judges again, at every beginning of a ladder whose pairings do not follow from results, who was benched for faults:
//! only matches of the present clients count. So the same files give the same table, whatever was submitted before.

use crate::controller::JudgedBlock;
use crate::participants::Participants;
use crate::schedule::{CHECKPOINT_INTERVAL, Checkpoints, FailureStreaks, is_checkpoint};
use crate::suspensions::Suspensions;
use agon_model::{Block, EntrantId, Ladder, Suspension, SuspensionKind};
use agon_record::{Record, RunError};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

/// Lets back the clients that an earlier run benched, and that the present matches do not bench; a line about each.
pub fn judge_again(
    record: &dyn Record,
    participants: &Participants,
    ladder: &Ladder,
    stop: &AtomicBool,
) -> Result<Vec<String>, RunError> {
    let (row, limit) = (participants.row.id, ladder.bench_after);
    // The schedule of a drawn tournament follows from results.
    if ladder.system.pairs_by_results() {
        return Ok(Vec::new());
    }
    let benched =
        record.members(row)?.into_iter().filter(|member| member.suspension.as_ref().is_some_and(is_by_faults));
    let doubted: BTreeSet<usize> = benched.filter_map(|member| participants.index(member.id)).collect();
    if doubted.is_empty() {
        return Ok(Vec::new());
    }
    let suspensions = Suspensions::read(record, participants, &participants.schedule.digest())?;
    let voids: BTreeSet<String> = record.voids(row)?.into_iter().map(|(block, ..)| block).collect();
    let mut pass = |judgement: &mut Judgement| pass_all(record, participants, &voids, judgement, stop);
    let back = find_back(limit, suspensions, doubted, &mut pass)?;
    if stop.load(Ordering::Relaxed) {
        return Ok(Vec::new());
    }
    let back = back.into_iter().map(|entrant: usize| {
        participants.retry.until_done(|| record.lift_suspension(row, participants.ids[entrant]))?;
        let label = &participants.entrants[entrant].label;
        let why = match limit {
            0 => "bench_after is 0".to_owned(),
            limit => format!("its matches with the present clients have no {limit} failures in a row"),
        };
        Ok(format!("{label} is let back: {why}"))
    });
    back.collect()
}

fn is_by_faults(suspension: &Suspension) -> bool {
    suspension.kind == SuspensionKind::Benched && !suspension.by_hand
}

/// Passes the recorded blocks of the schedule through a judgement.
fn pass_all(
    record: &dyn Record,
    participants: &Participants,
    voids: &BTreeSet<String>,
    judgement: &mut Judgement,
    stop: &AtomicBool,
) -> Result<(), RunError> {
    let (mut unseen, mut end) = (record.count_blocks(participants.row.id)?, 0);
    for block in participants.schedule.blocks() {
        // The last results are judged two checkpoints later.
        if judgement.is_over() || stop.load(Ordering::Relaxed) || unseen == 0 && block.number > end {
            break;
        }
        let came = if unseen == 0 { None } else { recall(record, participants, &judgement.suspensions, &block)? };
        if came.is_some() {
            (unseen, end) = (unseen - 1, block.number + 2 * CHECKPOINT_INTERVAL);
        }
        // A run counts over void blocks as well.
        let is_void = came.is_none() && voids.contains(&block.id);
        judgement.pass(block, if is_void { Some(JudgedBlock::default()) } else { came });
    }
    Ok(())
}

/// The recorded result of a block; `None` if it was not played.
fn recall(
    record: &dyn Record,
    participants: &Participants,
    suspensions: &Suspensions,
    block: &Block,
) -> Result<Option<JudgedBlock>, RunError> {
    let index = |player: EntrantId| participants.index(player).unwrap_or(usize::MAX);
    let Some(matches) = record.block_outcomes(participants.row.id, &block.id, &index)? else { return Ok(None) };
    Ok(Some(JudgedBlock { pardoned: suspensions.pardoned_in(&matches), matches }))
}

/// The doubted clients that are let back; `pass` passes the blocks of the schedule through a judgement. A client that is
/// let back plays its missing blocks, which may let back others.
fn find_back(
    limit: u32,
    mut suspensions: Suspensions,
    mut doubted: BTreeSet<usize>,
    pass: &mut dyn FnMut(&mut Judgement) -> Result<(), RunError>,
) -> Result<BTreeSet<usize>, RunError> {
    let mut back = BTreeSet::new();
    loop {
        let mut judgement = Judgement::new(limit, suspensions.clone(), doubted.clone());
        pass(&mut judgement)?;
        if judgement.doubted.is_empty() {
            return Ok(back);
        }
        for entrant in judgement.doubted {
            suspensions.end(entrant);
            doubted.remove(&entrant);
            back.insert(entrant);
        }
    }
}

/// Counts as a run does, over the recorded blocks.
struct Judgement {
    streaks: FailureStreaks,
    /// Those of the record, with the doubted ones: for them blocks were left out.
    suspensions: Suspensions,
    /// The benched clients that are not confirmed so far.
    doubted: BTreeSet<usize>,
    blocks: Checkpoints<(Block, Option<JudgedBlock>)>,
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
    fn pass(&mut self, block: Block, came: Option<JudgedBlock>) {
        if is_checkpoint(block.number) {
            self.judge(block.number);
        }
        self.blocks.close(block.number, (block, came));
    }

    fn judge(&mut self, checkpoint: u64) {
        let mut failing = Vec::new();
        for (block, came) in self.blocks.take(checkpoint) {
            match came {
                Some(came) => failing.extend(self.streaks.count(&came.matches, &came.pardoned)),
                // Unless it is left out for an opponent, it is still to be played: nobody knows who fails in it.
                None => {
                    let is_out = |other: &usize| self.suspensions.is_out(*other, block.number);
                    let waits = |own: &usize| !block.lineup.iter().any(|other| other != own && is_out(other));
                    let waiting: Vec<usize> = block.lineup.iter().copied().filter(waits).collect();
                    self.streaks.interrupt(&waiting);
                }
            }
        }
        for failing in failing {
            self.suspensions.begin(failing.entrant, checkpoint);
            self.doubted.remove(&failing.entrant);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::{FaultKind, MatchOutcome, SeatOutcome};

    /// The clients among 0 and 1, both benched, that are let back. A letter a block: `x` a fault of client 0, `y` of
    /// client 1, `.` a good match of client 0, `?` one of it to be played, `v` a void one, `-` one that is left out for its
    /// opponent, `m` one that 0 and 1 have not played with each other.
    fn back(blocks: &str) -> Vec<usize> {
        let mut suspensions = Suspensions::default();
        for entrant in 0..3 {
            suspensions.begin(entrant, 0);
        }
        let back = find_back(3, suspensions, [0, 1].into(), &mut |judgement| {
            for (number, letter) in blocks.chars().chain("~".repeat(70).chars()).enumerate() {
                let lineup = match letter {
                    '-' => vec![0, 2],
                    'm' => vec![0, 1],
                    'y' => vec![1, 3],
                    '~' => vec![3, 4],
                    _ => vec![0, 3],
                };
                let seat = |entrant| {
                    let fault = (letter != '.').then_some(FaultKind::Crash);
                    vec![SeatOutcome { entrant, rank: 1, score: 0, fault, notices: 0 }]
                };
                let matches = vec![MatchOutcome { seats: seat(lineup[0]), ..MatchOutcome::default() }];
                let came = match letter {
                    'x' | 'y' | '.' => Some(JudgedBlock { matches, ..JudgedBlock::default() }),
                    'v' => Some(JudgedBlock::default()),
                    _ => None,
                };
                let (number, id) = (number as u64, number.to_string());
                let block = Block { id, number, lineup, rotations: 1, setting: 0, opening: 0, client_seed: [0; 32] };
                judgement.pass(block, came);
            }
            Ok(())
        });
        back.unwrap().into_iter().collect()
    }

    #[test]
    fn only_failures_in_a_row_of_present_matches_bench() {
        for (blocks, stays) in [
            ("xxx", true),
            (".xxx", true),
            ("xx.xx", false),
            ("xx?x", false),
            ("xxvx", true),
            ("xx-x", true),
            ("x?xxx", true),
            ("xx", false),
            ("", false),
        ] {
            assert_eq!(!back(&("yyy".to_owned() + blocks)).contains(&0), stays, "{blocks}");
        }
    }

    #[test]
    fn a_block_between_two_benched_clients_lets_neither_back_unless_one_of_them_is() {
        for (blocks, wanted) in [("xxyymxy", &[][..]), ("xxxyym", &[1]), ("xxyymx", &[0, 1])] {
            assert_eq!(back(blocks), wanted, "{blocks}");
        }
    }
}
