//! Whether a client came through a match or failed: what is counted to suspend those that fail again and again.

use super::PlayedBlock;

/// How one entrant came out of one match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appearance {
    /// By index in the ladder.
    pub entrant: usize,
    /// The match.
    pub id: String,
    /// The kind of its fault.
    pub fault: Option<String>,
}

impl Appearance {
    /// How each entrant came out of each match: one that sits on several seats failed if it did on any.
    pub fn all_of(played: &PlayedBlock) -> Vec<Appearance> {
        let mut trials: Vec<Appearance> = Vec::new();
        for ended in &played.matches {
            let from = trials.len();
            for seat in &ended.seats {
                let fault = seat.fault.as_ref().map(|fault| fault.kind.name().to_owned());
                match trials[from..].iter_mut().find(|trial| trial.entrant == seat.entrant) {
                    Some(trial) => trial.fault = trial.fault.take().or(fault),
                    None => trials.push(Appearance { entrant: seat.entrant, id: ended.id.clone(), fault }),
                }
            }
        }
        trials
    }
}
