//! One match explained: who, where, how it ended and why, what it cost, what was printed, and how to look closer.

use super::grid::text_table;
use super::log;
use agon_games::{AnyGame, Language};
use agon_model::match_log::{Heading, LogEvent, LogHeader, LogResult, LogSeat, events, outcome};
use agon_model::visible::{escape, json_document};
use agon_model::{ClockKind, MoveLine, Output, Phase, SeatResult, Step, StoredMatch, Stream, state_after, time_text};
use agon_playback::{LoggedValues, ending_text, own_time_text, phase_and_ply, seat_text, value_text};
use serde::Serialize;

/// Lines of the output of a seat that are stored.
const TAIL: usize = 10;

/// The whole explanation, with the position after a turn or at the end; `with_moves` adds every move.
pub fn show(stored: &StoredMatch, game: &dyn AnyGame, turn: Option<u32>, with_moves: bool) -> String {
    let texts = log::move_texts(stored, game);
    let parts = [
        head(stored),
        ending_text(stored),
        notices(stored),
        usage(stored, &texts),
        layers(&stored.played.seats),
        position(stored, game, turn),
        if with_moves { moves(stored, &texts) } else { String::new() },
        (0..stored.played.seats.len()).map(|seat| outputs(stored, seat, turn)).collect(),
        further(stored, with_moves),
    ];
    parts.concat()
}

/// The board, and the text with which a match can begin there.
fn position(stored: &StoredMatch, game: &dyn AnyGame, turn: Option<u32>) -> String {
    let when = turn.map_or("at the end".to_owned(), |turn| format!("after turn {turn}"));
    match state_after(stored, game, turn.unwrap_or(stored.played.plies())) {
        Ok(state) => {
            let from = state.position().map_or(String::new(), |text| format!("  as an option: --from {text}\n"));
            let board = indent(&state.scene(None, Language::English).to_text());
            let marks = if board.contains('[') { ", with the last move in brackets" } else { "" };
            format!("\n{when}{marks}\n{board}{from}")
        }
        Err(why) => format!("\nnot replayed: {why} (the record is of other rules, or damaged)\n"),
    }
}

fn head(stored: &StoredMatch) -> String {
    let (ladder, played) = (&stored.ladder, &stored.played);
    let title = format!(
        "match {}: {} {}, opening {}, ladder \"{}\"\n\n",
        played.id,
        ladder.game,
        escape(stored.setting_name(), 64),
        stored.opening + 1,
        escape(&ladder.name, 64)
    );
    let own_times: Vec<String> = (0..played.seats.len()).map(|seat| own_time_text(stored, seat)).collect();
    let has_own = own_times.iter().any(|own| !own.is_empty());
    let row = |(seat, result): (usize, &SeatResult)| {
        let fault = result.fault.as_ref().map_or("", |fault| fault.kind.name());
        let (told, label) = (escape(&result.told_name, 40), escape(stored.label(seat), 40));
        let name = if told == label { String::new() } else { told };
        let mut cells = vec![(seat + 1).to_string(), label, name];
        cells.extend(has_own.then(|| own_times[seat].clone()));
        cells.extend([result.rank.to_string(), result.score.to_string(), fault.to_owned()]);
        cells
    };
    let mut titles = vec![">seat", "client", "calls itself"];
    titles.extend(has_own.then_some("own time"));
    titles.extend([">rank", ">score", "fault"]);
    title + &text_table(&titles, played.seats.iter().enumerate().map(row))
}

fn notices(stored: &StoredMatch) -> String {
    let mut out = String::new();
    for (seat, result) in stored.played.seats.iter().enumerate() {
        for notice in &result.notices {
            let (kind, when) = (notice.kind.name(), phase_and_ply(notice.phase, notice.ply));
            out += &format!("notice: {}: {kind} {when}: {}\n", seat_text(stored, seat), escape(&notice.message, 400));
        }
    }
    out
}

fn usage(stored: &StoredMatch, texts: &[String]) -> String {
    let on_wall = stored.ladder.terms.time.as_ref().is_some_and(|time| time.clock == ClockKind::Wall);
    let judged = |step: &Step| if on_wall { step.wall_us } else { step.cpu_us };
    let row = |(seat, result): (usize, &SeatResult)| {
        let usage = &result.usage;
        let steps = || stored.played.steps.iter().enumerate().filter(|(_, step)| step.seat == seat && step.by_client);
        let slowest = steps().max_by_key(|(_, step)| judged(step));
        let slowest = slowest.map_or(String::new(), |(index, step)| {
            format!("{} in turn {}", texts.get(index).map_or("?", String::as_str), step.ply + 1)
        });
        vec![
            (seat + 1).to_string(),
            time_text(usage.load_us),
            time_text(usage.initialize_us),
            time_text(usage.play_cpu_us),
            time_text(usage.play_wall_us),
            time_text(usage.slowest_us),
            slowest,
            // A match of few quick moves may end before anybody looks.
            if usage.memory == 0 { "-".to_owned() } else { format!("{} KiB", usage.memory >> 10) },
        ]
    };
    let titles = [">seat", ">load", ">initialize", ">play, cpu", ">play, wall", ">slowest", "move", ">memory"];
    format!("\n{}", text_table(&titles, stored.played.seats.iter().enumerate().map(row)))
}

fn layers(seats: &[SeatResult]) -> String {
    let list = |result: &SeatResult| {
        if result.layers.is_empty() {
            "none".to_owned()
        } else {
            result.layers.iter().map(|layer| escape(layer, 40)).collect::<Vec<_>>().join(", ")
        }
    };
    match seats.first() {
        Some(first) if seats.iter().all(|seat| seat.layers == first.layers) => format!("\nsandbox: {}\n", list(first)),
        _ => {
            seats
                .iter()
                .enumerate()
                .map(|(seat, result)| format!("\nsandbox of seat {}: {}", seat + 1, list(result)))
                .collect::<String>()
                + "\n"
        }
    }
}

/// A line a move; with what its client thought where any logged it.
fn moves(stored: &StoredMatch, texts: &[String]) -> String {
    let values = LoggedValues::of(&stored.played);
    let columns = if values.is_empty() { 4 } else { 7 };
    let row = |(index, step): (usize, &Step)| {
        let text = texts.get(index).cloned().unwrap_or_default();
        let spent = if step.by_client { time_text(step.cpu_us) } else { "by the rules".to_owned() };
        let said = values.with(step).map_or([None; 2], |said| [said.thought.value, said.thought.depth]);
        let [value, depth] = said.map(|said| said.map_or(String::new(), value_text));
        let blunder = if values.blunder(step.ply).is_some() { "blunder" } else { "" };
        let (turn, seat) = ((step.ply + 1).to_string(), (step.seat + 1).to_string());
        let mut cells = vec![turn, seat, text, spent, value, depth, blunder.to_owned()];
        cells.truncate(columns);
        cells
    };
    let titles = [">turn", ">seat", "move", ">cpu", ">value", ">depth", ""];
    let lines = text_table(&titles[..columns], stored.played.steps.iter().enumerate().map(row));
    format!("\n{lines}")
}

/// How it ended and everything that was printed and logged, line by line with its turn.
pub fn printed(stored: &StoredMatch) -> String {
    let mut out = format!("match {}\n{}{}", stored.played.id, ending_text(stored), notices(stored));
    for seat in 0..stored.played.seats.len() {
        for (stream, name) in STREAMS {
            let lines: Vec<String> = outputs_of(stored, seat, stream).flat_map(lines).collect();
            if !lines.is_empty() {
                out += &format!("\n{name} of {}\n{}", seat_text(stored, seat), lines.concat());
            }
        }
    }
    out
}

const STREAMS: [(Stream, &str); 3] = [(Stream::Stdout, "stdout"), (Stream::Stderr, "stderr"), (Stream::Log, "log")];

fn outputs_of(stored: &StoredMatch, seat: usize, stream: Stream) -> impl Iterator<Item = &Output> {
    stored.played.outputs.iter().filter(move |output| output.seat == seat && output.stream == stream)
}

/// The last lines of what a seat printed and logged, up to a turn where one is looked at.
fn outputs(stored: &StoredMatch, seat: usize, turn: Option<u32>) -> String {
    let is_later = |output: &Output| match output.phase {
        Phase::Play | Phase::Waiting => turn.is_some_and(|turn| output.ply >= turn),
        Phase::Finalize => turn.is_some(),
        Phase::Load | Phase::Initialize | Phase::Name => false,
    };
    let until = turn.map_or(String::new(), |turn| format!(" up to turn {turn}"));
    let mut out = String::new();
    for (stream, name) in STREAMS {
        let all = outputs_of(stored, seat, stream).filter(|output| !is_later(output));
        let lines: Vec<String> = all.flat_map(lines).collect();
        let left_out = lines.len().saturating_sub(TAIL);
        if !lines.is_empty() {
            let count = format!(", the last {TAIL} of {} lines{until}", lines.len());
            let note = if left_out > 0 { count } else { String::new() };
            out += &format!("\n{name} of {}{note}\n{}", seat_text(stored, seat), lines[left_out..].concat());
        }
    }
    out
}

fn lines(output: &Output) -> Vec<String> {
    let place = match output.phase {
        Phase::Play | Phase::Waiting => format!("turn {}", output.ply + 1),
        Phase::Load => "load".to_owned(),
        Phase::Initialize | Phase::Name => "start".to_owned(),
        Phase::Finalize => "end".to_owned(),
    };
    // What agon_log was given is a key and a value, parted by a tab.
    let clean = |line: &str| escape(&line.replace('\t', " "), 200);
    output.text.lines().map(|line| format!("  {place:>8} | {}\n", clean(line))).collect()
}

/// How to look closer: at every move, as programs do, step by step, at the client that went wrong, and by playing it
/// again.
fn further(stored: &StoredMatch, with_moves: bool) -> String {
    let id = &stored.played.id;
    let mut list = Vec::new();
    if !with_moves {
        list.push((format!("show {id} --moves"), "every move"));
    }
    list.push((format!("show {id} --jsonl"), "everything, for programs"));
    list.push((format!("replay {id}"), "step by step"));
    if stored.played.plies() > 0 {
        list.push((format!("analyse {id}@1"), "the position after turn 1; add -c CLIENT to see that client's move"));
    }
    let seats = || stored.played.seats.iter();
    let has_place = |seat: &SeatResult| seat.fault.as_ref().is_some_and(|fault| fault.kind.has_place());
    if let Some(seat) = seats().position(has_place) {
        let what = "where it was when it hung or crashed, with file and line";
        list.push((format!("rerun {id} --stack {}", seat + 1), what));
    }
    if let Some(seat) = seats().position(|seat| seat.fault.is_some()) {
        list.push((format!("rerun {id} --gdb {}", seat + 1), "the client at fault in a debugger"));
    }
    list.push((format!("rerun {id}"), "played again and compared"));
    let widest = list.iter().map(|(words, _)| words.len()).max().unwrap_or(0);
    let line = |(words, what): &(String, &str)| format!("agon {words:<widest$}   {what}\n");
    format!("\n{}", list.iter().map(line).collect::<String>())
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_owned() + "\n").collect()
}

/// The client of a seat, and its results.
#[derive(Serialize)]
struct SeatDocument<'a> {
    #[serde(flatten)]
    seat: LogSeat<'a>,
    told_name: &'a str,
    layers: &'a [String],
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(rename = "match")]
    header: Option<LogHeader<'a>>,
    seats: Vec<SeatDocument<'a>>,
    result: LogResult<'a>,
    events: Vec<LogEvent<'a>>,
    position: Option<String>,
    /// With which a match can begin there.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveDocument>>,
}

/// A move, and what its client thought.
#[derive(Serialize)]
struct MoveDocument {
    #[serde(flatten)]
    played: MoveLine,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    blunder: bool,
}

fn move_documents(stored: &StoredMatch, game: &dyn AnyGame) -> Vec<MoveDocument> {
    let values = LoggedValues::of(&stored.played);
    let document = |(played, step): (MoveLine, &Step)| {
        let [value, depth] = values.with(step).map_or([None; 2], |said| [said.thought.value, said.thought.depth]);
        MoveDocument { played, value, depth, blunder: values.blunder(step.ply).is_some() }
    };
    log::moves(stored, game).into_iter().zip(&stored.played.steps).map(document).collect()
}

/// One JSON document, `agon.show/1`, ended by a newline; what was printed is in the log (`log_lines`).
pub fn show_json(stored: &StoredMatch, game: &dyn AnyGame, turn: Option<u32>, with_moves: bool) -> String {
    let state = state_after(stored, game, turn.unwrap_or(stored.played.plies())).ok();
    let heading = log::heading(stored, game);
    let seats = heading.as_ref().map(Heading::seat_lines).unwrap_or_default();
    let seats = seats.into_iter().zip(&stored.played.seats);
    json_document(&Document {
        schema: "agon.show/1",
        header: heading.as_ref().map(Heading::header),
        seats: seats
            .map(|(seat, result)| SeatDocument { seat, told_name: &result.told_name, layers: &result.layers })
            .collect(),
        result: outcome(&stored.played),
        events: events(&stored.played),
        position: state.as_ref().map(|state| state.scene(None, Language::English).to_text()),
        from: state.and_then(|state| state.position()),
        moves: with_moves.then(|| move_documents(stored, game)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_of_another_record_are_shown_without_what_a_terminal_obeys() {
        let seat = |layer: &str| SeatResult {
            rank: 1,
            layers: vec!["limits".to_owned(), layer.to_owned()],
            ..SeatResult::default()
        };
        let stored = layers(&[seat("\x1b[2J"), seat("seccomp")]);
        assert!(stored.contains("limits, seccomp") && !stored.contains('\x1b'), "{stored}");
    }
}
