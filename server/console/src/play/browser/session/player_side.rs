//! The session as the player of a match sees it: positions are shown, and answers of people awaited.

use super::{BoardSession, Over, SLICE};
use crate::play::board::{BoardRequest, End, SeatBoard};
use agon_games::{Absent, AnyState, MoveBytes, Seat};
use agon_model::Step;
use agon_model::visible::escape;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl SeatBoard for BoardSession {
    fn begin(&self, state: Box<dyn AnyState>) {
        self.is_over.store(false, Ordering::Release);
        self.lock().reset(state);
    }

    fn see(&self, step: &Step, state: &dyn AnyState) {
        let mut shared = self.lock();
        let shared = &mut *shared;
        shared.is_starting = false;
        let seen = shared.game.see(step, state);
        if seen.differs {
            shared.notes.fill(self.words.plays_differently().to_owned());
        }
        // A move may reveal something hidden; then the picture shows what all may know.
        if !shared.game.facts.hidden {
            shared.moves.push((step.ply + 1, step.seat, seen.text.clone()));
        }
        shared.agreed.clear();
        shared.grow();
        shared.at += 1;
    }

    fn hear(&self, seat: Seat, ply: u32, patience: Duration) -> Option<Option<MoveBytes>> {
        let mut shared = self.lock();
        shared.is_starting = false;
        if let Some(mv) = shared.game.scripted(seat, ply) {
            return Some(Some(mv));
        }
        if let Some(wish) = self.wish(&shared) {
            shared.wish = Some(wish);
            return Some(None);
        }
        if shared.resigned.contains(&seat) {
            return match shared.game.state.absent(seat) {
                Absent::Plays(mv) => Some(Some(mv)),
                Absent::Ends => {
                    shared.wish = Some(BoardRequest::Resign(seat));
                    Some(None)
                }
            };
        }
        if let Some(mv) = shared.answers.remove(&seat) {
            return Some(Some(mv));
        }
        if shared.asked.insert(seat, ply) != Some(ply) {
            shared.grow();
        }
        let (mut shared, _) =
            self.changed.wait_timeout(shared, patience).unwrap_or_else(|poisoned| poisoned.into_inner());
        shared.answers.remove(&seat).map(Some)
    }

    fn take_wish(&self) -> Option<BoardRequest> {
        self.lock().wish.take()
    }

    fn state(&self) -> Box<dyn AnyState> {
        self.lock().game.state.clone_box()
    }

    fn say(&self, text: &str) {
        let text = escape(text.trim(), 400);
        self.lock().notes.fill(text);
    }

    fn end(&self, end: &End<'_>) -> bool {
        let replay = (end.replay)();
        let mut shared = self.lock();
        shared.over = Some(Over { told: end.told.clone(), replay });
        self.is_over.store(true, Ordering::Release);
        shared.grow();
        shared.at += 1;
        while !shared.wants_another && !self.is_left() {
            (shared, _) = self.changed.wait_timeout(shared, SLICE).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        shared.wants_another
    }
}
