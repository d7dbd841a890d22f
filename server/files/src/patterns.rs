//! Which files patterns find, and what those files are called. Looked at again while a ladder runs that watches its
//! files.

use crate::refused;
use agon_model::{ClientSpec, Labels, Sources, named_if_slow, readable};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The files that are there now: those with a `[[client]]`, then those that patterns find, in the order of their
/// paths.
pub fn find_files(sources: &Sources) -> Vec<ClientSpec> {
    named_if_slow(|| format!("the clients' files below {}", sources.folder.display()), || look_now(sources))
}

fn look_now(sources: &Sources) -> Vec<ClientSpec> {
    let mut clients: Vec<ClientSpec> = sources.named.iter().filter(|spec| spec.path.is_file()).cloned().collect();
    let expand_all = |pattern: &String| expand(pattern, &sources.folder);
    let mut taken: Vec<PathBuf> = clients.iter().map(|spec| canonical(&spec.path)).collect();
    taken.extend(sources.exclude.iter().flat_map(expand_all).map(|path| canonical(&path)));
    let mut found = Vec::new();
    for pattern in &sources.patterns {
        for path in expand(pattern, &sources.folder) {
            let own = canonical(&path);
            if !taken.contains(&own) {
                taken.push(own);
                let label = Some(label(sources.labels, pattern, &path));
                let named = !is_pattern(pattern);
                found.push(ClientSpec {
                    label,
                    path,
                    options: BTreeMap::new(),
                    data: BTreeMap::new(),
                    is_named_alone: named,
                });
            }
        }
    }
    // A client that was submitted after all needs no note.
    let stem = |path: &Path| path.with_extension("");
    let clients_there: Vec<PathBuf> =
        found.iter().map(|spec| &spec.path).filter(|path| !refused::is_note(path)).map(|path| stem(path)).collect();
    found.retain(|spec| !refused::is_note(&spec.path) || !clients_there.contains(&stem(&spec.path)));
    if sources.labels == Labels::Auto {
        part(&mut found);
    }
    clients.extend(found);
    clients
}

/// Where the file of a team goes, by the first pattern with one star, which stands for its name; `None` where no
/// pattern says so.
pub fn place_of(sources: &Sources, team: &str) -> Option<PathBuf> {
    let has_one = |pattern: &&String| pattern.contains('*') && pattern.matches(['*', '?']).count() == 1;
    let pattern = sources.patterns.iter().find(has_one)?;
    let path = sources.folder.join(pattern.replace('*', team));
    (label(sources.labels, pattern, &path) == team).then_some(path)
}

/// Two ways to write one file are one file.
pub fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Whether a text has a wildcard.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Whatever a pattern names, and the notes of those that could not be built, in the order of their paths; what of it can
/// be a client is for admission to say. A folder counts where the pattern has an ending: somebody meant it for a client.
pub fn expand(pattern: &str, folder: &Path) -> Vec<PathBuf> {
    let has_ending = Path::new(pattern).extension().is_some();
    let mut paths = walk(pattern, folder);
    paths.retain(|path| path.symlink_metadata().is_ok() && (has_ending && is_pattern(pattern) || !path.is_dir()));
    if is_pattern(pattern) && has_ending {
        let notes = walk(&refused::note_of(Path::new(pattern)).to_string_lossy(), folder);
        paths.extend(notes.into_iter().filter(|note| note.is_file()));
    }
    paths
}

/// The paths that fit a pattern, and those that it would name if they were there. A wildcard stands for a part of one
/// name, never for several folders: a pattern that walks trees would open what nobody meant.
pub fn walk(pattern: &str, folder: &Path) -> Vec<PathBuf> {
    let mut paths = vec![folder.to_owned()];
    for part in Path::new(pattern).components() {
        let part = part.as_os_str();
        let wanted = part.to_string_lossy();
        paths = if is_pattern(&wanted) {
            paths.iter().flat_map(|path| fitting(&wanted, path)).collect()
        } else {
            paths.into_iter().map(|path| path.join(part)).collect()
        };
    }
    paths
}

/// The paths in a folder that fit a name with wildcards.
fn fitting(wanted: &str, folder: &Path) -> Vec<PathBuf> {
    let hidden = |name: &str| name.starts_with('.') || name.ends_with(".tmp");
    let own = own_names(folder).into_iter();
    let fits = |name: &OsString| matches(wanted, &readable(name)) && !hidden(&readable(name));
    own.filter(fits).map(|name| folder.join(name)).collect()
}

/// Names in a folder as people read them, in order; none if it cannot be read.
pub fn names(folder: &Path) -> Vec<String> {
    own_names(folder).iter().map(|name| readable(name).into_owned()).collect()
}

/// Names in a folder, whatever bytes they are, in the order in which people read them.
pub fn own_names(folder: &Path) -> Vec<OsString> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<OsString> = entries.map(|entry| entry.file_name()).collect();
    names.sort_by(|a, b| (readable(a), a).cmp(&(readable(b), b)));
    names
}

/// Whether a name fits a pattern of `*` (any characters) and `?` (one).
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // Where to go on when the last star has to take one more character.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                retry = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match retry {
                Some((star, from)) => {
                    retry = Some((star, from + 1));
                    (p, n) = (star + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// The name of a file that a pattern found.
fn label(labels: Labels, pattern: &str, path: &Path) -> String {
    let stem = path.file_stem().map_or_else(String::new, |stem| readable(stem).into_owned());
    let mut parts = wild_folders(pattern, path);
    match labels {
        Labels::File => return stem,
        Labels::Folder if parts.is_empty() => parts.extend(folders(path).next()),
        Labels::Folder => {}
        Labels::Auto => {
            let file = Path::new(pattern).file_name().unwrap_or_default().to_string_lossy();
            if is_pattern(&file) || parts.is_empty() {
                parts.push(stem.clone());
            }
        }
    }
    if parts.is_empty() { stem } else { parts.join("/") }
}

/// The folders of a path for which a pattern has wildcards, the outermost first.
fn wild_folders(pattern: &str, path: &Path) -> Vec<String> {
    let pattern = Path::new(pattern).parent().unwrap_or(Path::new(""));
    let wanted = pattern.components().rev().map(|part| part.as_os_str().to_string_lossy());
    let mut wild: Vec<String> =
        folders(path).zip(wanted).filter(|(_, wanted)| is_pattern(wanted)).map(|(folder, _)| folder).collect();
    wild.reverse();
    wild
}

/// The folders of a file, the innermost first.
fn folders(path: &Path) -> impl Iterator<Item = String> + '_ {
    let parent = path.parent().unwrap_or(Path::new(""));
    parent.components().rev().map(|part| readable(part.as_os_str()).into_owned())
}

/// Labels files that are named one by one: after themselves without ending. Those that would have one label get that
/// of the innermost folder in which all of them differ.
pub fn label_files(paths: &[PathBuf]) -> Vec<String> {
    let spec = |path: &PathBuf| {
        let label = Some(label(Labels::File, "", path));
        ClientSpec { label, path: path.clone(), options: BTreeMap::new(), data: BTreeMap::new(), is_named_alone: true }
    };
    let mut specs: Vec<ClientSpec> = paths.iter().map(spec).collect();
    part(&mut specs);
    specs.iter().map(ClientSpec::name).collect()
}

/// Files with one label are called after the innermost folder in which all of them differ, if there is one.
fn part(found: &mut [ClientSpec]) {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, spec) in found.iter().enumerate() {
        groups.entry(spec.name()).or_default().push(index);
    }
    for group in groups.values().filter(|group| group.len() > 1) {
        for depth in 0.. {
            let labels: Option<Vec<String>> =
                group.iter().map(|&index| folders(&found[index].path).nth(depth)).collect();
            let Some(labels) = labels else { break };
            let mut distinct = labels.clone();
            distinct.sort();
            distinct.dedup();
            if distinct.len() == labels.len() {
                group.iter().zip(labels).for_each(|(&index, label)| found[index].label = Some(label));
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_and_question_marks_match() {
        for (pattern, name) in
            [("*.so", "a.so"), ("*", ""), ("a*b*c", "aXbXbc"), ("?.so", "é.so"), ("old-*", "old-"), ("a", "a")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("*.so", "a.sox"), ("?", ""), ("a*b", "ac"), ("", "a"), ("a?", "a")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_team_has_one_place() {
        let place = |patterns: &[&str], labels| {
            let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            let sources = Sources { folder: "f".into(), named: Vec::new(), patterns, exclude: Vec::new(), labels };
            place_of(&sources, "red").map(|path| path.display().to_string())
        };
        assert_eq!(place(&["staff/a.so", "teams/*/player.so"], Labels::Auto).as_deref(), Some("f/teams/red/player.so"));
        assert_eq!(place(&["clients/*.so"], Labels::Auto).as_deref(), Some("f/clients/red.so"));
        for bad in [&["*/*.so"][..], &["team-*/?.so"], &["a.so"], &["clients/team-*.so"], &[]] {
            assert_eq!(place(bad, Labels::Auto), None, "{bad:?}");
        }
        assert_eq!(place(&["teams/*/player.so"], Labels::File), None, "all would be called player");
    }

    /// The labels of files that patterns find.
    fn labels(labels: Labels, files: &[&str], patterns: &[&str]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file).unwrap();
        }
        let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        let folder_path = folder.path().to_owned();
        let sources = Sources { folder: folder_path, named: Vec::new(), patterns, exclude: Vec::new(), labels };
        find_files(&sources).iter().map(ClientSpec::name).collect()
    }

    #[test]
    fn whoever_handed_something_in_is_found() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
        for name in [&b"a.so"[..], b"Ren\xe9.so", b"bob.refused", b"a.refused", b"notes.txt"] {
            std::fs::write(at(name), "x").unwrap();
        }
        std::fs::create_dir(at(b"x.so")).unwrap();
        std::fs::create_dir(at(b"M\xfcller")).unwrap();
        std::fs::write(at(b"M\xfcller/player.so"), "x").unwrap();
        let names = |pattern: &str| {
            let (folder, patterns) = (folder.path().to_owned(), vec![pattern.to_owned()]);
            let sources = Sources { folder, named: Vec::new(), patterns, exclude: Vec::new(), labels: Labels::Auto };
            find_files(&sources).iter().map(ClientSpec::name).collect::<Vec<_>>()
        };
        assert_eq!(names("*.so"), ["René", "a", "x", "bob"]);
        assert_eq!(names("*/player.so"), ["Müller"]);
        assert_eq!(names("*"), ["René", "a", "bob", "notes"], "a pattern without an ending means files");
    }

    #[test]
    fn labels_are_what_wildcards_stand_for() {
        let teams = ["teams/red/player.so", "teams/blue/player.so", "teams/.git/player.so", "teams/blue/notes"];
        assert_eq!(labels(Labels::Auto, &teams, &["teams/*/player.so"]), ["blue", "red"]);
        assert_eq!(labels(Labels::Auto, &teams, &["teams/*/*.so"]), ["blue/player", "red/player"]);
        assert_eq!(labels(Labels::Folder, &teams, &["teams/*/*.so"]), ["blue", "red"]);
        assert_eq!(labels(Labels::File, &teams, &["teams/*/*.so"]), ["player", "player"]);
        assert_eq!(labels(Labels::Auto, &["a/x/1/p.so", "a/y/2/p.so"], &["a/*/?/p.so"]), ["x/1", "y/2"]);
        assert_eq!(labels(Labels::Auto, &["c/a.so", "c/b.so"], &["c/*.so"]), ["a", "b"]);
    }

    #[test]
    fn files_that_are_named_are_called_after_themselves_or_their_folders() {
        let called = |paths: &[&str]| label_files(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(called(&["a/x.so", "b/y.so"]), ["x", "y"]);
        assert_eq!(called(&["t/red/p.so", "t/blue/p.so", "q.so"]), ["red", "blue", "q"]);
        assert_eq!(called(&["p.so", "t/p.so"]), ["p", "p"], "no folder parts them");
    }

    #[test]
    fn files_with_one_name_are_called_after_the_folder_that_differs() {
        let files = ["t/red/bin/p.so", "t/blue/bin/p.so"];
        assert_eq!(labels(Labels::Auto, &files, &files), ["red", "blue"]);
        let files = ["red/p.so", "blue/p.so"];
        assert_eq!(labels(Labels::Auto, &files, &["red/*.so", "blue/*.so"]), ["red", "blue"]);
        assert_eq!(labels(Labels::Folder, &files, &files), ["red", "blue"]);
    }
}
