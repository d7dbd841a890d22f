//! A match as a row of positions, all worked out before they are looked at, so that going to any of them costs nothing.

use super::ending::{colon, ending_in, seat_in, when_in, without_ply};
use super::kinds::kind_text;
use super::values::{Logged, LoggedValues, value_text};
use agon_games::{AnyGame, AnyState, Language, Scene, Seat};
use agon_model::visible::escape;
use agon_model::{ClockKind, Output, Phase, Step, StoredMatch, Stream, TimeControl, TimeWords, replay};

/// The positions of a match, the start first.
#[derive(Clone, Debug, Default)]
pub struct Playback {
    /// The language of everything but what clients and the referee wrote.
    pub language: Language,
    /// The match's id.
    pub id: String,
    /// Which match, on what.
    pub title: String,
    /// The label of each seat's client.
    pub seats: Vec<String>,
    /// For each seat, the time that its client has instead of the ladder's; empty if it has none of its own.
    pub own_times: Vec<String>,
    /// At least the start.
    pub frames: Vec<Frame>,
    /// How it ended.
    pub ending: String,
    /// The same with the faults and their messages, line by line.
    pub explained: String,
    /// For each seat its place, from 1; clients with the same rank share a place.
    pub ranks: Vec<u32>,
    /// The limit of a single move, microseconds on the judging clock, if there is one.
    pub move_limit_us: Option<u64>,
}

/// One position, and the turn that led to it.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The picture, with everything that is hidden from some seat.
    pub scene: Scene,
    /// The moves that led here; several if seats move at once.
    pub moves: Vec<MadeMove>,
    /// Time of each seat until now: used, and left where a total was given; microseconds on the judging clock.
    pub clocks: Vec<(u64, Option<u64>)>,
    /// Whether a fault ended the match in this turn, so that nothing changed on the board.
    pub is_broken: bool,
    /// Faults, notices and blunders of the turn.
    pub events: Vec<String>,
    /// Whether both clients thought worse of the mover's position after this turn: see [`LoggedValues::blunder`].
    pub is_blunder: bool,
    /// The clients' prints of the turn, line by line.
    pub outputs: Vec<String>,
    /// The clients' opinions of the position when they moved, by the keys that mean the same to all.
    pub logged: Vec<Logged>,
    /// The position as a text with which a match can begin, in games that have one.
    pub position: Option<String>,
}

/// A move as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeMove {
    /// By whom.
    pub seat: Seat,
    /// In the game's notation.
    pub text: String,
    /// Its time on the judging clock; `None` = the rules moved for an absent client, or a fault has no known time.
    pub us: Option<u64>,
    /// The kind of the fault, if this is the turn in which the client lost the match by one.
    pub fault: Option<String>,
}

impl MadeMove {
    /// A step from this position.
    pub(crate) fn of(step: &Step, state: &dyn AnyState, judged: &dyn Fn(&Step) -> u64) -> MadeMove {
        MadeMove { seat: step.seat, text: state.write(&step.mv), us: step.by_client.then(|| judged(step)), fault: None }
    }
}

impl Playback {
    /// The playback of a match of the record. If these rules cannot replay all of it, the playback ends earlier and
    /// says why.
    pub fn new(stored: &StoredMatch, game: &dyn AnyGame) -> Playback {
        Playback::in_language(stored, game, Language::English)
    }

    /// The same, with its pictures and sentences in a language.
    pub fn in_language(stored: &StoredMatch, game: &dyn AnyGame, language: Language) -> Playback {
        let seats: Vec<_> = (0..stored.played.seats.len()).map(|seat| escape(stored.label(seat), 40)).collect();
        let times: Vec<Option<TimeControl>> = (0..seats.len()).map(|seat| seat_time(stored, seat)).collect();
        let (frames, ending) = frames(stored, game, &times, language);
        let (id, ladder) = (stored.played.id.clone(), &stored.ladder);
        let (game, setting) = (&ladder.game, escape(stored.setting_name(), 64));
        let title = format!("{} {id}{} {game} {setting}", language.pick("match", "partie"), colon(language));
        let ranks = stored.played.seats.iter().map(|seat| seat.rank).collect();
        let limits = times.iter().map(|time| time.as_ref().and_then(|time| time.per_move_us));
        let move_limit_us = limits.collect::<Option<Vec<_>>>().and_then(|limits| limits.into_iter().max());
        let own_times = (0..seats.len()).map(|seat| own_time_text(stored, seat)).collect();
        let explained = ending_in(stored, language).trim().to_owned();
        let mut playback =
            Playback { language, id, title, seats, own_times, frames, ending, explained, ranks, move_limit_us };
        playback.add_faults(stored);
        playback.add_events(stored);
        playback.add_outputs(&stored.played.outputs);
        playback.add_values(stored);
        playback
    }

    /// The position to which a turn led: the first one before the match, the last one after it.
    fn at(&self, phase: Phase, ply: u32) -> usize {
        let last = self.frames.len() - 1;
        match phase {
            Phase::Load | Phase::Initialize | Phase::Name => 0,
            Phase::Play | Phase::Waiting => last.min(ply as usize + 1),
            Phase::Finalize => last,
        }
    }

    fn add_events(&mut self, stored: &StoredMatch) {
        for (seat, result) in stored.played.seats.iter().enumerate() {
            let faults =
                result.fault.iter().map(|fault| ("", fault.kind.name(), fault.phase, fault.ply, &fault.message));
            let notices = result.notices.iter();
            let noticed = self.language.pick("notice: ", "avis : ");
            let notices = notices.map(|one| (noticed, one.kind.name(), one.phase, one.ply, &one.message));
            for (class, kind, phase, ply, message) in faults.chain(notices) {
                let (who, when) = (seat_in(stored, seat, self.language), when_in(phase, ply, self.language));
                let (kind, colon) = (kind_text(kind, self.language), colon(self.language));
                // Turns count from 1 here, so the ply from 0 of a message would only confuse.
                let text = format!("{class}{who}{colon} {kind} {when}{colon} {}", escape(&without_ply(message), 400));
                let at = self.at(phase, ply);
                self.frames[at].events.push(text);
            }
        }
    }

    fn add_outputs(&mut self, outputs: &[Output]) {
        for output in outputs {
            let stream = match output.stream {
                Stream::Stdout => "stdout",
                Stream::Stderr => "stderr",
                Stream::Log => "log",
            };
            let at = self.at(output.phase, output.ply);
            let line = |line: &str| format!("{} {stream}: {}", output.seat + 1, escape(&line.replace('\t', " "), 400));
            self.frames[at].outputs.extend(output.text.lines().map(line));
        }
    }

    /// Adds the values that clients logged, and the moves after which both changed their minds.
    fn add_values(&mut self, stored: &StoredMatch) {
        let (values, language) = (LoggedValues::of(&stored.played), self.language);
        for (ply, frame) in self.frames.iter_mut().skip(1).enumerate() {
            frame.logged = values.in_turn(ply as u32).cloned().collect();
            let (Some(blunder), Some(made)) = (values.blunder(ply as u32), frame.moves.first()) else { continue };
            frame.is_blunder = true;
            let [own, other] = [blunder.own, blunder.other].map(|[before, after]| {
                format!("{}, {} {}", value_text(before), language.pick("then", "puis"), value_text(after))
            });
            let (who, other_seat) = (seat_in(stored, made.seat, language), 2 - made.seat);
            frame.events.push(language.pick(
                format!("blunder of {who}: its value {own}; that of seat {other_seat} {other}"),
                format!("gaffe de la {who} : sa valeur {own} ; celle de la place {other_seat} {other}"),
            ));
        }
    }

    /// The position after the slowest move of a client.
    pub fn slowest(&self) -> usize {
        let slowest = |frame: &Frame| frame.moves.iter().filter_map(|made| made.us).max();
        // The first of equals, so that the same key always leads to the same place.
        (0..self.frames.len()).rev().max_by_key(|&at| slowest(&self.frames[at])).unwrap_or(0)
    }

    /// The next position after `from` at which something went wrong or was noticed.
    pub fn next_event(&self, from: usize) -> Option<usize> {
        (from + 1..self.frames.len()).find(|&at| !self.frames[at].events.is_empty())
    }

    /// The one before.
    pub fn previous_event(&self, from: usize) -> Option<usize> {
        (0..from).rev().find(|&at| !self.frames[at].events.is_empty())
    }
}

impl Frame {
    fn show(&mut self, state: &dyn AnyState, language: Language) {
        self.scene = state.scene(None, language);
        self.position = state.position();
    }
}

/// The time control of a seat; `None` = the record does not say it.
fn seat_time(stored: &StoredMatch, seat: Seat) -> Option<TimeControl> {
    let common = stored.ladder.terms.time.as_ref()?;
    Some(stored.entrant(seat)?.time(common))
}

/// The time that a seat's client has instead of the ladder's, as tables show it; empty where it is the ladder's.
pub fn own_time_text(stored: &StoredMatch, seat: Seat) -> String {
    let own = stored.entrant(seat).and_then(|entrant| entrant.own_time());
    let common = stored.ladder.terms.time.as_ref().map(TimeWords::from);
    own.filter(|own| common != Some(*own)).map_or(String::new(), |own| own.to_string())
}

/// The time of a step on the judging clock.
pub(crate) fn judged(time: Option<&TimeControl>) -> impl Fn(&Step) -> u64 {
    let on_wall = time.is_some_and(|time| time.clock == ClockKind::Wall);
    move |step: &Step| if on_wall { step.wall_us } else { step.cpu_us }
}

/// The clocks after a turn; `moves` counts those of each seat.
pub(crate) fn charge(
    before: &[(u64, Option<u64>)],
    moves: &mut [u64],
    steps: &[Step],
    times: &[Option<TimeControl>],
    judged: &dyn Fn(&Step) -> u64,
) -> Vec<(u64, Option<u64>)> {
    let mut clocks = before.to_vec();
    for step in steps.iter().filter(|step| step.by_client) {
        if let (Some((used, left)), Some(moves)) = (clocks.get_mut(step.seat), moves.get_mut(step.seat)) {
            *moves += 1;
            *used += judged(step);
            let time = times.get(step.seat).and_then(Option::as_ref);
            let given = time.map_or(0, |time| time.given_after(*moves));
            *left = left.map(|left| left.saturating_sub(judged(step)).saturating_add(given));
        }
    }
    clocks
}

/// The frames of a match that is replayed, and its ending in a sentence.
fn frames(
    stored: &StoredMatch,
    game: &dyn AnyGame,
    times: &[Option<TimeControl>],
    language: Language,
) -> (Vec<Frame>, String) {
    let judged = judged(stored.ladder.terms.time.as_ref());
    let full = |time: &Option<TimeControl>| (0, time.as_ref().and_then(|time| time.total_us));
    let mut frames = vec![Frame { clocks: times.iter().map(full).collect(), ..Frame::default() }];
    let mut moves = vec![0; times.len()];
    let last = replay(stored, game, &mut |state, steps| {
        let mut next = Frame::default();
        if let Some(frame) = frames.last_mut() {
            frame.show(state, language);
            next.clocks = charge(&frame.clocks, &mut moves, steps, times, &judged);
        }
        next.moves = steps.iter().map(|step| MadeMove::of(step, state, &judged)).collect();
        frames.push(next);
    });
    let ending = match (last, frames.last_mut()) {
        (Ok(state), Some(frame)) => {
            frame.show(&*state, language);
            ending_in(stored, language).trim().to_owned()
        }
        (Err(why), _) => {
            // The turn that was refused has no position.
            frames.truncate((frames.len() - 1).max(1));
            language.pick(format!("not replayed to its end: {why}"), format!("pas rejouée jusqu’au bout : {why}"))
        }
        (Ok(_), None) => String::new(),
    };
    (frames, ending)
}
