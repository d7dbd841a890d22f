//! A block of the schedule, and its matches before they are played.

/// One line-up on one opening: the unit of schedule, of transaction and of statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The hash, in hex, of everything that decides how its matches go.
    pub id: String,
    /// Its place in the schedule, from 0.
    pub number: u64,
    /// Entrants by index, one for each seat, in the order of seats of the first rotation.
    pub lineup: Vec<usize>,
    /// The number of its matches: the line-up, shifted by one seat each time. Those beyond the number of seats have its
    /// order reversed.
    pub rotations: usize,
    /// The index of its setting (boards and other options).
    pub setting: usize,
    /// The number of the opening: the seed of the deal follows from it and the ladder's seed.
    pub opening: u64,
    /// The seed from which its clients' own seeds are drawn.
    pub client_seed: [u8; 32],
}

impl Block {
    /// Its matches: the line-up in its cyclic shifts, and then in reversed order.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> + '_ {
        (0..self.rotations).map(|rotation| {
            let mut seats = self.lineup.clone();
            if rotation >= seats.len() {
                seats.reverse();
            }
            let shift = rotation % seats.len().max(1);
            seats.rotate_left(shift);
            let letter = char::from(b'a' + rotation as u8);
            Pairing { id: format!("{}-{letter}", self.id), rotation, seats }
        })
    }
}

/// The id of the block to which a match with this id belongs.
pub fn block_of(id: &str) -> &str {
    id.split_once('-').map_or(id, |(block, _)| block)
}

/// One match of a block: the line-up, shifted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The block's id and rotation letter: `3f9a1c20-a`.
    pub id: String,
    /// The index of the match in the block, from 0.
    pub rotation: usize,
    /// The entrant of each seat, by index.
    pub seats: Vec<usize>,
}
