//! The lines of a match's log, schema `agon.match/3`: players, moves, prints, faults and the result. Seats and turns
//! (`n`) count from 0.

use crate::*;
use agon_games::Facts;
use serde::Serialize;
use std::collections::BTreeMap;

/// The schema that this agon writes.
const SCHEMA: &str = "agon.match/3";

/// One line; the field `t` names its kind.
#[derive(Serialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub enum LogLine<'a> {
    Header(LogHeader<'a>),
    /// A line for each seat.
    Seat(LogSeat<'a>),
    /// A line for each move.
    Move(MoveLine),
    /// Text of a client.
    Io {
        /// Turns played before, by all seats.
        n: u32,
        /// The seat of the client.
        seat: usize,
        /// The phase of the match.
        phase: Phase,
        /// The stream from which it came.
        stream: Stream,
        text: &'a str,
    },
    Event(LogEvent<'a>),
    Result(LogResult<'a>),
}

/// The terms of the match and its identity.
#[derive(Serialize)]
pub struct LogHeader<'a> {
    schema: &'static str,
    id: &'a str,
    agon: &'static str,
    ladder: &'a str,
    game: &'a str,
    rules: u32,
    setting: &'a str,
    options: &'a BTreeMap<String, String>,
    /// The seed as text, because not every reader of JSON has whole numbers of 64 bits.
    seed: String,
    opening: u64,
    generator: &'static str,
    terms: BTreeMap<String, String>,
    /// How the match begins, for a reader that plays it again: hash of the state, meaning of the setting, and the
    /// opening's part.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<&'a NamedValues>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn: Option<&'a NamedValues>,
}

/// The entrant on a seat.
#[derive(Serialize)]
pub struct LogSeat<'a> {
    seat: usize,
    client: &'a str,
    file: &'a str,
    sha256: &'a str,
    options: &'a BTreeMap<String, String>,
    /// The seed of its own random choices; text, as above.
    seed: String,
}

/// A fault or a notice.
#[derive(Serialize)]
pub struct LogEvent<'a> {
    n: u32,
    seat: usize,
    event: &'static str,
    kind: &'static str,
    phase: Phase,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<&'a str>,
}

/// How the match ended; lists are in order of seats.
#[derive(Serialize)]
pub struct LogResult<'a> {
    ending: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'a str>,
    scores: Vec<i64>,
    ranks: Vec<u32>,
    turns: u32,
    /// The time in seconds since 1970.
    started: u64,
    us: u64,
    told_names: Vec<&'a str>,
    layers: Vec<&'a [String]>,
    usage: Vec<&'a Usage>,
}

/// The facts about a match before it begins.
pub struct Heading<'a> {
    pub facts: &'a Facts,
    /// Name of the ladder.
    pub ladder: &'a str,
    /// Everything that makes results comparable.
    pub terms: &'a LadderTerms,
    pub seed: u64,
    /// Number of the opening.
    pub opening: u64,
    /// Name and options of the setting.
    pub setting: &'a (String, BTreeMap<String, String>),
    /// How it begins; `None` if these rules do not know.
    pub begin: Option<Begin>,
    /// The entrant and the seed of each seat, in order of seats.
    pub seats: Vec<(&'a Entrant, u64)>,
    pub id: &'a str,
}

impl<'a> Heading<'a> {
    pub fn header(&'a self) -> LogHeader<'a> {
        let (setting, options) = self.setting;
        // Options are written in full, so their texts, which may be whole maps, need not be repeated among the terms.
        let terms = self.terms.texts_but_options();
        LogHeader {
            schema: SCHEMA,
            id: self.id,
            agon: env!("CARGO_PKG_VERSION"),
            ladder: self.ladder,
            game: self.facts.name,
            rules: self.facts.rules_version,
            setting,
            options,
            seed: self.seed.to_string(),
            opening: self.opening,
            generator: "chacha8",
            terms: terms.into_iter().collect(),
            start: self.begin.as_ref().map(|begin| format!("{:016x}", begin.start)),
            resolved: self.begin.as_ref().map(|begin| &begin.resolved),
            drawn: self.begin.as_ref().map(|begin| &begin.drawn),
        }
    }

    /// The entrants on their seats.
    pub fn seat_lines(&self) -> Vec<LogSeat<'a>> {
        let line = |(seat, (entrant, seed)): (usize, &(&'a Entrant, u64))| {
            let Entrant { label, file, hash, options, .. } = *entrant;
            LogSeat { seat, client: label, file, sha256: hash, options, seed: seed.to_string() }
        };
        self.seats.iter().enumerate().map(line).collect()
    }

    /// The lines before the first move.
    pub fn lines(&'a self) -> Vec<LogLine<'a>> {
        let seats = self.seat_lines().into_iter().map(LogLine::Seat);
        std::iter::once(LogLine::Header(self.header())).chain(seats).collect()
    }
}

/// The lines after the last move: prints and faults in the order of turns, and the result.
pub fn closing_lines(played: &Match) -> Vec<LogLine<'_>> {
    let mut timed: Vec<((u8, u32), LogLine<'_>)> = Vec::new();
    for Output { seat, phase, ply, stream, text } in &played.outputs {
        timed.push((moment(*phase, *ply), LogLine::Io { n: *ply, seat: *seat, phase: *phase, stream: *stream, text }));
    }
    timed.extend(events(played).into_iter().map(|event| (moment(event.phase, event.n), LogLine::Event(event))));
    timed.sort_by_key(|(moment, _)| *moment);
    timed.into_iter().map(|(_, line)| line).chain([LogLine::Result(outcome(played))]).collect()
}

/// The place of a moment in the order: before, during and after the turns; then by turn.
fn moment(phase: Phase, ply: u32) -> (u8, u32) {
    let part = match phase {
        Phase::Load | Phase::Initialize | Phase::Name => 0,
        Phase::Play | Phase::Waiting => 1,
        Phase::Finalize => 2,
    };
    (part, ply)
}

/// Notices and faults, seat by seat.
pub fn events(played: &Match) -> Vec<LogEvent<'_>> {
    let mut events = Vec::new();
    for (seat, result) in played.seats.iter().enumerate() {
        for Notice { kind, phase, ply, message } in &result.notices {
            let (event, kind) = ("notice", kind.name());
            events.push(LogEvent { n: *ply, seat, event, kind, phase: *phase, why: message, raw: None });
        }
        if let Some(Fault { kind, phase, ply, message, raw }) = &result.fault {
            let (event, kind, raw) = ("fault", kind.name(), (!raw.is_empty()).then_some(raw.as_str()));
            events.push(LogEvent { n: *ply, seat, event, kind, phase: *phase, why: message, raw });
        }
    }
    events
}

/// The result of a match.
pub fn outcome(played: &Match) -> LogResult<'_> {
    let cause = match &played.ending {
        Ending::Over | Ending::Fault | Ending::Adjudicated => None,
        Ending::Void(cause) | Ending::Shortage(cause) => Some(cause.as_str()),
    };
    let seats = &played.seats;
    LogResult {
        ending: played.ending.name(),
        cause,
        scores: seats.iter().map(|seat| seat.score).collect(),
        ranks: seats.iter().map(|seat| seat.rank).collect(),
        turns: played.plies(),
        started: played.started,
        us: played.wall_us,
        told_names: seats.iter().map(|seat| seat.told_name.as_str()).collect(),
        layers: seats.iter().map(|seat| seat.layers.as_slice()).collect(),
        usage: seats.iter().map(|seat| &seat.usage).collect(),
    }
}

/// Writes a line, ended by a newline. JSON can write all keys of a line, so nothing can fail.
pub fn compact(line: &LogLine<'_>) -> String {
    visible::visible(&serde_json::to_string(line).unwrap_or_default(), visible::Medium::Json).into_owned() + "\n"
}
