//! The submissions in archives and folders as learning platforms make them. Every author has one, even if nothing of it
//! could be read.

use super::author::{Author, author, author_of_place, client_name, other_author, turn};
use super::project::{ends, entries, file_name, has_sources, hidden_projects, is_project, is_script, is_source};
use super::unpack::{ArchiveKind, LeftOut, UnpackLimits, times, top, unpack_until};
use crate::check::is_named_so;
use agon_model::readable;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

/// The submission of one author.
pub struct Submission {
    /// The name of its client.
    pub name: String,
    /// The author, if a learning platform named one.
    pub author: Option<Author>,
    /// A copy of it, or why there is none.
    pub folder: Result<PathBuf, String>,
    /// The parts of it that were not taken.
    pub left_out: Vec<String>,
    /// The greater, the later its author submitted it; 0 where the platform does not tell.
    turn: u64,
    /// Whether the author's own archive cannot have named the author: the platform named the place, or others are in it.
    is_believed: bool,
}

impl Submission {
    /// A submission whose author no platform named.
    fn new(name: &str, folder: Result<PathBuf, String>, left_out: Vec<String>) -> Submission {
        Submission { name: client_name(name), author: None, folder, left_out, turn: 0, is_believed: false }
    }

    fn refused(name: &str, why: String) -> Submission {
        Submission::new(name, Err(why), Vec::new())
    }

    /// When it was submitted: the time of its newest file.
    pub fn time(&self) -> Option<SystemTime> {
        self.folder.as_ref().ok().and_then(|folder| times::newest(folder))
    }
}

/// The most archives that are opened within one submission.
const MOST_ARCHIVES: usize = 8;
/// Archives that agon does not open.
pub const OTHER_ARCHIVES: [&str; 7] = ["rar", "7z", "gz", "bz2", "xz", "zst", "lzh"];

/// The submissions of all places, each copied below `scratch`; several may have one name. Once `stop` is set, the rest
/// cannot be unpacked.
pub fn find(places: &[PathBuf], scratch: &Path, stop: &AtomicBool) -> Vec<Submission> {
    let mut all: Vec<Submission> = Vec::new();
    for (number, place) in places.iter().enumerate() {
        let to = scratch.join(number.to_string());
        let absolute = place.canonicalize().unwrap_or_else(|_| place.clone());
        let name = absolute.file_name().map_or("client".into(), readable);
        let name = ArchiveKind::stem(&name);
        // Where the platform named the place itself, it is one author's: names within are the author's own words.
        let (author, turn) = (author_of_place(name), turn(name));
        let (first, is_believed) = (all.len(), author.is_some());
        match unpack_until(stop, place, &to, UnpackLimits::CLASS) {
            Ok(left_out) if author.is_some() => {
                if !place.is_dir() {
                    times::stamp(&to, times::of_file(place));
                }
                all.push(Submission { author, turn, is_believed, ..whole(&to, name, &left_out, stop) });
            }
            Ok(left_out) => {
                let own = split(&to, (name, ""), left_out, stop);
                // One author alone may have made the archive, with any names and times in it.
                let authors: BTreeSet<&Author> = own.iter().filter_map(|one| one.author.as_ref()).collect();
                let is_class = authors.len() > 1;
                if !is_class && !place.is_dir() {
                    times::stamp(&to, times::of_file(place));
                }
                let judge = |one: Submission| Submission { is_believed: is_class && one.is_believed, ..one };
                all.extend(own.into_iter().map(judge));
            }
            Err(why) => all.push(Submission { author, turn, is_believed, ..Submission::refused(name, why) }),
        }
        join_places(&mut all, first, &place.to_string_lossy());
    }
    // The first submission of a number keeps it.
    all.sort_by_key(|one| one.author.is_some() && !one.is_believed);
    all
}

/// Joins the submissions from `first` on, which are of one more place, with earlier ones of the same people: the newest
/// of each person counts. An archive that its author may have made takes nobody's place.
fn join_places(all: &mut Vec<Submission>, first: usize, place: &str) {
    let is_same = |one: &Submission, other: &Submission| {
        let is_person = matches!((&one.author, &other.author), (Some(a), Some(b)) if a.is_person(b));
        is_person && one.is_believed && other.is_believed
    };
    for index in (first..all.len()).rev() {
        let Some(before) = all[..first].iter().position(|other| is_same(&all[index], other)) else { continue };
        let newer = all.remove(index);
        let earlier = if newer.turn >= all[before].turn { std::mem::replace(&mut all[before], newer) } else { newer };
        let from = if earlier.turn == 0 {
            "another submission of the same author"
        } else {
            "an earlier submission of the same author"
        };
        all[before].left_out.push(format!("{from}, next to {place}"));
    }
}

/// Entries of one author, with what each was called before a platform named it.
type Parts = Vec<(PathBuf, String)>;

/// The entry of this folder that something was left out of; `prefix` leads to the folder.
fn top_of(left: &LeftOut, prefix: &str) -> String {
    top(Path::new(left.name.strip_prefix(prefix).unwrap_or(&left.name)))
}

/// The entries at the top of a folder, by whose they are.
struct Sorted {
    authors: BTreeMap<Author, Parts>,
    /// Folders, archives, libraries and scripts without an author's name.
    others: Vec<PathBuf>,
    /// Sources that lie next to the folders of a class.
    strays: Vec<PathBuf>,
    /// Projects in folders that begin with a dot.
    hidden: Vec<PathBuf>,
}

fn sort_entries(folder: &Path, prefix: &str, left_out: &[LeftOut]) -> Sorted {
    // An entry at the top of which nothing was copied is somebody's, too, if it is a folder or a platform named it.
    let is_lost = |left: &&LeftOut| {
        let top = top_of(left, prefix);
        let is_own = left.name.len() > prefix.len() + top.len() + 1 || author(&top).is_some();
        is_own && is_name(&top) && !folder.join(&top).exists()
    };
    let lost: BTreeSet<String> = left_out.iter().filter(is_lost).map(|left| top_of(left, prefix)).collect();
    let lost = lost.iter().map(|top| folder.join(top));
    let (mut authors, mut others) = (BTreeMap::<Author, Parts>::new(), Vec::new());
    for entry in entries(folder).into_iter().chain(lost) {
        match author(file_name(&entry)) {
            Some((author, rest)) => authors.entry(author).or_default().push((entry, rest)),
            None => others.push(entry),
        }
    }
    // The archive of a class is never one program, whatever else lies in it.
    let named: usize = authors.values().map(Vec::len).sum();
    let is_class = authors.len() > 1 && named > others.len();
    let is_own_project = !is_class && (is_project(folder) || others.iter().any(|path| is_source(path)));
    if is_own_project {
        authors.clear();
    }
    let strays = others.iter().filter(|path| is_class && is_source(path)).cloned().collect();
    others.retain(|path| is_part(path));
    let hidden = if is_own_project { Vec::new() } else { hidden_projects(folder) };
    Sorted { authors, others, strays, hidden }
}

/// One submission, or one for each author whom a platform names and each folder, archive, library and script.
fn split(folder: &Path, (name, prefix): (&str, &str), left_out: Vec<LeftOut>, stop: &AtomicBool) -> Vec<Submission> {
    let Sorted { authors, others, strays, hidden } = sort_entries(folder, prefix, &left_out);
    if authors.is_empty() && hidden.is_empty() {
        if has_sources(folder) || others.is_empty() {
            return vec![whole(folder, name, &left_out, stop)];
        }
        match others.as_slice() {
            // An archive of one folder is that folder's.
            [one] if one.is_dir() => {
                return split(one, (name, &format!("{prefix}{}/", file_name(one))), left_out, stop);
            }
            [one] => return vec![of_entry(one, name, &left_out, stop)],
            _ => {}
        }
    }
    let mut left_out = ByTop::new(left_out, prefix);
    let mut submissions = of_authors(folder, authors, &mut left_out, stop);
    for part in others {
        let own = left_out.take([file_name(&part)]);
        submissions.push(of_entry(&part, file_name(&part), &own, stop));
    }
    submissions.extend(hidden.iter().map(|folder| refuse_hidden(folder)));
    submissions.extend(strays.iter().map(|source| refuse_stray(source)));
    if let Some(first) = submissions.first_mut() {
        first.left_out.splice(0..0, texts(&left_out.rest()));
    }
    submissions
}

/// The submissions of the authors whom a platform names; those of unclear authors come last.
fn of_authors(
    folder: &Path,
    authors: BTreeMap<Author, Parts>,
    left_out: &mut ByTop,
    stop: &AtomicBool,
) -> Vec<Submission> {
    let (mut submissions, mut unclear) = (Vec::new(), Vec::new());
    for (author, mut parts) in authors {
        unclear.extend(take_unclear(&author, &mut parts));
        if parts.is_empty() {
            continue;
        }
        let is_believed = parts.iter().all(|(part, _)| other_author(file_name(part)).is_none());
        // Of two files of one name the newest counts.
        parts.sort_by_key(|(part, _)| std::cmp::Reverse(turn(file_name(part))));
        let turn = parts.first().map_or(0, |(newest, _)| turn(file_name(newest)));
        let own = left_out.take(parts.iter().map(|(part, _)| file_name(part)));
        let submission = match parts.as_slice() {
            [(only, _)] if only.is_dir() || !only.exists() => of_entry(only, file_name(only), &own, stop),
            _ => joined(folder, &client_name(&author.name), &parts, &own, stop),
        };
        submissions.push(Submission { author: Some(author), turn, is_believed, ..submission });
    }
    submissions.extend(unclear);
    submissions
}

fn refuse_hidden(folder: &Path) -> Submission {
    let name = file_name(folder);
    let why = format!("its folder, {name}, begins with a dot, which hides it; help: rename the folder");
    Submission::refused(name, why)
}

fn refuse_stray(source: &Path) -> Submission {
    let name = file_name(source);
    let why = format!(
        "its file, {name}, has no author's name as the others have; help: put it in a folder of its author's name, \
         and build that"
    );
    Submission::refused(name.rsplit_once('.').map_or(name, |(stem, _)| stem), why)
}

/// Takes away the parts that may be of another author, and refuses each, unless all of them are of the same.
fn take_unclear(author: &Author, parts: &mut Parts) -> Vec<Submission> {
    let other = |(part, _): &(PathBuf, String)| other_author(file_name(part));
    let others: BTreeSet<Option<String>> = parts.iter().map(other).collect();
    if others.len() < 2 {
        return Vec::new();
    }
    let refuse = |one: (PathBuf, String)| {
        let number = other(&one).unwrap_or_default();
        let name = format!("{}-{}-{number}", client_name(&author.name), author.number);
        let why = format!(
            "by the numbers in its name, {}, it may be of two authors; help: submit a file whose own name begins with \
             a letter",
            file_name(&one.0)
        );
        Submission { name, ..Submission::refused("", why) }
    };
    parts.extract_if(.., |part| other(part).is_some()).map(refuse).collect()
}

fn is_name(top: &str) -> bool {
    !matches!(top, "" | "/" | "..")
}

/// Whether an entry of a class's folder is somebody's submission though no platform named it.
fn is_part(path: &Path) -> bool {
    let is_archive = || ArchiveKind::of(path).is_some() || OTHER_ARCHIVES.iter().any(|ending| ends(path, ending));
    !path.is_file() || is_archive() || ends(path, "so") || is_script(path)
}

/// The parts that were left out, by the entries at the top; each has its place in the list.
struct ByTop(BTreeMap<String, Vec<(usize, LeftOut)>>);

impl ByTop {
    fn new(left_out: Vec<LeftOut>, prefix: &str) -> ByTop {
        let mut by_top = BTreeMap::<_, Vec<_>>::new();
        for (index, left) in left_out.into_iter().enumerate() {
            by_top.entry(top_of(&left, prefix)).or_default().push((index, left));
        }
        ByTop(by_top)
    }

    /// Takes what was left out of these entries.
    fn take<'a>(&mut self, tops: impl IntoIterator<Item = &'a str>) -> Vec<LeftOut> {
        in_order(tops.into_iter().filter_map(|top| self.0.remove(top)).flatten().collect())
    }

    /// The parts that nobody took.
    fn rest(self) -> Vec<LeftOut> {
        in_order(self.0.into_values().flatten().collect())
    }
}

fn in_order(mut left_out: Vec<(usize, LeftOut)>) -> Vec<LeftOut> {
    left_out.sort_by_key(|(index, _)| *index);
    left_out.into_iter().map(|(_, left)| left).collect()
}

fn texts(left_out: &[LeftOut]) -> Vec<String> {
    left_out.iter().map(|left| format!("{}: {}", left.name, left.why)).collect()
}

/// A folder that is one submission; where nothing of it could be copied, why.
fn whole(folder: &Path, name: &str, left_out: &[LeftOut], stop: &AtomicBool) -> Submission {
    let mut left_out = texts(left_out);
    open_archives(folder, &mut 0, &mut left_out, stop);
    if entries(folder).is_empty() && !left_out.is_empty() {
        let why = left_out.remove(0);
        return Submission::new(name, Err(format!("nothing of it could be unpacked: {why}")), left_out);
    }
    Submission::new(name, Ok(folder.to_owned()), left_out)
}

/// The submission in a folder, an archive, a library or a script.
fn of_entry(part: &Path, name: &str, left_out: &[LeftOut], stop: &AtomicBool) -> Submission {
    if !part.is_file() {
        return whole(part, name, left_out, stop);
    }
    let own = part.with_file_name(format!("{} unpacked", file_name(part)));
    if ArchiveKind::of(part).is_some() {
        let name = ArchiveKind::stem(name);
        let unpacked = unpack_until(stop, part, &own, UnpackLimits::ONE);
        times::stamp(&own, times::of_file(part));
        return match unpacked {
            Ok(more) => whole(&own, name, &[left_out, &more].concat(), stop),
            Err(why) => Submission::new(name, Err(why), texts(left_out)),
        };
    }
    let has_ending =
        is_named_so(Path::new(name)) || name.ends_with(".so") || OTHER_ARCHIVES.iter().any(|ending| ends(part, ending));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let name = if has_ending { stem } else { name };
    let moved = fs::create_dir(&own).and_then(|()| fs::rename(part, own.join(file_name(part))));
    Submission::new(name, moved.map(|()| own).map_err(|error| error.to_string()), texts(left_out))
}

/// One submission of several entries: the contents of their folders, and their files by their original names.
fn joined(folder: &Path, name: &str, parts: &Parts, left_out: &[LeftOut], stop: &AtomicBool) -> Submission {
    // Two authors may have one name.
    let taken = (1..).map(|number| folder.join(format!("{name} joined {number}"))).find(|path| !path.exists());
    let to = taken.unwrap_or_else(|| folder.join(name));
    let mut clashes = Vec::new();
    let moved = fs::create_dir(&to).and_then(|()| {
        for (part, rest) in parts.iter().filter(|(part, _)| part.exists()) {
            let rest = if rest.is_empty() { file_name(part) } else { rest };
            let all = if part.is_dir() { entries(part) } else { vec![part.clone()] };
            for entry in all {
                let own = if part.is_dir() { file_name(&entry) } else { rest };
                clashes.extend(move_into(&entry, &to, own)?);
            }
        }
        Ok(())
    });
    match moved {
        Ok(()) => whole(&to, name, &[left_out, &clashes].concat(), stop),
        Err(error) => Submission::new(name, Err(error.to_string()), texts(left_out)),
    }
}

/// Moves an entry, unless its name is taken.
fn move_into(entry: &Path, to: &Path, name: &str) -> io::Result<Option<LeftOut>> {
    let target = to.join(name);
    if target.exists() {
        return Ok(Some(LeftOut {
            name: name.to_owned(),
            why: "it was submitted twice; the newest one counts, or else the first".to_owned(),
        }));
    }
    fs::rename(entry, target).map(|()| None)
}

/// Unpacks the archives that lie in a submission's folder, in the place of these copies of them. One that cannot be
/// unpacked is left out.
fn open_archives(folder: &Path, opened: &mut usize, left_out: &mut Vec<String>, stop: &AtomicBool) {
    let own = entries(folder);
    if let [only] = own.as_slice()
        && only.is_dir()
    {
        return open_archives(only, opened, left_out, stop);
    }
    for archive in own.iter().filter(|path| path.is_file() && ArchiveKind::of(path).is_some()) {
        let name = file_name(archive);
        *opened += 1;
        let to = archive.with_file_name(format!("{name} unpacked"));
        let done = if *opened > MOST_ARCHIVES {
            Err(format!("more than {MOST_ARCHIVES} archives are in it"))
        } else {
            unpack_until(stop, archive, &to, UnpackLimits::ONE)
        };
        match done {
            Ok(more) => {
                times::stamp(&to, times::of_file(archive));
                left_out.extend(texts(&more).into_iter().map(|text| format!("{name}: {text}")));
                open_archives(&to, opened, left_out, stop);
            }
            Err(why) => left_out.push(format!("{name}: {why}")),
        }
        let _ = fs::remove_file(archive);
    }
}
