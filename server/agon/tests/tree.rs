//! The tree of the repository, for tests of the sources and the documentation.

use std::fs;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Every file below this folder of the repository with this ending: its path from the top, and its text.
#[track_caller]
pub fn files(folder: &str, ending: &str) -> Vec<(String, String)> {
    let from_top = |(name, text): (String, String)| (Path::new(folder).join(name).to_str().unwrap().to_owned(), text);
    files_below(&root().join(folder), ending).into_iter().map(from_top).collect()
}

/// The same below any folder, with paths from there. Folders of builds and hidden ones are passed over.
#[track_caller]
pub fn files_below(top: &Path, ending: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![top.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                let is_source = name != "target" && !name.starts_with('.');
                folders.extend(is_source.then_some(path));
            } else if name.ends_with(ending) {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(top).unwrap().to_str().unwrap().to_owned(), text));
            }
        }
    }
    assert!(!found.is_empty(), "no {ending} below {}: this test looks in the wrong place", top.display());
    found.sort();
    found
}
