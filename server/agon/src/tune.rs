//! `agon tune CLIENT`: looks for better values of a client's options, from pairs of matches of the client against
//! itself, and then tests what it found against the start. It goes on where it was stopped.

mod param;
mod tuning_run;

use crate::progress::Progress;
use crate::remote_args::{OthersArgs, check_jobs};
use crate::sprt;
use crate::sprt::SprtArgs;
use agon_command::output::say;
use agon_command::place::RecordPlace;
use agon_command::signals::stop_flag;
use agon_command::terms::TermsArgs;
use agon_command::{Failure, find_paths, status};
use agon_config::{self as config, MatchWords};
use agon_crew::remote::{ExchangeTally, WorkerExchange};
use agon_games::AnyGame;
use agon_model::{FaultKind, Ladder, LadderId, LogPolicy, MatchOutcome, shell};
use agon_record::Lock;
use agon_record::exchange::OpenExchange;
use agon_stats::spsa::Spsa;
use agon_tournament::{self as run, Beginning, RunSettings, claimed_game};
use clap::Args;
use param::{Param, named};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use tuning_run::TuningRun;

/// The arguments of `agon tune`.
#[derive(Args, Debug)]
#[command(mut_arg("json", |json| json.help("Prints the result as JSON, and leaves out the final test")))]
pub struct TuneArgs {
    /// The client: a file, or the NAME of a client in clients/ or of a bundled one. Bundled: random,
    /// greedy, mcts …; agon add lists all. To give it fixed options, write NAME:key=value.
    client: String,
    /// An option of the client with its range and start, such as weight=0..100:20; you may repeat it. Without START it
    /// starts in the middle. Write a decimal point, as in 0.5, to try values that are not whole numbers.
    #[arg(short, long = "param", value_name = "KEY=FROM..TO[:START]", required = true, value_parser = Param::read)]
    params: Vec<Param>,
    /// The number of steps. In each step the client plays itself. One side raises or lowers each value a little, the other
    /// side does the opposite.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    steps: u64,
    /// The number of pairs of matches in each step.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pairs: u64,
    /// The maximum number of pairs of matches in the final test. With 0 or with --json there is no test.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    test: u64,
    /// Sets earlier steps aside, and begins again.
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    others: OthersArgs,
    #[command(flatten)]
    terms: TermsArgs,
}

/// Tunes options of a client.
pub fn tune(mut args: TuneArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    args.terms.settle_game(std::slice::from_ref(&args.client), games, &claimed_game)?;
    let args = &args;
    // At the first signal, the matches under way are finished.
    let stop = stop_flag()?;
    let start: Vec<f64> = args.params.iter().map(|param| param.share(param.start)).collect();
    if args.test > 0 && !args.terms.json {
        let two = [0.0, 1.0].map(|at| named(&args.client, &args.params, &vec![at; start.len()]));
        args.test_of(two[0].clone(), two[1].clone()).check(games)?;
    }
    let mut run = TuningRun::open(args, &start, games)?;
    let place = args.others.place(RecordPlace::named(args.terms.record.as_ref(), run.out())?)?;
    check_jobs(args.terms.jobs, &place)?;
    let spsa = Spsa { steps: args.steps };
    while run.values.len() as u64 <= args.steps {
        let step = run.values.len() as u64 - 1;
        let mut at = run.values.last().cloned().unwrap_or_default();
        let signs = signs(run.seed, step, at.len());
        let least: Vec<f64> = args.params.iter().map(Param::least).collect();
        let two = spsa.probe(&at, &least, &signs, step).map(|at| named(&args.client, &args.params, &at));
        let Some(score) = play(args, run.seed, step, &two, (games, &place, &stop))? else {
            say(&format!("saved {step} of {} steps; the same command goes on", args.steps));
            return Ok(status::INTERRUPTED);
        };
        spsa.learn(&mut at, &signs, step, score);
        run.keep(&at)?;
        if !args.terms.quiet && (step + 1).is_multiple_of(10) {
            let now = run.values.last().map(|at| named(&args.client, &args.params, at)).unwrap_or_default();
            say(&format!("step {} of {}: {now}", step + 1, args.steps));
        }
    }
    let status = tell(args, &run, &start, games)?;
    args.others.send_home(&place, status != status::INTERRUPTED)?;
    Ok(status)
}

/// Shows the course, and tests what was found against the start.
fn tell(args: &TuneArgs, run: &TuningRun, start: &[f64], games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    if args.terms.json {
        print!("{}", run.json());
        return Ok(status::DONE);
    }
    print!("{}", run.text());
    let (new, base) = (named(&args.client, &args.params, &run.found()), named(&args.client, &args.params, start));
    if args.test == 0 || new == base {
        return Ok(status::DONE);
    }
    println!("\n{new} against the start, {base}: the test of agon sprt\n");
    sprt::sprt(args.test_of(new, base), games)
}

impl TuneArgs {
    fn test_of(&self, new: String, base: String) -> SprtArgs {
        SprtArgs::between(new, base, self.test, (self.others.on_the_same_server(), self.terms.clone()))
    }
}

/// Which way each option is moved first, by chance; the same again for the same step.
fn signs(seed: u64, step: u64, count: usize) -> Vec<bool> {
    let mut hasher = blake3::Hasher::new_derive_key("agon signs of a step 1");
    hasher.update(&seed.to_le_bytes()).update(&step.to_le_bytes());
    let mut bytes = vec![0; count];
    hasher.finalize_xof().fill(&mut bytes);
    bytes.iter().map(|byte| byte % 2 == 0).collect()
}

/// The name that all ladders of a client's course share.
fn run_name(client: &str) -> String {
    format!("tune {}", client.replace('/', "_")).chars().take(50).collect()
}

/// The matches of a step, each on openings of its own.
fn ladder(args: &TuneArgs, seed: u64, step: u64, two: &[String; 2], games: &[&dyn AnyGame]) -> Result<Ladder, Failure> {
    let words = MatchWords {
        openings: Some(args.pairs),
        name: Some(format!("{} {}", run_name(&args.client), step + 1)),
        logs: Some(LogPolicy::Faults),
        seed: Some(seed.wrapping_add(step)),
        ..args.terms.words(two)
    };
    let mut ladder = config::for_match(&words, Path::new("."), games)?;
    ladder.jobs = args.terms.jobs;
    Ok(ladder)
}

/// Plays a step: 1 where the first of the two won everything, -1 where the second did; `None` if it was stopped.
fn play(
    args: &TuneArgs,
    seed: u64,
    step: u64,
    two: &[String; 2],
    (games, place, stop): (&[&dyn AnyGame], &RecordPlace, &AtomicBool),
) -> Result<Option<f64>, Failure> {
    let ladder = ladder(args, seed, step, two, games)?;
    let paths = find_paths(&ladder.out)?;
    let tally = place.is_elsewhere().then(ExchangeTally::default);
    let (exchange, lease) = (|| place.open_exchange(), args.others.lease());
    let exchange =
        tally.as_ref().map(|tally| WorkerExchange { exchange: &exchange as &OpenExchange<'_>, lease, tally });
    let record = || place.open_to_play(&ladder.name, false);
    // Before the first step is done there is no course to go on with: what there is of it had another seed.
    let beginning = if args.fresh || step == 0 { Beginning::Fresh } else { Beginning::GoOn };
    let settings = RunSettings { record: &record, beginning, stop, rule: None, exchange, live: None };
    let mut progress = Progress::new(true);
    let ended = run::run(&ladder, games, &paths, settings, &mut |event| progress.tell(event))?;
    if ended.is_interrupted() || stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    // A step is never gone on with: hundreds of them would leave as many files.
    if tally.is_none() {
        Lock::remove(&ladder.out, &ladder.name)?;
    }
    mean_score(place, &ladder, ended.ladder.id, two).map(Some)
}

/// The mean score of the first client; an error if no match was played, or none in which both could play.
fn mean_score(place: &RecordPlace, ladder: &Ladder, id: LadderId, two: &[String; 2]) -> Result<f64, Failure> {
    let (mut score, mut played, mut unable) = (0.0, 0, 0);
    place.open_again()?.each_outcome(id, &mut |outcome: &MatchOutcome| {
        played += 1;
        score += f64::from(value(outcome));
        let is_unable = |kind: FaultKind| matches!(kind, FaultKind::Declined | FaultKind::LoadFailure);
        unable += i32::from(outcome.seats.iter().any(|seat| seat.fault.is_some_and(is_unable)));
    })?;
    if played == 0 || unable == played {
        let list = format!(
            "agon matches --fault {} {}",
            shell::option("--record", &place.name().unwrap_or_else(|| ladder.out.to_string_lossy().into_owned())),
            shell::option("--ladder", &ladder.name)
        );
        let what = "the client does not play with these options";
        return Err(Failure::trouble(format!("{} and {}: {what}; help: {list}", two[0], two[1])));
    }
    Ok(score / f64::from(played))
}

/// 1 where the first client of the ladder won, -1 where the second did.
fn value(outcome: &MatchOutcome) -> i32 {
    let rank = |entrant| outcome.seats.iter().find(|seat| seat.entrant == entrant).map_or(0, |seat| seat.rank);
    (i64::from(rank(1)) - i64::from(rank(0))).signum() as i32
}
