//! Reads the pairing system and its keys. A key of another system is refused rather than passed over.

use super::builder::{LadderBuilder, PairingBuilder};
use super::problem::{At, Findings, Location, Problem};
use agon_model::{Seeding, System, SystemKind};

/// How often a tied meeting of a knockout goes on, if the ladder does not say.
const PLAYOFFS: u64 = 2;

/// The system, how many openings each meeting plays, and the order of the start.
pub(super) fn resolve(
    builder: &LadderBuilder,
    (seats, settings): (usize, usize),
    ladder: &Location,
    findings: &mut Findings,
) -> (System, u64, Seeding) {
    let pairing = &builder.pairing;
    let kind = pairing.system.as_ref().map_or(SystemKind::RoundRobin, |system| system.value);
    let mut problems = foreign_keys(builder, kind);
    problems.extend(counts(pairing, kind));
    if let Some(system) = pairing.system.as_ref().filter(|system| system.value.pairs_by_results() && seats != 2) {
        let what = format!("pairing = \"{}\" pairs two clients, and a match has {seats} seats", kind.name());
        problems.push(Problem::new(&system.place, what, "write seats = 2, or pairing = \"round-robin\""));
    }
    let value = |at: &Option<At<u64>>| at.as_ref().map(|at| at.value);
    let place = pairing.system.as_ref().map_or(ladder, |system| &system.place);
    let system = match kind {
        SystemKind::RoundRobin => System::RoundRobin,
        SystemKind::PartialRoundRobin => System::PartialRoundRobin { rounds: tables(pairing, place, &mut problems) },
        SystemKind::Gauntlet => System::Gauntlet(gauntlet(pairing, place, &mut problems)),
        SystemKind::Swiss => System::Swiss { rounds: value(&pairing.rounds).map(|rounds| rounds as u32) },
        SystemKind::Knockout => System::Knockout { playoffs: value(&pairing.playoffs).unwrap_or(PLAYOFFS) as u32 },
        SystemKind::Continuous => System::Continuous { blocks: blocks(pairing, place, &mut problems) },
    };
    problems.extend(room(pairing, kind, settings as u64));
    findings.problems.extend(problems);
    let seeding = pairing.seeding.as_ref().map_or(Seeding::Drawn, |seeding| seeding.value);
    (system, value(&pairing.openings).unwrap_or(1), seeding)
}

/// Keys that mean something under another system only.
fn foreign_keys(builder: &LadderBuilder, kind: SystemKind) -> Vec<Problem> {
    let PairingBuilder { gauntlet, seeding, playoffs, blocks, .. } = &builder.pairing;
    let drawn = [SystemKind::Swiss, SystemKind::Knockout, SystemKind::Continuous];
    let keys = [
        ("lineup", builder.lineups.first().map(|at| &at.place), [SystemKind::RoundRobin].as_slice()),
        ("gauntlet", gauntlet.as_ref().map(|at| &at.place), &[SystemKind::Gauntlet]),
        ("seeding", seeding.as_ref().map(|at| &at.place), &drawn),
        ("playoffs", playoffs.as_ref().map(|at| &at.place), &[SystemKind::Knockout]),
        ("blocks", blocks.as_ref().map(|at| &at.place), &[SystemKind::Continuous]),
    ];
    let problem = |(key, place, homes): (&str, Option<&Location>, &[SystemKind])| {
        let place = place.filter(|_| !homes.contains(&kind))?;
        let names: Vec<_> = homes.iter().map(|home| format!("pairing = \"{}\"", home.name())).collect();
        let what = format!("{key} has no meaning under pairing = \"{}\"", kind.name());
        Some(Problem::new(place, what, format!("leave it out, or write {}", names.join(" or "))))
    };
    keys.into_iter().filter_map(problem).collect()
}

/// The most line-ups that everybody plays in a partial round robin.
const MOST_TABLES: u64 = 10_000;

/// The number of line-ups that everybody plays.
fn tables(pairing: &PairingBuilder, place: &Location, problems: &mut Vec<Problem>) -> u64 {
    let Some(rounds) = &pairing.rounds else {
        let what = "a partial round robin does not say how many line-ups everybody plays";
        problems.push(Problem::new(place, what, "add rounds = 20; it may grow later"));
        return 1;
    };
    rounds.value
}

/// `rounds` are those of a Swiss and of a partial round robin.
fn counts(pairing: &PairingBuilder, kind: SystemKind) -> Option<Problem> {
    const MOST_ROUNDS: u64 = 1_000;
    let rounds = pairing.rounds.as_ref()?;
    match (kind, &pairing.openings) {
        (SystemKind::Swiss, _) if rounds.value > MOST_ROUNDS => {
            let what = format!("{} rounds of a Swiss are too many", rounds.value);
            Some(Problem::new(
                &rounds.place,
                what,
                format!("write at most {MOST_ROUNDS}; openings makes meetings longer"),
            ))
        }
        (SystemKind::PartialRoundRobin, _) if rounds.value > MOST_TABLES => {
            let what = format!("{} rounds of a partial round robin are too many", rounds.value);
            let help = format!("write at most {MOST_TABLES}; openings plays more of each line-up");
            Some(Problem::new(&rounds.place, what, help))
        }
        (SystemKind::Swiss | SystemKind::PartialRoundRobin, _) => None,
        (SystemKind::Knockout | SystemKind::Continuous, _) => {
            let what = format!("pairing = \"{}\" has as many rounds as it takes", kind.name());
            let help = "leave rounds out; openings says how many openings each meeting plays";
            Some(Problem::new(&rounds.place, what, help))
        }
        (SystemKind::RoundRobin | SystemKind::Gauntlet, openings) => {
            let what = format!("pairing = \"{}\" has no rounds", kind.name());
            let help = match openings {
                Some(_) => "leave rounds out".to_owned(),
                None => format!("write openings = {}, the number of openings that each line-up plays", rounds.value),
            };
            Some(Problem::new(&rounds.place, what, help))
        }
    }
}

fn gauntlet(pairing: &PairingBuilder, place: &Location, problems: &mut Vec<Problem>) -> Vec<String> {
    let Some(given) = &pairing.gauntlet else {
        let what = "pairing = \"gauntlet\" does not say whom the others meet";
        problems.push(Problem::new(place, what, "add gauntlet = [\"NAME\"]"));
        return Vec::new();
    };
    if given.value.is_empty() {
        problems.push(Problem::new(
            &given.place,
            "the gauntlet is empty",
            "name those whom the others meet: [\"base\"]",
        ));
    }
    let names: Vec<String> = given.value.iter().map(|name| name.value.clone()).collect();
    if let Some(second) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        let what = format!("the gauntlet names \"{}\" twice", names[second]);
        problems.push(Problem::new(&given.value[second].place, what, "leave one out"));
    }
    names
}

fn blocks(pairing: &PairingBuilder, place: &Location, problems: &mut Vec<Problem>) -> u64 {
    match &pairing.blocks {
        Some(blocks) => blocks.value,
        None => {
            problems.push(Problem::new(
                place,
                "a continuous ladder needs an end",
                "add blocks = 1000; it may grow later",
            ));
            0
        }
    }
}

/// A continuous ladder has room for a meeting at least.
fn room(pairing: &PairingBuilder, kind: SystemKind, settings: u64) -> Option<Problem> {
    let blocks = pairing.blocks.as_ref().filter(|_| kind == SystemKind::Continuous)?;
    let meeting = settings * pairing.openings.as_ref().map_or(1, |openings| openings.value);
    let what = format!("blocks = {} has no room for a meeting, which is {meeting} blocks", blocks.value);
    (blocks.value < meeting).then(|| Problem::new(&blocks.place, what, "write more blocks, or fewer openings"))
}
