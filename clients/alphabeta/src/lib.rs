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
use agon_client_api::{Client, Declined, TurnHead, cpu_us, data, export_client, log};
use agon_search::{BoardTables, Book, Lanes, Left, Level, Limits, Move, Plan, Position, VERTEX};
use depth::DepthRule;

/// The client of a match.
pub struct AlphaBeta {
    tables: BoardTables,
    position: Position,
    searcher: Searcher,
    rule: DepthRule,
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

impl Client for AlphaBeta {
    type Game = Amazons;
    const NAME: &'static str = "alphabeta";

    fn name(&self) -> &str {
        self.name
    }

    fn new(setup: &Setup) -> Result<Self, Declined> {
        let settings = Settings::read(&setup.options, setup.head.memory, setup.head.threads)?;
        let tables = BoardTables::from_graph(&setup.graph).map_err(|bad| Declined::from(bad.why))?;
        let book = Book::given(&tables, setup.options.get("book"), data)?;
        let evaluator = settings.lanes.evaluator(&tables, settings.heuristic);
        Ok(AlphaBeta {
            position: Position::start(&tables),
            path: (settings.lanes != Lanes::Auto).then(|| evaluator.path().name()),
            searcher: Searcher::with_evaluator(&tables, evaluator, &settings),
            rule: DepthRule::new(settings.depth, &tables, setup),
            nodes: settings.nodes,
            level: settings.level,
            book,
            grid: [setup.columns, setup.rows],
            seed: setup.head.seed,
            name: settings.name,
            tables,
        })
    }

    fn play(&mut self, turn: &Turn) -> AmazonsMove {
        if turn.previous != AmazonsMove::NONE {
            self.position.play(&self.tables, turn.previous.into());
        }
        let mv = self.choose(turn.head);
        self.position.play(&self.tables, mv);
        mv.into()
    }
}

impl AlphaBeta {
    fn choose(&mut self, head: &TurnHead) -> Move {
        let known = self.book.as_ref().and_then(|book| book.choose(&self.tables, &self.position, self.seed));
        if let Some(known) = known {
            return known.explain(&vertices(known.value), |key, value| log(key, value));
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
        let depth = self.rule.depth(head.ply);
        let found = self.searcher.search(&self.tables, &mut self.position, depth, limits);
        self.rule.note(cpu_us());
        self.report(&found);
        found.line.first().copied().unwrap_or(Move::NONE)
    }

    fn report(&self, found: &Found) {
        log("value", vertices(found.value));
        log("depth", found.depth);
        log("nodes", found.nodes);
        let line: Vec<_> = found.line.iter().map(|mv| format!("{}-{}/{}", mv.from, mv.to, mv.arrow)).collect();
        log("line", line.join(" "));
    }
}

/// A value as it is logged.
fn vertices(value: i32) -> String {
    format!("{:.2}", f64::from(value) / f64::from(VERTEX))
}

export_client!(AlphaBeta);
