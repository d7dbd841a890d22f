//! Turns the choices and texts of a person into a move, part by part or whole. The game explains a refusal in its own
//! words.

use super::session::SessionState;
use crate::play::board_match::{MOST, part};
use crate::play::sentences::PlayWords;
use agon_games::{MoveBytes, Seat};
use agon_model::visible::escape;

/// Up to this number, moves are offered whole.
const FEW: usize = 16;

impl SessionState {
    /// Takes the next part of a move, or the rest of it.
    pub fn choose(&mut self, seat: Seat, text: &str, words: PlayWords) -> String {
        let begun = self.begun.get(&seat).cloned().unwrap_or_default();
        if self.take(seat, &format!("{begun}{text}")) {
            return String::new();
        }
        // A person who has only begun a move may begin with something else.
        let is_first = begun.len() == part(&begun).len() + 1;
        if is_first && self.game.next_parts(seat, "").iter().any(|first| first == text) && self.take(seat, text) {
            return String::new();
        }
        self.explain(seat, &begun, text, words)
    }

    /// Plays a move that is legal, or begins one; `false` if no legal one begins so.
    fn take(&mut self, seat: Seat, text: &str) -> bool {
        let moves = self.game.legal(seat, text, MOST);
        if moves.iter().any(|mv| mv == text)
            && let Some(mv) = self.game.state.read(text)
        {
            self.answer(seat, mv);
            return true;
        }
        let signs = moves.iter().filter_map(|mv| mv[text.len()..].chars().next());
        let Some(sign) = signs.into_iter().find(|sign| !sign.is_alphanumeric()) else { return false };
        self.begun.insert(seat, format!("{text}{sign}"));
        true
    }

    /// Why no legal move goes on so: the rule that forbids what the chosen part would make of one that does.
    fn explain(&self, seat: Seat, begun: &str, text: &str, words: PlayWords) -> String {
        let state = &self.game.state;
        let example = self.game.legal(seat, begun, 1).pop();
        let rest = example.as_deref().map_or("", |example| &example[begun.len()..]);
        let completed = format!("{begun}{text}{}", &rest[part(rest).len()..]);
        let mv = state.read(&format!("{begun}{text}")).or_else(|| state.read(&completed));
        match mv.map(|mv| state.check(seat, &mv)) {
            Some(Err(illegal)) => words.not_allowed(&illegal),
            _ => {
                let example = self.game.example(seat, begun, words.0);
                words.no_move(&escape(&format!("{begun}{text}"), 60), example.as_deref())
            }
        }
    }

    /// A move, typed whole or part by part.
    pub fn read(&mut self, seat: Seat, line: &str, words: PlayWords) -> String {
        if matches!(line, "?" | "help") {
            return words.browser_help(self.game.facts, self.game.example(seat, "", words.0).as_deref());
        }
        let begun = self.begun.remove(&seat).unwrap_or_default();
        // Notation has no capitals, but people type them. A person may also type the beginning again.
        let lower = line.to_lowercase();
        let tried = [format!("{begun}{line}"), format!("{begun}{lower}"), line.to_owned(), lower.clone()];
        let moves: Vec<MoveBytes> = tried.iter().filter_map(|text| self.game.state.read(text)).collect();
        if let Some(mv) = moves.iter().find(|mv| self.game.state.check(seat, mv).is_ok()) {
            self.answer(seat, *mv);
            return String::new();
        }
        // One part of a move may be written as another move, which is none here.
        if !line.is_empty() && part(line) == line && tried.iter().any(|text| self.take(seat, text)) {
            return String::new();
        }
        if let Some(illegal) = moves.first().and_then(|mv| self.game.state.check(seat, mv).err()) {
            return words.not_allowed(&illegal);
        }
        if !line.is_empty() && tried.iter().any(|text| self.take(seat, text)) {
            return String::new();
        }
        let example = self.game.example(seat, "", words.0);
        words.no_move(&escape(line, 60), example.as_deref())
    }

    /// The ways to go on: the rest of each move where there are few, else their next parts.
    pub fn choices(&self, seat: Seat) -> Choices {
        let begun = self.begun.get(&seat).cloned().unwrap_or_default();
        let parts = self.game.next_parts(seat, &begun);
        let moves = self.game.legal(seat, &begun, MOST);
        let rests = moves.iter().map(|mv| mv[begun.len()..].to_owned());
        let wholes = if moves.len() <= FEW { rests.clone().collect() } else { Vec::new() };
        Choices { parts, wholes, all: rests.collect(), begun }
    }
}

/// The choices that a person has.
pub struct Choices {
    /// The part of the move that is chosen already.
    pub begun: String,
    /// The next parts, each once.
    pub parts: Vec<String>,
    /// The rest of each move, where there are few.
    pub wholes: Vec<String>,
    /// The rest of all moves that were looked at.
    pub all: Vec<String>,
}
