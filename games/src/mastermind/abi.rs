//! The structs of `agon/mastermind.h`, field by field.

use super::codes::{Code, MAX_PEGS};
use agon_abi::{Pointer, SetupHead, TurnHead, pod};

/// `Setup::role`: guesses.
pub const BREAKER: u8 = 0;
/// `Setup::role`: hides a secret or answers guesses.
pub const MAKER: u8 = 1;

/// `Setup::maker`: the server hides the secret and answers; all seats are breakers.
pub const SERVER: u8 = 0;
/// `Setup::maker`: seat 0 hides the secret, and the server answers for it.
pub const CLIENT: u8 = 1;
/// `Setup::maker`: seat 0 answers each guess, and commits itself to no secret.
pub const ADAPTIVE: u8 = 2;

/// `Turn::kind`: `play` is asked for a guess.
pub const ASKS_GUESS: u8 = 0;
/// `Turn::kind`: `play` is asked for the secret.
pub const ASKS_SECRET: u8 = 1;
/// `Turn::kind`: `play` is asked for the reply to `Turn::guess`.
pub const ASKS_REPLY: u8 = 2;

pod! {
    /// What a client knows before the first guess (`mastermind_setup`).
    #[derive(abi_stable::StableAbi)]
    pub struct Setup = "mastermind_setup" {
        /// The head of all games.
        #[sabi(unsafe_opaque_field)]
        pub head: SetupHead,
        /// Values in a code, 1 to 12.
        pub pegs: u8,
        /// A value is 0 to `values - 1`; 2 to 20.
        pub values: u8,
        /// Most guesses, 1 to 100.
        pub tries: u8,
        /// `BREAKER` or `MAKER`.
        pub role: u8,
        /// `SERVER`, `CLIENT` or `ADAPTIVE`.
        pub maker: u8,
        /// Zero.
        pub reserved0: [u8; 3],
        /// Zero.
        pub reserved: [u64; 2],
    }
}

pod! {
    /// A guess and its reply (`mastermind_try`).
    #[derive(abi_stable::StableAbi)]
    pub struct Try = "mastermind_try" {
        /// The guess; 0 beyond `pegs`.
        pub v: [u8; 12],
        /// Values at the right place.
        pub rr: u8,
        /// Right values at a wrong place.
        pub rw: u8,
        /// Zero.
        pub reserved0: [u8; 2],
    }
}

pod! {
    /// What `play` is given (`mastermind_turn`).
    #[derive(abi_stable::StableAbi)]
    pub struct Turn = "mastermind_turn" {
        /// The head of all games.
        #[sabi(unsafe_opaque_field)]
        pub head: TurnHead,
        /// All guesses that were answered, in order: a breaker's own, or those of the maker's opponent; NULL if none.
        #[sabi(unsafe_opaque_field)]
        pub history: Pointer<Try>,
        /// How many there are, 0 to `tries - 1`.
        pub num_history: u32,
        /// `ASKS_GUESS`, `ASKS_SECRET` or `ASKS_REPLY`.
        pub kind: u8,
        /// Zero.
        pub reserved0: [u8; 3],
        /// When a reply is asked for: the guess to answer, 0 beyond `pegs`; else 0.
        pub guess: [u8; 12],
        /// Zero.
        pub reserved1: [u8; 4],
        /// Zero.
        pub reserved: [u64; 2],
    }
}

pod! {
    /// What `play` returns (`mastermind_move`).
    #[derive(abi_stable::StableAbi)]
    pub struct Move = "mastermind_move" {
        /// The guess or the secret, 0 beyond `pegs`; 0 in a reply.
        pub v: [u8; 12],
        /// How many values `v` has: `pegs`; 0 in a reply.
        pub n: u8,
        /// In a reply: values at the right place; else 0.
        pub rr: u8,
        /// In a reply: right values at a wrong place; else 0.
        pub rw: u8,
        /// Zero.
        pub reserved0: u8,
    }
}

impl Move {
    /// A guess or a secret.
    pub fn code(code: &Code, pegs: u8) -> Move {
        Move { v: *code, n: pegs, rr: 0, rw: 0, reserved0: 0 }
    }

    /// A reply.
    pub fn reply(reply: super::Reply) -> Move {
        Move { v: [0; MAX_PEGS], n: 0, rr: reply.rr, rw: reply.rw, reserved0: 0 }
    }
}

impl Try {
    /// A guess and its reply.
    pub fn new(guess: &Code, reply: super::Reply) -> Try {
        Try { v: *guess, rr: reply.rr, rw: reply.rw, reserved0: [0; 2] }
    }

    /// The reply.
    pub fn reply(&self) -> super::Reply {
        super::Reply { rr: self.rr, rw: self.rw }
    }
}
