//! Turns the files of a ladder into its entrants and line-ups: it copies, examines and labels them.

use super::RunEvent;
use super::closing::{self, Arrived, SettledEntrants};
use crate::schedule::Lineups;
use agon_abi::Cause;
use agon_arena::admission::{self, LookBounds, NotCopied, PATIENCE};
use agon_files::{Unreadable, refused};
use agon_games::Facts;
use agon_model::{
    ClientSpec, Copied, DATA_OPTION, Entrant, Isolation, Ladder, Look, Paths, SandboxMode, SandboxPolicy, System,
    counted, distinct_labels, is_shortage, out_option, readable, some_of,
};
use agon_player::clock::guard_us;
use agon_player::program::is_program;
use agon_player::system::reach_opened;
use agon_record::{Record, RunError};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The game that a file names. A fault of the file is reported when it is to play.
pub fn claimed_game(paths: &Paths, file: &Path, mode: SandboxMode) -> Option<String> {
    let sandbox = SandboxPolicy { mode, ..SandboxPolicy::default() };
    let bounds = LookBounds { patience: PATIENCE, memory: admission::MEMORY };
    admission::look(paths, &file.canonicalize().ok()?, &sandbox, bounds).ok()?.game
}

/// The error of too few playable clients; it names the refused ones, and why.
fn too_few(ladder: &Ladder, entrants: &[Entrant]) -> RunError {
    let playing = entrants.iter().filter(|entrant| entrant.refused.is_none()).count();
    let playing = counted(playing as u64, "usable client", "usable clients");
    let mut text = format!("{playing}, a match needs {}", ladder.seats);
    for entrant in entrants {
        if let Some(message) = &entrant.refused {
            text += &format!("\n  {} ({}): {message}", entrant.label, entrant.file);
        }
    }
    text += &match ladder.closing.filter(|closing| closing.is_past()) {
        Some(_) => {
            "\nhelp: the closing time is past, and files that came later do not play: correct closing".to_owned()
        }
        None => {
            let add = format!("agon add{} FILE.so", out_option(&ladder.sources.folder));
            format!("\nhelp: build clients and put them in place by `{add}`, or name a line-up that repeats one")
        }
    };
    RunError::NoClient(text)
}

/// Refuses a run of which the command line names a client that cannot play: nothing of it enters the record.
pub(super) fn refuse_unable(ladder: &Ladder, entrants: &[Entrant]) -> Result<(), RunError> {
    let why = |entrant: &Entrant| Some(format!("{} ({}): {}", entrant.label, entrant.file, entrant.refused.as_ref()?));
    let refused: Vec<String> = entrants.iter().filter_map(why).collect();
    if refused.is_empty() || !ladder.needs_all { Ok(()) } else { Err(RunError::Refused(refused.join("\n"))) }
}

/// A file that takes part, with its copy, and why it is refused.
type Admitted<'a> = (&'a ClientSpec, Copied, Option<String>);

/// Copies, examines and labels every file. It skips those of other games that a pattern found, in one line.
pub(super) fn admit_all<'a>(
    ladder: &'a Ladder,
    facts: &Facts,
    paths: &Paths,
    record: &dyn Record,
    tell: &mut dyn FnMut(RunEvent),
) -> Result<SettledEntrants, RunError> {
    let mut admitted: Vec<Admitted> = Vec::new();
    let mut skipped: BTreeMap<String, Vec<String>> = BTreeMap::new();
    // A file that a pattern found and that was removed since counts as not found.
    for spec in ladder.clients.iter().filter(|spec| spec.is_named_alone || spec.path.symlink_metadata().is_ok()) {
        match admit_one(ladder, facts, spec, paths, record)? {
            Ok(one) => admitted.push(one),
            Err(game) => {
                let file = readable(spec.path.file_name().unwrap_or_default());
                skipped.entry(game).or_default().push(file.into_owned());
            }
        }
    }
    warn_skipped(&skipped, tell);
    let labels = label_all(&admitted, tell);
    let arrive = |((spec, copied, refused), label): (Admitted<'a>, String)| {
        let (copied, options) = give(spec, copied, paths)?;
        let entrant = admission::entrant(label, &spec.path, &copied, options, refused);
        Ok(Arrived { entrant, copied, path: &spec.path })
    };
    let arrived: Result<_, RunError> = admitted.into_iter().zip(labels).map(arrive).collect();
    closing::settle(arrived?, ladder, paths, record, tell)
}

/// Copies and examines a file. One of another game that a pattern found gives the name of its game.
fn admit_one<'a>(
    ladder: &Ladder,
    facts: &Facts,
    spec: &'a ClientSpec,
    paths: &Paths,
    record: &dyn Record,
) -> Result<Result<Admitted<'a>, String>, RunError> {
    let refuse = |why: String| Ok(Ok((spec, without_file(spec, &why, paths)?, Some(why))));
    if refused::is_note(&spec.path) {
        return refuse(refused::reason(&spec.path));
    }
    let (copied, look) = match admit(ladder, spec, paths, record)? {
        Ok(admitted) => admitted,
        Err(why) if spec.is_named_alone => {
            let what = format!("{} cannot be read: {why}", spec.path.display());
            return Err(if ladder.needs_all { RunError::Refused(what) } else { RunError::Config(what) });
        }
        // A bad file that a pattern found must not keep all others from playing.
        Err(why) => return refuse(format!("it cannot be read: {why}")),
    };
    match &look.game {
        Some(game) if game != facts.name && spec.is_named_alone && ladder.lineups.is_empty() => {
            let file = spec.path.display();
            let help = "name it in a ladder of its own game, or drop its [[client]]";
            Err(RunError::Config(format!("{file} plays {game}, this ladder {}; help: {help}", facts.name)))
        }
        Some(game) if game != facts.name && !spec.is_named_alone => Ok(Err(game.clone())),
        _ => Ok(Ok((spec, copied, refusal(&look, facts, spec.is_named_alone)))),
    }
}

fn warn_skipped(skipped: &BTreeMap<String, Vec<String>>, tell: &mut dyn FnMut(RunEvent)) {
    if skipped.is_empty() {
        return;
    }
    let of_game = |(game, files): (&String, &Vec<String>)| format!("{} of {game} ({})", files.len(), some_of(files));
    let counts: Vec<String> = skipped.iter().map(of_game).collect();
    let help = "help: play them in a ladder of their own game";
    tell(RunEvent::Warning(format!("clients of other games left out: {}; {help}", counts.join(", "))));
}

fn label_all(admitted: &[Admitted<'_>], tell: &mut dyn FnMut(RunEvent)) -> Vec<String> {
    let wanted: Vec<String> = admitted.iter().map(|(spec, ..)| spec.name()).collect();
    let labels = distinct_labels(&wanted);
    for (label, wanted) in labels.iter().zip(&wanted).filter(|(label, wanted)| label != wanted) {
        tell(RunEvent::Warning(format!("two clients are called {wanted}; one is shown as {label}")));
    }
    labels
}

/// A submission that is not a client has a place in the record as well, by its reason.
fn without_file(spec: &ClientSpec, why: &str, paths: &Paths) -> Result<Copied, RunError> {
    admission::copy_text(&format!("{}: {why}\n", spec.name()), &paths.out).map_err(|not_copied| match not_copied {
        NotCopied::Source(why) => RunError::Internal(why.to_string()),
        NotCopied::Ours { what, is_shortage } => our_trouble(what, is_shortage),
    })
}

/// Copies the files given to a client; its options then name them by their hashes.
fn give(spec: &ClientSpec, copied: Copied, paths: &Paths) -> Result<(Copied, BTreeMap<String, String>), RunError> {
    let (mut options, mut data) = (spec.options.clone(), BTreeMap::new());
    for (name, file) in &spec.data {
        let (hash, path) = admission::copy_data(file, &paths.out).map_err(|why| match why {
            NotCopied::Source(why) => RunError::Config(format!("{} cannot be read: {why}", file.display())),
            NotCopied::Ours { what, is_shortage } => our_trouble(what, is_shortage),
        })?;
        options.insert(format!("{DATA_OPTION}{name}"), hash);
        data.insert(name.clone(), path);
    }
    Ok((copied.given(data), options))
}

fn our_trouble(what: String, is_shortage: bool) -> RunError {
    if is_shortage { RunError::Shortage(what) } else { RunError::Internal(what) }
}

/// Admits a file to play by itself or by the adapter.
fn admit(
    ladder: &Ladder,
    spec: &ClientSpec,
    paths: &Paths,
    record: &dyn Record,
) -> Result<Result<(Copied, Look), Unreadable>, RunError> {
    let (copied, look) = match copy_and_look(ladder, &spec.path, paths, record)? {
        Ok(seen) => seen,
        Err(why) => return Ok(Err(why)),
    };
    let admitted = match &paths.adapter {
        _ if is_program(&copied.files.library) => (copied, as_program(ladder, look)),
        Some(_) if look.needs_adapter() && ladder.isolation == Isolation::None => {
            let help = "play it with isolation = \"process\"";
            let message =
                format!("it needs a process of its own, which isolation = \"none\" does not give; help: {help}");
            (copied, Look { refused: Some((Cause::Classic, message)), ..look })
        }
        // A named file plays even if a library is missing: a match shows the problem best.
        Some(adapter) if look.needs_adapter() || spec.is_named_alone && look.classic => {
            let own = |why: Unreadable| RunError::Internal(format!("{}: {why}", adapter.display()));
            let (adapter, look) = copy_and_look(ladder, adapter, paths, record)?.map_err(own)?;
            (copied.played_by(adapter), look)
        }
        _ => (copied, look),
    };
    Ok(Ok(admitted))
}

/// A program plays only where the ladder allows it, and never in the server's own process.
fn as_program(ladder: &Ladder, look: Look) -> Look {
    if matches!(look.refused, Some((Cause::NotShared, _))) {
        return look; // It is none.
    }
    let what = look.as_program();
    let why = match (ladder.programs, ladder.isolation) {
        // A file with a main that was linked without -shared gets this advice as well.
        (false, _) if look.language.is_none() => format!(
            "it is {what}, not a shared library, and this ladder plays libraries only; help: build it with: cc -O2 -g \
             -shared -fPIC -I include -o client.so client.c; or, docs/guides/programs.md says what [run] programs = true opens"
        ),
        (false, _) => format!(
            "it is {what}, and this ladder plays compiled libraries only; help: docs/guides/programs.md says what \
             [run] programs = true opens"
        ),
        (true, Isolation::None) => {
            "it is a program, which needs a process of its own, and isolation = \"none\" gives none; \
                                    help: play it with isolation = \"process\""
                .to_owned()
        }
        (true, _) => return look,
    };
    let cause = if look.language.is_some() { Cause::Text } else { Cause::NotShared };
    Look { refused: Some((cause, why)), ..look }
}

/// Copies a file, and examines it unless this version of agon did so before. Results that another look might change are
/// not kept.
fn copy_and_look(
    ladder: &Ladder,
    file: &Path,
    paths: &Paths,
    record: &dyn Record,
) -> Result<Result<(Copied, Look), Unreadable>, RunError> {
    let copied = match admission::copy(file, &paths.out) {
        Ok(copied) => copied,
        Err(NotCopied::Source(why)) => return Ok(Err(why)),
        Err(NotCopied::Ours { what, is_shortage }) => return Err(our_trouble(what, is_shortage)),
    };
    let SandboxPolicy { mode, without, libraries, runtimes } = &ladder.sandbox;
    let has_opened = !(libraries.is_empty() && runtimes.is_empty());
    let opened = if has_opened { format!(" {libraries:?} {runtimes:?}") } else { String::new() };
    let context = format!("{} by bytes {mode:?} {without:?}{opened}", env!("CARGO_PKG_VERSION"));
    if let Some(look) = record.look(&copied.hash, &context)? {
        return Ok(Ok((copied, look)));
    }
    reach_opened(&ladder.sandbox).map_err(|error| RunError::Shortage(error.to_string()))?;
    let patience = Duration::from_micros(guard_us(Some(ladder.time.load_us), 1)).min(PATIENCE);
    let bounds = LookBounds { patience, memory: ladder.limits.memory };
    // A look is not named as slow: a client that hangs while it is opened says nothing of a disk.
    let look = admission::look(paths, &copied.files.library, &ladder.sandbox, bounds)
        .map_err(|error| our_trouble(format!("looking at {}: {error}", file.display()), is_shortage(&error)))?;
    if look.lasts() {
        record.keep_look(&copied.hash, &context, &look)?;
    }
    Ok(Ok((copied, look)))
}

/// A named file plays even if its examination failed for a cause that a match shows better. The admission program does
/// not decide which games exist.
fn refusal(look: &Look, facts: &Facts, is_named_alone: bool) -> Option<String> {
    match look.why_refused(Some(facts.name)) {
        Some((cause, _)) if is_named_alone && cause == Cause::Unseen => None,
        Some((cause, _)) if cause == Cause::UnknownGame && look.game.as_deref() == Some(facts.name) => None,
        Some((_, message)) => Some(message),
        None if look.game.as_deref().is_some_and(|game| game != facts.name) => {
            let game = look.game.as_deref().unwrap_or_default();
            Some(format!("it plays {game}, not {}; help: name it in a match of its own game", facts.name))
        }
        None => None,
    }
}

/// The line-ups, as far as the ladder fixes them before it begins.
pub(super) fn find_lineups(ladder: &Ladder, entrants: &[Entrant]) -> Result<Lineups, RunError> {
    let find = |label: &String| {
        entrants.iter().position(|entrant| entrant.label == *label && !entrant.is_late()).ok_or_else(|| {
            RunError::Config(format!("the ladder names {label}, which is not a client of this ladder's game"))
        })
    };
    let all = |labels: &[String]| labels.iter().map(find).collect::<Result<Vec<usize>, RunError>>();
    let seats = ladder.seats;
    let playing: Vec<usize> = (0..entrants.len()).filter(|&index| entrants[index].refused.is_none()).collect();
    if ladder.lineups.is_empty() && playing.len() < seats {
        return Err(too_few(ladder, entrants));
    }
    match &ladder.system {
        System::RoundRobin if !ladder.lineups.is_empty() => {
            Ok(Lineups::Named(ladder.lineups.iter().map(|lineup| all(lineup)).collect::<Result<_, _>>()?))
        }
        System::RoundRobin => Ok(Lineups::Sets { of: playing, seats }),
        System::PartialRoundRobin { rounds } => {
            let mut of = playing;
            of.sort_by_key(|&index| entrants[index].team());
            Ok(Lineups::Partial { of, seats, rounds: *rounds })
        }
        System::Gauntlet(labels) => {
            let named = all(labels)?;
            let (base, others) = playing.into_iter().partition(|index| named.contains(index));
            let gauntlet = Lineups::Gauntlet { base, others, seats };
            if gauntlet.count() == 0 {
                let labels = some_of(labels);
                let what = format!("nobody is there to meet {labels}, or all of these were refused");
                return Err(RunError::NoClient(format!(
                    "{what}; help: agon ladder --dry-run shows who takes part, and why not"
                )));
            }
            Ok(gauntlet)
        }
        System::Swiss { .. } | System::Knockout { .. } | System::Continuous { .. } => Ok(Lineups::ByResults),
    }
}
