//! The readable log of a match, one JSON object a line: written as the match goes, or made again from the record.
//! The lines are of schema `agon.match/1`; docs/protocol.md lists them.

use crate::record::*;
use agon_games::{AnyState, Facts};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The readable log of one match, written as the match goes.
pub trait Journal {
    /// A move was played.
    fn step(&mut self, step: &Step, state: &dyn AnyState);
    /// The match is over.
    ///
    /// # Errors
    /// Something could not be written, now or before.
    fn end(&mut self, played: &Match) -> Result<(), String>;
}

/// What is known of a match before it begins.
pub struct Heading<'a> {
    /// The game.
    pub facts: &'a Facts,
    /// Name of the ladder.
    pub ladder: &'a str,
    /// Everything that makes results comparable.
    pub comparable: &'a [(String, String)],
    /// The ladder's seed.
    pub seed: u64,
    /// Number of the opening.
    pub opening: u64,
    /// Name and options of the setting.
    pub setting: &'a (String, BTreeMap<String, String>),
    /// Seat by seat.
    pub seats: Vec<&'a Entrant>,
    /// The match's id.
    pub id: &'a str,
}

impl Heading<'_> {
    /// The lines before the first move.
    pub fn lines(&self) -> Vec<Value> {
        let (setting, options) = self.setting;
        // The options of all settings are in the comparable list; those of this match stand by themselves.
        let terms: BTreeMap<_, _> = (self.comparable.iter())
            .filter(|(key, _)| !key.starts_with("options."))
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        let mut lines = vec![json!({
            "t": "header", "schema": "agon.match/1", "id": self.id, "agon": env!("CARGO_PKG_VERSION"),
            "game": self.facts.name, "rules": self.facts.rules_version, "ladder": self.ladder, "seed": self.seed,
            "rng": "chacha8", "opening": self.opening, "setting": setting, "options": options, "terms": terms,
        })];
        for (seat, entrant) in self.seats.iter().enumerate() {
            lines.push(json!({
                "t": "seat", "seat": seat + 1, "client": entrant.label, "file": entrant.file, "sha256": entrant.hash,
                "options": entrant.options,
            }));
        }
        lines
    }
}

/// The line of a move; `state` writes it in the game's notation.
pub fn step_line(step: &Step, state: &dyn AnyState) -> Value {
    let bytes: String = step.mv.as_slice().iter().map(|byte| format!("{byte:02x}")).collect();
    json!({
        "t": "move", "ply": step.ply, "seat": step.seat + 1, "move": state.write(&step.mv), "bytes": bytes,
        "by": if step.by_client { "client" } else { "absent" }, "cpu_us": step.cpu_us, "wall_us": step.wall_us,
        "hash": format!("{:016x}", step.hash),
    })
}

/// The lines after the last move: what was printed, what went wrong, how it ended.
pub fn closing_lines(played: &Match) -> Vec<Value> {
    let mut lines = Vec::new();
    for output in &played.outputs {
        lines.push(json!({
            "t": "io", "ply": output.ply, "seat": output.seat + 1, "phase": output.phase, "stream": output.stream,
            "text": output.text,
        }));
    }
    for (seat, result) in played.seats.iter().enumerate() {
        for notice in &result.notices {
            let Notice { kind, phase, ply, message } = notice;
            lines.push(json!({ "t": "notice", "seat": seat + 1, "kind": kind, "phase": phase, "ply": ply, "message": message }));
        }
        if let Some(Fault { kind, phase, ply, message, raw }) = &result.fault {
            let line = json!({
                "t": "fault", "seat": seat + 1, "kind": kind, "phase": phase, "ply": ply, "message": message, "raw": raw,
            });
            lines.push(line);
        }
    }
    let of = |value: &dyn Fn(&SeatResult) -> Value| played.seats.iter().map(value).collect::<Vec<_>>();
    lines.push(json!({
        "t": "result", "id": played.id, "ending": played.ending, "ranks": of(&|seat| json!(seat.rank)),
        "scores": of(&|seat| json!(seat.score)), "names": of(&|seat| json!(seat.told_name)),
        "rungs": of(&|seat| json!(seat.rungs)), "usage": of(&|seat| json!(seat.usage)),
        "plies": played.steps.last().map_or(0, |step| step.ply + 1), "started": played.started, "wall_us": played.wall_us,
    }));
    lines
}

/// When a log is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Written line by line as the match goes.
    Always,
    /// Written at the end, if a seat was at fault.
    OnFault,
    /// Not at all.
    Never,
}

/// Where the log of a match is.
pub fn path(out: &Path, id: &str) -> PathBuf {
    out.join("matches").join(format!("{id}.jsonl"))
}

/// Begins the log of a match.
///
/// # Errors
/// The file cannot be made: where, why, what to do.
pub fn open(out: &Path, keep: Keep, heading: &Heading) -> Result<Box<dyn Journal>, String> {
    if keep == Keep::Never {
        return Ok(Box::new(Silent));
    }
    let path = path(out, heading.id);
    let mut log = Log { path, file: None, lines: Vec::new(), error: None };
    if keep == Keep::Always {
        let made = log.path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| File::create(&log.path));
        log.file = Some(made.map_err(|error| explain(&log.path, &error))?);
    }
    heading.lines().iter().for_each(|line| log.add(line));
    Ok(Box::new(log))
}

struct Silent;

impl Journal for Silent {
    fn step(&mut self, _step: &Step, _state: &dyn AnyState) {}
    fn end(&mut self, _played: &Match) -> Result<(), String> {
        Ok(())
    }
}

struct Log {
    path: PathBuf,
    /// `None` where it is only written if something goes wrong.
    file: Option<File>,
    lines: Vec<u8>,
    error: Option<std::io::Error>,
}

impl Log {
    fn add(&mut self, line: &Value) {
        self.lines.extend(line.to_string().into_bytes());
        self.lines.push(b'\n');
        if let Some(file) = &mut self.file {
            // The first error is told at the end of the match, where it stops the ladder.
            if let Err(error) = file.write_all(&self.lines) {
                self.error.get_or_insert(error);
            }
            self.lines.clear();
        }
    }
}

impl Journal for Log {
    fn step(&mut self, step: &Step, state: &dyn AnyState) {
        self.add(&step_line(step, state));
    }

    fn end(&mut self, played: &Match) -> Result<(), String> {
        closing_lines(played).iter().for_each(|line| self.add(line));
        if self.file.is_none() && played.seats.iter().any(|seat| seat.fault.is_some()) {
            let made = self.path.parent().map_or(Ok(()), std::fs::create_dir_all);
            if let Err(error) = made.and_then(|()| std::fs::write(&self.path, &self.lines)) {
                self.error.get_or_insert(error);
            }
        }
        self.error.take().map_or(Ok(()), |error| Err(explain(&self.path, &error)))
    }
}

fn explain(path: &Path, error: &std::io::Error) -> String {
    let path = path.display();
    format!("{path}: {error}; help: free some space or choose another [output] dir; the same command then goes on")
}
