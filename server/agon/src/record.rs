//! `agon record COMMAND`: the family of commands that copy, move, tidy and erase what a record holds.

mod backup;
mod clean;
mod export;
mod forget;
mod import;

use agon_command::{Failure, status};
use agon_games::AnyGame;
use agon_transfer::TransferError;
use clap::{Args, Subcommand};

/// The arguments of `agon record`.
#[derive(Args, Debug)]
pub struct RecordArgs {
    #[command(subcommand)]
    command: RecordCommand,
}

#[derive(Subcommand, Debug)]
enum RecordCommand {
    /// Copies the record into one file, also while ladders run
    ///
    /// The clients' files are not in it: copy the folder agon-out/files, too.
    Backup(backup::BackupArgs),
    /// Lists the files of an output folder that can be deleted, and their sizes
    ///
    /// Nothing is deleted without --yes.
    Clean(clean::CleanArgs),
    /// Writes a ladder for other programs, as JSON Lines, CSV, JSON or text
    Export(export::ExportArgs),
    /// Adds the matches of an export to a record
    Import(import::ImportArgs),
    /// Erases a client from the record: names, file, options, everything it printed
    Forget(forget::ForgetArgs),
}

/// Runs the command of the family.
pub fn record(args: &RecordArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    match &args.command {
        RecordCommand::Backup(args) => backup::backup(args),
        RecordCommand::Clean(args) => clean::clean(args),
        RecordCommand::Export(args) => export::export(args, games),
        RecordCommand::Import(args) => import::import(args, games),
        RecordCommand::Forget(args) => forget::forget(args),
    }
}

/// How a command ends whose export or import failed.
fn transfer_failed(error: TransferError) -> Failure {
    let is_users = matches!(error, TransferError::Line(_));
    Failure::new(if is_users { status::CONFIGURATION } else { status::TROUBLE }, error)
}
