//! The results of a client's matches as steps.

use super::steps::{CheckReport, StepName, StepOutcome};
use super::trials::{Trial, Trials};
use agon_abi::Layer;
use agon_command::Failure;
use agon_model::units::{about_size, show_duration, show_size};
use agon_model::{Charset, Ending, Fault, FaultKind, Notice, NoticeKind, Output, Phase, SeatResult, Stream, counted};
use agon_playback::picture;
use strum::VariantArray;

/// Whether there is more to be seen after this match.
pub fn goes_on(trial: &Trial) -> bool {
    is_played(trial) && faults(trial).all(|(_, fault)| may_decline(trial, fault))
}

fn is_played(trial: &Trial) -> bool {
    void_cause(trial).is_none()
}

/// Its own faults, with the seat.
pub fn faults(trial: &Trial) -> impl Iterator<Item = (usize, &Fault)> {
    let seats = trial.played.seats.iter().enumerate();
    seats
        .filter_map(|(seat, result)| Some((seat, result.fault.as_ref()?)))
        .filter(|(seat, _)| trial.seats.contains(seat))
}

/// A client may be made for some boards only.
fn may_decline(trial: &Trial, fault: &Fault) -> bool {
    fault.kind == FaultKind::Declined && !trial.is_usual
}

/// Adds the steps that matches show.
pub fn tell(checked: &mut CheckReport, trials: &[Trial], wanted: u64) {
    if let Some(cause) = why_unplayed(trials) {
        tell_unplayed(checked, cause);
        return;
    }
    let fatal = trials.iter().flat_map(|trial| faults(trial).map(move |(seat, fault)| (trial, seat, fault)));
    let fatal = fatal.filter(|(trial, _, fault)| !may_decline(trial, fault)).last();
    let failed_at = fatal.map(|(trial, seat, fault)| step_of(trial, seat, fault));
    tell_name(checked, trials);
    let is_program = checked.steps.iter().any(|step| step.step == StepName::Interpreter);
    for step in [StepName::Initialize, StepName::FirstMove, StepName::Matches] {
        if let Some((trial, seat, fault)) = fatal.filter(|_| failed_at == Some(step)) {
            checked.add(step, StepOutcome::failed(&message(fault)));
            checked.details.extend(details(trial, seat, fault));
            return;
        }
        let answers = if is_program { "it answers the setup" } else { "it returns 0" };
        checked.add(step, well(step, trials, wanted, answers));
    }
    checked.add(StepName::Time, time(trials));
    checked.add(StepName::Memory, memory(trials, is_program));
    checked.add(StepName::Manners, manners(trials));
    if let Some((trial, seat)) = in_finalize(trials) {
        checked.details.extend(where_and_said(trial, seat));
    }
}

/// The machine's reason, where it let no match be played.
fn why_unplayed(trials: &[Trial]) -> Option<&str> {
    if trials.iter().any(|trial| is_played(trial) || faults(trial).next().is_some()) {
        return None;
    }
    trials.iter().find_map(void_cause)
}

/// Nothing was seen of the steps that a match shows.
fn tell_unplayed(checked: &mut CheckReport, cause: &str) {
    checked.is_unplayed = true;
    checked.details.push(format!("no match was played, for a reason of this machine: {cause}"));
    let is_new = |step: &StepName, checked: &CheckReport| !checked.steps.iter().any(|known| known.step == *step);
    for step in StepName::VARIANTS.iter().filter(|step| **step >= StepName::Name) {
        if is_new(step, checked) {
            checked.add(*step, StepOutcome::not_looked_at());
        }
    }
}

fn void_cause(trial: &Trial) -> Option<&str> {
    match &trial.played.ending {
        Ending::Void(cause) | Ending::Shortage(cause) => Some(cause),
        _ => None,
    }
}

/// The referee's message about a fault, and where to look for the cause.
fn message(fault: &Fault) -> String {
    let help = match fault.kind {
        FaultKind::IllegalMove if !fault.message.contains("; help: ") => {
            "; help: compare the position below with your own board: are all moves applied to it? agon rules GAME explains the rule in brackets"
        }
        _ => "",
    };
    format!("{}: {}{help}", fault.kind.name(), shown_here(&fault.message))
}

/// A check keeps nothing for `agon show`, and tells what the client printed itself.
fn shown_here(message: &str) -> String {
    message.replace("(agon show prints them)", "(below, behind \"stderr:\")")
}

/// The first match in whose last call, `finalize`, something went wrong, and the seat.
pub fn in_finalize(trials: &[Trial]) -> Option<(&Trial, usize)> {
    let is_it = |trial: &Trial, seat: usize| {
        trial.played.seats[seat].notices.iter().any(|notice| notice.kind == NoticeKind::Finalize)
    };
    let mut all = trials.iter().flat_map(|trial| trial.seats.iter().map(move |seat| (trial, *seat)));
    all.find(|(trial, seat)| is_it(trial, *seat))
}

/// The step that a fault belongs to.
fn step_of(trial: &Trial, seat: usize, fault: &Fault) -> StepName {
    let has_moved = trial.played.steps.iter().any(|step| step.seat == seat && step.by_client);
    match fault.phase {
        Phase::Load | Phase::Initialize | Phase::Name => StepName::Initialize,
        Phase::Play if !has_moved => StepName::FirstMove,
        _ => StepName::Matches,
    }
}

/// The match, and the client's last output.
fn where_and_said(trial: &Trial, seat: usize) -> Vec<String> {
    let said = trial.last_words(seat, 5).into_iter().map(|line| format!("stderr: {line}"));
    std::iter::once(format!("in {}", trial.words)).chain(said).collect()
}

/// The match, the client's last output, and the position.
fn details(trial: &Trial, seat: usize, fault: &Fault) -> Vec<String> {
    let mut lines = where_and_said(trial, seat);
    if fault.phase == Phase::Play {
        let scene = trial.last.scene(None, agon_games::Language::English);
        lines.push(format!("the position, in which seat {} was asked:", seat + 1));
        lines.extend(picture(&scene, 100, Charset::Ascii).iter().map(|line| format!("  {}", line.plain().trim_end())));
    }
    lines
}

/// The name that it gave in matches, where the look did not hear it. One that went wrong before was not asked.
fn tell_name(checked: &mut CheckReport, trials: &[Trial]) {
    let results = || trials.iter().flat_map(|trial| trial.seats.iter().map(|seat| &trial.played.seats[*seat]));
    let bad = results().flat_map(|result| &result.notices).find(|notice| notice.kind == NoticeKind::BadName);
    checked.steps.retain(|step| step.step != StepName::Name || bad.is_none());
    if let Some(notice) = bad {
        checked.add(StepName::Name, StepOutcome::note(&notice.message));
    } else if !checked.steps.iter().any(|step| step.step == StepName::Name) {
        let has_told = |result: &&SeatResult| result.fault.as_ref().is_none_or(|fault| fault.phase > Phase::Name);
        let name = results().filter(has_told).map(|result| result.told_name.as_str()).find(|name| !name.is_empty());
        checked.add(
            StepName::Name,
            match name {
                Some(name) => StepOutcome::ok(format!("\"{name}\"")),
                None if results().any(|result| has_told(&result)) => StepOutcome::ok("it gives none"),
                None => StepOutcome::Skipped { what: "not asked: it did not get that far".to_owned() },
            },
        );
    }
}

fn well(step: StepName, trials: &[Trial], wanted: u64, answers: &str) -> StepOutcome {
    let declined = trials.iter().find_map(|trial| {
        let fault = faults(trial).map(|(_, fault)| fault).find(|fault| may_decline(trial, fault))?;
        Some((trial, fault))
    });
    let void = trials.iter().find_map(void_cause);
    match (step, declined, void) {
        (StepName::Initialize, Some((trial, fault)), _) => StepOutcome::note(&format!(
            "in {}: {}; help: where a ladder plays that, it loses these matches",
            trial.words,
            fault.message.split("; help: ").next().unwrap_or_default()
        )),
        (StepName::Matches, _, Some(cause)) => {
            StepOutcome::note(&format!("one was not played, for a reason of this machine: {cause}"))
        }
        (StepName::Matches, ..) => {
            let plies: u32 = trials.iter().map(|trial| trial.played.plies()).sum();
            let count = trials.len();
            let turns = counted(plies.into(), "turn", "turns");
            let what = format!("{count} of {wanted} played, {turns}, no fault");
            let is_short = (count as u64) < wanted;
            let more = match dawdling(trials) {
                Some(_) => "; help: it waits instead of computing: see its time",
                None => {
                    "; help: slow moves of a search are well, and --patience 600 plays the rest; where a loop waits for \
                     a clock, remove it"
                }
            };
            if is_short { StepOutcome::note(&format!("{what}{more}")) } else { StepOutcome::ok(what) }
        }
        (StepName::FirstMove, ..) => StepOutcome::ok("legal"),
        _ => StepOutcome::ok(answers),
    }
}

/// The percentage of a limit from which its use is reported.
const NEAR: u64 = 80;

fn time(trials: &[Trial]) -> StepOutcome {
    if let Some(notice) = dawdling(trials) {
        return StepOutcome::note(&format!("{}: {}", notice.kind.name(), notice.message));
    }
    let usage = trials.iter().flat_map(|trial| trial.seats.iter().map(|seat| &trial.played.seats[*seat].usage));
    let slowest = usage.map(|usage| usage.slowest_us).max().unwrap_or(0);
    let control = trials.first().map(|trial| trial.ad_hoc.terms().time.clone());
    let limit = control.as_ref().and_then(|time| time.per_move_us.or(time.total_us)).unwrap_or(u64::MAX);
    let shown = if slowest < 1000 { "less than 1ms".to_owned() } else { show_duration(slowest / 1000 * 1000) };
    let what = format!("the slowest move took {shown} of {}", show_duration(limit));
    if slowest > limit / 100 * NEAR {
        StepOutcome::note(&format!("{what}; help: leave a margin: another machine is slower"))
    } else {
        StepOutcome::ok(what)
    }
}

fn memory(trials: &[Trial], is_program: bool) -> StepOutcome {
    let usage = trials.iter().flat_map(|trial| trial.seats.iter().map(|seat| &trial.played.seats[*seat].usage));
    let peak = usage.map(|usage| usage.memory).max().unwrap_or(0);
    let limit = trials.first().map_or(u64::MAX, |trial| trial.ad_hoc.terms().limits.memory);
    let what = format!("at most {} of {}", about_size(peak), show_size(limit));
    if peak > limit / 100 * NEAR {
        let memory = if is_program { "setup.head.memory" } else { "setup->head.memory" };
        StepOutcome::note(&format!("{what}; help: bound your tables by {memory}"))
    } else {
        StepOutcome::ok(what)
    }
}

/// All notices to the client.
fn notices(trials: &[Trial]) -> impl Iterator<Item = &Notice> {
    trials.iter().flat_map(|trial| trial.seats.iter().flat_map(move |seat| &trial.played.seats[*seat].notices))
}

/// That it sleeps or waits where it should compute.
fn dawdling(trials: &[Trial]) -> Option<&Notice> {
    notices(trials).find(|notice| notice.kind == NoticeKind::Dawdling)
}

fn manners(trials: &[Trial]) -> StepOutcome {
    let told = |notice: &&Notice| {
        use NoticeKind::{BadName, Dawdling, KeptWaiting, MissingLayer};
        !matches!(notice.kind, BadName | MissingLayer | KeptWaiting | Dawdling)
    };
    match notices(trials).find(told) {
        Some(notice) => StepOutcome::note(&format!("{}: {}", notice.kind.name(), shown_here(&notice.message))),
        None => unseen_manners(trials).unwrap_or_else(|| {
            let what = "no denied file, no flood of output";
            StepOutcome::ok(format!("{what}{}", printed(trials)))
        }),
    }
}

/// A remark where a layer that would refuse something does not hold.
fn unseen_manners(trials: &[Trial]) -> Option<StepOutcome> {
    let seats = || trials.iter().flat_map(|trial| trial.seats.iter().map(|seat| &trial.played.seats[*seat]));
    let is_missing = |layer: &&Layer| seats().any(|seat| !seat.layers.iter().any(|held| held == layer.name()));
    let missing: Vec<&str> = Layer::ALL.iter().filter(is_missing).map(|layer| layer.name()).collect();
    let (layers, verb) = (missing.join(" and "), if missing.len() == 1 { "does" } else { "do" });
    (!missing.is_empty()).then(|| {
        StepOutcome::note(&format!(
            "no flood of output; {layers} {verb} not hold here, so agon cannot see what the sandbox would refuse{}; help: agon \
             doctor says more; check it on a machine with all layers, too",
            printed(trials)
        ))
    })
}

/// The advice about a client's output: how much it printed, and where to read it.
fn printed(trials: &[Trial]) -> String {
    let outputs = trials.iter().flat_map(|trial| {
        let is_own = move |output: &&Output| output.stream != Stream::Log && trial.seats.contains(&output.seat);
        trial.played.outputs.iter().filter(is_own)
    });
    match outputs.map(|output| output.text.lines().count()).sum::<usize>() {
        0 => String::new(),
        lines => format!(
            "; it printed {} in these matches: of a match, agon show ID shows them",
            counted(lines as u64, "line", "lines")
        ),
    }
}

/// The longest match that did not take long, again: with the same seed it should go the same way.
pub fn tell_same_again(checked: &mut CheckReport, trials: &Trials<'_>, played: &[Trial]) -> Result<(), Failure> {
    const LONGEST_US: u64 = 10_000_000;
    let quick = played.iter().enumerate().filter(|(_, trial)| trial.played.wall_us < LONGEST_US && is_played(trial));
    let Some((number, before)) = quick.max_by_key(|(_, trial)| trial.played.steps.len()) else {
        let what = "its matches take too long to play one twice".to_owned();
        checked.add(StepName::SameAgain, StepOutcome::Skipped { what });
        return Ok(());
    };
    let again = trials.play(number)?;
    let moves = |trial: &Trial| -> Vec<_> { trial.played.steps.iter().map(|step| (step.seat, step.mv)).collect() };
    let (before_moves, again_moves) = (moves(before), moves(&again));
    let (name, how) = before.words.split_once(": ").unwrap_or((&before.words, ""));
    let outcome = match before_moves.iter().zip(&again_moves).position(|(then, now)| then != now) {
        None if before_moves.len() == again_moves.len() => {
            StepOutcome::ok(format!("{name}, played twice, gives the same {} turns ({how})", before.played.plies()))
        }
        place => {
            let ply =
                place.and_then(|place| before.played.steps.get(place)).map_or(before.played.plies(), |step| step.ply);
            StepOutcome::note(&format!(
                "{} went another way when it was played again, from turn {} on; help: that is fair, but hard to debug: draw \
                 from setup->head.seed rather than from time(), bound the search by its nodes rather than by time, and look for \
                 variables that are never set (cc -Wall -Wextra, agon check --valgrind)",
                before.words,
                ply + 1
            ))
        }
    };
    checked.add(StepName::SameAgain, outcome);
    Ok(())
}
