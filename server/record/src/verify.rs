//! Checks that a match from elsewhere follows from the rules and its moves: the start, every state, the end, scores and
//! ranks.

use agon_games::{AnyState, Scores, Seats};
use agon_model::{Ending, Fault, Match, at_fault, final_scores, rank, replay_from};

/// Plays a match by the rules, from its start to its result, which must agree.
///
/// # Errors
/// The text says what the rules do otherwise.
pub fn verify(start: Box<dyn AnyState>, played: &Match) -> Result<(), String> {
    let last = replay_whole(start, played)?;
    let faults = faults(played);
    has_result(played, &final_scores(&*last, out(played, &faults)?), &faults)
}

/// The state in which a match ended.
fn replay_whole(start: Box<dyn AnyState>, played: &Match) -> Result<Box<dyn AnyState>, String> {
    if played.start != start.hash() {
        return Err("it begins with another state than the rules".to_owned());
    }
    let last = replay_from(start, &played.steps, &mut |_, _| {})?;
    match played.ending {
        Ending::Fault if played.seats.iter().all(|seat| seat.fault.is_none()) => {
            Err("it ends by a fault that nobody has".to_owned())
        }
        Ending::Over if !last.to_move().is_empty() => Err("by the rules it is not over".to_owned()),
        Ending::Adjudicated if last.to_move().is_empty() => Err("by the rules it is over".to_owned()),
        _ => Ok(last),
    }
}

/// The seats for which the match was cut short.
fn out(played: &Match, faults: &[Option<Fault>]) -> Result<Seats, String> {
    match (&played.ending, played.adjudicated_to()) {
        (Ending::Fault, _) => Ok(at_fault(faults)),
        (Ending::Adjudicated, Some(winner)) if played.seats.len() == 2 => Ok(Seats::one(1 - winner)),
        (Ending::Adjudicated, _) => Err("it was decided by what two clients said, and names no winner".to_owned()),
        _ => Ok(Seats::NONE),
    }
}

fn faults(played: &Match) -> Vec<Option<Fault>> {
    played.seats.iter().map(|seat| seat.fault.clone()).collect()
}

/// Checks that the match has these scores, and the ranks that follow from them.
fn has_result(played: &Match, scores: &Scores, faults: &[Option<Fault>]) -> Result<(), String> {
    let own = played.seats.iter().map(|seat| (seat.score, seat.rank));
    if scores.values.iter().copied().zip(rank(scores, faults)).eq(own) {
        Ok(())
    } else {
        Err("it has other ranks or scores than the rules come to".to_owned())
    }
}
