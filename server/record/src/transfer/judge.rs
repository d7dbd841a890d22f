//! Whether a match from elsewhere is what the rules make of its moves: the start, every state, the end, scores and
//! ranks.

use crate::replay_from;
use agon_arena::referee::{final_scores, rank};
use agon_games::{AnyState, Scores};
use agon_model::{Ending, Fault, Match};

/// Plays a match by the rules, from its start to its result, which must be the one that they come to.
///
/// # Errors
/// What the rules do otherwise.
pub fn judge(start: Box<dyn AnyState>, played: &Match) -> Result<(), String> {
    if played.start != 0 && played.start != start.hash() {
        return Err("it begins with another state than the rules".to_owned());
    }
    let last = replay_from(start, &played.steps, &mut |_, _| {})?;
    let faults: Vec<Option<Fault>> = played.seats.iter().map(|seat| seat.fault.clone()).collect();
    let is_faultless = faults.iter().all(Option::is_none);
    match played.ending {
        Ending::Fault if is_faultless => return Err("it ends by a fault that nobody has".to_owned()),
        Ending::Over if !last.to_move().is_empty() => return Err("by the rules it is not over".to_owned()),
        _ => {}
    }
    // Earlier versions gave nobody a point where a fault had cut a match of two short: what they recorded stays.
    let known = [final_scores(&*last, &played.ending, &faults), last.scores()];
    if known.iter().any(|scores| has_result(played, scores, &faults)) {
        return Ok(());
    }
    Err("it has other ranks or scores than the rules come to".to_owned())
}

/// Whether the match has these scores, and the ranks that follow from them.
fn has_result(played: &Match, scores: &Scores, faults: &[Option<Fault>]) -> bool {
    let (own, ranks) = (played.seats.iter().map(|seat| seat.score), played.seats.iter().map(|seat| seat.rank));
    own.eq(scores.values.iter().copied()) && ranks.eq(rank(scores, faults))
}
