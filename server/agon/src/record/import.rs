//! `agon record import FILE`: the matches of an export, from another folder or another machine, into a record.

use super::transfer_failed;
use agon_command::output::say;
use agon_command::record_location::{LocationArgs, WRITABLE};
use agon_command::redaction::redaction;
use agon_command::{Failure, status};
use agon_games::AnyGame;
use agon_model::counted;
use agon_model::visible::escape;
use agon_record::Lock;
use agon_transfer::TransferError;
use clap::Args;
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Read, stdin};
use std::path::{Path, PathBuf};

/// The arguments of `agon record import`.
#[derive(Args, Debug)]
#[command(mut_arg("record", |record| record.help(WRITABLE)))]
pub struct ImportArgs {
    /// A file that agon record export jsonl wrote; it may be compressed by gzip. Without a file, or with -, agon reads
    /// standard input.
    file: Option<PathBuf>,
    /// The ladder that takes the matches. Default: the ladder named in the file.
    #[arg(long, value_name = "NAME")]
    ladder: Option<String>,
    #[command(flatten)]
    location: LocationArgs,
}

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The export as text, and its name for messages. A file of gzip is known by its first bytes.
fn open(file: Option<&Path>) -> Result<(String, Box<dyn BufRead>), Failure> {
    let file = file.filter(|file| *file != Path::new("-"));
    let help = "help: name what agon record export jsonl wrote";
    let name = file.map_or("standard input".to_owned(), |file| file.display().to_string());
    let trouble = |error: std::io::Error| Failure::usage(format!("{name}: {error}; {help}"));
    let input: Box<dyn Read> = match file {
        Some(file) => Box::new(File::open(file).map_err(trouble)?),
        None if stdin().is_terminal() => return Err(Failure::usage(format!("no file is named; {help}"))),
        None => Box::new(stdin()),
    };
    let mut input = BufReader::with_capacity(1 << 16, input);
    let is_gzip = input.fill_buf().map_err(trouble)?.starts_with(&GZIP);
    let text: Box<dyn BufRead> =
        if is_gzip { Box::new(BufReader::new(MultiGzDecoder::new(input))) } else { Box::new(input) };
    Ok((name, text))
}

/// Reads the whole file, or nothing of it.
pub fn import(args: &ImportArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let (shown, mut input) = open(args.file.as_deref())?;
    let location = args.location.locate()?;
    location.refuse_copy()?;
    let _locks = if location.is_elsewhere() { Vec::new() } else { Lock::take_all(location.out())? };
    let mut record = location.open()?;
    let redaction = redaction(false, location.out())?;
    let taken = agon_transfer::import(&mut *record, games, (&shown, &mut *input), args.ladder.as_deref(), &redaction)
        .map_err(|error| match error {
        TransferError::Io(error) => {
            Failure::usage(format!("{shown}: {error}; nothing was imported; help: copy or compress the file again"))
        }
        other => transfer_failed(other),
    })?;
    let name = escape(&taken.ladder, 64);
    if let Some(weakness) = &taken.weakness {
        let then = "agon rerun and boards use every layer of this machine all the same";
        say(&format!("warning: ladder {name} asks for less than the full sandbox: {weakness}; {then}"));
    }
    let had = if taken.had > 0 { format!(", {} it had already", taken.had) } else { String::new() };
    let seen = if taken.replayed { "" } else { "; these rules are not here, so that nothing was replayed" };
    println!("ladder {name}: {} imported{had}{seen}", counted(taken.matches, "match", "matches"));
    Ok(status::DONE)
}
