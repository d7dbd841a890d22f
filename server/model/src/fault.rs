//! Faults and notices of a client, and the phase of its life in which they occurred.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The phases of a client's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Starting the host, entering the sandbox, opening the library.
    Load,
    Initialize,
    Name,
    Play,
    /// It waits between its turns.
    Waiting,
    Finalize,
}

/// The faults of a client, which lose its seat. They are data, never an error of the server.
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
    /// The move took more processor time than allowed.
    CpuTime,
    /// It took more wall time than allowed, under the wall clock.
    WallTime,
    /// There was no answer, and hardly any processor time used, until the guard.
    Stalled,
    /// A signal ended it.
    Crash,
    /// The process ended by itself.
    EarlyExit,
    /// It made a system call that no game needs.
    ForbiddenCall,
    /// It used more resident memory than allowed.
    OutOfMemory,
    /// It had more threads at once than allowed.
    TooManyThreads,
    /// Bytes on the reply channel are not a reply, or a due reply is missing.
    Protocol,
    /// `initialize` returned a value other than 0.
    Declined,
    /// The library could not be opened, or is not a client of this game.
    LoadFailure,
    /// It used processor time while it was not asked.
    OutOfTurn,
}

impl FaultKind {
    /// The name in tables, messages and the record.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The names of all kinds.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        FaultKind::VARIANTS.iter().map(|kind| kind.name())
    }

    /// Finds a kind by its name.
    pub fn named(name: &str) -> Option<FaultKind> {
        name.parse().ok()
    }

    /// Whether the client hung or crashed in a place that its stack shows.
    pub fn has_place(self) -> bool {
        matches!(self, FaultKind::CpuTime | FaultKind::WallTime | FaultKind::Stalled | FaultKind::Crash)
    }

    /// Whether a library or another file that was away can be the reason.
    pub fn may_be_for_want_of_a_file(self) -> bool {
        matches!(self, FaultKind::Crash | FaultKind::EarlyExit | FaultKind::LoadFailure)
    }

    /// Whether the process was lost rather than the game, to which a crash penalty applies.
    pub fn is_crash(self) -> bool {
        use FaultKind::*;
        matches!(self, Crash | EarlyExit | ForbiddenCall | OutOfMemory | TooManyThreads | Protocol | LoadFailure)
    }
}

/// A fault with its place, and a message that its author can act on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub kind: FaultKind,
    pub phase: Phase,
    /// Turns played before it, by all seats.
    pub ply: u32,
    /// The event, its place, and what to do.
    pub message: String,
    /// The refused bytes in hex; empty if there were none.
    pub raw: String,
}

/// An event worth reporting that does not cost the game.
#[derive(
    strum::VariantArray, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum NoticeKind {
    /// It tried to open a file that it may not.
    DeniedFile,
    /// It printed more than the limit that is kept.
    CappedOutput,
    BlockedSignals,
    /// Its name is missing or unusable; the file's name is shown.
    BadName,
    /// It failed in `finalize`, after the match was decided.
    Finalize,
    /// A layer of the sandbox does not hold, so its violations stay unseen.
    MissingLayer,
    /// Under the wall clock, the machine kept it from its core so long that it would have lost on time; that time was
    /// not charged.
    KeptWaiting,
    /// It delays the others by its own doing: it sleeps or waits in its moves, or they take many times the time that
    /// its clock gives.
    Dawdling,
}

impl NoticeKind {
    /// The name in tables and messages.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Why nobody can know whether a client was late: the match is void. A client has [`Excuse::MOST`] such voids in a
/// ladder, and one more after each [`Excuse::MATCHES`] of its matches.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumString, IntoStaticStr, Serialize, Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Excuse {
    /// Other machines took some of this one's time, which its clock charges.
    Taken,
    /// Other programs kept it from its core.
    KeptOff,
}

impl Excuse {
    /// The number of voids of one client by one cause that count as the machine's at first; the next is its fault.
    pub const MOST: u32 = 2;
    /// The number of a client's matches that bring one more void by each cause.
    pub const MATCHES: u64 = 50;

    /// Finds an excuse by its name.
    pub fn named(name: &str) -> Option<Excuse> {
        name.parse().ok()
    }

    /// The name in the record.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A notice with its place and a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub kind: NoticeKind,
    pub phase: Phase,
    /// Turns played before it, by all seats.
    pub ply: u32,
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
