//! A transposition table: results of searches about positions, in a fixed amount of memory.

use crate::position::Move;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// The kind of a value: exact, or a bound.
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

/// The knowledge about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// For the side to move.
    pub value: i32,
    /// The best move, or the one that refuted; [`Move::NONE`] if there is none.
    pub best: Move,
    /// How many plies were searched.
    pub depth: u8,
    /// The meaning of `value` as a bound.
    pub bound: Bound,
    age: u8,
}

/// Three words: the hash, mixed with the others, so that an entry that two threads wrote at once belongs to no position
/// (Hyatt and Mann 2002); value, depth, bound and age; the move.
type Place = [AtomicU64; 3];

/// The table, for several threads at once: of the two places of a position, one keeps the deepest, the other the
/// latest.
#[derive(Debug)]
pub struct TranspositionTable {
    places: Vec<[Place; 2]>,
    age: AtomicU8,
}

impl TranspositionTable {
    /// A table of at most this many bytes; the number of buckets is a power of two, at least one.
    pub fn new(bytes: u64) -> TranspositionTable {
        let most = (bytes / size_of::<[Place; 2]>() as u64).max(1);
        let mut places = Vec::new();
        places.resize_with(1 << most.ilog2().min(26), Default::default);
        TranspositionTable { places, age: AtomicU8::new(0) }
    }

    /// The entry of the position with this hash.
    #[inline]
    pub fn get(&self, hash: u64) -> Option<Entry> {
        let known = self.places[self.index(hash)].iter().map(read);
        let (_, entry) = known.into_iter().find(|(key, entry)| *key == hash && entry.depth > 0)?;
        Some(Entry { depth: self.weight(&entry), ..entry })
    }

    /// Notes what has been found; `depth` is at least 1.
    #[inline]
    pub fn put(&self, hash: u64, depth: u8, value: i32, bound: Bound, best: Move) {
        let [deep, late] = &self.places[self.index(hash)];
        let (key, known) = read(deep);
        let entry = Entry { value, best, depth, bound, age: self.age.load(Relaxed) };
        if key == hash || depth >= self.weight(&known) {
            if key != hash {
                write(late, key, known);
            }
            write(deep, hash, entry);
        } else {
            write(late, hash, entry);
        }
    }

    /// Makes room for what comes: what is known counts as one ply deep from now on, and is kept until something new
    /// needs its place.
    pub fn age(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    /// How deep an entry counts as.
    #[inline]
    fn weight(&self, entry: &Entry) -> u8 {
        if entry.age == self.age.load(Relaxed) { entry.depth } else { entry.depth.min(1) }
    }

    #[inline]
    fn index(&self, hash: u64) -> usize {
        hash as usize & (self.places.len() - 1)
    }
}

/// The hash and what is known.
#[inline]
fn read(place: &Place) -> (u64, Entry) {
    let [mixed, facts, best] = place.each_ref().map(|word| word.load(Relaxed));
    let entry = Entry {
        value: facts as u32 as i32,
        best: Move { from: best as u16, to: (best >> 16) as u16, arrow: (best >> 32) as u16 },
        depth: (facts >> 32) as u8,
        bound: [Bound::Least, Bound::Most, Bound::Exact, Bound::Exact][(facts >> 40) as usize & 3],
        age: (facts >> 48) as u8,
    };
    (mixed ^ facts ^ best, entry)
}

#[inline]
fn write(place: &Place, hash: u64, entry: Entry) {
    let Move { from, to, arrow } = entry.best;
    let best = u64::from(from) | u64::from(to) << 16 | u64::from(arrow) << 32;
    let (bound, age) = ((entry.bound as u64) << 40, u64::from(entry.age) << 48);
    let facts = u64::from(entry.value as u32) | u64::from(entry.depth) << 32 | bound | age;
    for (word, value) in place.iter().zip([hash ^ facts ^ best, facts, best]) {
        word.store(value, Relaxed);
    }
}

/// Values of evaluated positions, each in one place; the latest stays.
#[derive(Clone, Debug)]
pub struct ValueCache {
    entries: Vec<(u32, i32)>,
}

impl ValueCache {
    /// A table of at most this many bytes; the number of places is a power of two, at least one.
    pub fn new(bytes: u64) -> ValueCache {
        ValueCache { entries: vec![(0, 0); 1 << (bytes / 8).max(1).ilog2().min(26)] }
    }

    /// The number noted for this hash.
    #[inline]
    pub fn get(&self, hash: u64) -> Option<i32> {
        let (key, value) = self.entries[self.index(hash)];
        (key == check(hash)).then_some(value)
    }

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
        let table = TranspositionTable::new(0);
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
    fn entries_come_out_as_they_went_in() {
        let table = TranspositionTable::new(0);
        let best = Move { from: 4095, to: 7, arrow: u16::MAX };
        for (value, bound) in [(-1, Bound::Exact), (i32::MIN, Bound::Most), (i32::MAX, Bound::Least)] {
            table.put(u64::MAX, 255, value, bound, best);
            let expected = Entry { value, best, depth: 255, bound, age: 0 };
            assert_eq!(table.get(u64::MAX), Some(expected));
        }
    }

    #[test]
    fn threads_never_see_what_nobody_wrote() {
        // Interpreted, each step takes a thousand times as long.
        let rounds = if cfg!(miri) { 100 } else { 20_000u32 };
        let table = TranspositionTable::new(0);
        let put = |thread: u16| {
            // As far apart as positions' are, and `from` where no bit of the value is: a word of one entry with two of
            // another is none of a third.
            let hash = u64::from(thread + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for round in 0..rounds {
                let best = Move { from: thread << 8, to: round as u16, arrow: 0 };
                table.put(hash, 1, (round as i32) << 2 | i32::from(thread), Bound::Exact, best);
                let Some(entry) = table.get(hash) else { continue };
                assert_eq!((entry.value & 3, entry.best.from), (i32::from(thread), thread << 8));
                assert_eq!((entry.value >> 2) as u16, entry.best.to);
            }
        };
        std::thread::scope(|scope| (0..4).for_each(|thread| drop(scope.spawn(move || put(thread)))));
    }

    #[test]
    fn memory_is_kept_within_its_limit() {
        assert!(size_of_val(&TranspositionTable::new(1 << 20).places[..]) <= 1 << 20);
        assert!(size_of_val(&ValueCache::new(1000).entries[..]) <= 1000);
    }
}
