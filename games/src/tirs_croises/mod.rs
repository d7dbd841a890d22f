//! Tirs Croisés: take a card in the cursor's row or column, at any distance; it scores its value and becomes the
//! cursor. The rules in words: docs/rules/tirs-croises.md.

mod abi;
mod explain;
mod grid;
mod hash;
mod scene;
mod setting;

pub use abi::*;
pub use setting::Prepared;

use crate::people::levels;
use crate::rules::refuse;
use crate::speeds::{play_randomly, reference};
use crate::{
    Absent, BadOption, Facts, Field, Fields, Illegal, Language, Opening, Options, Rng, Rules, Said, Scene, Scores,
    Seat, Seats, Speed, Starter, Worth, below, rng_from,
};
use agon_abi::{Blob, Layout, Pod};
use grid::Grid;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The most seats.
const MAX_SEATS: usize = 9;
/// The most moves between two of the same seat.
const MAX_EVENTS: usize = MAX_SEATS - 1;

/// A state of the game, of which nothing is hidden.
#[derive(Clone, Debug)]
pub struct TirsCroises {
    setting: Arc<Prepared>,
    seats: usize,
    /// The board before the first move.
    begin: Arc<Grid>,
    /// The current board.
    grid: Grid,
    /// The number of moves so far; each seat moves in its turn.
    plies: u16,
    over: bool,
    scores: [u16; MAX_SEATS],
    /// The last moves, the newest at the end.
    last: [Event; MAX_EVENTS],
}

impl TirsCroises {
    /// The board with which an opening begins.
    fn grid(setting: &Prepared, opening: &Opening) -> Grid {
        let drawn = || Grid::draw(setting.size, setting.start == CURSOR, &mut rng_from(&opening.seed));
        setting.board.unwrap_or_else(drawn)
    }

    /// The seat to move, or that would move if the match were not over.
    fn next_seat(&self) -> Seat {
        usize::from(self.plies) % self.seats
    }

    /// The squares that the others have taken since this seat's last move.
    fn events(&self, seat: Seat) -> &[Event] {
        let plies = usize::from(self.plies);
        let count = if plies > seat { (plies - seat - 1) % self.seats } else { plies };
        &self.last[MAX_EVENTS - count..]
    }

    /// The squares that all but the seat to move have taken since its last move.
    fn recent(&self) -> &[Event] {
        self.events(self.next_seat())
    }
}

impl Rules for TirsCroises {
    type Move = Move;
    type Prepared = Prepared;

    const FACTS: Facts = Facts {
        name: "tirs_croises",
        title: "Tirs Croisés",
        summary: Said::new(
            "Take a card in the row or the column of the cursor, at any distance: you score its value, and the cursor moves there.\n\
             The match is over when there is none to take; the most points win. A move is two numbers: column and row.",
            "Prenez une carte dans la ligne ou la colonne du curseur, à n'importe quelle distance : sa valeur est à vous, et il y va.\n\
             La partie finit quand il n'y en a plus à prendre ; le plus de points gagne. Un coup est deux nombres : colonne et ligne.",
        ),
        seats: (2, MAX_SEATS),
        chance: true,
        worth: Worth::Points("the cards taken; a match may end before all are"),
        own: "the events since its last move",
        setup: Setup::SHAPE,
        turn: Turn::SHAPE,
        mv: Move::SHAPE,
        header: include_str!("../../../client-api/include/agon/tirs_croises.h"),
        starter: Some(Starter {
            c: include_str!("../../../client-api/starters/tirs_croises.c"),
            rust: include_str!("../../../client-api/starters/tirs_croises.rs"),
            zig: include_str!("../../../client-api/starters/tirs_croises.zig"),
            go: include_str!("../../../client-api/starters/tirs_croises.go"),
            python: include_str!("../../../client-api/starters/tirs_croises.py"),
            opponents: &["tirs:strategy=random", "tirs:level=7", "tirs:level=8"],
        }),
        options: setting::OPTIONS,
        varied: Some(("board", "drawn")),
        small: &["size=4", "size=4 start=anywhere", "board=12#4/5678/9123/4567"],
        speeds: &[Speed {
            name: "tirs_croises: random matches of 2 seats",
            unit: "matches/s",
            run: || play_randomly::<TirsCroises>(2, 10_000),
            references: &[reference!("fixed arrays", "tirs_croises.cpp", "play")],
        }],
        levels: &levels(["tirs:level=1", "tirs:level=7", "tirs:level=9"]),
        in_words: Some(explain::explain),
        page: Said::new(
            include_str!("../../../docs/rules/tirs-croises.md"),
            include_str!("../../../docs/rules/tirs-croises.fr.md"),
        ),
        ..Facts::BASE
    };

    fn prepare(options: &Options, _seats: usize) -> Result<Prepared, BadOption> {
        Prepared::from_options(options)
    }

    fn resolved(setting: &Prepared, _seats: usize) -> Fields {
        let start = if setting.start == CURSOR { "cursor" } else { "anywhere" };
        vec![("size", setting.size.into()), ("start", Field::Text(start.to_owned()))]
    }

    fn drawn(setting: &Arc<Prepared>, _seats: usize, opening: &Opening) -> Fields {
        let grid = TirsCroises::grid(setting, opening);
        let (size, cursor) = (usize::from(grid.size), grid.cursor.map(|cell| [cell.x, cell.y]));
        let values = grid.values[..size].iter().map(|row| &row[..size]);
        vec![("values", Field::rows(values)), ("cursor", Field::numbers(cursor.as_slice().as_flattened()))]
    }

    fn start(setting: &Arc<Prepared>, seats: usize, opening: &Opening) -> Self {
        let grid = TirsCroises::grid(setting, opening);
        TirsCroises {
            setting: Arc::clone(setting),
            seats,
            begin: Arc::new(grid),
            grid,
            plies: 0,
            over: false,
            scores: [0; MAX_SEATS],
            last: [Event::zeroed(); MAX_EVENTS],
        }
    }

    fn to_move(&self) -> Seats {
        if self.over { Seats::NONE } else { Seats::one(self.next_seat()) }
    }

    fn setup(&self, _seat: Seat, out: &mut Blob) {
        let cursor = self.begin.cursor.unwrap_or(Move::zeroed());
        out.push(&Setup {
            size: self.setting.size,
            players: self.seats as u8,
            start: self.setting.start,
            cursor_x: cursor.x,
            cursor_y: cursor.y,
            values: self.begin.values,
            ..Setup::zeroed()
        });
    }

    fn turn(&self, seat: Seat, out: &mut Blob) {
        let cursor = self.grid.cursor.unwrap_or(Move::zeroed());
        let told = self.events(seat);
        let mut turn = Turn {
            cursor_x: cursor.x,
            cursor_y: cursor.y,
            num_legal: self.grid.takeable().count() as u16,
            num_events: told.len() as u8,
            scores: self.scores,
            values: self.grid.values,
            ..Turn::zeroed()
        };
        turn.events[..told.len()].copy_from_slice(told);
        out.push(&turn);
    }

    fn check(&self, _seat: Seat, mv: Move) -> Result<(), Illegal> {
        let (grid, Move { x, y }) = (&self.grid, mv);
        if !grid.has(mv) {
            let why = format!("there is no square ({x},{y}); columns and rows are 1 to {}", grid.size);
            let french = format!("il n'y a pas de case ({x},{y}) ; colonnes et lignes vont de 1 à {}", grid.size);
            return refuse("no-such-cell", why, french);
        }
        if let Some(Move { x: column, y: row }) = grid.cursor.filter(|cursor| cursor.x != x && cursor.y != y) {
            let why = format!("({x},{y}) is neither in column {column} nor in row {row}, where the cursor is");
            let french = format!("({x},{y}) n'est ni dans la colonne {column} ni dans la ligne {row} du curseur");
            return refuse("not-in-line", why, french);
        }
        if grid.cursor == Some(mv) {
            let why = format!("the cursor itself is on ({x},{y})");
            return refuse("cursor-cell", why, format!("le curseur lui-même est en ({x},{y})"));
        }
        if grid.value(mv) == 0 {
            let why = format!("the card of ({x},{y}) has been taken already");
            return refuse("cell-empty", why, format!("la carte de ({x},{y}) est déjà prise"));
        }
        Ok(())
    }

    fn play(&mut self, answers: &[(Seat, Move)]) {
        let Some(&(seat, mv)) = answers.first() else { return };
        let gain = self.grid.take(mv);
        self.scores[seat] += u16::from(gain);
        self.last.rotate_left(1);
        self.last[MAX_EVENTS - 1] = Event { seat: seat as u8, x: mv.x, y: mv.y, gain };
        self.plies += 1;
        self.over = self.grid.takeable().next().is_none();
    }

    fn absent(&self, _seat: Seat) -> Absent<Move> {
        self.grid.takeable().next().map_or(Absent::Ends, Absent::Plays)
    }

    fn scores(&self) -> Scores {
        let values = self.scores[..self.seats].iter().map(|points| i64::from(*points)).collect();
        Scores { values, higher_wins: true, tie_break: Vec::new() }
    }

    fn legal(&self, seat: Seat, each: &mut dyn FnMut(Move) -> ControlFlow<()>) {
        if self.to_move().has(seat) {
            let _ = self.grid.takeable().try_for_each(each);
        }
    }

    fn sample(&self, _seat: Seat, rng: &mut Rng) -> Move {
        let count = self.grid.takeable().count();
        let chosen = below(rng, count.max(1) as u64) as usize;
        self.grid.takeable().nth(chosen).unwrap_or(Move::zeroed())
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
