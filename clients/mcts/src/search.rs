//! The search: down to a leaf by value, prior and visits; its children evaluated; the value backed up as an average, as
//! a maximum and, where it is decided, for certain (Winands, Björnsson and Saito 2008; Lanctot, Winands, Pepels and
//! Sturtevant 2014). Several threads share one tree.

use crate::options::Settings;
use crate::search_thread::{SearchThread, edges, lock, worth};
use crate::tree::{NONE, Proof, Tree};
use agon_search::{BoardTables, Evaluator, Judge, Move, Position, SearchLimits};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// For the side to move, -1 to 1.
    pub value: f32,
    /// Positions evaluated.
    pub nodes: u64,
    /// The visits of the root.
    pub visits: u32,
    /// The best move, and what is expected to follow; empty if there is no move.
    pub line: Vec<Move>,
}

/// The search of a match: the parts that stay from move to move.
pub struct Searcher {
    first: SearchThread,
    /// The other threads, with a board of their own.
    others: Vec<SearchThread>,
    board: Option<Arc<BoardTables>>,
    tree: Tree,
    /// Memory for the next tree.
    spare: Tree,
    /// Moves played since the root of the tree.
    played: Vec<Move>,
    settings: Settings,
}

impl Searcher {
    /// With an empty tree.
    pub fn new(tables: &BoardTables, settings: Settings, seed: u64) -> Searcher {
        Searcher::with_evaluator(tables, settings.lanes.evaluator(tables, settings.heuristic), settings, seed)
    }

    /// With a given path of evaluation.
    pub fn with_evaluator(tables: &BoardTables, evaluator: Evaluator, settings: Settings, seed: u64) -> Searcher {
        let judge = Judge::new(tables, evaluator);
        let others =
            (1..u64::from(settings.threads)).map(|index| SearchThread::new(judge.colleague(tables), seed ^ index));
        let others: Vec<SearchThread> = others.collect();
        Searcher {
            board: (!others.is_empty()).then(|| Arc::new(tables.clone())),
            others,
            first: SearchThread::new(judge, seed),
            tree: Tree::new(settings.tree / 2),
            spare: Tree::new(settings.tree / 2),
            played: Vec::new(),
            settings,
        }
    }

    /// The judge of positions in the calling thread.
    pub fn judge(&mut self) -> &mut Judge {
        &mut self.first.judge
    }

    /// Converts a value in thousandths of a vertex to the scale of the search, -1 to 1.
    pub fn worth(&self, value: i32) -> f32 {
        worth(value, self.settings.scale)
    }

    /// Notes a move that was played, by either side.
    pub fn follow(&mut self, mv: Move) {
        self.played.push(mv);
    }

    /// Makes the position that the match has come to the root; what does not lie below is forgotten.
    fn catch_up(&mut self) {
        match self.tree.find(&self.played) {
            Some(0) => {}
            Some(node) => {
                self.spare.adopt(&self.tree, node);
                std::mem::swap(&mut self.tree, &mut self.spare);
            }
            None => self.tree.clear(),
        }
        self.played.clear();
    }

    /// The best move within the limits.
    pub fn search(&mut self, tables: &BoardTables, position: &mut Position, limits: SearchLimits) -> Found {
        self.catch_up();
        let share = limits.share(1 + self.others.len() as u64);
        self.first.judge.begin(SearchLimits { nodes: share.nodes, ..limits });
        self.others.iter_mut().for_each(|search_thread| search_thread.judge.begin(share));
        self.first.judge.call_off(false);
        if self.tree.nodes[0].is_complete || self.expand_root(tables, position) {
            self.visit_all(tables, position);
        }
        let mut found = self.found();
        if found.line.is_empty() {
            // Not one move could be evaluated, or there is none.
            let mut moves = Vec::new();
            position.moves(tables, &mut moves);
            found.line.extend(moves.first());
        }
        found
    }

    /// All threads at once, until the first has reached its limits or the root is decided.
    fn visit_all(&mut self, tables: &BoardTables, position: &mut Position) {
        let tree = Arc::new(Mutex::new(std::mem::take(&mut self.tree)));
        let threads = self.start_others(&tree, position);
        self.first.visit_all(&tree, tables, position, &self.settings);
        self.first.judge.call_off(true);
        for thread in threads {
            self.others.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        self.tree = std::mem::take(&mut *lock(&tree));
    }

    /// A scope would leave something behind in the calling thread that outlives this library; a thread of its own takes
    /// it along.
    fn start_others(&mut self, tree: &Arc<Mutex<Tree>>, position: &Position) -> Vec<JoinHandle<SearchThread>> {
        let Some(board) = &self.board else { return Vec::new() };
        let start = |mut search_thread: SearchThread| {
            let (tree, board) = (Arc::clone(tree), Arc::clone(board));
            let (mut position, settings) = (position.clone(), self.settings.clone());
            std::thread::spawn(move || {
                search_thread.visit_all(&tree, &board, &mut position, &settings);
                search_thread
            })
        };
        self.others.drain(..).map(start).collect()
    }

    /// Evaluates all moves of the root; `false` if the limits or the memory do not allow it: it then has those that
    /// there was time and room for, if it had none.
    fn expand_root(&mut self, tables: &BoardTables, position: &mut Position) -> bool {
        let judge = &mut self.first.judge;
        let children = judge.children(tables, position, usize::MAX, usize::MAX);
        let edges = edges(&children, &self.settings);
        if !judge.is_stopped() && !self.tree.is_full(edges.len()) {
            return self.tree.grow(0, edges, true);
        }
        if self.tree.nodes[0].count == 0 {
            let room = self.tree.edges.capacity() - self.tree.edges.len();
            self.tree.set_moves(0, edges.into_iter().take(room));
        }
        false
    }

    /// The move of the root to play, and what is expected to follow.
    fn found(&self) -> Found {
        let mut line = Vec::new();
        let mut node = 0;
        while let Some(edge) = self.tree.best_move(node, &self.settings) {
            line.push(edge.mv);
            if edge.child == NONE {
                break;
            }
            node = edge.child;
        }
        let root = &self.tree.nodes[0];
        let value = match root.proof {
            Proof::Won => 1.0,
            Proof::Lost => -1.0,
            Proof::Open => root.mean(),
        };
        let nodes = self.others.iter().chain([&self.first]).map(|search_thread| search_thread.judge.nodes()).sum();
        Found { value, nodes, visits: root.visits, line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_boards::{Diagonals, Placement, parse};
    use agon_client_api::Options;

    #[test]
    fn a_full_tree_does_not_grow() {
        let board = parse("square:6", Placement::Figures, Diagonals::Natural).unwrap();
        let tables = BoardTables::new(&board, true);
        let limits = SearchLimits::of_nodes(100_000);
        for memory in [30_000, 60_000, 200_000] {
            let settings = Settings::read(&Options("keep = 1\nslides = 1"), memory, 1).unwrap();
            let mut searcher = Searcher::new(&tables, settings, 0);
            let mut position = Position::start(&tables);
            let before = [&searcher.tree, &searcher.spare].map(|tree| (tree.nodes.capacity(), tree.edges.capacity()));
            for _ in 0..6 {
                // The second search begins with what has filled the tree.
                searcher.search(&tables, &mut position, limits);
                let found = searcher.search(&tables, &mut position, limits);
                assert!(position.allows(&tables, found.line[0]));
                position.play(&tables, found.line[0]);
                searcher.follow(found.line[0]);
            }
            let mut after =
                [&searcher.tree, &searcher.spare].map(|tree| (tree.nodes.capacity(), tree.edges.capacity()));
            after.sort_unstable();
            assert_eq!(after, before, "{memory} bytes");
        }
    }
}
