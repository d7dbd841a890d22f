//! `agon rerun ID`: a recorded match played again as it was set up, or one of its clients alone under a debugger.
//! Nothing of it enters the record.

mod debug;

pub use debug::{WITHOUT_FOR_VALGRIND, all_but, suppressions};

use crate::stack::{self, RecordedFault};
use agon_abi::{Layer, Layers};
use agon_command::output::say;
use agon_command::which::{WhichMatch, find_match};
use agon_command::{Failure, find_paths, status};
use agon_games::{AnyGame, AnyState};
use agon_host::settings::HostSettings;
use agon_model::visible::escape;
use agon_model::{ClientFiles, Ending, Match, SandboxPolicy, Step, StoredMatch, counted, find_game, some_of};
use agon_tournament::{self as run, AdHocMatch, Divergence};
use clap::Args;
use debug::Debugger;
use std::fs;
use std::path::{Path, PathBuf};

/// The arguments of `agon rerun`.
#[derive(Args, Debug)]
pub struct RerunArgs {
    #[command(flatten)]
    which: WhichMatch,
    /// Ends with exit status 5 if the new match differs.
    #[arg(long)]
    verify: bool,
    /// Prints file and line where the client on this seat (from 1) hung or crashed, by gdb in the sandbox.
    #[arg(long, value_name = "SEAT", conflicts_with_all = ["verify", "gdb", "valgrind"])]
    stack: Option<usize>,
    /// Debugs the client on this seat with gdb, in the sandbox. The client gets the recorded
    /// requests up to its fault.
    #[arg(long, value_name = "SEAT", conflicts_with = "verify")]
    gdb: Option<usize>,
    /// Looks for memory errors with valgrind. Landlock and seccomp are off, so the client has your rights. agon asks
    /// first.
    #[arg(long, value_name = "SEAT", conflicts_with_all = ["verify", "gdb"])]
    valgrind: Option<usize>,
    /// Debugs without a sandbox and without asking: only for clients that you trust.
    #[arg(long, conflicts_with = "verify")]
    trust: bool,
}

/// Plays a match of the record again.
pub fn rerun(args: &RerunArgs, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    if args.which.turn().is_some() {
        return Err(Failure::usage("a match is played again from its start; help: leave out @TURN"));
    }
    let stored = find_match(&args.which)?;
    let game = find_game(games, &stored.ladder.game)?;
    let paths = find_paths(&args.which.out()?)?;
    let ad_hoc = AdHocMatch::of_record(&stored, game, &paths)?;
    let closed = closed_folders(&stored)?;
    if let Some(seat) = args.stack {
        closed.iter().for_each(|note| say(note));
        let words = write_requests(&stored, &ad_hoc, &paths, seat, Layers::ALL)?;
        let recorded = RecordedFault::of(&stored.played, seat - 1).ok_or_else(|| {
            let help = "help: agon show says which seat had which fault";
            Failure::usage(format!("the client on seat {seat} neither hung nor crashed in this match; {help}"))
        })?;
        let valgrind = stack::valgrind_command(&stored.played.id, seat - 1);
        let library = ad_hoc.files(seat - 1).map_or(Path::new(""), |files| files.library.as_path());
        stack::find(&paths.host, library, &words, &recorded, &valgrind).iter().for_each(|line| println!("{line}"));
        return Ok(status::DONE);
    }
    if let Some((seat, debugger)) = args.debugger() {
        closed.iter().for_each(|note| say(note));
        let words = write_requests(&stored, &ad_hoc, &paths, seat, debugger.layers(args.trust))?;
        return debug::start(&debugger, args.trust, &paths.host, words);
    }
    let nobody = |_| -> Box<dyn agon_player::Player> { unreachable!("every seat of a recorded match has a client") };
    let again = ad_hoc.play(&nobody, &mut |_, _| {});
    let difference = run::compare(&stored.played, &again)
        .map_err(|cause| Failure::trouble(format!("void, our own trouble: {cause}; help: try again")))?;
    print!("{}", report(&stored, &again, difference.as_ref(), &*ad_hoc.start()));
    // A client that needed such a folder has a fault now.
    closed.iter().filter(|_| has_new_fault(&stored.played, &again)).for_each(|note| println!("{note}"));
    Ok(if args.verify && difference.is_some() { status::DIFFERS } else { status::DONE })
}

/// A note about the folders that the ladder opened to its clients: a rerun opens none, since a record may be a
/// stranger's.
fn closed_folders(stored: &StoredMatch) -> Result<Option<String>, Failure> {
    let (_, _, policy) = stored.ladder.terms.conditions().map_err(Failure::trouble)?;
    let SandboxPolicy { libraries, runtimes, .. } = policy;
    let folders: Vec<String> =
        libraries.iter().chain(&runtimes).map(|folder| escape(&folder.to_string_lossy(), 200)).collect();
    Ok((!folders.is_empty()).then(|| {
        let folders = some_of(folders.iter().map(String::as_str));
        let help = "help: play such a client again in its ladder, by agon ladder";
        format!("note: agon rerun keeps folders closed that [run] opened to clients: {folders}; {help}")
    }))
}

/// Whether a client has a fault that it did not have before.
fn has_new_fault(then: &Match, now: &Match) -> bool {
    let mut seats = then.seats.iter().zip(&now.seats);
    seats.any(|(then, now)| then.fault.is_none() && now.fault.is_some())
}

fn report(stored: &StoredMatch, again: &Match, difference: Option<&Divergence>, state: &dyn AnyState) -> String {
    let id = &stored.played.id;
    let turns = again.steps.last().map_or(0, |step| step.ply + 1);
    let Some(difference) = difference else {
        let ending = match again.ending {
            Ending::Over => "the same end",
            Ending::Adjudicated => "the same agreement on who wins",
            _ => "the same fault",
        };
        return format!(
            "match {id} is the same: {}, every move and state, {ending}\nnothing of this run is recorded\n",
            counted(turns.into(), "turn", "turns")
        );
    };
    let step = |step: &Option<Step>| {
        step.map_or("nothing".to_owned(), |step| {
            let by = if step.by_client { "" } else { ", by the rules" };
            format!("seat {} {}{by}", step.seat + 1, state.write(&step.mv))
        })
    };
    let what = match difference {
        Divergence::Step(then, now) => {
            let turn = then.or(*now).map_or(0, |step| step.ply + 1);
            let same = matches!((then, now), (Some(then), Some(now)) if (then.seat, then.mv) == (now.seat, now.mv));
            let note = if same { ", and the state after it is another" } else { "" };
            format!("in turn {turn}: then {}, now {}{note}", step(then), step(now))
        }
        Divergence::Fault(seat, then, now) => {
            let name = |fault: &Option<agon_model::Fault>| fault.as_ref().map_or("no fault", |fault| fault.kind.name());
            format!("in how it ended: seat {} then {}, now {}", seat + 1, name(then), name(now))
        }
    };
    let why = "a client that looks at the clock, or at what it was not given, may play differently";
    let news = again.seats.iter().enumerate().filter_map(|(seat, result)| Some((seat + 1, result.fault.as_ref()?)));
    let news: String =
        news.map(|(seat, fault)| format!("  now seat {seat}: {}\n", escape(&fault.message, 400))).collect();
    format!("match {id} differs {what}\n{news}  {why}\nnothing of this run is recorded\n")
}

impl RerunArgs {
    fn debugger(&self) -> Option<(usize, Debugger)> {
        self.gdb.map(|seat| (seat, Debugger::Gdb)).or(self.valgrind.map(|seat| (seat, Debugger::Valgrind)))
    }
}

/// Writes what the client was asked, for a host in these layers; returns the words that tell a host of it.
fn write_requests(
    stored: &StoredMatch,
    ad_hoc: &AdHocMatch,
    paths: &agon_model::Paths,
    seat: usize,
    layers: Layers,
) -> Result<Vec<PathBuf>, Failure> {
    let seats = stored.played.seats.len();
    let index = seat.checked_sub(1).filter(|index| *index < seats);
    let index = index.ok_or_else(|| Failure::usage(format!("there is no seat {seat}; seats are 1 to {seats}")))?;
    let requests = run::requests(&stored.played, ad_hoc, index).map_err(Failure::trouble)?;
    let folder = paths.out.join("debug");
    let trouble = |error: std::io::Error| Failure::trouble(format!("{}: {error}", folder.display()));
    let folder = fs::create_dir_all(&folder).and_then(|()| folder.canonicalize()).map_err(trouble)?;
    let file = folder.join(format!("{}-seat{seat}.requests", stored.played.id));
    let files = ad_hoc.files(index).ok_or_else(|| Failure::usage(format!("nobody sat on seat {seat}")))?;
    debug_words(files, layers, &requests, file)
}

/// Writes a file for a host that a debugger starts: which client, in which layers, and the requests to answer; returns
/// the words that tell the host of it. Without one of the layers nothing of the client runs.
pub fn debug_words(
    files: &ClientFiles,
    layers: Layers,
    requests: &[u8],
    file: PathBuf,
) -> Result<Vec<PathBuf>, Failure> {
    let also = files.behind.iter().cloned().collect();
    let data = files.data.iter().map(|(name, file)| (name.clone(), file.clone())).collect();
    // Some limits cannot be set in valgrind's own process, which runs without the full sandbox anyway.
    let required = if layers == Layers::ALL { layers } else { layers.without(Layer::Limits) };
    let settings = HostSettings { layers, required, also, data, ..HostSettings::of(&files.library) };
    let written = settings.pack().map_err(std::io::Error::other);
    let written = written.and_then(|record| fs::write(&file, [&record, requests].concat()));
    written.map_err(|error| Failure::trouble(format!("{}: {error}", file.display())))?;
    Ok(vec!["--requests".into(), file])
}
