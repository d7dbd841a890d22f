//! A file that somebody asked for: there whole or not at all, and never in the place of another.

use crate::Failure;
use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Refuses a name that is taken.
pub fn refuse_taken(path: &Path) -> Result<(), Failure> {
    if path.symlink_metadata().is_ok() {
        let shown = path.display();
        return Err(Failure::usage(format!("{shown} is there already; help: choose a file that does not exist")));
    }
    Ok(())
}

/// The path of a file until it is whole.
pub fn partial(path: &Path) -> PathBuf {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    path.with_file_name(format!(".{name}.{}.partial", std::process::id()))
}

/// Writes a file by `write`.
pub fn write_atomically<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    refuse_taken(path)?;
    let partial = partial(path);
    let trouble = |error: std::io::Error| {
        Failure::trouble(format!("{}: {error}; help: {}choose another file", path.display(), first_try(&error)))
    };
    let file = File::create_new(&partial).map_err(trouble)?;
    let written = write_into(file, write).and_then(|made| fs::rename(&partial, path).map(|()| made).map_err(trouble));
    if written.is_err() {
        let _ = fs::remove_file(&partial);
    }
    written
}

/// The advice about an error that comes before the choice of another place.
pub fn first_try(error: &std::io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound => "make its folder first, or ",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "free some space, or ",
        _ => "",
    }
}

fn write_into<T>(file: File, write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>) -> Result<T, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let made = write(&mut out)?;
    let synced = out.into_inner().map_err(|error| error.into_error()).and_then(|file| file.sync_all());
    synced.map(|()| made).map_err(Failure::trouble)
}
