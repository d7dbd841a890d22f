//! `agon record export`: a ladder for other programs and other people, with nothing in it of the machine or of who runs it.

use super::transfer_failed;
use agon_command::atomic_file::write_atomically;
use agon_command::output::say;
use agon_command::redaction::redaction;
use agon_command::which::{OpenLadder, WhichLadder};
use agon_command::{Failure, status};
use agon_games::AnyGame;
use agon_model::counted;
use agon_model::find_game;
use agon_record::{Archive, RedactedLadder};
use agon_transfer::{ExportFormat, ExportSource, TransferError};
use clap::{Args, ValueEnum};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::PathBuf;

/// The arguments of `agon record export`.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// jsonl: one line for each match, for agon record import. csv: one line for each seat. json: one document. text:
    /// tags and moves, like PGN in chess.
    format: FormatArg,
    #[command(flatten)]
    which: WhichLadder,
    /// The file to write. Default: stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replaces the clients' names by client-1, client-2, …. Leaves out their files, hashes and options, and everything
    /// that they printed.
    #[arg(long)]
    anonymise: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormatArg {
    Jsonl,
    Csv,
    Json,
    Text,
}

/// Writes the export of a ladder.
pub fn export(args: &ExportArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let OpenLadder { record, ladder, .. } = args.which.open()?;
    let format = match args.format {
        FormatArg::Jsonl => ExportFormat::Jsonl,
        FormatArg::Csv => ExportFormat::Csv,
        FormatArg::Json => ExportFormat::Json,
        FormatArg::Text => ExportFormat::Text,
    };
    let redaction = redaction(args.anonymise, args.which.locate()?.0.out())?;
    let redacted = RedactedLadder::new(&*record as &dyn Archive, &ladder, &redaction)?;
    let source = ExportSource { redacted: &redacted, game: find_game(games, &ladder.game).ok(), redaction: &redaction };
    match &args.out {
        Some(path) => {
            let count =
                write_atomically(path, |out| agon_transfer::export(&source, format, out).map_err(transfer_failed))?;
            let matches = counted(count, "match", "matches");
            say(&format!("{matches} of ladder {} written to {}", ladder.name, path.display()));
        }
        None => match agon_transfer::export(&source, format, &mut BufWriter::new(std::io::stdout().lock())) {
            // The reader has seen enough.
            Err(TransferError::Io(error)) if error.kind() == ErrorKind::BrokenPipe => {}
            done => drop(done.map_err(transfer_failed)?),
        },
    }
    let _ = std::io::stdout().flush();
    if !record.has_ended(ladder.id)? {
        say("note: the export has the ladder's seed, and the ladder has not ended: deals to come follow from it");
    }
    Ok(status::DONE)
}
