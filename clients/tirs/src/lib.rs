//! Tirs Croisés: the course's players, and one that searches. The option `strategy` says which. As a library it solves
//! positions, for studies. docs/notebook/tirs.md says how it plays.
#![forbid(unsafe_code)]

mod allowance;
mod board;
mod cards;
mod chosen;
#[cfg(test)]
mod duels;
mod estimate;
mod greedy;
mod options;
#[cfg(test)]
mod plain;
mod search;
mod several;
mod solve;
mod table;

pub use allowance::Allowance;
pub use cards::{Card, Deal, Position, Set, Values};
pub use solve::Solver;

use agon_client_api::chance::{Rng, below, rng};
use agon_client_api::tirs_croises::{Move, Setup, TirsCroises, Turn};
use agon_client_api::{Client, Declined, Mistakes, cpu_us, export_client};
use agon_search::TimePlan;
use board::{Board, Cell, to_move};
use chosen::{Choose, Occasion, Points};
use greedy::Strategy;
use options::{Kind, Settings};
use search::{Allowed, Search};
use several::{Others, Several};

/// Most bytes for the positions that a search remembers.
const TABLE: u64 = 128 << 20;
/// Microseconds that a turn takes at most where no clock limits it.
const LONGEST_US: u64 = 10_000_000;

/// How the client plays.
enum Player {
    Greedy(Strategy),
    Random(Box<Rng>),
    Search(Box<dyn Choose>),
}

struct Tirs {
    name: &'static str,
    player: Player,
    mistakes: Mistakes,
    seat: usize,
    players: usize,
}

impl Client for Tirs {
    type Game = TirsCroises;
    const NAME: &'static str = "tirs";

    fn name(&self) -> &str {
        self.name
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let Settings { name, kind, mistakes } = options::read(setup.options)?;
        let mistakes = Mistakes::read(setup.options, mistakes, setup.facts.head.seed)?;
        let player = match kind {
            Kind::Greedy(strategy) => Player::Greedy(strategy),
            Kind::Random => Player::Random(Box::new(rng(setup.facts.head.seed))),
            Kind::Search(allowed, others) if setup.facts.size <= 8 => {
                Player::Search(search::<1>(setup, allowed, others))
            }
            Kind::Search(allowed, others) => Player::Search(search::<7>(setup, allowed, others)),
        };
        Ok(Tirs { name, player, mistakes, seat: setup.facts.head.seat as usize, players: setup.facts.players.into() })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        if let Some(rng) = self.mistakes.this_turn() {
            return to_move(any(&Board::new(turn), rng).unwrap_or(0));
        }
        let cell = match &mut self.player {
            Player::Greedy(strategy) => strategy(&mut Board::new(turn)),
            Player::Random(rng) => any(&Board::new(turn), rng),
            Player::Search(search) => {
                let chosen = search.choose(&Occasion {
                    values: &turn.facts.values,
                    cursor: turn.cursor(),
                    points: points(&turn.facts.scores, self.players, self.seat),
                    allowance: Allowance { nodes: u64::MAX, time_us: time(turn), clock: cpu_us },
                });
                chosen.inspect(|chosen| chosen.explain()).map(|chosen| chosen.cell)
            }
        };
        // The server ends the match before anybody without a card within reach is asked.
        to_move(cell.unwrap_or(0))
    }
}
/// A search for a match, with tables for the positions of some turns, in a quarter of the memory at most.
fn search<const W: usize>(setup: &Setup, allowed: Allowed, others: Others) -> Box<dyn Choose> {
    let (facts, head) = (setup.facts, &setup.facts.head);
    if facts.players > 2 {
        return Box::new(Several::<W>::new(&facts.values, facts.players.into(), others, allowed.estimate));
    }
    let memory = if head.memory == 0 { u64::MAX } else { head.memory };
    let table = (memory / 4).min(allowed.solve.saturating_mul(64)).clamp(1 << 16, TABLE);
    Box::new(Search::<W>::new(&facts.values, table, allowed))
}

/// The points of the players, from one seat on.
fn points(scores: &[u16; 9], players: usize, seat: usize) -> Points {
    let mut points = scores.map(i32::from);
    points[..players].rotate_left(seat);
    points
}

/// Microseconds for this turn.
fn time(turn: &Turn) -> u64 {
    let cards = turn.facts.values.as_flattened().iter().filter(|value| **value > 0).count() as u32;
    // Some cards are never reached, and the others are shared by the players.
    TimePlan::new((&turn.facts.head).into(), cards / 3).soft_us.min(LONGEST_US)
}

/// Any card within reach, each as likely as any other.
fn any(board: &Board, rng: &mut Rng) -> Option<Cell> {
    let cells: Vec<Cell> = board.reach().collect();
    cells.get(below(rng, cells.len().max(1) as u64) as usize).copied()
}

export_client!(Tirs);
