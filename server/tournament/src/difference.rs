//! A recorded match compared with the same match played again: the first turn that differs, or that all is the same.

use agon_model::{Ending, Fault, Match, Step};

/// Where two plays of one match part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// At this step of the record, or after its last one: which the record has, and which came now.
    Step(Option<Step>, Option<Step>),
    /// The moves are the same, and this seat's fault is not.
    Fault(usize, Option<Fault>, Option<Fault>),
}

/// The first difference; `None` = the same moves, states and kinds of fault.
///
/// # Errors
/// The second play is void: why.
pub fn compare(recorded: &Match, difference: &Match) -> Result<Option<Difference>, String> {
    if let Ending::Void(cause) | Ending::Shortage(cause) = &difference.ending {
        return Err(cause.clone());
    }
    let key = |step: Option<&Step>| step.map(|step| (step.ply, step.seat, step.mv, step.by_client, step.hash));
    for index in 0..recorded.steps.len().max(difference.steps.len()) {
        let (then, now) = (recorded.steps.get(index), difference.steps.get(index));
        if key(then) != key(now) {
            return Ok(Some(Difference::Step(then.copied(), now.copied())));
        }
    }
    let what = |fault: &Option<Fault>| fault.as_ref().map(|fault| (fault.kind, fault.phase, fault.ply));
    let differs = |seat: &usize| what(&recorded.seats[*seat].fault) != what(&difference.seats[*seat].fault);
    Ok((0..recorded.seats.len())
        .find(differs)
        .map(|seat| Difference::Fault(seat, recorded.seats[seat].fault.clone(), difference.seats[seat].fault.clone())))
}
