//! Makes the server's requests to one client of a match again from its moves: a debugger's host reads them from a file.

use super::AdHocMatch;
use agon_abi::{Blob, Request, RequestKind};
use agon_arena::encoding::{write_setup, write_turn};
use agon_games::{AnyState, Seat};
use agon_model::{Match, Phase, Step, replay_from};
use agon_player::clock::Budget;

/// The requests in order, to the seat's fault or to the end of the match.
struct Requests<'a> {
    ad_hoc: &'a AdHocMatch,
    seat: Seat,
    /// The phase of the client's fault.
    fault: Option<Phase>,
    budget: Budget,
    bytes: Vec<u8>,
    count: u32,
    is_out: bool,
}

/// All requests to the client on `seat`.
///
/// # Errors
/// These rules cannot play the match, for this reason.
pub fn requests(played: &Match, ad_hoc: &AdHocMatch, seat: Seat) -> Result<Vec<u8>, String> {
    let fault = played.seats.get(seat).ok_or("there is no such seat")?.fault.as_ref().map(|fault| fault.phase);
    let (terms, start) = (ad_hoc.terms(), ad_hoc.start());
    let seatings = ad_hoc.seatings();
    let budget = Budget::new(seatings.get(seat).map_or(terms.time, |seating| seating.time(&terms)));
    let mut asked = Requests { ad_hoc, seat, fault, budget, bytes: Vec::new(), count: 0, is_out: false };
    asked.add(RequestKind::Open, &ad_hoc.expected().to_blob());
    if fault.is_none_or(|phase| phase > Phase::Load) {
        asked.add(RequestKind::Initialize, &write_setup(&terms, &*start, seat, &seatings));
    }
    if fault.is_none_or(|phase| phase > Phase::Initialize) {
        asked.add(RequestKind::Name, &Blob::new());
    }
    let last = replay_from(ad_hoc.start(), &played.steps, &mut |state, steps| asked.take_turn(state, steps))?;
    match fault {
        _ if asked.is_out => {}
        None => asked.add(RequestKind::Finalize, &Blob::new()),
        Some(Phase::Play) => asked.ask(&*last, played.steps.last().map_or(0, |step| step.ply + 1), 1),
        Some(_) => {}
    }
    Ok(asked.bytes)
}

impl Requests<'_> {
    fn add(&mut self, kind: RequestKind, blob: &Blob) {
        let mut request = Vec::new();
        self.count += 1;
        Request::write(self.count, kind, blob, &mut request);
        self.bytes.extend(request);
    }

    fn ask(&mut self, state: &dyn AnyState, ply: u32, seats: usize) {
        let mut blob = Blob::new();
        write_turn(&self.ad_hoc.terms(), state, self.seat, ply, &self.budget.allowance(seats), &mut blob);
        self.add(RequestKind::Play, &blob);
    }

    /// Takes a turn of the record. Where the rules moved for the client, it had failed before it answered.
    fn take_turn(&mut self, state: &dyn AnyState, steps: &[Step]) {
        let Some(step) = steps.iter().find(|step| step.seat == self.seat && !self.is_out) else { return };
        if step.by_client || self.fault == Some(Phase::Play) {
            self.ask(state, step.ply, steps.len());
        }
        self.is_out = !step.by_client;
        // A recorded answer was in time when it was given.
        self.budget.charge(step.cpu_us, step.wall_us);
    }
}
