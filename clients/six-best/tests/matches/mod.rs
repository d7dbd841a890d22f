//! Matches by the rules of the server, between players that see what clients see.
#![allow(dead_code)] // each user needs a part of it

use agon_abi::{Blob, read};
use agon_client_api::Options as ClientOptions;
use agon_client_api::Rules;
use agon_client_api::six_qui_prend::{CHEAPEST_ROW, Event, Move, Setup, Turn, lay, take};
use agon_games::six_qui_prend::{Prepared, SixQuiPrend};
use agon_games::six_qui_prend::{Setup as RawSetup, Turn as RawTurn};
use agon_games::{Opening, Options, Rng, below, rng_from};
use six_best::options::Settings;
use six_best::player::{Game, Player};
use six_best::search::Allowance;
use six_best::table::{Row, Table};
use std::sync::Arc;

/// The turn of one seat, as a client reads it.
pub struct View {
    facts: RawTurn,
    events: Vec<Event>,
}

impl View {
    pub fn of(state: &SixQuiPrend, seat: usize) -> View {
        let mut blob = Blob::new();
        state.turn(seat, &mut blob);
        let facts: RawTurn = read(blob.bytes()).unwrap();
        let event = |at: usize| read(&blob.bytes()[facts.events.word as usize + at * size_of::<Event>()..]).unwrap();
        View { events: (0..facts.num_events as usize).map(event).collect(), facts }
    }

    pub fn turn(&self) -> Turn<'_> {
        Turn { facts: &self.facts, events: &self.events }
    }
}

/// The setup of a seat.
pub fn setup(state: &SixQuiPrend, seat: usize) -> RawSetup {
    let mut blob = Blob::new();
    state.setup(seat, &mut blob);
    let mut setup: RawSetup = read(blob.bytes()).unwrap();
    (setup.head.seat, setup.head.seats) = (seat as u32, setup.players.into());
    setup
}

/// As a client is given it.
pub fn typed<'a>(facts: &'a RawSetup, options: &'a str) -> Setup<'a> {
    Setup { facts, options: ClientOptions(options) }
}

/// These options of the game.
pub fn setting(options: &[(&str, &str)], seats: usize) -> Arc<Prepared> {
    let mut given = Options::default();
    options.iter().for_each(|(key, value)| given.set(key, value));
    Arc::new(SixQuiPrend::prepare(&SixQuiPrend::FACTS.complete(&given).unwrap(), seats).unwrap())
}

/// A match by these options.
pub fn start(options: &[(&str, &str)], seats: usize, number: u64) -> SixQuiPrend {
    SixQuiPrend::start(&setting(options, seats), seats, &Opening::numbered(number))
}

/// The rows of a turn.
pub fn table(turn: &Turn, is_exact: bool) -> Table {
    Table { rows: std::array::from_fn(|row| Row::of(turn.row(row))), is_exact }
}

/// A player at a table.
pub enum Guest {
    Random(Box<Rng>),
    ClosestGap,
    Smallest,
    Middle,
    SecondLargest,
    Largest,
    Best(Box<Player>, Allowance),
}

impl Guest {
    /// By the name that the examples take: `random`, `gap`, `smallest`, `middle`, `second`, `largest`, or `best` and
    /// options of the client with a comma between: `best:samples=1000,objective=heads`.
    pub fn named(name: &str, state: &SixQuiPrend, seat: usize, seed: u64) -> Guest {
        let (name, options) = name.split_once(':').unwrap_or((name, ""));
        match name {
            "random" => {
                let mut bytes = [1; 32];
                bytes[..8].copy_from_slice(&seed.to_le_bytes());
                bytes[8] = seat as u8;
                Guest::Random(Box::new(rng_from(&bytes)))
            }
            "gap" => Guest::ClosestGap,
            "smallest" => Guest::Smallest,
            "middle" => Guest::Middle,
            "second" => Guest::SecondLargest,
            "largest" => Guest::Largest,
            "best" => {
                let settings = Settings::read(ClientOptions(&options.replace(',', "\n"))).unwrap();
                let facts = setup(state, seat);
                let game = Game {
                    seats: facts.players.into(),
                    seat,
                    deck_max: facts.deck_max,
                    rules: facts.rules,
                    limit: facts.limit,
                    seed: seed << 8 | seat as u64,
                };
                let allowance = Allowance { samples: settings.samples, time_us: u64::MAX, clock: || 0 };
                Guest::Best(Box::new(Player::new(game, settings)), allowance)
            }
            other => panic!("there is no player \"{other}\""),
        }
    }

    pub fn play(&mut self, turn: &Turn) -> Move {
        if let Guest::Best(player, allowance) = self {
            let best = player.choose(turn, *allowance)[0].choice;
            return if turn.pending().is_some() { take(best) } else { lay(best) };
        }
        if turn.pending().is_some() {
            return take(CHEAPEST_ROW);
        }
        let hand = turn.hand();
        let table = table(turn, false);
        lay(match self {
            Guest::Random(rng) => hand[below(rng, hand.len() as u64) as usize],
            Guest::ClosestGap => *hand.iter().min_by_key(|card| table.key(**card)).unwrap(),
            Guest::Smallest => hand[0],
            Guest::Middle => hand[hand.len() / 2],
            Guest::SecondLargest => hand[hand.len().saturating_sub(2)],
            Guest::Largest | Guest::Best(..) => hand[hand.len() - 1],
        })
    }
}

/// Plays to the end.
pub fn play(mut state: SixQuiPrend, guests: &mut [Guest]) -> Vec<i64> {
    loop {
        let to_move = state.to_move();
        let mut answers = Vec::with_capacity(10);
        for seat in to_move.iter() {
            let mv = guests[seat].play(&View::of(&state, seat).turn());
            state.check(seat, mv).unwrap();
            answers.push((seat, mv));
        }
        if answers.is_empty() {
            return state.scores().values;
        }
        state.play(&answers);
    }
}
