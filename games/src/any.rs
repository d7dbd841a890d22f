//! Games without their types: one blanket implementation turns any `Rules` into the objects that the referee holds.

use crate::{
    Absent, BadOption, Facts, Fields, Illegal, Language, Opening, Options, Panel, Rng, Rules, Scene, Scores, Seat,
    Seats,
};
use agon_abi::{Blob, bytes_of, read};
use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The bytes of a move, as the client gave them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MoveBytes {
    bytes: [u8; 16],
    len: u8,
}

impl MoveBytes {
    /// Takes at most 16 bytes and drops the rest.
    #[inline]
    pub fn new(from: &[u8]) -> MoveBytes {
        let len = from.len().min(16);
        let mut bytes = [0; 16];
        bytes[..len].copy_from_slice(&from[..len]);
        MoveBytes { bytes, len: len as u8 }
    }

    /// The bytes of the move.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len as usize]
    }
}

/// Writes `0a0b0c`: two digits a byte.
impl fmt::LowerHex for MoveBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A game, without its type.
pub trait AnyGame: Sync {
    /// The facts about the game.
    fn facts(&self) -> &'static Facts;
    /// See [`Rules::prepare`]; the options need not be complete.
    ///
    /// # Errors
    /// The error names the option that is wrong, and why.
    fn prepare(&self, options: &Options, seats: usize) -> Result<Box<dyn PreparedSetting>, BadOption>;
}

/// The options of a setting, worked out for a number of seats.
pub trait PreparedSetting: Send + Sync {
    /// See [`Rules::start`].
    fn start(&self, opening: &Opening) -> Box<dyn AnyState>;
    /// See [`Rules::resolved`].
    fn resolved(&self) -> Fields;
    /// See [`Rules::drawn`].
    fn drawn(&self, opening: &Opening) -> Fields;
    /// The number of seats.
    fn seats(&self) -> usize;
    /// See [`Rules::rotations`].
    fn rotations(&self) -> usize;
}

/// A state of any game; see [`Rules`] for each function. Moves are bytes, and bytes of a wrong length are illegal.
#[allow(missing_docs)]
pub trait AnyState: Send {
    fn to_move(&self) -> Seats;
    fn setup(&self, seat: Seat, out: &mut Blob);
    fn turn(&self, seat: Seat, out: &mut Blob);
    /// # Errors
    /// The error names the rule that forbids the move.
    fn check(&self, seat: Seat, mv: &MoveBytes) -> Result<(), Illegal>;
    fn play(&mut self, answers: &[(Seat, MoveBytes)]);
    fn absent(&self, seat: Seat) -> Absent<MoveBytes>;
    fn scores(&self) -> Scores;
    fn forfeit(&self, out: Seats) -> Scores;
    fn legal(&self, seat: Seat, each: &mut dyn FnMut(MoveBytes) -> ControlFlow<()>);
    fn sample(&self, seat: Seat, rng: &mut Rng) -> MoveBytes;
    fn redeal(&self, seat: Seat, rng: &mut Rng) -> Box<dyn AnyState>;
    fn as_start(&self) -> Box<dyn AnyState>;
    fn write(&self, mv: &MoveBytes) -> String;
    fn write_in(&self, mv: &MoveBytes, language: Language) -> String;
    fn read(&self, text: &str) -> Option<MoveBytes>;
    fn scene(&self, seat: Option<Seat>, language: Language) -> Scene;
    fn public_scene(&self, language: Language) -> Option<Scene>;
    fn position(&self) -> Option<String>;
    fn territory(&self, language: Language) -> Option<Panel>;
    fn hash(&self) -> u64;
    fn clone_box(&self) -> Box<dyn AnyState>;
}

/// The entry of a game in a list of games: `&Game::<MyRules>::ENTRY`.
pub struct Game<R>(PhantomData<fn() -> R>);

impl<R: Rules> Game<R> {
    /// The only value of this type.
    pub const ENTRY: Self = Game(PhantomData);
    const FACTS: &'static Facts = &R::FACTS;
}

/// A setting whose game is known.
struct Typed<R: Rules> {
    setting: Arc<R::Prepared>,
    seats: usize,
}

impl<R: Rules> AnyGame for Game<R> {
    fn facts(&self) -> &'static Facts {
        const { assert!(size_of::<R::Move>() <= 16, "a move has at most 16 bytes") };
        Self::FACTS
    }

    fn prepare(&self, options: &Options, seats: usize) -> Result<Box<dyn PreparedSetting>, BadOption> {
        let facts = self.facts();
        let (fewest, most) = facts.seats;
        if !(fewest..=most).contains(&seats) {
            let why = format!("{} is played by {fewest} to {most} players, not by {seats}", facts.title);
            return Err(BadOption::new("seats", why));
        }
        let setting = Arc::new(R::prepare(&facts.complete(options)?, seats)?);
        Ok(Box::new(Typed::<R> { setting, seats }))
    }
}

impl<R: Rules> PreparedSetting for Typed<R> {
    fn start(&self, opening: &Opening) -> Box<dyn AnyState> {
        Box::new(R::start(&self.setting, self.seats, opening))
    }

    fn resolved(&self) -> Fields {
        R::resolved(&self.setting, self.seats)
    }

    fn drawn(&self, opening: &Opening) -> Fields {
        R::drawn(&self.setting, self.seats, opening)
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn rotations(&self) -> usize {
        R::rotations(&self.setting, self.seats)
    }
}

fn erase<R: Rules>(mv: R::Move) -> MoveBytes {
    MoveBytes::new(bytes_of(&mv))
}

fn restore<R: Rules>(mv: &MoveBytes) -> Option<R::Move> {
    if mv.len as usize == size_of::<R::Move>() { read(mv.as_slice()) } else { None }
}

/// The move in these bytes, if this seat may play it in this state.
pub(crate) fn accept<R: Rules>(state: &R, seat: Seat, mv: &MoveBytes) -> Result<R::Move, Illegal> {
    if !R::to_move(state).has(seat) {
        let french = format!("ce n'est pas à la place {} de jouer", seat + 1);
        return Err(Illegal::new("not-to-move", format!("seat {} is not to move", seat + 1), french));
    }
    let wrong_size = || {
        let (len, expected) = (mv.len, size_of::<R::Move>());
        let french = format!("le coup a {len} octets au lieu de {expected}");
        Illegal::new("move-size", format!("the move has {len} bytes, {expected} expected"), french)
    };
    let mv = restore::<R>(mv).ok_or_else(wrong_size)?;
    R::check(state, seat, mv).map(|()| mv)
}

impl<R: Rules> AnyState for R {
    fn to_move(&self) -> Seats {
        R::to_move(self)
    }
    fn setup(&self, seat: Seat, out: &mut Blob) {
        R::setup(self, seat, out);
    }
    fn turn(&self, seat: Seat, out: &mut Blob) {
        R::turn(self, seat, out);
    }
    fn check(&self, seat: Seat, mv: &MoveBytes) -> Result<(), Illegal> {
        accept(self, seat, mv).map(drop)
    }
    fn play(&mut self, answers: &[(Seat, MoveBytes)]) {
        // A turn of one seat is by far the most common, and needs no list.
        if let [(seat, mv)] = answers {
            if let Some(mv) = restore::<R>(mv) {
                R::play(self, &[(*seat, mv)]);
            }
            return;
        }
        let mut moves = Vec::with_capacity(answers.len());
        moves.extend(answers.iter().filter_map(|(seat, mv)| Some((*seat, restore::<R>(mv)?))));
        R::play(self, &moves);
    }
    fn absent(&self, seat: Seat) -> Absent<MoveBytes> {
        match R::absent(self, seat) {
            Absent::Ends => Absent::Ends,
            Absent::Plays(mv) => Absent::Plays(erase::<R>(mv)),
        }
    }
    fn scores(&self) -> Scores {
        R::scores(self)
    }
    fn forfeit(&self, out: Seats) -> Scores {
        R::forfeit(self, out)
    }
    fn legal(&self, seat: Seat, each: &mut dyn FnMut(MoveBytes) -> ControlFlow<()>) {
        R::legal(self, seat, &mut |mv| each(erase::<R>(mv)));
    }
    fn sample(&self, seat: Seat, rng: &mut Rng) -> MoveBytes {
        erase::<R>(R::sample(self, seat, rng))
    }
    fn redeal(&self, seat: Seat, rng: &mut Rng) -> Box<dyn AnyState> {
        Box::new(R::redeal(self, seat, rng))
    }
    fn as_start(&self) -> Box<dyn AnyState> {
        Box::new(R::as_start(self))
    }
    fn write(&self, mv: &MoveBytes) -> String {
        // A refused move is shown too, so bytes that are not a move also have a text.
        restore::<R>(mv).map_or_else(|| format!("{:02x?}", mv.as_slice()), |mv| R::write(self, mv))
    }
    fn write_in(&self, mv: &MoveBytes, language: Language) -> String {
        restore::<R>(mv).map_or_else(|| AnyState::write(self, mv), |mv| R::write_in(self, mv, language))
    }
    fn read(&self, text: &str) -> Option<MoveBytes> {
        R::read(self, text).map(erase::<R>)
    }
    fn scene(&self, seat: Option<Seat>, language: Language) -> Scene {
        R::scene(self, seat, language)
    }
    fn public_scene(&self, language: Language) -> Option<Scene> {
        R::public_scene(self, language)
    }
    fn position(&self) -> Option<String> {
        R::position(self)
    }
    fn territory(&self, language: Language) -> Option<Panel> {
        R::territory(self, language)
    }
    fn hash(&self) -> u64 {
        R::hash(self)
    }
    fn clone_box(&self) -> Box<dyn AnyState> {
        Box::new(self.clone())
    }
}
