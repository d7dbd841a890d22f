//! The way through a ladder whose pairings follow from results: it pairs each stage when everything before it is
//! played. Drawings are kept first, so that no interruption and no arriving or leaving client changes them.

use super::participants::Participants;
use crate::schedule::{Schedule, Slot};
use agon_model::pairing::{self, PairingRules};
use agon_model::{
    Block, EntrantId, FaultKind, Ladder, MatchOutcome, PlayedStage, Points, Seeding, Stage, System, counted, some_of,
};
use agon_record::{Record, RunError, StoredStage};
use std::collections::VecDeque;

/// The progress of a ladder that pairs by results.
pub struct Rounds {
    rules: PairingRules,
    points: Points,
    seeding: Seeding,
    /// Stages of earlier runs that are not passed through yet.
    stored: VecDeque<StoredStage>,
    played: Vec<PlayedStage>,
    current: Option<Current>,
    /// The number of the first block after those of the current stage.
    number: u64,
    /// The number of matches in the stages so far.
    matches: u64,
}

/// The stage that is passed through.
struct Current {
    stage: Stage,
    scores: Option<Vec<Vec<i64>>>,
    slots: Vec<Slot>,
    /// The index of the next one.
    at: usize,
}

/// Whether a client sits out from a block on, by its index in the ladder and the block's number.
pub type IsOut<'a> = dyn Fn(usize, u64) -> bool + 'a;

/// The result of `Rounds::pair_stage`.
pub enum NextStage {
    /// The meetings were paired in an earlier run.
    Known,
    /// The meetings are new: a sentence for the user, and the number of all matches.
    New(String, u64),
    /// There are none: the tournament is over.
    Over,
}

impl Rounds {
    /// Begins with the stages of earlier runs.
    pub fn new(ladder: &Ladder, stored: Vec<StoredStage>) -> Rounds {
        Rounds {
            rules: rules(ladder),
            points: ladder.points,
            seeding: ladder.seeding,
            stored: stored.into(),
            played: Vec::new(),
            current: None,
            number: 0,
            matches: 0,
        }
    }

    /// The next block of the current stage that can be played.
    pub fn next_block(&mut self) -> Option<Block> {
        let current = self.current.as_mut()?;
        let (skipped, block) =
            current.slots[current.at..].iter().enumerate().find_map(|(at, slot)| Some((at, slot.block.clone()?)))?;
        current.at += skipped + 1;
        Some(block)
    }

    /// Whether an earlier run closed the current stage: its unplayed blocks stay unplayed.
    pub fn is_closed(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.scores.is_some())
    }

    /// Closes the current stage, all of whose blocks are done; false = some are void, so it cannot be closed.
    pub fn close(
        &mut self,
        participants: &Participants,
        record: &dyn Record,
        is_out: &IsOut,
    ) -> Result<bool, RunError> {
        let Some(current) = &self.current else { return Ok(true) };
        let scores = match &current.scores {
            Some(scores) => scores.clone(),
            None => match self.score(current, participants, record, is_out)? {
                Some(scores) => {
                    participants
                        .retry
                        .until_done(|| record.close_stage(participants.row.id, self.played.len(), &scores))?;
                    scores
                }
                None => return Ok(false),
            },
        };
        self.played.extend(self.current.take().map(|current| PlayedStage { stage: current.stage, scores }));
        Ok(true)
    }

    /// The points of each player of each meeting; `None` while a block is neither played nor given up.
    fn score(
        &self,
        current: &Current,
        participants: &Participants,
        record: &dyn Record,
        is_out: &IsOut,
    ) -> Result<Option<Vec<Vec<i64>>>, RunError> {
        let stage = &current.stage;
        let bye = self.points.win * (stage.openings * participants.schedule.matches_an_opening()) as i64;
        let start = |meeting: &Vec<EntrantId>| if meeting.len() > 1 { vec![0; meeting.len()] } else { vec![bye] };
        let mut scores: Vec<Vec<i64>> = stage.meetings.iter().map(start).collect();
        let pairs: Vec<usize> = (0..scores.len()).filter(|&at| stage.meetings[at].len() > 1).collect();
        for slot in &current.slots {
            let at = pairs[slot.meeting];
            let meeting = &stage.meetings[at];
            let index = |player| meeting.iter().position(|its| *its == player).unwrap_or(usize::MAX);
            let worth = match &slot.block {
                Some(block) => match record.block_outcomes(participants.row.id, &block.id, &index)? {
                    Some(matches) => (0..meeting.len()).map(|player| self.worth(player, &matches)).collect(),
                    None => self.walkover(slot, meeting, participants, &|entrant| is_out(entrant, block.number)),
                },
                None => self.walkover(slot, meeting, participants, &|_| false),
            };
            let Some(worth) = worth else { return Ok(None) };
            scores[at].iter_mut().zip(worth).for_each(|(score, worth)| *score += worth);
        }
        Ok(Some(scores))
    }

    /// The points that a block gives to one of its two players; `None` if the player is not among them.
    fn worth(&self, player: usize, matches: &[MatchOutcome]) -> Option<i64> {
        let of_match = |played: &MatchOutcome| {
            let own = played.seats.iter().find(|seat| seat.entrant == player)?;
            let other = played.seats.iter().find(|seat| seat.entrant != player)?;
            Some(self.points.of(own.rank.cmp(&other.rank), own.fault.is_some_and(FaultKind::is_crash)))
        };
        matches.iter().map(of_match).sum()
    }

    /// The result of a block that is not played because a player left or sits out: the others win all its matches.
    /// `None` if all are there.
    fn walkover(
        &self,
        slot: &Slot,
        meeting: &[EntrantId],
        participants: &Participants,
        is_out: &dyn Fn(usize) -> bool,
    ) -> Option<Vec<i64>> {
        let is_there = |player: &EntrantId| participants.index(*player).is_some_and(|entrant| !is_out(entrant));
        if meeting.iter().all(is_there) {
            return None;
        }
        let worth = |player: &EntrantId| if is_there(player) { self.points.win * slot.rotations as i64 } else { 0 };
        Some(meeting.iter().map(worth).collect())
    }

    /// The next stage: one of an earlier run, or a new one, which is kept. The stage before it must be closed.
    pub fn pair_stage(
        &mut self,
        participants: &Participants,
        record: &dyn Record,
        is_out: &IsOut,
    ) -> Result<NextStage, RunError> {
        if let Some((stage, scores)) = self.stored.pop_front() {
            self.enter(stage, scores, participants);
            return Ok(NextStage::Known);
        }
        let field = self.field(participants, is_out);
        let Some(stage) = self.rules.next(&field, &self.played) else { return Ok(NextStage::Over) };
        participants.retry.until_done(|| record.record_stage(participants.row.id, self.played.len(), &stage))?;
        let text = self.tell(&stage, &field, participants);
        self.enter(stage, None, participants);
        Ok(NextStage::New(text, self.matches + self.matches_to_come(field.len(), participants.schedule)))
    }

    fn enter(&mut self, stage: Stage, scores: Option<Vec<Vec<i64>>>, participants: &Participants) {
        let slots = slots(&stage, self.number, participants);
        self.number += slots.len() as u64;
        self.matches += count_matches(&slots);
        self.current = Some(Current { stage, scores, slots, at: 0 });
    }

    fn matches_to_come(&self, players: usize, schedule: &Schedule) -> u64 {
        let stages = self.played.iter().map(|played| &played.stage);
        let stages: Vec<&Stage> = stages.chain(self.current.iter().map(|current| &current.stage)).collect();
        self.rules.meetings_to_come(players, &stages) * self.rules.openings * schedule.matches_an_opening()
    }

    /// The players that may play now, in seeding order.
    fn field(&self, participants: &Participants, is_out: &IsOut) -> Vec<EntrantId> {
        let plays =
            |&entrant: &usize| participants.entrants[entrant].refused.is_none() && !is_out(entrant, self.number);
        let field: Vec<usize> = (0..participants.entrants.len()).filter(plays).collect();
        in_seeding_order(field, self.seeding, participants.schedule)
            .into_iter()
            .map(|entrant| participants.ids[entrant])
            .collect()
    }

    /// Writes `round 2: 8 meetings, a bye for x; rematches that cannot be avoided: a – b`.
    fn tell(&self, stage: &Stage, field: &[EntrantId], participants: &Participants) -> String {
        let name = |player: &EntrantId| {
            participants.index(*player).map_or("?", |entrant| participants.entrants[entrant].label.as_str())
        };
        let meetings = counted(stage.played_meetings(), "meeting", "meetings");
        let mut text = format!("{} {}: {meetings}", stage.kind.name(), stage.round);
        let byes: Vec<&str> = stage.byes().map(|player| name(&player)).collect();
        if !byes.is_empty() {
            text += &format!(", a bye for {}", some_of(&byes));
        }
        let late: Vec<&str> = field.iter().filter(|player| !stage.order.contains(player)).map(name).collect();
        if matches!(self.rules.system, System::Knockout { .. }) && !late.is_empty() {
            text += &format!("; too late for this bracket: {}", some_of(&late));
        }
        let rematches = pairing::rematches(stage, &self.played);
        let rematches: Vec<String> =
            rematches.map(|pair| pair.iter().map(name).collect::<Vec<_>>().join(" – ")).collect();
        if matches!(self.rules.system, System::Swiss { .. }) && !rematches.is_empty() {
            text += &format!("; rematches that cannot be avoided: {}", some_of(&rematches));
        }
        text
    }
}

/// The rules for the pairings of a ladder.
pub fn rules(ladder: &Ladder) -> PairingRules {
    PairingRules { system: ladder.system.clone(), openings: ladder.openings, settings: ladder.settings.len() as u64 }
}

/// Entrants by index, in the order in which they enter pairings.
pub fn in_seeding_order(mut entrants: Vec<usize>, seeding: Seeding, schedule: &Schedule) -> Vec<usize> {
    if seeding == Seeding::Drawn {
        entrants.sort_by_key(|&entrant| schedule.lot(entrant));
    }
    entrants
}

/// The blocks of a stage.
fn slots(stage: &Stage, number: u64, participants: &Participants) -> Vec<Slot> {
    let pairs = stage.meetings.iter().filter(|meeting| meeting.len() > 1);
    let meetings: Vec<Option<Vec<usize>>> =
        pairs.map(|meeting| meeting.iter().map(|player| participants.index(*player)).collect()).collect();
    participants.schedule.meeting_blocks(number, stage.opening..stage.opening + stage.openings, &meetings)
}

fn count_matches(slots: &[Slot]) -> u64 {
    slots.iter().filter(|slot| slot.block.is_some()).map(|slot| slot.rotations as u64).sum()
}

/// The numbers of a ladder's matches.
pub struct Count {
    /// The matches of the schedule, as far as it is known.
    pub known: u64,
    /// The matches that will follow from results, if nobody comes, leaves or ties.
    pub to_come: u64,
    /// The matches in the record.
    pub done: u64,
}

/// Counts the matches of a ladder. Results of clients that left are in the record too, but do not count.
pub fn count(ladder: &Ladder, participants: &Participants, record: &dyn Record) -> Result<Count, RunError> {
    let _reading = record.read_moment()?;
    // Once all recorded blocks were met, the record has no other.
    let mut unseen = record.count_blocks(participants.row.id)?;
    let mut done = |block: &Block| -> Result<u64, RunError> {
        let found = unseen > 0 && record.has_block(participants.row.id, &block.id)?;
        unseen -= u64::from(found);
        Ok(if found { block.rotations as u64 } else { 0 })
    };
    if !ladder.system.pairs_by_results() {
        let mut count = Count { known: participants.schedule.match_count(), to_come: 0, done: 0 };
        for block in participants.schedule.blocks() {
            count.done += done(&block)?;
        }
        return Ok(count);
    }
    let stored = record.stages(participants.row.id)?;
    let (rules, mut number) = (rules(ladder), 0);
    let mut count = Count { known: 0, to_come: 0, done: 0 };
    for (stage, _) in &stored {
        let slots = slots(stage, number, participants);
        number += slots.len() as u64;
        count.known += count_matches(&slots);
        for block in slots.iter().filter_map(|slot| slot.block.as_ref()) {
            count.done += done(block)?;
        }
    }
    let playing = participants.entrants.iter().filter(|entrant| entrant.refused.is_none()).count();
    let stages: Vec<&Stage> = stored.iter().map(|(stage, _)| stage).collect();
    count.to_come =
        rules.meetings_to_come(playing, &stages) * ladder.openings * participants.schedule.matches_an_opening();
    Ok(count)
}
