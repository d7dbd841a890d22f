//! Amazons by Monte-Carlo tree search without playouts: leaves are evaluated, few children are kept and more are looked
//! at with the visits, averages are mixed with maxima, and what is decided is backed up for certain. Options:
//! `options.rs`.
#![forbid(unsafe_code)]

mod descent;
mod options;
mod playout;
mod search;
mod search_thread;
mod tree;

pub use options::{Playouts, Settings};
pub use search::{Found, Searcher};

use agon_client_api::amazons::{Amazons, AmazonsMove, Setup, Turn};
use agon_client_api::{Client, Declined, cpu_us, data, export_client, log};
use agon_search::{BoardTables, Book, Judge, Move, Position, Search, SearchLimits, Seat, SeatTerms, Services};

/// The client of a match.
pub struct Mcts {
    name: &'static str,
    seat: Seat<Searcher>,
}

impl Client for Mcts {
    type Game = Amazons;
    const NAME: &'static str = "mcts";

    fn name(&self) -> &str {
        self.name
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let settings = Settings::read(&setup.options, setup.head.memory, setup.head.threads)?;
        let tables = BoardTables::from_graph(&setup.graph).map_err(|bad| Declined::from(bad.why))?;
        let evaluator = settings.lanes.evaluator(&tables, settings.heuristic);
        let terms = SeatTerms {
            nodes: settings.nodes,
            level: settings.level,
            book: Book::given(&tables, setup.options.get("book"), data)?,
            seed: setup.head.seed,
            grid: [setup.columns, setup.rows],
            path: settings.lanes.chosen(&evaluator),
        };
        let name = settings.name();
        let search = Searcher::with_evaluator(&tables, evaluator, settings, setup.head.seed);
        let services = Services { clock: cpu_us, log: |key, value| log(key, value) };
        Ok(Mcts { name, seat: Seat::new(tables, terms, services, search) })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        let previous = Some(turn.previous).filter(|previous| *previous != AmazonsMove::NONE);
        self.seat.play(previous.map(Move::from), turn.head).into()
    }
}

impl Search for Searcher {
    fn judge(&mut self) -> &mut Judge {
        Searcher::judge(self)
    }

    fn write(&self, value: i32) -> String {
        as_logged(self.worth(value))
    }

    fn search(&mut self, tables: &BoardTables, position: &mut Position, _ply: u32, limits: SearchLimits) -> Vec<Move> {
        let found = Searcher::search(self, tables, position, limits);
        log("value", as_logged(found.value));
        log("depth", found.line.len());
        log("nodes", found.nodes);
        log("visits", found.visits);
        found.line
    }

    fn follow(&mut self, mv: Move) {
        Searcher::follow(self, mv);
    }
}

/// A value as it is logged: what is proved as all clients say it.
fn as_logged(value: f32) -> String {
    let value = if value.abs() < 1.0 { value } else { value * 9_000.0 };
    format!("{value:.3}")
}

export_client!(Mcts);
