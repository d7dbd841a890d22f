//! The times of submissions: those that a class's archive has for their files.

use agon_files::set_time;
use agon_model::Closing;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use zip::ExtraField;
use zip::read::ZipFile;

/// Archives without times have this one, 1 January 1980, or the beginning of 1970.
const NO_TIME: Duration = Duration::from_secs(315_619_200);

/// The time of an entry of a ZIP, if it has one. The short form is by the clock on the wall.
pub fn of_zip<R: Read>(entry: &ZipFile<'_, R>) -> Option<SystemTime> {
    let exact = entry.extra_data_fields().find_map(|field| match field {
        ExtraField::ExtendedTimestamp(times) => times.mod_time(),
        _ => None,
    });
    if let Some(seconds) = exact {
        return usable(UNIX_EPOCH + Duration::from_secs(seconds.into()));
    }
    let at = entry.last_modified()?;
    let (year, month, day) = (at.year(), at.month(), at.day());
    let text = format!("{year}-{month:02}-{day:02}T{:02}:{:02}:{:02}", at.hour(), at.minute(), at.second());
    Closing::read(&text).ok().and_then(|at| usable(at.at()))
}

/// The time of an entry of a tar, if it has one.
pub fn of_tar(header: &tar::Header) -> Option<SystemTime> {
    usable(UNIX_EPOCH.checked_add(Duration::from_secs(header.mtime().ok()?))?)
}

fn usable(time: SystemTime) -> Option<SystemTime> {
    (time > UNIX_EPOCH + NO_TIME).then_some(time)
}

/// When a file changed last.
pub fn of_file(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|seen| seen.modified()).ok()
}

/// The time of the newest file in a folder.
pub fn newest(folder: &Path) -> Option<SystemTime> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.filter_map(|entry| own(&entry, newest, of_file)).flatten().max()
}

/// Gives all files in a folder one time: an archive that its author may have made is not believed.
pub fn stamp(folder: &Path, time: Option<SystemTime>) {
    let Some(time) = time else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        own(&entry, |folder| stamp(folder, Some(time)), |file| drop(set_time(file, time)));
    }
}

/// Takes a folder or a file, and no link.
fn own<T>(entry: &fs::DirEntry, folder: impl FnOnce(&Path) -> T, file: impl FnOnce(&Path) -> T) -> Option<T> {
    let kind = entry.file_type().ok()?;
    match () {
        () if kind.is_dir() => Some(folder(&entry.path())),
        () if kind.is_file() => Some(file(&entry.path())),
        () => None,
    }
}
