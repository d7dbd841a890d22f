//! The least and the most moves that a side can make in its own regions, and a memory of results.

use std::fmt;

/// How many moves can be made: at least and at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// The number of certain moves.
    pub least: u32,
    /// No more moves than these are possible.
    pub most: u32,
}

impl fmt::Display for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Room { least, most } = self;
        if self.is_exact() { write!(f, "{least}") } else { write!(f, "{least} to {most}") }
    }
}

impl Room {
    /// Whether it is known how many.
    pub fn is_exact(self) -> bool {
        self.least == self.most
    }

    /// The room of both regions together.
    #[must_use]
    pub(crate) fn and(self, other: Room) -> Room {
        Room { least: self.least + other.least, most: self.most + other.most }
    }
}

/// The known room of a region, by its hash, and the amount of work in vain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    pub room: Room,
    /// The logarithm of the moves that were looked at without an exact result.
    pub tried: u8,
}

/// The rooms of regions: two places for each, one for the larger region and one for the latest.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    places: Vec<[Place; 2]>,
    /// Moves looked at so far by those who use it.
    pub spent: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    hash: u64,
    least: u8,
    most: u8,
    tried: u8,
}

impl Memory {
    /// A memory of at most this many bytes; the number of places is a power of two.
    pub fn new(bytes: usize) -> Memory {
        let places = (bytes / size_of::<[Place; 2]>()).max(1);
        Memory { places: vec![Default::default(); 1 << places.ilog2()], spent: 0 }
    }

    #[inline]
    pub fn get(&self, hash: u64) -> Option<Known> {
        let place = self.places[hash as usize & (self.places.len() - 1)].iter().find(|place| place.hash == hash)?;
        let room = Room { least: place.least.into(), most: place.most.into() };
        Some(Known { room, tried: place.tried })
    }

    /// Rooms beyond 255 moves are not kept.
    #[inline]
    pub fn put(&mut self, hash: u64, known: Known) {
        let Known { room: Room { least, most }, tried } = known;
        let (Ok(least), Ok(most)) = (u8::try_from(least), u8::try_from(most)) else { return };
        let last = self.places.len() - 1;
        let [large, late] = &mut self.places[hash as usize & last];
        let place = Place { hash, least, most, tried };
        if large.hash == hash {
            *large = place;
        } else if late.hash == hash || most < large.most {
            *late = place;
        } else {
            (*late, *large) = (*large, place);
        }
    }
}
