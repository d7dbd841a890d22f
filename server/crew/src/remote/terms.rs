//! The terms of a ladder for a worker on another machine: everything that decides how its matches go, and no paths.

use agon_arena::referee::Excuses;
use agon_model::{
    Adjudication, Entrant, EntrantId, Excuse, Isolation, Ladder, LadderRow, Limits, SandboxPolicy, TimeControl,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The terms of a block.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RemoteTerms {
    pub ladder: String,
    pub game: String,
    /// The number of seats of a match.
    pub seats: usize,
    /// The seed of everything drawn.
    pub seed: u64,
    /// Name and complete options of each setting.
    pub settings: Vec<(String, BTreeMap<String, String>)>,
    pub entrants: Vec<Entrant>,
    /// Their numbers in the record.
    pub ids: Vec<EntrantId>,
    pub time: TimeControl,
    /// When the claims of both clients end a match; `None` = never.
    #[serde(default)]
    pub adjudication: Option<Adjudication>,
    pub limits: Limits,
    /// The separation between a client and the worker.
    pub isolation: Isolation,
    /// The layers of the sandbox that are required.
    pub sandbox: SandboxPolicy,
    /// How often a void block is played again.
    pub retry: u32,
    /// The earlier excuses of entrants, by index, and their numbers.
    pub excuses: Vec<(usize, String, u32)>,
}

impl RemoteTerms {
    /// The terms of a ladder that is ready to be played.
    pub fn new(
        ladder: &Ladder,
        row: &LadderRow,
        (entrants, ids): (&[Entrant], &[EntrantId]),
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
            time: ladder.time.clone(),
            adjudication: row.terms.adjudication,
            limits: ladder.limits.clone(),
            isolation: ladder.isolation,
            sandbox: ladder.sandbox.clone(),
            retry: ladder.retry,
            excuses: excuses.map(|((entrant, excuse), count)| (entrant, excuse.name().to_owned(), count)).collect(),
        }
    }

    /// The excuses of the entrants.
    pub fn excuses(&self) -> Excuses {
        let known = self.excuses.iter();
        Excuses::new(
            BTreeMap::new(),
            known.filter_map(|(entrant, name, count)| Some(((*entrant, Excuse::named(name)?), *count))),
        )
    }
}
