//! The base of all commands: how they end, what they print, which record, ladder and match they are about, and the
//! files they write.

#[macro_use]
pub mod output;

pub mod atomic_file;
pub mod atomic_folder;
mod client_games;
pub mod confirm;
pub mod desktop;
mod failure;
pub mod file_set;
pub mod ladder_file;
pub mod lang;
pub mod machines;
pub mod numbers;
pub mod paint;
mod programs;
pub mod record_location;
pub mod redaction;
pub mod scratch;
pub mod signals;
pub mod status;
pub mod terms;
pub mod token;
pub mod unplayed;
pub mod which;
pub mod worker_door;

pub use client_games::{ClaimedGame, game_of};
pub use failure::Failure;
pub use programs::{ADAPTER, Extra, find_paths, how_to_get};
