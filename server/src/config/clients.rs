//! Which files take part: `[[client]]`, globs, and line-ups that name them.

use super::ClientSpec;
use super::keys::{Draft, NamedDraft};
use super::problem::{At, Findings, Place, Problem, did_you_mean};
use crate::record::FILE_OPTION;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Looked into when `clients` is not given.
const DEFAULT_GLOB: &str = "clients/*.so";

/// The files that take part: those of `[[client]]` as they stand, then those that globs find, by file name.
pub(super) fn find(draft: &Draft, folder: &Path, ladder: &Place, findings: &mut Findings) -> Vec<ClientSpec> {
    let mut clients = Vec::new();
    for client in &draft.named {
        match named(client, folder) {
            Ok(spec) => clients.push(spec),
            Err(problem) => findings.problems.push(problem),
        }
    }
    check_named(&draft.named, &clients, findings);
    let found = globbed(draft, folder, ladder, findings);
    let taken: Vec<PathBuf> = clients.iter().map(|client| canonical(&client.path)).collect();
    clients.extend(found.into_iter().filter(|client| !taken.contains(&canonical(&client.path))));
    clients
}

fn named(client: &At<NamedDraft>, folder: &Path) -> Result<ClientSpec, Problem> {
    let Some(file) = &client.value.file else {
        return Err(Problem::new(&client.place, "[[client]] has no file", "add file = \"clients/NAME.so\""));
    };
    let path = folder.join(&file.value);
    if !path.is_file() {
        let help =
            format!("{}; build it, or correct the path, which starts in the folder of the ladder file", content(&path));
        return Err(Problem::new(&file.place, format!("there is no file \"{}\"", file.value), help));
    }
    let options: BTreeMap<_, _> =
        client.value.options.iter().map(|(word, value)| (word.value.clone(), value.value.clone())).collect();
    if let Some((word, _)) = client.value.options.iter().find(|(word, _)| word.value == FILE_OPTION) {
        let what = format!("the option \"{FILE_OPTION}\" is reserved");
        return Err(Problem::new(&word.place, what, "agon sets it itself for some clients; choose another key"));
    }
    Ok(ClientSpec { label: client.value.name.as_ref().map(|name| name.value.clone()), path, options, named: true })
}

/// The same name twice is an error, the same client under two names a warning.
fn check_named(drafts: &[At<NamedDraft>], specs: &[ClientSpec], findings: &mut Findings) {
    if drafts.len() != specs.len() {
        return; // Some are wrong in themselves, which was said.
    }
    for (second, spec) in specs.iter().enumerate() {
        for (first, other) in specs[..second].iter().enumerate() {
            if spec.name() == other.name() {
                let place =
                    |index: usize| drafts[index].value.name.as_ref().map_or(&drafts[index].place, |name| &name.place);
                let what = format!("two clients are called \"{}\"", spec.name());
                findings
                    .problems
                    .push(Problem::new(place(second), what, "give one of them another name").and(place(first)));
            } else if canonical(&spec.path) == canonical(&other.path) && spec.options == other.options {
                findings.warnings.push(format!(
                    "{} and {} are the same file with the same options",
                    other.name(),
                    spec.name()
                ));
            }
        }
    }
}

fn globbed(draft: &Draft, folder: &Path, ladder: &Place, findings: &mut Findings) -> Vec<ClientSpec> {
    let excluded = excluded(draft, folder, findings);
    let default = [At { value: DEFAULT_GLOB.to_owned(), place: ladder.clone() }];
    let given = draft.clients.as_deref();
    // With clients of its own, a ladder need not have others.
    let required = given.is_some() || draft.named.is_empty();
    let mut clients: Vec<ClientSpec> = Vec::new();
    for glob in given.unwrap_or(&default) {
        let files = expand(glob, folder, findings);
        if files.as_ref().is_some_and(Vec::is_empty) && required {
            let what = format!("no client matches \"{}\" ({})", glob.value, content(&folder.join(&glob.value)));
            findings.problems.push(Problem::new(
                &glob.place,
                what,
                "build the clients first (make), or correct the path",
            ));
        }
        for path in files.unwrap_or_default() {
            let known = clients.iter().any(|client| canonical(&client.path) == canonical(&path));
            if !known && !excluded.contains(&canonical(&path)) {
                let named = !is_pattern(&glob.value);
                clients.push(ClientSpec { label: None, path, options: BTreeMap::new(), named });
            }
        }
    }
    clients
}

fn excluded(draft: &Draft, folder: &Path, findings: &mut Findings) -> Vec<PathBuf> {
    let mut excluded = Vec::new();
    for glob in &draft.exclude {
        let files = expand(glob, folder, findings);
        if files.as_ref().is_some_and(Vec::is_empty) {
            findings.warnings.push(format!("exclude \"{}\" matches no file", glob.value));
        }
        excluded.extend(files.unwrap_or_default().iter().map(|file| canonical(file)));
    }
    excluded
}

/// Two ways to write one file are one file.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// The regular files that a pattern names, by file name. `*` and `?` stand in the last part only: folders of clients are flat,
/// and a pattern that walks trees would open what nobody meant; such a pattern gives `None` and a problem.
fn expand(glob: &At<String>, folder: &Path, findings: &mut Findings) -> Option<Vec<PathBuf>> {
    let pattern = Path::new(&glob.value);
    let parent = pattern.parent().unwrap_or(Path::new(""));
    let last = pattern.file_name().unwrap_or_default().to_string_lossy();
    if is_pattern(&parent.to_string_lossy()) {
        let what = format!("\"{}\" has a wildcard in a folder", glob.value);
        let help = "* and ? can stand after the last / only; list several patterns";
        findings.problems.push(Problem::new(&glob.place, what, help));
        return None;
    }
    let hidden = |name: &str| name.starts_with('.') || name.ends_with(".tmp");
    let mut files: Vec<(String, PathBuf)> = names(&folder.join(parent))
        .into_iter()
        .filter(|name| matches(&last, name) && (!hidden(name) || **name == last))
        .map(|name| (name.clone(), folder.join(parent).join(name)))
        .filter(|(_, path)| path.is_file())
        .collect();
    files.sort();
    Some(files.into_iter().map(|(_, path)| path).collect())
}

/// Names in a folder, in order; none if it cannot be read. Names that are no UTF-8 cannot be written in a ladder.
fn names(folder: &Path) -> Vec<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
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

/// What is where a file was looked for: `the folder has 3 files: notes.txt, a.c, b.o`.
fn content(path: &Path) -> String {
    let parent = path.parent().unwrap_or(Path::new(""));
    if !parent.as_os_str().is_empty() && !parent.is_dir() {
        return "the folder does not exist".to_owned();
    }
    let names = names(parent);
    let shown: Vec<_> = names.iter().take(5).map(|name| name.escape_debug().to_string()).collect();
    let more = if names.len() > shown.len() { ", ..." } else { "" };
    match names.len() {
        0 => "the folder is empty".to_owned(),
        1 => format!("the folder has 1 file: {}", shown[0]),
        count => format!("the folder has {count} files: {}{more}", shown.join(", ")),
    }
}

/// Checks the line-ups against seats and clients.
pub(super) fn line_up(
    draft: &Draft,
    seats: usize,
    clients: &[ClientSpec],
    findings: &mut Findings,
) -> Vec<Vec<String>> {
    let names: Vec<String> = clients.iter().map(ClientSpec::name).collect();
    for lineup in &draft.lineups {
        if lineup.value.len() + draft.people != seats {
            let what = format!("the line-up has {} clients, a match {seats} seats", lineup.value.len());
            findings.problems.push(Problem::new(
                &lineup.place,
                what,
                "name one client for each seat; repeats are allowed",
            ));
        }
        for label in &lineup.value {
            let help = match names.iter().filter(|name| **name == label.value).count() {
                1 => continue,
                0 => did_you_mean(&label.value, names.iter().map(String::as_str)),
                _ => "give them names of their own, each with a [[client]]".to_owned(),
            };
            let what = if names.contains(&label.value) { "several clients are" } else { "no client is" };
            findings.problems.push(Problem::new(&label.place, format!("{what} called \"{}\"", label.value), help));
        }
    }
    draft.lineups.iter().map(|lineup| lineup.value.iter().map(|label| label.value.clone()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::matches;

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
}
