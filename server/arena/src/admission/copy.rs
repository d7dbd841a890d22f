//! Copies files under the names of their contents, with no more rights than their sources have.

use agon_files::{LARGEST, Regular, Unreadable, hash, hex};
use agon_model::{Copied, copy_path, data_path, is_shortage, named_if_slow};
use sha2::{Digest, Sha256};
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Why a file is not copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCopied {
    /// The file is at fault; admission goes on with others.
    Source(Unreadable),
    /// The server is at fault.
    Ours {
        /// Which file, why, what to do.
        what: String,
        /// Whether only space is missing at the moment.
        is_shortage: bool,
    },
}

impl From<Unreadable> for NotCopied {
    fn from(why: Unreadable) -> NotCopied {
        NotCopied::Source(why)
    }
}

/// Copies a client's file to `files/<hash>.so`; later changes of the original have no effect.
///
/// # Errors
/// The file cannot be read or must not be copied, or the copy cannot be written.
pub fn copy(file: &Path, out: &Path) -> Result<Copied, NotCopied> {
    copy_by_hash(file, |hash| copy_path(out, hash), 0o555).map(|(hash, path)| Copied::alone(hash, path))
}

/// Copies a file for a client to `files/<hash>.data`, and returns its hash and the copy's path.
pub fn copy_data(file: &Path, out: &Path) -> Result<(String, PathBuf), NotCopied> {
    copy_by_hash(file, |hash| data_path(out, hash), 0o444)
}

/// Keeps a text as the copy of a client that has no file.
pub fn copy_text(text: &str, out: &Path) -> Result<Copied, NotCopied> {
    let hash = hex(Sha256::new_with_prefix(text));
    let path = copy_path(out, &hash);
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
    written.map_err(|error| ours(&path, &error))?;
    Ok(Copied::alone(hash, path))
}

fn copy_by_hash(file: &Path, place: impl Fn(&str) -> PathBuf, most: u32) -> Result<(String, PathBuf), NotCopied> {
    named_if_slow(|| format!("the copy of {}", file.display()), || copy_now(file, place, most))
}

fn copy_now(file: &Path, place: impl Fn(&str) -> PathBuf, most: u32) -> Result<(String, PathBuf), NotCopied> {
    let mut source = Regular::open(file, LARGEST)?;
    let hash = hash(&mut source)?;
    let path = place(&hash);
    let trouble = |error: io::Error| ours(&path, &error);
    if path.exists() {
        let rights = rights(&source, &fs::metadata(&path).map_err(trouble)?);
        narrow(&path, rights & most).map_err(trouble)?;
        return Ok((hash, path));
    }
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(trouble)?;
    let partial = path.with_file_name(format!("{hash}.{}.partial", std::process::id()));
    // The file may have changed since: the copy is named after its own contents.
    let hash = copy_to(&mut source, &partial, most)?;
    let path = place(&hash);
    fs::rename(&partial, &path).map_err(|error| {
        let _ = fs::remove_file(&partial);
        ours(&path, &error)
    })?;
    Ok((hash, path))
}

/// Writes a copy under this name, with those of the source's rights that are in `most`, and returns the SHA-256 of its
/// bytes. A failed copy is removed.
pub fn copy_to(source: &mut Regular, path: &Path, most: u32) -> Result<String, NotCopied> {
    let written = write_copy(source, path, most);
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written
}

fn write_copy(source: &mut Regular, path: &Path, most: u32) -> Result<String, NotCopied> {
    use std::os::unix::fs::OpenOptionsExt;
    let trouble = |error: io::Error| ours(path, &error);
    // An earlier process with this number may have left the file behind.
    let _ = fs::remove_file(path);
    let mut file = File::options().write(true).create_new(true).mode(0o600).open(path).map_err(trouble)?;
    let mut hasher = Sha256::new();
    source.read(|piece| {
        hasher.update(piece);
        file.write_all(piece).map_err(trouble)
    })?;
    let rights = rights(source, &file.metadata().map_err(trouble)?) & most;
    file.set_permissions(Permissions::from_mode(rights)).map_err(trouble)?;
    file.sync_all().map_err(trouble)?;
    Ok(hex(hasher))
}

/// The rights of a copy: its owner may always read it, its group if it is the source's, and all others as for the
/// source.
fn rights(source: &Regular, copy: &fs::Metadata) -> u32 {
    let seen = source.seen();
    let others = seen.mode() & 0o007;
    let group = if seen.gid() == copy.gid() { seen.mode() & 0o070 } else { others << 3 };
    0o700 | group | others
}

/// Takes away the rights of a file that are not in `rights`.
fn narrow(path: &Path, rights: u32) -> io::Result<()> {
    let now = fs::metadata(path)?.mode() & 0o777;
    match now & rights {
        fewer if fewer == now => Ok(()),
        fewer => fs::set_permissions(path, Permissions::from_mode(fewer)),
    }
}

fn ours(path: &Path, error: &io::Error) -> NotCopied {
    let help = "help: free some space, or choose another [output] dir; the same command then goes on";
    NotCopied::Ours { what: format!("{}: {error}; {help}", path.display()), is_shortage: is_shortage(error) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::Entrant;
    use std::collections::BTreeMap;

    #[test]
    fn a_copy_is_named_after_its_contents_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.so");
        fs::write(&file, b"contents").unwrap();
        let first = copy(&file, folder.path()).unwrap();
        fs::write(&file, b"changed").unwrap();
        assert_ne!(copy(&file, folder.path()).unwrap().hash, first.hash);
        assert_eq!(fs::read(&first.files.library).unwrap(), b"contents");
        let both = first.clone().played_by(first);
        assert_eq!(Copied::of_record(folder.path(), &recorded(&both.hash, &[])), Some(both));
        assert_eq!(fs::read_dir(folder.path().join("files")).unwrap().count(), 2, "nothing partial is left");
    }

    /// An entrant as a record has it.
    fn recorded(hash: &str, options: &[(&str, &str)]) -> Entrant {
        let options = options.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        Entrant { label: "a".to_owned(), file: "a.so".to_owned(), hash: hash.to_owned(), options, refused: None }
    }

    #[test]
    fn what_a_client_is_given_is_found_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.so");
        fs::write(&file, b"contents").unwrap();
        let (hash, path) = copy_data(&file, folder.path()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"contents");
        let copied = Copied::of_record(folder.path(), &recorded(&hash, &[("data.book", &hash), ("x", "y")])).unwrap();
        assert_eq!(copied.files.data, BTreeMap::from([("book".to_owned(), path)]));
        assert_eq!(Copied::of_record(folder.path(), &recorded(&hash, &[("data.book", "../../etc/passwd")])), None);
    }

    #[test]
    fn a_copy_has_no_more_rights_than_its_source() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.so");
        for (source, expected) in [(0o4755, 0o555), (0o644, 0o544), (0o640, 0o540), (0o600, 0o500)] {
            fs::write(&file, [1]).unwrap();
            fs::set_permissions(&file, Permissions::from_mode(source)).unwrap();
            let copied = copy(&file, folder.path()).unwrap();
            let rights = fs::metadata(&copied.files.library).unwrap().mode() & 0o7777;
            assert_eq!(rights, expected, "of {source:o}: {rights:o}");
        }
    }
}
