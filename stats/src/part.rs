//! An entrant's part in one independent unit: its seats, and sums over them.

use crate::estimate::Sums;

/// One entrant's part in one block, or in all blocks that began alike: seats, and sums over them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub seats: i128,
    pub points: i128,
    pub rank: i128,
    pub score: i128,
}

/// The sums of an entrant.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartSums {
    pub points: Sums,
    pub rank: Sums,
    pub score: Sums,
}

impl Part {
    pub fn add(&mut self, other: Part) {
        self.seats += other.seats;
        self.points += other.points;
        self.rank += other.rank;
        self.score += other.score;
    }
}

impl PartSums {
    pub fn add(&mut self, part: Part) {
        self.points.add(part.points, part.seats);
        self.rank.add(part.rank, part.seats);
        self.score.add(part.score, part.seats);
    }

    pub fn remove(&mut self, part: Part) {
        self.points.remove(part.points, part.seats);
        self.rank.remove(part.rank, part.seats);
        self.score.remove(part.score, part.seats);
    }

    pub fn merge(&mut self, other: &PartSums) {
        self.points.merge(&other.points);
        self.rank.merge(&other.rank);
        self.score.merge(&other.score);
    }
}
