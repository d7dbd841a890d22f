//! The results of admission as steps.

use super::steps::{CheckReport, StepName, StepOutcome};
use agon_abi::Cause;
use agon_arena::admission::{self, LookBounds, PATIENCE};
use agon_command::{Failure, find_paths};
use agon_games::{AnyGame, Facts};
use agon_model::units::about_size;
use agon_model::{Look, SandboxPolicy};
use agon_player::program::{Interpreter, is_program, why_library};
use std::path::Path;

/// The step that fails when admission refuses a file, by its cause.
const CAUSES: [(StepName, &[Cause]); 7] = [
    (
        StepName::File,
        &[
            Cause::Unreadable,
            Cause::Empty,
            Cause::Text,
            Cause::NotElf,
            Cause::Truncated,
            Cause::Malformed,
            Cause::NotShared,
        ],
    ),
    (StepName::Computer, &[Cause::Bits32, Cause::OtherMachine]),
    (StepName::Functions, &[Cause::MissingFunction, Cause::Mangled, Cause::Hidden]),
    (StepName::Descriptor, &[Cause::NoMacro, Cause::NoDescriptor, Cause::Classic]),
    (
        StepName::Libraries,
        &[Cause::MissingLibrary, Cause::UndefinedSymbol, Cause::NotLoadable, Cause::Sanitizer, Cause::Machine],
    ),
    (StepName::Opening, &[Cause::Unseen, Cause::Other]),
    (StepName::Contract, &[Cause::OtherAbi, Cause::OtherGame, Cause::OtherLayout, Cause::UnknownGame]),
];

/// Looks at the copy in the sandbox; the game, where it can play one.
pub fn look(
    checked: &mut CheckReport,
    copy: &Path,
    size: u64,
    (wanted, sandbox): (Option<&str>, &SandboxPolicy),
    games: &[&dyn AnyGame],
) -> Result<Option<&'static Facts>, Failure> {
    if is_program(copy) {
        return Ok(look_at_program(checked, copy, size, (wanted, sandbox), games));
    }
    let paths = find_paths(copy.parent().unwrap_or(Path::new(".")))?;
    let bounds = LookBounds { patience: PATIENCE, memory: admission::MEMORY };
    let see = |file: &Path| {
        let seen = file.canonicalize().and_then(|file| admission::look(&paths, &file, sandbox, bounds));
        seen.map_err(Failure::trouble)
    };
    let mut look = see(copy)?;
    let adapter = paths.adapter.as_ref().filter(|_| look.needs_adapter());
    let is_classic = adapter.is_some();
    if let Some(adapter) = adapter {
        look = see(adapter)?;
    }
    let refused = refusal(&look, wanted, games);
    let failed_at = refused.as_ref().map(|(step, _)| *step);
    for (step, _) in CAUSES {
        if failed_at == Some(step) {
            let message = refused.map(|(_, message)| message).unwrap_or_default();
            checked.add(step, StepOutcome::failed(&message));
            return Ok(None);
        }
        checked.add(step, passed(step, &look, size, is_classic));
    }
    checked.game.clone_from(&look.game);
    if let Some(name) = &look.name {
        checked.add(StepName::Name, StepOutcome::ok(format!("\"{name}\"")));
    }
    let game = games.iter().find(|game| Some(game.facts().name) == look.game.as_deref());
    Ok(game.map(|game| game.facts()))
}

/// Little can be seen of a program before it plays.
fn look_at_program(
    checked: &mut CheckReport,
    file: &Path,
    size: u64,
    (wanted, sandbox): (Option<&str>, &SandboxPolicy),
    games: &[&dyn AnyGame],
) -> Option<&'static Facts> {
    if let Ok(Some(why)) = why_library(file) {
        checked.add(StepName::File, StepOutcome::failed(why));
        return None;
    }
    checked.add(StepName::File, StepOutcome::ok(format!("a program, {}", about_size(size))));
    let interpreter = match Interpreter::of(file, &sandbox.runtimes) {
        Ok(program) => program.interpreter(),
        Err(why) => {
            checked.add(StepName::Interpreter, StepOutcome::failed(&why));
            return None;
        }
    };
    let is_script = interpreter.is_some();
    let runs = interpreter.map_or("it starts by itself".to_owned(), |name| format!("{name} runs it"));
    checked.add(StepName::Interpreter, StepOutcome::ok(runs));
    let found = games.iter().map(|game| game.facts()).find(|facts| Some(facts.name) == wanted);
    if found.is_none() {
        let names: Vec<&str> = games.iter().map(|game| game.facts().name).collect();
        let what = wanted.map_or("a program does not say which game it plays".to_owned(), |game| {
            format!("no game is called {game}")
        });
        // A source with a main and without -shared becomes a program.
        let library = if is_script { "" } else { "; if it was to be a library, build it with -shared" };
        let help = format!("name it by -g: {}{library}", names.join(", "));
        checked.add(StepName::Contract, StepOutcome::failed(&format!("{what}; help: {help}")));
    }
    checked.game = found.map(|facts| facts.name.to_owned());
    found
}

/// The step that fails, and the message of it.
fn refusal(look: &Look, wanted: Option<&str>, games: &[&dyn AnyGame]) -> Option<(StepName, String)> {
    if let Some((cause, message)) = look.why_refused(wanted) {
        let step = CAUSES.iter().find(|(_, causes)| causes.contains(&cause));
        return Some((step.map_or(StepName::Opening, |(step, _)| *step), message));
    }
    let game = look.game.as_deref().unwrap_or_default();
    if let Some(wanted) = wanted.filter(|wanted| *wanted != game) {
        let help = format!("include <agon/{wanted}.h> and end with AGON_CLIENT({wanted})");
        return Some((StepName::Contract, format!("it plays {game}, not {wanted}; help: {help}")));
    }
    if !games.iter().any(|known| known.facts().name == game) {
        let names: Vec<&str> = games.iter().map(|game| game.facts().name).collect();
        let what = format!("it plays {game}, which is not a game here; help: the games are {}", names.join(", "));
        return Some((StepName::Contract, what));
    }
    None
}

fn passed(step: StepName, look: &Look, size: u64, is_classic: bool) -> StepOutcome {
    let game = look.game.as_deref().unwrap_or_default();
    match step {
        StepName::File => StepOutcome::ok(format!("a whole shared library, {}", about_size(size))),
        StepName::Computer => StepOutcome::ok("built for a computer like this one"),
        StepName::Functions => StepOutcome::ok("get_player_name, initialize, play and finalize are there"),
        StepName::Descriptor if is_classic => StepOutcome::note(&format!(
            "it tells no game, so it is taken for a client of the original course, of {game}; help: if it was written for \
             agon, the last line of its source is missing: AGON_CLIENT({game})"
        )),
        // Of a library that cannot be opened only that it has a descriptor is seen.
        StepName::Descriptor if game.is_empty() => StepOutcome::ok("AGON_CLIENT is there".to_owned()),
        StepName::Descriptor => StepOutcome::ok(format!("AGON_CLIENT({game})")),
        StepName::Libraries => StepOutcome::ok("all that it needs is on this computer"),
        StepName::Opening => match look.notice() {
            Some(notice) => StepOutcome::note(&notice),
            None => StepOutcome::ok("it opens in the sandbox"),
        },
        _ => StepOutcome::ok("built with headers that fit this agon"),
    }
}
