//! A transposition table: what is known of positions that were searched before.

use crate::cards::Card;

/// The knowledge about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position is worth at least this to the player to move.
    pub lower: i32,
    /// It is worth at most this.
    pub upper: i32,
    /// The card that was best, or good enough.
    pub best: Card,
    /// Moves that were looked ahead for that.
    pub depth: u32,
}

/// Positions by their key; a new one takes the place of an older one that is in its way.
pub struct TranspositionTable {
    /// A key and an entry in 64 bits: zeros that the system gives are not touched before they are needed.
    entries: Vec<[u64; 2]>,
}

impl TranspositionTable {
    /// With room for a power of two of positions, at most `bytes` in all.
    pub fn new(bytes: u64) -> TranspositionTable {
        let room = (bytes as usize / size_of::<[u64; 2]>()).max(2);
        TranspositionTable { entries: vec![[0; 2]; 1 << room.ilog2()] }
    }

    /// The entry of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        let [found, entry] = self.entries[key as usize & (self.entries.len() - 1)];
        (found == key).then(|| Entry::unpack(entry))
    }

    /// Keeps what is known of the position with this key. What was found before with the same depth still holds.
    #[inline]
    pub fn put(&mut self, key: u64, mut entry: Entry) {
        let place = key as usize & (self.entries.len() - 1);
        if let Some(old) = self.get(key).filter(|old| old.depth == entry.depth) {
            (entry.lower, entry.upper) = (entry.lower.max(old.lower), entry.upper.min(old.upper));
        }
        self.entries[place] = [key, entry.pack()];
    }
}

impl Entry {
    fn pack(self) -> u64 {
        let part = |value: i32| u64::from(value as i16 as u16);
        part(self.lower) | part(self.upper) << 16 | (self.best as u64) << 32 | u64::from(self.depth) << 48
    }

    fn unpack(bits: u64) -> Entry {
        let value = |bits: u64| i32::from(bits as u16 as i16);
        let (best, depth) = ((bits >> 32) as u16, (bits >> 48) as u16);
        Entry { lower: value(bits), upper: value(bits >> 16), best: best.into(), depth: depth.into() }
    }
}
