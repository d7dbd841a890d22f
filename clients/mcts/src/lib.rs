//! Amazons by Monte-Carlo tree search without playouts: leaves are evaluated, few children are kept and more are looked
//! at with the visits, averages are mixed with maxima, and what is decided is backed up for certain. Options:
//! `options.rs`.
#![forbid(unsafe_code)]

mod descent;
mod options;
mod playout;
mod search;
mod tree;
mod worker;

pub use options::{Playouts, Settings};
pub use search::{Found, Searcher};

use agon_client_api::amazons::{Amazons, AmazonsMove, Setup, Turn};
use agon_client_api::{Client, Declined, TurnHead, cpu_us, data, export_client, log};
use agon_search::{BoardTables, Book, Lanes, Left, Level, Limits, Move, Plan, Position};

/// The client of a match.
pub struct Mcts {
    tables: BoardTables,
    position: Position,
    searcher: Searcher,
    nodes: u64,
    level: Level,
    book: Option<Book<'static>>,
    seed: u64,
    /// Columns and rows of the board, 0 if it is no grid.
    grid: [usize; 2],
    name: &'static str,
    /// The path of evaluation, if it was asked for; told in the first turn.
    path: Option<&'static str>,
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
        let book = Book::given(&tables, setup.options.get("book"), data)?;
        let evaluator = settings.lanes.evaluator(&tables, settings.heuristic);
        Ok(Mcts {
            position: Position::start(&tables),
            path: (settings.lanes != Lanes::Auto).then(|| evaluator.path().name()),
            nodes: settings.nodes,
            level: settings.level,
            book,
            grid: [setup.columns, setup.rows],
            seed: setup.head.seed,
            name: settings.name(),
            searcher: Searcher::with_evaluator(&tables, evaluator, settings, setup.head.seed),
            tables,
        })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        if turn.previous != AmazonsMove::NONE {
            self.follow(turn.previous.into());
        }
        let mv = self.choose(turn.head);
        self.follow(mv);
        mv.into()
    }
}

impl Mcts {
    fn follow(&mut self, mv: Move) {
        self.position.play(&self.tables, mv);
        self.searcher.follow(mv);
    }

    fn choose(&mut self, head: &TurnHead) -> Move {
        let known = self.book.as_ref().and_then(|book| book.choose(&self.tables, &self.position, self.seed));
        if let Some(known) = known {
            let value = self.searcher.worth(known.value);
            return known.explain(&as_logged(value), |key, value| log(key, value));
        }
        let left = Left {
            call_us: head.cpu_left_us,
            wall_us: head.wall_left_us,
            total_us: head.total_left_us,
            moves: head.moves_left(),
        };
        let plan = Plan::of_move(left, &self.position);
        if let Some(path) = self.path.take() {
            log("lanes", path);
        }
        let limits = Limits { nodes: self.nodes, plan, clock: cpu_us };
        let early = self.searcher.judge().early(&self.tables, &mut self.position, (&self.level, self.seed), limits);
        if let Some(early) = early {
            return early.explain(self.grid, |key, value| log(key, value));
        }
        let found = self.searcher.search(&self.tables, &mut self.position, limits);
        report(&found);
        found.line.first().copied().unwrap_or(Move::NONE)
    }
}

fn report(found: &Found) {
    log("value", as_logged(found.value));
    log("depth", found.line.len());
    log("nodes", found.nodes);
    log("visits", found.visits);
    let line: Vec<_> = found.line.iter().map(|mv| format!("{}-{}/{}", mv.from, mv.to, mv.arrow)).collect();
    log("line", line.join(" "));
}

/// A value as it is logged: what is proved as all clients say it.
fn as_logged(value: f32) -> String {
    let value = if value.abs() < 1.0 { value } else { value * 9_000.0 };
    format!("{value:.3}")
}

export_client!(Mcts);
