//! The symmetries of a board: which vertex takes the place of which. Positions that differ by one of them, or by
//! exchanged sides, have one key.

use crate::board_tables::BoardTables;
use crate::position::{Move, Position};
use crate::sets::NONE;
use agon_games::mix::splitmix64;

/// A board that is its own image in more ways is taken for one with so many: turns and mirrors of a square.
const MOST_SYMMETRIES: usize = 8;

/// One of them: the image of each vertex, and what each is the image of.
#[derive(Clone, Debug)]
struct Symmetry {
    image: Vec<u16>,
    origin: Vec<u16>,
}

/// Those of a board.
#[derive(Clone, Debug)]
pub struct Symmetries {
    all: Vec<Symmetry>,
    board: u64,
}

/// A position as all that are alike have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanonicalPosition {
    /// Equal for positions that are alike on boards that are the same, and on every machine.
    pub key: u64,
    /// Which of the symmetries leads there.
    symmetry: usize,
}

impl Symmetries {
    /// Finds them; the first leaves everything where it is.
    pub fn of(tables: &BoardTables) -> Symmetries {
        let count = tables.num_vertices() as u16;
        let anchor = (0..count).find(|vertex| has_edges(tables, *vertex)).unwrap_or(0);
        let turns = (0..8).map(|turn| (turn % 4 * 2, turn >= 4));
        let pairs = turns.flat_map(|turn| (0..count).map(move |target| (turn, target)));
        let none = Symmetry { image: (0..count).collect(), origin: (0..count).collect() };
        let found = pairs.filter_map(|(turn, target)| Symmetry::find(tables, anchor, target, turn));
        let found = found.filter(|symmetry| symmetry.image != none.image).take(MOST_SYMMETRIES - 1).collect::<Vec<_>>();
        Symmetries { all: std::iter::once(none).chain(found).collect(), board: board_key(tables) }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// A number for the board: its vertices, its edges and the rule of the arrow.
    pub fn board(&self) -> u64 {
        self.board
    }

    /// Where a position belongs.
    pub fn place(&self, tables: &BoardTables, position: &Position) -> CanonicalPosition {
        let pieces = pieces(tables, position);
        let key = |symmetry: &Symmetry| {
            pieces.iter().fold(0, |key, &(vertex, kind)| {
                key ^ tables.keys[usize::from(symmetry.image[usize::from(vertex)])][kind]
            })
        };
        let keys = self.all.iter().map(key).zip(0..);
        let (key, symmetry) = keys.min().unwrap_or_default();
        CanonicalPosition { key: key ^ self.board, symmetry }
    }

    /// A move as it is there.
    pub fn to(&self, place: CanonicalPosition, mv: Move) -> Move {
        moved(mv, &self.all[place.symmetry].image)
    }

    /// A move there as it is in the position.
    pub fn from(&self, place: CanonicalPosition, mv: Move) -> Move {
        moved(mv, &self.all[place.symmetry].origin)
    }
}

impl Symmetry {
    /// The one that turns directions by so many eighths to the right, perhaps after mirroring them, and takes `anchor`
    /// to `target`; `None` if there is none.
    fn find(tables: &BoardTables, anchor: u16, target: u16, (turn, is_mirrored): (usize, bool)) -> Option<Symmetry> {
        let count = tables.num_vertices();
        let mut symmetry = Symmetry { image: vec![NONE; count], origin: vec![NONE; count] };
        symmetry.set(anchor, target)?;
        let mut reached = vec![anchor];
        while let Some(vertex) = reached.pop() {
            let image = symmetry.image[usize::from(vertex)];
            for (direction, &next) in tables.next[usize::from(vertex)].iter().enumerate() {
                let turned = (if is_mirrored { 8 - direction } else { direction } + turn) % 8;
                let next_image = tables.next[usize::from(image)][turned];
                if (next == NONE) != (next_image == NONE) {
                    return None;
                }
                if next != NONE && symmetry.set(next, next_image)? {
                    reached.push(next);
                }
            }
        }
        symmetry.leave_holes(tables)
    }

    /// Notes an image, and whether it is new; `None` if it contradicts what is known.
    fn set(&mut self, vertex: u16, image: u16) -> Option<bool> {
        let known = (self.image[usize::from(vertex)], self.origin[usize::from(image)]);
        (self.image[usize::from(vertex)], self.origin[usize::from(image)]) = (image, vertex);
        (known == (NONE, NONE) || known == (image, vertex)).then_some(known.0 == NONE)
    }

    /// Vertices that nothing leads to and from stay; `None` if others were not reached.
    fn leave_holes(mut self, tables: &BoardTables) -> Option<Symmetry> {
        for vertex in 0..tables.num_vertices() as u16 {
            if self.image[usize::from(vertex)] == NONE
                && (has_edges(tables, vertex) || self.set(vertex, vertex).is_none())
            {
                return None;
            }
        }
        Some(self)
    }
}

/// A number for vertices, edges and the rule of the arrow.
fn board_key(tables: &BoardTables) -> u64 {
    let begin = splitmix64(2 * tables.num_vertices() as u64 + u64::from(tables.vacated_is_free));
    let edges = tables.next.iter().flatten().map(|next| u64::from(*next));
    edges.fold(begin, |key, next| splitmix64(key ^ next))
}

fn has_edges(tables: &BoardTables, vertex: u16) -> bool {
    tables.next[usize::from(vertex)].iter().any(|next| *next != NONE)
}

/// None if it is of vertices that there are not.
fn moved(mv: Move, to: &[u16]) -> Move {
    match [mv.from, mv.to, mv.arrow].map(|vertex| to.get(usize::from(vertex))) {
        [Some(&from), Some(&to), Some(&arrow)] => Move { from, to, arrow },
        _ => Move::NONE,
    }
}

/// The pieces on a board: queens of the side to move (0), of the other (1), and arrows (2)
fn pieces(tables: &BoardTables, position: &Position) -> Vec<(u16, usize)> {
    let side = position.side();
    let queens = [side, 1 - side].map(|side| position.queens(side));
    let is_queen = |vertex: &u16| queens.iter().any(|queens| queens.contains(vertex));
    let arrows =
        (0..tables.num_vertices() as u16).filter(|vertex| position.is_occupied(tables, *vertex) && !is_queen(vertex));
    let queens = (0..).zip(queens).flat_map(|(kind, queens)| queens.iter().map(move |queen| (*queen, kind)));
    queens.chain(arrows.map(|arrow| (arrow, 2))).collect()
}
