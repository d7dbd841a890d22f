//! Writes the requests to a client: the game's own setup and turn, with their heads filled in.

use agon_abi::{ABI_VERSION, Blob, Clock, Pointer, SetupHead, TurnHead};
use agon_games::{AnyState, Facts, Seat};
use agon_model::{Adjudication, ClockKind, Limits, TimeControl};
use agon_player::clock::Allowance;
use std::mem::offset_of;

/// The terms of a match: the same for all matches of a ladder.
#[derive(Clone, Debug)]
pub struct MatchTerms<'a> {
    pub facts: &'a Facts,
    /// Clock and budgets of every seat that has no time of its own.
    pub time: &'a TimeControl,
    /// Memory and threads, as clients read them.
    pub limits: &'a Limits,
    /// When the claims of both clients end a match.
    pub adjudication: Option<Adjudication>,
}

/// A seat before the match.
#[derive(Clone, Debug)]
pub struct Seating {
    /// The entrant, by index.
    pub entrant: usize,
    /// The name to show if the client gives none.
    pub label: String,
    /// Its options, as `key = value` lines.
    pub options: String,
    /// The seed of its own random choices.
    pub seed: u64,
    /// The time of this seat, if it differs from the terms.
    pub own_time: Option<TimeControl>,
}

impl Seating {
    /// The time that this seat plays by.
    pub fn time<'a>(&'a self, terms: &MatchTerms<'a>) -> &'a TimeControl {
        self.own_time.as_ref().unwrap_or(terms.time)
    }
}

/// Writes the setup of a seat.
pub fn write_setup(terms: &MatchTerms, state: &dyn AnyState, seat: Seat, seatings: &[Seating]) -> Blob {
    let (limits, seating) = (terms.limits, &seatings[seat]);
    let time = seating.time(terms);
    let mut blob = Blob::new();
    state.setup(seat, &mut blob);
    let head = SetupHead {
        size: terms.facts.setup.size,
        abi: ABI_VERSION,
        seat: seat as u32,
        seats: seatings.len() as u32,
        seed: seating.seed,
        memory: limits.memory,
        threads: limits.threads,
        clock: clock_in_abi(time.clock) as u32,
        total_us: time.total_us.unwrap_or(0),
        increment_us: time.increment_us,
        per_move_us: time.per_move_us.unwrap_or(0),
        initialize_us: time.initialize_us,
        finalize_us: time.finalize_us,
        options: Pointer::NULL,
        services: Pointer::NULL,
        reserved: [time.period.map_or(0, u64::from), 0, 0, 0],
    };
    blob.put(0, &head);
    let options = blob.push_text(&seating.options);
    blob.link(offset_of!(SetupHead, options), options);
    blob
}

/// Writes the turn of a seat over the old contents of `blob`.
pub fn write_turn(
    terms: &MatchTerms,
    state: &dyn AnyState,
    seat: Seat,
    ply: u32,
    allowance: &Allowance,
    blob: &mut Blob,
) {
    blob.clear();
    state.turn(seat, blob);
    let guard_us = allowance.guard_us;
    let call_us = allowance.call_us.unwrap_or(u64::MAX);
    let (cpu_left_us, wall_left_us) = match allowance.clock {
        ClockKind::Cpu => (call_us, guard_us),
        ClockKind::Wall => (u64::MAX, call_us.min(guard_us)),
    };
    let head = TurnHead {
        size: terms.facts.turn.size,
        ply,
        cpu_left_us,
        wall_left_us,
        total_left_us: allowance.total_us.unwrap_or(u64::MAX),
        reserved: [allowance.moves_left.map_or(0, u64::from), 0],
    };
    blob.put(0, &head);
}

fn clock_in_abi(clock: ClockKind) -> Clock {
    match clock {
        ClockKind::Cpu => Clock::Cpu,
        ClockKind::Wall => Clock::Wall,
    }
}
