//! Every key of ladder.toml, in one table: where it stands, what it may say, what it sets.

use super::builder::{ClientOption, LadderBuilder, NamedBuilder};
use super::grades;
use super::problem::{At, Findings, Location, Problem};
use super::value::{Value, ValueKind};
use agon_model::{
    ClockKind, Closing, Isolation, LONGEST_PERIOD, Labels, Limits, LogPolicy, MOST_SEATS, SandboxMode, Seeding,
    SystemKind, TimeScale, did_you_mean,
};
use strum::VariantArray;

/// Layers of the sandbox that can be left out.
pub(super) const LAYERS: [&str; 4] = ["limits", "privileges", "landlock", "seccomp"];

/// One key: its table, its name, and the effect of its value. `Err` explains a wrong value.
pub(super) struct Key<T> {
    pub table: &'static str,
    pub key: &'static str,
    set: fn(&mut T, &Value) -> Result<(), Problem>,
}

const fn key<T>(table: &'static str, key: &'static str, set: fn(&mut T, &Value) -> Result<(), Problem>) -> Key<T> {
    Key { table, key, set }
}

const DAY_US: u64 = 86_400_000_000;

/// Every key but those of `[options]`, which are the game's, and of `[[client]]`.
pub(super) const KEYS: &[Key<LadderBuilder>] = &[
    key("ladder", "name", |builder, value| put(&mut builder.name, Some(value.ladder_name()?.value))),
    key("ladder", "game", |builder, value| put(&mut builder.game, Some(value.text()?))),
    key("ladder", "clients", |builder, value| put(&mut builder.clients, Some(value.texts()?))),
    key("ladder", "exclude", |builder, value| put(&mut builder.exclude, value.texts()?)),
    key("ladder", "labels", |builder, value| {
        let labels = [("auto", Labels::Auto), ("file", Labels::File), ("folder", Labels::Folder)];
        put(&mut builder.labels, value.choice(&labels)?)
    }),
    key("ladder", "closing", |builder, value| put(&mut builder.closing, Some(closing(value)?))),
    key("ladder", "seats", |builder, value| {
        put(&mut builder.seats, Some(at(value, value.whole(1..=MOST_SEATS as u64)? as usize)))
    }),
    key("ladder", "pairing", |builder, value| {
        let systems: Vec<_> = SystemKind::VARIANTS.iter().map(|kind| (kind.name(), *kind)).collect();
        put(&mut builder.pairing.system, Some(at(value, value.choice(&systems)?)))
    }),
    key("ladder", "openings", |builder, value| put(&mut builder.pairing.openings, count(value)?)),
    key("ladder", "rounds", |builder, value| put(&mut builder.pairing.rounds, count(value)?)),
    key("ladder", "gauntlet", |builder, value| put(&mut builder.pairing.gauntlet, Some(at(value, value.texts()?)))),
    key("ladder", "seeding", |builder, value| {
        let seeding = value.choice(&[("drawn", Seeding::Drawn), ("listed", Seeding::Listed)])?;
        put(&mut builder.pairing.seeding, Some(at(value, seeding)))
    }),
    key("ladder", "playoffs", |builder, value| {
        put(&mut builder.pairing.playoffs, Some(at(value, value.whole(0..=1_000)?)))
    }),
    key("ladder", "blocks", |builder, value| put(&mut builder.pairing.blocks, count(value)?)),
    key("ladder", "seed", |builder, value| put(&mut builder.seed, Some(at(value, value.whole(0..=u64::MAX)?)))),
    key("ladder", "lineup", |builder, value| put(&mut builder.lineups, lineups(value)?)),
    key("time", "total", |builder, value| {
        put(&mut builder.time.total, Some(at(value, value.duration(1..=7 * DAY_US)?)))
    }),
    key("time", "increment", |builder, value| {
        put(&mut builder.time.increment, Some(at(value, value.duration(0..=DAY_US)?)))
    }),
    key("time", "period", |builder, value| {
        put(&mut builder.time.period, Some(at(value, value.whole(1..=u64::from(LONGEST_PERIOD))? as u32)))
    }),
    key("time", "per_move", |builder, value| {
        put(&mut builder.time.per_move, Some(at(value, value.duration(1..=DAY_US)?)))
    }),
    key("time", "tc", |builder, value| put(&mut builder.time.tc, Some(at(value, value.time_words()?)))),
    key("time", "load", |builder, value| put(&mut builder.time.load, value.duration(1_000..=DAY_US)?)),
    key("time", "initialize", |builder, value| put(&mut builder.time.initialize, value.duration(1..=DAY_US)?)),
    key("time", "finalize", |builder, value| put(&mut builder.time.finalize, value.duration(1..=DAY_US)?)),
    key("time", "clock", |builder, value| {
        let clock = value.choice(&[("cpu", ClockKind::Cpu), ("wall", ClockKind::Wall)])?;
        put(&mut builder.time.clock, Some(at(value, clock)))
    }),
    key("time", "wall_factor", |builder, value| put(&mut builder.time.wall_factor, value.whole(0..=1_000)? as u32)),
    key("time", "scale", |builder, value| {
        let scale = value.choice(&[("off", TimeScale::Off), ("reference", TimeScale::Reference)])?;
        put(&mut builder.time.scale, scale)
    }),
    key("adjudication", "moves", |builder, value| {
        put(&mut builder.adjudication.moves, Some(at(value, value.whole(2..=1_000)? as u32)))
    }),
    key("adjudication", "value", |builder, value| {
        put(&mut builder.adjudication.value, Some(at(value, value.logged()?)))
    }),
    key("adjudication", "checked", |builder, value| {
        put(&mut builder.adjudication.checked, Some(at(value, share(value)?)))
    }),
    key("limits", "memory", |builder, value| put(&mut builder.limits.memory, value.size(Limits::MEMORY)?)),
    key("limits", "threads", |builder, value| put(&mut builder.limits.threads, value.whole(Limits::THREADS)? as u32)),
    key("limits", "output", |builder, value| put(&mut builder.limits.output, value.size(Limits::OUTPUT)?)),
    key("run", "jobs", |builder, value| put(&mut builder.jobs, jobs(value)?)),
    key("run", "retry", |builder, value| put(&mut builder.retry, value.whole(0..=100)? as u32)),
    key("run", "audits", |builder, value| put(&mut builder.audits, share(value)?)),
    key("run", "bench_after", |builder, value| put(&mut builder.bench_after, value.whole(0..=1_000_000)? as u32)),
    key("run", "watch", |builder, value| put(&mut builder.watch, value.truth()?)),
    key("run", "programs", |builder, value| put(&mut builder.programs, value.truth()?)),
    key("run", "sandbox", |builder, value| {
        let modes = [("auto", SandboxMode::Auto), ("strict", SandboxMode::Strict), ("off", SandboxMode::Off)];
        put(&mut builder.mode, value.choice(&modes)?)
    }),
    key("run", "without", |builder, value| put(&mut builder.without, layers(value)?)),
    key("run", "libraries", |builder, value| put(&mut builder.libraries, value.texts()?)),
    key("run", "runtimes", |builder, value| put(&mut builder.runtimes, value.texts()?)),
    key("run", "isolation", |builder, value| {
        let kinds = [Isolation::Process, Isolation::Reuse, Isolation::None].map(|kind| (kind.name(), kind));
        put(&mut builder.isolation, Some(at(value, value.choice(&kinds)?)))
    }),
    key("run", "logs", |builder, value| {
        let policies = [("all", LogPolicy::All), ("faults", LogPolicy::Faults), ("none", LogPolicy::None)];
        put(&mut builder.logs, value.choice(&policies)?)
    }),
    key("stop", "matches", |builder, value| put(&mut builder.stop.matches, count(value)?)),
    key("stop", "time", |builder, value| {
        put(&mut builder.stop.time, Some(at(value, value.duration(1_000_000..=1_000 * DAY_US)?)))
    }),
    key("stop", "error", |builder, value| put(&mut builder.stop.error, Some(at(value, value.decimal()?)))),
    key("points", "win", |builder, value| put(&mut builder.points.win, value.decimal()?)),
    key("points", "draw", |builder, value| put(&mut builder.points.draw, value.decimal()?)),
    key("points", "loss", |builder, value| put(&mut builder.points.loss, value.decimal()?)),
    key("points", "crash", |builder, value| put(&mut builder.points.crash, Some(value.decimal()?))),
    key("grades", "steps", |builder, value| put(&mut builder.grades.steps, Some(at(value, grades::steps(value)?)))),
    key("grades", "formula", |builder, value| put(&mut builder.grades.formula, Some(value.text()?))),
    key("grades", "otherwise", |builder, value| put(&mut builder.grades.otherwise, value.text()?.value)),
    key("output", "dir", |builder, value| put(&mut builder.out, value.text()?.value)),
    key("output", "record", |builder, value| put(&mut builder.record, Some(value.text()?.value))),
];

/// The keys of a `[[client]]`.
pub(super) const CLIENT_KEYS: &[Key<NamedBuilder>] = &[
    key("client", "name", |client, value| put(&mut client.name, Some(value.client_name()?))),
    key("client", "file", |client, value| put(&mut client.file, Some(value.text()?))),
    key("client", "options", |client, value| put(&mut client.options, client_options(value)?)),
    key("client", "time", |client, value| put(&mut client.time, Some(at(value, value.time_words()?)))),
    key("client", "data", |client, value| put(&mut client.data, value.texts()?)),
];

/// Reads the entries of one table; every bad one is a problem of its own.
pub(super) fn fill<T>(
    keys: &[Key<T>],
    table: &str,
    entries: &[(At<String>, Value)],
    target: &mut T,
    findings: &mut Findings,
) {
    for (word, value) in entries {
        let known = keys.iter().find(|key| key.table == table && key.key == word.value);
        let result = match known {
            Some(key) => (key.set)(target, value),
            None => Err(unknown_key(keys, table, word)),
        };
        findings.problems.extend(result.err());
    }
}

/// A key that its table does not have; it may belong in another.
fn unknown_key<T>(keys: &[Key<T>], table: &str, word: &At<String>) -> Problem {
    let here = keys.iter().filter(|key| key.table == table).map(|key| key.key);
    let help = match home(&word.value).filter(|home| *home != table) {
        Some(home) => format!("it belongs in [{home}]"),
        None => did_you_mean(&word.value, here.clone()),
    };
    Problem::new(&word.place, format!("[{table}] has no key \"{}\"", word.value), help)
}

/// The table that a key belongs in.
pub(super) fn home(word: &str) -> Option<&'static str> {
    KEYS.iter().find(|key| key.key == word).map(|key| key.table)
}

fn put<T>(target: &mut T, value: T) -> Result<(), Problem> {
    *target = value;
    Ok(())
}

fn at<T>(value: &Value, read: T) -> At<T> {
    At { value: read, place: value.place.clone() }
}

/// A share of all, in thousandths.
fn share(value: &Value) -> Result<u32, Problem> {
    let share = value.decimal()?;
    let help = "write 0 to 1, at most three places: 0.05 is one in twenty";
    u32::try_from(share).ok().filter(|share| *share <= 1000).ok_or_else(|| value.problem("this is not a share", help))
}

/// Reads a time that is a text, or TOML's own date.
fn closing(value: &Value) -> Result<Closing, Problem> {
    let text = match &value.kind {
        ValueKind::Date(text) => text.clone(),
        _ => value.text()?.value,
    };
    let help = "write one such as \"2026-12-01 18:00\" by this machine's clock, or \"2026-12-01T18:00:00+01:00\"";
    Closing::read(&text).map_err(|why| value.problem(why, help))
}

/// Reads a number that is at least one.
fn count(value: &Value) -> Result<Option<At<u64>>, Problem> {
    Ok(Some(at(value, value.whole(1..=1_000_000_000)?)))
}

/// Reads one line-up, or a list of them.
fn lineups(value: &Value) -> Result<Vec<At<Vec<At<String>>>>, Problem> {
    let items = value.list()?;
    let single = items.first().is_some_and(|item| matches!(item.kind, ValueKind::Text(_)));
    if items.is_empty() {
        return Err(
            value.problem("the line-up is empty", "name a client for each seat: [\"a\", \"b\"], or leave the key out")
        );
    }
    if single {
        Ok(vec![at(value, value.texts()?)])
    } else {
        items.iter().map(|item| Ok(at(item, item.texts()?))).collect()
    }
}

fn jobs(value: &Value) -> Result<Option<usize>, Problem> {
    match value.kind {
        ValueKind::Text(_) => value.choice(&[("auto", None)]),
        _ => Ok(Some(value.whole(1..=1024)? as usize)),
    }
}

fn layers(value: &Value) -> Result<Vec<At<String>>, Problem> {
    let items = value.list()?;
    items.iter().map(|item| Ok(at(item, item.choice(&LAYERS.map(|layer| (layer, layer)))?.to_owned()))).collect()
}

/// Options that only the client understands: they reach it as lines of `key = value`.
pub(super) fn client_options(value: &Value) -> Result<Vec<ClientOption>, Problem> {
    let read = |(word, value): &(At<String>, Value)| {
        if !is_option_key(&word.value) {
            return Err(bad_option_key(&word.place));
        }
        Ok((word.clone(), value.plain()?))
    };
    value.table()?.iter().map(read).collect()
}

/// Whether a client can read an option of this name.
pub(super) fn is_option_key(key: &str) -> bool {
    let good = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    !key.is_empty() && key.chars().all(good)
}

fn bad_option_key(place: &Location) -> Problem {
    Problem::new(place, "a client cannot read an option of this name", "use letters, digits, \"_\", \"-\" and \".\"")
}
