//! The meaning of a state: the request to each seat, the facts each seat may know, and the effect of an answer.

use super::abi::{Move, Try};
use super::codes::{Code, Reply};
use super::consistent::draw;
use super::setting::Maker;
use super::{BREAKER_SEAT, Mastermind};
use crate::{Rng, Seat};
use std::ops::Range;

/// The request to a seat.
pub(super) enum Asks {
    Guess,
    Secret,
    Reply(Code),
}

impl Mastermind {
    /// The seats that guess.
    pub(super) fn breakers(&self) -> Range<Seat> {
        if self.setting.maker == Maker::Server { 0..self.seats } else { BREAKER_SEAT..self.seats }
    }

    /// Guesses and replies that the seat knows: its own, or those of the maker's opponent.
    pub(super) fn history(&self, seat: Seat) -> &[Try] {
        &self.histories[seat.saturating_sub(self.breakers().start)]
    }

    pub(super) fn has_found(&self, breaker: Seat) -> bool {
        self.history(breaker).last().is_some_and(|made| usize::from(made.rr) == self.setting.codes.pegs())
    }

    pub(super) fn is_done(&self, breaker: Seat) -> bool {
        self.has_found(breaker) || self.history(breaker).len() >= usize::from(self.setting.tries)
    }

    /// Whether a viewer may see the guesses of a breaker: its own, or all if there is a maker to show them to.
    pub(super) fn sees(&self, viewer: Option<Seat>, breaker: Seat) -> bool {
        self.setting.maker != Maker::Server || viewer.is_none_or(|viewer| viewer == breaker)
    }

    pub(super) fn sees_secret(&self, viewer: Option<Seat>) -> bool {
        viewer.is_none_or(|viewer| !self.breakers().contains(&viewer))
    }

    /// The request to the seat when it is to move.
    pub(super) fn asks(&self, seat: Seat) -> Asks {
        match self.waiting {
            _ if self.breakers().contains(&seat) => Asks::Guess,
            Some(guess) => Asks::Reply(guess),
            None => Asks::Secret,
        }
    }

    /// The guesses used, or one more than allowed if the code was not found.
    pub(super) fn guesses(&self, breaker: Seat) -> i64 {
        if self.has_found(breaker) { self.history(breaker).len() as i64 } else { i64::from(self.setting.tries) + 1 }
    }

    /// Records an answer by a maker, or a guess.
    pub(super) fn take(&mut self, seat: Seat, mv: Move) {
        let codes = self.setting.codes;
        match (self.asks(seat), self.secret) {
            (Asks::Secret, _) => self.secret = Some(mv.v),
            (Asks::Reply(guess), _) => {
                self.histories[0].push(Try::new(&guess, Reply { rr: mv.rr, rw: mv.rw }));
                self.waiting = None;
            }
            (Asks::Guess, Some(secret)) => {
                let history = seat - self.breakers().start;
                self.histories[history].push(Try::new(&mv.v, codes.reply(&secret, &mv.v)));
            }
            (Asks::Guess, None) => self.waiting = Some(mv.v),
        }
    }

    /// Draws again the facts that a breaker does not know: the secret, among all that agree with its replies, and the
    /// guesses of the others. A breaker that has found the secret has found the new one.
    pub(super) fn redraw(&mut self, breaker: Seat, old: &Code, rng: &mut Rng) {
        let codes = self.setting.codes;
        let secret = draw(codes, self.history(breaker), rng).unwrap_or(*old);
        self.secret = Some(secret);
        let own = breaker - self.breakers().start;
        let others = self.histories.iter_mut().enumerate().filter(|(index, _)| *index != own);
        for made in others.flat_map(|(_, history)| history) {
            let guess = if made.v == *old { secret } else { codes.draw_other(&secret, rng) };
            *made = Try::new(&guess, codes.reply(&secret, &guess));
        }
    }
}
