//! The search: down to a leaf by value, prior and visits; its children evaluated; the value backed up as an average, as a maximum and,
//! where it is decided, for certain (Winands, Björnsson and Saito 2008; Lanctot, Winands, Pepels and Sturtevant 2014).

use crate::options::{Playouts, Settings};
use crate::playout::Playout;
use crate::tree::{CERTAIN, Edge, NONE, Proof, Tree};
use agon_search::{Arena, Child, Evaluator, Judge, Limits, Move, Position, VERTEX};

/// Children looked at however few visits there are.
const FIRST: f32 = 2.0;

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// For the side to move, -1 to 1.
    pub value: f32,
    /// Positions evaluated.
    pub nodes: u64,
    /// Of the root.
    pub visits: u32,
    /// The best move, and what is expected to follow; empty if there is no move.
    pub line: Vec<Move>,
}

/// What is kept from search to search.
pub struct Searcher {
    judge: Judge,
    tree: Tree,
    /// Memory for the next tree.
    spare: Tree,
    /// Moves played since the root of the tree.
    played: Vec<Move>,
    playout: Playout,
    settings: Settings,
    /// The edges from the root to the leaf.
    path: Vec<usize>,
}

impl Searcher {
    /// With an empty tree.
    pub fn new(arena: &Arena, settings: Settings, seed: u64) -> Searcher {
        Searcher::with_evaluator(Evaluator::new(arena, settings.heuristic), settings, seed)
    }

    /// With a given path of evaluation.
    pub fn with_evaluator(evaluator: Evaluator, settings: Settings, seed: u64) -> Searcher {
        Searcher {
            judge: Judge::new(evaluator),
            tree: Tree::new(settings.tree / 2),
            spare: Tree::new(settings.tree / 2),
            played: Vec::new(),
            playout: Playout::new(seed),
            settings,
            path: Vec::new(),
        }
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
    pub fn search(&mut self, arena: &Arena, position: &mut Position, limits: Limits) -> Found {
        self.judge.begin(limits);
        self.catch_up();
        let is_ready = self.tree.nodes[0].is_complete || self.expand(arena, position, 0, usize::MAX, usize::MAX);
        while is_ready && self.tree.nodes[0].proof == Proof::Open && self.tree.nodes[0].count > 1 {
            if self.judge.is_late() || !self.visit(arena, position) {
                break;
            }
        }
        let mut found = self.found();
        if found.line.is_empty() {
            // Not one move could be evaluated, or there is none.
            let mut moves = Vec::new();
            position.moves(arena, &mut moves);
            found.line.extend(moves.first());
        }
        found
    }

    /// One way down and up again; `false` if it could not be done to the end.
    fn visit(&mut self, arena: &Arena, position: &mut Position) -> bool {
        self.path.clear();
        let mut node = 0;
        let mut own = 0.0;
        while self.tree.nodes[node as usize].visits > 0 || node == 0 {
            let Some(edge) = self.select(node) else { break };
            own = -self.tree.edges[edge].value;
            position.play(arena, self.tree.edges[edge].mv);
            self.path.push(edge);
            node = self.tree.child(edge);
        }
        let value = self.grow(arena, position, node, own);
        for &edge in self.path.iter().rev() {
            position.undo(arena, self.tree.edges[edge].mv);
        }
        let Some(value) = value else { return false };
        self.back_up(value);
        true
    }

    /// The value of a leaf, which gets its moves; of a node whose moves are all lost but not all known, which gets the rest.
    fn grow(&mut self, arena: &Arena, position: &mut Position, node: u32, own: f32) -> Option<f32> {
        let is_known = self.tree.nodes[node as usize].visits > 0;
        let (keep, slides) =
            if is_known { (usize::MAX, usize::MAX) } else { (self.settings.keep, self.settings.slides) };
        if !self.expand(arena, position, node, keep, slides) {
            return None;
        }
        let ahead = self.tree.moves(node).first().map_or(-1.0, |edge| edge.value.clamp(-1.0, 1.0));
        Some(match self.tree.nodes[node as usize].proof {
            Proof::Won => 1.0,
            Proof::Lost => -1.0,
            Proof::Open => match self.settings.playouts {
                Playouts::None => own + self.settings.ahead * (ahead - own),
                kind => self.playout.play(arena, position, kind),
            },
        })
    }

    /// Evaluates the moves of a node and keeps the best; `false` if the limits or the memory do not allow it.
    fn expand(&mut self, arena: &Arena, position: &mut Position, node: u32, keep: usize, slides: usize) -> bool {
        let children = self.judge.children(arena, position, keep, slides);
        if self.judge.is_stopped() || self.tree.is_full(children.len()) {
            if node == 0 && self.tree.nodes[0].count == 0 {
                let room = self.tree.edges.capacity() - self.tree.edges.len();
                self.tree.set_moves(0, edges(&children, &self.settings).into_iter().take(room));
            }
            return false;
        }
        let is_complete = children.len() as u64 == position.count_moves(arena);
        let mut edges = edges(&children, &self.settings);
        for old in self.tree.moves(node) {
            // What has been looked at already is kept.
            if let Some(edge) = edges.iter_mut().find(|edge| edge.mv == old.mv) {
                edge.child = old.child;
            }
        }
        self.tree.set_moves(node, edges);
        self.tree.nodes[node as usize].is_complete = is_complete;
        self.prove(node);
        true
    }

    /// The move to go on with; `None` if all moves known are lost.
    fn select(&self, node: u32) -> Option<usize> {
        let Settings { explore, widen, maxima, .. } = self.settings;
        let parent = &self.tree.nodes[node as usize];
        let visits = (parent.visits as f32).sqrt();
        let width = (FIRST + widen * visits) as usize;
        let moves = self.tree.moves(node);
        let top = moves.first()?.value;
        let mut best: Option<(f32, usize)> = None;
        let mut looked_at = 0;
        for (index, edge) in moves.iter().enumerate() {
            if edge.proof(&self.tree.nodes) == Proof::Won {
                continue;
            }
            let child = (edge.child != NONE).then(|| &self.tree.nodes[edge.child as usize]);
            let (value, own_visits) = match child.filter(|child| child.visits > 0) {
                Some(child) => (-(child.mean() + maxima * (child.best - child.mean())), child.visits),
                // Evaluations one ply apart cannot be compared, but those of siblings can.
                None => (parent.mean() + edge.value - top, 0),
            };
            let score = value + explore * edge.prior * visits / (1 + own_visits) as f32;
            if best.is_none_or(|(best, _)| score > best) {
                best = Some((score, index));
            }
            looked_at += 1;
            if looked_at >= width {
                break;
            }
        }
        best.map(|(_, index)| parent.first as usize + index)
    }

    /// Brings the value of the leaf up to the root.
    fn back_up(&mut self, leaf: f32) {
        let mut value = leaf;
        for depth in (0..=self.path.len()).rev() {
            let node = if depth == 0 { 0 } else { self.tree.edges[self.path[depth - 1]].child };
            let is_leaf = depth == self.path.len();
            self.prove(node);
            let best = if is_leaf { leaf } else { self.maximum(node) };
            let node = &mut self.tree.nodes[node as usize];
            match node.proof {
                Proof::Won => value = 1.0,
                Proof::Lost => value = -1.0,
                Proof::Open => {}
            }
            node.visits += 1;
            node.sum += value;
            node.best = if node.proof == Proof::Open { best } else { value };
            value = -value;
        }
    }

    /// The best visited move of a node by minimax.
    fn maximum(&self, node: u32) -> f32 {
        let visited = self.tree.moves(node).iter().filter(|edge| edge.child != NONE);
        let values = visited.map(|edge| &self.tree.nodes[edge.child as usize]).filter(|child| child.visits > 0);
        values.map(|child| -child.best).fold(-1.0, f32::max)
    }

    /// Notes whether the moves of a node decide it.
    fn prove(&mut self, node: u32) {
        let Tree { nodes, .. } = &self.tree;
        let moves = self.tree.moves(node);
        let proof = if moves.iter().any(|edge| edge.proof(nodes) == Proof::Lost) {
            Proof::Won
        } else if nodes[node as usize].is_complete && moves.iter().all(|edge| edge.proof(nodes) == Proof::Won) {
            Proof::Lost
        } else {
            Proof::Open
        };
        self.tree.nodes[node as usize].proof = proof;
    }

    /// The move of the root to play: one that wins, or the most visited of those that do not lose.
    fn found(&self) -> Found {
        let mut line = Vec::new();
        let mut node = 0;
        while let Some(edge) = self.most_visited(node) {
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
        Found { value, nodes: self.judge.nodes(), visits: root.visits, line }
    }

    fn most_visited(&self, node: u32) -> Option<&Edge> {
        let nodes = &self.tree.nodes;
        let rank = |edge: &Edge| {
            let visits = if edge.child == NONE { 0 } else { nodes[edge.child as usize].visits };
            let proof = match edge.proof(nodes) {
                Proof::Lost => 2,
                Proof::Open => 1,
                Proof::Won => 0,
            };
            (proof, visits)
        };
        // The first of equals, which the evaluation likes best.
        self.tree.moves(node).iter().rev().max_by_key(|edge| rank(edge))
    }
}

/// Children as edges, with values from -1 to 1 and priors.
fn edges(children: &[Child], settings: &Settings) -> Vec<Edge> {
    let value = |value: i32| match value {
        value if value >= agon_search::CERTAIN => CERTAIN,
        value if value <= -agon_search::CERTAIN => -CERTAIN,
        value => libm::tanhf(value as f32 / (2.0 * VERTEX as f32 * settings.scale)),
    };
    let mut edges: Vec<Edge> = children
        .iter()
        .map(|child| Edge { mv: child.mv, value: value(child.value), prior: 0.0, child: NONE })
        .collect();
    let top = edges.first().map_or(0.0, |edge| edge.value);
    for edge in &mut edges {
        edge.prior = libm::expf((edge.value - top) / settings.warmth);
    }
    let sum: f32 = edges.iter().map(|edge| edge.prior).sum();
    edges.iter_mut().for_each(|edge| edge.prior /= sum);
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_boards::{Diagonals, Placement, parse};
    use agon_client_api::Options;
    use agon_search::Plan;

    #[test]
    fn a_full_tree_does_not_grow() {
        let board = parse("square:6", Placement::Figures, Diagonals::Natural).unwrap();
        let arena = Arena::new(&board, true);
        let limits = Limits { nodes: 100_000, plan: Plan { soft_us: u64::MAX, hard_us: u64::MAX }, clock: || 0 };
        for memory in [30_000, 60_000, 200_000] {
            let settings = Settings::read(&Options("keep = 1\nslides = 1"), memory).unwrap();
            let mut searcher = Searcher::new(&arena, settings, 0);
            let mut position = Position::start(&arena);
            let before = [&searcher.tree, &searcher.spare].map(|tree| (tree.nodes.capacity(), tree.edges.capacity()));
            for _ in 0..6 {
                // The second search begins with what has filled the tree.
                searcher.search(&arena, &mut position, limits);
                let found = searcher.search(&arena, &mut position, limits);
                assert!(position.allows(&arena, found.line[0]));
                position.play(&arena, found.line[0]);
                searcher.follow(found.line[0]);
            }
            let mut after =
                [&searcher.tree, &searcher.spare].map(|tree| (tree.nodes.capacity(), tree.edges.capacity()));
            after.sort_unstable();
            assert_eq!(after, before, "{memory} bytes");
        }
    }
}
