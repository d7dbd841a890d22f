//! The four rows on the table: the row for each card, and the cards that its player takes.

use super::abi::{APPENDED, SIXTH, TOO_LOW, Turn};

/// The number of rows.
pub(super) const ROWS: usize = 4;
/// The most cards in a row.
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

/// The cards of a row in one word: as bytes, the first one lowest, 0 where there is none; then their number, and their
/// heads. It is read and written as a whole, because reading a word with just-written parts takes a dozen cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row(u64);

/// The last card of each row as a byte. It is kept apart from the rows, because the next card depends on nothing else
/// of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends(u32);

/// The rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rows {
    rows: [Row; ROWS],
    ends: Ends,
}

/// The result of laying a card, for its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// `APPENDED`, `SIXTH` or `TOO_LOW`.
    pub kind: u8,
    /// The cards, none if the card was put behind the row.
    pub row: Row,
}

impl Row {
    /// The bytes that contain cards.
    const CARDS: u64 = (1 << (8 * CAPACITY)) - 1;

    fn new(cards: u64, size: u8, heads: u8) -> Row {
        Row(cards | u64::from(size) << 40 | u64::from(heads) << 48)
    }

    /// The cards in the order in which they were laid; 0 beyond the size.
    #[inline]
    pub fn cards(self) -> [u8; CAPACITY] {
        let [a, b, c, d, e, ..] = self.0.to_le_bytes();
        [a, b, c, d, e]
    }

    /// The number of cards.
    #[inline]
    pub fn size(self) -> u8 {
        (self.0 >> 40) as u8
    }

    /// The heads on the cards.
    #[inline]
    pub fn heads(self) -> u8 {
        (self.0 >> 48) as u8
    }

    /// The row with one more card.
    #[inline]
    fn with(self, card: u8) -> Row {
        let cards = self.0 & Row::CARDS | u64::from(card) << (8 * self.size());
        Row::new(cards, self.size() + 1, self.heads() + heads(card))
    }
}

impl Ends {
    #[inline]
    fn of(self, row: usize) -> u8 {
        (self.0 >> (8 * row)) as u8
    }

    #[inline]
    fn set(&mut self, row: usize, card: u8) {
        self.0 = self.0 & !(0xFF << (8 * row)) | u32::from(card) << (8 * row);
    }
}

impl Rows {
    /// Begins with rows of one card each.
    pub fn new(ends: [u8; ROWS]) -> Rows {
        Rows { rows: ends.map(|card| Row(0).with(card)), ends: Ends(u32::from_le_bytes(ends)) }
    }

    #[inline]
    pub fn each(&self) -> &[Row; ROWS] {
        &self.rows
    }

    /// Puts the rows into the data for all seats.
    #[inline]
    pub fn show(&self, turn: &mut Turn) {
        for (at, row) in self.rows.iter().enumerate() {
            (turn.rows[at], turn.row_size[at], turn.row_heads[at]) = (row.cards(), row.size(), row.heads());
        }
    }

    /// The row with the highest end below the card; `None` if the card is below all ends.
    #[inline]
    pub fn nearest(&self, card: u8) -> Option<usize> {
        const { assert!(MAX_CARD < 128) };
        // The number of cards between, modulo 256: an end above is further away than any end below.
        let between = |row: usize| card.wrapping_sub(self.ends.of(row)).wrapping_sub(1);
        let nearest = (0..ROWS).map(|row| usize::from(between(row)) << 2 | row).min().unwrap_or(usize::MAX);
        (nearest < 128 << 2).then_some(nearest & 3)
    }

    /// The row with the fewest heads, the first of several.
    pub fn cheapest(&self) -> usize {
        (1..ROWS).fold(0, |best, row| if self.rows[row].heads() < self.rows[best].heads() { row } else { best })
    }

    /// The row that the program of the course finds. It keeps the distance to row 0 as its best even if that is
    /// negative. So a card below the end of row 0 counts as too low, whatever the other rows are.
    pub fn as_in_the_course(&self, card: u8) -> usize {
        match self.nearest(card) {
            Some(row) if self.ends.of(0) < card => row,
            _ => self.cheapest(),
        }
    }

    /// Lays a card in a row: behind the others if that is allowed, else in place of them. The processor cannot predict
    /// which. So a branch would cost more than the mask that keeps all of the row or nothing.
    #[inline]
    pub fn lay(&mut self, card: u8, row: usize) -> Taken {
        let (fits, before) = (self.ends.of(row) < card, self.rows[row]);
        let appended = fits && usize::from(before.size()) < CAPACITY;
        let kept = Row(before.0 & if appended { u64::MAX } else { 0 });
        self.rows[row] = kept.with(card);
        self.ends.set(row, card);
        let kind = if fits { SIXTH } else { TOO_LOW };
        Taken { kind: if appended { APPENDED } else { kind }, row: Row(before.0 & !kept.0) }
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
        assert_eq!(low.rows.map(Row::heads), [4, 5, 6, 2]);
        assert_eq!((low.nearest(42), low.cheapest(), low.as_in_the_course(42)), (None, 3, 3));
    }

    #[test]
    fn forty_two_takes_what_it_must() {
        let mut table = rows([&[6, 7, 8], &[38, 39, 40], &[50, 60], &[103, 104]]);
        assert_eq!(table.lay(42, 1).row.size(), 0);
        assert_eq!((table.rows[1].cards(), table.rows[1].heads()), ([38, 39, 40, 42, 0], 6));

        let mut table = rows([&[6, 7, 8], &[35, 36, 38, 39, 40], &[50, 60], &[103, 104]]);
        let row = table.nearest(42).unwrap();
        let taken = table.lay(42, row);
        assert_eq!((row, taken.kind, taken.row.cards(), taken.row.heads()), (1, SIXTH, [35, 36, 38, 39, 40], 8));
        assert_eq!((table.rows[1].cards(), table.rows[1].heads()), ([42, 0, 0, 0, 0], 1));

        let mut table = rows([&[6, 7, 8, 98], &[38, 39, 90], &[50, 60], &[103, 104]]);
        let taken = table.lay(42, 3);
        assert_eq!(
            (taken.kind, taken.row.cards(), taken.row.size(), taken.row.heads()),
            (TOO_LOW, [103, 104, 0, 0, 0], 2, 2)
        );
        assert_eq!((table.rows[3].cards(), table.ends.of(3)), ([42, 0, 0, 0, 0], 42));
    }

    #[test]
    fn the_course_overlooks_rows_when_the_first_ends_above() {
        let mut table = rows([&[98], &[40], &[60], &[104]]);
        assert_eq!((table.nearest(42), table.as_in_the_course(42)), (Some(1), 0));
        let taken = table.lay(42, 0);
        assert_eq!((taken.kind, taken.row.heads()), (TOO_LOW, 1));
    }
}
