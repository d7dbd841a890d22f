//! The answer of a sequential test, kept next to the record for the pages of its ladder: the record has only matches.

use agon_command::Failure;
use agon_record::LadderRow;
use std::fs;
use std::path::{Path, PathBuf};

fn file(out: &Path, ladder: i64) -> PathBuf {
    out.join("tests").join(format!("{ladder}.json"))
}

/// Keeps what a test of a ladder came to, `agon.sprt/1`.
///
/// # Errors
/// The file cannot be written.
pub fn keep(out: &Path, ladder: i64, document: &str) -> Result<(), Failure> {
    let path = file(out, ladder);
    let partial = path.with_extension(format!("{}.partial", std::process::id()));
    let written = fs::create_dir_all(out.join("tests"))
        .and_then(|()| fs::write(&partial, document))
        .and_then(|()| fs::rename(&partial, &path));
    written.map_err(|error| Failure::new(1, format!("{}: {error}", path.display())))
}

/// What was kept of this ladder, if anything was.
pub fn kept(out: &Path, ladder: &LadderRow) -> Option<String> {
    let text = fs::read_to_string(file(out, ladder.id)).ok()?;
    let document: serde_json::Value = serde_json::from_str(&text).ok()?;
    // A ladder of another record may have had the same number.
    (document["ladder"] == ladder.name.as_str()).then_some(text)
}
