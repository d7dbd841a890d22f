//! Finds the client among the files of a finished build.

use agon_model::some_of;
use agon_player::program::is_program;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The client that a build made: a library, or else a program.
pub fn find_client(folder: &Path, name: &str) -> Result<PathBuf, String> {
    // Cargo keeps more of them below.
    let release = folder.join("target/release");
    if release.is_dir() && !stays_below(&release, folder) {
        return Err("target/release is a link that leads out of the submission; it must be a folder itself".to_owned());
    }
    let (folder, deepest) = if release.is_dir() { (release.as_path(), 0) } else { (folder, 8) };
    let mut made = Vec::new();
    collect(folder, deepest, &mut made);
    made.sort();
    let is_library = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "so");
    let (libraries, programs): (Vec<PathBuf>, Vec<PathBuf>) = made.into_iter().partition(is_library);
    let own = |file: &&PathBuf| {
        let stem = file.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        stem == name || stem.strip_prefix("lib") == Some(name)
    };
    let (kind, made) = if libraries.is_empty() { ("programs", programs) } else { ("libraries", libraries) };
    match made.as_slice() {
        [] => Err("it made no .so, as the first target of a Makefile should, and no program".to_owned()),
        [one] => Ok(one.clone()),
        several => several.iter().find(own).cloned().ok_or_else(|| {
            let names: Vec<_> = several.iter().filter_map(|file| file.file_name()?.to_str()).take(4).collect();
            format!("it made {} {kind}, {}, and none is called {name}", several.len(), some_of(&names))
        }),
    }
}

/// Whether a path leads to something below a folder, by links or not.
fn stays_below(path: &Path, folder: &Path) -> bool {
    let real = path.canonicalize().and_then(|real| folder.canonicalize().map(|folder| (real, folder)));
    real.is_ok_and(|(real, folder)| real.starts_with(folder))
}

/// Collects libraries, and executables that start by themselves; scripts are submitted and not made.
fn collect(folder: &Path, deepest: u32, made: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let path = entry.path();
        let is_library = || path.extension().is_some_and(|ending| ending == "so");
        let is_made =
            || is_library() || (path.extension().is_none_or(|ending| ending == "bin") && is_elf_program(&path));
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && deepest > 0 => collect(&path, deepest - 1, made),
            Ok(kind) if kind.is_file() && is_made() => made.push(path),
            _ => {}
        }
    }
}

fn is_elf_program(file: &Path) -> bool {
    let mut start = [0; 4];
    let is_elf = File::open(file).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"\x7fELF";
    is_elf && is_program(file)
}
