//! Whether a ladder has ended, kept next to the record: until then nobody but its operator sees the seed, from which
//! hidden deals follow.

use agon_model::{LadderId, LadderRow};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

fn file(out: &Path, ladder: LadderId) -> PathBuf {
    out.join("ended").join(ladder.to_string())
}

/// Marks a ladder as ended or, when a run of it begins, as under way again.
///
/// # Errors
/// The mark cannot be written or removed.
pub fn mark(out: &Path, ladder: &LadderRow, has_ended: bool) -> io::Result<()> {
    let path = file(out, ladder.id);
    if has_ended {
        return fs::create_dir_all(out.join("ended")).and_then(|()| fs::write(path, &ladder.name));
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether a ladder has ended. A ladder of another record may have had the same number, but not the same name.
pub fn has_ended(out: &Path, ladder: &LadderRow) -> bool {
    fs::read(file(out, ladder.id)).is_ok_and(|name| name == ladder.name.as_bytes())
}

/// When the ladder ended, if it has.
pub fn when(out: &Path, ladder: LadderId) -> Option<SystemTime> {
    fs::metadata(file(out, ladder)).and_then(|about| about.modified()).ok()
}
