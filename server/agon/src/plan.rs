//! `agon ladder --dry-run`: what would be played, and how long it may take.

use crate::progress::Progress;
use agon_command::{Failure, find_paths, status};
use agon_games::AnyGame;
use agon_model::units::show_duration;
use agon_model::visible::escape;
use agon_model::{Ladder, Seeding, Stop, System, counted};
use agon_record::Record;
use agon_tournament::schedule::Schedule;
use agon_tournament::{self as run, FirstStage, PreparedLadder};

/// The most blocks and meetings that are listed.
const MOST_SHOWN: usize = 40;

/// Shows the plan of a ladder before it is played.
pub fn show(ladder: &Ladder, record: &dyn Record, games: &[&dyn AnyGame]) -> Result<u8, Failure> {
    let paths = find_paths(&ladder.out)?;
    let mut progress = Progress::new(false);
    let (prepared, schedule) = run::plan(ladder, games, &paths, record, &mut |event| progress.tell(event))?;
    let plan = prepared.plan(&schedule);
    println!("{}", head(ladder, &schedule, plan.matches, prepared.entrants().len()));
    for setting in &ladder.settings {
        println!("  setting  {}", shown_name(&setting.name));
    }
    for entrant in prepared.entrants() {
        let word = if entrant.is_late() { "late" } else { "refused" };
        let state =
            entrant.refused.as_ref().map_or(String::new(), |message| format!("  {word}: {}", escape(message, 400)));
        println!("  client   {:<24} {}{state}", shown_name(&entrant.label), shown_name(&entrant.file));
    }
    match &plan.first {
        // Without a seed the order is not drawn before the start.
        Some(first) if ladder.seed.is_some() || ladder.seeding == Seeding::Listed => show_first(&prepared, first),
        Some(first) => {
            let meetings = first.played_meetings();
            let meetings = counted(meetings, "meeting", "meetings");
            println!("  {}  {meetings}, drawn from the seed at the start", stage_name(first));
        }
        None => show_blocks(ladder, &prepared, &schedule),
    }
    match schedule.matches_each() {
        Some((least, most)) if least == most => println!("  a client {}", counted(most, "match", "matches")),
        Some((least, most)) => println!("  a client {least} to {}", counted(most, "match", "matches")),
        None => {}
    }
    if let Some(order) = prepared.turn_order(&schedule) {
        println!("  turns    {order}");
    }
    show_stop(&ladder.stop, &schedule);
    show_benching(ladder.bench_after);
    show_record(ladder, record)?;
    println!("{}", prepared.estimate(plan.matches));
    Ok(status::DONE)
}

fn head(ladder: &Ladder, schedule: &Schedule, matches: u64, clients: usize) -> String {
    let openings = counted(ladder.openings, "opening", "openings");
    let settings = counted(ladder.settings.len() as u64, "setting", "settings");
    let meeting = format!("a meeting is {openings} x {settings}");
    let all = counted(matches, "match", "matches");
    match &ladder.system {
        System::RoundRobin | System::Gauntlet(_) => format!(
            "{} x {settings} x {openings} = {} of {} in all",
            counted(schedule.lineup_count(), "line-up", "line-ups"),
            counted(schedule.lineup_count() * (ladder.settings.len() as u64) * ladder.openings, "block", "blocks"),
            counted(schedule.scheduled_match_count(), "match", "matches"),
        ),
        System::PartialRoundRobin { rounds } => format!(
            "partial round robin of {}: {} x {settings} x {openings} = {} of {} in all",
            counted(*rounds, "round", "rounds"),
            counted(schedule.lineup_count(), "line-up", "line-ups"),
            counted(schedule.lineup_count() * (ladder.settings.len() as u64) * ladder.openings, "block", "blocks"),
            counted(schedule.scheduled_match_count(), "match", "matches"),
        ),
        System::Swiss { .. } => {
            let meetings = matches / (ladder.openings * schedule.matches_an_opening());
            let rounds = meetings / (clients as u64 / 2).max(1);
            format!("swiss of {}; {meeting}; {all} in all", counted(rounds, "round", "rounds"))
        }
        System::Knockout { playoffs } => {
            let more = format!("a tied meeting goes on at most {}", counted((*playoffs).into(), "time", "times"));
            format!("knockout; {meeting}, {more}; {all} in all without those")
        }
        System::Continuous { blocks } => {
            format!("continuous ladder of {}; {meeting}; {all} in all", counted(*blocks, "block", "blocks"))
        }
    }
}

/// Prints the rule that ends it early.
fn show_stop(stop: &Stop, schedule: &Schedule) {
    if let Some(most) = stop.matches.filter(|most| *most < schedule.scheduled_match_count()) {
        println!("  stop     matches = {most}: the first of {} matches", schedule.scheduled_match_count());
    }
    if let Some(error) = stop.error {
        println!(
            "  stop     error = {}.{:03} (a standard error, in points), or after all matches",
            error / 1000,
            error % 1000
        );
    }
    if let Some(us) = stop.time_us {
        println!("  stop     time = \"{}\"", show_duration(us));
    }
}

/// Why fewer matches may be played than there are in all.
fn show_benching(bench_after: u32) {
    if bench_after > 0 {
        println!("  benched  a client that fails in {bench_after} matches in a row: its other matches are left out");
    }
}

/// Prints how much of it has been played, and which clients are suspended.
fn show_record(ladder: &Ladder, record: &dyn Record) -> Result<(), Failure> {
    let Some(row) = record.ladder(&ladder.name)? else { return Ok(()) };
    let blocks = record.count_blocks(row.id)?;
    if blocks > 0 {
        println!("  played   {} in the record already", counted(blocks, "block is", "blocks are"));
    }
    for member in record.members(row.id)?.iter().filter(|member| member.present) {
        if let Some(suspension) = &member.suspension {
            let (label, kind) = (escape(&member.entrant.label, 64), suspension.kind.name());
            println!("  clients  {label} is {kind}: {}", escape(&suspension.why, 200));
        }
    }
    Ok(())
}

/// A name from a file or a folder, on one line.
fn shown_name(name: &str) -> String {
    escape(name, 200)
}

/// The name of a stage, such as `round 1`.
fn stage_name(first: &FirstStage) -> String {
    format!("{} {}", first.kind.name(), first.round)
}

fn show_first(prepared: &PreparedLadder, first: &FirstStage) {
    let label =
        |player: &usize| prepared.entrants().get(*player).map_or("?".to_owned(), |entrant| shown_name(&entrant.label));
    for meeting in first.meetings.iter().take(MOST_SHOWN) {
        let names: Vec<String> = meeting.iter().map(label).collect();
        let bye = if names.len() == 1 { " has a bye" } else { "" };
        println!("  {}  {}{bye}", stage_name(first), names.join(" – "));
    }
    if first.meetings.len() > MOST_SHOWN {
        println!("  … {} meetings in {}", first.meetings.len(), stage_name(first));
    }
    println!("  what follows is drawn from results");
}

fn show_blocks(ladder: &Ladder, prepared: &PreparedLadder, schedule: &Schedule) {
    for block in schedule.blocks().take(MOST_SHOWN) {
        let names: Vec<_> = block.lineup.iter().map(|&index| shown_name(&prepared.entrants()[index].label)).collect();
        let setting = shown_name(&ladder.settings[block.setting].name);
        println!("  block    {}  opening {}  {setting}", names.join(" – "), block.opening);
    }
    if schedule.block_count() > MOST_SHOWN as u64 {
        println!("  … {} blocks in all", schedule.block_count());
    }
}
