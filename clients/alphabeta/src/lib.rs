//! Amazons by alpha-beta: iterative deepening with a principal variation search, a transposition table, few moves
//! looked at deeply rather than all of them flatly, and the exact end once every queen is in a region of its own side.
//! Options: `options.rs`.
#![forbid(unsafe_code)]

mod depth;
mod frontier;
mod node;
mod options;
mod root;
mod search;

pub use options::{Depth, Settings, Widths};
pub use root::Found;
pub use search::Searcher;

use agon_client_api::amazons::{Amazons, AmazonsMove, Setup, Turn};
use agon_client_api::{Client, Declined, cpu_us, data, export_client, log};
use agon_search::{BoardTables, Book, Judge, Move, Position, Search, SearchLimits, Seat, SeatTerms, Services, VERTEX};
use depth::DepthRule;

/// The client of a match.
pub struct AlphaBeta {
    name: &'static str,
    seat: Seat<Deepening>,
}

impl Client for AlphaBeta {
    type Game = Amazons;
    const NAME: &'static str = "alphabeta";

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
        let search = Deepening {
            searcher: Searcher::with_evaluator(&tables, evaluator, &settings),
            rule: DepthRule::new(settings.depth, &tables, setup),
        };
        let services = Services { clock: cpu_us, log: |key, value| log(key, value) };
        Ok(AlphaBeta { name: settings.name, seat: Seat::new(tables, terms, services, search) })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        let previous = Some(turn.previous).filter(|previous| *previous != AmazonsMove::NONE);
        self.seat.play(previous.map(Move::from), turn.head).into()
    }
}

/// The search, as deep as the rule of the options says.
struct Deepening {
    searcher: Searcher,
    rule: DepthRule,
}

impl Search for Deepening {
    fn judge(&mut self) -> &mut Judge {
        self.searcher.judge()
    }

    fn write(&self, value: i32) -> String {
        format!("{:.2}", f64::from(value) / f64::from(VERTEX))
    }

    fn search(&mut self, tables: &BoardTables, position: &mut Position, ply: u32, limits: SearchLimits) -> Vec<Move> {
        let found = self.searcher.search(tables, position, self.rule.depth(ply), limits);
        self.rule.note(cpu_us());
        log("value", self.write(found.value));
        log("depth", found.depth);
        log("nodes", found.nodes);
        found.line
    }
}

export_client!(AlphaBeta);
