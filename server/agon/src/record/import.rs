//! `agon record import FILE`: the matches of an export, from another folder or another machine, into a record.

use agon_command::Failure;
use agon_command::output::say;
use agon_command::place::PlaceArgs;
use agon_command::redaction::redaction;
use agon_games::AnyGame;
use agon_model::counted;
use agon_model::visible::escape;
use agon_record::Lock;
use clap::Args;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

/// Of `agon record import`.
#[derive(Args, Debug)]
pub struct ImportArgs {
    /// What agon record export jsonl wrote.
    file: PathBuf,
    /// The ladder that takes the matches, if not the one with the name in the file.
    #[arg(long, value_name = "NAME")]
    ladder: Option<String>,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Reads the whole file, or nothing of it.
pub fn import(args: &ImportArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let shown = args.file.display().to_string();
    let file = File::open(&args.file).map_err(|error| {
        Failure::new(2, format!("{shown}: {error}; help: name what agon record export jsonl wrote"))
    })?;
    let place = args.place.place();
    let _locks = if place.is_elsewhere() { Vec::new() } else { Lock::take_all(place.out())? };
    let mut store = place.open()?;
    let redaction = redaction(false, place.out())?;
    let mut input = BufReader::with_capacity(1 << 16, file);
    let taken = agon_transfer::import(&mut *store, games, (&shown, &mut input), args.ladder.as_deref(), &redaction)?;
    let name = escape(&taken.ladder, 64);
    if let Some(weakness) = &taken.weakness {
        let then = "agon rerun and boards use every layer of this machine all the same";
        say(&format!("warning: ladder {name} asks for less than the full sandbox: {weakness}; {then}"));
    }
    let had = if taken.had > 0 { format!(", {} it had already", taken.had) } else { String::new() };
    let seen = if taken.replayed { "" } else { "; these rules are not here, so that nothing was replayed" };
    println!("ladder {name}: {} imported{had}{seen}", counted(taken.matches, "match", "matches"));
    Ok(0)
}
