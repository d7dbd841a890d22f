//! Compares a recorded match with the same match played again, and finds the first turn that differs, if any.

use agon_model::{Ending, Fault, Match, Step};

/// The place where two plays of one match differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// At this step of the record, or after its last one: the recorded step and the new one.
    Step(Option<Step>, Option<Step>),
    /// In this seat's fault, after equal moves: the recorded fault and the new one.
    Fault(usize, Option<Fault>, Option<Fault>),
}

/// The first difference; `None` = the same moves, states and kinds of fault.
///
/// # Errors
/// The second play is void, for this reason.
pub fn compare(recorded: &Match, replayed: &Match) -> Result<Option<Divergence>, String> {
    if let Ending::Void(cause) | Ending::Shortage(cause) = &replayed.ending {
        return Err(cause.clone());
    }
    let key = |step: Option<&Step>| step.map(|step| (step.ply, step.seat, step.mv, step.by_client, step.hash));
    for index in 0..recorded.steps.len().max(replayed.steps.len()) {
        let (then, now) = (recorded.steps.get(index), replayed.steps.get(index));
        if key(then) != key(now) {
            return Ok(Some(Divergence::Step(then.copied(), now.copied())));
        }
    }
    let what = |fault: &Option<Fault>| fault.as_ref().map(|fault| (fault.kind, fault.phase, fault.ply));
    let differs = |seat: &usize| what(&recorded.seats[*seat].fault) != what(&replayed.seats[*seat].fault);
    Ok((0..recorded.seats.len())
        .find(differs)
        .map(|seat| Divergence::Fault(seat, recorded.seats[seat].fault.clone(), replayed.seats[seat].fault.clone())))
}
