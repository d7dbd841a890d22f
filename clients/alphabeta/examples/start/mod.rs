//! Starts of games of the client against itself.

use agon_boards::{Board, Diagonals, Placement, parse};
use agon_client_api::Options;
use alphabeta::Settings;

/// A board of Amazons by its name.
pub fn board(spec: &str) -> Board {
    parse(spec, Placement::Figures, Diagonals::Natural).unwrap_or_else(|bad| panic!("{}", bad.why))
}

/// The settings by these options, with one thread.
pub fn settings(options: &str) -> Settings {
    Settings::read(&Options(options), 0, 1).unwrap_or_else(|declined| panic!("{}", declined.0))
}
