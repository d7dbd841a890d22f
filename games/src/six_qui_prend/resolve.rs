//! The events between two calls of clients: cards are revealed and laid in ascending order, rounds end and begin.

use super::abi::{ASKS_CARD, ASKS_ROW, CHEAPEST, COURSE_EXACT, Event, Move};
use super::rows::{Rows, Taken};
use super::{Chosen, MAX_SEATS, SixQuiPrend, hand};
use crate::Seat;

/// The number of cards lower than each: its place among them, without the branches of a sort, which no processor can
/// predict.
fn count_lower(cards: &[u8; MAX_SEATS]) -> [u8; MAX_SEATS] {
    let mut lower = [0; MAX_SEATS];
    for other in cards {
        for (lower, card) in lower.iter_mut().zip(cards) {
            *lower += u8::from(other < card);
        }
    }
    lower
}

impl SixQuiPrend {
    /// The card whose player must choose a row, if any.
    #[inline]
    pub(super) fn waiting(&self) -> Option<Chosen> {
        self.chosen[..self.num_chosen].get(self.placed).copied()
    }

    /// Begins the round to be shown.
    pub(super) fn deal(&mut self) {
        let (hands, ends) = hand::deal(self);
        self.hands = hands;
        self.rows = Rows::new(ends);
        self.shown.seen = [0; 2];
        ends.iter().for_each(|card| self.see(*card));
        self.shown.turn = 1;
        self.shown.round_heads = [0; MAX_SEATS];
        self.show();
    }

    /// Shows a card to all.
    #[inline]
    fn see(&mut self, card: u8) {
        self.shown.seen[usize::from(card / 64)] |= 1 << (card % 64);
    }

    /// Puts the rows and the request into the data for all seats.
    fn show(&mut self) {
        self.rows.show(&mut self.shown);
        self.shown.revealed = [0; MAX_SEATS];
        (self.shown.kind, self.shown.pending) = match self.waiting() {
            None => (ASKS_CARD, 0),
            Some(Chosen { card, .. }) => (ASKS_ROW, card),
        };
        if self.shown.kind == ASKS_ROW {
            for Chosen { card, seat } in &self.chosen[..self.num_chosen] {
                self.shown.revealed[usize::from(*seat)] = *card;
            }
        }
    }

    /// Turns over the cards that were chosen.
    #[inline]
    pub(super) fn reveal(&mut self, answers: &[(Seat, Move)]) {
        let answers = &answers[..answers.len().min(MAX_SEATS)];
        self.num_chosen = answers.len();
        self.placed = 0;
        self.told = [0; MAX_SEATS];
        let mut cards = [u8::MAX; MAX_SEATS];
        for (chosen, &(seat, Move { card, .. })) in cards.iter_mut().zip(answers) {
            *chosen = card;
            self.hands[seat].remove(card);
            self.see(card);
        }
        for (&(seat, Move { card, .. }), lower) in answers.iter().zip(count_lower(&cards)) {
            self.chosen[usize::from(lower)] = Chosen { card, seat: seat as u8 };
        }
    }

    /// Lays the revealed cards in ascending order, until one asks its player for a row or the turn is over.
    pub(super) fn resolve(&mut self) {
        while let Some(Chosen { card, .. }) = self.waiting() {
            let row = match (self.setting.rules, self.setting.low_card) {
                (COURSE_EXACT, _) => Some(self.rows.as_in_the_course(card)),
                (_, CHEAPEST) => Some(self.rows.nearest(card).unwrap_or_else(|| self.rows.cheapest())),
                _ => self.rows.nearest(card),
            };
            let Some(row) = row else { return self.show() };
            self.lay(row);
        }
        self.end_turn();
    }

    /// Lays the next revealed card in a row.
    #[inline]
    pub(super) fn lay(&mut self, row: usize) {
        let Chosen { card, seat } = self.chosen[self.placed];
        let Taken { kind, row: taken } = self.rows.lay(card, row);
        self.shown.round_heads[seat as usize] += u16::from(taken.heads());
        self.shown.total_heads[seat as usize] += u16::from(taken.heads());
        self.events[self.placed] = Event {
            round: self.shown.round,
            turn: self.shown.turn,
            kind,
            seat,
            card,
            row: row as u8,
            num_taken: taken.size(),
            taken: taken.cards(),
            heads: taken.heads(),
            reserved0: [0; 2],
        };
        self.placed += 1;
    }

    fn end_turn(&mut self) {
        if self.shown.turn < self.setting.hand_size {
            self.shown.turn += 1;
            return self.show();
        }
        let limit = self.setting.limit;
        self.over = limit == 0 || self.shown.total_heads.iter().any(|heads| *heads >= limit);
        if self.over {
            return self.show();
        }
        self.shown.round += 1;
        self.deal();
    }
}
