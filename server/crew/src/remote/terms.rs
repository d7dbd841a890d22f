//! What a worker on another machine is told of a ladder: everything that decides how its matches go, and no paths.

use agon_arena::referee::Excuses;
use agon_config::Ladder;
use agon_model::{Adjudication, Entrant, Excuse, Isolation, Limits, SandboxPolicy, TimeControl};
use agon_record::LadderRow;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a block is played by.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RemoteTerms {
    /// Name of the ladder.
    pub ladder: String,
    /// Name of the game.
    pub game: String,
    /// How many seats a match has.
    pub seats: usize,
    /// What everything is drawn from.
    pub seed: u64,
    /// Name and complete options of each setting.
    pub settings: Vec<(String, BTreeMap<String, String>)>,
    /// Who takes part.
    pub entrants: Vec<Entrant>,
    /// Their numbers in the record.
    pub ids: Vec<i64>,
    /// Clock and budgets.
    pub time: TimeControl,
    /// When a match ends by what both clients say; `None` = never.
    #[serde(default)]
    pub adjudication: Option<Adjudication>,
    /// Memory, threads, output.
    pub limits: Limits,
    /// What stands between a client and the worker.
    pub isolation: Isolation,
    /// Which layers are asked for.
    pub sandbox: SandboxPolicy,
    /// How often a void block is played again.
    pub retry: u32,
    /// For what entrants, by index, were excused before, and how often.
    pub excuses: Vec<(usize, String, u32)>,
}

impl RemoteTerms {
    /// Of a ladder that is ready to be played.
    pub fn new(
        ladder: &Ladder,
        row: &LadderRow,
        (entrants, ids): (&[Entrant], &[i64]),
        excuses: &Excuses,
    ) -> RemoteTerms {
        let excuses = excuses.given().into_iter();
        RemoteTerms {
            ladder: row.name.clone(),
            game: row.game.clone(),
            seats: row.seats,
            seed: row.seed,
            settings: row.settings.clone(),
            entrants: entrants.to_vec(),
            ids: ids.to_vec(),
            time: TimeControl { wall_factor: row.terms.wall_factor(), ..ladder.time.clone() },
            adjudication: row.terms.adjudication,
            limits: ladder.limits.clone(),
            isolation: ladder.isolation,
            sandbox: ladder.sandbox.clone(),
            retry: ladder.retry,
            excuses: excuses.map(|((entrant, excuse), count)| (entrant, excuse.name().to_owned(), count)).collect(),
        }
    }

    /// For what entrants were excused.
    pub fn excuses(&self) -> Excuses {
        let known = self.excuses.iter();
        Excuses::new(known.filter_map(|(entrant, name, count)| Some(((*entrant, Excuse::named(name)?), *count))))
    }
}
