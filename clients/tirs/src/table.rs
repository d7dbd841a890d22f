//! A transposition table: what is known of positions that were searched before (Zobrist 1970, "A new hashing method").

use crate::board::{Board, CELLS, Cell};
use agon_client_api::chance::splitmix64;

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
    CARD_KEYS[usize::from(cell)]
}

/// The key of all cards that are left.
pub fn cards_key(board: &Board) -> u64 {
    board.cards().fold(0, |key, cell| key ^ card_key(cell))
}

/// The key of a position, from that of all cards that are left. Those that nobody can take any more make no difference to it.
pub fn position_key(board: &Board, cards: u64) -> u64 {
    let cursor = board.cursor().map_or(0, |cell| CURSOR_KEYS[usize::from(cell)]);
    board.out_of_reach().fold(cards ^ cursor, |key, cell| key ^ card_key(cell))
}

static CARD_KEYS: [u64; CELLS] = keys(0);
static CURSOR_KEYS: [u64; CELLS] = keys(CELLS as u64);

/// Random numbers, the same for ever: from this one of the sequence on.
const fn keys(first: u64) -> [u64; CELLS] {
    let mut keys = [0; CELLS];
    let mut at = 0;
    while at < CELLS {
        keys[at] = splitmix64(first + at as u64);
        at += 1;
    }
    keys
}
