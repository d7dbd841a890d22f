//! Grundy's game: a move splits a heap of sticks into two unequal ones; a seat that cannot move loses. The rules in
//! words: docs/rules/grundy.md.

mod abi;
mod draw;
mod explain;
mod hash;
mod kept;
mod nimber;
mod scene;
mod setting;
mod table;
mod table_file;

pub use abi::*;
pub use nimber::nimbers;
pub use setting::Prepared;
pub use table::{BadTable, NimberTable};

use crate::people::levels;
use crate::rules::refuse;
use crate::speeds::{play_randomly, reference};
use crate::{
    Absent, BadOption, Facts, Field, Fields, Illegal, Language, LaterField, Opening, Options, ResultTable, Rng, Rules,
    Said, Scene, Scores, Seat, Seats, Speed, Starter, Study, Work, Worth,
};
use agon_abi::{Blob, Layout, Pod};
use std::mem::offset_of;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A state of the game.
#[derive(Clone, Debug)]
pub struct Grundy {
    setting: Arc<Prepared>,
    /// The sticks of each heap, line by line.
    heaps: Vec<u32>,
    /// The number of legal moves in all heaps together.
    num_legal: u64,
    /// The nimber of all heaps together whose nimbers are known: 0 if the side to move loses, in normal play.
    nimber: u16,
    /// The number of heaps too large for the known nimbers.
    num_unknown: u32,
    /// The number of heaps with more sticks than the limit that ends a match.
    num_large: u32,
    /// The number of moves played.
    moves: u32,
    /// The last move; zero before the first.
    last: Move,
    /// The hash of the heaps, updated with each move.
    heaps_hash: u64,
}

/// The number of ways to split a heap, in which the order of the two parts counts.
fn count_splits(sticks: u32) -> u32 {
    match sticks {
        0..3 => 0,
        _ => sticks - 1 - u32::from(sticks.is_multiple_of(2)),
    }
}

/// The split by its number, from 0; it skips half of an even heap.
fn nth_split(sticks: u32, number: u32) -> u32 {
    let passes_half = sticks.is_multiple_of(2) && number + 1 >= sticks / 2;
    number + 1 + u32::from(passes_half)
}

impl Grundy {
    fn from_heaps(setting: &Arc<Prepared>, heaps: Vec<u32>) -> Grundy {
        let mut game = Grundy {
            setting: Arc::clone(setting),
            heaps: Vec::new(),
            num_legal: 0,
            nimber: 0,
            num_unknown: 0,
            num_large: 0,
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

    /// Gives a heap another number of sticks, and updates the facts about all heaps.
    fn set(&mut self, heap: usize, sticks: u32) {
        let before = std::mem::replace(&mut self.heaps[heap], sticks);
        self.num_legal = self.num_legal - u64::from(count_splits(before)) + u64::from(count_splits(sticks));
        let of = |sticks: u32| self.setting.nimbers.get(sticks as usize).copied();
        self.nimber ^= of(before).unwrap_or(0) ^ of(sticks).unwrap_or(0);
        self.num_unknown = self.num_unknown + u32::from(of(sticks).is_none()) - u32::from(of(before).is_none());
        let is_large = |sticks: u32| u32::from(self.setting.until.is_some_and(|until| sticks > until));
        self.num_large = self.num_large + is_large(sticks) - is_large(before);
        self.heaps_hash ^= hash::of_heap(heap, before) ^ hash::of_heap(heap, sticks);
    }

    /// The seat to move next, even if the match is over.
    fn next(&self) -> Seat {
        (self.moves % 2) as Seat
    }

    fn is_over(&self) -> bool {
        self.is_decided() || self.setting.most_moves.is_some_and(|most| self.moves >= most)
    }

    /// Whether it is over for another reason than its length.
    fn is_decided(&self) -> bool {
        self.num_legal == 0 || (self.setting.until.is_some() && self.num_large == 0)
    }

    /// Whether the side to move wins by perfect play in normal play, if the rules know it.
    fn is_won(&self) -> Option<bool> {
        (self.num_unknown == 0).then_some(self.nimber != 0)
    }

    /// The winner of a match that is over; `None` if it took too long.
    fn winner(&self) -> Option<Seat> {
        // The side that should move and cannot is the loser, or in misère the winner.
        let of_mover = if self.num_legal == 0 { self.setting.misere } else { self.nimber != 0 };
        let winner = if of_mover { self.next() } else { 1 - self.next() };
        self.is_decided().then_some(winner)
    }

    fn push_heaps(heaps: &[u32], start: usize, pointer: usize, out: &mut Blob) {
        let target = out.push_slice(heaps);
        out.link(start + pointer, target);
    }
}

impl Rules for Grundy {
    type Move = Move;
    type Prepared = Prepared;

    const FACTS: Facts = Facts {
        name: "grundy",
        title: "Grundy's game",
        summary: Said::new(
            "Split one heap of sticks into two unequal heaps; a player who cannot move loses. The part split off becomes the last\n\
             line. A move is two numbers: a line, and how many sticks are split off.",
            "Séparez un tas de bâtons en deux tas inégaux ; qui ne peut plus jouer perd. La partie séparée devient la dernière\n\
             ligne. Un coup est deux nombres : une ligne, et combien de bâtons sont séparés.",
        ),
        chance: true,
        worth: Worth::Outcome { win: 1, loss: 0, draw: Some(0) },
        setup: Setup::SHAPE,
        turn: Turn::SHAPE,
        mv: Move::SHAPE,
        later_fields: &[
            LaterField { field: "grundy_setup.reserved", index: 0, name: "until" },
            LaterField { field: "grundy_setup.reserved", index: 1, name: "most_moves" },
        ],
        header: include_str!("../../../client-api/include/agon/grundy.h"),
        starter: Some(Starter {
            c: include_str!("../../../client-api/starters/grundy.c"),
            rust: include_str!("../../../client-api/starters/grundy.rs"),
            zig: include_str!("../../../client-api/starters/grundy.zig"),
            go: include_str!("../../../client-api/starters/grundy.go"),
            python: include_str!("../../../client-api/starters/grundy.py"),
            opponents: &["grundy:version=random", "grundy:level=1", "grundy:level=2"],
        }),
        options: setting::OPTIONS,
        varied: Some(("heaps", "8-60")),
        small: &[
            "heaps=8",
            "heaps=5-7,6",
            "heaps=4-9 misere=yes",
            "heaps=5-8,5-8 balance=yes",
            "heaps=9,6 until=5 moves=4",
        ],
        tables: &[ResultTable { name: "kept", about: "who kept a won position, and how often", run: kept::table }],
        files: &[table_file::FILE],
        studies: &[Study {
            name: "grundy",
            about: "the first moves of clients/grundy: processor time and search calls",
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
        levels: &levels(["grundy:level=1", "grundy:level=2", "grundy:level=3"]),
        in_words: Some(explain::explain),
        page: Said::new(
            include_str!("../../../docs/rules/grundy.md"),
            include_str!("../../../docs/rules/grundy.fr.md"),
        ),
        ..Facts::BASE
    };

    fn prepare(options: &Options, _seats: usize) -> Result<Prepared, BadOption> {
        Prepared::from_options(options)
    }

    fn resolved(setting: &Prepared, _seats: usize) -> Fields {
        let misere = ("misere", u8::from(setting.misere).into());
        let ends = [("until", setting.until), ("most_moves", setting.most_moves)];
        let given = ends.into_iter().filter_map(|(key, number)| Some((key, number?.into())));
        std::iter::once(misere).chain(given).collect()
    }

    fn drawn(setting: &Arc<Prepared>, _seats: usize, opening: &Opening) -> Fields {
        vec![("heaps", Field::numbers(&draw::heaps(setting, opening)))]
    }

    fn start(setting: &Arc<Prepared>, _seats: usize, opening: &Opening) -> Self {
        Grundy::from_heaps(setting, draw::heaps(setting, opening))
    }

    fn to_move(&self) -> Seats {
        if self.is_over() { Seats::NONE } else { Seats::one(self.next()) }
    }

    fn setup(&self, _seat: Seat, out: &mut Blob) {
        let (num_heaps, misere) = (self.heaps.len() as u32, u8::from(self.setting.misere));
        let reserved = [self.setting.until, self.setting.most_moves].map(|number| number.unwrap_or(0).into());
        let start = out.push(&Setup { num_heaps, misere, reserved, ..Setup::zeroed() });
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
        Scores::of_winner(self.winner())
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
