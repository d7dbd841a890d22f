//! Grundy's game: a move splits a heap of sticks into two unequal ones; who cannot move loses.
//! The rules in words: docs/rules/grundy.md.

mod abi;
mod draw;
mod hash;
mod kept;
mod nimber;
mod scene;
mod setting;

pub use abi::*;
pub use nimber::nimbers;
pub use setting::Setting;

use crate::rules::refuse;
use crate::speeds::{play_randomly, reference};
use crate::{
    Absent, BadOption, Facts, Field, Fields, Illegal, Language, Opening, Options, Rng, Rules, Said, Scene, Scores,
    Seat, Seats, Speed, Starter, Study, Table, Work,
};
use agon_abi::{Blob, Layout, Pod};
use std::mem::offset_of;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A state of the game.
#[derive(Clone, Debug)]
pub struct Grundy {
    setting: Arc<Setting>,
    /// Sticks of each heap, line by line.
    heaps: Vec<u32>,
    /// Legal moves in all heaps together.
    num_legal: u64,
    /// Of the position, all heaps together: 0 if the side to move loses, in normal play.
    nimber: u16,
    /// Moves played.
    moves: u32,
    /// The last of them; zero before the first.
    last: Move,
    /// Of the heaps, kept up with them.
    heaps_hash: u64,
}

/// How many ways there are to split a heap; both parts are told apart.
fn count_splits(sticks: u32) -> u32 {
    match sticks {
        0..3 => 0,
        _ => sticks - 1 - u32::from(sticks.is_multiple_of(2)),
    }
}

/// The split by its number, from 0: half of an even heap is passed over.
fn nth_split(sticks: u32, number: u32) -> u32 {
    let passes_half = sticks.is_multiple_of(2) && number + 1 >= sticks / 2;
    number + 1 + u32::from(passes_half)
}

impl Grundy {
    fn from_heaps(setting: &Arc<Setting>, heaps: Vec<u32>) -> Grundy {
        let mut game = Grundy {
            setting: Arc::clone(setting),
            heaps: Vec::new(),
            num_legal: 0,
            nimber: 0,
            moves: 0,
            last: Move::zeroed(),
            heaps_hash: 0,
        };
        for sticks in heaps {
            game.heaps.push(0);
            game.set(game.heaps.len() - 1, sticks);
        }
        game
    }

    /// Gives a heap another number of sticks, and keeps up what is known of all heaps.
    fn set(&mut self, heap: usize, sticks: u32) {
        let before = std::mem::replace(&mut self.heaps[heap], sticks);
        self.num_legal = self.num_legal - u64::from(count_splits(before)) + u64::from(count_splits(sticks));
        self.nimber ^= self.setting.nimbers[before as usize] ^ self.setting.nimbers[sticks as usize];
        self.heaps_hash ^= hash::of_heap(heap, before) ^ hash::of_heap(heap, sticks);
    }

    /// Whose turn it is, or would be.
    fn next(&self) -> Seat {
        (self.moves % 2) as Seat
    }

    fn is_over(&self) -> bool {
        self.num_legal == 0
    }

    fn push_heaps(heaps: &[u32], start: usize, pointer: usize, out: &mut Blob) {
        let target = out.push_slice(heaps);
        out.link(start + pointer, target);
    }
}

impl Rules for Grundy {
    type Move = Move;
    type Setting = Setting;

    const FACTS: Facts = Facts {
        name: "grundy",
        title: "Grundy's game",
        summary: Said::new(
            "Split one heap of sticks into two that are not equal; who cannot move loses. The part split off becomes the last\n\
             line. A move is a line and how many sticks are split off: 1 3",
            "Séparez un tas de bâtons en deux tas inégaux ; qui ne peut plus jouer perd. La partie séparée devient la dernière\n\
             ligne. Un coup est une ligne et le nombre de bâtons séparés : 1 3",
        ),
        chance: true,
        setup: Setup::SHAPE,
        turn: Turn::SHAPE,
        mv: Move::SHAPE,
        header: include_str!("../../../client-api/include/agon/grundy.h"),
        starter: Some(Starter {
            c: include_str!("../../../client-api/starters/grundy.c"),
            rust: include_str!("../../../client-api/starters/grundy.rs"),
            python: include_str!("../../../client-api/starters/grundy.py"),
            opponents: &["grundy:version=random", "grundy:version=0"],
        }),
        options: setting::OPTIONS,
        small: &["heaps=8", "heaps=5-7,6", "heaps=4-9 misere=yes", "heaps=5-8,5-8 balance=yes"],
        tables: &[Table { name: "kept", about: "who kept a won position, and how often", run: kept::table }],
        studies: &[Study {
            name: "grundy",
            about: "processor time and calls for the first move, by version of the course's program and sticks",
            client: "grundy",
            versions: &[
                ("V0", "version=0"),
                ("V1", "version=1"),
                ("V2", "version=2"),
                ("V3", "version=3"),
                ("V4", "version=4"),
                ("V5", "version=5"),
            ],
            grows: "heaps",
            unit: "sticks",
            values: (4, 200),
            counted: "calls",
        }],
        speeds: &[
            Speed {
                name: "grundy: random matches from 8 to 30 sticks",
                unit: "matches/s",
                run: || play_randomly::<Grundy>(2, 50_000),
                references: &[reference!("fixed arrays", "grundy.cpp", "play")],
            },
            Speed {
                name: "grundy: nimbers of heaps of up to a million sticks",
                unit: "heaps/s",
                run: || {
                    let mut work = Work::default();
                    nimbers(999_999).into_iter().for_each(|nimber| work.add(nimber.into()));
                    Work { count: 1_000_000, ..work }
                },
                references: &[reference!("the same spaces", "grundy.cpp", "nimbers")],
            },
        ],
        ..Facts::BASE
    };

    fn prepare(options: &Options, _seats: usize) -> Result<Setting, BadOption> {
        Setting::from_options(options)
    }

    fn resolved(setting: &Setting, _seats: usize) -> Fields {
        vec![("misere", u8::from(setting.misere).into())]
    }

    fn drawn(setting: &Arc<Setting>, _seats: usize, opening: &Opening) -> Fields {
        vec![("heaps", Field::numbers(&draw::heaps(setting, opening)))]
    }

    fn start(setting: &Arc<Setting>, _seats: usize, opening: &Opening) -> Self {
        Grundy::from_heaps(setting, draw::heaps(setting, opening))
    }

    fn to_move(&self) -> Seats {
        if self.is_over() { Seats::NONE } else { Seats::one(self.next()) }
    }

    fn setup(&self, _seat: Seat, out: &mut Blob) {
        let (num_heaps, misere) = (self.heaps.len() as u32, u8::from(self.setting.misere));
        let start = out.push(&Setup { num_heaps, misere, ..Setup::zeroed() });
        Grundy::push_heaps(&self.heaps, start, offset_of!(Setup, heaps), out);
    }

    fn turn(&self, _seat: Seat, out: &mut Blob) {
        let (num_heaps, num_moves) = (self.heaps.len() as u32, self.moves);
        let start = out.push(&Turn { num_heaps, num_moves, last: self.last, ..Turn::zeroed() });
        Grundy::push_heaps(&self.heaps, start, offset_of!(Turn, heaps), out);
    }

    fn check(&self, _seat: Seat, mv: Move) -> Result<(), Illegal> {
        let (line, lines, split) = (u64::from(mv.heap) + 1, self.heaps.len(), mv.split);
        let Some(&sticks) = self.heaps.get(mv.heap as usize) else {
            let why = format!("there is no line {line} (heap {}); the lines are 1 to {lines}", mv.heap);
            let french = format!("il n'y a pas de ligne {line} ; les lignes vont de 1 à {lines}");
            return refuse("no-such-line", why, french);
        };
        if count_splits(sticks) == 0 {
            let why = format!("the heap of line {line} has {sticks} of the at least 3 sticks that a split needs");
            let french = format!("le tas de la ligne {line} a {sticks} bâton(s) ; il en faut 3 pour le séparer");
            return refuse("heap-too-small", why, french);
        }
        if split == 0 || split >= sticks {
            let most = sticks - 1;
            let why = format!("{split} of the {sticks} sticks of line {line} are split off; 1 to {most} can be");
            let french = format!("{split} des {sticks} bâtons de la ligne {line} ; on peut en séparer 1 à {most}");
            return refuse("no-such-split", why, french);
        }
        if split == sticks - split {
            let why = format!("the {sticks} sticks of line {line} would become two equal heaps of {split}");
            let french = format!("les {sticks} bâtons de la ligne {line} donneraient deux tas égaux de {split} bâtons");
            return refuse("equal-heaps", why, french);
        }
        Ok(())
    }

    fn play(&mut self, answers: &[(Seat, Move)]) {
        for (_, mv) in answers {
            let heap = mv.heap as usize;
            self.set(heap, self.heaps[heap] - mv.split);
            self.heaps.push(0);
            self.set(self.heaps.len() - 1, mv.split);
            self.last = *mv;
            self.moves += 1;
        }
    }

    fn absent(&self, _seat: Seat) -> Absent<Move> {
        Absent::Ends
    }

    fn scores(&self) -> Scores {
        // Who should move and cannot: the loser, or in misère the winner.
        let winner = if self.setting.misere { self.next() } else { 1 - self.next() };
        Scores::of_winner(self.is_over().then_some(winner))
    }

    fn forfeit(&self, out: Seats) -> Scores {
        Scores::of_forfeit(out)
    }

    fn legal(&self, seat: Seat, each: &mut dyn FnMut(Move) -> ControlFlow<()>) {
        if !self.to_move().has(seat) {
            return;
        }
        let _ = (0..).zip(&self.heaps).try_for_each(|(heap, sticks)| {
            let mut splits = (0..count_splits(*sticks)).map(|number| nth_split(*sticks, number));
            splits.try_for_each(|split| each(Move { heap, split }))
        });
    }

    fn sample(&self, _seat: Seat, rng: &mut Rng) -> Move {
        let mut left = crate::below(rng, self.num_legal.max(1));
        for (heap, sticks) in (0..).zip(&self.heaps) {
            let here = u64::from(count_splits(*sticks));
            if left < here {
                return Move { heap, split: nth_split(*sticks, left as u32) };
            }
            left -= here;
        }
        Move::zeroed()
    }

    fn write(&self, mv: Move) -> String {
        scene::write(mv)
    }

    fn read(&self, text: &str) -> Option<Move> {
        scene::read(text)
    }

    fn scene(&self, seat: Option<Seat>, language: Language) -> Scene {
        scene::draw(self, seat, language)
    }

    fn hash(&self) -> u64 {
        hash::of(self)
    }
}
