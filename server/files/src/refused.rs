//! Notes in the places of clients that could not be built: everybody who handed something in has a line in all tables.

use crate::{Regular, Unreadable};
use agon_model::visible::escape;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The ending of a note's file: `clients/NAME.refused`.
pub const ENDING: &str = "refused";
/// The longest note, bytes and characters.
const LONGEST_NOTE: u64 = 64 << 10;
const LONGEST_REASON: usize = 1_000;

/// Whether a file is a note.
pub fn is_note(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == ENDING)
}

/// The path of the note that stands for a client at this place.
pub fn note_of(place: &Path) -> PathBuf {
    place.with_extension(ENDING)
}

/// Writes why what somebody handed in does not play.
pub fn write(note: &Path, why: &str) -> io::Result<()> {
    fs::write(note, format!("{}\n", escape(why, LONGEST_REASON)))
}

/// The reason in a note.
pub fn reason(note: &Path) -> String {
    let mut bytes = Vec::new();
    let read = Regular::open(note, LONGEST_NOTE).and_then(|mut file| {
        file.read(|piece| {
            bytes.extend_from_slice(piece);
            Ok::<_, Unreadable>(())
        })
    });
    match (read, escape(String::from_utf8_lossy(&bytes).trim(), LONGEST_REASON)) {
        (Ok(()), why) if !why.is_empty() => why,
        _ => "it could not be built; help: agon build FILE says why".to_owned(),
    }
}
