//! The course of a tuning: the values after each step, kept in a file so that it goes on after a stop, and shown.

use super::param::Param;
use super::{TuneArgs, ladder, named, run_name};
use agon_command::Failure;
use agon_command::atomic_file::partial;
use agon_games::AnyGame;
use agon_model::counted;
use agon_model::visible::json_document;
use agon_stats::spsa::settled;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The number of columns of the plot.
const COLUMNS: usize = 60;

/// The part of a course that is kept in a file.
#[derive(Debug, Serialize, Deserialize)]
pub struct TuningRun {
    schema: String,
    client: String,
    params: Vec<Param>,
    steps: u64,
    pairs: u64,
    /// The seed of all random choices: the same seed makes the same choices.
    pub seed: u64,
    /// After each step, the start first: of each option how far it is from the least to the greatest value.
    pub values: Vec<Vec<f64>>,
    #[serde(skip)]
    file: PathBuf,
}

/// The document for programs.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'a str,
    client: &'a str,
    steps: u64,
    pairs: u64,
    seed: u64,
    /// The client with what was found.
    found: String,
    options: Vec<OptionDocument<'a>>,
}

#[derive(Serialize)]
struct OptionDocument<'a> {
    #[serde(flatten)]
    param: &'a Param,
    found: f64,
    course: Vec<f64>,
}

/// As they are kept: with so few digits that the same numbers are read again, so that a course that was stopped goes on
/// as it would have.
fn kept(at: &[f64]) -> Vec<f64> {
    at.iter().map(|share| (share * 1e9).round() / 1e9).collect()
}

impl TuningRun {
    /// The one that was stopped, if these words begin the same; else a new one.
    pub fn open(args: &TuneArgs, start: &[f64], games: &[&dyn AnyGame]) -> Result<TuningRun, Failure> {
        let name = run_name(&args.client);
        let drawn = args.terms.start.seed.unwrap_or_else(|| {
            let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            since.map_or(0, |since| since.as_nanos() as u64)
        });
        // Wrong words are reported before anything is kept.
        let two = [0.0, 1.0].map(|at| named(&args.client, &args.params, &vec![at; start.len()]));
        let out = ladder(args, drawn, 0, &two, games)?.out;
        let file = out.join(format!("{name}.json"));
        let new = TuningRun {
            schema: "agon.tune/1".to_owned(),
            client: args.client.clone(),
            params: args.params.clone(),
            steps: args.steps,
            pairs: args.pairs,
            seed: drawn,
            values: vec![kept(start)],
            file: file.clone(),
        };
        let Some(text) = fs::read_to_string(&file).ok().filter(|_| !args.fresh) else { return Ok(new) };
        let trouble = |why: String| Failure::usage(format!("{}: {why}", file.display()));
        let found: TuningRun =
            serde_json::from_str(&text).map_err(|why| trouble(format!("{why}; help: --fresh begins anew")))?;
        let same = (&found.client, &found.params, found.steps, found.pairs)
            == (&new.client, &new.params, new.steps, new.pairs)
            && args.terms.start.seed.is_none_or(|seed| seed == found.seed);
        if same {
            Ok(TuningRun { file, ..found })
        } else {
            Err(trouble(
                "it was begun with another client, other -p, --steps, --pairs or seed; help: give the same, or --fresh \
                 to begin anew"
                    .to_owned(),
            ))
        }
    }

    /// The folder in which it is kept.
    pub fn out(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new("."))
    }

    /// Adds the values after a step.
    pub fn keep(&mut self, at: &[f64]) -> Result<(), Failure> {
        self.values.push(kept(at));
        let partial = partial(&self.file);
        let text = serde_json::to_string(self).unwrap_or_default();
        let kept = fs::write(&partial, text).and_then(|()| fs::rename(&partial, &self.file));
        kept.map_err(|error| Failure::trouble(format!("{}: {error}", self.file.display())))
    }

    /// The result, as shares of the ranges.
    pub fn found(&self) -> Vec<f64> {
        settled(&self.values)
    }

    /// A line an option: from where to where, and how it went.
    pub fn text(&self) -> String {
        let wide = self.params.iter().map(|param| param.key.chars().count()).max().unwrap_or(0).max(6);
        let (steps, matches) = (self.steps, 2 * self.pairs * self.steps);
        let (steps, matches) = (counted(steps, "step", "steps"), counted(matches, "match", "matches"));
        let mut out = format!("{}: {steps}, {matches}\n\n", self.client);
        out += &format!(
            "{:<wide$} {:>10} {:>10} {:>10} {:>10}  course: from 0, the lower end of the range, to 9, the upper\n",
            "option", "from", "to", "start", "found"
        );
        for (index, (param, found)) in self.params.iter().zip(self.found()).enumerate() {
            let Param { key, from, to, start, .. } = param;
            let found = param.value(found);
            out += &format!("{key:<wide$} {from:>10} {to:>10} {start:>10} {found:>10}  {}\n", self.plot(index));
        }
        out
    }

    /// A digit for every few steps.
    fn plot(&self, param: usize) -> String {
        let columns = self.values.len().min(COLUMNS);
        let at = |column: usize| self.values[column * (self.values.len() - 1) / (columns - 1).max(1)][param];
        (0..columns).map(|column| char::from(b'0' + (at(column) * 9.999) as u8)).collect()
    }

    fn option(&self, index: usize) -> OptionDocument<'_> {
        let param = &self.params[index];
        let course = self.values.iter().map(|at| param.value(at[index])).collect();
        OptionDocument { param, found: param.value(self.found()[index]), course }
    }

    /// The course as one JSON document, ended by a newline.
    pub fn json(&self) -> String {
        let TuningRun { schema, client, steps, pairs, seed, .. } = self;
        let document = Document {
            schema,
            client,
            steps: *steps,
            pairs: *pairs,
            seed: *seed,
            found: named(client, &self.params, &self.found()),
            options: (0..self.params.len()).map(|index| self.option(index)).collect(),
        };
        json_document(&document)
    }
}
