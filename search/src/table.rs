//! A transposition table: what searches have found out about positions, in a fixed amount of memory.

use crate::position::Move;

/// What a value says about the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is worth that much or more.
    #[default]
    Least,
    /// It is worth that much or less.
    Most,
    /// It is worth exactly that.
    Exact,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    key: u64,
    /// For the side to move.
    pub value: i32,
    /// The best move, or the one that refuted; [`Move::NONE`] if there is none.
    pub best: Move,
    /// How many plies were searched.
    pub depth: u8,
    /// What `value` says.
    pub bound: Bound,
    age: u8,
}

const EMPTY: Entry = Entry { key: 0, value: 0, best: Move::NONE, depth: 0, bound: Bound::Least, age: 0 };

/// The table: of the two places of a position, one keeps the deepest, the other the latest.
#[derive(Clone, Debug)]
pub struct Table {
    entries: Vec<[Entry; 2]>,
    age: u8,
}

impl Table {
    /// With at most so many bytes, at least one bucket; a power of two of them.
    pub fn new(bytes: u64) -> Table {
        let most = (bytes / size_of::<[Entry; 2]>() as u64).max(1);
        Table { entries: vec![[EMPTY; 2]; 1 << most.ilog2().min(26)], age: 0 }
    }

    /// What is known about the position with this hash.
    #[inline]
    pub fn get(&self, hash: u64) -> Option<Entry> {
        let entry = self.entries[self.index(hash)].into_iter().find(|entry| entry.key == hash && entry.depth > 0)?;
        Some(Entry { depth: self.weight(&entry), ..entry })
    }

    /// Notes what has been found; `depth` is at least 1.
    #[inline]
    pub fn put(&mut self, hash: u64, depth: u8, value: i32, bound: Bound, best: Move) {
        let index = self.index(hash);
        let weight = self.weight(&self.entries[index][0]);
        let [deep, late] = &mut self.entries[index];
        let entry = Entry { key: hash, value, best, depth, bound, age: self.age };
        if deep.key == hash || depth >= weight {
            if deep.key != hash {
                *late = *deep;
            }
            *deep = entry;
        } else {
            *late = entry;
        }
    }

    /// Makes room for what comes: what is known counts as one ply deep from now on, and is kept until something new needs its place.
    pub fn age(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// How deep an entry counts as.
    #[inline]
    fn weight(&self, entry: &Entry) -> u8 {
        if entry.age == self.age { entry.depth } else { entry.depth.min(1) }
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.entries.len() - 1)
    }
}

/// Values of evaluated positions, each in one place; the latest stays.
#[derive(Clone, Debug)]
pub struct ValueCache {
    entries: Vec<(u32, i32)>,
}

impl ValueCache {
    /// With at most so many bytes, at least one place; a power of two of them.
    pub fn new(bytes: u64) -> ValueCache {
        ValueCache { entries: vec![(0, 0); 1 << (bytes / 8).max(1).ilog2().min(26)] }
    }

    /// The number noted for this hash.
    #[inline]
    pub fn get(&self, hash: u64) -> Option<i32> {
        let (key, value) = self.entries[self.index(hash)];
        (key == check(hash)).then_some(value)
    }

    /// Notes a number.
    #[inline]
    pub fn put(&mut self, hash: u64, value: i32) {
        let index = self.index(hash);
        self.entries[index] = (check(hash), value);
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.entries.len() - 1)
    }
}

/// The part of the hash that the index does not tell, never that of an empty place.
#[inline]
fn check(hash: u64) -> u32 {
    (hash >> 32) as u32 | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_stays_and_the_latest_beside_it() {
        let mut table = Table::new(0);
        table.put(1, 5, 10, Bound::Exact, Move::NONE);
        table.put(2, 3, 20, Bound::Least, Move::NONE);
        table.put(3, 2, 30, Bound::Most, Move::NONE);
        assert_eq!(table.get(1).map(|entry| entry.value), Some(10));
        assert_eq!(table.get(2), None);
        assert_eq!(table.get(3).map(|entry| entry.value), Some(30));
        table.age();
        table.put(4, 1, 40, Bound::Exact, Move::NONE);
        assert_eq!((table.get(4).is_some(), table.get(1).is_some()), (true, true));
    }

    #[test]
    fn memory_is_kept_within_its_limit() {
        assert!(size_of_val(&Table::new(1 << 20).entries[..]) <= 1 << 20);
        assert!(size_of_val(&ValueCache::new(1000).entries[..]) <= 1000);
    }
}
