//! The files of a client: its library, perhaps an adapter before it, and the files that it may read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where the files of a client are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientFiles {
    /// The file that the host opens.
    pub library: PathBuf,
    /// The file for which an adapter, at `library`, plays.
    pub behind: Option<PathBuf>,
    /// Files that are mapped for the client, by the names that it asks by.
    pub data: BTreeMap<String, PathBuf>,
}

impl ClientFiles {
    /// A library that plays by itself and gets no other file.
    pub fn alone(library: impl AsRef<Path>) -> ClientFiles {
        ClientFiles { library: library.as_ref().to_owned(), behind: None, data: BTreeMap::new() }
    }

    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.behind.iter().chain([&self.library]).chain(self.data.values())
    }
}
