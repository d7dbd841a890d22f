//! A study that a game brings along: how much each version of a client does for its first move as the game grows. Every
//! figure is that of a real client in an isolated process of its own, by the processor clock that judges matches.

mod plot;
mod table;

use crate::figures::ask::{generous_time, launch};
use agon_abi::Blob;
use agon_arena::encoding::{MatchTerms, Seating, write_setup, write_turn};
use agon_games::{AnyGame, Opening, Options, PreparedSetting, Study};
use agon_model::{Answer, Fault, FaultKind, Limits, Output, Paths, Stream, TimeControl};
use agon_player::clock::Budget;
use agon_player::launcher::Launcher;
use agon_player::process::Process;
use agon_player::{Player, Trouble};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a first move is made anew, where nobody can say whether the client or the machine was late.
const EXCUSES: usize = 5;

/// Why most versions end.
const TOO_LONG: &str = "the first move took longer than the limit";

/// How a study is made.
#[derive(Clone, Debug)]
pub struct StudyOptions {
    /// The client's file, instead of `clients/NAME.so`.
    pub client: Option<PathBuf>,
    /// Processor time, microseconds: a version for which one first move takes longer goes no further.
    pub limit_us: u64,
    /// Repetitions of each first move, each with a fresh client, another opening and other chance.
    pub runs: usize,
}

/// The result of a study.
#[derive(Clone, Debug)]
pub struct Studied {
    /// Which one.
    pub study: &'static Study,
    /// How it was made.
    pub way: StudyOptions,
    /// In the order of the study.
    pub series: Vec<Series>,
}

/// The results of one version.
#[derive(Clone, Debug)]
pub struct Series {
    /// The version's name.
    pub version: &'static str,
    /// By growing value.
    pub points: Vec<Point>,
    /// Where and why it went no further: `at heaps = 27: …`.
    pub stopped: Option<String>,
}

/// The first moves of one version for one value.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The value of the option that grows.
    pub value: u64,
    /// Processor time, microseconds.
    pub cpu_us: Mean,
    /// The number that the client counted, if it did.
    pub counted: Option<Mean>,
}

/// A mean over the runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error; 0 for a single run.
    pub error: f64,
}

/// The studies of all games, a line each.
pub fn list(games: &[&dyn AnyGame]) -> String {
    let studies = games.iter().flat_map(|game| game.facts().studies);
    let lines = studies.map(|study| format!("\n  {:<7} measures {}", study.name, study.about));
    format!("Studies:{}", lines.collect::<String>())
}

/// The study of this name.
pub fn find<'a>(games: &[&'a dyn AnyGame], name: &str) -> Option<(&'a dyn AnyGame, &'static Study)> {
    games.iter().find_map(|game| Some((*game, game.facts().studies.iter().find(|study| study.name == name)?)))
}

/// Makes a study, and tells each point as it is measured.
///
/// # Errors
/// The client is no client of the game, or our own trouble: what, and what to do.
pub fn run(
    game: &dyn AnyGame,
    study: &'static Study,
    way: StudyOptions,
    paths: &Paths,
    each: &mut dyn FnMut(&'static str, &Point),
) -> Result<Studied, String> {
    let pinned = agon_crew::cores::share_cores(Some(1), 1)?;
    agon_crew::cores::pin(&pinned[0]).map_err(|error| format!("this thread cannot be pinned to a core: {error}"))?;
    let file = way.client.clone().unwrap_or_else(|| Path::new("clients").join(format!("{}.so", study.client)));
    // The host looks for the file from a folder of its own.
    let file = file.canonicalize().map_err(|error| {
        let help = format!("agon add target/release/lib{}.so puts it there, or give --client FILE", study.client);
        format!("{}: {error}; help: {help}", file.display())
    })?;
    let measure = Measure { game, study, way: &way, paths, file };
    let series = study.versions.iter().map(|(version, options)| measure.series(version, options, each));
    let series = series.collect::<Result<Vec<_>, _>>()?;
    Ok(Studied { study, way, series })
}

/// The common data of all first moves of a study.
struct Measure<'a> {
    game: &'a dyn AnyGame,
    study: &'static Study,
    way: &'a StudyOptions,
    paths: &'a Paths,
    file: PathBuf,
}

/// The first move of one run.
struct First {
    cpu_us: u64,
    counted: Option<u64>,
}

impl Measure<'_> {
    fn series(
        &self,
        version: &'static str,
        options: &str,
        each: &mut dyn FnMut(&'static str, &Point),
    ) -> Result<Series, String> {
        let options: String = options.split(' ').map(|pair| format!("{}\n", pair.replacen('=', " = ", 1))).collect();
        let (mut points, (least, most)) = (Vec::new(), self.study.values);
        for value in least..=most {
            match self.point(value, &options)? {
                Ok(point) => {
                    each(version, &point);
                    points.push(point);
                }
                Err(why) => {
                    let stopped = Some(format!("at {} = {value}: {why}", self.study.grows));
                    return Ok(Series { version, points, stopped });
                }
            }
        }
        Ok(Series { version, points, stopped: None })
    }

    /// All runs for one value; why the version stops here, if it does.
    fn point(&self, value: u64, options: &str) -> Result<Result<Point, String>, String> {
        let mut given = Options::default();
        given.set(self.study.grows, &value.to_string());
        let setting = self.game.prepare(&given, self.game.facts().seats.0).map_err(|bad| bad.to_string())?;
        let (mut times, mut counts) = (Vec::new(), Vec::new());
        for run in 0..self.way.runs {
            match self.first_move(&*setting, run as u64, options)? {
                Err(why) => return Ok(Err(why)),
                Ok(first) => {
                    times.push(first.cpu_us as f64);
                    counts.extend(first.counted.map(|count| count as f64));
                }
            }
        }
        let counted = (counts.len() == times.len()).then(|| Mean::of(&counts));
        Ok(Ok(Point { value, cpu_us: Mean::of(&times), counted }))
    }

    /// The first move of a run. Where the machine may be why it was late, it is made anew; after that it counts as
    /// late.
    fn first_move(
        &self,
        setting: &dyn PreparedSetting,
        run: u64,
        options: &str,
    ) -> Result<Result<First, String>, String> {
        let mut excuses = 0;
        loop {
            match self.ask_once(setting, run, options)? {
                Ok(first) if first.cpu_us > self.way.limit_us => return Ok(Err(TOO_LONG.to_owned())),
                Ok(first) => return Ok(Ok(first)),
                Err(Trouble::Excused(_)) if excuses < EXCUSES => excuses += 1,
                Err(Trouble::Excused(excused)) => return explain(excused.fault).map(Err),
                Err(Trouble::Fault(fault)) => return explain(*fault).map(Err),
                Err(Trouble::Void(why) | Trouble::Shortage(why)) => return Err(why),
            }
        }
    }

    /// Begins a match, asks whoever is to move, and ends it.
    fn ask_once(
        &self,
        setting: &dyn PreparedSetting,
        run: u64,
        options: &str,
    ) -> Result<Result<First, Trouble>, String> {
        let (facts, limits) = (self.game.facts(), Limits::DEFAULT);
        let time = TimeControl { per_move_us: Some(self.way.limit_us), ..generous_time() };
        let terms = MatchTerms { facts, time: &time, limits: &limits, adjudication: None };
        let state = setting.start(&Opening::numbered(run));
        let seat = state.to_move().iter().next().ok_or("nobody is to move at the start")?;
        let place =
            Seating { entrant: 0, label: String::new(), options: options.to_owned(), seed: run, own_time: None };
        let mut player = Process::new(launch(facts, &Launcher::by_start(&self.paths.host), &self.file, &time, &limits));
        let setup = write_setup(&terms, &*state, seat, &vec![place; setting.seats()]);
        let answer = player.start(seat, &setup).and_then(|()| {
            let (allowance, mut turn) = (Budget::new(&time).allowance(1), Blob::new());
            write_turn(&terms, &*state, seat, 0, &allowance, &mut turn);
            player.ask(&turn, 0, allowance)?;
            await_answer(&mut player)
        });
        let summary = player.dismiss(1, answer.is_ok());
        let counted = find_count(&summary.outputs, self.study.counted);
        Ok(answer.map(|answer| First { cpu_us: answer.cpu_us, counted }))
    }
}

fn await_answer(player: &mut Process) -> Result<Answer, Trouble> {
    loop {
        if let Some(answer) = player.answer(Duration::from_millis(20)) {
            return answer;
        }
    }
}

/// Why a version stops: its fault, without the advice for its author. A file that is no client of the game ends the
/// study.
fn explain(fault: Fault) -> Result<String, String> {
    match fault.kind {
        FaultKind::LoadFailure => Err(fault.message),
        FaultKind::CpuTime => Ok(TOO_LONG.to_owned()),
        _ => Ok(fault.message.split("; help:").next().unwrap_or_default().to_owned()),
    }
}

/// The newest number that the client has logged under this key.
fn find_count(outputs: &[Output], key: &str) -> Option<u64> {
    let lines = outputs.iter().filter(|output| output.stream == Stream::Log).flat_map(|output| output.text.lines());
    lines.filter_map(|line| line.split_once('\t')).rfind(|(its, _)| *its == key)?.1.trim().parse().ok()
}

impl Mean {
    /// The mean of at least one number.
    fn of(numbers: &[f64]) -> Mean {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let error = if numbers.len() < 2 { 0.0 } else { (squares / (count - 1.0) / count).sqrt() };
        Mean { mean, error }
    }
}

impl Point {
    /// The measured values, in words: `12.0 us ± 0.4 us, 19 calls`.
    pub fn text(&self, counted: &str) -> String {
        let Mean { mean, error } = self.cpu_us;
        let count =
            self.counted.map_or(String::new(), |count| format!(", {} {counted}", table::number_text(count.mean)));
        format!("{} ± {}{count}", table::time_text(mean), table::time_text(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::Phase;

    #[test]
    fn means_have_their_standard_error() {
        assert_eq!(Mean::of(&[5.0]), Mean { mean: 5.0, error: 0.0 });
        assert_eq!(Mean::of(&[1.0, 3.0]), Mean { mean: 2.0, error: 1.0 });
        assert_eq!(Mean::of(&[2.0, 2.0, 2.0]), Mean { mean: 2.0, error: 0.0 });
    }

    #[test]
    fn the_newest_count_is_found_among_other_lines() {
        let output = |stream, text: &str| Output { seat: 0, phase: Phase::Play, ply: 0, stream, text: text.to_owned() };
        let outputs = [
            output(Stream::Stdout, "calls\t1\n"),
            output(Stream::Log, "depth\t3\ncalls\t19\n"),
            output(Stream::Log, "calls\t20\nrecalls\t5\n"),
        ];
        assert_eq!(find_count(&outputs, "calls"), Some(20));
        assert_eq!(find_count(&outputs, "nodes"), None);
        assert_eq!(find_count(&[output(Stream::Log, "calls\tmany\n")], "calls"), None);
    }
}
