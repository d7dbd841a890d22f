//! `agon-lab` has the work of a laboratory: benchmarks and studies of games. `agon bench` calls it; a tournament does
//! without.

#[macro_use]
extern crate agon_command;

mod bench;
mod figures;
mod study;

use agon_command::output::{say, write_raw};
use agon_command::status;
use agon_games::GAMES;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

/// Benchmarks and studies of games.
#[derive(Parser, Debug)]
#[command(name = "agon-lab", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Runs benchmarks of agon itself, or studies a game's client (needs agon-lab).
    #[command(override_usage = "agon bench [OPTIONS] [ONLY]")]
    Bench(bench::BenchArgs),
    /// Prints a page with every component of agon's pages: agon-lab components > components.html
    Components,
}

fn main() -> ExitCode {
    let command = Cli::command().mut_subcommand("bench", |bench| bench.after_help(study::list(GAMES)));
    let read = command.try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let done = match read.unwrap_or_else(|error| error.exit()).command {
        Command::Bench(args) => bench::bench(&args, GAMES),
        Command::Components => {
            write_raw(&agon_web::components_page());
            Ok(status::DONE)
        }
    };
    ExitCode::from(done.unwrap_or_else(|failure| {
        say(&format!("error: {}", failure.message));
        failure.status
    }))
}
