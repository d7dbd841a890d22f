//! Mastermind: players find a hidden code by guesses. Each reply counts the values that are exact and those that are
//! elsewhere. The rules in words: docs/rules/mastermind.md.

mod abi;
mod adaptive;
mod check;
mod codes;
mod combination;
mod consistent;
mod explain;
mod hash;
mod notation;
mod scene;
mod setting;
mod state;

pub use abi::*;
pub use codes::{Code, Codes, MAX_PEGS, MAX_VALUES, Reply};
pub use combination::{BadWord, Combination};
pub use consistent::{Order, agrees, draw, search, search_one};
pub use setting::Prepared;

use crate::people::levels;
use crate::speeds::{play_and_sum, reference};
use crate::{
    Absent, BadOption, Facts, Field, Fields, Illegal, Language, Opening, Options, Rng, Rules, Said, Scene, Scores,
    Seat, Seats, Speed, Starter, Worth, below,
};
use agon_abi::{Blob, Layout, Pod};
use setting::Maker;
use state::Asks;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The most seats.
const MAX_SEATS: usize = 10;
/// The seat of two that makes the secret.
const MAKER_SEAT: Seat = 0;
/// The seat of two that guesses.
const BREAKER_SEAT: Seat = 1;

/// A state of the game, between two calls of clients.
#[derive(Clone, Debug)]
pub struct Mastermind {
    setting: Arc<Prepared>,
    seats: usize,
    /// The code to find; `None` before a maker has hidden it, and with an adaptive maker.
    secret: Option<Code>,
    /// The guesses that were answered, of each breaker.
    histories: Vec<Vec<Try>>,
    /// The guess that an adaptive maker has not yet answered.
    waiting: Option<Code>,
}

const GUESS: Said = Said::new("the guess", "la proposition");
const SECRET: Said = Said::new("the secret", "la combinaison secrète");

impl Rules for Mastermind {
    type Move = Move;
    type Prepared = Prepared;

    const FACTS: Facts = Facts {
        name: "mastermind",
        title: "Mastermind",
        summary: Said::new(
            "Find the hidden code in few guesses; each is answered by how many values are exact and how many are elsewhere.\n\
             A guess, or a secret to hide, is written 1 5 0 0 (or 1500); a reply, where one is asked, 2+1: 2 exact, 1 elsewhere.",
            "Trouvez la combinaison cachée ; à chaque proposition on répond combien de valeurs sont bien et mal placées.\n\
             Une proposition, ou un secret à cacher, s'écrit 1 5 0 0 (ou 1500) ; une réponse, si on la demande, 2+1 : 2 bien, 1 mal.",
        ),
        seats: (1, MAX_SEATS),
        simultaneous: true,
        chance: true,
        hidden: true,
        worth: Worth::Points("guesses needed: in a race each its own, with a maker also what is left of the tries"),
        setup: Setup::SHAPE,
        turn: Turn::SHAPE,
        mv: Move::SHAPE,
        header: include_str!("../../../client-api/include/agon/mastermind.h"),
        starter: Some(Starter {
            c: include_str!("../../../client-api/starters/mastermind.c"),
            rust: include_str!("../../../client-api/starters/mastermind.rs"),
            zig: include_str!("../../../client-api/starters/mastermind.zig"),
            go: include_str!("../../../client-api/starters/mastermind.go"),
            python: include_str!("../../../client-api/starters/mastermind.py"),
            opponents: &["mastermind:level=2", "mastermind:strategy=first", "mastermind:level=3"],
        }),
        options: setting::OPTIONS,
        varied: Some(("secret", "drawn")),
        small: &[
            "pegs=2 values=2 tries=3",
            "pegs=2 values=3 tries=2 secret=all",
            "pegs=1 values=12 tries=2",
            "pegs=2 values=3 tries=2 maker=client",
            "pegs=2 values=3 tries=3 maker=adaptive",
            "pegs=3 values=2 tries=2 maker=adaptive",
        ],
        speeds: &[Speed {
            name: "mastermind: random matches of 1 seat",
            unit: "matches/s",
            run: || {
                play_and_sum::<Mastermind>(1, 50_000, |state, work| {
                    state.histories[0].iter().for_each(|made| work.add(u64::from(made.rr) * 16 + u64::from(made.rw)));
                })
            },
            references: &[reference!("fixed arrays", "mastermind.cpp", "play")],
        }],
        levels: &levels(["mastermind:level=1", "mastermind:level=3", "mastermind:level=4"]),
        in_words: Some(explain::explain),
        page: Said::new(
            include_str!("../../../docs/rules/mastermind.md"),
            include_str!("../../../docs/rules/mastermind.fr.md"),
        ),
        ..Facts::BASE
    };

    fn prepare(options: &Options, seats: usize) -> Result<Prepared, BadOption> {
        Prepared::from_options(options, seats)
    }

    fn rotations(setting: &Prepared, seats: usize) -> usize {
        if setting.maker == Maker::Server { 1 } else { seats }
    }

    fn resolved(setting: &Prepared, _seats: usize) -> Fields {
        let Prepared { codes, tries, maker, .. } = setting;
        let maker = Field::Text(maker.name().to_owned());
        let [pegs, values] = [codes.pegs(), codes.values()].map(|count| Field::Number(count as u64));
        vec![("pegs", pegs), ("values", values), ("tries", (*tries).into()), ("maker", maker)]
    }

    fn drawn(setting: &Arc<Prepared>, _seats: usize, opening: &Opening) -> Fields {
        let secret = (setting.maker == Maker::Server).then(|| setting.secret(opening));
        let values = secret.as_ref().map_or(&[][..], |secret| &secret[..setting.codes.pegs()]);
        vec![("secret", Field::numbers(values))]
    }

    fn start(setting: &Arc<Prepared>, seats: usize, opening: &Opening) -> Self {
        let server = setting.maker == Maker::Server;
        Mastermind {
            setting: Arc::clone(setting),
            seats,
            secret: server.then(|| setting.secret(opening)),
            histories: vec![Vec::new(); if server { seats } else { 1 }],
            waiting: None,
        }
    }

    fn to_move(&self) -> Seats {
        let maker_owes = match self.setting.maker {
            Maker::Server => false,
            Maker::Client => self.secret.is_none(),
            Maker::Adaptive => self.waiting.is_some(),
        };
        if maker_owes {
            return Seats::one(MAKER_SEAT);
        }
        self.breakers().filter(|seat| !self.is_done(*seat)).fold(Seats::NONE, Seats::with)
    }

    fn setup(&self, seat: Seat, out: &mut Blob) {
        let Prepared { codes, tries, maker, .. } = &*self.setting;
        out.push(&Setup {
            pegs: codes.pegs() as u8,
            values: codes.values() as u8,
            tries: *tries,
            role: if self.breakers().contains(&seat) { BREAKER } else { MAKER },
            maker: match maker {
                Maker::Server => SERVER,
                Maker::Client => CLIENT,
                Maker::Adaptive => ADAPTIVE,
            },
            ..Setup::zeroed()
        });
    }

    fn turn(&self, seat: Seat, out: &mut Blob) {
        let history = self.history(seat);
        let (kind, guess) = match self.asks(seat) {
            Asks::Reply(guess) => (ASKS_REPLY, guess),
            Asks::Secret => (ASKS_SECRET, Code::default()),
            Asks::Guess => (ASKS_GUESS, Code::default()),
        };
        let start = out.push(&Turn { num_history: history.len() as u32, kind, guess, ..Turn::zeroed() });
        if !history.is_empty() {
            let target = out.push_slice(history);
            out.link(start + std::mem::offset_of!(Turn, history), target);
        }
    }

    fn check(&self, seat: Seat, mv: Move) -> Result<(), Illegal> {
        let codes = self.setting.codes;
        match self.asks(seat) {
            Asks::Guess => check::code(codes, GUESS, mv),
            Asks::Secret => check::code(codes, SECRET, mv),
            Asks::Reply(guess) => {
                let history = self.history(seat);
                check::reply(codes, mv, history.len(), |reply| adaptive::allows(codes, history, &guess, reply))
            }
        }
    }

    fn play(&mut self, answers: &[(Seat, Move)]) {
        answers.iter().for_each(|&(seat, mv)| self.take(seat, mv));
    }

    /// A racing breaker that is out guesses past the secret to the end, so that the others race on. A maker and a
    /// breaker need each other.
    fn absent(&self, _seat: Seat) -> Absent<Move> {
        let codes = self.setting.codes;
        match (self.setting.maker, &self.secret) {
            (Maker::Server, Some(secret)) => {
                let wrong = codes.at(u64::from(codes.number(secret) == 0));
                Absent::Plays(Move::code(&wrong, codes.pegs() as u8))
            }
            _ => Absent::Ends,
        }
    }

    /// A maker scores the points that its breaker misses. If a fault cuts a match short, the side to move has lost it.
    fn scores(&self) -> Scores {
        let values = if self.setting.maker == Maker::Server {
            self.breakers().map(|seat| self.guesses(seat)).collect()
        } else {
            let most = i64::from(self.setting.tries) + 1;
            let maker_owes = self.to_move().has(MAKER_SEAT);
            let breaker = if maker_owes { 0 } else { self.guesses(BREAKER_SEAT) };
            vec![most - breaker, breaker]
        };
        Scores { values, higher_wins: false, tie_break: Vec::new() }
    }

    /// With a maker at the table, a seat that is out has the worst score; the other has 0.
    fn forfeit(&self, out: Seats) -> Scores {
        if self.setting.maker == Maker::Server {
            return self.scores();
        }
        let most = i64::from(self.setting.tries) + 1;
        let values = (0..self.seats).map(|seat| if out.has(seat) { most } else { 0 }).collect();
        Scores { values, ..self.scores() }
    }

    fn legal(&self, seat: Seat, each: &mut dyn FnMut(Move) -> ControlFlow<()>) {
        let codes = self.setting.codes;
        let _ = match self.asks(seat) {
            _ if !self.to_move().has(seat) => ControlFlow::Continue(()),
            Asks::Reply(guess) => {
                adaptive::replies(codes, self.history(seat), &guess).try_for_each(|reply| each(Move::reply(reply)))
            }
            Asks::Guess | Asks::Secret => codes.iter().try_for_each(|code| each(Move::code(&code, codes.pegs() as u8))),
        };
    }

    fn sample(&self, seat: Seat, rng: &mut Rng) -> Move {
        let codes = self.setting.codes;
        if let Asks::Reply(guess) = self.asks(seat) {
            let replies: Vec<Reply> = adaptive::replies(codes, self.history(seat), &guess).collect();
            return Move::reply(replies[below(rng, replies.len() as u64) as usize]);
        }
        Move::code(&codes.draw(rng), codes.pegs() as u8)
    }

    fn redeal(&self, seat: Seat, rng: &mut Rng) -> Self {
        let mut other = self.clone();
        if let Some(secret) = self.secret.filter(|_| self.breakers().contains(&seat)) {
            other.redraw(seat, &secret, rng);
        }
        other
    }

    fn write(&self, mv: Move) -> String {
        notation::write(mv)
    }

    fn read(&self, text: &str) -> Option<Move> {
        notation::read(self.setting.codes, self.waiting.is_some(), text)
    }

    fn scene(&self, seat: Option<Seat>, language: Language) -> Scene {
        scene::draw(self, seat, language)
    }

    fn public_scene(&self, language: Language) -> Option<Scene> {
        // Several breakers do not see each other's guesses.
        let breakers = self.breakers();
        (breakers.len() == 1).then(|| scene::draw(self, Some(breakers.start), language))
    }

    fn hash(&self) -> u64 {
        hash::of(self)
    }
}
