//! The cost of agon itself, measured against something of the same kind in the same run.

pub mod ask;
mod build;
mod matches;
mod referee;
mod rules;
mod start;

use agon_games::AnyGame;
use agon_model::Paths;
use std::fmt::Write;
use std::path::Path;

/// One figure: medians over several runs.
pub struct Figure {
    /// The name of the figure.
    pub name: String,
    /// The median, and its unit.
    pub value: f64,
    /// See `value`.
    pub unit: &'static str,
    /// The least and the most seen.
    pub range: (f64, f64),
    /// Against what, and how many times that.
    pub ratio: Option<(String, f64)>,
}

/// Measures every figure whose name contains `only`, each `runs` times, and says what came out, line by line; with a
/// `client`, how many matches a second it plays against itself instead.
///
/// # Errors
/// Something that is needed is missing: what, and what to do.
pub fn run(
    games: &[&dyn AnyGame],
    paths: &Paths,
    only: &str,
    client: Option<&Path>,
    runs: usize,
    each: &mut dyn FnMut(&Figure),
) -> Result<(), String> {
    if let Some(client) = client {
        return matches::measure(games, client, paths, only, runs, each);
    }
    let pinned = agon_crew::cores::share_cores(Some(1), 1)?;
    agon_crew::cores::pin(&pinned[0]).map_err(|error| format!("this thread cannot be pinned to a core: {error}"))?;
    for game in games {
        let name = format!("{}: referee, turn, check, play, hash, a move", game.facts().name);
        if name.contains(only) {
            each(&referee::measure(*game, name, runs)?);
        }
        for speed in game.facts().speeds {
            if speed.name.contains(only) {
                rules::measure(speed, &paths.out.join("bench"), runs)?.iter().for_each(&mut *each);
            }
        }
    }
    for measure in [ask::measure, start::measure] {
        for figure in measure(games[0], paths, only, runs)? {
            each(&figure);
        }
    }
    Ok(())
}

impl Figure {
    /// The median of what was seen.
    fn new(name: String, unit: &'static str, mut seen: Vec<f64>) -> Figure {
        seen.sort_by(f64::total_cmp);
        let value = seen.get(seen.len() / 2).copied().unwrap_or(f64::NAN);
        let range = (seen.first().copied().unwrap_or(f64::NAN), seen.last().copied().unwrap_or(f64::NAN));
        Figure { name, value, unit, range, ratio: None }
    }

    /// The same with the ratio to another figure of the run.
    fn against(self, other: &Figure) -> Figure {
        let times = self.value / other.value;
        Figure { ratio: Some((other.name.clone(), times)), ..self }
    }

    /// One line.
    pub fn text(&self) -> String {
        let (low, high) = self.range;
        let unit = self.unit;
        let mut line =
            format!("{:<60} {:>10} {unit}  ({} to {})", self.name, number(self.value), number(low), number(high));
        if let Some((other, times)) = &self.ratio {
            // Writing to a String cannot fail.
            let _ = write!(line, "  {times:.2} x {other}");
        }
        line
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        large if large >= 1e9 => format!("{:.2} G", value / 1e9),
        large if large >= 1e6 => format!("{:.2} M", value / 1e6),
        large if large >= 1e4 => format!("{:.1} k", value / 1e3),
        large if large >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}
