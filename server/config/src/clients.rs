//! Which files take part: `[[client]]`, patterns, and line-ups that name them.

use super::builder::{LadderBuilder, NamedBuilder};
use super::command_line::{bundled, names_in_place, shipped};
use super::keys::is_option_key;
use super::problem::{At, Findings, Location, Problem};
use agon_files::patterns::{canonical, expand, is_pattern, names};
use agon_model::{
    ClientSpec, DATA_OPTION, FILE_OPTION, Sources, TIME_OPTION, counted, did_you_mean, named_if_slow, nearest,
    out_option, shell, some_of,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The pattern that is used when `clients` is not given.
const DEFAULT_GLOB: &str = "clients/*.so";

/// Finds the clients; `ladder` is the place that a missing key is reported at.
pub(super) fn find(builder: &LadderBuilder, folder: &Path, ladder: &Location, findings: &mut Findings) -> Sources {
    let what = || format!("the files that the ladder names below {}", folder.display());
    named_if_slow(what, || find_now(builder, folder, ladder, findings))
}

fn find_now(builder: &LadderBuilder, folder: &Path, ladder: &Location, findings: &mut Findings) -> Sources {
    let mut clients = Vec::new();
    for client in &builder.named {
        if findings.problems.len() > MOST_UNKNOWN {
            break;
        }
        match named(client, folder) {
            Ok(spec) => clients.push(spec),
            Err(problem) => findings.problems.push(problem),
        }
    }
    check_named(&builder.named, &clients, findings);
    let default = [At { value: DEFAULT_GLOB.to_owned(), place: ladder.clone() }];
    let patterns = builder.clients.as_deref().unwrap_or(&default);
    check_patterns(builder, folder, patterns, findings);
    let texts = |patterns: &[At<String>]| patterns.iter().map(|pattern| pattern.value.clone()).collect();
    Sources {
        folder: folder.to_owned(),
        named: clients,
        patterns: texts(patterns),
        exclude: texts(&builder.exclude),
        labels: builder.labels,
    }
}

fn named(client: &At<NamedBuilder>, folder: &Path) -> Result<ClientSpec, Problem> {
    let Some(file) = &client.value.file else {
        return Err(Problem::new(&client.place, "[[client]] has no file", "add file = \"clients/NAME.so\""));
    };
    let path = folder.join(&file.value);
    if !path.is_file() {
        return Err(no_file(file, &path, folder));
    }
    let mut options: BTreeMap<_, _> =
        client.value.options.iter().map(|(word, value)| (word.value.clone(), value.value.clone())).collect();
    let is_reserved = |key: &str| key == FILE_OPTION || key.starts_with(DATA_OPTION);
    if let Some((word, _)) = client.value.options.iter().find(|(word, _)| is_reserved(&word.value)) {
        let what = format!("the option \"{}\" is reserved", word.value);
        return Err(Problem::new(&word.place, what, "agon sets it itself for some clients; choose another key"));
    }
    if let Some((word, _)) = client.value.options.iter().find(|(word, _)| word.value == TIME_OPTION) {
        let what = "the option \"time\" is reserved: it is a client's own time control";
        return Err(Problem::new(&word.place, what, "write time = \"10+0.1\" below [[client]], not among its options"));
    }
    let time = client.value.time.as_ref().map(|time| (TIME_OPTION.to_owned(), time.value.to_string()));
    options.extend(time);
    let label = client.value.name.as_ref().map(|name| name.value.clone());
    Ok(ClientSpec { label, path, options, data: data(client, folder)?, is_named_alone: true })
}

fn no_file(file: &At<String>, path: &Path, folder: &Path) -> Problem {
    let (known, name, way) = if let Location::Word(_) = &file.place {
        let bundled = some_of(bundled());
        let bundled = if bundled.is_empty() { bundled } else { format!(", name a bundled client ({bundled})") };
        let way = format!("name the file of a client{bundled}, or copy a client into clients/: agon add FILE.so");
        (names_in_place(folder), path.file_stem(), way)
    } else {
        let way = "build it, or correct the path, which starts in the folder of the ladder file".to_owned();
        (names(path.parent().unwrap_or(folder)), path.file_name(), way)
    };
    let name = name.unwrap_or_default().to_string_lossy();
    let help = match nearest(&name, known.iter().map(String::as_str)) {
        _ if shipped(&file.value).is_some() => bring(&file.value, folder),
        Some(meant) => format!("did you mean \"{}\"? If not, {way}", meant.escape_debug()),
        None => format!("{}; {way}", content(path)),
    };
    Problem::new(&file.place, format!("there is no file \"{}\"", file.value), help).of_client()
}

/// How a ladder gets a client that is known by its name alone.
fn bring(name: &str, folder: &Path) -> String {
    if folder.join(format!("clients/{name}.so")).exists() {
        return format!("write \"clients/{name}.so\"");
    }
    let command = format!("agon add{} {}", out_option(folder), shell::operand(name));
    format!("{command} puts the one that came with agon into clients/: then clients/{name}.so")
}

/// The files that a client is given, by the names that it asks by.
fn data(client: &At<NamedBuilder>, folder: &Path) -> Result<BTreeMap<String, PathBuf>, Problem> {
    let mut files = BTreeMap::new();
    for file in &client.value.data {
        let path = folder.join(&file.value);
        let problem = |what: String, help: &str| Err(Problem::new(&file.place, what, help));
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        if !path.is_file() {
            let help = format!("{}; the path starts in {}", content(&path), file.place.folder());
            return problem(format!("there is no file \"{}\"", file.value), &help);
        }
        if !is_option_key(&name) {
            let help = "rename it: letters, digits, \"_\", \"-\" and \".\"";
            return problem(format!("a client cannot ask for a file called \"{}\"", name.escape_debug()), help);
        }
        if files.insert(name.clone(), path).is_some() {
            return problem(format!("two files are called \"{name}\""), "a client asks by the name alone: rename one");
        }
    }
    Ok(files)
}

/// The same name twice is an error, the same client under two names a warning.
fn check_named(builders: &[At<NamedBuilder>], specs: &[ClientSpec], findings: &mut Findings) {
    if builders.len() != specs.len() {
        return; // Some are wrong in themselves, which was said.
    }
    for (second, spec) in specs.iter().enumerate() {
        for (first, other) in specs[..second].iter().enumerate() {
            if spec.name() == other.name() {
                let place = |index: usize| {
                    builders[index].value.name.as_ref().map_or(&builders[index].place, |name| &name.place)
                };
                let what = format!("two clients are called \"{}\"", spec.name());
                findings
                    .problems
                    .push(Problem::new(place(second), what, "give one of them another name").and(place(first)));
            } else if canonical(&spec.path) == canonical(&other.path)
                && (&spec.options, &spec.data) == (&other.options, &other.data)
            {
                findings.warnings.push(format!(
                    "{} and {} are the same file with the same options",
                    other.name(),
                    spec.name()
                ));
            }
        }
    }
}

/// A pattern that finds nothing is an error, unless the ladder has clients of its own; one that leaves nothing out a
/// warning.
fn check_patterns(builder: &LadderBuilder, folder: &Path, patterns: &[At<String>], findings: &mut Findings) {
    let required = builder.clients.is_some() || builder.named.is_empty();
    for pattern in patterns.iter().filter(|pattern| required && expand(&pattern.value, folder).is_empty()) {
        let what = format!("no client matches \"{}\" ({})", pattern.value, content(&folder.join(&pattern.value)));
        let help = if names_in_place(folder).contains(&pattern.value) {
            bring(&pattern.value, folder)
        } else {
            build_or_bring(&pattern.value, builder.clients.is_none(), folder)
        };
        findings.problems.push(Problem::new(&pattern.place, what, help).last());
    }
    for pattern in builder.exclude.iter().filter(|pattern| expand(&pattern.value, folder).is_empty()) {
        findings.warnings.push(format!("exclude \"{}\" matches no file", pattern.value));
    }
}

/// The way to clients where a pattern finds none; nobody wrote the one that is the default.
fn build_or_bring(pattern: &str, is_default: bool, folder: &Path) -> String {
    let bundled = some_of(bundled());
    let path = if is_default { "" } else { ", or correct the path" };
    if pattern.starts_with("clients/") && !bundled.is_empty() {
        let out = out_option(folder);
        format!("build your clients into clients/, or copy bundled ones: agon add{out} NAME ({bundled}){path}")
    } else {
        format!("build the clients first{path}")
    }
}

/// The contents of a folder in which a file was looked for: `the folder has 3 files: notes.txt, a.c, b.o`.
fn content(path: &Path) -> String {
    let plain = |path: &&Path| !is_pattern(&path.to_string_lossy());
    let parent = path.ancestors().skip(1).find(plain).unwrap_or(Path::new(""));
    if !parent.as_os_str().is_empty() && !parent.is_dir() {
        let name = parent.file_name().unwrap_or(parent.as_os_str());
        return format!("the folder {} does not exist", name.to_string_lossy().escape_debug());
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
    builder: &LadderBuilder,
    seats: usize,
    clients: &[ClientSpec],
    findings: &mut Findings,
) -> Vec<Vec<String>> {
    for lineup in &builder.lineups {
        if lineup.value.len() + builder.people != seats {
            let clients = counted(lineup.value.len() as u64, "client", "clients");
            let seats = counted(seats as u64, "seat", "seats");
            let what = format!("the line-up has {clients}, a match {seats}");
            findings.problems.push(Problem::new(
                &lineup.place,
                what,
                "name one client for each seat; repeats are allowed",
            ));
        }
        check_labels(&lineup.value, &builder.named, clients, findings);
    }
    check_repeats(builder, findings);
    builder.lineups.iter().map(|lineup| lineup.value.iter().map(|label| label.value.clone()).collect()).collect()
}

/// A line-up is who sits at the table, in whatever order: its blocks rotate the seats, and change who moves after whom.
fn check_repeats(builder: &LadderBuilder, findings: &mut Findings) {
    let mut seen: BTreeMap<Vec<&str>, &Location> = BTreeMap::new();
    for lineup in &builder.lineups {
        let mut labels: Vec<&str> = lineup.value.iter().map(|label| label.value.as_str()).collect();
        labels.sort_unstable();
        if let Some(first) = seen.insert(labels, &lineup.place) {
            let what = "these clients are a line-up already".to_owned();
            let help = "name it once; the order of names does not matter, since everybody plays from every seat and after everybody else";
            findings.problems.push(Problem::new(&lineup.place, what, help).and(first));
        }
    }
}

/// After this many problems no further wrong names are searched for.
const MOST_UNKNOWN: usize = 100;

/// Checks that each name is that of one client.
pub(super) fn check_labels(
    labels: &[At<String>],
    named: &[At<NamedBuilder>],
    clients: &[ClientSpec],
    findings: &mut Findings,
) {
    let names: Vec<String> = clients.iter().map(ClientSpec::name).collect();
    // A line-up that is wrong in itself has been reported already.
    let is_told = |label: &str| {
        named.iter().any(|client| client.value.name.as_ref().is_some_and(|name| name.value == label))
            && !names.iter().any(|name| name == label)
    };
    let is_enough = |findings: &Findings| findings.problems.len() > MOST_UNKNOWN;
    for label in labels.iter().filter(|label| !is_told(&label.value)) {
        if is_enough(findings) {
            return;
        }
        let help = match names.iter().filter(|name| **name == label.value).count() {
            1 => continue,
            0 if names.is_empty() => "no client was found at all: build one, or correct clients = [...]".to_owned(),
            0 => did_you_mean(&label.value, names.iter().map(String::as_str)),
            _ => "give them names of their own, each with a [[client]]".to_owned(),
        };
        let what = if names.contains(&label.value) { "several clients are" } else { "no client is" };
        findings.problems.push(Problem::new(&label.place, format!("{what} called \"{}\"", label.value), help));
    }
}
