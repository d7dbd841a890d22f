//! A client's seat in a match of Amazons: its position, its book, and the moves that need no search. The search is the
//! client's own.

use crate::board_tables::BoardTables;
use crate::book::Book;
use crate::choice::Lanes;
use crate::evaluator::Evaluator;
use crate::judge::{Judge, SearchLimits};
use crate::plan::TimePlan;
use crate::position::{Move, Position};
use crate::strength::Level;
use agon_abi::TurnHead;
use std::fmt::Display;

/// The search of a client.
pub trait Search {
    /// Judges the positions in the calling thread.
    fn judge(&mut self) -> &mut Judge;

    /// Writes a value of the book, in thousandths of a vertex, in the client's own scale.
    fn write(&self, value: i32) -> String;

    /// Searches at this ply of the match. Returns the best move and what is expected to follow.
    fn search(&mut self, tables: &BoardTables, position: &mut Position, ply: u32, limits: SearchLimits) -> Vec<Move>;

    /// Notes a move that was played, by either side.
    fn follow(&mut self, _mv: Move) {}
}

/// The terms of a client's match, by its setup and its options.
pub struct SeatTerms {
    /// Positions evaluated a move.
    pub nodes: u64,
    pub level: Level,
    pub book: Option<Book<'static>>,
    /// The seed of draws among equal moves.
    pub seed: u64,
    /// Columns and rows of the board, 0 if it is no grid.
    pub grid: [usize; 2],
    /// The path of evaluation, if an option chose it: the first turn logs it.
    pub path: Option<&'static str>,
}

impl Lanes {
    /// The name of the path of an evaluator, if the option chose it.
    pub fn chosen(self, evaluator: &Evaluator) -> Option<&'static str> {
        (self != Lanes::Auto).then(|| evaluator.path().name())
    }
}

/// The functions of the process that a client is in.
#[derive(Clone, Copy)]
pub struct Services {
    /// Microseconds used in this call.
    pub clock: fn() -> u64,
    /// Records a key and its value.
    pub log: fn(&str, &dyn Display),
}

/// A client keeps its search here from call to call.
pub struct Seat<S> {
    tables: BoardTables,
    position: Position,
    terms: SeatTerms,
    services: Services,
    search: S,
}

impl<S: Search> Seat<S> {
    /// A seat before the first turn.
    pub fn new(tables: BoardTables, terms: SeatTerms, services: Services, search: S) -> Seat<S> {
        Seat { position: Position::start(&tables), tables, terms, services, search }
    }

    /// Plays a turn, after the other side's move, if there was one.
    pub fn play(&mut self, previous: Option<Move>, head: &TurnHead) -> Move {
        if let Some(previous) = previous {
            self.follow(previous);
        }
        let mv = self.choose(head);
        self.follow(mv);
        mv
    }

    fn follow(&mut self, mv: Move) {
        self.position.play(&self.tables, mv);
        self.search.follow(mv);
    }

    fn choose(&mut self, head: &TurnHead) -> Move {
        let Seat { tables, position, terms, services: Services { clock, log }, search } = self;
        let known = terms.book.as_ref().and_then(|book| book.choose(tables, position, terms.seed));
        if let Some(known) = known {
            return known.explain(&search.write(known.value), *log);
        }
        if let Some(path) = terms.path.take() {
            log("lanes", &path);
        }
        let limits = SearchLimits { nodes: terms.nodes, plan: TimePlan::of_move(head.into(), position), clock: *clock };
        if let Some(early) = search.judge().early(tables, position, (&terms.level, terms.seed), limits) {
            return early.explain(terms.grid, *log);
        }
        let line = search.search(tables, position, head.ply, limits);
        let words: Vec<_> = line.iter().map(|mv| format!("{}-{}/{}", mv.from, mv.to, mv.arrow)).collect();
        log("line", &words.join(" "));
        line.first().copied().unwrap_or(Move::NONE)
    }
}
