//! The operator's page of the workers: what `agon worker list` shows, and forms that do what the commands do.

use crate::content::Resource;
use crate::gate::WORKERS_TOLD;
use agon_command::Failure;
use agon_command::record_location::RecordLocation;
use agon_command::token::draw_token;
use agon_games::Language;
use agon_model::counted;
use agon_record::database::{Roster, Target};
use agon_report::{LISTED_LEFT, Workers};
use agon_web::workers_page;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The outcome of a form, in English and French.
type Bilingual = (String, String);

/// The most outcomes that wait to be read.
const MOST_TOLD: usize = 64;

/// The page of a record.
pub struct WorkersPage {
    location: RecordLocation,
    /// Outcomes that wait for the senders of their forms, by the last part of the path that each was sent to, the oldest
    /// first.
    told: Mutex<VecDeque<(String, Bilingual)>>,
}

impl WorkersPage {
    /// The page of a record that has workers.
    pub fn new(location: RecordLocation) -> WorkersPage {
        WorkersPage { location, told: Mutex::default() }
    }

    /// The page at this path.
    pub fn page(&self, path: &str, language: Language) -> Result<Resource, Failure> {
        let (rows, more) = self.location.open_for_workers()?.recent_workers(LISTED_LEFT)?;
        let workers = Workers { rows, more };
        let told = path.strip_prefix(WORKERS_TOLD).and_then(|key| self.told_to(key));
        let note = told.map_or(String::new(), |(english, french)| match language {
            Language::English => english,
            Language::French => french,
        });
        Ok(Resource::Text(workers_page(&workers.document(None), &note, language)))
    }

    /// The outcome that waits under this key; each is told once.
    fn told_to(&self, key: &str) -> Option<Bilingual> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let location = told.iter().position(|(known, _)| known == key)?;
        told.remove(location).map(|(_, outcome)| outcome)
    }

    /// Does what a form says, and leads its sender back to the page with the outcome.
    pub fn act(&self, body: &[u8]) -> Result<Resource, Failure> {
        let Some((worker, act)) = read(body) else { return Ok(Resource::Nothing) };
        let record = self.location.open_for_workers()?;
        let Some(name) = record.worker_name(worker)? else { return Ok(Resource::Nothing) };
        let told = act.done(&*record, worker, &name);
        let key = draw_token()?;
        let mut waiting = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back((key.clone(), told));
        if waiting.len() > MOST_TOLD {
            waiting.pop_front();
        }
        Ok(Resource::Elsewhere(format!("{WORKERS_TOLD}{key}")))
    }
}

/// An operator's act on a worker, and on everything with its machine's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OperatorAct {
    Drain,
    Ban,
    Void,
}

impl OperatorAct {
    /// Does it by the worker's number, since it chose its name itself; returns the outcome in English and French, which
    /// may be a refusal of the record.
    fn done(self, record: &dyn Roster, id: i64, name: &str) -> (String, String) {
        let target = Target::Worker(id);
        let (worker, french) = (format!("worker {id} ({name})"), format!("l'ouvrier {id} ({name})"));
        let done = match self {
            OperatorAct::Drain => record.drain(&target).map(|drained| match drained {
                0 => (
                    format!("{worker} does not play: nothing to drain"),
                    format!("{french} ne joue pas : rien à finir"),
                ),
                _ => (
                    format!("{worker} ends when its blocks are played"),
                    format!("{french} se termine après ses blocs"),
                ),
            }),
            OperatorAct::Ban => record.ban(&target).map(|_| {
                let pardon = format!("agon worker pardon {id}");
                (
                    format!("{worker} is banned, with its machine under every name; {pardon} lets it come again"),
                    format!("{french} est exclu, et sa machine sous tout nom ; {pardon} la laisse revenir"),
                )
            }),
            OperatorAct::Void => record.void(&target).map(|taken| {
                let blocks: u64 = taken.unwrap_or_default().iter().map(|(_, blocks)| blocks).sum();
                let blocks = (
                    counted(blocks, "block", "blocks"),
                    counted(blocks, "bloc", if blocks == 0 { "bloc" } else { "blocs" }),
                );
                (
                    format!("{} of {worker} left the record", blocks.0),
                    format!("Retiré de l'enregistrement : {} de {french}", blocks.1),
                )
            }),
        };
        done.unwrap_or_else(|error| (error.to_string(), format!("refusé : {error}")))
    }
}

/// The number of a worker, and what is to be done.
fn read(body: &[u8]) -> Option<(i64, OperatorAct)> {
    let (mut worker, mut act) = (None, None);
    for (name, value) in std::str::from_utf8(body).ok()?.split('&').filter_map(|part| part.split_once('=')) {
        match (name, value) {
            ("worker", id) => worker = id.parse().ok(),
            ("do", "drain") => act = Some(OperatorAct::Drain),
            ("do", "ban") => act = Some(OperatorAct::Ban),
            ("do", "void") => act = Some(OperatorAct::Void),
            _ => return None,
        }
    }
    Some((worker?, act?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_names_a_worker_and_an_act() {
        assert_eq!(read(b"worker=7&do=ban"), Some((7, OperatorAct::Ban)));
        for odd in ["", "worker=7", "do=ban", "worker=x&do=ban", "worker=7&do=erase", "worker=7&do=ban&x=1"] {
            assert_eq!(read(odd.as_bytes()), None, "{odd}");
        }
    }
}
