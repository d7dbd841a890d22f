//! From a builder to a ladder: what several keys say together, with the game and the files that they name.

use super::builder::{LadderBuilder, TimeBuilder};
use super::keys::LAYERS;
use super::problem::{At, Findings, Location, Problem};
use super::{adjudication, clients, opened, pairing, settings, stop, unmatched};
use agon_files::patterns::find_files;
use agon_games::AnyGame;
use agon_model::{
    ClockKind, Isolation, Ladder, SandboxMode, SandboxPolicy, System, TimeControl, TimeWords, did_you_mean,
    named_if_slow,
};
use std::path::Path;

/// Fills in all that follows from the rest. A missing key is reported at `ladder`; `name` is the default.
#[expect(clippy::too_many_lines)]
pub(super) fn resolve(
    builder: &LadderBuilder,
    ladder: &Location,
    name: &str,
    folder: &Path,
    games: &[&dyn AnyGame],
    findings: &mut Findings,
) -> Option<Ladder> {
    let sources = clients::find(builder, folder, ladder, findings);
    let files = find_files(&sources);
    let isolation = builder.isolation.as_ref().map_or(Isolation::Process, |isolation| isolation.value);
    let time = time_control(&builder.time, isolation, findings);
    let sandbox = sandbox(builder, findings);
    let what = || "the folders that [run] libraries and runtimes open".to_owned();
    let sandbox = named_if_slow(what, || opened::resolve(builder, (folder, &files), sandbox, findings));
    let game = find_game(builder, ladder, games).map_err(|problem| findings.problems.push(problem)).ok()?;
    let seats = seats_of(builder, game).map_err(|problem| findings.problems.push(problem)).ok()?;
    let settings = settings::combine(&builder.options, folder, game, seats, ladder, findings);
    let adjudication = adjudication::resolve(&builder.adjudication, (game, seats, &settings), ladder, findings);
    let lineups = clients::line_up(builder, seats, &files, findings);
    let (system, openings, seeding) = pairing::resolve(builder, (seats, settings.len()), ladder, findings);
    let stop = stop::resolve(&builder.stop, &system, findings);
    let mut found = Ladder {
        name: builder.name.clone().unwrap_or_else(|| name.to_owned()),
        game: game.facts().name.to_owned(),
        seats,
        system,
        openings,
        seeding,
        seed: builder.seed.as_ref().map(|seed| seed.value),
        settings,
        clients: files,
        sources,
        closing: builder.closing,
        lineups,
        needs_all: false,
        time,
        adjudication,
        limits: builder.limits.clone(),
        isolation,
        sandbox,
        stop,
        jobs: builder.jobs,
        speed: None,
        retry: builder.retry,
        audits: builder.audits,
        bench_after: builder.bench_after,
        watch: builder.watch,
        programs: builder.programs,
        logs: builder.logs,
        points: builder.points,
        out: folder.join(&builder.out),
        record: builder.record(folder),
        warnings: Vec::new(),
    };
    check(&found, builder, ladder, game.facts().hidden, findings);
    found.warnings.append(&mut findings.warnings);
    Some(found)
}

/// Checks what several keys and the clients that were found say together.
fn check(found: &Ladder, builder: &LadderBuilder, place: &Location, is_hidden: bool, findings: &mut Findings) {
    let Ladder { clients: files, sources, .. } = found;
    if let (System::Gauntlet(_), Some(gauntlet)) = (&found.system, &builder.pairing.gauntlet) {
        clients::check_labels(&gauntlet.value, &builder.named, files, findings);
    }
    if found.lineups.is_empty() && findings.problems.is_empty() && files.len() + builder.people < found.seats {
        findings.problems.push(too_few(found, builder, place));
    }
    findings.warnings.extend(unmatched::passed_over_by(files, sources));
    if builder.seed.is_some() && is_hidden {
        findings.warnings.push("the seed is given: anyone who knows it can compute the deals".to_owned());
    }
}

fn find_game<'a>(
    builder: &LadderBuilder,
    ladder: &Location,
    games: &[&'a dyn AnyGame],
) -> Result<&'a dyn AnyGame, Problem> {
    let names = games.iter().map(|game| game.facts().name);
    let Some(wanted) = &builder.game else {
        let list = names.collect::<Vec<_>>().join(", ");
        return Err(Problem::new(ladder, "[ladder] has no game", format!("add game = \"NAME\"; there are: {list}")));
    };
    let found = games.iter().find(|game| game.facts().name == wanted.value).copied();
    let unknown = || format!("unknown game \"{}\"", wanted.value);
    found.ok_or_else(|| Problem::new(&wanted.place, unknown(), did_you_mean(&wanted.value, names)))
}

fn seats_of(builder: &LadderBuilder, game: &dyn AnyGame) -> Result<usize, Problem> {
    let facts = game.facts();
    let (fewest, most) = facts.seats;
    match &builder.seats {
        Some(seats) if !(fewest..=most).contains(&seats.value) => {
            let range = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
            let what = format!("{} is played by {range}, not by {}", facts.title, seats.value);
            let help = match &seats.place {
                Location::Word(_) if seats.value > most => {
                    format!("name {range} clients; to let all clients play each other, use agon ladder")
                }
                Location::Word(_) => format!("name {range} clients"),
                _ => format!("write seats = {fewest}, or leave the key out"),
            };
            Err(Problem::new(&seats.place, what, help))
        }
        Some(seats) => Ok(seats.value),
        None => Ok(fewest),
    }
}

fn too_few(Ladder { clients, sources, seats, .. }: &Ladder, builder: &LadderBuilder, ladder: &Location) -> Problem {
    let files = clients.len();
    let place = builder.clients.as_ref().and_then(|globs| globs.first()).map_or(ladder, |glob| &glob.place);
    let count = if files == 1 { "only 1 client takes".to_owned() } else { format!("{files} clients take") };
    let what = format!("{count} part, and a match has {seats} different ones");
    let help = "add clients, or let some play several seats: lineup = [\"a\", \"a\"]".to_owned();
    let unmatched = unmatched::sentences(&unmatched::find(clients, sources), sources).into_iter();
    Problem::new(place, what, unmatched.fold(help, |help, sentence| help + "\n  " + &sentence))
}

fn time_control(builder: &TimeBuilder, isolation: Isolation, findings: &mut Findings) -> TimeControl {
    if let (Some(total), Some(per_move)) = (&builder.total, &builder.per_move) {
        let problem = Problem::new(&per_move.place, "[time] has total and per_move", "choose one");
        findings.problems.push(problem.and(&total.place));
    }
    let without_total = |place: &Location, what: &str| Problem::new(place, what, "add total = \"30s\"");
    if builder.total.is_none() && builder.tc.is_none() {
        let increment =
            builder.increment.as_ref().map(|at| (&at.place, "increment is added to total, which is not given"));
        let period = builder.period.as_ref().map(|at| (&at.place, "period is of total, which is not given"));
        findings.problems.extend(increment.into_iter().chain(period).map(|(place, what)| without_total(place, what)));
    }
    let TimeWords { total: total_us, increment: increment_us, period, per_move: per_move_us } =
        budgets(builder, findings);
    TimeControl {
        clock: clock(builder, isolation, findings),
        total_us,
        increment_us: increment_us.unwrap_or(0),
        period,
        per_move_us: per_move_us.or(if total_us.is_none() { Some(1_000_000) } else { None }),
        load_us: builder.load,
        initialize_us: builder.initialize,
        finalize_us: builder.finalize,
        wall_factor: builder.wall_factor,
        scale: builder.scale,
    }
}

/// The time control of `tc`, or of the four keys for the same.
fn budgets(builder: &TimeBuilder, findings: &mut Findings) -> TimeWords {
    let value = |part: &Option<At<u64>>| part.as_ref().map(|at| at.value);
    let Some(tc) = &builder.tc else {
        let [total, increment, per_move] = [&builder.total, &builder.increment, &builder.per_move].map(value);
        return TimeWords { total, increment, period: builder.period.as_ref().map(|at| at.value), per_move };
    };
    let others = [&builder.total, &builder.increment, &builder.per_move].map(|part| part.as_ref().map(|at| &at.place));
    let others = others.into_iter().chain([builder.period.as_ref().map(|at| &at.place)]);
    if let Some(other) = others.flatten().next() {
        let what = "tc says what total, increment, period and per_move say";
        findings.problems.push(Problem::new(&tc.place, what, "choose one").and(other));
    }
    tc.value
}

/// Without a process of its own a client has no processor clock of its own.
fn clock(builder: &TimeBuilder, isolation: Isolation, findings: &mut Findings) -> ClockKind {
    match (&builder.clock, isolation) {
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

/// The layers left out come out in one order and once each, so that the same wish is the same record.
fn sandbox(builder: &LadderBuilder, findings: &mut Findings) -> SandboxPolicy {
    if let (SandboxMode::Strict, Some(layer)) = (builder.mode, builder.without.first()) {
        let what = format!("sandbox \"strict\" asks for every layer, and without leaves \"{}\" out", layer.value);
        findings.problems.push(Problem::new(&layer.place, what, "write sandbox = \"auto\", or leave out without"));
    }
    if let (SandboxMode::Strict, Some(isolation)) = (builder.mode, builder.isolation.as_ref())
        && isolation.value == Isolation::None
    {
        let what = "sandbox \"strict\" asks for every layer, and isolation \"none\" has no sandbox";
        findings.problems.push(Problem::new(&isolation.place, what, "write isolation = \"process\" or \"reuse\""));
    }
    let left_out = LAYERS.iter().filter(|layer| builder.without.iter().any(|without| without.value == **layer));
    SandboxPolicy {
        mode: builder.mode,
        without: left_out.map(|layer| (*layer).to_owned()).collect(),
        ..SandboxPolicy::default()
    }
}
