//! One match outside the record: clients in their processes, and people where a seat has no client.

use super::{Event, RunError, admit_all, draw_seed, find_game};
use crate::config::{Ladder, RecordedTerms, recorded_terms};
use crate::player::Player;
use crate::player::process::{Launch, Process};
use crate::player::refused::Refused;
use crate::question::{Place, Terms};
use crate::record::*;
use crate::referee;
use crate::schedule::{client_seed, deal_seed};
use crate::store::{Store, Stored};
use crate::{admission, workers};
use agon_abi::Expected;
use agon_games::{AnyGame, AnySetting, AnyState, Facts, Options, Seat};
use std::path::PathBuf;
use std::sync::Arc;

/// A match that is set up: who sits where, on what, under which terms.
pub struct Sitting {
    facts: &'static Facts,
    setting: Box<dyn AnySetting>,
    terms: RecordedTerms,
    host: PathBuf,
    /// `None` = a person.
    seats: Vec<Option<Client>>,
    seed: u64,
    opening: u64,
    id: String,
}

/// A client on a seat.
struct Client {
    label: String,
    options: String,
    file: PathBuf,
    refused: Option<String>,
}

impl Client {
    fn new(entrant: &Entrant, file: PathBuf) -> Client {
        let options = entrant.options.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        Client { label: entrant.label.clone(), options, file, refused: entrant.refused.clone() }
    }
}

impl Sitting {
    /// For people: `seats` names, seat by seat, a client by its place in the ladder's line-up.
    ///
    /// # Errors
    /// A client cannot play, or our own trouble.
    pub fn of_people(
        ladder: &Ladder,
        seats: &[Option<usize>],
        games: &[&dyn AnyGame],
        places: &Places,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Sitting, RunError> {
        let game = find_game(games, &ladder.game)?;
        let options = ladder.settings.first().map(|setting| setting.options.clone()).unwrap_or_default();
        let (entrants, files) = match ladder.clients.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => admit_all(ladder, game.facts(), places, &Store::open(&places.out)?, tell)?,
        };
        let sit = |place: usize| {
            let label = ladder.lineups.first().and_then(|lineup| lineup.get(place));
            let index = entrants.iter().position(|entrant| Some(&entrant.label) == label);
            let index = index.ok_or_else(|| RunError::Config("a seat has no client".to_owned()))?;
            match &entrants[index].refused {
                Some(why) => Err(RunError::NoClient(format!("{}: {why}", entrants[index].file))),
                None => Ok(Client::new(&entrants[index], files[index].clone())),
            }
        };
        Ok(Sitting {
            facts: game.facts(),
            setting: prepare(game, &options, seats.len())?,
            terms: RecordedTerms {
                time: ladder.time.clone(),
                limits: ladder.limits.clone(),
                sandbox: ladder.sandbox.clone(),
            },
            host: places.host.clone(),
            seats: seats.iter().map(|seat| seat.map(sit).transpose()).collect::<Result<_, _>>()?,
            seed: ladder.seed.unwrap_or_else(draw_seed),
            opening: 0,
            id: "play".to_owned(),
        })
    }

    /// A match of the record, as it was set up then, with the copies of its files.
    ///
    /// # Errors
    /// Something of it is gone or of another version.
    pub fn of_record(stored: &Stored, game: &dyn AnyGame, places: &Places) -> Result<Sitting, RunError> {
        let ladder = &stored.ladder;
        let (_, given) = (ladder.settings.get(stored.setting))
            .ok_or_else(|| RunError::Internal("the setting of this match is not in the record".to_owned()))?;
        let mut options = Options::default();
        given.iter().for_each(|(key, value)| options.set(key, value));
        let sit = |seat: &SeatResult| {
            let entrant = (stored.entrants.get(seat.entrant))
                .ok_or_else(|| RunError::Internal("a client of this match is not in the record".to_owned()))?;
            let file = admission::copy_path(&places.out, &entrant.hash);
            let file = file.canonicalize().map_err(|error| {
                let (label, file) = (&entrant.label, file.display());
                RunError::Internal(format!("{label}: its copy {file} is gone: {error}; help: restore it from a backup"))
            })?;
            Ok(Some(Client::new(entrant, file)))
        };
        Ok(Sitting {
            facts: game.facts(),
            setting: prepare(game, &options, ladder.seats)?,
            terms: recorded_terms(&ladder.comparable).map_err(RunError::Internal)?,
            host: places.host.clone(),
            seats: stored.played.seats.iter().map(sit).collect::<Result<_, RunError>>()?,
            seed: ladder.seed,
            opening: stored.opening,
            id: stored.played.id.clone(),
        })
    }

    /// The game's facts.
    pub fn facts(&self) -> &'static Facts {
        self.facts
    }

    /// The label of each seat's client; `None` = a person.
    pub fn labels(&self) -> Vec<Option<&str>> {
        self.seats.iter().map(|seat| seat.as_ref().map(|client| client.label.as_str())).collect()
    }

    /// The start of the match.
    pub fn start(&self) -> Box<dyn AnyState> {
        self.setting.start(&deal_seed(self.seed, self.opening))
    }

    /// What clients are told of the match.
    pub fn terms(&self) -> Terms<'_> {
        Terms { facts: self.facts, time: &self.terms.time, limits: &self.terms.limits }
    }

    /// What clients are told of their seats.
    pub fn places(&self) -> Vec<Place> {
        let place = |(seat, client): (usize, &Option<Client>)| Place {
            entrant: seat,
            label: client.as_ref().map_or_else(|| format!("player {}", seat + 1), |client| client.label.clone()),
            options: client.as_ref().map_or_else(String::new, |client| client.options.clone()),
            seed: client_seed(&self.id, seat),
        };
        self.seats.iter().enumerate().map(place).collect()
    }

    /// The copy of the file of the client on a seat.
    pub fn file(&self, seat: Seat) -> Option<&PathBuf> {
        self.seats.get(seat)?.as_ref().map(|client| &client.file)
    }

    /// What a descriptor must say.
    pub fn expected(&self) -> Expected {
        let Facts { name, setup, turn, mv, .. } = *self.facts;
        Expected::new(name, setup, turn, mv)
    }

    /// Plays it; `person` gives the player of a seat without a client. Nothing is recorded.
    pub fn play<'p>(
        &self,
        person: &dyn Fn(Seat) -> Box<dyn Player + 'p>,
        watch: &mut dyn FnMut(&Step, &dyn AnyState),
    ) -> Match {
        // As in a ladder: the clients stay on the cores of one worker, where they are asked fastest. If not, only times differ.
        if let Ok(cores) = workers::share_cores(Some(1), self.terms.limits.threads) {
            let _ = cores.first().map(|cores| workers::pin(cores));
        }
        let expected = Arc::new(self.expected().to_blob());
        let player = |(seat, client): (usize, &Option<Client>)| -> Box<dyn Player + 'p> {
            match client {
                None => person(seat),
                Some(Client { refused: Some(message), .. }) => Box::new(Refused(message.clone())),
                Some(client) => Box::new(Process::new(Launch {
                    host: self.host.clone(),
                    file: client.file.clone(),
                    seat,
                    expected: Arc::clone(&expected),
                    time: self.terms.time.clone(),
                    limits: self.terms.limits.clone(),
                    sandbox: self.terms.sandbox.clone(),
                })),
            }
        };
        let mut players: Vec<_> = self.seats.iter().enumerate().map(player).collect();
        let pairing = Pairing { id: self.id.clone(), rotation: 0, seats: (0..self.seats.len()).collect() };
        referee::play(&self.terms(), &pairing, &self.places(), &mut players, self.start().as_mut(), watch)
    }
}

fn prepare(game: &dyn AnyGame, options: &Options, seats: usize) -> Result<Box<dyn AnySetting>, RunError> {
    game.prepare(options, seats).map_err(|bad| RunError::Config(bad.to_string()))
}
