//! `agon sprt NEW BASE`: plays pairs of matches until a sequential test has its answer.

mod answer;
mod test;

use self::answer::TestState;
use self::test::{MOST_FAULTY, SequentialTest};

use crate::metrics::MetricsArgs;
use crate::remote_args::{OthersArgs, check_jobs};
use crate::run::{RunOptions, close_early_stop, run_until_stopped};
use crate::sources::refuse_sources;
use agon_command::Failure;
use agon_command::numbers::count;
use agon_command::output::say;
use agon_command::place::RecordPlace;
use agon_command::status;
use agon_command::terms::TermsArgs;
use agon_config::{self as config, MatchWords};
use agon_games::{AnyGame, PreparedSetting, Varied};
use agon_live::test_result;
use agon_model::{ClientSpec, Ladder, LogPolicy, Setting, counted, find_game, shell};
use agon_report::{SprtReport, TestEnd};
use agon_stats::sprt::lines::FEWEST_LINES;
use agon_stats::sprt::{Hypotheses, Scale, Sprt, Verdict};
use agon_tournament::{Beginning, claimed_game};
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::path::Path;

/// The arguments of `agon sprt`.
#[derive(Args, Debug)]
pub struct SprtArgs {
    /// The new version: a file, or the NAME of a client in clients/ or of a bundled one. Bundled: random,
    /// greedy, mcts …; agon add lists all. To give it options, write NAME:key=value.
    new: String,
    /// The old version, written the same way.
    base: String,
    /// The lower bound: the Elo difference that counts as "not better".
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The upper bound: the Elo difference that counts as "better".
    #[arg(long, value_name = "ELO", default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// The scale of the bounds.
    #[arg(long, value_enum, default_value = "normalised")]
    scale: EloScale,
    /// The probability of a false "better".
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    alpha: f64,
    /// The probability of a false "not better".
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    beta: f64,
    /// The maximum number of pairs of matches.
    #[arg(long, value_name = "N", default_value_t = 100_000, allow_negative_numbers = true, value_parser = count)]
    most: u64,
    /// Allows a test with fewer than 20 different openings. Its answer then holds only for these openings.
    #[arg(long)]
    these_openings: bool,
    /// Sets earlier results of this test aside, and begins again.
    #[arg(long)]
    fresh: bool,
    /// Runs a shell command when trouble occurs, and at the end. Its environment has AGON_EVENT (trouble or ended),
    /// AGON_LADDER and AGON_MESSAGE.
    #[arg(long, value_name = "COMMAND")]
    notify: Option<String>,
    /// Whether it is the last step of `agon tune`.
    #[arg(skip)]
    in_tune: bool,
    #[command(flatten)]
    others: OthersArgs,
    #[command(flatten)]
    terms: TermsArgs,
}

impl SprtArgs {
    /// The last step of `agon tune`: a test with the usual bounds, of at most this many pairs.
    pub fn between(new: String, base: String, most: u64, (others, terms): (OthersArgs, TermsArgs)) -> SprtArgs {
        let (scale, these_openings, fresh, notify, in_tune) = (EloScale::Normalised, false, false, None, true);
        let (elo0, elo1, alpha, beta) = (0.0, 20.0, 0.05, 0.05);
        SprtArgs {
            new,
            base,
            elo0,
            elo1,
            scale,
            alpha,
            beta,
            most,
            these_openings,
            fresh,
            notify,
            in_tune,
            others,
            terms,
        }
    }

    /// Refuses words with which no test can be made, before anything is played.
    pub fn check(&self, games: &[&dyn AnyGame]) -> Result<(), Failure> {
        ladder(self, &self.hypotheses(), games).map(drop)
    }

    fn hypotheses(&self) -> Hypotheses {
        let SprtArgs { elo0, elo1, alpha, beta, .. } = *self;
        Hypotheses { scale: self.scale.into(), elo0, elo1, alpha, beta }
    }
}

/// A scale of Elo.
#[derive(ValueEnum, Clone, Copy, Debug)]
pub(super) enum EloScale {
    /// Measures the difference in standard deviations of one match's score. A test with the same bounds then takes about
    /// as many matches in every game.
    Normalised,
    /// Measures the difference in the usual Elo, computed from the expected score.
    Logistic,
}

impl From<EloScale> for Scale {
    fn from(scale: EloScale) -> Scale {
        match scale {
            EloScale::Normalised => Scale::Normalised,
            EloScale::Logistic => Scale::Logistic,
        }
    }
}

/// The most openings that are compared before the first pair, to see whether they are enough.
const LOOKED_AT: u64 = 1000;
/// The variance of a pair's score where nothing is drawn, which is the most that two independent games have.
const NO_DRAWS: f64 = 0.125;

/// Tests whether one client is better than another.
pub fn sprt(mut args: SprtArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let hypotheses = args.hypotheses();
    Sprt::new(hypotheses).map_err(|bad| Failure::usage(bad.to_string()))?;
    if args.new == args.base {
        let what = format!("{} is not tested against itself; help: name two clients", args.new);
        return Err(Failure::usage(what));
    }
    args.terms.settle_game(&[args.new.clone(), args.base.clone()], games, &claimed_game)?;
    let args = &args;
    let ladder = ladder(args, &hypotheses, games)?;
    tell_copies(args, &ladder)?;
    let again = "the same command goes on with the test";
    let place = args.others.place(RecordPlace::named(args.terms.record.as_ref(), &ladder.out)?)?;
    check_jobs(ladder.jobs, &place)?;
    let answer = TestState::new(&place, &ladder.name, sides(args, &ladder));
    let mut test = SequentialTest::new(hypotheses, args.these_openings, args.terms.quiet, answer);
    let options = RunOptions {
        beginning: if args.fresh { Beginning::Fresh } else { Beginning::GoOn },
        quiet: args.terms.quiet,
        again,
        place: &place,
        lease: args.others.lease(),
        notify: args.notify.as_deref(),
        feed: None,
        metrics: MetricsArgs::default(),
    };
    let ended = run_until_stopped(&ladder, games, &options, Some(&mut test))?;
    let report = test.report(if ended.is_interrupted() { None } else { test.end(ended.done == ended.matches) });
    print!("{}", if args.terms.json { report.document().json() } else { report.text() });
    // Only the pages of the ladder lack an answer that cannot be kept.
    if let Err(failure) = test_result::keep(place.out(), ended.ladder.id, &report.document()) {
        say(&format!("warning: the pages of this test lack its answer: {}", failure.message));
    }
    advise(&test, &report, varied(&ladder, games)?, args.in_tune);
    args.others.send_home(&place, !ended.is_interrupted())?;
    Ok(match close_early_stop(&ended, again) {
        status::DONE => exit_status(test.sprt.as_ref()),
        interrupted => interrupted,
    })
}

/// The names that the record, and agon match, have for both clients.
fn sides<'a>(args: &'a SprtArgs, ladder: &'a Ladder) -> [&'a str; 2] {
    match ladder.lineups.first().map(Vec::as_slice) {
        Some([new, base]) => [new, base],
        _ => [&args.new, &args.base],
    }
}

/// Refuses two files that are equal byte by byte and get the same options; warns where only the options differ.
fn tell_copies(args: &SprtArgs, ladder: &Ladder) -> Result<(), Failure> {
    let [new, base] = ladder.clients.as_slice() else { return Ok(()) };
    let read = |client: &ClientSpec| std::fs::read(&client.path).ok();
    // A file that cannot be read is reported where it is admitted.
    if new.path != base.path && (read(new).is_none() || read(new) != read(base)) {
        return Ok(());
    }
    if new.options == base.options && new.data == base.data {
        let what = format!("{} and {} are the same client: their files and options are equal", args.new, args.base);
        let help = format!("help: change and build {}, then type this command again", args.new);
        return Err(Failure::usage(format!("{what}; {help}")));
    }
    if new.path != base.path {
        say(&format!("warning: {} and {} are the same file, byte by byte: only options differ", args.new, args.base));
    }
    Ok(())
}

/// The exit status by which a script knows whether the new version is better.
fn exit_status(sprt: Option<&Sprt>) -> u8 {
    match sprt.and_then(|sprt| sprt.report().verdict) {
        Some(Verdict::H1) => status::DONE,
        Some(Verdict::H0) => status::NOT_BETTER,
        _ => status::UNDECIDED,
    }
}

/// The ladder of the two clients, whose openings have been looked at.
fn ladder(args: &SprtArgs, hypotheses: &Hypotheses, games: &[&dyn AnyGame]) -> Result<Ladder, Failure> {
    let name = ladder_name(&args.new, &args.base);
    let words = MatchWords {
        openings: Some(args.most),
        name: Some(name),
        logs: Some(LogPolicy::Faults),
        ..args.terms.words(&[args.new.clone(), args.base.clone()])
    };
    let mut ladder = config::for_match(&words, Path::new("."), games)?;
    refuse_sources(&ladder)?;
    let settings = prepare(&ladder, games)?;
    if !args.these_openings {
        check_openings(&ladder, &settings, hypotheses, args, varied(&ladder, games)?)?;
    }
    ladder.jobs = args.terms.jobs;
    Ok(ladder)
}

/// The option with which pairs of the ladder begin differently, as a word of the command line.
fn varied(ladder: &Ladder, games: &[&dyn AnyGame]) -> Result<Option<String>, Failure> {
    let settings: Vec<_> = ladder.settings.iter().map(|setting| &setting.options).collect();
    Ok(Varied::of(find_game(games, &ladder.game)?, &settings, ladder.seats).map(|varied| varied.word()))
}

/// Prints the next step after a test without an answer.
fn advise(test: &SequentialTest<'_>, report: &SprtReport<'_>, varied: Option<String>, in_tune: bool) {
    if test.has_faults_only() {
        let list = format!("agon matches --fault {}", shell::option("--ladder", report.ladder));
        say(&format!(
            "the last {MOST_FAULTY} pairs were decided by faults; help: {list} tells which, and agon show ID why"
        ));
    }
    let varied = varied.map_or(String::new(), |varied| format!(", for example with {varied}"));
    if report.end == Some(TestEnd::AllPlayed) && report.test.as_ref().is_some_and(|found| found.verdict.is_none()) {
        let way = if in_tune { "raise --test" } else { "raise --most, or --elo1 if only a larger difference matters" };
        say(&format!("undecided; help: {way}"));
    }
    if test.has_nothing_new() {
        say(&format!("the same matches come again and again; help: let them begin differently{varied}"));
    }
    if report.test.as_ref().is_some_and(|found| found.verdict == Some(Verdict::TooFewLines)) {
        say(&format!("undecided, as too few openings differ; help: play more openings{varied}"));
    }
}

/// Works the settings out from the options.
fn prepare(ladder: &Ladder, games: &[&dyn AnyGame]) -> Result<Vec<Box<dyn PreparedSetting>>, Failure> {
    let game = find_game(games, &ladder.game)?;
    let prepare = |setting: &Setting| {
        let prepared = game
            .prepare(&setting.options, ladder.seats)
            .map_err(|bad| Failure::new(status::CONFIGURATION, bad.to_string()))?;
        match prepared.rotations() {
            2 => Ok(prepared),
            rotations => {
                let matches = counted(rotations as u64, "match", "matches");
                let what = format!("a block of {} with these options has {matches}", ladder.game);
                let help = "help: play agon match with both and look at agon standings --ratings";
                Err(Failure::usage(format!("{what}, and a test counts pairs; {help}")))
            }
        }
    };
    ladder.settings.iter().map(prepare).collect()
}

/// Refuses openings of which no number of pairs would tell how it is on others.
fn check_openings(
    ladder: &Ladder,
    settings: &[Box<dyn PreparedSetting>],
    hypotheses: &Hypotheses,
    args: &SprtArgs,
    varied: Option<String>,
) -> Result<(), Failure> {
    let seed = ladder.seed.unwrap_or_default();
    let looked_at = args.most.min(LOOKED_AT);
    let mut starts = BTreeSet::new();
    for number in 0..looked_at {
        starts.extend(settings.iter().map(|setting| setting.start(&agon_model::opening(seed, number)).hash()));
        if starts.len() as u64 >= FEWEST_LINES {
            return Ok(());
        }
    }
    let count = starts.len() as u64;
    if count == looked_at {
        return Ok(()); // no more pairs are asked for than there are openings
    }
    let needed = hypotheses.lines_needed(1.0, NO_DRAWS);
    let (begin, enough) = match count {
        1 => ("all pairs begin from one position".to_owned(), String::new()),
        _ => (format!("pairs begin in {count} ways only"), format!(", and {needed} are enough for these bounds")),
    };
    let more = if count == 1 { "let openings differ" } else { "let more openings differ" };
    let more = more.to_owned() + &varied.map_or(String::new(), |varied| format!(", for example with {varied}"));
    let other =
        if args.in_tune { "--test 0 leaves the final test out" } else { "--these-openings asks about these only" };
    let what = format!("{begin}: a test needs at least {FEWEST_LINES} openings{enough}");
    Err(Failure::usage(format!("{what}; help: {more}; {other}")))
}

/// A client without the usual folder and kind of its file: `clients/new.so:level=2` is `new:level=2`. Another folder
/// stays, since its file may be another client.
fn without_folder(client: &str) -> String {
    let (file, options) = client.split_once(':').map_or((client, ""), |(file, _)| (file, &client[file.len()..]));
    let name = file.strip_prefix("./").unwrap_or(file);
    let name = name.strip_prefix("clients/").unwrap_or(name);
    format!("{}{options}", name.strip_suffix(".so").unwrap_or(name)).replace('/', "_")
}

/// The most characters of a ladder's name.
const LONGEST_NAME: usize = 64;

/// The ladder of a test of these two; a name that would be too long is cut, and ends with a hash of the whole.
fn ladder_name(new: &str, base: &str) -> String {
    let [short, other] = [new, base].map(without_folder);
    let name =
        if short == other { format!("sprt {new} {base}").replace('/', "_") } else { format!("sprt {short} {other}") };
    if name.chars().count() <= LONGEST_NAME {
        return name;
    }
    let mut hasher = blake3::Hasher::new_derive_key("agon name of a test 1");
    let hash = &hasher.update(name.as_bytes()).finalize().to_hex()[..12];
    let begin: String = name.chars().take(LONGEST_NAME - hash.len() - 1).collect();
    format!("{begin}-{hash}")
}
