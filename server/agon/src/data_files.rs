//! Files that agon makes for the clients of a game, `agon GAME NAME FILE`. They hang on the game's entry, and run
//! without knowing which game it is.

use crate::foot::{Foot, bar};
use agon_command::atomic_file::write_atomically;
use agon_command::output::say;
use agon_command::{Failure, status};
use agon_files::LARGEST;
use agon_files::Regular;
use agon_games::{AnyGame, DataFile, Facts, Reader};
use agon_model::nearest;
use agon_model::units::{about_duration, about_size};
use agon_model::visible::escape;
use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Lines without a terminal: one for each such part of the work.
const PARTS: u64 = 20;
/// The time between two updates of a bar.
const LIVELY: Duration = Duration::from_millis(100);

/// A line a command, for `agon --help`.
pub fn summary(games: &[&dyn AnyGame]) -> String {
    let mut text = String::new();
    for facts in games.iter().map(|game| game.facts()) {
        for file in facts.files {
            let readers = file.readers.iter().map(|reader| (reader.name, reader.about));
            for (name, about) in [(file.name, file.about)].into_iter().chain(readers) {
                let _ = writeln!(text, "  {:<18} {about}", format!("{} {name}", facts.name));
            }
        }
    }
    text
}

/// Runs what the words mean, if the first one is a game that has files.
pub fn run(words: &[String], games: &[&dyn AnyGame]) -> Option<Result<String, Failure>> {
    let (game, words) = words.split_first()?;
    let facts = games.iter().map(|game| game.facts()).find(|facts| facts.name == game && !facts.files.is_empty())?;
    Some(run_for(facts, words))
}

/// Runs the command; `Ok` has the text to print.
fn run_for(facts: &Facts, words: &[String]) -> Result<String, Failure> {
    let usage = || {
        let each = facts.files.iter().map(|file| format!("{}\n", file.usage));
        each.collect::<String>() + &format!("\nagon rules {} prints the rules of the game.\n", facts.name)
    };
    if words.is_empty() || words.iter().any(|word| word == "--help" || word == "-h") {
        return Ok(usage());
    }
    let misuse = |what: String| Failure::usage(format!("{what}; help: agon {} --help", facts.name));
    let (name, rest) = (&words[0], &words[1..]);
    let names = facts.files.iter().flat_map(|file| file.readers.iter().map(|reader| reader.name).chain([file.name]));
    let names: Vec<&str> = names.collect();
    if !names.contains(&name.as_str()) {
        let meant = nearest(name, names.iter().copied()).map_or(String::new(), |near| format!("did you mean {near}? "));
        let what = format!("agon {} has no command \"{}\"", facts.name, escape(name, 40));
        return Err(Failure::usage(format!("{what}; help: {meant}agon {} --help", facts.name)));
    }
    let [path, rest @ ..] = rest else { return Err(misuse("the name of a file is missing".to_owned())) };
    let path = Path::new(path);
    if let Some(file) = facts.files.iter().find(|file| file.name == name) {
        return make(file, path, rest);
    }
    let readers = facts.files.iter().flat_map(|file| file.readers);
    match readers.into_iter().find(|reader| reader.name == name) {
        Some(reader) if rest.is_empty() => read(reader, path),
        _ => Err(misuse(format!("\"{}\" is one word too many", escape(rest.first().unwrap_or(name), 40)))),
    }
}

fn make(file: &DataFile, path: &Path, words: &[String]) -> Result<String, Failure> {
    let plan = (file.plan)(words).map_err(Failure::usage)?;
    let (began, mut progress) = (Instant::now(), Progress::new(plan.work));
    let trouble = |error| Failure::trouble(format!("{}: {error}; help: free some space", path.display()));
    let said = write_atomically(path, |out| (plan.write)(out, &mut |done| progress.tell(done)).map_err(trouble))?;
    progress.foot.iter_mut().for_each(Foot::clear);
    let size = path.metadata().map_or(0, |seen| seen.len());
    let seconds = began.elapsed().as_secs();
    Ok(format!("{said}written to {} in {seconds} s: {size} bytes ({})\n", path.display(), about_size(size)))
}

fn read(reader: &Reader, path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    let bytes = Regular::open(path, LARGEST).and_then(|mut file| file.bytes());
    let bytes = bytes.map_err(|why| Failure::new(status::CONFIGURATION, format!("{shown}: {why}")))?;
    (reader.read)(&bytes).map_err(|why| Failure::new(status::CONFIGURATION, format!("{shown}: {why}")))
}

/// How far the work is: a bar on a terminal, else a line now and then.
struct Progress {
    foot: Option<Foot>,
    began: Instant,
    shown: Option<Instant>,
    work: u64,
    /// Parts that were told.
    told: u64,
}

impl Progress {
    fn new(work: u64) -> Progress {
        Progress { foot: Foot::of_terminal(), began: Instant::now(), shown: None, work, told: 0 }
    }

    fn tell(&mut self, done: u64) {
        let part = done * PARTS / self.work.max(1);
        if self.foot.is_none() && part > self.told {
            self.told = part;
            say(&format!("{} %: {done} of {}", part * 100 / PARTS, self.work));
        }
        if self.foot.is_some() && self.shown.is_none_or(|shown| shown.elapsed() >= LIVELY) {
            self.shown = Some(Instant::now());
            let left = self.began.elapsed().as_secs_f64() * (self.work.max(done) - done) as f64 / done.max(1) as f64;
            let (bar, percent) = (bar(done, self.work), done * 100 / self.work.max(1));
            let line = format!("{bar} {percent:3} %, {} left", about_duration(left));
            self.foot.iter_mut().for_each(|foot| foot.show(&line));
        }
    }
}
