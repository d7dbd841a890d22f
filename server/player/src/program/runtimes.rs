//! The folders of the system's runtimes: interpreters start only from there, and programs read what they need. The list
//! is fixed, whatever a stranger's first line names.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of interpreters, behind all links.
const INTERPRETERS: [&str; 17] = [
    "/usr/bin",
    "/usr/sbin",
    "/usr/games",
    "/usr/local/bin",
    "/bin",
    "/sbin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/share",
    "/lib",
    "/lib32",
    "/lib64",
];
/// The folders that programs read with all their contents: everybody may read them, and they hold no personal files.
const READ: [&str; 13] = [
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/share",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
];

/// The folders as messages name them.
pub(super) const IN_WORDS: &str = "/usr/bin, /usr/local/bin, /bin, or a lib or share folder of the system";

/// Whether an interpreter with this path, behind all links, is one of the system's.
pub(super) fn has_interpreter(path: &Path) -> bool {
    INTERPRETERS.iter().any(|folder| path.starts_with(folder))
}

/// The paths that a program may read if its file is this copy. None of them contains the home folder, the ladder's
/// files, the record or the copies of clients.
pub(super) fn readable(copy: &Path) -> Vec<PathBuf> {
    let private = private(copy);
    let keeps_private = |folder: &Path| {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        !private.iter().any(|private| private.starts_with(&folder))
    };
    // Java keeps its settings there on some systems.
    let settings = fs::read_dir("/etc").into_iter().flatten().flatten();
    let of_java = settings.filter(|entry| is_of_java(&entry.file_name())).map(|entry| entry.path());
    READ.iter().map(PathBuf::from).chain(of_java).filter(|folder| keeps_private(folder)).collect()
}

fn is_of_java(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with("java-")
}

/// Private folders: the home, the folder where agon runs, and those of the copy, which hold all copies, the record and
/// the ladder.
fn private(copy: &Path) -> Vec<PathBuf> {
    let own = [env::home_dir(), env::current_dir().ok()].into_iter().flatten();
    let of_copy = copy.canonicalize().unwrap_or_else(|_| copy.to_owned());
    let above = of_copy.ancestors().skip(1).take(3).map(Path::to_owned);
    own.filter_map(|folder| folder.canonicalize().ok()).chain(above).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_folder_of_a_person_is_among_them() {
        let copy = Path::new("/srv/course/out/files/ab.py");
        let read = readable(copy);
        for folder in ["/", "/usr", "/home", "/root", "/srv", "/etc", "/opt", "/bin", "/usr/bin", "/proc", "/tmp"] {
            assert!(!read.contains(&PathBuf::from(folder)), "{folder}");
        }
        assert!(read.contains(&PathBuf::from("/usr/share")));
        let inside = readable(Path::new("/usr/share/course/out/files/ab.py"));
        assert!(!inside.contains(&PathBuf::from("/usr/share")), "the ladder is in it");
        assert!(inside.contains(&PathBuf::from("/usr/local/share")));
    }

    #[test]
    fn interpreters_are_the_system_s() {
        assert!(
            ["/usr/bin/python3", "/bin/sh", "/usr/lib/jvm/bin/java"]
                .iter()
                .all(|path| has_interpreter(Path::new(path)))
        );
        for elsewhere in ["/home/a/bin/x", "/usr/binary/x", "/opt/x/bin/x", "/usr/home/a/x", "/x", "/proc/self/exe"] {
            assert!(!has_interpreter(Path::new(elsewhere)), "{elsewhere}");
        }
    }
}
