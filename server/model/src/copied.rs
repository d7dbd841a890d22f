//! The copies of a client's files, named after their contents, and where they are.

use crate::{ClientFiles, DATA_OPTION, Entrant};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// SHA-256 of a client's file, and the copies that matches use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The hash in hex; for a file with an adapter `file+adapter`.
    pub hash: String,
    /// The copies, none of them writable: `files/<hash>.so` for libraries, `files/<hash>.data` for files given to
    /// clients.
    pub files: ClientFiles,
}

impl Copied {
    /// Puts this file behind an adapter: together they are the entrant.
    pub fn played_by(self, adapter: Copied) -> Copied {
        let hash = format!("{}+{}", self.hash, adapter.hash);
        let ClientFiles { library, data, .. } = self.files;
        Copied { hash, files: ClientFiles { library: adapter.files.library, behind: Some(library), data } }
    }

    /// Adds these files for the client.
    #[must_use]
    pub fn given(self, data: BTreeMap<String, PathBuf>) -> Copied {
        Copied { files: ClientFiles { data, ..self.files }, ..self }
    }

    /// The copies of an entrant, by the hashes in its record; `None` if one is not the hash of a file.
    pub fn of_record(out: &Path, entrant: &Entrant) -> Option<Copied> {
        let hash = entrant.hash.as_str();
        if !names_files(hash) {
            return None;
        }
        let alone = |hash: &str| Copied::alone(hash.to_owned(), copy_path(out, hash));
        let copied = match hash.split_once('+') {
            Some((file, adapter)) => alone(file).played_by(alone(adapter)),
            None => alone(hash),
        };
        let data = data_of(entrant).map(|(name, hash)| is_hash(hash).then(|| (name.to_owned(), data_path(out, hash))));
        Some(copied.given(data.collect::<Option<_>>()?))
    }

    /// A file that plays by itself and gets no other file.
    pub fn alone(hash: String, path: PathBuf) -> Copied {
        Copied { hash, files: ClientFiles::alone(path) }
    }
}

/// The files given to an entrant: the name that it asks by, and the SHA-256.
pub fn data_of(entrant: &Entrant) -> impl Iterator<Item = (&str, &str)> {
    entrant.options.iter().filter_map(|(key, hash)| Some((key.strip_prefix(DATA_OPTION)?, hash.as_str())))
}

/// Whether a text is the SHA-256 of a file, as copies are named: 64 hex digits in lower case.
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether the hash of an entrant is that of a file, or of a file and its adapter. It becomes part of paths, and a
/// record may come from elsewhere.
pub fn names_files(hash: &str) -> bool {
    hash.split_once('+').map_or_else(|| is_hash(hash), |(file, adapter)| is_hash(file) && is_hash(adapter))
}

/// Where the copy of a file with this hash is.
pub fn copy_path(out: &Path, hash: &str) -> PathBuf {
    out.join("files").join(format!("{hash}.so"))
}

/// Where the copy of a file given to a client is, by its hash.
pub fn data_path(out: &Path, hash: &str) -> PathBuf {
    out.join("files").join(format!("{hash}.data"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entrant as a record has it.
    fn recorded(hash: &str, options: &[(&str, &str)]) -> Entrant {
        let options = options.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        Entrant { label: "a".to_owned(), file: "a.so".to_owned(), hash: hash.to_owned(), options, refused: None }
    }

    #[test]
    fn only_hashes_lead_to_files() {
        let hash = "0a".repeat(32);
        let two = format!("{hash}+{hash}");
        for good in [&hash, &two] {
            assert!(Copied::of_record(Path::new("out"), &recorded(good, &[])).is_some(), "{good}");
        }
        let upper = hash.to_uppercase();
        let three = format!("{two}+{hash}");
        let up = format!("../{}", &hash[3..]);
        for bad in ["", "/etc/passwd", "forgotten-7", "anonymous:client-1", &hash[1..], &upper, &three, &up, "+"] {
            assert_eq!(Copied::of_record(Path::new("out"), &recorded(bad, &[])), None, "{bad}");
        }
    }
}
