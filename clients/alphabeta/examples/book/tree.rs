//! The tree of a book (Buro 1999; Lincke 2000). Each position in it has been searched; each keeps, beside the moves that
//! lead to others, the best of all other moves. The next one to be added is this best other move of a position that is
//! reached by few plies that lose little.

use agon_search::{Arena, BookFile, CERTAIN, Limits, Move, Place, Position, Row, Symmetries, VERTEX, WON};
use alphabeta::{Found, Searcher};
use std::collections::{HashMap, HashSet};

/// A ply more counts as much as a move that loses so much.
const PLY: i64 = VERTEX as i64 / 4;
/// Nothing is to be found out any more.
const NOTHING: i64 = i64::MAX / 2;

/// What is searched and kept.
pub struct Tree<'a> {
    arena: &'a Arena,
    symmetries: &'a Symmetries,
    searcher: Searcher,
    depth: u8,
    nodes: HashMap<u64, Node>,
    root: u64,
}

struct Node {
    position: Position,
    place: Place,
    /// Moves to positions of the tree, and their keys.
    children: Vec<(Move, u64)>,
    /// The best move that leads to none, and its value by a search of this position.
    spare: Option<(Move, i32)>,
}

/// What a position comes to by all that lies below it.
#[derive(Clone, Copy)]
pub struct Worth {
    /// For the side to move.
    pub value: i32,
    /// How many lines end below.
    pub lines: u32,
    /// What stands between here and the position to be added next: plies, and what their moves lose.
    cost: i64,
    /// The index of the child on the way there; none where it is the best other move.
    way: Option<usize>,
    /// The best move.
    best: Move,
}

type Known = HashMap<u64, Worth>;

impl<'a> Tree<'a> {
    /// The positions that a file has, from the start of the board on; the start alone where it has none.
    pub fn new(
        arena: &'a Arena,
        symmetries: &'a Symmetries,
        searcher: Searcher,
        depth: u8,
        file: Option<BookFile>,
    ) -> Self {
        let start = Position::start(arena);
        let root = symmetries.place(arena, &start).key;
        let mut tree = Tree { arena, symmetries, searcher, depth, nodes: HashMap::new(), root };
        if let Some(file) = file {
            tree.read(&file, start.clone());
        }
        if !tree.nodes.contains_key(&root) {
            tree.add(start);
        }
        tree
    }

    /// Takes a position of a file, and all that it leads to there.
    fn read(&mut self, file: &BookFile, position: Position) {
        let place = self.symmetries.place(self.arena, &position);
        if self.nodes.contains_key(&place.key) || file.of(place.key).next().is_none() {
            return;
        }
        let (mut children, mut spare, mut next) = (Vec::new(), None, Vec::new());
        for row in file.of(place.key) {
            let mv = self.symmetries.from(place, row.mv);
            let Some(child) = self.after(&position, mv) else { continue };
            let key = self.symmetries.place(self.arena, &child).key;
            if file.of(key).next().is_some() {
                children.push((mv, key));
                next.push(child);
            } else {
                spare = Some((mv, row.value));
            }
        }
        self.nodes.insert(place.key, Node { position, place, children, spare });
        next.into_iter().for_each(|child| self.read(file, child));
    }

    fn after(&self, position: &Position, mv: Move) -> Option<Position> {
        let mut after = position.clone();
        position.allows(self.arena, mv).then(|| after.play(self.arena, mv))?;
        Some(after)
    }

    /// How many positions have been searched.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a position; `false` if there is none that could tell more.
    pub fn grow(&mut self) -> bool {
        let mut known = Known::new();
        let (mut key, mut worth) = (self.root, self.worth(self.root, &mut known));
        if worth.cost >= NOTHING {
            return false;
        }
        while let Some((_, child)) = worth.way.and_then(|way| self.nodes[&key].children.get(way)) {
            (key, worth) = (*child, known[child]);
        }
        self.widen(key);
        true
    }

    /// Makes the best other move of a position one of the tree, and looks for the next one.
    fn widen(&mut self, key: u64) {
        let Node { position, spare, .. } = &self.nodes[&key];
        let (position, Some((mv, _))) = (position.clone(), *spare) else { return };
        let mut child = position.clone();
        child.play(self.arena, mv);
        let child_key = self.add(child);
        if let Some(node) = self.nodes.get_mut(&key) {
            node.children.push((mv, child_key));
        }
        let spare = self.search(&position, &self.alike(&position, key));
        if let Some(node) = self.nodes.get_mut(&key) {
            node.spare = spare;
        }
    }

    /// All moves of a position that come to the same as one that the tree has.
    fn alike(&self, position: &Position, key: u64) -> Vec<Move> {
        let children: HashSet<u64> = self.nodes[&key].children.iter().map(|(_, child)| *child).collect();
        let (mut position, mut moves) = (position.clone(), Vec::new());
        position.moves(self.arena, &mut moves);
        moves.retain(|mv| {
            position.play(self.arena, *mv);
            let is_known = children.contains(&self.symmetries.place(self.arena, &position).key);
            position.undo(self.arena, *mv);
            is_known
        });
        moves
    }

    /// Searches a position, unless the tree has it; its key.
    fn add(&mut self, position: Position) -> u64 {
        let place = self.symmetries.place(self.arena, &position);
        if !self.nodes.contains_key(&place.key) {
            let spare = self.search(&position, &[]);
            self.nodes.insert(place.key, Node { position, place, children: Vec::new(), spare });
        }
        place.key
    }

    /// The best move but these, and its value: the mean of the last two depths, as values swing from ply to ply.
    fn search(&mut self, position: &Position, without: &[Move]) -> Option<(Move, i32)> {
        let mut to = |depth| {
            let limits = Limits::of_nodes(u64::MAX);
            self.searcher.search_without(self.arena, &mut position.clone(), depth, limits, without)
        };
        let [Found { value: before, .. }, Found { value, line, .. }] = [to(self.depth - 1), to(self.depth)];
        let is_certain = value.abs() >= CERTAIN || before.abs() >= CERTAIN;
        Some((*line.first()?, if is_certain { value } else { i32::midpoint(before, value) }))
    }

    /// What a position comes to, and all below it.
    fn worth(&self, key: u64, known: &mut Known) -> Worth {
        if let Some(worth) = known.get(&key) {
            return *worth;
        }
        let node = &self.nodes[&key];
        let mut ways: Vec<(Move, Worth)> = Vec::new();
        for (way, (mv, child)) in node.children.iter().enumerate() {
            let below = self.worth(*child, known);
            ways.push((*mv, Worth { value: -below.value, way: Some(way), ..below }));
        }
        ways.extend(node.spare.map(|(mv, value)| (mv, Worth { value, lines: 1, cost: 0, way: None, best: mv })));
        let lost = Worth { value: -WON, lines: 1, cost: NOTHING, way: None, best: Move::NONE };
        let (best, worth) = ways.iter().max_by_key(|(_, way)| way.value).copied().unwrap_or((Move::NONE, lost));
        let loss = |way: &Worth| way.cost + PLY + i64::from(worth.value) - i64::from(way.value);
        let next = ways.iter().map(|(_, way)| (loss(way), way.way)).min_by_key(|(cost, _)| *cost);
        let (cost, way) = next.filter(|_| worth.value.abs() < CERTAIN).unwrap_or((NOTHING, None));
        let lines = ways.iter().fold(0u32, |lines, (_, way)| lines.saturating_add(way.lines)).max(1);
        let worth = Worth { lines, cost, way, best, ..worth };
        known.insert(key, worth);
        worth
    }

    /// All moves as a file keeps them, the best of each position first.
    pub fn rows(&self) -> Vec<Row> {
        let mut known = Known::new();
        let mut rows = Vec::new();
        for (&key, node) in &self.nodes {
            let row = |mv, value, lines| Row { key, value, lines, mv: self.symmetries.to(node.place, mv) };
            let mut all: Vec<Row> = node.spare.iter().map(|&(mv, value)| row(mv, value, 1)).collect();
            for &(mv, child) in &node.children {
                let Worth { value, lines, .. } = self.worth(child, &mut known);
                all.push(row(mv, -value, lines));
            }
            all.sort_by_key(|row| std::cmp::Reverse(row.value));
            rows.extend(all);
        }
        rows
    }

    /// What the start comes to, and the best moves from there on.
    pub fn main_line(&self) -> (Worth, Vec<Move>) {
        let mut known = Known::new();
        let root = self.worth(self.root, &mut known);
        let (mut key, mut line) = (self.root, Vec::new());
        while let Some(Worth { best, .. }) = known.get(&key).filter(|worth| worth.best != Move::NONE) {
            line.push(*best);
            let Some((_, child)) = self.nodes[&key].children.iter().find(|(mv, _)| mv == best) else { break };
            key = *child;
        }
        (root, line)
    }
}
