//! The blocks of one ladder for the threads of a worker: they see a coordinator, behind which is the record on another
//! machine.

use super::session::WorkerSession;
use crate::conduct::{BlockOutcome, Coordinator, Next};
use agon_model::{Block, EntrantId, PlayedBlock};
use agon_record::RunError;
use agon_record::exchange::{Delivery, LARGEST_DELIVERY, Lease};
use agon_record::write_delivery;
use std::time::{Duration, Instant};

/// The blocks of one ladder for the threads of a worker.
pub struct WorkerLadder<'s, 'a> {
    pub session: &'s mut WorkerSession<'a>,
    /// The number of the terms.
    pub number: i64,
    /// The entrants' numbers in the record.
    pub ids: &'s [EntrantId],
    /// The number of seats of a match, and the number of settings.
    pub shape: (usize, usize),
}

impl WorkerLadder<'_, '_> {
    fn delivery(&mut self, block: &Block, outcome: Result<&PlayedBlock, String>) -> Option<Delivery> {
        let lease = self.session.held.remove(&block.id)?;
        let content = outcome.and_then(|played| pack(played, self.ids));
        Some(Delivery { key: self.session.key.clone(), lease, content })
    }

    /// Whether a block fits its terms: both come from a record that anybody may have written.
    fn is_playable(&self, block: &Block, lease: &Lease) -> bool {
        let (seats, settings) = self.shape;
        let rotations = 1..=2 * seats;
        block.id == lease.block
            && block.lineup.len() == seats
            && block.setting < settings
            && rotations.contains(&block.rotations)
    }
}

impl Coordinator for WorkerLadder<'_, '_> {
    type Error = RunError;

    fn next(&mut self) -> Result<Next, RunError> {
        loop {
            if self.session.held.is_empty() {
                // Nothing is under way, so this wait delays nobody.
                if self.session.await_block()?.is_none_or(|terms| terms != self.number) {
                    return Ok(Next::None);
                }
            } else {
                if self.session.is_over() {
                    return Ok(Next::None);
                }
                self.session.claim()?;
            }
            match self.session.queue.front() {
                None => return Ok(Next::NotYet),
                Some(claimed) if claimed.terms != self.number => return Ok(Next::None),
                Some(_) => {}
            }
            let Some(claimed) = self.session.queue.pop_front() else { return Ok(Next::NotYet) };
            if self.session.leaves(&claimed)? {
                continue;
            }
            let Some(block) = claimed.block.to_block(self.ids).filter(|block| self.is_playable(block, &claimed.lease))
            else {
                // It would return each time it is given back.
                self.session
                    .decline(self.number, "a block that the record offers does not fit what it says of the ladder")?;
                continue;
            };
            self.session.held.insert(block.id.clone(), claimed.lease);
            return Ok(Next::Block(block));
        }
    }

    fn done(&mut self, outcomes: Vec<BlockOutcome>) -> Result<(), RunError> {
        let mut deliveries = Vec::new();
        for outcome in outcomes {
            match outcome {
                BlockOutcome::Played(played, _) => {
                    let took = Duration::from_micros(played.matches.iter().map(|one| one.wall_us).sum());
                    self.session.mean_block_time =
                        Some(self.session.mean_block_time.map_or(took, |mean| (7 * mean + took) / 8));
                    deliveries.extend(self.delivery(&played.block, Ok(&played)));
                }
                BlockOutcome::Void(block, cause) => deliveries.extend(self.delivery(&block, Err(cause))),
                BlockOutcome::Broken(error) => return Err(error),
            }
        }
        let session = &mut *self.session;
        if !deliveries.is_empty() {
            session.last_block = Instant::now();
            let spooled = session.spool.keep(deliveries);
            session.unsent.push_back(spooled);
        }
        let is_late = session.is_over() && session.stopped.is_some_and(|since| since.elapsed() > session.options.grace);
        if is_late && !session.held.is_empty() {
            session.give_back()?;
        }
        session.see_to()
    }
}

/// Packs the result of a block into the allowed bytes: it omits the middle of the clients' prints, the longest first,
/// until it fits.
fn pack(played: &PlayedBlock, ids: &[EntrantId]) -> Result<String, String> {
    let mut text = write_delivery(played, ids);
    if text.len() <= LARGEST_DELIVERY {
        return Ok(text);
    }
    let mut shorter = played.clone();
    let outputs = || played.matches.iter().flat_map(|one| &one.outputs);
    let mut most = outputs().map(|output| output.text.len()).max().unwrap_or(0);
    while text.len() > LARGEST_DELIVERY && most > 0 {
        most /= 2;
        for output in shorter.matches.iter_mut().flat_map(|one| &mut one.outputs) {
            shorten(&mut output.text, most);
        }
        text = write_delivery(&shorter, ids);
    }
    if text.len() <= LARGEST_DELIVERY { Ok(text) } else { Err("what came of it has more than 1 MiB".to_owned()) }
}

/// Omits the middle of a text, so that beginning and end together have no more bytes than allowed.
fn shorten(text: &mut String, most: usize) {
    if text.len() <= most {
        return;
    }
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    let begin = (0..=most / 2).rev().find(is_boundary).unwrap_or(0);
    let end = (text.len() - most / 2..=text.len()).find(is_boundary).unwrap_or(text.len());
    let gap = format!("\n[… {} bytes left out on their way …]\n", end - begin);
    // The note about the gap may be longer than the omitted text.
    *text = if gap.len() < end - begin { format!("{}{gap}{}", &text[..begin], &text[end..]) } else { String::new() };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_left_out() {
        let mut text = "é".repeat(1000);
        shorten(&mut text, 101);
        assert_eq!(text, format!("{0}\n[… 1900 bytes left out on their way …]\n{0}", "é".repeat(25)));
        let long = text.clone();
        shorten(&mut text, 500);
        assert_eq!(text, long);
        shorten(&mut text, 0);
        assert!(text.len() < 60, "{text}");
    }
}
