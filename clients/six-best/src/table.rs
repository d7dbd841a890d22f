//! The four rows, one game at a time: which row a card belongs to, what its player takes, and how well a card fits by
//! its gap. The plain counterpart of `lanes.rs`.

/// How many rows there are.
pub const ROWS: usize = 4;
/// Most cards in a row.
pub const CAPACITY: u8 = 5;
/// Where the keys of cards begin that take a row: above all gaps.
pub const TAKES: i16 = 128;
/// Bits of a key below the gap or the price: the card itself, so that the lower of two equal ones comes first.
pub const CARD_BITS: i16 = 7;

/// Heads on each card below 128.
const HEADS: [u8; 128] = {
    let mut heads = [1; 128];
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

/// Heads on a card from 1 to 104.
#[inline]
pub const fn heads(card: u8) -> u8 {
    HEADS[(card & 127) as usize]
}

/// The relevant facts of a row: its last card, its number of cards, and the heads on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The last card.
    pub end: u8,
    /// 1 to 5.
    pub size: u8,
    /// 1 to 27.
    pub heads: u8,
}

/// The rows, and how a card finds its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// From the top.
    pub rows: [Row; ROWS],
    /// By the search of the course's program, which overlooks rows 2 to 4 where row 1 ends above the card.
    pub is_exact: bool,
}

impl Row {
    /// A row of these cards.
    pub fn of(cards: &[u8]) -> Row {
        let heads = cards.iter().map(|card| heads(*card)).sum();
        Row { end: cards.last().copied().unwrap_or(0), size: cards.len() as u8, heads }
    }
}

impl Table {
    /// The row with the fewest heads, the first of several.
    #[inline]
    pub fn cheapest(&self) -> usize {
        (1..ROWS).fold(0, |best, row| if self.rows[row].heads < self.rows[best].heads { row } else { best })
    }

    /// The row whose end is the highest one below the card, if there is one.
    #[inline]
    pub fn nearest(&self, card: u8) -> Option<usize> {
        // How many cards there are between, modulo 256: to an end above more than to any end below.
        let between = |row: usize| card.wrapping_sub(self.rows[row].end).wrapping_sub(1);
        let nearest = (0..ROWS).map(|row| usize::from(between(row)) << 2 | row).min().unwrap_or(usize::MAX);
        (nearest < 128 << 2).then_some(nearest & 3)
    }

    /// The row that a card goes to; a card that is too low, to the cheapest.
    #[inline]
    pub fn row_of(&self, card: u8) -> usize {
        let nearest = self.nearest(card).filter(|_| !self.is_exact || self.rows[0].end < card);
        nearest.unwrap_or_else(|| self.cheapest())
    }

    /// Whether a card would be put behind the row and leave the cards there.
    #[inline]
    pub fn appends(&self, card: u8, row: usize) -> bool {
        let Row { end, size, .. } = self.rows[row];
        end < card && size < CAPACITY
    }

    /// Lays a card in a row; the heads that its player takes.
    #[inline]
    pub fn lay(&mut self, card: u8, row: usize) -> u8 {
        let before = self.rows[row];
        let (own, appends) = (heads(card), self.appends(card, row));
        let kept = if appends { before } else { Row::default() };
        self.rows[row] = Row { end: card, size: kept.size + 1, heads: kept.heads + own };
        if appends { 0 } else { before.heads }
    }

    /// How a card fits, the lowest key best: by its gap to the end of the row if it can be put there, else by the
    /// heads that it would take now; of equal ones the lower card.
    #[inline]
    pub fn key(&self, card: u8) -> i16 {
        let row = self.row_of(card);
        let Row { end, heads, .. } = self.rows[row];
        let score = if self.appends(card, row) { i16::from(card - end) } else { TAKES + i16::from(heads) };
        score << CARD_BITS | i16::from(card)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: [&[u8]; ROWS]) -> Table {
        Table { rows: rows.map(Row::of), is_exact: false }
    }

    #[test]
    fn forty_two_finds_its_row_and_takes_what_it_must() {
        let mut fits = table([&[6, 7, 8], &[35, 36, 38, 39, 40], &[50, 60], &[103, 104]]);
        assert_eq!((fits.row_of(42), fits.lay(42, 1), fits.rows[1]), (1, 8, Row { end: 42, size: 1, heads: 1 }));
        let mut low = table([&[6, 7, 8, 98], &[38, 39, 90], &[50, 60], &[103, 104]]);
        assert_eq!((low.nearest(42), low.row_of(42), low.lay(42, 3)), (None, 3, 2));
        let mut exact = Table { is_exact: true, ..table([&[98], &[40], &[60], &[104]]) };
        assert_eq!((exact.nearest(42), exact.row_of(42), exact.lay(42, 0)), (Some(1), 0, 1));
    }

    #[test]
    fn the_best_card_has_the_smallest_gap_and_a_row_that_is_taken_is_cheap() {
        let rows = table([&[6], &[35, 36, 38, 39, 40], &[50], &[103, 104]]);
        let order = |mut cards: Vec<u8>| {
            cards.sort_by_key(|card| rows.key(*card));
            cards
        };
        // 52 lies 2 above 50, 8 lies 2 above 6; 3 is too low and takes row 1 for 1 head; 45 takes the five of row 2
        // for 9.
        assert_eq!(order(vec![3, 8, 45, 49, 52, 70]), [8, 52, 70, 3, 45, 49]);
    }
}
