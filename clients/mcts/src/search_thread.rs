//! The work of one thread: down the tree to a leaf, which it evaluates while others have the tree, and up again.

use crate::options::{Playouts, Settings};
use crate::playout::Playout;
use crate::tree::{CERTAIN, Edge, NONE, Proof, Tree};
use agon_search::{BoardTables, Child, Judge, Position, VERTEX};
use std::f32::consts::{FRAC_2_PI, FRAC_PI_4};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// How often to try before a thread sleeps: some 50 us.
const SPINS: u32 = 1_000;

/// One slide in so many at least has its arrows looked at.
const CHOICE: usize = 10;

/// The search of one thread.
pub struct SearchThread {
    pub judge: Judge,
    playout: Playout,
    /// The edges from the root to the leaf.
    path: Vec<usize>,
}

/// A leaf on the way.
struct Leaf {
    node: u32,
    /// Its value by its parent's evaluation, for its side to move.
    own: f32,
    /// How many of its moves are to be looked at.
    scope: Scope,
}

impl Leaf {
    /// Its value for its side to move once its moves are in the tree. `ahead` weighs its best move, where nothing was
    /// played out.
    fn value(&self, tree: &Tree, played: Option<f32>, ahead: f32) -> f32 {
        let node = &tree.nodes[self.node as usize];
        let best = tree.moves(self.node).first().map_or(-1.0, |edge| edge.value.clamp(-1.0, 1.0));
        match node.proof {
            Proof::Won => 1.0,
            Proof::Lost => -1.0,
            Proof::Open if self.scope == Scope::Again => node.mean(),
            Proof::Open => played.unwrap_or(self.own + ahead * (best - self.own)),
        }
    }
}

/// How much of a node's moves is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// At its first visit.
    First,
    /// Once it has been visited so often that it is worth it.
    Again,
    /// All children: the known ones are lost.
    All,
}

impl SearchThread {
    pub fn new(judge: Judge, seed: u64) -> SearchThread {
        SearchThread { judge, playout: Playout::new(seed), path: Vec::new() }
    }

    /// Visits leaf after leaf until the limits are reached, the memory is full or the root is decided.
    pub fn visit_all(
        &mut self,
        tree: &Mutex<Tree>,
        tables: &BoardTables,
        position: &mut Position,
        settings: &Settings,
    ) {
        while !self.judge.is_late() && self.visit(tree, tables, position, settings) {}
    }

    /// One way down and up again; `false` if it could not be done to the end, or need not be.
    fn visit(
        &mut self,
        tree: &Mutex<Tree>,
        tables: &BoardTables,
        position: &mut Position,
        settings: &Settings,
    ) -> bool {
        let Some(leaf) = self.descend(&mut lock(tree), tables, position, settings) else { return false };
        let slides = position.count_slides(tables, position.side());
        let (keep, slides) = match leaf.scope {
            // Many queens have many good slides.
            Scope::First => (settings.keep, settings.first.max(slides as usize / CHOICE)),
            Scope::Again => (settings.keep, settings.slides),
            Scope::All => (usize::MAX, usize::MAX),
        };
        let children = self.judge.children(tables, position, keep, slides);
        let is_complete = children.len() as u64 == self.judge.count_moves(tables, position, children.len() as u64);
        let edges = edges(&children, settings);
        let played = match settings.playouts {
            Playouts::None => None,
            _ if self.judge.is_stopped() => None,
            kind => Some(self.playout.play(tables, position, kind)),
        };
        let mut tree = lock(tree);
        for &edge in self.path.iter().rev() {
            position.undo(tables, tree.edges[edge].mv);
        }
        tree.mark(&self.path, false);
        if self.judge.is_stopped() || !tree.grow(leaf.node, edges, is_complete) {
            return false;
        }
        let value = leaf.value(&tree, played, settings.ahead);
        tree.back_up(&self.path, value);
        true
    }

    /// Plays the moves down to a leaf; `None` if there is nothing to find out.
    fn descend(
        &mut self,
        tree: &mut Tree,
        tables: &BoardTables,
        position: &mut Position,
        settings: &Settings,
    ) -> Option<Leaf> {
        if tree.nodes[0].proof != Proof::Open || tree.nodes[0].count < 2 {
            return None;
        }
        self.path.clear();
        let (mut node, mut own) = (0, 0.0);
        let mut scope = Scope::First;
        while tree.nodes[node as usize].visits > 0 || node == 0 {
            let here = &mut tree.nodes[node as usize];
            let is_worth_it = here.visits >= settings.again && settings.first < settings.slides && !here.is_complete;
            if is_worth_it && !std::mem::replace(&mut here.is_wide, true) {
                scope = Scope::Again;
                break;
            }
            let Some(edge) = tree.select(node, settings) else {
                scope = Scope::All;
                break;
            };
            own = -tree.edges[edge].value;
            position.play(tables, tree.edges[edge].mv);
            self.path.push(edge);
            node = tree.child(edge);
        }
        tree.mark(&self.path, true);
        Some(Leaf { node, own, scope })
    }
}

/// The tree is never held for long: to be put to sleep and woken would take longer than to wait. A thread that has
/// panicked has been reported; what it left is a tree.
pub fn lock(tree: &Mutex<Tree>) -> MutexGuard<'_, Tree> {
    for _ in 0..SPINS {
        match tree.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(poison)) => return poison.into_inner(),
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tree {
    /// Gives a node the best of its moves, or all; `false` if the memory does not allow it. Threads may come to one
    /// leaf at once: what the other has found of it, and more, is not taken back.
    pub fn grow(&mut self, node: u32, mut edges: Vec<Edge>, is_complete: bool) -> bool {
        for old in self.moves(node) {
            let is_certain = old.value.abs() >= CERTAIN;
            match edges.iter_mut().find(|edge| edge.mv == old.mv) {
                Some(edge) if is_certain => *edge = Edge { prior: edge.prior, ..*old },
                Some(edge) => edge.child = old.child,
                None if is_certain || old.child != NONE => edges.push(*old),
                None => {}
            }
        }
        if self.is_full(edges.len()) {
            return false;
        }
        if !self.nodes[node as usize].is_complete {
            self.set_moves(node, edges);
            self.nodes[node as usize].is_complete = is_complete;
        }
        self.prove(node);
        true
    }
}

/// The worth of a position, -1 to 1, by its value in thousandths of a vertex. Its flanks are long: even if everything
/// is nearly won or lost, a vertex more still counts.
pub fn worth(value: i32, scale: f32) -> f32 {
    if value >= agon_search::CERTAIN {
        return CERTAIN;
    }
    if value <= -agon_search::CERTAIN {
        return -CERTAIN;
    }
    libm::atanf(FRAC_PI_4 * value as f32 / (VERTEX as f32 * scale)) * FRAC_2_PI
}

/// Children as edges, with values from -1 to 1 and priors.
pub fn edges(children: &[Child], settings: &Settings) -> Vec<Edge> {
    let mut edges: Vec<Edge> = children
        .iter()
        .map(|child| Edge { mv: child.mv, value: worth(child.value, settings.scale), prior: 0.0, child: NONE })
        .collect();
    let top = edges.first().map_or(0.0, |edge| edge.value);
    for edge in &mut edges {
        edge.prior = libm::expf((edge.value - top) / settings.warmth);
    }
    let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
    let even = settings.even / edges.len().max(1) as f32;
    edges.iter_mut().for_each(|edge| edge.prior = (1.0 - settings.even) * edge.prior / sum + even);
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_search::Move;

    #[test]
    fn a_thread_that_comes_late_takes_back_nothing() {
        let edge = |from, value| Edge { mv: Move { from, to: 0, arrow: 0 }, value, prior: 0.5, child: NONE };
        let mut tree = Tree::new(1 << 20);
        let lost = [edge(1, -CERTAIN), edge(2, -CERTAIN), edge(3, -CERTAIN)];
        assert!(tree.grow(0, lost.to_vec(), true));
        assert_eq!(tree.nodes[0].proof, Proof::Lost);
        for late in [vec![edge(1, 0.1), edge(2, 0.0)], vec![edge(2, 0.3), edge(1, 0.1), edge(3, 0.0)]] {
            assert!(tree.grow(0, late, false));
            assert_eq!((tree.nodes[0].proof, tree.nodes[0].count), (Proof::Lost, 3));
        }
    }

    #[test]
    fn another_look_at_a_node_keeps_what_is_known() {
        let edge = |from, value| Edge { mv: Move { from, to: 0, arrow: 0 }, value, prior: 0.5, child: NONE };
        let mut tree = Tree::new(1 << 20);
        assert!(tree.grow(0, vec![edge(1, 0.2), edge(2, -CERTAIN), edge(4, CERTAIN)], false));
        let child = tree.child(0);
        assert!(tree.grow(0, vec![edge(3, 0.4), edge(1, 0.1), edge(2, 0.0)], false));
        let moves = tree.moves(0);
        assert_eq!((moves[1].child, moves[1].value, moves[2].value), (child, 0.1, -CERTAIN));
        assert_eq!(tree.nodes[0].proof, Proof::Won);
    }
}
