//! The tree: nodes with their moves, in a fixed amount of memory; what lies below a move is kept when it is played.

use agon_search::Move;

/// No node.
pub const NONE: u32 = u32::MAX;

/// Whether the side to move at a node is certain to win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// Not known.
    #[default]
    Open,
    /// It wins.
    Won,
    /// It loses.
    Lost,
}

/// A position; all values are for its side to move, -1 to 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// Its moves are `edges[first..first + count]`.
    pub first: u32,
    pub count: u32,
    pub visits: u32,
    pub sum: f32,
    /// By minimax over the visited moves.
    pub best: f32,
    pub proof: Proof,
    /// Whether the edges are all legal moves.
    pub is_complete: bool,
}

impl Node {
    /// The average of what was found below.
    pub fn mean(&self) -> f32 {
        self.sum / self.visits.max(1) as f32
    }
}

/// A move of a node.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub mv: Move,
    /// What the evaluation says of the position after it, for the mover; beyond 1 either way if that is certain.
    pub value: f32,
    /// How likely it is the best one; the edges of a node sum up to 1.
    pub prior: f32,
    /// Where it leads, [`NONE`] before the first visit.
    pub child: u32,
}

/// Beyond any value of a position that is not decided.
pub const CERTAIN: f32 = 2.0;

impl Edge {
    /// What is certain of the position after the move, for the side to move there.
    pub fn proof(&self, nodes: &[Node]) -> Proof {
        if self.value >= CERTAIN {
            Proof::Lost
        } else if self.value <= -CERTAIN {
            Proof::Won
        } else if self.child == NONE {
            Proof::Open
        } else {
            nodes[self.child as usize].proof
        }
    }
}

/// Nodes and edges; node 0 is the root.
#[derive(Clone, Debug)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    most_bytes: usize,
}

impl Tree {
    /// A root without moves.
    pub fn new(bytes: u64) -> Tree {
        Tree { nodes: vec![Node::default()], edges: Vec::new(), most_bytes: bytes as usize }
    }

    /// Whether there is no memory for another node with so many moves.
    pub fn is_full(&self, moves: usize) -> bool {
        let bytes = (self.nodes.len() + 1) * size_of::<Node>() + (self.edges.len() + moves) * size_of::<Edge>();
        // Vectors that grow hold up to twice what they had, beside what they are copied from.
        bytes * 3 > self.most_bytes
    }

    /// The moves of a node.
    pub fn moves(&self, node: u32) -> &[Edge] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.edges[first as usize..(first + count) as usize]
    }

    /// Gives a node its moves, which stand at the end of the edges.
    pub fn set_moves(&mut self, node: u32, edges: impl IntoIterator<Item = Edge>) {
        let first = self.edges.len();
        self.edges.extend(edges);
        let node = &mut self.nodes[node as usize];
        (node.first, node.count) = (first as u32, (self.edges.len() - first) as u32);
    }

    /// The node that a move leads to, made if there is none.
    pub fn child(&mut self, edge: usize) -> u32 {
        if self.edges[edge].child == NONE {
            self.edges[edge].child = self.nodes.len() as u32;
            self.nodes.push(Node::default());
        }
        self.edges[edge].child
    }

    /// Makes the position after a move the root; what does not lie below is forgotten.
    pub fn follow(&mut self, mv: Move) {
        let child = self.moves(0).iter().find(|edge| edge.mv == mv).map_or(NONE, |edge| edge.child);
        let mut kept = Tree::new(self.most_bytes as u64);
        if child != NONE {
            kept.nodes[0] = self.nodes[child as usize];
            kept.adopt(self, child);
        }
        *self = kept;
    }

    /// Copies everything below the node `from` of another tree below the root of this one, breadth first.
    fn adopt(&mut self, other: &Tree, from: u32) {
        let mut sources = vec![from];
        let mut done = 0;
        while done < sources.len() {
            let edges = other.moves(sources[done]).iter().map(|edge| {
                let mut copy = *edge;
                if edge.child != NONE {
                    copy.child = sources.len() as u32;
                    sources.push(edge.child);
                    self.nodes.push(other.nodes[edge.child as usize]);
                }
                copy
            });
            let edges: Vec<Edge> = edges.collect();
            self.set_moves(done as u32, edges);
            done += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: u16, child: u32) -> Edge {
        Edge { mv: Move { from, to: 0, arrow: 0 }, value: 0.0, prior: 0.5, child }
    }

    #[test]
    fn what_lies_below_a_move_is_kept() {
        let mut tree = Tree::new(1 << 20);
        tree.set_moves(0, [edge(1, NONE), edge(2, NONE), edge(3, NONE)]);
        let (_, second) = (tree.child(0), tree.child(1));
        tree.nodes[second as usize].visits = 9;
        tree.set_moves(second, [edge(4, NONE), edge(5, NONE)]);
        let below = tree.edges.len() - 1;
        let leaf = tree.child(below);
        tree.nodes[leaf as usize].visits = 7;
        tree.follow(Move { from: 2, to: 0, arrow: 0 });
        assert_eq!((tree.nodes.len(), tree.edges.len(), tree.nodes[0].visits), (2, 2, 9));
        assert_eq!(tree.moves(0)[1].mv.from, 5);
        assert_eq!(tree.nodes[tree.moves(0)[1].child as usize].visits, 7);
        tree.follow(Move { from: 4, to: 0, arrow: 0 });
        assert_eq!((tree.nodes.len(), tree.edges.len(), tree.nodes[0].visits), (1, 0, 0));
    }

    #[test]
    fn memory_has_a_limit() {
        let tree = Tree::new(3000);
        assert!(!tree.is_full(30) && tree.is_full(60));
    }
}
