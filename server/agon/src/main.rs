//! The binary `agon`: hands the games to the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    agon::run(agon_games::GAMES)
}
