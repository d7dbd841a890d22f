//! A ladder as it was read: what it plays, who takes part, when it ends, and where its record is.

use crate::{Adjudication, Closing, Grades, Isolation, Limits, Points, SandboxPolicy, Sources, TimeControl, readable};
use agon_games::Options;
use std::collections::BTreeMap;
use std::path::PathBuf;
use strum::{EnumDiscriminants, EnumString, IntoStaticStr, VariantArray};

/// The most seats of any game. A record with more is damaged, or an attack.
pub const MOST_SEATS: usize = 16;

/// The rule for names of ladders, which become part of file names.
pub const LADDER_NAME: &str = "write 1 to 64 characters without a slash or a line break, and no dot before them";

/// Whether a ladder can have this name; see [`LADDER_NAME`].
pub fn is_ladder_name(name: &str) -> bool {
    let is_odd = |character: char| character == '/' || character.is_control();
    (1..=64).contains(&name.chars().count()) && !name.contains(is_odd) && !name.starts_with('.')
}

/// The ladder under which `agon match` records.
pub const MATCH: &str = "match";

/// A ladder as its author means it: every default filled in, every file of an option read, nothing opened or played
/// yet.
#[derive(Clone, Debug)]
pub struct Ladder {
    /// Names it in the record.
    pub name: String,
    /// Name of the game, one of the list that was given.
    pub game: String,
    /// The number of seats in a match.
    pub seats: usize,
    /// The system that decides who meets whom.
    pub system: System,
    /// The number of openings that each meeting plays.
    pub openings: u64,
    /// The order in which clients enter pairings that follow from results.
    pub seeding: Seeding,
    /// Everything that is drawn follows from it; `None` = drawn at the start and kept.
    pub seed: Option<u64>,
    /// Boards and other options of the game; each line-up plays each of them.
    pub settings: Vec<Setting>,
    /// The files that take part, in the order in which they are tried.
    pub clients: Vec<ClientSpec>,
    /// The places from which those files come.
    pub sources: Sources,
    /// The time at which files are frozen; `None` = never.
    pub closing: Option<Closing>,
    /// Line-ups by label; empty = every set of different clients.
    pub lineups: Vec<Vec<String>>,
    /// Whether a client that is refused ends the run before its first match: words of the command line named it.
    pub needs_all: bool,
    /// The clock and the budgets.
    pub time: TimeControl,
    /// The rule that ends a match which both clients call decided.
    pub adjudication: Option<Adjudication>,
    /// Limits of memory, threads and output.
    pub limits: Limits,
    /// The kind of process that stands between a client and the server.
    pub isolation: Isolation,
    /// The layers of the sandbox that are asked for.
    pub sandbox: SandboxPolicy,
    /// The rule that ends the ladder before its schedule does.
    pub stop: Stop,
    /// Matches at once; `None` = as many as the cores allow.
    pub jobs: Option<usize>,
    /// The speed of this machine relative to the reference; `None` = it is measured where times follow it.
    pub speed: Option<f64>,
    /// The number of times that a void block is played again.
    pub retry: u32,
    /// How large a share of what workers of other machines played somebody else plays again, thousandths.
    pub audits: u32,
    /// Failures in a row after which a client is benched, by the key `bench_after`; 0 = never.
    pub bench_after: u32,
    /// Whether new and changed files join while the ladder runs.
    pub watch: bool,
    /// Whether clients may be programs, each in the sandbox of programs.
    pub programs: bool,
    /// The matches that leave a readable log.
    pub logs: LogPolicy,
    /// The worth of a win, a draw, a loss and a crash.
    pub points: Points,
    /// The folder for record, logs and copies.
    pub out: PathBuf,
    /// The record, if it is not in that folder: an address, or `@FILE` with one in it.
    pub record: Option<String>,
    /// Things worth telling before the start.
    pub warnings: Vec<String>,
}

/// The system that decides who meets whom.
#[derive(Clone, Debug, PartialEq, Eq, EnumDiscriminants)]
#[strum_discriminants(name(SystemKind), vis(pub), derive(EnumString, IntoStaticStr, VariantArray))]
#[strum_discriminants(strum(serialize_all = "kebab-case"))]
pub enum System {
    /// Every set of different clients, or the line-ups that are named.
    RoundRobin,
    /// A part of all sets of different clients: everybody plays this many line-ups.
    PartialRoundRobin {
        /// How many line-ups everybody plays; some play one more where seats and clients do not divide evenly.
        rounds: u64,
    },
    /// Each of these, by label, meets all the others, which do not meet among themselves.
    Gauntlet(Vec<String>),
    /// Each round pairs those who stand alike; `None` = as many rounds as part all.
    Swiss {
        /// The number of rounds.
        rounds: Option<u32>,
    },
    /// The loser of a meeting is out.
    Knockout {
        /// The number of times that a tied meeting goes on, by one opening each.
        playoffs: u32,
    },
    /// Each challenges the neighbour above.
    Continuous {
        /// The number of blocks that are played in all.
        blocks: u64,
    },
}

impl System {
    /// Its name in ladder.toml.
    pub fn name(&self) -> &'static str {
        SystemKind::from(self).name()
    }

    /// Whether pairings follow from results.
    pub fn pairs_by_results(&self) -> bool {
        SystemKind::from(self).pairs_by_results()
    }
}

impl SystemKind {
    /// Its name in ladder.toml.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether pairings follow from results.
    pub fn pairs_by_results(self) -> bool {
        matches!(self, SystemKind::Swiss | SystemKind::Knockout | SystemKind::Continuous)
    }
}

/// The order in which clients enter pairings that follow from results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Seeding {
    /// Drawn from the ladder's seed.
    Drawn,
    /// The order of the ladder file: clients with a `[[client]]` first.
    Listed,
}

/// One combination of the game's options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name in tables: the options that differ from their default, or between settings (`square:10`, `donut:9
    /// corners`).
    pub name: String,
    /// Complete, files already replaced by their text.
    pub options: Options,
}

/// A file that should take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientSpec {
    /// `name` of its `[[client]]`, or what it is called after the pattern that found it; `None` = after the file.
    pub label: Option<String>,
    /// The path of the file.
    pub path: PathBuf,
    /// The options given to the client.
    pub options: BTreeMap<String, String>,
    /// Files given to it, by their names without folders.
    pub data: BTreeMap<String, PathBuf>,
    /// Named on its own rather than found by a pattern: then another game is an error, not a client to skip.
    pub is_named_alone: bool,
}

impl ClientSpec {
    /// `name` of its `[[client]]`, or the file's name without its ending.
    pub fn name(&self) -> String {
        let stem = || self.path.file_stem().map_or_else(String::new, |stem| readable(stem).into_owned());
        without_version(self.label.clone().unwrap_or_else(stem))
    }
}

/// Versions are shown as `name@2`: a name that ends like that would pass for one.
pub fn without_version(name: String) -> String {
    match name.rsplit_once('@') {
        Some((before, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{before}-{number}")
        }
        _ => name,
    }
}

/// Ends a ladder before its schedule does, at the first of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// Stops with the block of the schedule that completes this many matches.
    pub matches: Option<u64>,
    /// Stops a run that takes longer than this, in microseconds.
    pub time_us: Option<u64>,
    /// Stops when no standard error is larger, in thousandths of a point a match.
    pub error: Option<i64>,
}

/// The location of a ladder's record, and the worth of its results.
#[derive(Clone, Debug)]
pub struct LadderLocation {
    /// The name of the ladder.
    pub name: String,
    /// The folder of the record.
    pub out: PathBuf,
    /// The record, if it is not in that folder: an address, or `@FILE` with one in it.
    pub record: Option<String>,
    /// The worth of its results.
    pub points: Points,
    /// The grades that a teacher gives for them.
    pub grades: Grades,
    /// The name of its game, if it is written there.
    pub game: Option<String>,
    /// The places from which clients come.
    pub sources: Sources,
    /// The time at which files are frozen; `None` = never.
    pub closing: Option<Closing>,
    /// Whether clients may be programs.
    pub programs: bool,
}

/// The matches that leave a readable log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogPolicy {
    /// Every match leaves a log, written line by line during play.
    All,
    /// Matches with a fault leave a log, written at the end.
    Faults,
    /// No match leaves a log; `agon show ID --jsonl` makes one at any time.
    None,
}

/// The paths of folders and programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// The folder of the record, the logs and the copies of client files.
    pub out: PathBuf,
    pub host: PathBuf,
    pub admit: PathBuf,
    /// The client that plays for files without a descriptor, if there is one.
    pub adapter: Option<PathBuf>,
}
