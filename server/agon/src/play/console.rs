//! What people at one terminal share: the position, what they type, and what they are told. It knows games only by
//! their notation, their rules and their pictures.

use super::words::Words;
use crate::paint::Paint;
use agon_games::{AnyState, Facts, MoveBytes, Seat};
use agon_model::Step;
use agon_model::visible::{Medium, escape, visible};
use agon_report::{TextLine, picture};
use agon_tournament::AdHocMatch;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Moves are listed unasked up to this many.
const FEW: usize = 16;
/// Moves that `m` lists at most.
const MANY: usize = 200;
/// Moves are counted up to this many.
const MOST: usize = 100_000;
/// Moves that are looked at for those that begin as asked: some games have more than can be gone through.
const LOOKED_AT: usize = 1_000_000;

/// What people want other than to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To leave.
    Quit,
    /// To have the last move of a person back.
    Undo,
}

/// See the file's header.
pub struct Console {
    facts: &'static Facts,
    /// The label of each seat's client; `None` = a person.
    labels: Vec<Option<String>>,
    lines: Receiver<String>,
    paint: Paint,
    words: Words,
    state: Box<dyn AnyState>,
    steps: Vec<Step>,
    /// Moves that are played again after one was taken back.
    script: Vec<Step>,
    /// Who is being asked.
    asked: Option<Seat>,
    /// Whether the next person has not yet said to be alone with the screen.
    curtain: bool,
    /// The parts of a move that were typed.
    begun: String,
    wish: Option<Wish>,
}

impl Console {
    /// For one sitting.
    pub fn new(ad_hoc: &AdHocMatch, lines: Receiver<String>, paint: Paint, words: Words) -> Console {
        Console {
            facts: ad_hoc.facts(),
            labels: ad_hoc.labels().into_iter().map(|label| label.map(|label| escape(label, 40))).collect(),
            lines,
            paint,
            words,
            state: ad_hoc.start(),
            steps: Vec::new(),
            script: Vec::new(),
            asked: None,
            curtain: false,
            begun: String::new(),
            wish: None,
        }
    }

    /// A line for everybody.
    pub fn say(&self, text: &str) {
        // Where the output is gone there is nobody to tell, and the input ends soon.
        let _ = writeln!(std::io::stdout(), "{}", visible(text, Medium::Screen));
    }

    /// A line with colours of ours.
    fn paint(&self, line: &TextLine) {
        let _ = writeln!(std::io::stdout(), "{}", self.paint.line(line).trim_end());
    }

    /// From the start, perhaps not for the first time.
    pub fn begin(&mut self, state: Box<dyn AnyState>) {
        if self.script.is_empty() {
            self.say(&format!("{}: {}", self.facts.title, self.words.help(self.facts)));
        }
        (self.state, self.asked, self.curtain) = (state, None, false);
        self.steps.clear();
    }

    /// Takes notice of a move; one that nobody at the desk made is told, unless it may be secret.
    pub fn see(&mut self, step: &Step, state: &dyn AnyState) {
        let text = escape(&self.state.write(&step.mv), 80);
        if let Some(then) = self.script.get(self.steps.len())
            && (then.seat, then.mv) != (step.seat, step.mv)
        {
            self.say(self.words.plays_differently());
            self.script.clear();
        }
        let is_again = self.steps.len() < self.script.len();
        if let (Some(label), false) = (&self.labels[step.seat], self.facts.hidden || is_again) {
            self.say(&self.words.moved(step.ply, step.seat, label, &text));
        }
        self.state = state.clone_box();
        self.steps.push(*step);
    }

    /// The move of the person on `seat`, `Some(None)` if the match is to be left, `None` if nothing came within
    /// `patience`.
    pub fn hear(&mut self, seat: Seat, ply: u32, patience: Duration) -> Option<Option<MoveBytes>> {
        if let Some(step) = self.script.iter().find(|step| (step.ply, step.seat) == (ply, seat)) {
            return Some(Some(step.mv));
        }
        match self.asked {
            None => self.turn_to(seat),
            // One after the other, so that nobody sees what another has in hand.
            Some(other) if other != seat => return None,
            Some(_) => {}
        }
        let wish = match self.lines.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => Wish::Quit,
            Ok(line) => match self.take(seat, line.trim()) {
                ControlFlow::Continue(()) => {
                    self.prompt(seat);
                    return None;
                }
                ControlFlow::Break(Ok(mv)) => {
                    self.asked = None;
                    return Some(Some(mv));
                }
                ControlFlow::Break(Err(wish)) => wish,
            },
        };
        self.wish = Some(wish);
        Some(None)
    }

    fn turn_to(&mut self, seat: Seat) {
        self.asked = Some(seat);
        self.curtain = self.facts.hidden && self.labels.iter().filter(|label| label.is_none()).count() > 1;
        if self.curtain {
            if std::io::stdout().is_terminal() {
                // Clears the screen and what can be scrolled back to.
                let _ = write!(std::io::stdout(), "\x1b[2J\x1b[3J\x1b[H");
            }
            self.say(&self.words.only_you(seat));
        } else {
            self.show(Some(seat));
        }
        self.prompt(seat);
    }

    fn prompt(&self, seat: Seat) {
        let mut out = std::io::stdout();
        let _ = write!(out, "{}{}", self.words.prompt(seat), self.begun).and_then(|()| out.flush());
    }

    /// The position, as the person on `seat` may see it, and how many moves there are.
    fn show(&self, seat: Option<Seat>) {
        let columns = rustix::termios::tcgetwinsize(std::io::stdout()).map_or(80, |size| usize::from(size.ws_col));
        // What nobody at the desk may know yet, such as who wins, is not for whoever is to move.
        let scene = self.state.scene(seat, self.words.0);
        self.say("");
        for line in picture(&scene, columns.max(20), self.paint.charset) {
            self.paint(&line);
        }
        if let Some(seat) = seat {
            self.say(&match self.legal(seat, "", MOST).as_slice() {
                moves if moves.len() <= FEW => self.words.legal(moves),
                moves if moves.len() == MOST => self.words.at_least(MOST),
                moves => self.words.many(moves.len(), &moves[moves.len() / 2]),
            });
        }
    }

    /// At most `most` legal moves whose notation begins with `prefix`.
    fn legal(&self, seat: Seat, prefix: &str, most: usize) -> Vec<String> {
        let (mut moves, mut looked_at) = (Vec::new(), 0);
        self.state.legal(seat, &mut |mv| {
            let text = self.state.write(&mv);
            if text.starts_with(prefix) {
                moves.push(text);
            }
            looked_at += 1;
            if moves.len() < most && looked_at < LOOKED_AT { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        moves
    }

    /// Does what a line says, or breaks with a move or a wish.
    fn take(&mut self, seat: Seat, line: &str) -> ControlFlow<Result<MoveBytes, Wish>> {
        match line {
            "q" | "quit" | "exit" => return ControlFlow::Break(Err(Wish::Quit)),
            _ if self.curtain => {
                self.curtain = false;
                self.show(Some(seat));
            }
            "" => {
                self.begun.clear();
                self.show(Some(seat));
            }
            "?" | "help" => self.say(&self.words.help(self.facts)),
            "u" | "undo" => match self.take_back() {
                Ok(()) => return ControlFlow::Break(Err(Wish::Undo)),
                Err(why) => self.say(why),
            },
            "m" | "moves" => self.list(seat, ""),
            _ => match line.strip_prefix("m ") {
                Some(prefix) => self.list(seat, prefix.trim()),
                None => return self.read(seat, line),
            },
        }
        ControlFlow::Continue(())
    }

    /// A move, typed whole or part by part.
    fn read(&mut self, seat: Seat, line: &str) -> ControlFlow<Result<MoveBytes, Wish>> {
        let typed = std::mem::take(&mut self.begun) + line;
        // Notation has no capitals; people do.
        let lower = typed.to_lowercase();
        let Some(mv) = self.state.read(&typed).or_else(|| self.state.read(&lower)) else {
            let is_begun = !self.legal(seat, &typed, 1).is_empty();
            self.begin_move(seat, if is_begun { &typed } else { &lower });
            return ControlFlow::Continue(());
        };
        match self.state.check(seat, &mv) {
            Ok(()) => ControlFlow::Break(Ok(mv)),
            Err(illegal) => {
                self.say(&self.words.not_allowed(&illegal));
                ControlFlow::Continue(())
            }
        }
    }

    /// Takes what was typed for the first part of a move, if a legal one goes on after it with a sign between.
    fn begin_move(&mut self, seat: Seat, typed: &str) {
        let moves = self.legal(seat, typed, MANY);
        let sign =
            moves.iter().find_map(|text| text[typed.len()..].chars().next().filter(|sign| !sign.is_alphanumeric()));
        let Some(sign) = sign.filter(|_| !typed.is_empty()) else {
            let example = self.legal(seat, "", 1).pop();
            return self.say(&self.words.no_move(&escape(typed, 60), example.as_deref()));
        };
        self.begun = format!("{typed}{sign}");
        let list = self.next_parts(seat, &self.begun);
        self.say(&self.words.begins(&escape(&self.begun, 60), &list));
    }

    /// What may follow a part of a move: the next parts, each once, up to the sign that ends them.
    fn next_parts(&self, seat: Seat, begun: &str) -> String {
        let mut parts: Vec<String> = Vec::new();
        for text in self.legal(seat, begun, MOST) {
            let rest = &text[begun.len()..];
            let part = &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())];
            if !parts.iter().any(|known| known == part) {
                parts.push(part.to_owned());
            }
        }
        parts.join(", ")
    }

    fn list(&self, seat: Seat, prefix: &str) {
        self.say(&self.listed(seat, prefix, MANY));
    }

    /// The legal moves that begin so, at most `most` of them.
    fn listed(&self, seat: Seat, prefix: &str, most: usize) -> String {
        let moves = self.legal(seat, prefix, most + 1);
        let more = if moves.len() > most { self.words.and_more() } else { "" };
        match moves.as_slice() {
            [] => self.words.none_begins(&escape(prefix, 60)),
            moves => format!("{}{more}", moves[..moves.len().min(most)].join(", ")),
        }
    }

    /// Everything before the last move of a person is to be played again.
    fn take_back(&mut self) -> Result<(), &'static str> {
        if self.facts.hidden {
            return Err(self.words.seen());
        }
        let last = self.steps.iter().rfind(|step| self.labels[step.seat].is_none());
        let ply = last.ok_or_else(|| self.words.nothing_to_take_back())?.ply;
        self.script = self.steps.iter().copied().filter(|step| step.ply < ply).collect();
        Ok(())
    }

    /// What people wanted when they left the match, if they did.
    pub fn take_wish(&mut self) -> Option<Wish> {
        self.wish.take()
    }

    /// The last position, with nothing hidden any more.
    pub fn show_end(&self) {
        self.show(None);
    }
}
