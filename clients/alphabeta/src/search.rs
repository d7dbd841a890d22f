//! Principal variation search, deeper and deeper, by one thread or several.

#[cfg(test)]
mod tests;

use crate::node::SearchThread;
use crate::options::Settings;
use crate::root::Found;
use agon_search::{BoardTables, Evaluator, Judge, Move, Position, SearchLimits, TranspositionTable};
use std::sync::Arc;
use std::thread::JoinHandle;

/// The search of a match: the parts that stay from move to move.
pub struct Searcher {
    first: SearchThread,
    /// The other threads, with a board of their own.
    others: Vec<SearchThread>,
    board: Option<Arc<BoardTables>>,
    table: Arc<TranspositionTable>,
}

impl Searcher {
    /// With empty tables.
    pub fn new(tables: &BoardTables, settings: &Settings) -> Searcher {
        Searcher::with_evaluator(tables, settings.lanes.evaluator(tables, settings.heuristic), settings)
    }

    /// With a given path of evaluation.
    pub fn with_evaluator(tables: &BoardTables, evaluator: Evaluator, settings: &Settings) -> Searcher {
        let (judge, table) = (Judge::new(tables, evaluator), Arc::new(TranspositionTable::new(settings.table)));
        let search_thread = |judge| SearchThread::new(judge, Arc::clone(&table), settings.widths.clone());
        let others: Vec<SearchThread> = (1..settings.threads).map(|_| search_thread(judge.colleague(tables))).collect();
        let board = (!others.is_empty()).then(|| Arc::new(tables.clone()));
        Searcher { first: search_thread(judge), others, board, table }
    }

    /// The judge of positions in the calling thread.
    pub fn judge(&mut self) -> &mut Judge {
        &mut self.first.judge
    }

    /// The best move within the limits, at most so many plies deep. Other threads search the same, some of them a ply
    /// ahead, and what they find is in the table when the first comes to it.
    pub fn search(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        deepest: u8,
        limits: SearchLimits,
    ) -> Found {
        self.search_without(tables, position, deepest, limits, &[])
    }

    /// As [`Searcher::search`], the best of all moves but these.
    pub fn search_without(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        deepest: u8,
        limits: SearchLimits,
        without: &[Move],
    ) -> Found {
        self.table.age();
        self.first.judge.call_off(false);
        let share = limits.share(1 + self.others.len() as u64);
        let threads = self.start_others(position, deepest, share);
        let mut found =
            self.first.search(tables, position, 2..=deepest, SearchLimits { nodes: share.nodes, ..limits }, without);
        self.first.judge.call_off(true);
        for thread in threads {
            let search_thread = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            found.nodes += search_thread.judge.nodes();
            self.others.push(search_thread);
        }
        found
    }

    /// A scope would leave something behind in the calling thread that outlives this library; a thread of its own takes
    /// it along.
    fn start_others(
        &mut self,
        position: &Position,
        deepest: u8,
        limits: SearchLimits,
    ) -> Vec<JoinHandle<SearchThread>> {
        let Some(board) = &self.board else { return Vec::new() };
        let start = |(index, mut search_thread): (usize, SearchThread)| {
            let (board, mut position) = (Arc::clone(board), position.clone());
            std::thread::spawn(move || {
                search_thread.search(&board, &mut position, 3 - index as u8 % 2..=deepest, limits, &[]);
                search_thread
            })
        };
        self.others.drain(..).enumerate().map(start).collect()
    }
}
