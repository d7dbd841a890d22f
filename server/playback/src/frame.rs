//! Shows a playback in a terminal: a pure function of the view and the size. Next to the board if there is room, else
//! below it, stand the clocks, faults, and prints.

use super::picture::picture;
use super::playback::{Frame, MadeMove, Playback};
use super::values::value_text;
use agon_model::time_text;
use agon_model::{Charset, Ink, TextLine};

/// The view of a reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Which position, from 0 = the start.
    pub position: usize,
    pub pane: Pane,
    /// Lines passed over at the top.
    pub scroll: usize,
}

/// The content of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The position.
    #[default]
    Board,
    /// The clients' prints of the turn.
    Output,
    /// The position as a text.
    Position,
    /// The keys.
    Help,
}

/// Lines and columns of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Characters a line.
    pub columns: usize,
    /// Lines.
    pub rows: usize,
}

/// Lines beside the board need this much room.
const BESIDE: usize = 28;
/// Title, turn and keys.
const AROUND: usize = 3;

const HELP: &str = "\
right  one turn on (space too)
left   one turn back
PgDn   ten turns on
PgUp   ten turns back
Home   the start
End    the end
e      next event: fault, notice, blunder
E      previous event
t      the slowest move
s      all that was printed in the turn
p      the position as --from takes it
down   further down, where lines are left
up     back up
q      quit (Esc too)
Digits are seats, brackets the last move.";

/// The lines of a screen: as many as there are rows, none longer than there are columns.
pub fn frame(playback: &Playback, view: &View, size: Size, charset: Charset) -> Vec<TextLine> {
    let position = view.position.min(playback.frames.len() - 1);
    let shown = &playback.frames[position];
    let whole = |text: &str| wrap(Ink::Plain, text, size.columns);
    let (body, beside) = match view.pane {
        Pane::Board => board(playback, position, size, charset),
        Pane::Output if shown.outputs.is_empty() => (whole("nothing was printed in this turn"), Vec::new()),
        Pane::Output => (shown.outputs.iter().flat_map(|line| whole(line)).collect(), Vec::new()),
        Pane::Position => {
            (whole(shown.position.as_deref().unwrap_or("this game has no text for a position")), Vec::new())
        }
        Pane::Help => (HELP.lines().flat_map(whole).collect(), Vec::new()),
    };
    let room = size.rows.saturating_sub(AROUND);
    let mut lines = vec![title(playback), turn(playback, shown, position)];
    lines.extend(join(window(body, view.scroll, room), beside, room));
    lines.resize(room + AROUND - 1, TextLine::default());
    lines.push(keys(size.columns, charset));
    lines.truncate(size.rows);
    lines.into_iter().map(|line| line.cut(size.columns, charset)).collect()
}

/// The lines from `scroll` on that fit; the last one shows the number of lines left out below.
fn window(lines: Vec<TextLine>, scroll: usize, room: usize) -> Vec<TextLine> {
    let scroll = scroll.min(lines.len().saturating_sub(room));
    let below = lines.len().saturating_sub(scroll + room);
    let mut seen: Vec<TextLine> = lines.into_iter().skip(scroll).take(room).collect();
    if let (1.., Some(last)) = (below, seen.last_mut()) {
        *last = TextLine::new(Ink::Faint, format!("({} more lines: down)", below + 1));
    }
    seen
}

/// Two columns of lines, side by side.
fn join(mut left: Vec<TextLine>, right: Vec<TextLine>, room: usize) -> Vec<TextLine> {
    let width = left.iter().map(TextLine::width).max().unwrap_or(0) + 2;
    left.resize(left.len().max(right.len().min(room)), TextLine::default());
    for (line, text) in left.iter_mut().zip(right) {
        line.push(Ink::Plain, " ".repeat(width - line.width()));
        line.0.extend(text.0);
    }
    left
}

/// Every position, one below the other.
pub fn playback_text(playback: &Playback, charset: Charset) -> String {
    let mut out = title(playback).plain() + "\n";
    for position in 0..playback.frames.len() {
        out += &format!("\n{}", position_text(playback, position, charset));
    }
    out + "\n" + &playback.ending + "\n"
}

/// One position: the turn that led to it, the board, clocks, what went wrong and what was printed.
pub fn position_text(playback: &Playback, position: usize, charset: Charset) -> String {
    let Some(shown) = playback.frames.get(position) else { return String::new() };
    let lines = [turn(playback, shown, position)].into_iter().chain(picture(&shown.scene, usize::MAX, charset));
    let outputs = shown.outputs.iter().map(|line| TextLine::new(Ink::Plain, line));
    let text = shown.position.iter().map(|text| TextLine::new(Ink::Plain, format!("--from {text}")));
    let lines = lines.chain(text).chain(clocks(playback, shown)).chain(events(shown, usize::MAX)).chain(outputs);
    lines.map(|line| line.plain().trim_end().to_owned() + "\n").collect()
}

fn title(playback: &Playback) -> TextLine {
    let mut line = TextLine::new(Ink::Title, &playback.title);
    for (seat, label) in playback.seats.iter().enumerate() {
        line.push(Ink::Plain, if seat == 0 { "   " } else { ", " });
        line.push(Ink::Of(seat), format!("{} {label}", seat + 1));
    }
    line
}

/// Which turn, and what was played in it.
fn turn(playback: &Playback, shown: &Frame, position: usize) -> TextLine {
    let mut line = TextLine::new(Ink::Title, format!("turn {position} of {}", playback.frames.len() - 1));
    if position == 0 {
        line.push(Ink::Plain, "   the start");
    }
    for MadeMove { seat, text, us, fault } in &shown.moves {
        let by_rules = (us.is_none() && !shown.is_broken).then(|| "by the rules".to_owned());
        let spent = [us.map(time_text), by_rules, fault.clone()].into_iter().flatten().collect::<Vec<_>>().join(", ");
        let logged = shown.logged.iter().find(|logged| logged.seat == *seat);
        let said = [
            ("value", logged.and_then(|said| said.thought.value)),
            ("depth", logged.and_then(|said| said.thought.depth)),
        ];
        let said = said.iter().filter_map(|(key, said)| Some(format!(", {key} {}", value_text((*said)?))));
        line.push(Ink::Plain, "   ");
        line.push(Ink::Of(*seat), (seat + 1).to_string());
        line.push(
            Ink::Plain,
            format!(" {text}{}({spent}{})", if text.is_empty() { "" } else { " " }, said.collect::<String>()),
        );
    }
    line
}

/// The position and what is known of it: below each other, or beside each other where there is room.
fn board(playback: &Playback, position: usize, size: Size, charset: Charset) -> (Vec<TextLine>, Vec<TextLine>) {
    let shown = &playback.frames[position];
    let mut board = picture(&shown.scene, size.columns, charset);
    let width = board.iter().map(TextLine::width).max().unwrap_or(0);
    let beside = size.columns.saturating_sub(width + 2);
    let room = if beside >= BESIDE { beside } else { size.columns };
    let mut about = clocks(playback, shown);
    about.extend(events(shown, room));
    if position + 1 == playback.frames.len() {
        about.extend(playback.ending.lines().take(1).flat_map(|line| wrap(Ink::Title, line, room)));
    }
    about.extend(shown.outputs.iter().flat_map(|line| wrap(Ink::Faint, line, room)));
    if beside >= BESIDE {
        return (board, about);
    }
    board.extend(about);
    (board, Vec::new())
}

/// The time of each seat, used and left.
fn clocks(playback: &Playback, shown: &Frame) -> Vec<TextLine> {
    let widest = playback.seats.iter().map(|label| label.chars().count()).max().unwrap_or(0).min(16);
    let clock = |(seat, (used, left)): (usize, &(u64, Option<u64>))| {
        let mut line = TextLine::new(Ink::Of(seat), (seat + 1).to_string());
        let label: String = playback.seats[seat].chars().take(widest).collect();
        let left = left.map_or(String::new(), |left| format!(", {} left", time_text(left)));
        let own = playback.own_times.get(seat).filter(|own| !own.is_empty());
        let own = own.map_or(String::new(), |own| format!(" of its own {own}"));
        line.push(Ink::Plain, format!(" {label:<widest$}  {}{left}{own}", time_text(*used)));
        line
    };
    shown.clocks.iter().enumerate().map(clock).collect()
}

fn events(shown: &Frame, width: usize) -> Vec<TextLine> {
    shown.events.iter().flat_map(|event| wrap(Ink::Alarm, &format!("! {event}"), width)).collect()
}

fn keys(width: usize, charset: Charset) -> TextLine {
    let arrows = if charset == Charset::Ascii { "left/right" } else { "←/→" };
    let long = format!("{arrows} step  PgUp/PgDn 10  Home/End  e event  t slowest  s output  ? help  q quit");
    let short = format!("{arrows} step  e t s  ? help  q quit");
    TextLine::new(Ink::Faint, if long.chars().count() <= width { long } else { short })
}

/// Lines of at most `width` characters, broken at spaces where there are some.
fn wrap(ink: Ink, text: &str, width: usize) -> Vec<TextLine> {
    let mut lines: Vec<String> = vec![String::new()];
    let mut used = 0;
    for word in text.split_inclusive(' ') {
        let length = word.trim_end().chars().count();
        if used > 0 && used + length > width {
            lines.push(String::new());
            used = 0;
        }
        for c in word.chars() {
            if used >= width.max(1) && c != ' ' {
                lines.push(String::new());
                used = 0;
            }
            lines.last_mut().into_iter().for_each(|line| line.push(c));
            used += 1;
        }
    }
    lines.into_iter().map(|line| TextLine::new(ink, line.trim_end())).collect()
}
