//! `agon record backup FILE`: the record in one file, while ladders go on; of a damaged record there is none.

use agon_command::atomic_file::{partial, refuse_taken};
use agon_command::record_location::LocationArgs;
use agon_command::{Failure, status};
use agon_model::shell;
use agon_model::units::about_size;
use agon_record::SqliteRecord;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `agon record backup`.
#[derive(Args, Debug)]
pub struct BackupArgs {
    /// The file to write. agon standings --record FILE reads it.
    file: PathBuf,
    #[command(flatten)]
    location: LocationArgs,
}

/// Writes the copy, whole or not at all.
pub fn backup(args: &BackupArgs) -> Result<u8, Failure> {
    let location = args.location.locate()?;
    if location.is_elsewhere() {
        let help = "help: pg_dump --format=custom --file=FILE URL saves all of it, agon record export jsonl --record URL a ladder";
        return Err(Failure::usage(format!(
            "a record on PostgreSQL is backed up by PostgreSQL's own programs; {help}"
        )));
    }
    refuse_taken(&args.file)?;
    let record = SqliteRecord::open_existing(location.out())?;
    let partial = partial(&args.file);
    let shown = args.file.display();
    let trouble = |error: std::io::Error| Failure::trouble(format!("{shown}: {error}; help: choose another file"));
    let written = record.back_up(&partial).map_err(Failure::from);
    let written = written.and_then(|made| std::fs::rename(&partial, &args.file).map(|()| made).map_err(trouble));
    let Ok(bytes) = written else {
        let _ = std::fs::remove_file(&partial);
        return written.map(|_| 1);
    };
    println!("{shown}: {}, every block up to now", about_size(bytes));
    let command = format!("agon standings {}", shell::option("--record", &args.file.to_string_lossy()));
    let files = location.out().join("files");
    // The folder of a copy has none.
    let files = if files.is_dir() { format!("; clients' files are in {}", files.display()) } else { String::new() };
    println!("{command} reads it{files}");
    Ok(status::DONE)
}
