//! The answer of a sequential test, kept next to the record for the pages of its ladder: the record has only matches.

use agon_command::Failure;
use agon_command::file_set::{FileSet, listed};
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

/// Forgets the answers of all tests that name a client, whatever became of their ladders.
///
/// # Errors
/// A file cannot be removed.
pub fn forget(out: &Path, client: &str) -> Result<(), Failure> {
    let mut files = FileSet::default();
    for (_, path) in listed(&out.join("tests")) {
        if fs::read_to_string(&path).is_ok_and(|text| names(&text, client)) {
            files.add(path);
        }
    }
    files.remove()
}

/// Whether a text has this name as a whole word, also within a path or a label with options.
fn names(text: &str, name: &str) -> bool {
    let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '-');
    text.match_indices(name)
        .any(|(at, _)| is_end(text[..at].chars().next_back()) && is_end(text[at + name.len()..].chars().next()))
}

/// What was kept of this ladder, if anything was.
pub fn kept(out: &Path, ladder: &LadderRow) -> Option<String> {
    let text = fs::read_to_string(file(out, ladder.id)).ok()?;
    let document: serde_json::Value = serde_json::from_str(&text).ok()?;
    // A ladder of another record may have had the same number.
    (document["ladder"] == ladder.name.as_str()).then_some(text)
}
