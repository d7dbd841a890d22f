//! What a client did wrong, or what is worth telling of it, and where in its life that was.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Where in its life a client was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Starting the host, entering the sandbox, opening the library.
    Load,
    /// In `initialize`.
    Initialize,
    /// In `get_player_name`.
    Name,
    /// In `play`.
    Play,
    /// Between its turns.
    Idle,
    /// In `finalize`.
    Finalize,
}

/// What a client did wrong: its seat loses. Data, never an error of ours.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum FaultKind {
    /// The move breaks a rule of the game.
    IllegalMove,
    /// More processor time than allowed.
    CpuTime,
    /// More wall time than allowed, under the wall clock.
    WallTime,
    /// Not an answer, and no processor time used, until the guard.
    Stalled,
    /// Ended by a signal.
    Crash,
    /// The process ended by itself.
    EarlyExit,
    /// A system call that no game needs.
    ForbiddenCall,
    /// More resident memory than allowed.
    OutOfMemory,
    /// More threads at once than allowed.
    TooManyThreads,
    /// Bytes on the reply channel that are no reply, or none where one was due.
    Protocol,
    /// `initialize` returned something else than 0.
    Declined,
    /// The library could not be opened, or is no client of this game.
    LoadFailure,
    /// Processor time used while it was not asked.
    OutOfTurn,
}

impl FaultKind {
    /// In tables, messages and the record.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Those of all kinds.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        FaultKind::VARIANTS.iter().map(|kind| kind.name())
    }

    /// By its name.
    pub fn named(name: &str) -> Option<FaultKind> {
        name.parse().ok()
    }

    /// Whether the client hung or crashed in a place that its stack tells.
    pub fn has_place(self) -> bool {
        matches!(self, FaultKind::CpuTime | FaultKind::WallTime | FaultKind::Stalled | FaultKind::Crash)
    }

    /// Whether the process was lost rather than the game: what a crash penalty is for.
    pub fn is_crash(self) -> bool {
        use FaultKind::*;
        matches!(self, Crash | EarlyExit | ForbiddenCall | OutOfMemory | TooManyThreads | Protocol | LoadFailure)
    }
}

/// A fault: what, where, and a message that its author can act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// In which phase.
    pub phase: Phase,
    /// Turns played before it, by all seats.
    pub ply: u32,
    /// What happened, where, and what to do.
    pub message: String,
    /// The bytes that were refused, hex; empty if there were none.
    pub raw: String,
}

/// Something worth telling that does not cost the game.
#[derive(
    strum::VariantArray, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum NoticeKind {
    /// It tried to open a file that it may not.
    DeniedFile,
    /// It printed more than is kept.
    CappedOutput,
    /// It blocks signals.
    BlockedSignals,
    /// Its name is missing or unusable; the file's name is shown.
    BadName,
    /// It went wrong in `finalize`, when the result already stood.
    Finalize,
    /// A layer of the sandbox does not hold, so that what it would show cannot be told.
    #[serde(rename = "missing-rung")]
    #[strum(serialize = "missing-rung")]
    MissingLayer,
    /// Under the wall clock the machine kept it from its core for so long that it would have lost on time; that was not
    /// charged.
    KeptWaiting,
    /// It makes the others wait by its own doing: it sleeps or waits in its moves, or they take many times the time that
    /// its clock gives.
    Dawdling,
}

impl NoticeKind {
    /// In tables and messages.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Why nobody can tell whether a client was late: the match is void, but for one client in one ladder only
/// [`Excuse::MOST`] times.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr, Serialize, Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Excuse {
    /// Other machines took of this one's time, which its clock charges.
    Taken,
    /// Other programs kept it from its core.
    KeptOff,
}

impl Excuse {
    /// So many voids of one client in a ladder by the same cause are the machine's; the next one is its fault.
    pub const MOST: u32 = 2;

    /// By its name.
    pub fn named(name: &str) -> Option<Excuse> {
        name.parse().ok()
    }

    /// In the record.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A notice: what, where, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// What.
    pub kind: NoticeKind,
    /// In which phase.
    pub phase: Phase,
    /// Turns played before it, by all seats.
    pub ply: u32,
    /// One sentence.
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_records_have_the_same_names() {
        FaultKind::VARIANTS.iter().for_each(|kind| assert_eq!(serde_json::json!(kind), kind.name()));
        FaultKind::VARIANTS.iter().for_each(|kind| assert_eq!(FaultKind::named(kind.name()), Some(*kind)));
        NoticeKind::VARIANTS.iter().for_each(|kind| assert_eq!(serde_json::json!(kind), kind.name()));
        assert_eq!(FaultKind::OutOfMemory.name(), "out-of-memory");
        assert_eq!(NoticeKind::DeniedFile.name(), "denied-file");
    }

    #[test]
    fn an_excuse_is_found_by_its_name_alone() {
        assert_eq!(Excuse::named("kept-off"), Some(Excuse::KeptOff));
        assert_eq!(Excuse::named(Excuse::Taken.name()), Some(Excuse::Taken));
        assert_eq!(Excuse::named("Taken"), None);
    }
}
