//! The interface for authors of clients: the C headers in `include/agon`, and for Rust the trait [`Client`], the macro
//! [`export_client!`] and a module for each game.
//!
//! A whole client, in a crate with `crate-type = ["cdylib"]`:
//!
//! ```
//! #![forbid(unsafe_code)]
//! use agon_client_api::amazons::{Amazons, AmazonsMove, Board, Setup, Turn};
//! use agon_client_api::{Client, Declined, export_client};
//!
//! /// Plays the first legal move it finds.
//! struct First {
//!     board: Board,
//!     side: usize,
//! }
//!
//! impl Client for First {
//!     type Game = Amazons;
//!     const NAME: &'static str = "first";
//!
//!     fn new(setup: &Setup) -> Result<Self, Declined> {
//!         Ok(First { board: Board::new(setup), side: setup.side })
//!     }
//!
//!     fn play(&mut self, turn: &Turn) -> AmazonsMove {
//!         self.board.play_if_any(1 - self.side, turn.previous);
//!         let mv = self.board.moves(self.side).next().unwrap_or(AmazonsMove::NONE);
//!         self.board.play(self.side, mv);
//!         mv
//!     }
//! }
//!
//! export_client!(First);
//! # fn main() {}
//! ```
//!
//! Unsafe code is in `export.rs` (the border) and `view.rs` (following the pointers of a setup) and nowhere else.
#![warn(missing_docs)]

pub mod amazons;
mod client;
#[doc(hidden)]
pub mod export;
pub mod grundy;
pub mod layout;
pub mod mastermind;
mod mistakes;
mod options;
pub mod rules;
pub mod six_qui_prend;
#[doc(hidden)]
pub mod table;
pub mod tirs_croises;
mod view;

/// Chance for clients: ChaCha8 by name, draws that never change with a library's version, and numbers for the keys of a
/// hash.
pub mod chance {
    pub use agon_games::mix::splitmix64;
    pub use agon_games::{Rng, below, shuffle};

    /// The generator for the `head.seed` of a setup.
    pub fn rng(seed: u64) -> Rng {
        agon_games::rng_from(&agon_games::seed_of(seed))
    }
}

pub use agon_abi::{Clock, SetupHead, TurnHead};
pub use agon_games::Rules;
pub use client::{Client, Declined};
pub use export::{cpu_us, data, log};
pub use mistakes::Mistakes;
pub use options::Options;
pub use view::Playable;
