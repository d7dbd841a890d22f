//! A transposition table: what is known of positions that were searched before (Zobrist 1970, "A new hashing method").

use crate::board::{Board, Cell};

/// What the value of an entry says of the position's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is at least this.
    #[default]
    Lower,
    /// It is at most this.
    Upper,
    /// It is this.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry {
    key: u64,
    /// For the player to move: points to come, less those of the other.
    pub value: i16,
    /// The card that was best, or refuted.
    pub best: Cell,
    /// Moves that were looked ahead, or [`COMPLETE`].
    pub depth: u8,
    /// What `value` says.
    pub bound: Bound,
}

/// `Entry::depth`: the value holds to the end of the match.
pub const COMPLETE: u8 = u8::MAX;

/// Positions by their key; a new one takes the place of an older one that is in its way.
pub struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// With room for a power of two of positions, at most `bytes` in all.
    pub fn new(bytes: u64) -> Table {
        let room = (bytes as usize / size_of::<Entry>()).max(2);
        Table { entries: vec![Entry::default(); 1 << room.ilog2()] }
    }

    /// What is known of the position with this key.
    pub fn get(&self, key: u64) -> Option<&Entry> {
        let entry = &self.entries[key as usize & (self.entries.len() - 1)];
        (entry.key == key).then_some(entry)
    }

    /// Keeps what is known of the position with this key.
    pub fn put(&mut self, key: u64, value: i32, best: Cell, depth: u8, bound: Bound) {
        let place = key as usize & (self.entries.len() - 1);
        self.entries[place] = Entry { key, value: value as i16, best, depth, bound };
    }
}

/// The key of a card that is left.
pub fn card_key(cell: Cell) -> u64 {
    mix(u64::from(cell))
}

/// The key of the cursor on a cell.
pub fn cursor_key(cell: Cell) -> u64 {
    mix(u64::from(cell) | 1 << 32)
}

/// The key of all cards that are left.
pub fn cards_key(board: &Board) -> u64 {
    board.cards().fold(0, |key, cell| key ^ card_key(cell))
}

/// SplitMix64 (Steele et al. 2014).
fn mix(number: u64) -> u64 {
    let mixed = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
