//! Folders that may be opened to clients: never one in which people, the system or the ladder itself keep something.

use std::path::{Path, PathBuf};

/// Folders of the system, in which and below which it describes itself and programs keep their files.
const SYSTEM: [&str; 8] = ["/proc", "/sys", "/dev", "/run", "/etc", "/boot", "/var", "/root"];
/// The record, which also holds the copies of clients.
pub const RECORD: &str = "the record";

/// Each of these lies in the home folder of somebody who has logged in there, wherever the list of people is kept.
const OF_HOMES: [&str; 5] = [".bashrc", ".profile", ".bash_history", ".ssh", ".gnupg"];
/// This many folders are looked at to see whether a folder has homes: below an automounter each look may mount one.
const MOST_LOOKED_AT: usize = 100;

/// Judges a folder that the terms of another machine's ladder open: whether it is here. `cache` has the clients' copies.
///
/// # Errors
/// It is one in which people, the system or the worker keep something, or a link leads to it.
pub fn is_here(folder: &Path, cache: &Path) -> Result<bool, String> {
    if folder.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        return Ok(false);
    }
    let cache = cache.canonicalize().unwrap_or_else(|_| cache.to_owned());
    let private: Vec<_> = homes().map(behind_links).chain([(cache, RECORD)]).collect();
    let found = open(folder, &private)?;
    let is_same = found == folder;
    is_same.then_some(true).ok_or_else(|| format!("a link leads from it to {}", found.display()))
}

/// A folder behind all links, if it may be opened.
///
/// # Errors
/// It is one in which people, the system or the ladder keep something: a sentence without its subject.
pub fn open(path: &Path, private: &[(PathBuf, &'static str)]) -> Result<PathBuf, String> {
    let found = path.canonicalize().map_err(|error| error.to_string())?;
    if !found.is_dir() {
        return Err("it is not a folder".to_owned());
    }
    if found.to_str().is_none_or(|text| text.contains(char::is_control)) {
        return Err("its path has characters that cannot be shown".to_owned());
    }
    if SYSTEM.iter().any(|system| found.starts_with(system)) {
        return Err(format!("{} is a folder of the system", found.display()));
    }
    if found.components().count() <= 2 {
        return Err(format!("{} is at the top, where folders of everybody lie", found.display()));
    }
    if found.parent() == Some(Path::new("/home")) || is_home(&found) {
        return Err(format!("{} is a home folder", found.display()));
    }
    if has_homes(&found) {
        return Err(format!("{} has home folders", found.display()));
    }
    let is_of =
        |(kept, what): &&(PathBuf, &str)| kept.starts_with(&found) || (*what == RECORD && found.starts_with(kept));
    match private.iter().find(is_of) {
        Some((_, what)) => Err(format!("{} is or has {what}", found.display())),
        None => Ok(found),
    }
}

fn is_home(folder: &Path) -> bool {
    OF_HOMES.iter().any(|name| folder.join(name).exists())
}

/// Whether homes lie directly in this folder, as in /net/home, which no list of this machine need name.
fn has_homes(folder: &Path) -> bool {
    let inside = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = inside.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.take(MOST_LOOKED_AT).any(|entry| is_home(&entry.path()))
}

/// A folder behind all links, with what it is.
pub fn behind_links((path, what): (PathBuf, &'static str)) -> (PathBuf, &'static str) {
    (path.canonicalize().unwrap_or(path), what)
}

/// The home folders of people, as far as this machine lists them; those of services are elsewhere.
pub fn homes() -> impl Iterator<Item = (PathBuf, &'static str)> {
    const FIRST_PERSON: u32 = 1000;
    let list = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let home = |line: &str| {
        let mut fields = line.split(':');
        let number: u32 = fields.nth(2)?.parse().ok()?;
        let home = fields.nth(2).filter(|home| *home != "/" && home.starts_with('/'))?;
        (number == 0 || number >= FIRST_PERSON).then(|| PathBuf::from(home)).filter(|home| home.is_dir())
    };
    let all: Vec<PathBuf> = list.lines().filter_map(home).chain(std::env::home_dir()).collect();
    all.into_iter().map(|home| (home, "a home folder"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_people_of_the_system_and_of_the_ladder_stay_closed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        for name in ["ladder/out/files", "ladder/clients", "gsl/lib", "home/ann/lib"] {
            std::fs::create_dir_all(at(name)).unwrap();
        }
        let private = [
            (at("ladder"), "the ladder's files"),
            (at("ladder/out"), RECORD),
            (at("ladder/clients"), "clients"),
            (at("home/ann"), "a home folder"),
        ];
        std::fs::create_dir_all(at("net/eve/.ssh")).unwrap();
        std::os::unix::fs::symlink(at("gsl/lib"), at("link")).unwrap();
        std::os::unix::fs::symlink("/", at("root")).unwrap();
        std::os::unix::fs::symlink(at("ladder"), at("gsl/own")).unwrap();
        assert_eq!(open(&at("link"), &private), Ok(at("gsl/lib")));
        assert_eq!(open(&at("home/ann/lib"), &private), Ok(at("home/ann/lib")));
        for (path, why) in [
            (at("root"), "/ is at the top"),
            (PathBuf::from("/etc/ssl"), "folder of the system"),
            (PathBuf::from("/usr"), "is at the top"),
            (at("ladder"), "is or has the ladder's files"),
            (at("gsl/own"), "is or has the ladder's files"),
            (at(""), "is or has"),
            (at("ladder/out"), "is or has the record"),
            (at("ladder/out/files"), "is or has the record"),
            (at("ladder/clients"), "is or has clients"),
            (at("home"), "is or has a home folder"),
            (at("home/ann"), "is or has a home folder"),
            (at("net/eve"), "is a home folder"),
            (at("net"), "has home folders"),
            (PathBuf::from("/opt"), "is at the top"),
            (at("missing"), "No such file"),
        ] {
            let told = open(&path, &private).unwrap_err();
            assert!(told.contains(why), "{}: {told}", path.display());
        }
    }

    #[test]
    fn a_worker_opens_only_what_is_here_and_nobody_s() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        std::fs::create_dir_all(at("gsl/lib")).unwrap();
        std::fs::create_dir_all(at("cache/files")).unwrap();
        std::os::unix::fs::symlink(at("gsl"), at("link")).unwrap();
        assert_eq!(is_here(&at("gsl/lib"), &at("cache")), Ok(true));
        assert_eq!(is_here(&at("missing"), &at("cache")), Ok(false));
        let home = std::env::home_dir().unwrap();
        for (path, why) in [
            (at("link/lib"), "a link leads from it to"),
            (at("cache/files"), "is or has the record"),
            (at(""), "is or has"),
            (home, " is "),
            (PathBuf::from("/etc"), "folder of the system"),
        ] {
            let told = is_here(&path, &at("cache")).unwrap_err();
            assert!(told.contains(why), "{}: {told}", path.display());
        }
    }
}
