//! The search of one thread: a principal variation search with a transposition table (Marsland 1986; Reinefeld 1983),
//! late moves less deep, and at the last ply only what can still come up to the window.

use crate::options::Widths;
use agon_search::{Arena, Bound, CERTAIN, Child, Judge, Limits, Move, Position, Table, WON};
use std::ops::RangeInclusive;
use std::sync::Arc;

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

/// How deep a position is to be searched, and which of its moves it is about.
#[derive(Clone, Copy, Debug)]
struct Late {
    depth: u8,
    index: usize,
}

impl Late {
    /// By how many plies less a late move is searched: an even number, as values swing from ply to ply.
    fn reduction(self, early: usize) -> u8 {
        match self.depth {
            6.. if self.index >= early.saturating_mul(4) => 4,
            4.. if self.index >= early => 2,
            _ => 0,
        }
    }
}

/// What one thread searches with.
pub(crate) struct Worker {
    pub judge: Judge,
    table: Arc<Table>,
    widths: Widths,
    killers: Vec<[Move; 2]>,
    /// Memory for the arrows of a slide.
    arrows: Vec<u16>,
}

impl Worker {
    pub fn new(judge: Judge, table: Arc<Table>, widths: Widths) -> Worker {
        Worker { judge, table, widths, killers: vec![[Move::NONE; 2]; DEEPEST + 1], arrows: Vec::new() }
    }

    /// Deeper and deeper, from the first depth to the last.
    pub fn search(
        &mut self,
        arena: &Arena,
        position: &mut Position,
        depths: RangeInclusive<u8>,
        limits: Limits,
    ) -> Found {
        self.judge.begin(limits);
        self.killers.fill([Move::NONE; 2]);
        let (width, _) = self.width(arena, position, 0);
        let mut root = self.judge.children(arena, position, width, usize::MAX);
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
            let value = self.descend(arena, position, *child, Late { depth, index }, window, 0);
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
        late: Late,
        window: Window,
        ply: usize,
    ) -> i32 {
        if child.value.abs() >= CERTAIN {
            return child.value;
        }
        let Window { alpha, beta } = window;
        position.play(arena, child.mv);
        let mut value = beta;
        let depth = late.depth - 1;
        if alpha > -INFINITE {
            let empty = Window { alpha: -alpha - 1, beta: -alpha };
            let reduced = depth - late.reduction(self.widths.early);
            value = -self.node(arena, position, reduced, empty, ply + 1);
            if value > alpha && reduced < depth {
                value = -self.node(arena, position, depth, empty, ply + 1);
            }
        }
        if alpha == -INFINITE || value > alpha && value < beta {
            value = -self.node(arena, position, depth, Window { alpha: -beta, beta: -alpha }, ply + 1);
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

    /// How many moves of a position are searched, and of how many slides.
    fn width(&mut self, arena: &Arena, position: &mut Position, ply: usize) -> (usize, usize) {
        let Widths { few, slides, .. } = self.widths;
        let is_small = self.judge.regions().count_moves(arena, position) <= few;
        if is_small { (usize::MAX, usize::MAX) } else { (self.widths.at(ply), slides) }
    }

    /// A node whose best children are searched: the move that the table has before any is evaluated.
    fn inner(
        &mut self,
        arena: &Arena,
        position: &mut Position,
        depth: u8,
        hint: Move,
        window: Window,
        ply: usize,
    ) -> (i32, Move) {
        let mut best = (ply as i32 - WON, Move::NONE);
        let mut index = 0;
        if hint != Move::NONE && position.allows(arena, hint) {
            position.play(arena, hint);
            let child = Child { value: -self.judge.leaf(arena, position), mv: hint };
            position.undo(arena, hint);
            best = (self.descend(arena, position, child, Late { depth, index }, window, ply), hint);
            index += 1;
        }
        if best.0 < window.beta && !self.judge.is_stopped() {
            let (keep, slides) = self.width(arena, position, ply);
            for child in self.judge.children(arena, position, keep, slides) {
                if index > 0 && child.mv == hint {
                    continue;
                }
                // The first is to be searched openly.
                let alpha = if index == 0 { window.alpha } else { window.alpha.max(best.0) };
                let late = Late { depth, index };
                let value = self.descend(arena, position, child, late, Window { alpha, ..window }, ply);
                index += 1;
                if value > best.0 && !self.judge.is_stopped() {
                    best = (value, child.mv);
                }
                if value >= window.beta || self.judge.is_stopped() {
                    break;
                }
            }
        }
        if best.0 >= window.beta {
            self.remember(ply, best.1);
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
        let (_, slides) = self.width(arena, position, ply);
        let [first, second] = self.killers[ply.min(DEEPEST)];
        let spare = self.judge.spare_move().unwrap_or(Move::NONE);
        for mv in [hint, first, second, spare] {
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
        let margin = self.widths.margin;
        let slides = match margin {
            i32::MAX => self.judge.slides(arena, position, slides),
            _ => self.judge.ranked_slides(arena, position, slides),
        };
        for (value, from, to) in slides {
            let hope = value.saturating_add(margin);
            if hope <= window.alpha {
                // The others are no better.
                best.0 = best.0.max(hope);
                break;
            }
            self.shoot_all(arena, position, (from, to), window, &mut best);
            if best.0 >= window.beta || self.judge.is_stopped() {
                self.remember(ply, best.1);
                break;
            }
        }
        best
    }

    /// Evaluates a slide with all its arrows, until one is too good.
    fn shoot_all(
        &mut self,
        arena: &Arena,
        position: &mut Position,
        (from, to): (u16, u16),
        window: Window,
        best: &mut (i32, Move),
    ) {
        let mut arrows = std::mem::take(&mut self.arrows);
        position.slide(arena, from, to);
        arrows.clear();
        position.each_arrow(arena, from, to, |arrow| arrows.push(arrow));
        for &arrow in &arrows {
            position.shoot(arena, arrow);
            let value = -self.judge.leaf(arena, position);
            position.unshoot(arena, arrow);
            if value > best.0 {
                *best = (value, Move { from, to, arrow });
            }
            if value >= window.beta || self.judge.is_stopped() {
                break;
            }
        }
        position.slide(arena, to, from);
        self.arrows = arrows;
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
