//! Files in the folders of clients that no pattern takes, though somebody may have meant them for clients.

use agon_files::patterns::{canonical, expand, find_files, is_pattern, own_names, walk};
use agon_files::refused;
use agon_model::{ClientSpec, Sources, out_option, readable, shell, some_of};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The endings of sources, of archives, and of libraries and programs.
const SOURCES: [&str; 9] = ["c", "cc", "cpp", "cxx", "rs", "go", "zig", "o", "a"];
const ARCHIVES: [&str; 4] = ["zip", "tar", "gz", "tgz"];
const LIBRARIES: [&str; 4] = ["so", "dll", "dylib", "exe"];
const SCRIPTS: [&str; 6] = ["py", "rb", "pl", "js", "lua", "sh"];
/// The most files that are named one by one.
const MOST_NAMED: usize = 5;

/// Why these files do not play, and what to do: a sentence for each; nothing where there are none.
pub(super) fn sentences(files: &[PathBuf], sources: &Sources) -> Vec<String> {
    let mut told: Vec<String> = files.iter().take(MOST_NAMED).map(|file| sentence(file, sources)).collect();
    if files.len() > MOST_NAMED {
        let others = files[MOST_NAMED..].iter().map(|file| shown_patterns(file, sources));
        told.push(format!("clients names none of these either: {}", some_of(others)));
    }
    told
}

fn shown_patterns(file: &Path, sources: &Sources) -> String {
    readable(file.strip_prefix(&sources.folder).unwrap_or(file).as_os_str()).escape_debug().to_string()
}

fn sentence(file: &Path, sources: &Sources) -> String {
    let (name, patterns) = (shown_patterns(file, sources), some_of(&sources.patterns));
    let (out, word) = (out_option(&sources.folder), shell::operand(&file.to_string_lossy()));
    let has = |endings: &[&str]| file.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one));
    let help = if has(&SOURCES) {
        format!("it is not compiled: build a library from it, then agon add{out} FILE.so")
    } else if has(&ARCHIVES) {
        format!("agon build{out} {word} makes clients from an archive")
    } else if has(&SCRIPTS) || has_execute_bit(file) {
        format!("to play a program, write clients = [\"{name}\", ...] and [run] programs = true")
    } else if has(&LIBRARIES) {
        format!("if it is a client, agon add{out} {word} puts it in place")
    } else {
        format!("it does not look like a client: build one, then agon add{out} FILE.so")
    };
    format!("{name} does not play, as clients = [{patterns}] does not name it; help: {help}")
}

fn has_execute_bit(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

/// Whether somebody probably meant this file for a client: neither notes of people, nor sources of a client that is
/// there.
fn is_meant(file: &Path) -> bool {
    let endings = [&SOURCES[..], &ARCHIVES, &LIBRARIES, &SCRIPTS].concat();
    file.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one)) || has_execute_bit(file)
}

/// A sentence for each file next to clients that somebody probably meant for one, and that no pattern takes.
pub fn passed_over(sources: &Sources) -> Vec<String> {
    passed_over_by(&find_files(sources), sources)
}

/// The same for the clients that were found.
pub(super) fn passed_over_by(found: &[ClientSpec], sources: &Sources) -> Vec<String> {
    let meant: Vec<PathBuf> = find(found, sources).into_iter().filter(|file| is_meant(file)).collect();
    sentences(&meant, sources)
}

/// The files next to clients that neither a pattern takes nor anything else of the ladder names, in order. Files
/// with the stem of a client are its sources or notes.
pub(super) fn find(found: &[ClientSpec], sources: &Sources) -> Vec<PathBuf> {
    let data = sources.named.iter().flat_map(|spec| spec.data.values());
    let named = found.iter().chain(&sources.named).map(|spec| &spec.path).chain(data);
    let mut known: BTreeSet<PathBuf> = named.map(|path| canonical(path)).collect();
    known.extend(
        sources.exclude.iter().flat_map(|pattern| expand(pattern, &sources.folder)).map(|path| canonical(&path)),
    );
    let stems: BTreeSet<PathBuf> = found.iter().map(|spec| spec.path.with_extension("")).collect();
    let folders: BTreeSet<&Path> = found.iter().flat_map(|spec| spec.path.ancestors()).collect();
    let mut files = BTreeSet::new();
    for (folder, takes_several) in sources.patterns.iter().filter_map(|pattern| folder_of(pattern)) {
        for folder in walk(folder, &sources.folder) {
            // Next to the one file that a pattern takes from each folder lie the author's own.
            if !takes_several && folders.contains(&*folder) {
                continue;
            }
            let all = own_names(&folder).into_iter().filter(|name| !is_hidden(&readable(name)));
            let all = all.map(|name| folder.join(name)).filter(|path| path.is_file());
            files.extend(all.filter(|path| takes_several || is_meant(path)));
        }
    }
    files.retain(|path| {
        let is_client = stems.contains(&path.with_extension("")) || known.contains(&canonical(path));
        !is_client && !refused::is_note(path)
    });
    files.into_iter().collect()
}

/// The folders in which a pattern takes files, and whether it takes several of each; the folder of the ladder itself is
/// not one for clients.
fn folder_of(pattern: &str) -> Option<(&str, bool)> {
    let (folder, file) = pattern.rsplit_once('/')?;
    let is_own = folder.is_empty() || folder == ".";
    (!is_own && is_pattern(pattern)).then_some((folder, is_pattern(file)))
}

fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || name.ends_with(".tmp")
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::Labels;

    #[test]
    fn a_stray_file_is_named_once_however_many_patterns_take_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("clients")).unwrap();
        for name in ["a.so", "a.c", "b.bin", "stray.c", "other.zip"] {
            std::fs::write(folder.path().join("clients").join(name), "x").unwrap();
        }
        let patterns = ["clients/*.so", "clients/*.bin", "./clients/x*.so"].map(str::to_owned).to_vec();
        let sources = Sources {
            folder: folder.path().to_owned(),
            named: Vec::new(),
            patterns,
            exclude: Vec::new(),
            labels: Labels::Auto,
        };
        let found = find(&find_files(&sources), &sources);
        let found: Vec<String> = found.iter().map(|path| shown_patterns(path, &sources)).collect();
        assert_eq!(found, ["clients/other.zip", "clients/stray.c"]);
    }
}
