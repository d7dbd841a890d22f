//! Defines a game: the trait that each module of rules implements, and the few plain types in its functions.

use crate::{BadOption, Facts, Fields, Language, Opening, Options, Panel, Rng, Scene};
use agon_abi::{Blob, Pod};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A seat, from 0; people see it from 1.
pub type Seat = usize;

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seats(u16);

impl Seats {
    /// The empty set of seats.
    pub const NONE: Seats = Seats(0);

    /// A single seat.
    pub fn one(seat: Seat) -> Seats {
        Seats(1 << seat)
    }

    /// The seats from 0 to `count - 1`.
    pub fn first(count: usize) -> Seats {
        Seats(((1u32 << count) - 1) as u16)
    }

    /// The set with one more seat.
    pub fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat)
    }

    /// These seats, less the others.
    pub fn without(self, others: Seats) -> Seats {
        Seats(self.0 & !others.0)
    }

    /// Whether the seat is among them.
    pub fn has(self, seat: Seat) -> bool {
        self.0 >> seat & 1 == 1
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of seats in the set.
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let seat = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (seat < u16::BITS).then_some(seat as Seat)
        })
    }
}

/// Why a move is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// A short stable word for the rule: `queen-path-blocked`.
    pub rule: &'static str,
    /// A sentence for the author of the client: which rule, why, and what blocks.
    pub why: String,
    /// The same in French, for people at the board.
    pub french: String,
}

impl Illegal {
    /// A refusal by its rule, explained in English and in French.
    pub fn new(rule: &'static str, why: impl Into<String>, french: impl Into<String>) -> Illegal {
        Illegal { rule, why: why.into(), french: french.into() }
    }
}

/// Refuses a move; see [`Illegal::new`].
pub(crate) fn refuse(rule: &'static str, why: String, french: String) -> Result<(), Illegal> {
    Err(Illegal::new(rule, why, french))
}

/// The consequence if the client of a seat that should move is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent<M> {
    /// The match ends at this point.
    Ends,
    /// The match goes on with this move.
    Plays(M),
}

/// The result of a match, a number for each seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// The values shown and added up: a point, heads of cattle, guesses.
    pub values: Vec<i64>,
    /// Whether a larger value is better.
    pub higher_wins: bool,
    /// Separates equal values, the smaller first; empty if equal values share a rank.
    pub tie_break: Vec<i64>,
}

impl Scores {
    /// Gives 1 to the winner of two and 0 to the loser; 0 to both if there is no winner.
    pub fn of_winner(winner: Option<Seat>) -> Scores {
        let values = [0, 1].map(|seat| i64::from(winner == Some(seat)));
        Scores { values: values.to_vec(), higher_wins: true, tie_break: Vec::new() }
    }

    /// Gives the same if these of two seats are out: the other has won, if there is one.
    pub fn of_forfeit(out: Seats) -> Scores {
        Scores::of_winner((0..2).find(|seat| !out.has(*seat)).filter(|_| !out.is_empty()))
    }

    /// Whether seat `a` did better than seat `b`.
    pub fn beats(&self, a: Seat, b: Seat) -> bool {
        let (of_a, of_b) = (self.values[a], self.values[b]);
        if of_a != of_b {
            return (of_a > of_b) == self.higher_wins;
        }
        !self.tie_break.is_empty() && self.tie_break[a] < self.tie_break[b]
    }
}

/// The rules of one game, and a state of it. The laws that each game keeps are in `games/tests/laws.rs`.
///
/// The rules use no floating point, no clock, and no randomness except from the seed. The same options, seats, seed and
/// moves give the same states.
pub trait Rules: Sized + Clone + Send + 'static {
    /// The struct of the C header itself, at most 16 bytes.
    type Move: Pod + PartialEq + std::fmt::Debug;
    /// The options, worked out once and shared by all matches with these options.
    type Prepared: Send + Sync + 'static;
    /// The facts about the game: names, seats, sizes, header.
    const FACTS: Facts;

    /// Works out the options, already completed with their defaults, for this many seats.
    ///
    /// # Errors
    /// The error names the option that is wrong, why, and what would be right.
    fn prepare(options: &Options, seats: usize) -> Result<Self::Prepared, BadOption>;

    /// The number of matches that a line-up plays on one opening in one order, its seats shifted by one each time. It
    /// is the number of seats, unless they are alike or roles that must not be exchanged. The rules do not decide about
    /// orders: see [`crate::cyclic_orders`].
    fn rotations(setting: &Self::Prepared, seats: usize) -> usize {
        let _ = setting;
        seats
    }

    /// The data that all matches of a setting share: options as they are understood, the board itself.
    fn resolved(setting: &Self::Prepared, seats: usize) -> Fields;

    /// The data that an opening adds: the position, the deal, the secret. Together they determine the start and
    /// everything drawn later.
    fn drawn(setting: &Arc<Self::Prepared>, seats: usize, opening: &Opening) -> Fields;

    /// The start of a match. All chance comes from the opening's seed.
    fn start(setting: &Arc<Self::Prepared>, seats: usize, opening: &Opening) -> Self;

    /// The seats to move: none = over, one = turn by turn, several = simultaneously.
    fn to_move(&self) -> Seats;

    /// Appends this seat's setup struct (its head left zero) and the data it points to.
    fn setup(&self, seat: Seat, out: &mut Blob);

    /// Appends this seat's turn struct (its head left zero) and the data it points to. These are every public event
    /// since this seat's last turn, and its own hidden part.
    fn turn(&self, seat: Seat, out: &mut Blob);

    /// Whether the move is legal for this seat, which is to move. The caller refuses moves of other seats before.
    ///
    /// # Errors
    /// The error names the rule that forbids it.
    fn check(&self, seat: Seat, mv: Self::Move) -> Result<(), Illegal>;

    /// Plays one checked move for each seat of `to_move`, in ascending order of seats.
    fn play(&mut self, answers: &[(Seat, Self::Move)]);

    /// The consequence if this seat should move and its client is out.
    fn absent(&self, seat: Seat) -> Absent<Self::Move>;

    /// The scores as they stand; final when nobody is to move.
    fn scores(&self) -> Scores;

    /// The scores of a match that ends here because these seats are out, which [`Absent::Ends`] asks for. Seats that
    /// are out lose, and the others score what a win is worth. A game that always goes on without them keeps its own
    /// scores.
    fn forfeit(&self, out: Seats) -> Scores {
        let _ = out;
        self.scores()
    }

    /// Calls `each` with every legal move of the seat, until it breaks.
    fn legal(&self, seat: Seat, each: &mut dyn FnMut(Self::Move) -> ControlFlow<()>);

    /// A legal move of the seat, each equally likely.
    fn sample(&self, seat: Seat, rng: &mut Rng) -> Self::Move;

    /// Another state that this seat cannot tell from this one, with the hidden parts drawn again. A game that hides
    /// nothing returns this state.
    fn redeal(&self, seat: Seat, rng: &mut Rng) -> Self {
        let _ = (seat, rng);
        self.clone()
    }

    /// The same position as a match may begin with it, for a client that has not seen its history. If turns contain the
    /// position, it is the state itself.
    fn as_start(&self) -> Self {
        self.clone()
    }

    /// The move in the game's notation.
    fn write(&self, mv: Self::Move) -> String;

    /// The same for people who read another language; the text can be read as well.
    fn write_in(&self, mv: Self::Move, language: Language) -> String {
        let _ = language;
        self.write(mv)
    }

    /// Reads the move in a text of the game's notation, in any language; `None` if there is none.
    fn read(&self, text: &str) -> Option<Self::Move>;

    /// The state as a picture, as this seat sees it, or everything for `None`.
    fn scene(&self, seat: Option<Seat>, language: Language) -> Scene;

    /// The part of the state that every seat may see, as a picture for people who watch a match of a game that hides
    /// something. `None` shows them nothing before the end.
    fn public_scene(&self, language: Language) -> Option<Scene> {
        let _ = language;
        None
    }

    /// The state as a value of the option that [`Facts::shorthand`] calls a position. `None` in games without one, and
    /// for states that no text describes.
    fn position(&self) -> Option<String> {
        None
    }

    /// A map of the side that reaches each square first, for games that have one.
    fn territory(&self, language: Language) -> Option<Panel> {
        let _ = language;
        None
    }

    /// A hash of the whole state, including hidden parts; the same on every machine and in every version of these
    /// rules.
    fn hash(&self) -> u64;
}
