//! What a game is: the trait that each module of rules implements, and the few plain types it speaks in.

use crate::{BadOption, Facts, Fields, Language, Opening, Options, Panel, Rng, Scene};
use agon_abi::{Blob, Pod};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A seat, from 0; people are shown it from 1.
pub type Seat = usize;

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seats(u16);

impl Seats {
    /// No seat.
    pub const NONE: Seats = Seats(0);

    /// A single seat.
    pub fn one(seat: Seat) -> Seats {
        Seats(1 << seat)
    }

    /// The seats from 0 to `count - 1`.
    pub fn first(count: usize) -> Seats {
        Seats(((1u32 << count) - 1) as u16)
    }

    /// These and one more.
    pub fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat)
    }

    /// Whether the seat is among them.
    pub fn has(self, seat: Seat) -> bool {
        self.0 >> seat & 1 == 1
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many.
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// In ascending order.
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
    /// A sentence for the author of the client: which rule, why, what blocks.
    pub why: String,
    /// The same in French, for people at the board.
    pub french: String,
}

impl Illegal {
    /// By its rule, explained in English and in French.
    pub fn new(rule: &'static str, why: impl Into<String>, french: impl Into<String>) -> Illegal {
        Illegal { rule, why: why.into(), french: french.into() }
    }
}

/// Refuses a move; see [`Illegal::new`].
pub(crate) fn refuse(rule: &'static str, why: String, french: String) -> Result<(), Illegal> {
    Err(Illegal::new(rule, why, french))
}

/// What happens when the client of a seat that should move is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent<M> {
    /// The match is over.
    Ends,
    /// The match goes on with this move.
    Plays(M),
}

/// The end of a match, a number a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// What is shown and added up: a point, heads of cattle, guesses.
    pub values: Vec<i64>,
    /// Whether a larger value is better.
    pub higher_wins: bool,
    /// Parts equal values, smaller first; empty if equal values share a rank.
    pub tie_break: Vec<i64>,
}

impl Scores {
    /// 1 for the winner of two and 0 for the loser; 0 for both where nobody has won.
    pub fn of_winner(winner: Option<Seat>) -> Scores {
        let values = [0, 1].map(|seat| i64::from(winner == Some(seat)));
        Scores { values: values.to_vec(), higher_wins: true, tie_break: Vec::new() }
    }

    /// The same where these of two seats are out: the other has won, if there is one.
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
/// No floating point, no clock, no randomness but from the seed: the same options, seats, seed and moves give the same
/// states.
pub trait Rules: Sized + Clone + Send + 'static {
    /// The very struct of the C header, at most 16 bytes.
    type Move: Pod + PartialEq + std::fmt::Debug;
    /// What the options mean, worked out once and shared by all matches with these options.
    type Setting: Send + Sync + 'static;
    /// Names, seats, sizes, header.
    const FACTS: Facts;

    /// Works out the options, already completed with their defaults, for this many seats.
    ///
    /// # Errors
    /// The option that is wrong, why, and what would be right.
    fn prepare(options: &Options, seats: usize) -> Result<Self::Setting, BadOption>;

    /// How many matches a line-up plays on one opening in one order, its seats shifted by one each time: all seats,
    /// unless they are alike or roles that are not to be exchanged. In which orders is not for the rules to say: see
    /// [`crate::cyclic_orders`].
    fn rotations(setting: &Self::Setting, seats: usize) -> usize {
        let _ = setting;
        seats
    }

    /// What all matches of a setting are played with: options as they are understood, the board itself.
    fn resolved(setting: &Self::Setting, seats: usize) -> Fields;

    /// What an opening adds to it: the position, the deal, the secret. Together they are all that the start and what is
    /// drawn later follow from.
    fn drawn(setting: &Arc<Self::Setting>, seats: usize, opening: &Opening) -> Fields;

    /// The start of a match. All chance comes from the opening's seed.
    fn start(setting: &Arc<Self::Setting>, seats: usize, opening: &Opening) -> Self;

    /// Who moves now: none = over, one = turn by turn, several = simultaneously.
    fn to_move(&self) -> Seats;

    /// Appends this seat's setup struct (its head left zero) and what it points to.
    fn setup(&self, seat: Seat, out: &mut Blob);

    /// Appends this seat's turn struct (its head left zero) and what it points to: every public event since this seat's
    /// last turn, and its own hidden part.
    fn turn(&self, seat: Seat, out: &mut Blob);

    /// Whether the move is legal for this seat, which is to move: that of another is refused before.
    ///
    /// # Errors
    /// Which rule forbids it.
    fn check(&self, seat: Seat, mv: Self::Move) -> Result<(), Illegal>;

    /// Plays one checked move for each seat of `to_move`, in ascending order of seats.
    fn play(&mut self, answers: &[(Seat, Self::Move)]);

    /// What happens when this seat should move and its client is out.
    fn absent(&self, seat: Seat) -> Absent<Self::Move>;

    /// The scores as they stand; final when nobody is to move.
    fn scores(&self) -> Scores;

    /// The scores of a match that ends here because these seats are out, which [`Absent::Ends`] asks for: whoever is
    /// out loses, and the others score what a win is worth. A game that always goes on without the absent keeps its own
    /// scores.
    fn forfeit(&self, out: Seats) -> Scores {
        let _ = out;
        self.scores()
    }

    /// Calls `each` with every legal move of the seat, until it breaks.
    fn legal(&self, seat: Seat, each: &mut dyn FnMut(Self::Move) -> ControlFlow<()>);

    /// A legal move of the seat, each as likely as any other.
    fn sample(&self, seat: Seat, rng: &mut Rng) -> Self::Move;

    /// Another state that this seat cannot tell from this one: what is hidden from it, drawn again. A game that hides
    /// nothing has none but this one.
    fn redeal(&self, seat: Seat, rng: &mut Rng) -> Self {
        let _ = (seat, rng);
        self.clone()
    }

    /// The same position as a match may begin with it, for a client that has not seen how it came about. Where turns
    /// tell the position that is the state itself.
    fn as_start(&self) -> Self {
        self.clone()
    }

    /// The move in the game's notation.
    fn write(&self, mv: Self::Move) -> String;

    /// The move that a text in the game's notation means, in any language; `None` if it means none.
    fn read(&self, text: &str) -> Option<Self::Move>;

    /// The state as a picture, as this seat sees it, or everything for `None`.
    fn scene(&self, seat: Option<Seat>, language: Language) -> Scene;

    /// The state as the text that the option takes which [`Facts::shorthand`] calls a position; `None` in games without
    /// one, and for states that no text tells.
    fn position(&self) -> Option<String> {
        None
    }

    /// A map of who comes first where, for games in which that can be said.
    fn territory(&self, language: Language) -> Option<Panel> {
        let _ = language;
        None
    }

    /// A hash of the whole state, hidden parts included; the same on every machine and in every version of these rules.
    fn hash(&self) -> u64;
}
