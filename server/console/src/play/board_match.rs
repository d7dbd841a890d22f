//! The match that people at a board share: the position, the moves that led to it and those that are possible. It
//! knows games only by their notation, their rules and their pictures.

use agon_games::{AnyState, Facts, Language, MoveBytes, Seat};
use agon_model::Step;
use agon_model::visible::escape;
use agon_tournament::AdHocMatch;
use std::ops::ControlFlow;

/// Moves are counted up to this many.
pub const MOST: usize = 100_000;
/// Moves that are looked at for those that begin as asked: some games have more than can be gone through.
const LOOKED_AT: usize = 1_000_000;

/// The shared match of a board.
pub struct BoardMatch {
    pub facts: &'static Facts,
    /// The label of each seat's client; `None` = a person.
    pub labels: Vec<Option<String>>,
    pub state: Box<dyn AnyState>,
    pub steps: Vec<Step>,
    /// Moves that are played again after one was taken back.
    script: Vec<Step>,
}

/// A move that was seen, and its text.
pub struct SeenMove {
    /// The move in the game's notation.
    pub text: String,
    /// The move was played before, and is played again.
    pub is_again: bool,
    /// Another one was played before.
    pub differs: bool,
}

/// Why nothing is taken back.
pub enum Stands {
    /// A move that was seen may have revealed something hidden.
    Seen,
    /// No person has moved yet.
    Nothing,
}

impl BoardMatch {
    /// A board at the start of a match.
    pub fn new(ad_hoc: &AdHocMatch) -> BoardMatch {
        BoardMatch {
            facts: ad_hoc.facts(),
            labels: ad_hoc.labels().into_iter().map(|label| label.map(|label| escape(label, 40))).collect(),
            state: ad_hoc.start(),
            steps: Vec::new(),
            script: Vec::new(),
        }
    }

    /// From the start, perhaps not for the first time: whether moves are played again.
    pub fn begin(&mut self, state: Box<dyn AnyState>) -> bool {
        self.state = state;
        self.steps.clear();
        !self.script.is_empty()
    }

    /// Takes notice of a move.
    pub fn see(&mut self, step: &Step, state: &dyn AnyState) -> SeenMove {
        let text = escape(&self.state.write(&step.mv), 80);
        let known = self.script.get(self.steps.len());
        let differs = known.is_some_and(|then| (then.seat, then.mv) != (step.seat, step.mv));
        if differs {
            self.script.clear();
        }
        let is_again = self.steps.len() < self.script.len();
        self.state = state.clone_box();
        self.steps.push(*step);
        SeenMove { text, is_again, differs }
    }

    /// The move that a person made before and is to make again.
    pub fn scripted(&self, seat: Seat, ply: u32) -> Option<MoveBytes> {
        self.script.iter().find(|step| (step.ply, step.seat) == (ply, seat)).map(|step| step.mv)
    }

    /// The seats that people have.
    pub fn people(&self) -> impl Iterator<Item = Seat> {
        self.labels.iter().enumerate().filter(|(_, label)| label.is_none()).map(|(seat, _)| seat)
    }

    /// The first `most` legal moves whose notation begins with `prefix`.
    pub fn legal(&self, seat: Seat, prefix: &str, most: usize) -> Vec<String> {
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

    /// A move of the game's notation, as people who read this language write it.
    pub fn in_language(&self, text: &str, language: Language) -> String {
        self.state.read(text).map_or_else(|| text.to_owned(), |mv| self.state.write_in(&mv, language))
    }

    /// The first legal move that begins so, as an example for people who read this language.
    pub fn example(&self, seat: Seat, begun: &str, language: Language) -> Option<String> {
        self.legal(seat, begun, 1).pop().map(|text| self.in_language(&text, language))
    }

    /// The parts that may follow a part of a move, each once, up to the sign that ends them.
    pub fn next_parts(&self, seat: Seat, begun: &str) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for text in self.legal(seat, begun, MOST) {
            let part = part(&text[begun.len()..]);
            if !parts.iter().any(|known| known == part) {
                parts.push(part.to_owned());
            }
        }
        parts
    }

    /// Everything before the last move of a person is to be played again.
    pub fn take_back(&mut self) -> Result<(), Stands> {
        let ply = self.last_of_people()?;
        self.script = self.steps.iter().copied().filter(|step| step.ply < ply).collect();
        Ok(())
    }

    /// The turn in which a person moved last, if it can be taken back.
    pub fn last_of_people(&self) -> Result<u32, Stands> {
        if self.facts.hidden {
            return Err(Stands::Seen);
        }
        let last = self.steps.iter().rfind(|step| self.labels[step.seat].is_none());
        last.map(|step| step.ply).ok_or(Stands::Nothing)
    }
}

/// The beginning of a notation, up to the next sign.
pub fn part(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len())]
}
