//! Principal variation search, deeper and deeper, with a transposition table (Marsland 1986; Reinefeld 1983).

#[cfg(test)]
mod tests;

use crate::options::{Settings, Widths};
use agon_search::{Arena, Bound, CERTAIN, Child, Evaluator, Judge, Limits, Move, Position, Table, WON};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::thread::JoinHandle;

/// More than any position is worth.
const INFINITE: i32 = i32::MAX;
/// Killer moves are kept for so many plies.
const DEEPEST: usize = 255;
/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// For the side to move, thousandths of a vertex; from [`CERTAIN`] on it has won.
    pub value: i32,
    /// Plies searched to their end.
    pub depth: u8,
    /// Positions evaluated.
    pub nodes: u64,
    /// The best move, and what is expected to follow; empty if there is no move.
    pub line: Vec<Move>,
}

/// What values are of interest: more than `alpha`, less than `beta`.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: i32,
    beta: i32,
}

/// What is kept from search to search.
pub struct Searcher {
    first: Worker,
    /// Of the other threads, with a board of their own.
    others: Vec<Worker>,
    board: Option<Arc<Arena>>,
    table: Arc<Table>,
}

/// What one thread searches with.
struct Worker {
    judge: Judge,
    table: Arc<Table>,
    widths: Widths,
    killers: Vec<[Move; 2]>,
}

impl Searcher {
    /// With empty tables.
    pub fn new(arena: &Arena, settings: &Settings) -> Searcher {
        Searcher::with_evaluator(arena, settings.lanes.evaluator(arena, settings.heuristic), settings)
    }

    /// With a given path of evaluation.
    pub fn with_evaluator(arena: &Arena, evaluator: Evaluator, settings: &Settings) -> Searcher {
        let (judge, table) = (Judge::new(evaluator), Arc::new(Table::new(settings.table)));
        let worker = |judge| Worker {
            judge,
            table: Arc::clone(&table),
            widths: settings.widths.clone(),
            killers: vec![[Move::NONE; 2]; DEEPEST + 1],
        };
        let others: Vec<Worker> = (1..settings.threads).map(|_| worker(judge.colleague())).collect();
        let board = (!others.is_empty()).then(|| Arc::new(arena.clone()));
        Searcher { first: worker(judge), others, board, table }
    }

    /// The best move within the limits, at most so many plies deep. Other threads search the same, some of them a ply
    /// ahead, and what they find is in the table when the first comes to it.
    pub fn search(&mut self, arena: &Arena, position: &mut Position, deepest: u8, limits: Limits) -> Found {
        self.table.age();
        self.first.judge.call_off(false);
        let share = limits.share(1 + self.others.len() as u64);
        let threads = self.start_others(position, deepest, share);
        let mut found = self.first.search(arena, position, 2..=deepest, Limits { nodes: share.nodes, ..limits });
        self.first.judge.call_off(true);
        for thread in threads {
            let worker = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            found.nodes += worker.judge.nodes();
            self.others.push(worker);
        }
        found
    }

    /// A scope would leave something behind in the calling thread that outlives this library; a thread of its own takes
    /// it along.
    fn start_others(&mut self, position: &Position, deepest: u8, limits: Limits) -> Vec<JoinHandle<Worker>> {
        let Some(board) = &self.board else { return Vec::new() };
        let start = |(index, mut worker): (usize, Worker)| {
            let (board, mut position) = (Arc::clone(board), position.clone());
            std::thread::spawn(move || {
                worker.search(&board, &mut position, 3 - index as u8 % 2..=deepest, limits);
                worker
            })
        };
        self.others.drain(..).enumerate().map(start).collect()
    }
}

impl Worker {
    /// Deeper and deeper, from the first depth to the last.
    fn search(&mut self, arena: &Arena, position: &mut Position, depths: RangeInclusive<u8>, limits: Limits) -> Found {
        self.judge.begin(limits);
        self.killers.fill([Move::NONE; 2]);
        let mut root = self.judge.children(arena, position, self.widths.at(0), usize::MAX);
        if root.is_empty() {
            // Not even one evaluation was allowed, or there is no move at all.
            let mut moves = Vec::new();
            position.moves(arena, &mut moves);
            root.extend(moves.first().map(|&mv| Child { value: 0, mv }));
        }
        let Some(first) = root.first() else { return Found::default() };
        let mut found = Found { value: first.value, depth: 1, nodes: 0, line: vec![first.mv] };
        for depth in depths {
            if root.len() == 1 || found.value.abs() >= CERTAIN || self.judge.is_late() {
                break;
            }
            let best = self.deepen(arena, position, &mut root, depth);
            let Some(best) = best else { break };
            found = Found { value: best.value, depth, nodes: 0, line: self.line(arena, position, best.mv, depth) };
            if self.judge.is_stopped() {
                found.depth -= 1;
            }
        }
        found.nodes = self.judge.nodes();
        found
    }

    /// One iteration at the root; the best move comes first then. `None` if time was up before the first was done.
    fn deepen(&mut self, arena: &Arena, position: &mut Position, root: &mut [Child], depth: u8) -> Option<Child> {
        let mut best: Option<(usize, i32)> = None;
        for (index, child) in root.iter().enumerate() {
            let window = Window { alpha: best.map_or(-INFINITE, |(_, value)| value), beta: INFINITE };
            let value = self.descend(arena, position, *child, depth, window, 0);
            if self.judge.is_stopped() {
                break;
            }
            if best.is_none_or(|(_, best)| value > best) {
                best = Some((index, value));
            }
        }
        let (index, value) = best?;
        root[..=index].rotate_right(1);
        root[0].value = value;
        Some(root[0])
    }

    /// The value of a child for its mover: by an empty window first, where there is something to beat.
    fn descend(
        &mut self,
        arena: &Arena,
        position: &mut Position,
        child: Child,
        depth: u8,
        window: Window,
        ply: usize,
    ) -> i32 {
        if child.value.abs() >= CERTAIN {
            return child.value;
        }
        let Window { alpha, beta } = window;
        position.play(arena, child.mv);
        let mut value = beta;
        if alpha > -INFINITE {
            let empty = Window { alpha: -alpha - 1, beta: -alpha };
            value = -self.node(arena, position, depth - 1, empty, ply + 1);
        }
        if alpha == -INFINITE || value > alpha && value < beta {
            value = -self.node(arena, position, depth - 1, Window { alpha: -beta, beta: -alpha }, ply + 1);
        }
        position.undo(arena, child.mv);
        value
    }

    /// The value of a position for the side to move, at least 1 ply deep; beyond the window a bound of it.
    fn node(&mut self, arena: &Arena, position: &mut Position, depth: u8, window: Window, ply: usize) -> i32 {
        if self.judge.is_stopped() {
            return 0;
        }
        let Window { alpha, beta } = window;
        let known = self.table.get(position.hash());
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            match entry.bound {
                Bound::Exact => return entry.value,
                Bound::Least if entry.value >= beta => return entry.value,
                Bound::Most if entry.value <= alpha => return entry.value,
                _ => {}
            }
        }
        let hint = known.map_or(Move::NONE, |entry| entry.best);
        let (value, best) = if depth == 1 {
            self.frontier(arena, position, hint, window, ply)
        } else {
            self.inner(arena, position, depth, hint, window, ply)
        };
        if self.judge.is_stopped() {
            return 0;
        }
        let bound = match value {
            value if value >= beta => Bound::Least,
            value if value > alpha => Bound::Exact,
            _ => Bound::Most,
        };
        self.table.put(position.hash(), depth, value, bound, best);
        value
    }

    /// A node whose best children are searched.
    fn inner(
        &mut self,
        arena: &Arena,
        position: &mut Position,
        depth: u8,
        hint: Move,
        window: Window,
        ply: usize,
    ) -> (i32, Move) {
        let mut children = self.judge.children(arena, position, self.widths.at(ply), self.widths.slides);
        match children.iter().position(|child| child.mv == hint) {
            Some(index) => children[..=index].rotate_right(1),
            None if hint != Move::NONE && position.allows(arena, hint) => {
                children.insert(0, Child { value: 0, mv: hint });
            }
            None => {}
        }
        let mut best = (ply as i32 - WON, Move::NONE);
        for (index, child) in children.into_iter().enumerate() {
            let alpha = if index == 0 { window.alpha } else { window.alpha.max(best.0) }; // the first is to be searched openly
            let value = self.descend(arena, position, child, depth, Window { alpha, ..window }, ply);
            if self.judge.is_stopped() {
                break;
            }
            if value > best.0 {
                best = (value, child.mv);
            }
            if value >= window.beta {
                self.remember(ply, child.mv);
                break;
            }
        }
        best
    }

    /// A node whose children are evaluated, until one is too good: first those that were too good elsewhere.
    fn frontier(
        &mut self,
        arena: &Arena,
        position: &mut Position,
        hint: Move,
        window: Window,
        ply: usize,
    ) -> (i32, Move) {
        let mut best = (ply as i32 - WON, Move::NONE);
        let [first, second] = self.killers[ply.min(DEEPEST)];
        for mv in [hint, first, second] {
            if mv != Move::NONE && position.allows(arena, mv) {
                position.play(arena, mv);
                let value = -self.judge.leaf(arena, position);
                position.undo(arena, mv);
                best = best.max((value, mv));
                if value >= window.beta {
                    return best;
                }
            }
        }
        let mut arrows = Vec::with_capacity(64);
        for (_, from, to) in self.judge.slides(arena, position, self.widths.slides) {
            position.slide(arena, from, to);
            arrows.clear();
            position.each_arrow(arena, from, to, |arrow| arrows.push(arrow));
            for &arrow in &arrows {
                position.shoot(arena, arrow);
                let value = -self.judge.leaf(arena, position);
                position.unshoot(arena, arrow);
                if value > best.0 {
                    best = (value, Move { from, to, arrow });
                }
                if value >= window.beta || self.judge.is_stopped() {
                    break;
                }
            }
            position.slide(arena, to, from);
            if best.0 >= window.beta || self.judge.is_stopped() {
                self.remember(ply, best.1);
                break;
            }
        }
        best
    }

    /// Notes a move that was too good for the other side to allow.
    fn remember(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.killers[ply.min(DEEPEST)];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
    }

    /// The moves expected from a position on, as the table has them, `first` before them.
    fn line(&self, arena: &Arena, position: &Position, first: Move, depth: u8) -> Vec<Move> {
        let mut position = position.clone();
        let mut line = vec![first];
        position.play(arena, first);
        while line.len() < usize::from(depth) {
            let Some(entry) = self.table.get(position.hash()) else { break };
            if entry.best == Move::NONE || !position.allows(arena, entry.best) {
                break;
            }
            line.push(entry.best);
            position.play(arena, entry.best);
        }
        line
    }
}
