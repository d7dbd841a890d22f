//! The tree of a book. Each position in it has been searched, and keeps beside the moves that lead to others the best of
//! all other moves (Buro 1999). It grows by games: one side plays by the book, the other by short searches, until the
//! book has no answer; that position is searched.

use agon_games::{Rng, below, rng_from, seed_of};
use agon_search::{
    BoardTables, BookFile, BookMove, CERTAIN, CanonicalPosition, Move, Position, Row, SearchLimits, Symmetries, WON,
};
use alphabeta::{Found, Searcher, Settings};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Positions evaluated for a reply to the book: so many to begin with, and doubled so often at most.
const REPLY: (u64, u64) = (4_000, 7);

/// The tree of searched positions.
pub struct Tree<'a> {
    tables: &'a BoardTables,
    symmetries: &'a Symmetries,
    settings: Settings,
    searcher: Searcher,
    depth: u8,
    nodes: HashMap<u64, Node>,
    root: u64,
    games: u64,
}

struct Node {
    position: Position,
    place: CanonicalPosition,
    /// Moves to positions of the tree, and their keys.
    children: Vec<(Move, u64)>,
    /// The best move that leads to none, and its value by a search of this position.
    spare: Option<(Move, i32)>,
}

/// The worth of a position by everything below it: the value for the side to move, and the number of lines that end
/// there.
type Worth = (i32, u32);

impl<'a> Tree<'a> {
    /// The positions that a file has, from the start of the board on; the start alone where it has none.
    pub fn new(
        tables: &'a BoardTables,
        symmetries: &'a Symmetries,
        settings: Settings,
        depth: u8,
        file: Option<BookFile>,
    ) -> Self {
        let start = Position::start(tables);
        let root = symmetries.place(tables, &start).key;
        let (searcher, nodes) = (Searcher::new(tables, &settings), HashMap::new());
        let mut tree = Tree { tables, symmetries, settings, searcher, depth, nodes, root, games: 0 };
        if let Some(file) = file {
            tree.read(&file, start.clone());
        }
        tree.games = (tree.count() as u64) << 32;
        tree.add(&start);
        tree
    }

    /// Takes a position of a file, and all that it leads to there.
    fn read(&mut self, file: &BookFile, position: Position) {
        let place = self.symmetries.place(self.tables, &position);
        if self.nodes.contains_key(&place.key) || file.of(place.key).next().is_none() {
            return;
        }
        let (mut children, mut spare, mut next) = (Vec::new(), None, Vec::new());
        for row in file.of(place.key) {
            let mv = self.symmetries.from(place, row.mv);
            if !position.allows(self.tables, mv) {
                continue;
            }
            let child = self.after(&position, mv);
            let key = self.symmetries.place(self.tables, &child).key;
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

    fn after(&self, position: &Position, mv: Move) -> Position {
        let mut after = position.clone();
        after.play(self.tables, mv);
        after
    }

    /// How many positions have been searched.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Plays a game until a position is new and searched; `false` if it was decided before.
    pub fn grow(&mut self) -> bool {
        let before = self.count();
        self.games += 1;
        let mut rng = rng_from(&seed_of(self.games));
        let mut other = Searcher::new(self.tables, &Settings { table: 1 << 22, ..self.settings.clone() });
        let (mut key, mut known) = (self.root, HashMap::new());
        let mut is_book = self.games.is_multiple_of(2);
        while self.count() == before {
            let mv =
                if is_book { self.answer(key, &mut known, &mut rng) } else { self.reply(key, &mut other, &mut rng) };
            let Some(mv) = mv.filter(|_| self.worth(key, &mut known).0.abs() < CERTAIN) else { return false };
            key = self.follow(key, mv);
            is_book = !is_book;
        }
        true
    }

    /// The move of the book.
    fn answer(&self, key: u64, known: &mut HashMap<u64, Worth>, rng: &mut Rng) -> Option<Move> {
        let moves = self.moves(key, known);
        BookMove::one_of(&moves, |bound| below(rng, bound)).map(|known| known.mv)
    }

    /// The move of a short search.
    fn reply(&self, key: u64, searcher: &mut Searcher, rng: &mut Rng) -> Option<Move> {
        let limits = SearchLimits::of_nodes(REPLY.0 << below(rng, REPLY.1));
        searcher.search(self.tables, &mut self.nodes[&key].position.clone(), u8::MAX, limits).line.first().copied()
    }

    /// The position after a move, which becomes one of the tree.
    fn follow(&mut self, key: u64, mv: Move) -> u64 {
        let position = self.nodes[&key].position.clone();
        let child = self.add(&self.after(&position, mv));
        let node = &self.nodes[&key];
        if node.children.iter().any(|(_, known)| *known == child) {
            return child;
        }
        let leads_there = node.spare.is_some_and(|(spare, _)| self.key_after(&position, spare) == child);
        if let Some(node) = self.nodes.get_mut(&key) {
            node.children.push((mv, child));
        }
        if leads_there {
            let spare = self.search(&position, &self.known_moves(key));
            if let Some(node) = self.nodes.get_mut(&key) {
                node.spare = spare;
            }
        }
        child
    }

    fn key_after(&self, position: &Position, mv: Move) -> u64 {
        self.symmetries.place(self.tables, &self.after(position, mv)).key
    }

    /// All moves of a position that come to one that the tree has below it.
    fn known_moves(&self, key: u64) -> Vec<Move> {
        let Node { position, children, .. } = &self.nodes[&key];
        let children: HashSet<u64> = children.iter().map(|(_, child)| *child).collect();
        let mut moves = Vec::new();
        position.clone().moves(self.tables, &mut moves);
        moves.retain(|mv| children.contains(&self.key_after(position, *mv)));
        moves
    }

    /// Searches a position, unless the tree has it; its key.
    fn add(&mut self, position: &Position) -> u64 {
        let place = self.symmetries.place(self.tables, position);
        if !self.nodes.contains_key(&place.key) {
            let spare = self.search(position, &[]);
            self.nodes.insert(place.key, Node { position: position.clone(), place, children: Vec::new(), spare });
        }
        place.key
    }

    /// The best move but these, and its value: the mean of the last two depths, as values swing from ply to ply.
    fn search(&mut self, position: &Position, without: &[Move]) -> Option<(Move, i32)> {
        let mut to = |depth| {
            let limits = SearchLimits::of_nodes(u64::MAX);
            self.searcher.search_without(self.tables, &mut position.clone(), depth, limits, without)
        };
        let [Found { value: before, .. }, Found { value, line, .. }] = [to(self.depth - 1), to(self.depth)];
        let is_certain = value.abs() >= CERTAIN || before.abs() >= CERTAIN;
        Some((*line.first()?, if is_certain { value } else { i32::midpoint(before, value) }))
    }

    /// The worth of a position, by everything below it.
    fn worth(&self, key: u64, known: &mut HashMap<u64, Worth>) -> Worth {
        if let Some(worth) = known.get(&key) {
            return *worth;
        }
        let moves = self.moves(key, known);
        let lines = moves.iter().fold(0u32, |lines, known| lines.saturating_add(known.lines)).max(1);
        // Who has no move has lost.
        let worth = (moves.first().map_or(-WON, |best| best.value), lines);
        known.insert(key, worth);
        worth
    }

    /// The moves of a position that are known, the best first.
    fn moves(&self, key: u64, known: &mut HashMap<u64, Worth>) -> Vec<BookMove> {
        let Node { children, spare, .. } = &self.nodes[&key];
        let mut moves: Vec<BookMove> = spare.iter().map(|&(mv, value)| BookMove { mv, value, lines: 1 }).collect();
        for &(mv, child) in children {
            let (value, lines) = self.worth(child, known);
            moves.push(BookMove { mv, value: -value, lines });
        }
        moves.sort_by_key(|known| Reverse(known.value));
        moves
    }

    /// All moves as a file keeps them, the best of each position first.
    pub fn rows(&self) -> Vec<Row> {
        let mut known = HashMap::new();
        let rows = |(&key, node): (&u64, &Node)| {
            let row = |BookMove { mv, value, lines }| Row { key, value, lines, mv: self.symmetries.to(node.place, mv) };
            self.moves(key, &mut known).into_iter().map(row).collect::<Vec<_>>()
        };
        self.nodes.iter().flat_map(rows).collect()
    }

    /// The worth of the start, and the best moves from there on.
    pub fn main_line(&self) -> (Worth, Vec<Move>) {
        let (mut known, mut line, mut key) = (HashMap::new(), Vec::new(), self.root);
        while let Some(best) = self.moves(key, &mut known).first() {
            line.push(best.mv);
            let Some((_, child)) = self.nodes[&key].children.iter().find(|(mv, _)| *mv == best.mv) else { break };
            key = *child;
        }
        (self.worth(self.root, &mut known), line)
    }
}
