//! A match as sets of cards. The cards of the start are numbered by value, so that the highest number of a set is its
//! best card, and a position is two sets: the cards left, and those of them within reach.

use crate::board::{Cell, MAX_SIZE, cell};
use agon_client_api::tirs_croises::Move;

/// A card by its number: the higher, the better; of equal ones the earlier on the board has the higher number.
pub type Card = usize;

/// Values by row and column, 0 where there is no card.
pub type Values = [[u8; MAX_SIZE]; MAX_SIZE];

/// A set of cards, a bit each in `W` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set<const W: usize>([u64; W]);

/// The constant part of a match: the cards and their lines.
#[derive(Clone, Debug)]
pub struct Deal<const W: usize> {
    /// By card: 1 to 9.
    values: Vec<u8>,
    cells: Vec<Cell>,
    /// By card: the others in its row and column.
    lines: Vec<Set<W>>,
    rows: [Set<W>; MAX_SIZE],
    columns: [Set<W>; MAX_SIZE],
}

/// Cards left, and those of them that may be taken now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<const W: usize> {
    /// The cards left.
    pub left: Set<W>,
    /// The cards within reach.
    pub reach: Set<W>,
}

impl<const W: usize> Set<W> {
    /// No card.
    pub const EMPTY: Set<W> = Set([0; W]);

    /// Whether there is no card.
    #[inline]
    pub fn is_empty(self) -> bool {
        self == Set::EMPTY
    }

    /// How many cards.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The best card, `None` if there is none.
    #[inline]
    pub fn best(self) -> Option<Card> {
        let word = (0..W).rev().find(|word| self.0[*word] != 0)?;
        Some(word * 64 + 63 - self.0[word].leading_zeros() as usize)
    }

    /// With one card more.
    #[inline]
    pub fn with(mut self, card: Card) -> Set<W> {
        self.0[card / 64] |= 1 << (card % 64);
        self
    }

    /// With one card less.
    #[inline]
    pub fn without(mut self, card: Card) -> Set<W> {
        self.0[card / 64] &= !(1 << (card % 64));
        self
    }

    /// The cards of both.
    #[inline]
    pub fn and(mut self, other: Set<W>) -> Set<W> {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        self
    }

    /// The cards of either.
    #[inline]
    pub fn or(mut self, other: Set<W>) -> Set<W> {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        self
    }

    /// The cards that the other has not.
    #[inline]
    pub fn minus(mut self, other: Set<W>) -> Set<W> {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
        self
    }

    /// The cards, the best first.
    #[inline]
    pub fn cards(mut self) -> impl Iterator<Item = Card> {
        std::iter::from_fn(move || {
            let card = self.best()?;
            self = self.without(card);
            Some(card)
        })
    }
}

impl<const W: usize> Deal<W> {
    /// The cards of a start.
    pub fn new(values: &Values) -> Deal<W> {
        let places = (0..MAX_SIZE).flat_map(|y| (0..MAX_SIZE).map(move |x| (x, y)));
        let mut cards: Vec<_> = places.filter(|(x, y)| values[*y][*x] > 0).take(W * 64).collect();
        cards.sort_by_key(|&(x, y)| (values[y][x], std::cmp::Reverse((y, x))));
        let mut deal = Deal {
            values: cards.iter().map(|&(x, y)| values[y][x].min(9)).collect(),
            cells: cards.iter().map(|&(x, y)| cell(x as u8 + 1, y as u8 + 1)).collect(),
            lines: vec![],
            rows: [Set::EMPTY; MAX_SIZE],
            columns: [Set::EMPTY; MAX_SIZE],
        };
        for (card, &(x, y)) in cards.iter().enumerate() {
            deal.rows[y] = deal.rows[y].with(card);
            deal.columns[x] = deal.columns[x].with(card);
        }
        let line = |(card, &(x, y)): (Card, &(usize, usize))| deal.rows[y].or(deal.columns[x]).without(card);
        deal.lines = cards.iter().enumerate().map(line).collect();
        deal
    }

    /// The rest of the start when these values stand on the board, and a player takes from this cursor.
    pub fn position(&self, values: &Values, cursor: Option<Move>) -> Position<W> {
        let is_left = |cell: Cell| values.as_flattened()[usize::from(cell)] > 0;
        let cards = (0..self.values.len()).filter(|card| is_left(self.cells[*card]));
        let left = cards.fold(Set::EMPTY, Set::with);
        let lines = cursor.map(|at| self.columns[usize::from(at.x) - 1].or(self.rows[usize::from(at.y) - 1]));
        Position { left, reach: lines.map_or(left, |lines| left.and(lines)) }
    }

    /// Where a card lies.
    pub fn cell(&self, card: Card) -> Cell {
        self.cells[card]
    }

    /// The value of a card.
    #[inline]
    pub fn value(&self, card: Card) -> i32 {
        self.values[card].into()
    }

    /// The highest value of a set, 0 if it is empty.
    #[inline]
    pub fn highest(&self, set: Set<W>) -> i32 {
        set.best().map_or(0, |card| self.value(card))
    }

    /// The cards within reach of a card among those left, itself left out.
    #[inline]
    pub fn replies(&self, card: Card, left: Set<W>) -> Set<W> {
        self.lines[card].and(left)
    }

    /// The position after a card is taken.
    #[inline]
    pub fn take(&self, position: Position<W>, card: Card) -> Position<W> {
        Position { left: position.left.without(card), reach: self.replies(card, position.left) }
    }

    /// The value of a card less the best reply.
    #[inline]
    pub fn promise(&self, position: Position<W>, card: Card) -> i32 {
        self.value(card) - self.highest(self.replies(card, position.left))
    }

    /// Drops the cards that no play from here on can reach, which make no difference to what the position is worth.
    #[inline]
    pub fn connected(&self, position: Position<W>) -> Position<W> {
        let (mut found, mut fresh) = (position.reach, position.reach);
        while let Some(card) = fresh.best() {
            if found == position.left {
                break;
            }
            let new = self.replies(card, position.left).minus(found);
            found = found.or(new);
            fresh = fresh.without(card).or(new);
        }
        Position { left: found, ..position }
    }
}

impl<const W: usize> Position<W> {
    /// A number that hardly any other position has.
    #[inline]
    pub fn key(self) -> u64 {
        let words = self.left.0.into_iter().zip(self.reach.0);
        words.fold(0, |key: u64, (left, reach)| {
            let word = (key ^ left).wrapping_mul(0x9E37_79B9_7F4A_7C15)
                ^ reach.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(31);
            let word = (word ^ word >> 32).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            word ^ word >> 29
        })
    }
}
