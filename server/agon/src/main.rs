//! The binary `agon`: hands the games to the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(agon::answer(agon_games::GAMES))
}
