//! A match as lines of JSON, `agon.match/1`: who, what was played, what was printed, what went wrong, how it ended.
//! Seats and turns (`n`) count from 0.

use super::{Shown, replay};
use crate::record::{Ending, Entrant, Fault, Notice, Output, Phase, SeatResult, Stream, Usage};
use agon_games::AnyGame;
use serde::Serialize;
use std::collections::BTreeMap;

/// One line; the field `t` says which.
#[derive(Serialize)]
#[serde(tag = "t", rename_all = "lowercase")]
pub(super) enum Line<'a> {
    Header(Header<'a>),
    Seat(SeatLine<'a>),
    Move(Move),
    Io { n: u32, seat: usize, phase: Phase, stream: Stream, text: &'a str },
    Event(Event<'a>),
    Result(Outcome<'a>),
}

/// What was played, under which terms.
#[derive(Serialize)]
pub(super) struct Header<'a> {
    schema: &'static str,
    id: &'a str,
    agon: &'static str,
    ladder: &'a str,
    game: &'a str,
    rules: u32,
    setting: &'a str,
    options: Option<&'a BTreeMap<String, String>>,
    /// Text, since not every reader of JSON has whole numbers of 64 bits.
    seed: String,
    opening: u64,
    generator: &'static str,
    terms: BTreeMap<&'a str, &'a str>,
    /// Seconds since 1970.
    started: u64,
}

/// Who sat on a seat.
#[derive(Serialize)]
pub(super) struct SeatLine<'a> {
    seat: usize,
    client: &'a str,
    told_name: &'a str,
    file: &'a str,
    sha256: &'a str,
    options: Option<&'a BTreeMap<String, String>>,
    rungs: &'a [String],
}

/// One move of one seat.
#[derive(Serialize)]
pub(super) struct Move {
    n: u32,
    seat: usize,
    text: String,
    bytes: String,
    by_client: bool,
    cpu_us: u64,
    us: u64,
    hash: String,
}

/// A fault or a notice.
#[derive(Serialize)]
pub(super) struct Event<'a> {
    n: u32,
    seat: usize,
    event: &'static str,
    kind: &'static str,
    phase: Phase,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<&'a str>,
}

/// How it ended.
#[derive(Serialize)]
pub(super) struct Outcome<'a> {
    ending: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'a str>,
    scores: Vec<i64>,
    ranks: Vec<u32>,
    turns: u32,
    us: u64,
    usage: Vec<&'a Usage>,
}

/// The lines of a match, each ended by a newline. Where these rules cannot replay the record, moves have bytes and no text.
pub fn log_lines(shown: &Shown<'_>, game: &dyn AnyGame) -> String {
    let mut timed: Vec<((u8, u32, u8), Line<'_>)> = Vec::new();
    for output in &shown.played.outputs {
        let Output { seat, phase, ply, stream, text } = output;
        timed.push((moment(*phase, *ply, 0), Line::Io { n: *ply, seat: *seat, phase: *phase, stream: *stream, text }));
    }
    timed.extend(moves(shown, game).into_iter().map(|line| (moment(Phase::Play, line.n, 1), Line::Move(line))));
    timed.extend(events(shown).into_iter().map(|line| (moment(line.phase, line.n, 2), Line::Event(line))));
    timed.sort_by_key(|(moment, _)| *moment);
    let head = std::iter::once(Line::Header(header(shown, game))).chain(seats(shown).into_iter().map(Line::Seat));
    let lines = head.chain(timed.into_iter().map(|(_, line)| line)).chain([Line::Result(outcome(shown))]);
    lines.map(|line| compact(&line)).collect()
}

/// Before, during and after the turns; then by turn; then what was printed, what was moved, what came of it.
fn moment(phase: Phase, ply: u32, kind: u8) -> (u8, u32, u8) {
    let part = match phase {
        Phase::Load | Phase::Initialize | Phase::Name => 0,
        Phase::Play | Phase::Idle => 1,
        Phase::Finalize => 2,
    };
    (part, ply, kind)
}

pub(super) fn header<'a>(shown: &Shown<'a>, game: &dyn AnyGame) -> Header<'a> {
    let ladder = shown.ladder;
    Header {
        schema: "agon.match/1",
        id: &shown.played.id,
        agon: env!("CARGO_PKG_VERSION"),
        ladder: &ladder.name,
        game: &ladder.game,
        rules: game.facts().rules_version,
        setting: shown.setting_name(),
        options: ladder.settings.get(shown.setting).map(|(_, options)| options),
        seed: ladder.seed.to_string(),
        opening: shown.opening,
        generator: "chacha8",
        // Options are told in full above; their texts, which may be whole maps, need not be told again.
        terms: ladder
            .comparable
            .iter()
            .filter(|(key, _)| !key.starts_with("options."))
            .map(|(k, v)| (&**k, &**v))
            .collect(),
        started: shown.played.started,
    }
}

pub(super) fn seats<'a>(shown: &Shown<'a>) -> Vec<SeatLine<'a>> {
    let line = |(seat, result): (usize, &'a SeatResult)| {
        let entrant: Option<&'a Entrant> = shown.entrants.get(result.entrant);
        SeatLine {
            seat,
            client: entrant.map_or("?", |entrant| &entrant.label),
            told_name: &result.told_name,
            file: entrant.map_or("", |entrant| &entrant.file),
            sha256: entrant.map_or("", |entrant| &entrant.hash),
            options: entrant.map(|entrant| &entrant.options),
            rungs: &result.rungs,
        }
    };
    shown.played.seats.iter().enumerate().map(line).collect()
}

pub(super) fn moves(shown: &Shown<'_>, game: &dyn AnyGame) -> Vec<Move> {
    let mut texts = Vec::with_capacity(shown.played.steps.len());
    // An error is told where the match is explained; here the moves that cannot be read are left without text.
    let _ = replay(shown, game, &mut |state, steps| texts.extend(steps.iter().map(|step| state.write(&step.mv))));
    let mut texts = texts.into_iter();
    let line = |step: &crate::record::Step| Move {
        n: step.ply,
        seat: step.seat,
        text: texts.next().unwrap_or_default(),
        bytes: step.mv.as_slice().iter().map(|byte| format!("{byte:02x}")).collect(),
        by_client: step.by_client,
        cpu_us: step.cpu_us,
        us: step.wall_us,
        hash: format!("{:016x}", step.hash),
    };
    shown.played.steps.iter().map(line).collect()
}

pub(super) fn events<'a>(shown: &Shown<'a>) -> Vec<Event<'a>> {
    let mut events = Vec::new();
    for (seat, result) in shown.played.seats.iter().enumerate() {
        for Notice { kind, phase, ply, message } in &result.notices {
            let (event, kind) = ("notice", kind.name());
            events.push(Event { n: *ply, seat, event, kind, phase: *phase, why: message, raw: None });
        }
        if let Some(Fault { kind, phase, ply, message, raw }) = &result.fault {
            let (event, kind, raw) = ("fault", kind.name(), (!raw.is_empty()).then_some(raw.as_str()));
            events.push(Event { n: *ply, seat, event, kind, phase: *phase, why: message, raw });
        }
    }
    events
}

pub(super) fn outcome<'a>(shown: &Shown<'a>) -> Outcome<'a> {
    let played = shown.played;
    let (ending, cause) = match &played.ending {
        Ending::Over => ("over", None),
        Ending::Fault => ("fault", None),
        Ending::Void(cause) => ("void", Some(cause.as_str())),
    };
    let scores = played.seats.iter().map(|seat| seat.score).collect();
    let ranks = played.seats.iter().map(|seat| seat.rank).collect();
    let usage = played.seats.iter().map(|seat| &seat.usage).collect();
    Outcome { ending, cause, scores, ranks, turns: shown.plies(), us: played.wall_us, usage }
}

/// On one line. None of our documents has keys that JSON cannot write, so that there is nothing to fail.
fn compact(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// On many lines, for a document that people look at too.
pub(super) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
