//! `agon worker COMMAND`: the family of commands for other machines that play for a ladder.

mod list;
mod roster;
mod run;
mod whom;

use agon_command::{Failure, machines};
use agon_games::AnyGame;
use clap::{Args, Subcommand};

/// The arguments of `agon worker`.
#[derive(Args, Debug)]
pub struct WorkerArgs {
    #[command(subcommand)]
    command: WorkerCommand,
}

#[derive(Subcommand, Debug)]
enum WorkerCommand {
    /// Lets this machine play for a ladder of another machine
    ///
    /// It fetches clients from the record, plays in its own sandbox and delivers the results.
    Run(run::RunArgs),
    /// Lists the workers of a record on PostgreSQL: which ones play, and why others do not
    List(list::ListArgs),
    /// Prints the command to type on a machine that should play
    ///
    /// Anyone who has this command can play under the invitation's name. A new invitation of the same name makes the old
    /// one void, and lifts a ban.
    Invite(roster::InviteArgs),
    /// Lets a worker finish its current matches, and then stops it
    Drain(roster::WhomArgs),
    /// Bans a worker's machine, or all workers of an invitation
    ///
    /// Other workers play its unfinished matches. Its finished matches stay.
    Ban(roster::WhomArgs),
    /// Removes from the record everything that a worker's machine played
    ///
    /// Other workers play these matches again. Stop the ladder first, and start it again afterwards.
    Void(roster::WhomArgs),
    /// Lifts a ban, and lets a machine play again after its results were refused
    Pardon(roster::WhomArgs),
}

/// Runs the command of the family.
pub fn worker(args: &WorkerArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    machines::database("agon worker")?;
    match &args.command {
        WorkerCommand::Run(args) => run::run(args, games),
        WorkerCommand::List(args) => list::list(args),
        WorkerCommand::Invite(args) => roster::invite(args),
        WorkerCommand::Drain(args) => roster::drain(args),
        WorkerCommand::Ban(args) => roster::ban(args),
        WorkerCommand::Void(args) => roster::void(args),
        WorkerCommand::Pardon(args) => roster::pardon(args),
    }
}
