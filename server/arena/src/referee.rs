//! The rules of the competition: ask the seats that move now, collect their answers, check, play, write down, and
//! repeat. It never names a game.
//!
//! A client's fault is data and puts its seat out. The rules decide whether the match then ends or goes on with moves
//! for clients that are out.

mod excuses;
mod spectator;

pub use excuses::Excuses;
pub use spectator::{EachStep, Spectator};

use crate::encoding::{MatchTerms, Seating, write_setup, write_turn};
use agon_abi::Blob;
use agon_games::{Absent, AnyState, MoveBytes, Seat, Seats};
use agon_model::visible::escape;
use agon_model::*;
use agon_player::clock::{Budget, WallTimeVerdict};
use agon_player::{Player, Trouble, dawdled, dawdles, excused_no_more, idles, late};
use std::time::{Duration, Instant, SystemTime};

/// How long the referee waits for one seat before it looks at the others.
const SLICE: Duration = Duration::from_millis(1);
/// How often the referee looks at seats that are not asked.
const WATCH: Duration = Duration::from_millis(20);

/// Plays a match to its end, however it ends. `spectator` sees every step; `excuses` are those of the ladder.
pub fn play(
    terms: &MatchTerms,
    pairing: &Pairing,
    seatings: &[Seating],
    players: &mut [Box<dyn Player + '_>],
    state: &mut dyn AnyState,
    excuses: &Excuses,
    spectator: &mut dyn Spectator,
) -> Match {
    let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let began = Instant::now();
    let start = state.hash();
    let mut running = MatchUnderWay::new(terms, seatings, players, excuses);
    running.agreement = terms.adjudication.filter(|terms| !terms.plays_on(&pairing.id)).map(Agreement::new);
    let ending = running.play_out(state, spectator).unwrap_or_else(Ending::from);
    let (seats, outputs) = running.dismiss(&*state, &ending);
    if ending.is_counted() {
        seatings.iter().for_each(|seating| excuses.count_match(seating.entrant));
    }
    let (plies, steps) = (running.ply, running.steps);
    let wall_us = began.elapsed().as_micros() as u64;
    tracing::debug!(plies, wall_us, "{}: {}", ranked(seatings, &seats), ending.name());
    Match { id: pairing.id.clone(), start, ending, seats, steps, outputs, started, wall_us }
}

/// Longer names are cut in the program's own log.
const LONGEST_LABEL: usize = 60;

/// The seats with their ranks, for the program's own log.
fn ranked(seatings: &[Seating], seats: &[SeatResult]) -> String {
    let each = seatings
        .iter()
        .zip(seats)
        .map(|(seating, seat)| format!("{} ({})", escape(&seating.label, LONGEST_LABEL), seat.rank));
    each.collect::<Vec<_>>().join(", ")
}

/// A match under way.
struct MatchUnderWay<'a, 'p> {
    terms: &'a MatchTerms<'a>,
    seatings: &'a [Seating],
    players: &'a mut [Box<dyn Player + 'p>],
    budgets: Vec<Budget>,
    faults: Vec<Option<Fault>>,
    /// The seats with a fault.
    out: Seats,
    steps: Vec<Step>,
    ply: u32,
    blob: Blob,
    answers: Vec<Option<Answer>>,
    moves: Vec<(Seat, MoveBytes)>,
    watched: Instant,
    excuses: &'a Excuses,
    agreement: Option<Agreement>,
    notices: Vec<Vec<Notice>>,
}

/// An ending that decides nothing, and its cause.
enum Undecided {
    Void(String),
    Shortage(String),
}

impl From<Undecided> for Ending {
    fn from(undecided: Undecided) -> Ending {
        match undecided {
            Undecided::Void(cause) => Ending::Void(cause),
            Undecided::Shortage(cause) => Ending::Shortage(cause),
        }
    }
}

impl<'a, 'p> MatchUnderWay<'a, 'p> {
    fn new(
        terms: &'a MatchTerms<'a>,
        seatings: &'a [Seating],
        players: &'a mut [Box<dyn Player + 'p>],
        excuses: &'a Excuses,
    ) -> Self {
        let seats = seatings.len();
        MatchUnderWay {
            terms,
            seatings,
            players,
            budgets: seatings.iter().map(|seating| Budget::new(seating.time(terms))).collect(),
            faults: vec![None; seats],
            out: Seats::NONE,
            steps: Vec::new(),
            ply: 0,
            blob: Blob::new(),
            answers: vec![None; seats],
            moves: Vec::with_capacity(seats),
            watched: Instant::now(),
            excuses,
            agreement: None,
            notices: vec![Vec::new(); seats],
        }
    }

    /// Plays until the game is over, a fault ends it, or both clients agree on the winner.
    fn play_out(&mut self, state: &mut dyn AnyState, spectator: &mut dyn Spectator) -> Result<Ending, Undecided> {
        self.start_all(state)?;
        loop {
            let movers = state.to_move();
            if movers.is_empty() {
                return Ok(Ending::Over);
            }
            if self.is_ended_by_fault(state, movers) {
                return Ok(Ending::Fault);
            }
            if self.loser().is_some() {
                return Ok(Ending::Adjudicated);
            }
            let asked = self.ask_all(state, movers)?;
            self.collect_all(asked)?;
            self.check_all(state, movers);
            if self.is_ended_by_fault(state, movers) {
                return Ok(Ending::Fault);
            }
            self.play_ply(state, movers, spectator);
        }
    }

    fn start_all(&mut self, state: &dyn AnyState) -> Result<(), Undecided> {
        for seat in 0..self.seatings.len() {
            let setup = write_setup(self.terms, state, seat, self.seatings);
            if let Err(trouble) = self.players[seat].start(seat, &setup) {
                self.note(seat, trouble)?;
            }
            self.players[seat].rest(0);
        }
        Ok(())
    }

    /// Keeps a fault, and passes a void on.
    fn note(&mut self, seat: Seat, trouble: Trouble) -> Result<(), Undecided> {
        match trouble {
            Trouble::Void(cause) => Err(Undecided::Void(self.of_seat(seat, &cause))),
            Trouble::Shortage(cause) => Err(Undecided::Shortage(self.of_seat(seat, &cause))),
            Trouble::Excused(excused) => {
                if self.excuses.claim(self.seatings[seat].entrant, excused.excuse) {
                    return Err(Undecided::Void(self.of_seat(seat, &excused.cause)));
                }
                self.blame(seat, excused_no_more(*excused));
                Ok(())
            }
            Trouble::Fault(fault) => {
                self.blame(seat, *fault);
                Ok(())
            }
        }
    }

    fn of_seat(&self, seat: Seat, cause: &str) -> String {
        format!("seat {} ({}): {cause}", seat + 1, self.seatings[seat].label)
    }

    fn blame(&mut self, seat: Seat, fault: Fault) {
        tracing::debug!(seat = seat + 1, kind = fault.kind.name(), ply = self.ply, "fault: {}", fault.message);
        self.faults[seat].get_or_insert(fault);
        self.out = self.out.with(seat);
    }

    fn is_out(&self, seat: Seat) -> bool {
        self.out.has(seat)
    }

    /// In a game of turns, a seat that is out ends the match at once, unless the rules move for it. If seats move at
    /// once, it ends the match when it should move.
    fn is_ended_by_fault(&self, state: &dyn AnyState, movers: Seats) -> bool {
        let ends = |seat: Seat| movers.has(seat) || !self.terms.facts.simultaneous;
        self.out.iter().any(|seat| ends(seat) && state.absent(seat) == Absent::Ends)
    }

    /// Asks each mover that is not out, and returns the seats that owe an answer.
    fn ask_all(&mut self, state: &dyn AnyState, movers: Seats) -> Result<Seats, Undecided> {
        let able = movers.without(self.out);
        let mut asked = able;
        for seat in movers.iter() {
            self.answers[seat] = None;
            if able.has(seat) {
                let allowance = self.budgets[seat].allowance(able.count());
                write_turn(self.terms, state, seat, self.ply, &allowance, &mut self.blob);
                if let Err(trouble) = self.players[seat].ask(&self.blob, self.ply, allowance) {
                    self.note(seat, trouble)?;
                    asked = asked.without(Seats::one(seat));
                }
            }
        }
        Ok(asked)
    }

    /// Waits for all seats that were asked. Each gets a slice in turn, so that no seat's time is measured late.
    fn collect_all(&mut self, asked: Seats) -> Result<(), Undecided> {
        let mut waiting = asked;
        while !waiting.is_empty() {
            let patience = if waiting.count() == 1 { WATCH } else { SLICE };
            for seat in waiting.iter() {
                match self.players[seat].answer(patience) {
                    None => {
                        self.watch_idle(waiting);
                        continue;
                    }
                    Some(Ok(answer)) => self.answers[seat] = Some(answer),
                    Some(Err(trouble)) => self.note(seat, trouble)?,
                }
                waiting = waiting.without(Seats::one(seat));
            }
        }
        Ok(())
    }

    fn watch_idle(&mut self, waiting: Seats) {
        if self.watched.elapsed() < WATCH {
            return;
        }
        self.watched = Instant::now();
        for seat in (0..self.seatings.len()).filter(|&seat| !waiting.has(seat)) {
            if !self.is_out(seat) {
                self.players[seat].watch(self.ply);
            }
        }
    }

    /// Charges the time and checks the move of every seat that answered.
    fn check_all(&mut self, state: &dyn AnyState, movers: Seats) {
        for seat in movers.iter() {
            let Some(answer) = self.answers[seat] else { continue };
            let fault = judge_answer(state, seat, self.ply, &mut self.budgets[seat], &answer);
            if let Some(fault) = fault.or_else(|| self.judge_waiting(seat, &answer)) {
                self.blame(seat, fault);
                self.answers[seat] = None;
            }
        }
    }

    /// Judges whether a seat has made the others wait too long in all; a notice comes first.
    fn judge_waiting(&mut self, seat: Seat, answer: &Answer) -> Option<Fault> {
        let (budget, wall_us) = (&mut self.budgets[seat], answer.wall_us.saturating_sub(answer.kept_off_us));
        let waiting = budget.count_wall_time(wall_us);
        if let Some((idle_us, spent_us)) = budget.idle(wall_us, answer.cpu_us) {
            self.notices[seat].push(idles(self.ply, idle_us, spent_us));
        }
        match waiting {
            WallTimeVerdict::Fine => {}
            WallTimeVerdict::Told(waited_us, allowed_us) => {
                self.notices[seat].push(dawdles(self.ply, waited_us, allowed_us));
            }
            WallTimeVerdict::TooMuch(waited_us, allowed_us) => return Some(dawdled(self.ply, waited_us, allowed_us)),
        }
        None
    }

    fn play_ply(&mut self, state: &mut dyn AnyState, movers: Seats, spectator: &mut dyn Spectator) {
        self.moves.clear();
        for seat in movers.iter() {
            let given = self.answers[seat].map(|answer| answer.mv);
            let mv = given.or_else(|| match state.absent(seat) {
                Absent::Plays(mv) => Some(mv),
                Absent::Ends => None,
            });
            self.moves.extend(mv.map(|mv| (seat, mv)));
        }
        for (seat, mv) in &self.moves {
            let cpu_us = self.answers[*seat].map_or(0, |answer| answer.cpu_us);
            let label = || escape(&self.seatings[*seat].label, LONGEST_LABEL);
            tracing::trace!(ply = self.ply, seat = seat + 1, cpu_us, "{} plays {}", label(), state.write(mv));
        }
        spectator.see_moves(state, &self.moves);
        state.play(&self.moves);
        let hash = state.hash();
        for &(seat, mv) in &self.moves {
            let answer = self.answers[seat];
            let (cpu_us, wall_us) = answer.map_or((0, 0), |answer| (answer.cpu_us, answer.wall_us));
            let step = Step { ply: self.ply, seat, mv, by_client: answer.is_some(), cpu_us, wall_us, hash };
            if answer.is_some() && spectator.wants_thoughts() {
                spectator.see_thought(seat, self.ply, self.players[seat].thought());
            }
            spectator.see_step(&step, state);
            self.steps.push(step);
            if let Some(agreement) = &mut self.agreement {
                agreement.hear(seat, answer.and_then(|_| self.players[seat].thought().value));
            }
        }
        self.ply += 1;
    }

    /// The seat that loses by the claims of both clients.
    fn loser(&self) -> Option<Seat> {
        let winner = self.agreement.as_ref()?.winner()?;
        (0..self.seatings.len()).find(|&seat| seat != winner)
    }

    /// Ends every client, and returns how each seat came out.
    fn dismiss(&mut self, state: &dyn AnyState, ending: &Ending) -> (Vec<SeatResult>, Vec<Output>) {
        let out = match ending {
            Ending::Fault => at_fault(&self.faults),
            Ending::Adjudicated => self.loser().map_or(Seats::NONE, Seats::one),
            Ending::Over | Ending::Void(_) | Ending::Shortage(_) => Seats::NONE,
        };
        let scores = final_scores(state, out);
        let ranks = rank(&scores, &self.faults);
        self.players.iter_mut().skip(1).for_each(|player| player.rest(self.ply));
        let mut outputs = Vec::new();
        let mut seats = Vec::with_capacity(self.seatings.len());
        for (seat, seating) in self.seatings.iter().enumerate() {
            let summary = self.players[seat].dismiss(self.ply, ending.is_counted() && !self.is_out(seat));
            outputs.extend(summary.outputs);
            seats.push(SeatResult {
                entrant: seating.entrant,
                seed: seating.seed,
                told_name: summary.name.unwrap_or_else(|| seating.label.clone()),
                score: scores.values.get(seat).copied().unwrap_or(0),
                rank: ranks[seat],
                fault: self.faults[seat].take(),
                notices: self.notices[seat].drain(..).chain(summary.notices).collect(),
                layers: summary.layers,
                usage: summary.usage,
            });
        }
        (seats, outputs)
    }
}

/// Charges the time of an answer, and returns what is wrong with it: it is late, or its move is not legal.
pub fn judge_answer(state: &dyn AnyState, seat: Seat, ply: u32, budget: &mut Budget, answer: &Answer) -> Option<Fault> {
    if let Some(fault) = late(ply, &budget.allowance(1), answer) {
        return Some(fault);
    }
    budget.charge(answer.cpu_us, answer.wall_us);
    state.check(seat, &answer.mv).err().map(|illegal| Fault {
        kind: FaultKind::IllegalMove,
        phase: Phase::Play,
        ply,
        message: format!("{} ({}): {}", state.write(&answer.mv), illegal.rule, illegal.why),
        raw: format!("{:x}", answer.mv),
    })
}
