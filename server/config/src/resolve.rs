//! From a draft to a ladder: what several keys say together, with the game and the files that they name.

use super::keys::{Draft, RUNGS, TimeDraft};
use super::problem::{At, Findings, Place, Problem, did_you_mean};
use super::{Ladder, System, clients, pairing, settings, stop};
use agon_games::AnyGame;
use agon_model::{ClockKind, Isolation, SandboxMode, SandboxPolicy, TimeControl};
use std::path::Path;

/// Fills in what follows from the rest. `ladder` is where a missing key is told; `name` is used when none is given.
pub(super) fn resolve(
    draft: &Draft,
    ladder: &Place,
    name: &str,
    folder: &Path,
    games: &[&dyn AnyGame],
    findings: &mut Findings,
) -> Option<Ladder> {
    let sources = clients::find(draft, folder, ladder, findings);
    let files = sources.look();
    let isolation = draft.isolation.as_ref().map_or(Isolation::Process, |isolation| isolation.value);
    let time = time(&draft.time, isolation, findings);
    let sandbox = sandbox(draft, findings);
    let game = find_game(draft, ladder, games).map_err(|problem| findings.problems.push(problem)).ok()?;
    let seats = seats(draft, game).map_err(|problem| findings.problems.push(problem)).ok()?;
    let settings = settings::combine(&draft.options, folder, game, seats, ladder, findings);
    let lineups = clients::line_up(draft, seats, &files, findings);
    let (system, openings, seeding) = pairing::resolve(draft, (seats, settings.len()), ladder, findings);
    let stop = stop::resolve(&draft.stop, &system, findings);
    if let (System::Gauntlet(_), Some(gauntlet)) = (&system, &draft.pairing.gauntlet) {
        clients::check_labels(&gauntlet.value, &files, findings);
    }
    if lineups.is_empty() && findings.problems.is_empty() && files.len() + draft.people < seats {
        findings.problems.push(too_few(files.len(), seats, draft, ladder));
    }
    if draft.seed.is_some() && game.facts().hidden {
        findings.warnings.push("the seed is given: whoever knows it can compute the deals".to_owned());
    }
    Some(Ladder {
        name: draft.name.clone().unwrap_or_else(|| name.to_owned()),
        game: game.facts().name.to_owned(),
        seats,
        system,
        openings,
        seeding,
        seed: draft.seed.as_ref().map(|seed| seed.value),
        settings,
        clients: files,
        sources,
        closing: draft.closing,
        lineups,
        time,
        limits: draft.limits.clone(),
        isolation,
        sandbox,
        stop,
        jobs: draft.jobs,
        retry: draft.retry,
        disable_after: draft.disable_after,
        watch: draft.watch,
        logs: draft.logs,
        points: draft.points,
        out: folder.join(&draft.out),
        warnings: std::mem::take(&mut findings.warnings),
    })
}

fn find_game<'a>(draft: &Draft, ladder: &Place, games: &[&'a dyn AnyGame]) -> Result<&'a dyn AnyGame, Problem> {
    let names = games.iter().map(|game| game.facts().name);
    let Some(wanted) = &draft.game else {
        let list = names.collect::<Vec<_>>().join(", ");
        return Err(Problem::new(ladder, "[ladder] has no game", format!("add game = \"NAME\"; there is: {list}")));
    };
    let found = games.iter().find(|game| game.facts().name == wanted.value).copied();
    let unknown = || format!("unknown game \"{}\"", wanted.value);
    found.ok_or_else(|| Problem::new(&wanted.place, unknown(), did_you_mean(&wanted.value, names)))
}

fn seats(draft: &Draft, game: &dyn AnyGame) -> Result<usize, Problem> {
    let facts = game.facts();
    let (fewest, most) = facts.seats;
    match &draft.seats {
        Some(seats) if !(fewest..=most).contains(&seats.value) => {
            let range = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
            let what = format!("{} is played by {range}, not by {}", facts.title, seats.value);
            Err(Problem::new(&seats.place, what, format!("write seats = {fewest}, or leave the key out")))
        }
        Some(seats) => Ok(seats.value),
        None => Ok(fewest),
    }
}

fn too_few(files: usize, seats: usize, draft: &Draft, ladder: &Place) -> Problem {
    let place = draft.clients.as_ref().and_then(|globs| globs.first()).map_or(ladder, |glob| &glob.place);
    let count = if files == 1 { "only 1 client takes".to_owned() } else { format!("{files} clients take") };
    let what = format!("{count} part, and a match has {seats} different ones");
    Problem::new(place, what, "add clients, or let some play several seats: lineup = [\"a\", \"a\"]")
}

fn time(draft: &TimeDraft, isolation: Isolation, findings: &mut Findings) -> TimeControl {
    if let (Some(total), Some(per_move)) = (&draft.total, &draft.per_move) {
        let problem = Problem::new(&per_move.place, "[time] has total and per_move", "choose one");
        findings.problems.push(problem.and(&total.place));
    }
    if let (Some(increment), None) = (&draft.increment, &draft.total) {
        findings.problems.push(Problem::new(
            &increment.place,
            "increment is added to total, which is not given",
            "add total = \"30s\"",
        ));
    }
    let value = |part: &Option<At<u64>>| part.as_ref().map(|at| at.value);
    let total_us = value(&draft.total);
    TimeControl {
        clock: clock(draft, isolation, findings),
        total_us,
        increment_us: value(&draft.increment).unwrap_or(0),
        per_move_us: value(&draft.per_move).or(if total_us.is_none() { Some(1_000_000) } else { None }),
        load_us: draft.load,
        initialize_us: draft.initialize,
        finalize_us: draft.finalize,
        wall_factor: draft.wall_factor,
    }
}

/// Without a process of its own a client has no processor clock of its own.
fn clock(draft: &TimeDraft, isolation: Isolation, findings: &mut Findings) -> ClockKind {
    match (&draft.clock, isolation) {
        (Some(clock), Isolation::None) if clock.value == ClockKind::Cpu => {
            let what = "isolation \"none\" has no processor clock of a client's own";
            findings.problems.push(Problem::new(&clock.place, what, "write clock = \"wall\", or leave it out"));
            ClockKind::Wall
        }
        (Some(clock), _) => clock.value,
        (None, Isolation::None) => ClockKind::Wall,
        (None, _) => ClockKind::Cpu,
    }
}

/// The rungs left out come out in one order and once each, so that the same wish is the same record.
fn sandbox(draft: &Draft, findings: &mut Findings) -> SandboxPolicy {
    if let (SandboxMode::Strict, Some(rung)) = (draft.mode, draft.without.first()) {
        let what = format!("sandbox \"strict\" asks for every rung, and without leaves \"{}\" out", rung.value);
        findings.problems.push(Problem::new(&rung.place, what, "write sandbox = \"auto\", or leave out without"));
    }
    if let (SandboxMode::Strict, Some(isolation)) = (draft.mode, draft.isolation.as_ref())
        && isolation.value == Isolation::None
    {
        let what = "sandbox \"strict\" asks for every rung, and isolation \"none\" has no sandbox";
        findings.problems.push(Problem::new(&isolation.place, what, "write isolation = \"process\" or \"reuse\""));
    }
    let left_out = RUNGS.iter().filter(|rung| draft.without.iter().any(|without| without.value == **rung));
    SandboxPolicy { mode: draft.mode, without: left_out.map(|rung| (*rung).to_owned()).collect() }
}
