//! `[stop]`: when a ladder ends before its schedule does.

use super::builder::StopBuilder;
use super::problem::{Findings, Problem};
use agon_model::{Stop, System};

/// Where pairings follow from results, a round that is cut has no result.
pub(super) fn resolve(builder: &StopBuilder, system: &System, findings: &mut Findings) -> Stop {
    let keys = [
        ("matches", builder.matches.as_ref().map(|at| &at.place)),
        ("error", builder.error.as_ref().map(|at| &at.place)),
    ];
    for (key, place) in keys.into_iter().filter(|_| system.pairs_by_results()) {
        let what = format!("[stop] {key} would cut a round of pairing = \"{}\"", system.name());
        let help = "leave it out: rounds, openings and blocks say how long it is";
        findings.problems.extend(place.map(|place| Problem::new(place, what, help)));
    }
    if let Some(error) = builder.error.as_ref().filter(|error| error.value < 1) {
        findings.problems.push(Problem::new(&error.place, "no error is ever less than that", "write one such as 0.02"));
    }
    Stop {
        matches: builder.matches.as_ref().map(|at| at.value),
        time_us: builder.time.as_ref().map(|at| at.value),
        error: builder.error.as_ref().map(|at| at.value),
    }
}
