//! A ladder from the words of `agon match`: the same keys and the same checks as in ladder.toml.

use super::builder::{ClientOption, LadderBuilder, NamedBuilder};
use super::installation;
use super::keys::{KEYS, fill};
use super::problem::{At, ConfigError, Findings, Location, Problem};
use super::resolve::resolve;
use super::value::{Value, ValueKind};
use agon_files::patterns::names;
use agon_games::AnyGame;
use agon_model::{Ladder, LogPolicy, MATCH, TIME_OPTION, TimeWords, without_version};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The words of a command line. A missing one has the same meaning as a missing key in a ladder file.
#[derive(Clone, Debug, Default)]
pub struct MatchWords {
    /// Files, or names for `clients/NAME.so`, one a seat, each with options as `NAME:key=value,key=value`; repeats are
    /// allowed.
    pub clients: Vec<String>,
    /// Seats that no client takes: for `agon play`.
    pub people: usize,
    /// `--game`; the first of the list of games if not given.
    pub game: Option<String>,
    /// `--option key=value`, as often as needed.
    pub options: Vec<String>,
    /// `--openings`: the number of openings; on each, all sit on each seat equally often.
    pub openings: Option<u64>,
    /// `--matches`: how many matches are enough, on as many openings as it takes.
    pub matches: Option<u64>,
    /// The value of `--seed`.
    pub seed: Option<u64>,
    /// `--time`: the time for one move.
    pub per_move: Option<String>,
    /// `--total`: for all moves of a match.
    pub total: Option<String>,
    /// `--tc`: the same as other programs write it.
    pub tc: Option<String>,
    /// `--adjudicate`: the number of moves in which both clients name the winner, and the value that counts.
    pub adjudicate: Option<(u32, Option<String>)>,
    /// The value of `--memory`.
    pub memory: Option<String>,
    /// The value of `--sandbox`.
    pub sandbox: Option<String>,
    /// `--isolation`: process, reuse or none.
    pub isolation: Option<String>,
    /// `--without`: the layers left out.
    pub without: Vec<String>,
    /// `--record`: the folder for record and logs.
    pub out: Option<String>,
    /// The matches that leave a log; all if not given.
    pub logs: Option<LogPolicy>,
    /// The ladder's name; `match` if not given.
    pub name: Option<String>,
}

/// The ladder `match`, from words of the command line; paths are relative to `folder`.
///
/// # Errors
/// Everything that is wrong, each with the word that brought it.
pub fn for_match(words: &MatchWords, folder: &Path, games: &[&dyn AnyGame]) -> Result<Ladder, ConfigError> {
    let mut findings = Findings::default();
    let mut builder = LadderBuilder { clients: Some(Vec::new()), ..LadderBuilder::default() };
    let here = Location::Word("agon match".to_owned());
    keys(words, games, &mut builder, &mut findings);
    builder.options = words.options.iter().filter_map(|word| option(word, &mut findings)).collect();
    check_options(&builder.options, &mut findings);
    seat_clients(words, folder, &mut builder, &mut findings);
    without(words, &mut builder, &mut findings);
    builder.people = words.people;
    builder.programs = true; // whoever names a file on the command line has chosen it
    builder.logs = words.logs.unwrap_or(builder.logs);
    if words.clients.is_empty() && words.people == 0 {
        findings.problems.push(Problem::new(&here, "no client is named", "name one for each seat: agon match a b"));
    }
    let name = words.name.as_deref().unwrap_or(MATCH);
    let ladder = resolve(&builder, &here, name, folder, games, &mut findings);
    match ladder {
        Some(ladder) if findings.problems.is_empty() => Ok(Ladder { needs_all: true, ..ladder }),
        _ => Err(ConfigError::new("", "", findings)),
    }
}

/// The words that are keys of ladder.toml under another name.
fn keys(words: &MatchWords, games: &[&dyn AnyGame], builder: &mut LadderBuilder, findings: &mut Findings) {
    let text = |value: &Option<String>| value.clone().map(ValueKind::Text);
    let whole = |value: Option<u64>| value.map(|number| ValueKind::Whole(i128::from(number)));
    let game = words.game.clone().or(games.first().map(|game| game.facts().name.to_owned()));
    let value = words.adjudicate.as_ref().and_then(|(_, value)| value.clone());
    let given = [
        ("ladder", "game", "--game", game.map(ValueKind::Text)),
        ("ladder", "seats", "agon match", whole(Some((words.clients.len() + words.people).max(1) as u64))),
        ("ladder", "openings", "--openings", whole(words.openings.or(words.matches))),
        ("stop", "matches", "--matches", whole(words.matches)),
        ("ladder", "seed", "--seed", whole(words.seed)),
        ("time", "per_move", "--time", text(&words.per_move)),
        ("time", "total", "--total", text(&words.total)),
        ("time", "tc", "--tc", text(&words.tc)),
        ("adjudication", "moves", "--adjudicate", whole(words.adjudicate.as_ref().map(|(moves, _)| (*moves).into()))),
        ("adjudication", "value", "--adjudicate", value.map(ValueKind::Decimal)),
        ("limits", "memory", "--memory", text(&words.memory)),
        ("run", "sandbox", "--sandbox", text(&words.sandbox)),
        ("run", "isolation", "--isolation", text(&words.isolation)),
        ("output", "dir", "--record", text(&words.out)),
    ];
    for (table, key, word, kind) in given {
        if let Some(kind) = kind {
            let name = At { value: key.to_owned(), place: Location::Word(word.to_owned()) };
            fill(KEYS, table, &[(name, Value::from_word(kind, word))], builder, findings);
        }
    }
}

/// The layers left out, as a list under their key.
fn without(words: &MatchWords, builder: &mut LadderBuilder, findings: &mut Findings) {
    if words.without.is_empty() {
        return;
    }
    let list =
        words.without.iter().map(|layer| Value::from_word(ValueKind::Text(layer.clone()), "--without")).collect();
    let name = At { value: "without".to_owned(), place: Location::Word("--without".to_owned()) };
    fill(KEYS, "run", &[(name, Value::from_word(ValueKind::List(list), "--without"))], builder, findings);
}

fn option(word: &str, findings: &mut Findings) -> Option<(At<String>, Value)> {
    let place = Location::Word(word.to_owned());
    let Some((key, value)) = word.split_once('=') else {
        findings.problems.push(Problem::new(
            &place,
            "an option needs a value",
            "write key=value, such as board=square:10",
        ));
        return None;
    };
    let key = At { value: key.trim().to_owned(), place };
    Some((key, Value::from_word(ValueKind::Text(value.trim().to_owned()), word)))
}

/// An option is given once, as in a ladder file; twice the same does no harm.
fn check_options(options: &[(At<String>, Value)], findings: &mut Findings) {
    let word = |value: &Value| match &value.kind {
        ValueKind::Text(text) => text.clone(),
        _ => String::new(),
    };
    for (later, (key, value)) in options.iter().enumerate() {
        let before = options[..later].iter().find(|(known, _)| known.value == key.value);
        if let Some((_, first)) = before.filter(|(_, first)| word(first) != word(value)) {
            let what = format!("the option {} is given twice, as {} and as {}", key.value, word(first), word(value));
            findings.problems.push(Problem::new(&key.place, what, "leave one of them out"));
        }
    }
}

/// One entrant for each client with options of its own, and the line-up as it was said.
fn seat_clients(words: &MatchWords, folder: &Path, builder: &mut LadderBuilder, findings: &mut Findings) {
    let mut lineup = Vec::new();
    for word in &words.clients {
        let place = Location::Word(word.clone());
        let at = |value: String| At { value, place: place.clone() };
        let (name, given) = split_options(word, folder);
        let file = file_of(name, folder);
        let own_name = if is_path(name, folder) { stem(name) } else { name.to_owned() };
        let all = client_options(given, &place, findings);
        let (data, all): (Vec<ClientOption>, Vec<ClientOption>) =
            all.into_iter().partition(|(key, _)| key.value == "data");
        let (times, options): (Vec<ClientOption>, Vec<ClientOption>) =
            all.into_iter().partition(|(key, _)| key.value == TIME_OPTION);
        let time = own_time(&times, findings);
        let data: Vec<At<String>> = data.into_iter().map(|(_, file)| file).collect();
        let texts = |files: &[At<String>]| files.iter().map(|file| file.value.clone()).collect::<Vec<_>>();
        let same = |client: &&At<NamedBuilder>| {
            client.value.file.as_ref().is_some_and(|known| known.value == file)
                && values(&client.value.options) == values(&options)
                && texts(&client.value.data) == texts(&data)
                && client.value.time.as_ref().map(|time| time.value) == time.as_ref().map(|time| time.value)
        };
        let known = builder.named.iter().find(same);
        let label = match known.and_then(|client| client.value.name.as_ref()) {
            Some(name) => name.value.clone(),
            None => free_label(&own_name, &file, given, builder),
        };
        if known.is_none() {
            let client = NamedBuilder { name: Some(at(label.clone())), file: Some(at(file)), options, time, data };
            builder.named.push(At { value: client, place: place.clone() });
        }
        lineup.push(at(label));
    }
    if !lineup.is_empty() {
        let place = Location::Word("agon match".to_owned());
        builder.lineups.push(At { value: lineup, place });
    }
}

/// The client and its options: `NAME:key=value,key=value`, where `data=FILE` gives it a file and `time=10+0.1` its own
/// time. A file may have colons in its name.
fn split_options<'a>(word: &'a str, folder: &Path) -> (&'a str, &'a str) {
    let is_there = |name: &str| folder.join(file_of(name, folder)).is_file();
    if is_there(word) {
        return (word, "");
    }
    let split = |(at, _)| (&word[..at], &word[at + 1..]);
    let longest = word.rmatch_indices(':').map(split).find(|(name, _)| is_there(name));
    // Of a client that is not there the message is about what stands before its options.
    let first = || word.split_once(':').filter(|(_, options)| options.contains('='));
    longest.or_else(first).unwrap_or((word, ""))
}

fn client_options(given: &str, place: &Location, findings: &mut Findings) -> Vec<ClientOption> {
    let mut table = Vec::new();
    for pair in given.split(',').filter(|pair| !pair.is_empty()) {
        let Some((key, value)) = pair.split_once('=') else {
            let what = format!("the client's option \"{pair}\" needs a value");
            findings.problems.push(Problem::new(place, what, format!("write {pair}=VALUE")));
            continue;
        };
        let key = At { value: key.trim().to_owned(), place: place.clone() };
        table.push((key, Value { kind: ValueKind::Text(value.trim().to_owned()), place: place.clone() }));
    }
    let table = Value { kind: ValueKind::Table(table), place: place.clone() };
    super::keys::client_options(&table).unwrap_or_else(|problem| {
        findings.problems.push(problem);
        Vec::new()
    })
}

/// `time=10+0.1` among the options of a client: its own time.
fn own_time(times: &[ClientOption], findings: &mut Findings) -> Option<At<TimeWords>> {
    if let [_, (key, _), ..] = times {
        findings.problems.push(Problem::new(&key.place, "a client has two times", "leave one of them out"));
    }
    let (_, text) = times.first()?;
    match TimeWords::read(&text.value) {
        Ok(value) => Some(At { value, place: text.place.clone() }),
        Err(help) => {
            let what = format!("\"{}\" is not a time control", text.value);
            findings.problems.push(Problem::new(&text.place, what, help));
            None
        }
    }
}

fn values(options: &[ClientOption]) -> Vec<(&str, &str)> {
    options.iter().map(|(key, value)| (key.value.as_str(), value.value.as_str())).collect()
}

/// The file of a client in the words of the command line: `NAME`, or a path, with options or without.
pub fn client_file(word: &str, folder: &Path) -> PathBuf {
    folder.join(file_of(split_options(word, folder).0, folder))
}

fn file_of(name: &str, folder: &Path) -> String {
    if is_path(name, folder) { name.to_owned() } else { in_place(name, folder) }
}

/// The client of this name in clients/: its library, or else the only other file that is called so, or else the one
/// that came with this program.
pub fn in_place(name: &str, folder: &Path) -> String {
    let library = format!("clients/{name}.so");
    if folder.join(&library).exists() {
        return library;
    }
    let others = std::fs::read_dir(folder.join("clients")).into_iter().flatten().flatten();
    let others = others.filter_map(|entry| entry.file_name().into_string().ok());
    let mut called = others.filter(|file| file.rsplit_once('.').is_some_and(|(stem, _)| stem == name));
    match (called.next(), called.next()) {
        (Some(only), None) => format!("clients/{only}"),
        (None, _) => shipped(name).unwrap_or(library),
        _ => library,
    }
}

/// The file of a client that comes with agon.
pub(super) fn shipped(name: &str) -> Option<String> {
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if !is_name || name == ADAPTER {
        return None;
    }
    let library = format!("lib{}.so", name.replace('-', "_"));
    let file = installation::folders().into_iter().map(|folder| folder.join(&library)).find(|file| file.is_file())?;
    file.to_str().map(str::to_owned)
}

/// The names that `in_place` knows.
pub fn names_in_place(folder: &Path) -> Vec<String> {
    let there = names(&folder.join("clients"));
    let stems = there.iter().filter_map(|file| Some(file.rsplit_once('.')?.0.to_owned()));
    stems.chain(bundled()).collect()
}

/// The names of the clients that come with this program.
pub fn bundled() -> BTreeSet<String> {
    let files: Vec<String> = installation::folders().iter().flat_map(|folder| names(folder)).collect();
    let names = files.iter().filter_map(|file| Some(file.strip_prefix("lib")?.strip_suffix(".so")?.replace('_', "-")));
    names.filter(|name| shipped(name).is_some()).collect()
}

/// The adapter lies there too, and is not a client.
const ADAPTER: &str = "classic";

fn is_path(word: &str, folder: &Path) -> bool {
    word.contains('/') || word.ends_with(".so") || folder.join(word).is_file()
}

fn stem(file: &str) -> String {
    Path::new(file).file_stem().map_or(file.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// The client's name with the options, or the whole path with them where another client of the match is called so.
fn free_label(name: &str, file: &str, options: &str, builder: &LadderBuilder) -> String {
    let with = |name: &str| if options.is_empty() { name.to_owned() } else { format!("{name}:{options}") };
    let label = with(&without_version(name.to_owned()));
    let taken = builder.named.iter().any(|client| client.value.name.as_ref().is_some_and(|name| name.value == label));
    if taken { with(file) } else { label }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_may_have_colons_in_its_name() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("clients")).unwrap();
        for name in ["a", "a:b", "c:d"] {
            std::fs::write(folder.path().join(format!("clients/{name}.so")), "").unwrap();
        }
        for (word, split) in [
            ("a", ("a", "")),
            ("a:b", ("a:b", "")),
            ("a:b:level=1", ("a:b", "level=1")),
            ("a:level=1", ("a", "level=1")),
            ("a:data=x:y", ("a", "data=x:y")),
            ("c:d:data=x:y,level=2", ("c:d", "data=x:y,level=2")),
            ("clients/c:d.so:level=2", ("clients/c:d.so", "level=2")),
            ("a:time=40/1:30+3", ("a", "time=40/1:30+3")),
            ("none:time=40/1:30+3", ("none", "time=40/1:30+3")),
            ("none:level=2", ("none", "level=2")),
            ("none:at:all", ("none:at:all", "")),
        ] {
            assert_eq!(split_options(word, folder.path()), split, "{word}");
        }
    }
}
