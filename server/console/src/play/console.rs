//! People at one terminal: prints the board and reads their moves.

use super::advice::Adviser;
use super::board::{BoardRequest, End, SeatBoard};
use super::board_match::{BoardMatch, MOST, Stands, part};
use super::sentences::PlayWords;
use agon_command::Failure;
use agon_command::atomic_file::write_atomically;
use agon_command::paint::Paint;
use agon_games::{AnyState, MoveBytes, Seat};
use agon_model::visible::{Medium, escape, visible};
use agon_model::{Step, TextLine};
use agon_playback::picture;
use agon_tournament::AdHocMatch;
use std::cell::RefCell;
use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Moves are listed unasked up to this many.
const FEW: usize = 16;
/// Moves that `m` lists at most.
const MANY: usize = 200;

/// The terminal at which people play.
pub struct Console {
    game: BoardMatch,
    lines: Receiver<String>,
    paint: Paint,
    words: PlayWords,
    /// The seat that is asked now.
    asked: Option<Seat>,
    /// Whether the next person has not yet said to be alone with the screen.
    curtain: bool,
    /// The parts of a move that were typed.
    begun: String,
    wish: Option<BoardRequest>,
    /// The names of people, seat by seat.
    names: Vec<Option<String>>,
    adviser: Option<Adviser>,
    /// The file that gets the page of the match when it is over.
    kept: Option<PathBuf>,
}

impl Console {
    /// A terminal for one match.
    pub fn new(ad_hoc: &AdHocMatch, lines: Receiver<String>, paint: Paint, words: PlayWords) -> Console {
        Console {
            game: BoardMatch::new(ad_hoc),
            lines,
            paint,
            words,
            asked: None,
            curtain: false,
            begun: String::new(),
            wish: None,
            names: Vec::new(),
            adviser: None,
            kept: None,
        }
    }

    /// With names, seat by seat, and a client that can be asked.
    pub fn with_people(self, names: Vec<Option<String>>, adviser: Option<Adviser>) -> Console {
        Console { names, adviser, ..self }
    }

    /// Prints a line for everybody.
    fn say(&self, text: &str) {
        // Where the output is closed nobody can read it, and the input ends soon.
        let _ = writeln!(std::io::stdout(), "{}", visible(text, Medium::Screen));
    }

    /// A line with colours of ours.
    fn paint(&self, line: &TextLine) {
        let _ = writeln!(std::io::stdout(), "{}", self.paint.line(line).trim_end());
    }

    fn begin(&mut self, state: Box<dyn AnyState>) {
        if !self.game.begin(state) {
            let facts = self.game.facts;
            self.say(&self.words.introduction(facts));
        }
        (self.asked, self.curtain) = (None, false);
    }

    /// Takes notice of a move, and prints one that nobody at the terminal made, unless it may be secret.
    fn see(&mut self, step: &Step, state: &dyn AnyState) {
        let seen = self.game.see(step, state);
        if seen.differs {
            self.say(self.words.plays_differently());
        }
        if let (Some(label), false) = (&self.game.labels[step.seat], self.game.facts.hidden || seen.is_again) {
            self.say(&self.words.moved(step.ply, step.seat, label, &seen.text));
        }
    }

    fn hear(&mut self, seat: Seat, ply: u32, patience: Duration) -> Option<Option<MoveBytes>> {
        if let Some(mv) = self.game.scripted(seat, ply) {
            return Some(Some(mv));
        }
        match self.asked {
            None => self.turn_to(seat),
            // People are asked one after the other, so that nobody sees another's hand.
            Some(other) if other != seat => return None,
            Some(_) => {}
        }
        let wish = match self.lines.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => BoardRequest::Quit,
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
        self.curtain = self.game.facts.hidden && self.game.people().count() > 1;
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

    fn name(&self, seat: Seat) -> Option<&str> {
        self.names.get(seat)?.as_deref()
    }

    /// Prints what a client would play here.
    fn advise(&self, seat: Seat) {
        let Some(adviser) = &self.adviser else { return self.say(self.words.no_adviser()) };
        self.say(&self.words.is_asked(&adviser.label));
        let advice = adviser.ask(&*self.game.state, seat);
        self.say(&self.words.advice(&adviser.label, advice));
    }

    /// The match is to be kept when it is over.
    fn keep(&mut self, file: &str) {
        let path = PathBuf::from(file);
        if path.exists() {
            return self.say(&self.words.is_taken(&escape(file, 80)));
        }
        self.say(&self.words.will_be_kept(&escape(file, 80)));
        self.kept = Some(path);
    }

    /// Writes the page of the match, if that was asked for.
    fn write(&self, end: &End<'_>) {
        let Some(file) = &self.kept else { return };
        let shown = file.display();
        let page = (end.replay)();
        let trouble = |error| Failure::trouble(format!("{shown}: {error}"));
        match write_atomically(file, |out| out.write_all(page.as_bytes()).map_err(trouble)) {
            Ok(()) => self.say(&self.words.saved(&shown.to_string())),
            Err(failure) => self.say(&failure.message),
        }
    }

    fn prompt(&self, seat: Seat) {
        let mut out = std::io::stdout();
        let _ = write!(out, "{}{}", self.words.prompt(seat, self.name(seat)), self.begun).and_then(|()| out.flush());
    }

    /// The position, as the person on `seat` may see it, and how many moves there are.
    fn show(&self, seat: Option<Seat>) {
        let columns = rustix::termios::tcgetwinsize(std::io::stdout()).map_or(80, |size| usize::from(size.ws_col));
        // The side to move must not see what nobody at the board may know, such as who wins.
        let scene = self.game.state.scene(seat, self.words.0);
        self.say("");
        for line in picture(&scene, columns.max(20), self.paint.charset) {
            self.paint(&line);
        }
        if let Some(seat) = seat {
            self.say(&match self.game.legal(seat, "", MOST).as_slice() {
                moves if moves.len() <= FEW => self.words.legal(moves),
                moves if moves.len() == MOST => self.words.at_least(MOST),
                moves => self.words.many(moves.len(), &moves[moves.len() / 2]),
            });
        }
    }

    /// Does what a line says, or breaks with a move or a wish.
    fn take(&mut self, seat: Seat, line: &str) -> ControlFlow<Result<MoveBytes, BoardRequest>> {
        match line {
            "q" | "quit" | "exit" => return ControlFlow::Break(Err(BoardRequest::Quit)),
            _ if self.curtain => {
                self.curtain = false;
                self.show(Some(seat));
            }
            "" => {
                self.begun.clear();
                self.show(Some(seat));
            }
            "?" | "help" => {
                let example = self.game.example(seat, "", self.words.0);
                self.say(&self.words.help(self.game.facts, example.as_deref()));
            }
            "u" | "undo" => match self.game.take_back() {
                Ok(()) => return ControlFlow::Break(Err(BoardRequest::Undo)),
                Err(Stands::Seen) => self.say(self.words.seen()),
                Err(Stands::Nothing) => self.say(self.words.nothing_to_take_back()),
            },
            "h" | "hint" => self.advise(seat),
            "resign" => return ControlFlow::Break(Err(BoardRequest::Resign(seat))),
            "m" | "moves" => self.list(seat, ""),
            _ => match line.split_once(' ') {
                Some(("m", prefix)) => self.list(seat, prefix.trim()),
                Some(("keep", file)) => self.keep(file.trim()),
                _ => return self.read(seat, line),
            },
        }
        ControlFlow::Continue(())
    }

    /// A move, typed whole or part by part.
    fn read(&mut self, seat: Seat, line: &str) -> ControlFlow<Result<MoveBytes, BoardRequest>> {
        let typed = std::mem::take(&mut self.begun) + line;
        // Notation has no capitals; people do.
        let lower = typed.to_lowercase();
        let Some(mv) = self.game.state.read(&typed).or_else(|| self.game.state.read(&lower)) else {
            let is_begun = !self.game.legal(seat, &typed, 1).is_empty();
            self.begin_move(seat, if is_begun { &typed } else { &lower });
            return ControlFlow::Continue(());
        };
        match self.game.state.check(seat, &mv) {
            Ok(()) => ControlFlow::Break(Ok(mv)),
            // One part of a move may be written as another move, which is none here.
            Err(_) if part(line) == line && self.sign_after(seat, &typed).is_some() => {
                self.begin_move(seat, &typed);
                ControlFlow::Continue(())
            }
            Err(illegal) => {
                self.say(&self.words.not_allowed(&illegal));
                ControlFlow::Continue(())
            }
        }
    }

    /// Takes what was typed for the first part of a move, if a legal one goes on after it with a sign between.
    fn begin_move(&mut self, seat: Seat, typed: &str) {
        let Some(sign) = self.sign_after(seat, typed) else {
            let example = self.game.example(seat, "", self.words.0);
            return self.say(&self.words.no_move(&escape(typed, 60), example.as_deref()));
        };
        self.begun = format!("{typed}{sign}");
        let list = self.game.next_parts(seat, &self.begun).join(", ");
        self.say(&self.words.begins(&escape(&self.begun, 60), &list));
    }

    /// The sign after what was typed, where a legal move goes on so.
    fn sign_after(&self, seat: Seat, typed: &str) -> Option<char> {
        let moves = if typed.is_empty() { Vec::new() } else { self.game.legal(seat, typed, MANY) };
        moves.iter().find_map(|text| text[typed.len()..].chars().next().filter(|sign| !sign.is_alphanumeric()))
    }

    fn list(&self, seat: Seat, prefix: &str) {
        self.say(&self.listed(seat, prefix, MANY));
    }

    /// The legal moves that begin so, at most `most` of them.
    fn listed(&self, seat: Seat, prefix: &str, most: usize) -> String {
        let moves = self.game.legal(seat, prefix, most + 1);
        let more = if moves.len() > most { self.words.and_more() } else { "" };
        match moves.as_slice() {
            [] => self.words.none_begins(&escape(prefix, 60)),
            moves => format!("{}{more}", moves[..moves.len().min(most)].join(", ")),
        }
    }
}

impl SeatBoard for RefCell<Console> {
    fn begin(&self, state: Box<dyn AnyState>) {
        self.borrow_mut().begin(state);
    }

    fn see(&self, step: &Step, state: &dyn AnyState) {
        self.borrow_mut().see(step, state);
    }

    fn hear(&self, seat: Seat, ply: u32, patience: Duration) -> Option<Option<MoveBytes>> {
        self.borrow_mut().hear(seat, ply, patience)
    }

    fn take_wish(&self) -> Option<BoardRequest> {
        self.borrow_mut().wish.take()
    }

    fn state(&self) -> Box<dyn AnyState> {
        self.borrow().game.state.clone_box()
    }

    fn say(&self, text: &str) {
        self.borrow().say(text);
    }

    fn end(&self, end: &End<'_>) -> bool {
        let console = self.borrow();
        console.show(None);
        console.say(&end.told.lines(console.words));
        console.write(end);
        false
    }
}
