//! The values of the keys of ladder.toml; their combinations are judged later.

use super::grades::GradesBuilder;
use super::problem::At;
use super::value::Value;
use agon_model::{
    ClockKind, Closing, Isolation, Labels, Limits, LogPolicy, Points, SandboxMode, Seeding, SystemKind, TimeScale,
    TimeWords, WALL_FACTOR,
};
use std::path::Path;

/// The values of all keys that were read so far.
pub(super) struct LadderBuilder {
    pub name: Option<String>,
    pub game: Option<At<String>>,
    pub clients: Option<Vec<At<String>>>,
    pub exclude: Vec<At<String>>,
    pub seats: Option<At<usize>>,
    /// Seats that no client takes.
    pub people: usize,
    pub pairing: PairingBuilder,
    pub seed: Option<At<u64>>,
    pub lineups: Vec<At<Vec<At<String>>>>,
    pub options: Vec<(At<String>, Value)>,
    pub time: TimeBuilder,
    pub limits: Limits,
    pub adjudication: AdjudicationBuilder,
    pub stop: StopBuilder,
    pub jobs: Option<usize>,
    pub retry: u32,
    pub audits: u32,
    pub isolation: Option<At<Isolation>>,
    pub bench_after: u32,
    pub watch: bool,
    pub programs: bool,
    pub labels: Labels,
    pub closing: Option<Closing>,
    pub mode: SandboxMode,
    pub without: Vec<At<String>>,
    pub libraries: Vec<At<String>>,
    pub runtimes: Vec<At<String>>,
    pub logs: LogPolicy,
    pub points: Points,
    pub grades: GradesBuilder,
    pub out: String,
    pub record: Option<String>,
    pub named: Vec<At<NamedBuilder>>,
}

/// The budgets of `[time]`, in microseconds.
pub(super) struct TimeBuilder {
    pub clock: Option<At<ClockKind>>,
    pub total: Option<At<u64>>,
    pub increment: Option<At<u64>>,
    /// After this many moves the total is given again.
    pub period: Option<At<u32>>,
    pub per_move: Option<At<u64>>,
    /// The time as other programs write it, in place of the four keys above.
    pub tc: Option<At<TimeWords>>,
    pub load: u64,
    pub initialize: u64,
    pub finalize: u64,
    pub wall_factor: u32,
    pub scale: TimeScale,
}

/// An option of a client: key and value.
pub(super) type ClientOption = (At<String>, At<String>);

/// One `[[client]]` table as it was written.
#[derive(Default)]
pub(super) struct NamedBuilder {
    pub name: Option<At<String>>,
    pub file: Option<At<String>>,
    pub options: Vec<ClientOption>,
    /// The client's own time, which replaces the ladder's.
    pub time: Option<At<TimeWords>>,
    pub data: Vec<At<String>>,
}

impl LadderBuilder {
    /// Where the record is, if it is in no folder; files are named from `folder` on.
    pub fn record(&self, folder: &Path) -> Option<String> {
        let record = self.record.as_ref()?;
        let file = record.strip_prefix('@').map(|file| format!("@{}", folder.join(file).display()));
        Some(file.unwrap_or_else(|| record.clone()))
    }
}

impl Default for LadderBuilder {
    #[expect(clippy::too_many_lines)]
    fn default() -> LadderBuilder {
        LadderBuilder {
            name: None,
            game: None,
            clients: None,
            exclude: Vec::new(),
            seats: None,
            people: 0,
            pairing: PairingBuilder::default(),
            seed: None,
            lineups: Vec::new(),
            options: Vec::new(),
            time: TimeBuilder {
                clock: None,
                total: None,
                increment: None,
                period: None,
                per_move: None,
                tc: None,
                load: 5_000_000,
                initialize: 5_000_000,
                finalize: 1_000_000,
                wall_factor: WALL_FACTOR,
                scale: TimeScale::Off,
            },
            limits: Limits::DEFAULT,
            adjudication: AdjudicationBuilder::default(),
            stop: StopBuilder::default(),
            jobs: None,
            retry: 2,
            audits: 0,
            isolation: None,
            bench_after: 0,
            watch: false,
            programs: false,
            labels: Labels::Auto,
            closing: None,
            mode: SandboxMode::Auto,
            without: Vec::new(),
            libraries: Vec::new(),
            runtimes: Vec::new(),
            logs: LogPolicy::All,
            grades: GradesBuilder::default(),
            points: Points::default(),
            out: "agon-out".to_owned(),
            record: None,
            named: Vec::new(),
        }
    }
}

/// The keys that decide about pairings.
#[derive(Default)]
pub(super) struct PairingBuilder {
    pub system: Option<At<SystemKind>>,
    pub openings: Option<At<u64>>,
    pub rounds: Option<At<u64>>,
    pub gauntlet: Option<At<Vec<At<String>>>>,
    pub seeding: Option<At<Seeding>>,
    pub playoffs: Option<At<u64>>,
    pub blocks: Option<At<u64>>,
}

/// `[adjudication]`, thousandths where no whole number is asked.
#[derive(Default)]
pub(super) struct AdjudicationBuilder {
    pub moves: Option<At<u32>>,
    pub value: Option<At<i64>>,
    pub checked: Option<At<u32>>,
}

/// The values of the keys in `[stop]`.
#[derive(Default)]
pub(super) struct StopBuilder {
    pub matches: Option<At<u64>>,
    pub time: Option<At<u64>>,
    pub error: Option<At<i64>>,
}
