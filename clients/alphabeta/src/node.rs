//! The search of one thread below the root: a principal variation search with a transposition table (Marsland 1986;
//! Reinefeld 1983), late moves less deep, and at the last ply only what can still come up to the window.

use crate::options::Widths;
use agon_search::{BoardTables, Bound, CERTAIN, Child, Judge, Move, Position, Sieve, TranspositionTable, WON};
use std::cmp::Reverse;
use std::sync::Arc;

/// Slides whose arrows are evaluated first, and moves of them that are searched before the rest is evaluated.
const PROBED: usize = 6;
const MOST_PROBED: usize = 4;

/// More than any position is worth.
pub(crate) const INFINITE: i32 = i32::MAX;
/// Killer moves are kept for so many plies.
pub(crate) const DEEPEST: usize = 255;

/// The interesting values: more than `alpha`, less than `beta`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

/// How deep a position is to be searched, and which of its moves it is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateMove {
    pub depth: u8,
    pub index: usize,
}

impl LateMove {
    /// By how many plies less a late move is searched, and one that does not look better than what there is: an even
    /// number, as values swing from ply to ply.
    fn reduction(self, early: usize, looks_better: bool) -> u8 {
        match self.depth {
            _ if early == usize::MAX => 0,
            6.. if self.index >= early.saturating_mul(4) => 4,
            4.. if self.index >= early || !looks_better => 2,
            _ => 0,
        }
    }
}

/// The question about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub depth: u8,
    /// The move that the table has.
    pub hint: Move,
    pub window: Window,
    /// Below the root.
    pub ply: usize,
}

/// The searched part of a node.
struct SearchedMoves {
    /// The best value and its move.
    best: (i32, Move),
    searched: usize,
}

/// The search of one thread.
pub(crate) struct SearchThread {
    pub judge: Judge,
    pub table: Arc<TranspositionTable>,
    pub widths: Widths,
    pub killers: Vec<[Move; 2]>,
    /// Memory for the arrows of a slide, with what is hoped of each.
    pub arrows: Vec<(i32, u16)>,
}

impl SearchThread {
    pub fn new(judge: Judge, table: Arc<TranspositionTable>, widths: Widths) -> SearchThread {
        SearchThread { judge, table, widths, killers: vec![[Move::NONE; 2]; DEEPEST + 1], arrows: Vec::new() }
    }

    /// The value of a child for its mover: by an empty window first, where there is something to beat.
    pub fn descend(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        child: Child,
        late: LateMove,
        window: Window,
        ply: usize,
    ) -> i32 {
        if child.value.abs() >= CERTAIN {
            return child.value;
        }
        let Window { alpha, beta } = window;
        position.play(tables, child.mv);
        let mut value = beta;
        let depth = late.depth - 1;
        if alpha > -INFINITE {
            let empty = Window { alpha: -alpha - 1, beta: -alpha };
            let reduced = depth - late.reduction(self.widths.early, child.value > alpha);
            value = -self.node(tables, position, reduced, empty, ply + 1);
            if value > alpha && reduced < depth {
                value = -self.node(tables, position, depth, empty, ply + 1);
            }
        }
        if alpha == -INFINITE || value > alpha && value < beta {
            value = -self.node(tables, position, depth, Window { alpha: -beta, beta: -alpha }, ply + 1);
        }
        position.undo(tables, child.mv);
        value
    }

    /// The value of a position for the side to move, at least 1 ply deep; beyond the window a bound of it.
    fn node(&mut self, tables: &BoardTables, position: &mut Position, depth: u8, window: Window, ply: usize) -> i32 {
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
        let node = Node { depth, hint, window, ply };
        let (value, best) =
            if depth == 1 { self.frontier(tables, position, node) } else { self.inner(tables, position, node) };
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

    /// How many moves of a position are searched, and of how many slides.
    pub fn width(&mut self, tables: &BoardTables, position: &mut Position, ply: usize) -> (usize, usize) {
        let Widths { few, slides, .. } = self.widths;
        let is_small = self.judge.count_moves(tables, position, few) <= few;
        if is_small { (usize::MAX, usize::MAX) } else { (self.widths.at(ply), slides) }
    }

    /// A node whose best children are searched: the move that the table has before any other is evaluated, then those
    /// that were too good elsewhere and look so here.
    fn inner(&mut self, tables: &BoardTables, position: &mut Position, node: Node) -> (i32, Move) {
        let Node { hint, window, ply, .. } = node;
        let mut seen = SearchedMoves { best: (ply as i32 - WON, Move::NONE), searched: 0 };
        let [first, second] = self.killers[ply.min(DEEPEST)];
        let mut tried = [Move::NONE; 3];
        for (index, mv) in [hint, first, second].into_iter().enumerate() {
            let is_new = mv != Move::NONE && !tried.contains(&mv) && position.allows(tables, mv);
            if !is_new || self.is_over(&seen, window) {
                continue;
            }
            position.play(tables, mv);
            let child = Child { value: -self.judge.leaf(tables, position), mv };
            position.undo(tables, mv);
            if mv == hint || child.value >= window.beta {
                tried[index] = mv;
                self.search_children(tables, position, &[child], node, &mut seen);
            }
        }
        if !self.is_over(&seen, window) {
            self.search_others(tables, position, node, tried, &mut seen);
        }
        if seen.best.0 >= window.beta {
            self.remember(ply, seen.best.1);
        }
        seen.best
    }

    /// Whether nothing more need be searched.
    fn is_over(&self, seen: &SearchedMoves, window: Window) -> bool {
        seen.best.0 >= window.beta || self.judge.is_stopped()
    }

    /// All children of a node but those tried: first those of few slides that look too good for the other side already,
    /// which often spares evaluating the rest.
    fn search_others(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        node: Node,
        tried: [Move; 3],
        seen: &mut SearchedMoves,
    ) {
        let Node { window, ply, .. } = node;
        let (keep, slides) = self.width(tables, position, ply);
        let sieve = self.sieve(node, seen);
        let slides = self.judge.ranked_slides(tables, position, Sieve { most: slides, ..sieve });
        let spare = self.judge.spare_child(tables, position);
        let (probed, others) = slides.split_at(slides.len().min(PROBED));
        let probes = self.widths.probes;
        let mut children = self.judge.arrows(tables, position, probed, Sieve { most: probes, ..sieve });
        children.extend(spare);
        children.retain(|child| !tried.contains(&child.mv));
        children.sort_by_key(|child| Reverse(child.value));
        let good = children.iter().take_while(|child| child.value >= window.beta).take(MOST_PROBED).count();
        self.search_children(tables, position, &children[..good], node, seen);
        if self.is_over(seen, window) {
            return;
        }
        let searched: Vec<Move> = children.drain(..good).map(|child| child.mv).collect();
        let most = keep.saturating_mul(self.widths.sieve);
        let others = if probes == usize::MAX { others } else { &slides[..] };
        let rest = self.judge.arrows(tables, position, others, Sieve { most, ..sieve });
        let known: Vec<Move> = children.iter().map(|child| child.mv).chain(tried).chain(searched).collect();
        children.extend(rest.into_iter().filter(|child| !known.contains(&child.mv)));
        children.sort_by_key(|child| Reverse(child.value));
        children.truncate(keep.saturating_sub(good).max(1));
        self.search_children(tables, position, &children, node, seen);
        if seen.searched == 0 {
            // Nothing has a prospect.
            seen.best.0 = seen.best.0.max(window.alpha);
        }
    }

    /// Which children are evaluated: one ply before the last those that may come up to the window.
    fn sieve(&self, node: Node, seen: &SearchedMoves) -> Sieve {
        let Widths { hope, doubt, .. } = self.widths;
        let alpha = if seen.searched == 0 { node.window.alpha } else { node.window.alpha.max(seen.best.0) };
        if node.depth > 2 || hope == i32::MAX || alpha == -INFINITE {
            return Sieve { doubt, ..Sieve::ALL };
        }
        Sieve { floor: alpha.saturating_sub(hope), doubt, most: usize::MAX }
    }

    /// Searches children in this order.
    fn search_children(
        &mut self,
        tables: &BoardTables,
        position: &mut Position,
        children: &[Child],
        node: Node,
        seen: &mut SearchedMoves,
    ) {
        let Node { depth, window, ply, .. } = node;
        for &child in children {
            if self.is_over(seen, window) {
                break;
            }
            // The first is to be searched openly.
            let alpha = if seen.searched == 0 { window.alpha } else { window.alpha.max(seen.best.0) };
            let hope = child.value.saturating_add(self.widths.hope);
            if depth == 2 && seen.searched > 0 && hope <= alpha {
                // A reply makes it worse, and the others are no better.
                seen.best.0 = seen.best.0.max(hope);
                break;
            }
            let late = LateMove { depth, index: seen.searched };
            let value = self.descend(tables, position, child, late, Window { alpha, ..window }, ply);
            seen.searched += 1;
            if value > seen.best.0 && !self.judge.is_stopped() {
                seen.best = (value, child.mv);
            }
        }
    }

    /// Notes a move that was too good for the other side to allow.
    pub(crate) fn remember(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.killers[ply.min(DEEPEST)];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
    }
}
