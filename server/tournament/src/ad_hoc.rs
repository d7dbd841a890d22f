//! One match outside the record: clients in their processes, and people on seats without a client.

mod ask;
mod recorded;

pub use ask::AskedAnswer;

use super::RunEvent;
use crate::entrants::admit_all;
use crate::prepared::draw_seed;
use agon_abi::{Blob, Expected};
use agon_arena::encoding::{MatchTerms, Seating};
use agon_arena::player_pool::seat_entrant;
use agon_arena::referee::{self, EachStep, Excuses};
use agon_crew::cores::{pin, share_cores};
use agon_games::{AnyGame, AnyState, Facts, Options, PreparedSetting, Seat};
use agon_model::*;
use agon_player::Player;
use agon_player::launcher::Launcher;
use agon_player::process::{Launch, Process};
use agon_player::refused::RefusedPlayer;
use agon_player::speech::Speech;
use agon_record::{RunError, SqliteRecord};
use std::path::PathBuf;
use std::sync::Arc;

/// A match with its clients, setting and terms.
pub struct AdHocMatch {
    facts: &'static Facts,
    /// Name and options of the setting, and the setting worked out.
    name: String,
    options: Options,
    setting: Box<dyn PreparedSetting>,
    time: TimeControl,
    limits: Limits,
    adjudication: Option<Adjudication>,
    sandbox: SandboxPolicy,
    host: PathBuf,
    /// The clients; `None` = a person.
    seats: Vec<Option<SeatedClient>>,
    seed: u64,
    opening: u64,
    id: String,
    /// Whether the match keeps to the cores of one worker.
    is_pinned: bool,
}

/// A client on a seat.
struct SeatedClient {
    entrant: Entrant,
    file: Copied,
    /// The seed of its own random choices.
    seed: u64,
    /// Its own time, if it differs from that of the match.
    own_time: Option<TimeControl>,
}

impl SeatedClient {
    fn new(entrant: &Entrant, file: Copied, seed: u64, common: &TimeControl) -> SeatedClient {
        let own_time = entrant.own_time().map(|own| own.over(common));
        SeatedClient { entrant: entrant.clone(), file, seed, own_time }
    }

    /// Makes the client at this place of the ladder's first line-up. With a seed, everything repeats, including the
    /// clients' random draws.
    fn of_ladder(
        ladder: &Ladder,
        place: usize,
        entrants: &[Entrant],
        files: &[Copied],
    ) -> Result<SeatedClient, RunError> {
        let label = ladder.lineups.first().and_then(|lineup| lineup.get(place));
        let found = entrants.iter().zip(files).find(|(entrant, _)| Some(&entrant.label) == label);
        let (entrant, file) = found.ok_or_else(|| RunError::Config("a seat has no client".to_owned()))?;
        if let Some(why) = &entrant.refused {
            return Err(RunError::Refused(format!("{}: {why}", entrant.file)));
        }
        let seed = ladder.seed.map_or_else(draw_seed, |seed| seat_seed(seed, place));
        Ok(SeatedClient::new(entrant, file.clone(), seed, &ladder.time))
    }

    /// Makes a client of the record, with the copies of its files.
    fn of_record(entrant: &Entrant, seed: u64, paths: &Paths, common: &TimeControl) -> Result<SeatedClient, RunError> {
        let out = paths.out.canonicalize().unwrap_or_else(|_| paths.out.clone());
        let file = Copied::of_record(&out, entrant).ok_or_else(|| {
            let why = "its file is not known: an anonymous export or a forgotten client";
            RunError::Internal(format!("{}: {why}; help: play it again where it was played", entrant.label))
        })?;
        if let Some(copy) = file.files.all().find(|copy| !copy.is_file()) {
            let (label, copy) = (&entrant.label, copy.display());
            return Err(RunError::Internal(format!(
                "{label}: its copy {copy} is missing; help: restore it from a backup"
            )));
        }
        Ok(SeatedClient::new(entrant, file, seed, common))
    }
}

impl AdHocMatch {
    /// A match for people: `seats` names, seat by seat, a client by its place in the ladder's line-up.
    ///
    /// # Errors
    /// A client cannot play, or the server has trouble.
    pub fn of_people(
        ladder: &Ladder,
        seats: &[Option<usize>],
        games: &[&dyn AnyGame],
        paths: &Paths,
        tell: &mut dyn FnMut(RunEvent),
    ) -> Result<AdHocMatch, RunError> {
        let game = find_game(games, &ladder.game)?;
        let first = ladder.settings.first().map(|setting| (setting.name.clone(), setting.options.clone()));
        let (name, options) = first.unwrap_or_default();
        let (entrants, files) = if ladder.clients.is_empty() {
            (Vec::new(), Vec::new())
        } else {
            let (entrants, files, _) = admit_all(ladder, game.facts(), paths, &SqliteRecord::open(&paths.out)?, tell)?;
            (entrants, files)
        };
        let sit = |place| SeatedClient::of_ladder(ladder, place, &entrants, &files);
        Ok(AdHocMatch {
            facts: game.facts(),
            setting: prepare(game, &options, seats.len())?,
            name,
            options,
            time: ladder.time.clone(),
            limits: ladder.limits.clone(),
            // People play on as long as they like.
            adjudication: None,
            sandbox: ladder.sandbox.clone(),
            host: paths.host.clone(),
            seats: seats.iter().map(|seat| seat.map(sit).transpose()).collect::<Result<_, _>>()?,
            seed: ladder.seed.unwrap_or_else(draw_seed),
            opening: 0,
            id: "play".to_owned(),
            is_pinned: true,
        })
    }

    /// A match for people on a setting of a ladder in the record, under its terms, with the copies of its clients'
    /// files. Each seat has a client, or `None` for a person. It plays on any free cores, because others may play the
    /// ladder. The record may be a stranger's, so the sandbox is this machine's full one, whatever the terms allow.
    ///
    /// # Errors
    /// The ladder has no such setting, or a file is missing.
    pub fn of_ladder(
        (ladder, setting): (&LadderRow, usize),
        seats: &[Option<Entrant>],
        game: &dyn AnyGame,
        paths: &Paths,
    ) -> Result<AdHocMatch, RunError> {
        let seats: Vec<_> = seats.iter().map(|seat| seat.as_ref().map(|entrant| (entrant, draw_seed()))).collect();
        AdHocMatch::of_row((ladder, setting), &seats, game, paths)
    }

    /// The match of `of_ladder`, with the seeds of its clients.
    fn of_row(
        (ladder, setting): (&LadderRow, usize),
        seats: &[Option<(&Entrant, u64)>],
        game: &dyn AnyGame,
        paths: &Paths,
    ) -> Result<AdHocMatch, RunError> {
        let row = ladder.settings.get(setting);
        let (options, (name, _)) = (ladder.options(setting).zip(row))
            .ok_or_else(|| RunError::Internal(format!("the ladder has no setting {setting}")))?;
        let (time, limits, sandbox) = ladder.terms.conditions().map_err(RunError::Internal)?;
        let sit = |seat: &Option<(&Entrant, u64)>| {
            seat.map(|(entrant, seed)| SeatedClient::of_record(entrant, seed, paths, &time)).transpose()
        };
        let sitting = seats.iter().map(sit).collect::<Result<_, _>>()?;
        Ok(AdHocMatch {
            facts: game.facts(),
            setting: prepare(game, &options, seats.len())?,
            name: name.clone(),
            options,
            time,
            limits,
            adjudication: None,
            sandbox: sandbox.strengthened(),
            host: paths.host.clone(),
            seats: sitting,
            seed: draw_seed(),
            opening: 0,
            id: "play".to_owned(),
            is_pinned: false,
        })
    }

    /// A match of the record with its original settings and the copies of its files. The record may be a stranger's, so
    /// the sandbox is this machine's full one, whatever the terms allow.
    ///
    /// # Errors
    /// A part of it is missing or has another version.
    pub fn of_record(stored: &StoredMatch, game: &dyn AnyGame, paths: &Paths) -> Result<AdHocMatch, RunError> {
        let ladder = &stored.ladder;
        let sit = |seat: &SeatResult| {
            let entrant = (stored.entrants.get(seat.entrant))
                .ok_or_else(|| RunError::Internal("a client of this match is not in the record".to_owned()))?;
            Ok(Some((entrant, seat.seed)))
        };
        let seats = stored.played.seats.iter().map(sit).collect::<Result<Vec<_>, RunError>>()?;
        Ok(AdHocMatch {
            adjudication: ladder.terms.adjudication,
            seed: ladder.seed,
            opening: stored.opening,
            id: stored.played.id.clone(),
            is_pinned: true,
            ..AdHocMatch::of_row((ladder, stored.setting), &seats, game, paths)?
        })
    }

    pub fn facts(&self) -> &'static Facts {
        self.facts
    }

    /// The label of each seat's client; `None` = a person.
    pub fn labels(&self) -> Vec<Option<&str>> {
        self.seats.iter().map(|seat| seat.as_ref().map(|client| client.entrant.label.as_str())).collect()
    }

    /// Gives all clients this label, for people who chose a level and no file.
    pub fn call_clients(&mut self, label: &str) {
        self.seats.iter_mut().flatten().for_each(|client| label.clone_into(&mut client.entrant.label));
    }

    /// The start of the match.
    pub fn start(&self) -> Box<dyn AnyState> {
        self.setting.start(&opening(self.seed, self.opening))
    }

    /// Lets the match begin with the next opening.
    pub fn go_on(&mut self) {
        self.opening += 1;
    }

    /// The terms of the match for clients.
    pub fn terms(&self) -> MatchTerms<'_> {
        MatchTerms { facts: self.facts, time: &self.time, limits: &self.limits, adjudication: self.adjudication }
    }

    /// The data of the seats for clients.
    pub fn seatings(&self) -> Vec<Seating> {
        let seating = |(seat, client): (usize, &Option<SeatedClient>)| match client {
            Some(SeatedClient { entrant, file, seed, own_time }) => {
                seat_entrant(seat, entrant, file, *seed, own_time.clone())
            }
            None => Seating {
                entrant: seat,
                label: format!("player {}", seat + 1),
                options: String::new(),
                seed: 0,
                own_time: None,
            },
        };
        self.seats.iter().enumerate().map(seating).collect()
    }

    /// The copies of the files of the client on a seat.
    pub fn files(&self, seat: Seat) -> Option<&ClientFiles> {
        self.seats.get(seat)?.as_ref().map(|client| &client.file.files)
    }

    /// The `Expected` that a descriptor must match.
    pub fn expected(&self) -> Expected {
        let Facts { name, setup, turn, mv, .. } = *self.facts;
        Expected::new(name, setup, turn, mv)
    }

    /// Plays the match; `person` gives the player of a seat without a client. Nothing is recorded.
    pub fn play<'p>(
        &self,
        person: &dyn Fn(Seat) -> Box<dyn Player + 'p>,
        watch: &mut dyn FnMut(&Step, &dyn AnyState),
    ) -> Match {
        self.pin();
        let expected = Arc::new(self.expected().to_blob());
        let player = |(seat, client): (usize, &Option<SeatedClient>)| -> Box<dyn Player + 'p> {
            match client {
                None => person(seat),
                Some(SeatedClient { entrant: Entrant { refused: Some(message), .. }, .. }) => {
                    Box::new(RefusedPlayer(message.clone()))
                }
                Some(client) => Box::new(self.process(client, &expected)),
            }
        };
        let mut players: Vec<_> = self.seats.iter().enumerate().map(player).collect();
        let pairing = Pairing { id: self.id.clone(), rotation: 0, seats: (0..self.seats.len()).collect() };
        referee::play(
            &self.terms(),
            &pairing,
            &self.seatings(),
            &mut players,
            self.start().as_mut(),
            &Excuses::default(),
            &mut EachStep(watch),
        )
    }

    /// Keeps the clients on the cores of one worker, as in a ladder, where they answer fastest. If that fails, only
    /// times differ.
    fn pin(&self) {
        if !self.is_pinned {
            return;
        }
        if let Ok(cores) = share_cores(Some(1), self.limits.threads) {
            let _ = cores.first().map(|cores| pin(cores));
        }
    }

    /// A client in a process of its own.
    fn process(&self, client: &SeatedClient, expected: &Arc<Blob>) -> Process {
        Process::new(Launch {
            launcher: Launcher::by_start(&self.host),
            files: client.file.files.clone(),
            file_name: client.entrant.file.clone(),
            keep: false,
            expected: Arc::clone(expected),
            speech: Some(Speech::of(self.facts)),
            time: self.time.clone(),
            limits: self.limits.clone(),
            sandbox: self.sandbox.clone(),
        })
    }
}

fn prepare(game: &dyn AnyGame, options: &Options, seats: usize) -> Result<Box<dyn PreparedSetting>, RunError> {
    game.prepare(options, seats).map_err(|bad| RunError::Config(bad.to_string()))
}
