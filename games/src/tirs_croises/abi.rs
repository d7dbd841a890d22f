//! The structs of `agon/tirs_croises.h`, field by field.

use agon_abi::{SetupHead, TurnHead, pod};

/// `Setup::start`: a cursor stands on the board, and the first player takes from its row or column.
pub const CURSOR: u8 = 0;
/// `Setup::start`: the first player takes any cell of the board.
pub const ANYWHERE: u8 = 1;

pod! {
    /// What a client knows before the first move (`tirs_croises_setup`).
    #[derive(abi_stable::StableAbi)]
    pub struct Setup = "tirs_croises_setup" {
        /// The head of all games.
        #[sabi(unsafe_opaque_field)]
        pub head: SetupHead,
        /// Rows and columns, 4 to 20.
        pub size: u8,
        /// How many play, 2 to 9.
        pub players: u8,
        /// `CURSOR` or `ANYWHERE`.
        pub start: u8,
        /// Column of the cursor at the start, from 1; 0 with `ANYWHERE`.
        pub cursor_x: u8,
        /// Row of the cursor at the start, from 1; 0 with `ANYWHERE`.
        pub cursor_y: u8,
        /// Zero.
        pub reserved0: [u8; 3],
        /// The cell in column x and row y is `values[y - 1][x - 1]`: 1 to 9; 0 at the cursor and beyond `size`.
        pub values: [[u8; 20]; 20],
        /// Zero.
        pub reserved: [u64; 2],
    }
}

pod! {
    /// A cell that was taken (`tirs_croises_event`).
    #[derive(abi_stable::StableAbi)]
    pub struct Event = "tirs_croises_event" {
        /// Who took it, from 0.
        pub seat: u8,
        /// Its column, from 1.
        pub x: u8,
        /// Its row, from 1.
        pub y: u8,
        /// Its value, 1 to 9.
        pub gain: u8,
    }
}

pod! {
    /// What `play` is given (`tirs_croises_turn`).
    #[derive(abi_stable::StableAbi)]
    pub struct Turn = "tirs_croises_turn" {
        /// The head of all games.
        #[sabi(unsafe_opaque_field)]
        pub head: TurnHead,
        /// Column of the cursor, from 1; 0 if there is none yet.
        pub cursor_x: u8,
        /// Row of the cursor, from 1; 0 if there is none yet.
        pub cursor_y: u8,
        /// How many cells may be taken, 1 to 400.
        pub num_legal: u16,
        /// How many events there are, 0 to 8.
        pub num_events: u8,
        /// Zero.
        pub reserved0: [u8; 3],
        /// What the others have taken since this seat's last move, in order; zero beyond `num_events`.
        pub events: [Event; 8],
        /// Points of each seat; 0 beyond `players`.
        pub scores: [u16; 9],
        /// Zero.
        pub reserved1: [u8; 6],
        /// As in `Setup`, but now: 0 also where a cell was taken.
        pub values: [[u8; 20]; 20],
        /// Zero.
        pub reserved: [u64; 2],
    }
}

pod! {
    /// What `play` returns (`tirs_croises_move`).
    #[derive(abi_stable::StableAbi)]
    pub struct Move = "tirs_croises_move" {
        /// Column of the cell to take, from 1.
        pub x: u8,
        /// Its row, from 1.
        pub y: u8,
    }
}
