//! Players that do as they are told, and write down what they hear.

use agon_abi::Blob;
use agon_arena::encoding::{MatchTerms, Seating};
use agon_arena::referee::{self, EachStep, Excuses};
use agon_games::{AnyGame, AnyState, MoveBytes, Opening, Options, Seat};
use agon_model::*;
use agon_player::clock::Allowance;
use agon_player::{Player, PlayerSummary, Trouble};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::Duration;

/// A game with its options.
pub type Variant = (&'static dyn AnyGame, &'static [(&'static str, &'static str)]);

/// What a player does; at every turn but the one named it plays its first legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Well,
    /// Its last legal move.
    HighestAt(u32),
    IllegalAt(u32),
    CrashAt(u32),
    /// It is found dead when it should be asked.
    GoneBefore(u32),
    CrashAtStart,
    VoidAt(u32),
    VoidAtStart,
    /// So much in each turn.
    Spends {
        cpu_us: u64,
        wall_us: u64,
    },
}

/// What a player hears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    Started,
    /// The turn's number, and its bytes.
    Turn(u32, Vec<u8>),
    Answered,
    /// Whether it may finalize.
    Dismissed(bool),
}

struct Fake<'a> {
    seat: usize,
    deed: Deed,
    ply: u32,
    /// The same state as the referee's, for moves that are legal.
    state: &'a RefCell<Box<dyn AnyState>>,
    heard: &'a RefCell<Vec<(usize, Heard)>>,
}

impl Fake<'_> {
    fn hear(&self, what: Heard) {
        self.heard.borrow_mut().push((self.seat, what));
    }

    fn crash(&self, phase: Phase) -> Trouble {
        Trouble::fault(FaultKind::Crash, phase, self.ply, "it fell over")
    }

    fn choose(&self) -> MoveBytes {
        let mut moves = Vec::new();
        self.state.borrow().legal(self.seat, &mut |mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        match self.deed {
            Deed::IllegalAt(ply) if ply == self.ply => MoveBytes::new(&vec![0xff; moves[0].as_slice().len()]),
            Deed::HighestAt(ply) if ply == self.ply => moves[moves.len() - 1],
            _ => moves[0],
        }
    }
}

impl Player for Fake<'_> {
    fn start(&mut self, _seat: Seat, _setup: &Blob) -> Result<(), Trouble> {
        self.hear(Heard::Started);
        match self.deed {
            Deed::CrashAtStart => Err(self.crash(Phase::Load)),
            Deed::VoidAtStart => Err(Trouble::Void("the host fell ill".to_owned())),
            _ => Ok(()),
        }
    }

    fn ask(&mut self, turn: &Blob, ply: u32, _allowance: Allowance) -> Result<(), Trouble> {
        self.ply = ply;
        self.hear(Heard::Turn(ply, turn.bytes().to_vec()));
        if self.deed == Deed::GoneBefore(ply) { Err(self.crash(Phase::Waiting)) } else { Ok(()) }
    }

    fn answer(&mut self, _patience: Duration) -> Option<Result<Answer, Trouble>> {
        self.hear(Heard::Answered);
        let (cpu_us, wall_us) = match self.deed {
            Deed::CrashAt(ply) if ply == self.ply => return Some(Err(self.crash(Phase::Play))),
            Deed::VoidAt(ply) if ply == self.ply => {
                return Some(Err(Trouble::Void("the host fell ill".to_owned())));
            }
            Deed::Spends { cpu_us, wall_us } => (cpu_us, wall_us),
            _ => (1, 1),
        };
        Some(Ok(Answer { mv: self.choose(), cpu_us, wall_us, kept_off_us: 0 }))
    }

    fn watch(&mut self, _ply: u32) {}

    fn dismiss(&mut self, _ply: u32, finalize: bool) -> PlayerSummary {
        self.hear(Heard::Dismissed(finalize));
        PlayerSummary::default()
    }
}

/// A match between players of these deeds, with all the time in the world.
pub fn play(variant: Variant, deeds: &[Deed]) -> (Match, Vec<(usize, Heard)>) {
    play_under(variant, deeds, &time(ClockKind::Cpu, None, None))
}

/// A match under this clock, and what each seat heard.
pub fn play_under(variant: Variant, deeds: &[Deed], time: &TimeControl) -> (Match, Vec<(usize, Heard)>) {
    let (game, pairs) = variant;
    let mut options = Options::default();
    pairs.iter().for_each(|(key, value)| options.set(key, value));
    let setting = game.prepare(&options, deeds.len()).unwrap();
    let mut state = setting.start(&Opening { number: 0, seed: [5; 32] });
    let (seen, heard) = (RefCell::new(state.clone_box()), RefCell::new(Vec::new()));
    let fake = |(seat, &deed): (usize, &Deed)| -> Box<dyn Player + '_> {
        Box::new(Fake { seat, deed, ply: 0, state: &seen, heard: &heard })
    };
    let mut players: Vec<Box<dyn Player + '_>> = deeds.iter().enumerate().map(fake).collect();
    let place = |seat: usize| Seating {
        entrant: seat,
        label: format!("player {}", seat + 1),
        options: String::new(),
        seed: seat as u64,
        own_time: None,
    };
    let places: Vec<Seating> = (0..deeds.len()).map(place).collect();
    let limits = Limits { memory: 1 << 29, threads: 1, output: 1 << 16 };
    let terms = MatchTerms { facts: game.facts(), time, limits: &limits, adjudication: None };
    let pairing = Pairing { id: "0-a".to_owned(), rotation: 0, seats: (0..deeds.len()).collect() };
    let mut watch = |_: &Step, state: &dyn AnyState| *seen.borrow_mut() = state.clone_box();
    let played = referee::play(
        &terms,
        &pairing,
        &places,
        &mut players,
        state.as_mut(),
        &Excuses::default(),
        &mut EachStep(&mut watch),
    );
    drop(players);
    (played, heard.into_inner())
}

/// A clock with these limits on a move and on all moves.
pub fn time(clock: ClockKind, per_move_us: Option<u64>, total_us: Option<u64>) -> TimeControl {
    let second = 1_000_000;
    TimeControl {
        clock,
        total_us,
        increment_us: 0,
        period: None,
        per_move_us,
        load_us: second,
        initialize_us: second,
        finalize_us: second,
        wall_factor: 4,
        scale: TimeScale::Off,
    }
}
