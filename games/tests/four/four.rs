//! Connect Four with a size, and a blind kind of it in which each seat has a secret. Each of the mistakes that an
//! author can make may be planted in it, to see which laws notice.

use agon_abi::{Blob, Layout, Pod, SetupHead, TurnHead, pod};
use agon_games::{
    Absent, BadOption, Cell, Facts, Field, Fields, Illegal, Language, Opening, OptionFact, Options, Piece, Rng, Rules,
    Said, Scene, Scores, Seat, Seats, Worth, below, mix::splitmix64, rng_from, shuffle,
};
use std::ops::ControlFlow;
use std::sync::Arc;

pod! {
    /// `four_setup`.
    pub struct Setup = "four_setup" {
        /// The head of all games.
        pub head: SetupHead,
        /// Columns of the board.
        pub columns: u32,
        /// Rows of the board.
        pub rows: u32,
        /// The worth of a disc in each column to the seat, if the board fills up.
        pub worth: [u8; 8],
    }
}

pod! {
    /// `four_turn`.
    pub struct Turn = "four_turn" {
        /// The head of all games.
        pub head: TurnHead,
        /// By column, from below: 0 = none, else a seat from 1.
        pub discs: [[u8; 8]; 8],
        /// Moves played.
        pub num_moves: u32,
        /// The column of the last one.
        pub last: u32,
    }
}

pod! {
    /// `four_move`.
    pub struct Move = "four_move" {
        /// From 0.
        pub column: u32,
    }
}

/// An author's possible mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mistake {
    None,
    AcceptsFullColumn,
    ListsColumnTwice,
    SamplesLeft,
    ShowsSecret,
    NeverRedeals,
    LosesWithOne,
    DrawsSevenToOne,
    FirstSeatWins,
    ForgetsDiagonal,
    DropsTwo,
    ShowsOneSeatMore,
    HashesNoBoard,
    TurnsWithoutBoard,
    IgnoresSize,
    SetsUpNoSize,
    ResolvesNoSize,
}

/// The options: columns of the board, and as many as are told.
pub struct Prepared {
    columns: usize,
    told: usize,
}

/// A state of the game with a mistake; with secrets if it is blind.
#[derive(Clone)]
pub struct AnyFour<const BLIND: bool, const MISTAKE: u8> {
    columns: usize,
    worth: [[u8; 8]; 2],
    discs: [[u8; 8]; 8],
    num_moves: u32,
    last: usize,
    winner: Option<Seat>,
}

/// As it should be.
pub type Four = AnyFour<false, { Mistake::None as u8 }>;

/// The blind kind, as it should be.
pub type BlindFour = AnyFour<true, { Mistake::None as u8 }>;

/// Ways that a line can go.
const LINES: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

impl<const BLIND: bool, const MISTAKE: u8> AnyFour<BLIND, MISTAKE> {
    fn has(mistake: Mistake) -> bool {
        MISTAKE == mistake as u8
    }

    fn height(&self, column: usize) -> usize {
        self.discs[column].iter().filter(|disc| **disc != 0).count()
    }

    fn rows(&self) -> usize {
        self.columns - 1
    }

    fn open_columns(&self) -> Vec<usize> {
        (0..self.columns).filter(|column| self.height(*column) < self.rows()).collect()
    }

    fn next(&self) -> Seat {
        (self.num_moves % 2) as Seat
    }

    fn drop_disc(&mut self, seat: Seat, column: usize) {
        let row = self.height(column);
        if row >= self.rows() {
            return;
        }
        self.discs[column][row] = seat as u8 + 1;
        let lines = if Self::has(Mistake::ForgetsDiagonal) { &LINES[..3] } else { &LINES[..] };
        if lines.iter().any(|way| 1 + self.run(column, row, *way) + self.run(column, row, (-way.0, -way.1)) >= 4) {
            self.winner = Some(seat);
        }
    }

    /// Discs of the same seat that follow on one way.
    fn run(&self, column: usize, row: usize, (right, up): (isize, isize)) -> usize {
        let at = |steps: usize| {
            let place = |from: usize, way: isize| from.checked_add_signed(way * steps as isize);
            self.discs.get(place(column, right)?)?.get(place(row, up)?)
        };
        (1..8).take_while(|steps| at(*steps) == Some(&self.discs[column][row])).count()
    }

    /// The seat with more, if the board is full and the game blind.
    fn richer(&self) -> Option<Seat> {
        let sum = |seat: Seat| {
            let own = |column: usize| self.discs[column].iter().filter(|disc| usize::from(**disc) == seat + 1).count();
            (0..self.columns).map(|column| own(column) * usize::from(self.worth[seat][column])).sum::<usize>()
        };
        match sum(0).cmp(&sum(1)) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Less => Some(1),
            std::cmp::Ordering::Equal => None,
        }
    }

    fn is_over(&self) -> bool {
        self.winner.is_some() || self.open_columns().is_empty()
    }

    fn draw_worth(columns: usize, rng: &mut Rng) -> [u8; 8] {
        let mut worth = std::array::from_fn(|column| if column < columns { column as u8 + 1 } else { 0 });
        shuffle(rng, &mut worth[..columns]);
        worth
    }

    fn worth_of(columns: usize, opening: &Opening) -> [[u8; 8]; 2] {
        let mut rng = rng_from(&opening.seed);
        if BLIND { [(); 2].map(|()| Self::draw_worth(columns, &mut rng)) } else { [[0; 8]; 2] }
    }

    fn score(winner: Option<Seat>) -> Scores {
        let values = match winner {
            None if BLIND => vec![1, 1],
            None if Self::has(Mistake::DrawsSevenToOne) => vec![7, 1],
            None => vec![0, 0],
            Some(seat) if BLIND => [0, 1].map(|other| if other == seat { 2 } else { 0 }).to_vec(),
            Some(seat) if Self::has(Mistake::LosesWithOne) => [0, 1].map(|other| 1 + i64::from(other == seat)).to_vec(),
            Some(_) if Self::has(Mistake::FirstSeatWins) => vec![1, 0],
            Some(seat) => [0, 1].map(|other| i64::from(other == seat)).to_vec(),
        };
        Scores { values, higher_wins: true, tie_break: vec![] }
    }
}

impl<const BLIND: bool, const MISTAKE: u8> Rules for AnyFour<BLIND, MISTAKE> {
    type Move = Move;
    type Prepared = Prepared;

    const FACTS: Facts = Facts {
        name: "four",
        title: "Connect Four",
        summary: Said::new(
            "Drop a disc into a column; who first has four in a line wins.\nA move is a column: 4",
            "Lâchez un jeton dans une colonne ; le premier à en aligner quatre gagne.\nUn coup est une colonne : 4",
        ),
        chance: BLIND,
        hidden: BLIND,
        worth: if BLIND { Worth::Sum(2) } else { Worth::Outcome { win: 1, loss: 0, draw: Some(0) } },
        setup: Setup::SHAPE,
        turn: Turn::SHAPE,
        mv: Move::SHAPE,
        header: include_str!("four.h"),
        options: &[OptionFact {
            key: "size",
            default: "7",
            help: "columns, 4 to 8; there is one row less",
            example: "size=5",
            ..OptionFact::BASE
        }],
        small: &["size=4", "size=5"],
        ..Facts::BASE
    };

    fn prepare(options: &Options, _seats: usize) -> Result<Prepared, BadOption> {
        let size = options.number("size", 4..=8)? as usize;
        let told = if Self::has(Mistake::ResolvesNoSize) { 7 } else { size };
        Ok(Prepared { columns: if Self::has(Mistake::IgnoresSize) { 7 } else { size }, told })
    }

    fn resolved(setting: &Prepared, _seats: usize) -> Fields {
        vec![("size", Field::Number(setting.told as u64))]
    }

    fn drawn(setting: &Arc<Prepared>, _seats: usize, opening: &Opening) -> Fields {
        let worth = Self::worth_of(setting.columns, opening);
        if BLIND { vec![("worth", Field::numbers(worth.as_flattened()))] } else { Fields::new() }
    }

    fn start(setting: &Arc<Prepared>, _seats: usize, opening: &Opening) -> Self {
        let columns = setting.columns;
        let worth = Self::worth_of(columns, opening);
        AnyFour { columns, worth, discs: [[0; 8]; 8], num_moves: 0, last: 0, winner: None }
    }

    fn to_move(&self) -> Seats {
        if self.is_over() { Seats::NONE } else { Seats::one(self.next()) }
    }

    fn setup(&self, seat: Seat, out: &mut Blob) {
        let mut worth = self.worth[if Self::has(Mistake::ShowsSecret) { 0 } else { seat }];
        if Self::has(Mistake::ShowsOneSeatMore) && seat == 0 {
            worth = [1; 8];
        }
        let size = if Self::has(Mistake::SetsUpNoSize) { 7 } else { self.columns as u32 };
        out.push(&Setup { columns: size, rows: size - 1, worth, ..Setup::zeroed() });
    }

    fn turn(&self, _seat: Seat, out: &mut Blob) {
        let discs = if Self::has(Mistake::TurnsWithoutBoard) { [[0; 8]; 8] } else { self.discs };
        out.push(&Turn { discs, num_moves: self.num_moves, last: self.last as u32, ..Turn::zeroed() });
    }

    fn check(&self, _seat: Seat, mv: Move) -> Result<(), Illegal> {
        let (column, columns) = (mv.column as usize, self.columns);
        if column >= columns {
            let french = format!("il n'y a pas de colonne {column}");
            return Err(Illegal::new("no-such-column", format!("no column {column} of {columns}"), french));
        }
        if self.height(column) < self.rows() || Self::has(Mistake::AcceptsFullColumn) {
            return Ok(());
        }
        let french = format!("la colonne {} est pleine", column + 1);
        Err(Illegal::new("full-column", format!("column {} is full", column + 1), french))
    }

    fn play(&mut self, answers: &[(Seat, Move)]) {
        for (seat, mv) in answers {
            let column = mv.column as usize;
            self.drop_disc(*seat, column);
            if Self::has(Mistake::DropsTwo) {
                self.drop_disc(*seat, column);
            }
            self.last = column;
            self.num_moves += 1;
        }
    }

    fn absent(&self, _seat: Seat) -> Absent<Move> {
        Absent::Ends
    }

    fn scores(&self) -> Scores {
        let richer = || if BLIND && self.is_over() { self.richer() } else { None };
        Self::score(self.winner.or_else(richer))
    }

    fn forfeit(&self, out: Seats) -> Scores {
        let winner = (0..2).find(|seat| !out.has(*seat));
        let values = [0, 1].map(|seat| i64::from(winner == Some(seat)) * if BLIND { 2 } else { 1 });
        Scores { values: values.to_vec(), higher_wins: true, tie_break: vec![] }
    }

    fn legal(&self, _seat: Seat, each: &mut dyn FnMut(Move) -> ControlFlow<()>) {
        let mut columns = self.open_columns();
        if Self::has(Mistake::ListsColumnTwice) {
            columns.extend(columns.last().copied());
        }
        let _ = columns.into_iter().try_for_each(|column| each(Move { column: column as u32 }));
    }

    fn sample(&self, _seat: Seat, rng: &mut Rng) -> Move {
        let columns = self.open_columns();
        let mut index = below(rng, columns.len() as u64);
        if Self::has(Mistake::SamplesLeft) {
            index = index.min(below(rng, columns.len() as u64));
        }
        Move { column: columns[index as usize] as u32 }
    }

    fn redeal(&self, seat: Seat, rng: &mut Rng) -> Self {
        let mut other = self.clone();
        if BLIND && !Self::has(Mistake::NeverRedeals) {
            other.worth[1 - seat] = Self::draw_worth(self.columns, rng);
        }
        other
    }

    fn write(&self, mv: Move) -> String {
        (u64::from(mv.column) + 1).to_string()
    }

    fn read(&self, text: &str) -> Option<Move> {
        text.parse().ok().filter(|column| *column > 0).map(|column: u32| Move { column: column - 1 })
    }

    fn scene(&self, _seat: Option<Seat>, language: Language) -> Scene {
        let cell = |column: usize, up: usize| {
            let piece = self.discs[column][up].checked_sub(1).map_or(Piece::Empty, |seat| Piece::Of(seat.into()));
            Cell::on_grid(format!("{},{}", column + 1, up + 1), column, self.rows() - 1 - up, piece)
        };
        let cells = (0..self.columns).flat_map(|column| (0..self.rows()).map(move |up| cell(column, up)));
        Scene {
            columns: self.columns,
            rows: self.rows(),
            cells: cells.collect(),
            spoken: format!("{} {}", self.num_moves, language.pick("moves", "coups")),
            ..Scene::default()
        }
    }

    fn hash(&self) -> u64 {
        let board = if Self::has(Mistake::HashesNoBoard) { &[][..] } else { self.discs.as_flattened() };
        let told = [self.num_moves as u8, self.last as u8];
        let bytes = board.iter().chain(self.worth.as_flattened()).chain(&told);
        bytes.fold(self.columns as u64, |hash, byte| splitmix64(hash ^ u64::from(*byte)))
    }
}
