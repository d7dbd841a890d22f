//! The four rows on the table: which row a card belongs to, and what its player takes.

use super::abi::{APPENDED, SIXTH, TOO_LOW};

/// How many rows there are.
pub(super) const ROWS: usize = 4;
/// Most cards in a row.
pub(super) const CAPACITY: usize = 5;
/// The highest card.
pub(super) const MAX_CARD: u8 = 104;

/// Heads on each card; 0 for the card 0, which does not exist.
const HEADS: [u8; MAX_CARD as usize + 1] = {
    let mut heads = [0; MAX_CARD as usize + 1];
    let mut card = 1;
    while card < heads.len() {
        heads[card] = match card {
            55 => 7,
            _ if card % 11 == 0 => 5,
            _ if card % 10 == 0 => 3,
            _ if card % 5 == 0 => 2,
            _ => 1,
        };
        card += 1;
    }
    heads
};

/// Heads on a card from 1 to 104, and 0 for every other number.
pub fn heads(card: u8) -> u8 {
    HEADS.get(card as usize).copied().unwrap_or(0)
}

/// The rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    /// In the order in which they were laid; 0 beyond `size`.
    pub cards: [[u8; CAPACITY]; ROWS],
    /// How many cards lie in each.
    pub size: [u8; ROWS],
    /// Heads on the cards of each.
    pub heads: [u8; ROWS],
    /// The last card of each.
    pub ends: [u8; ROWS],
}

/// What a card that was laid brought its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// `APPENDED`, `SIXTH` or `TOO_LOW`.
    pub kind: u8,
    /// In the order of the row; 0 beyond `count`.
    pub cards: [u8; CAPACITY],
    /// How many cards.
    pub count: u8,
    /// Heads on them.
    pub heads: u8,
}

impl Rows {
    /// Rows of one card each.
    pub fn new(ends: [u8; ROWS]) -> Rows {
        Rows { cards: ends.map(|card| [card, 0, 0, 0, 0]), size: [1; ROWS], heads: ends.map(heads), ends }
    }

    /// The row whose end is the highest one below the card; `None` if the card is below all ends.
    pub fn nearest(&self, card: u8) -> Option<usize> {
        (0..ROWS).filter(|row| self.ends[*row] < card).max_by_key(|row| self.ends[*row])
    }

    /// The row with the fewest heads, the first of several.
    pub fn cheapest(&self) -> usize {
        (1..ROWS).fold(0, |best, row| if self.heads[row] < self.heads[best] { row } else { best })
    }

    /// The row that the program of the course finds. It keeps the distance to row 0 as its best even when that is negative, so that
    /// a card below the end of row 0 counts as too low whatever the other rows are.
    pub fn as_in_the_course(&self, card: u8) -> usize {
        match self.nearest(card) {
            Some(row) if self.ends[0] < card => row,
            _ => self.cheapest(),
        }
    }

    /// Lays a card in a row: behind it if that is allowed, else in place of the cards that lie there.
    pub fn lay(&mut self, card: u8, row: usize) -> Taken {
        let size = self.size[row] as usize;
        let fits = self.ends[row] < card;
        self.ends[row] = card;
        if fits && size < CAPACITY {
            self.cards[row][size] = card;
            self.size[row] += 1;
            self.heads[row] += heads(card);
            return Taken { kind: APPENDED, cards: [0; CAPACITY], count: 0, heads: 0 };
        }
        let kind = if fits { SIXTH } else { TOO_LOW };
        let taken = Taken { kind, cards: self.cards[row], count: size as u8, heads: self.heads[row] };
        self.cards[row] = [card, 0, 0, 0, 0];
        self.size[row] = 1;
        self.heads[row] = heads(card);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(of: [&[u8]; ROWS]) -> Rows {
        let mut rows = Rows::new(of.map(|row| row[0]));
        for (row, cards) in of.iter().enumerate() {
            for card in &cards[1..] {
                assert_eq!(rows.lay(*card, row).kind, APPENDED);
            }
        }
        rows
    }

    #[test]
    fn the_deck_has_171_heads() {
        assert_eq!((1..=MAX_CARD).map(|card| u32::from(heads(card))).sum::<u32>(), 171);
        let with = |count| (1..=MAX_CARD).filter(|card| heads(*card) == count).count();
        assert_eq!([7, 5, 3, 2, 1].map(with), [1, 8, 10, 9, 76]);
        assert_eq!([1, 15, 20, 44, 55, 104].map(heads).iter().sum::<u8>(), 19);
        assert_eq!((heads(0), heads(105), heads(255)), (0, 0, 0));
    }

    #[test]
    fn forty_two_finds_its_row() {
        let fits = rows([&[6, 7, 8], &[38, 39, 40], &[50, 60], &[103, 104]]);
        assert_eq!((fits.nearest(42), fits.as_in_the_course(42)), (Some(1), 1));
        let low = rows([&[6, 7, 8, 98], &[38, 39, 90], &[50, 60], &[103, 104]]);
        assert_eq!(low.heads, [4, 5, 6, 2]);
        assert_eq!((low.nearest(42), low.cheapest(), low.as_in_the_course(42)), (None, 3, 3));
    }

    #[test]
    fn forty_two_takes_what_it_must() {
        let mut table = rows([&[6, 7, 8], &[38, 39, 40], &[50, 60], &[103, 104]]);
        assert_eq!(table.lay(42, 1).count, 0);
        assert_eq!((table.cards[1], table.heads[1]), ([38, 39, 40, 42, 0], 6));

        let mut table = rows([&[6, 7, 8], &[35, 36, 38, 39, 40], &[50, 60], &[103, 104]]);
        let row = table.nearest(42).unwrap();
        let taken = table.lay(42, row);
        assert_eq!((row, taken.kind, taken.cards, taken.heads), (1, SIXTH, [35, 36, 38, 39, 40], 8));
        assert_eq!((table.cards[1], table.heads[1]), ([42, 0, 0, 0, 0], 1));

        let mut table = rows([&[6, 7, 8, 98], &[38, 39, 90], &[50, 60], &[103, 104]]);
        let taken = table.lay(42, 3);
        assert_eq!((taken.kind, taken.cards, taken.count, taken.heads), (TOO_LOW, [103, 104, 0, 0, 0], 2, 2));
        assert_eq!((table.cards[3], table.ends[3]), ([42, 0, 0, 0, 0], 42));
    }

    #[test]
    fn the_course_overlooks_rows_when_the_first_ends_above() {
        let mut table = rows([&[98], &[40], &[60], &[104]]);
        assert_eq!((table.nearest(42), table.as_in_the_course(42)), (Some(1), 0));
        let taken = table.lay(42, 0);
        assert_eq!((taken.kind, taken.heads), (TOO_LOW, 1));
    }
}
