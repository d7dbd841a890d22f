//! The way down and up again: which move to go on with, and what a leaf says of everything above it.

use crate::options::Settings;
use crate::tree::{Edge, NONE, Node, Proof, Tree};

/// Children looked at however few visits there are.
const FIRST: f32 = 2.0;
/// The doubt about the value of a child that was visited once; less with the root of its visits.
const DOUBT: f32 = 0.3;

impl Tree {
    /// The edge to go on with; `None` if all moves known are lost, or none is known.
    pub fn select(&self, node: u32, settings: &Settings) -> Option<usize> {
        let Settings { explore, widen, maxima, trust, .. } = settings;
        let parent = &self.nodes[node as usize];
        let visits = (parent.visits as f32).sqrt();
        let width = (FIRST + widen * visits) as usize;
        let moves = self.moves(node);
        let top = moves.first()?.value;
        // Where what was visited has failed, the others are not as bad as that.
        let expected = parent.mean().max(top.min(1.0) - trust);
        let mut best: Option<(f32, usize)> = None;
        let mut looked_at = 0;
        for (index, edge) in moves.iter().enumerate() {
            if edge.proof(&self.nodes) == Proof::Won {
                continue;
            }
            let child = (edge.child != NONE).then(|| &self.nodes[edge.child as usize]);
            let (value, own_visits) = match child.filter(|child| child.visits > 0) {
                Some(child) => (-child.value(*maxima), child.visits),
                // Evaluations one ply apart cannot be compared, but those of siblings can.
                None => (expected + edge.value - top, 0),
            };
            let (value, own_visits) = with_pending(value, own_visits, child);
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

    /// Notes that a thread is below these edges, so that others rather look elsewhere; or that it is not any more.
    pub fn mark(&mut self, path: &[usize], is_below: bool) {
        for &edge in path {
            let pending = &mut self.nodes[self.edges[edge].child as usize].pending;
            *pending = if is_below { *pending + 1 } else { pending.saturating_sub(1) };
        }
    }

    /// Brings the value of the leaf that the edges lead to up to the root.
    pub fn back_up(&mut self, path: &[usize], leaf: f32) {
        let mut value = leaf;
        for depth in (0..=path.len()).rev() {
            let node = if depth == 0 { 0 } else { self.edges[path[depth - 1]].child };
            let is_leaf = depth == path.len();
            self.prove(node);
            let best = if is_leaf { leaf } else { self.maximum(node) };
            let node = &mut self.nodes[node as usize];
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
        let visited = self.moves(node).iter().filter(|edge| edge.child != NONE);
        let values = visited.map(|edge| &self.nodes[edge.child as usize]).filter(|child| child.visits > 0);
        values.map(|child| -child.best).fold(-1.0, f32::max)
    }

    /// Notes whether the moves of a node decide it.
    pub fn prove(&mut self, node: u32) {
        let moves = self.moves(node);
        let proof = if moves.iter().any(|edge| edge.proof(&self.nodes) == Proof::Lost) {
            Proof::Won
        } else if self.nodes[node as usize].is_complete
            && moves.iter().all(|edge| edge.proof(&self.nodes) == Proof::Won)
        {
            Proof::Lost
        } else {
            Proof::Open
        };
        self.nodes[node as usize].proof = proof;
    }

    /// The move of a node to play: one that wins, or of those that do not lose the one whose value is best, less what
    /// few visits leave in doubt.
    pub fn best_move(&self, node: u32, settings: &Settings) -> Option<&Edge> {
        let rank = |edge: &Edge| {
            let proof = match edge.proof(&self.nodes) {
                Proof::Lost => 2,
                Proof::Open => 1,
                Proof::Won => 0,
            };
            let child = (edge.child != NONE).then(|| &self.nodes[edge.child as usize]);
            let value = child.filter(|child| child.visits > 0).map_or(f32::NEG_INFINITY, |child| {
                -child.value(settings.maxima) - DOUBT / (child.visits as f32).sqrt()
            });
            (proof, value)
        };
        // The first of equals, which the evaluation likes best.
        self.moves(node).iter().rev().max_by(|a, b| {
            let ((proof, value), (other_proof, other_value)) = (rank(a), rank(b));
            proof.cmp(&other_proof).then(value.total_cmp(&other_value))
        })
    }
}

/// As if each thread that is below a child had come back with a loss (Chaslot, Winands and van den Herik 2008).
fn with_pending(value: f32, visits: u32, child: Option<&Node>) -> (f32, u32) {
    let pending = child.map_or(0, |child| child.pending);
    if pending == 0 {
        return (value, visits);
    }
    let all = visits + pending;
    ((value * visits as f32 - pending as f32) / all as f32, all)
}
