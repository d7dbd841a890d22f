//! How the seats of a match come out: scores, and ranks that follow from scores and faults.

use crate::{Fault, Phase};
use agon_games::{AnyState, Scores, Seat, Seats};

/// The scores of a match that ended in this state. They are those of the game's own end, or, if seats are out by faults
/// or by giving in, those of a match cut short.
pub fn final_scores(state: &dyn AnyState, out: Seats) -> Scores {
    if out.is_empty() { state.scores() } else { state.forfeit(out) }
}

/// The seats that have a fault.
pub fn at_fault(faults: &[Option<Fault>]) -> Seats {
    (0..faults.len()).filter(|&seat| faults[seat].is_some()).fold(Seats::NONE, Seats::with)
}

/// Ranks from 1. Seats at fault come last: an earlier fault ranks lower, and the same turn shares a rank. The others
/// rank by their scores.
pub fn rank(scores: &Scores, faults: &[Option<Fault>]) -> Vec<u32> {
    let moment = |fault: &Fault| if fault.phase < Phase::Play { 0 } else { u64::from(fault.ply) + 1 };
    let beats = |a: Seat, b: Seat| match (&faults[a], &faults[b]) {
        (None, None) => scores.beats(a, b),
        (None, Some(_)) => true,
        (Some(_), None) => false,
        (Some(of_a), Some(of_b)) => moment(of_a) > moment(of_b),
    };
    let seats = faults.len();
    (0..seats).map(|seat| 1 + (0..seats).filter(|&other| beats(other, seat)).count() as u32).collect()
}
