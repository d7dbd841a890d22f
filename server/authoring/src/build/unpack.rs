//! Archives and folders of strangers, copied into a folder of our own: nothing outside of it, no links, no devices, and
//! no more than a hand-in has.

use flate2::read::GzDecoder;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};
use zip::ZipArchive;

/// Of all that one place has, unpacked: files, and bytes.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 512 << 20;
/// How deep folders may stand in each other.
const DEEPEST: usize = 32;

/// Which kind of archive a file is, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archive {
    Zip,
    Tar,
    TarGz,
}

impl Archive {
    pub fn of(file: &Path) -> Option<Archive> {
        let name = file.file_name().and_then(OsStr::to_str)?.to_lowercase();
        let ends = |ending: &str| name.len() > ending.len() && name.ends_with(ending);
        match () {
            () if ends(".zip") => Some(Archive::Zip),
            () if ends(".tar") => Some(Archive::Tar),
            () if ends(".tar.gz") || ends(".tgz") => Some(Archive::TarGz),
            () => None,
        }
    }

    /// A file's name without what says that it is one.
    pub fn stem(name: &str) -> &str {
        let lower = name.to_lowercase();
        let ending = [".zip", ".tar.gz", ".tgz", ".tar"].into_iter().find(|ending| lower.ends_with(ending));
        &name[..name.len() - ending.map_or(0, str::len)]
    }
}

/// What was put into a folder so far, and what was left out of it.
pub struct Unpacked<'a> {
    to: &'a Path,
    files: usize,
    bytes: u64,
    left_out: Vec<String>,
}

/// Unpacks an archive, or copies a folder, into `to`, which is made; what was left out.
///
/// # Errors
/// Why it cannot be read, or is more than anybody hands in; `to` is then of no use.
pub fn unpack(from: &Path, to: &Path) -> Result<Vec<String>, String> {
    let mut unpacked = Unpacked { to, files: 0, bytes: 0, left_out: Vec::new() };
    let open = || File::open(from);
    let done = fs::create_dir_all(to).and_then(|()| match Archive::of(from) {
        _ if from.is_dir() => unpacked.copy(from, Path::new(""), 0),
        Some(Archive::Zip) => unpacked.zip(open()?),
        Some(Archive::Tar) => unpacked.tar(open()?),
        Some(Archive::TarGz) => unpacked.tar(GzDecoder::new(open()?)),
        None => Err(io::Error::other("it is neither a folder nor an archive (.zip, .tar, .tar.gz)")),
    });
    match done {
        Ok(()) => Ok(unpacked.left_out),
        Err(error) => {
            let _ = fs::remove_dir_all(to);
            Err(format!("it cannot be unpacked: {error}"))
        }
    }
}

impl Unpacked<'_> {
    fn zip(&mut self, file: File) -> io::Result<()> {
        let mut archive = ZipArchive::new(file).map_err(io::Error::other)?;
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).map_err(io::Error::other)?;
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            let path = entry.enclosed_name();
            let is_special = entry.is_symlink();
            match (path.as_deref().and_then(inside), entry.is_dir()) {
                (None, _) => self.leave_out(&name, "its name leads out of the archive"),
                (Some(_), _) if is_special => self.leave_out(&name, "it is a link"),
                (Some(path), true) => self.make(&path)?,
                (Some(path), false) => {
                    let is_executable = entry.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
                    self.put(&path, is_executable, &mut entry)?;
                }
            }
        }
        Ok(())
    }

    fn tar(&mut self, file: impl Read) -> io::Result<()> {
        for entry in tar::Archive::new(file).entries()? {
            let mut entry = entry?;
            let path = entry.path()?.into_owned();
            let kind = entry.header().entry_type();
            let name = path.display().to_string();
            match inside(&path) {
                None => self.leave_out(&name, "its name leads out of the archive"),
                Some(path) if kind.is_dir() => self.make(&path)?,
                Some(path) if kind.is_file() => {
                    let is_executable = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
                    self.put(&path, is_executable, &mut entry)?;
                }
                Some(_) if kind.is_pax_global_extensions() => {}
                Some(_) => self.leave_out(&name, "it is no file"),
            }
        }
        Ok(())
    }

    fn copy(&mut self, from: &Path, below: &Path, depth: usize) -> io::Result<()> {
        if depth > DEEPEST {
            return Err(io::Error::other(format!("folders stand more than {DEEPEST} deep in each other")));
        }
        let mut entries: Vec<_> = fs::read_dir(from)?.collect::<io::Result<_>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, kind) = (below.join(entry.file_name()), entry.file_type()?);
            if kind.is_dir() {
                self.make(&path)?;
                self.copy(&entry.path(), &path, depth + 1)?;
            } else if kind.is_file() {
                let mut file = File::open(entry.path())?;
                let is_executable = std::os::unix::fs::MetadataExt::mode(&file.metadata()?) & 0o100 != 0;
                self.put(&path, is_executable, &mut file)?;
            } else {
                self.leave_out(&path.display().to_string(), "it is no file");
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, name: &str, why: &str) {
        const MOST: usize = 20;
        if self.left_out.len() < MOST {
            self.left_out.push(format!("{name}: {why}"));
        }
    }

    fn count(&mut self) -> io::Result<()> {
        self.files += 1;
        match self.files > MOST_FILES {
            true => Err(io::Error::other(format!("it has more than {MOST_FILES} files"))),
            false => Ok(()),
        }
    }

    fn make(&mut self, path: &Path) -> io::Result<()> {
        self.count()?;
        fs::create_dir_all(self.to.join(path))
    }

    fn put(&mut self, path: &Path, is_executable: bool, from: &mut dyn Read) -> io::Result<()> {
        self.count()?;
        let target = self.to.join(path);
        fs::create_dir_all(target.parent().unwrap_or(self.to))?;
        let mode = if is_executable { 0o755 } else { 0o644 };
        // The same name twice: the second one counts, as everywhere.
        let mut file = File::options().write(true).create(true).truncate(true).mode(mode).open(&target)?;
        let left = MOST_BYTES - self.bytes;
        // What an archive says of sizes is not believed.
        let copied = io::copy(&mut from.take(left + 1), &mut file)?;
        self.bytes += copied;
        file.flush()?;
        match copied > left {
            true => Err(io::Error::other(format!("it has more than {} MiB", MOST_BYTES >> 20))),
            false => Ok(()),
        }
    }
}

/// A path that stays below where it begins, and not too deep.
fn inside(path: &Path) -> Option<PathBuf> {
    let parts: Option<Vec<_>> = path
        .components()
        .filter(|part| *part != Component::CurDir)
        .map(|part| match part {
            Component::Normal(name) if !name.as_encoded_bytes().contains(&0) => Some(name),
            _ => None,
        })
        .collect();
    parts.filter(|parts| (1..=DEEPEST).contains(&parts.len())).map(|parts| parts.iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    /// An archive of two files and a folder.
    fn sound(kind: Archive) -> Vec<u8> {
        let files = [("a/b.c", &b"int x;\n"[..]), ("Makefile", &[b'x'; 3_000])];
        if kind == Archive::Zip {
            let mut archive = ZipWriter::new(io::Cursor::new(Vec::new()));
            for (name, content) in files {
                archive.start_file(name, SimpleFileOptions::default()).unwrap();
                archive.write_all(content).unwrap();
            }
            return archive.finish().unwrap().into_inner();
        }
        let mut archive = tar::Builder::new(Vec::new());
        for (name, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, name, content).unwrap();
        }
        archive.into_inner().unwrap()
    }

    fn try_unpack(kind: Archive, bytes: &[u8]) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let (file, to) =
            (folder.path().join(if kind == Archive::Zip { "x.zip" } else { "x.tar" }), folder.path().join("to"));
        fs::write(&file, bytes).unwrap();
        let result = unpack(&file, &to);
        let all: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(all.iter().all(|name| name == "to" || name == file.file_name().unwrap()), "{all:?}");
        result
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

        #[test]
        fn damaged_archives_are_refused_or_read(
            is_zip: bool,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
            cut in any::<prop::sample::Index>(),
            is_cut: bool,
        ) {
            let kind = if is_zip { Archive::Zip } else { Archive::Tar };
            let mut bytes = sound(kind);
            prop_assert_eq!(try_unpack(kind, &bytes), Ok(Vec::new()));
            for (place, value) in changes {
                let place = place.index(bytes.len());
                bytes[place] = value;
            }
            if is_cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            // Whatever it says, it ends, and nothing is written beside its folder.
            let _ = try_unpack(kind, &bytes);
        }
    }
}
