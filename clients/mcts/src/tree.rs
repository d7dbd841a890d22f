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
    /// Threads that are below it just now.
    pub pending: u32,
    pub sum: f32,
    /// By minimax over the visited moves.
    pub best: f32,
    pub proof: Proof,
    /// Whether the edges are all legal moves.
    pub is_complete: bool,
    /// Whether it has been worth a second look at its moves.
    pub is_wide: bool,
}

impl Node {
    /// The average of what was found below.
    pub fn mean(&self) -> f32 {
        self.sum / self.visits.max(1) as f32
    }

    /// The average, and that part of the way to the best found by minimax.
    pub fn value(&self, maxima: f32) -> f32 {
        self.mean() + maxima * (self.best - self.mean())
    }
}

/// A move of a node.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub mv: Move,
    /// The evaluation of the position after it, for the mover; beyond 1 either way if that is certain.
    pub value: f32,
    /// How likely it is the best one; the edges of a node sum up to 1.
    pub prior: f32,
    /// Where it leads, [`NONE`] before the first visit.
    pub child: u32,
}

/// Beyond any value of a position that is not decided.
pub const CERTAIN: f32 = 2.0;

impl Edge {
    /// The certain result of the position after the move, for the side to move there.
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
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// The part of the memory that is for nodes: enough for few moves each, and no more than is used becomes resident.
const NODES: usize = 5;

impl Tree {
    /// A root without moves. All memory is set apart now, so that it never grows in a turn.
    pub fn new(bytes: u64) -> Tree {
        let (bytes, part) = (bytes as usize, bytes as usize / NODES);
        let nodes = (part / size_of::<Node>()).max(1);
        let edges = (bytes - part) / size_of::<Edge>();
        let mut tree = Tree { nodes: Vec::with_capacity(nodes), edges: Vec::with_capacity(edges) };
        tree.nodes.push(Node::default());
        tree
    }

    /// Whether there is no memory for another node with so many moves.
    pub fn is_full(&self, moves: usize) -> bool {
        self.nodes.len() == self.nodes.capacity() || self.edges.len() + moves > self.edges.capacity()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::default());
        self.edges.clear();
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

    /// The node after these moves from the root, if it is known.
    pub fn find(&self, moves: &[Move]) -> Option<u32> {
        moves.iter().try_fold(0, |node, mv| {
            let edge = self.moves(node).iter().find(|edge| edge.mv == *mv)?;
            (edge.child != NONE).then_some(edge.child)
        })
    }

    /// Becomes what another tree has from a node on, breadth first.
    pub fn adopt(&mut self, other: &Tree, from: u32) {
        self.clear();
        self.nodes[0] = other.nodes[from as usize];
        let mut sources = vec![from];
        let mut done = 0;
        while done < sources.len() {
            let Tree { nodes, edges } = self;
            nodes[done].first = edges.len() as u32;
            edges.extend(other.moves(sources[done]).iter().map(|edge| {
                let mut copy = *edge;
                if edge.child != NONE {
                    copy.child = sources.len() as u32;
                    sources.push(edge.child);
                    nodes.push(other.nodes[edge.child as usize]);
                }
                copy
            }));
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
        let mv = |from| Move { from, to: 0, arrow: 0 };
        let mut kept = Tree::new(1 << 20);
        kept.adopt(&tree, tree.find(&[mv(2)]).unwrap());
        assert_eq!((kept.nodes.len(), kept.edges.len(), kept.nodes[0].visits), (2, 2, 9));
        assert_eq!(kept.moves(0)[1].mv.from, 5);
        assert_eq!(kept.nodes[kept.moves(0)[1].child as usize].visits, 7);
        assert_eq!(
            (tree.find(&[mv(2), mv(5)]), tree.find(&[mv(2), mv(4)]), tree.find(&[mv(9)])),
            (Some(leaf), None, None)
        );
    }

    #[test]
    fn memory_has_a_limit() {
        let tree = Tree::new(3000);
        assert!(!tree.is_full(30) && tree.is_full(200));
    }
}
