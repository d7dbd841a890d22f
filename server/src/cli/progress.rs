//! Progress on stderr: a bar on a terminal, a line every 30 s or 5 % without one; faults as they happen.

use crate::record::{Entrant, NoticeKind, PlayedBlock};
use crate::run::Event;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// A line on stderr.
pub fn say(text: &str) {
    // Where stderr is gone there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// What is shown while a ladder runs.
pub struct Progress {
    quiet: bool,
    bar: Option<ProgressBar>,
    done: u64,
    matches: u64,
    began: Instant,
    said: (Instant, u64),
    began_at: u64,
    faults_said: usize,
}

/// How many faults are told as they happen; the table counts all.
const MOST_FAULTS: usize = 20;

impl Progress {
    /// Nothing yet.
    pub fn new(quiet: bool) -> Progress {
        let now = Instant::now();
        Progress { quiet, bar: None, done: 0, matches: 0, began: now, said: (now, 0), began_at: 0, faults_said: 0 }
    }

    /// Takes what happens.
    pub fn tell(&mut self, event: Event) {
        match event {
            Event::Warning(text) => self.line(&format!("warning: {text}")),
            Event::Ready { matches, done, jobs, ladder, entrants } => {
                (self.matches, self.done, self.began_at) = (matches, done, done);
                let clients = entrants.iter().filter(|entrant| entrant.refused.is_none()).count();
                self.end();
                if !self.quiet {
                    let on = if done > 0 { format!(", {done} of them already played") } else { String::new() };
                    let (name, game) = (&ladder.name, &ladder.game);
                    say(&format!("ladder {name}: {game}, {clients} clients, {matches} matches{on}; {jobs} at once"));
                    self.bar = new_bar(matches, done);
                }
                self.began = Instant::now();
                self.said = (self.began, done);
            }
            Event::Room(room) if room.is_short() => self.line(&format!("warning: {}", room.text())),
            Event::Room(room) if !self.quiet && room.matches > 0 => self.line(&room.text()),
            Event::Room(_) => {}
            Event::SetAside(name) => self.set_aside(&name),
            Event::Note(text) => self.line(&crate::report::escape(text, 400)),
            Event::Drawn(text, matches) => {
                self.set_matches(matches);
                if !self.quiet {
                    self.line(&crate::report::escape(text, 2000));
                }
            }
            Event::Skipped(matches) => self.set_matches(self.matches.saturating_sub(matches)),
            Event::Played(played, entrants) => self.played(played, entrants),
            Event::Void(cause) => self.line(&format!("void, not counted: {cause}")),
        }
    }

    fn set_matches(&mut self, matches: u64) {
        self.matches = matches;
        self.bar.iter().for_each(|bar| bar.set_length(matches));
    }

    fn set_aside(&self, name: &str) {
        if !self.quiet {
            self.line(&format!("the old results are kept as ladder {name}: agon standings --ladder {name}"));
        }
    }

    fn played(&mut self, played: &PlayedBlock, entrants: &[Entrant]) {
        for ended in &played.matches {
            for seat in &ended.seats {
                let waited = seat.notices.iter().filter(|notice| notice.kind == NoticeKind::KeptWaiting);
                for notice in waited {
                    let label = &entrants[seat.entrant].label;
                    self.fault(&format!("{}: {label} ply {}: {}", ended.id, notice.ply, notice.message));
                }
                if let Some(fault) = &seat.fault {
                    let label = &entrants[seat.entrant].label;
                    self.fault(&format!("{}: {label} {}: {}", ended.id, fault.kind.name(), fault.message));
                }
            }
        }
        self.done += played.matches.len() as u64;
        match &self.bar {
            Some(bar) => bar.set_position(self.done),
            None => self.step(),
        }
    }

    fn fault(&mut self, text: &str) {
        self.faults_said += 1;
        if self.faults_said <= MOST_FAULTS && !self.quiet {
            self.line(&crate::report::escape(text, 400));
        }
        if self.faults_said == MOST_FAULTS && !self.quiet {
            self.line("further faults are not told here; agon matches --fault lists them");
        }
    }

    /// Without a terminal: a line now and then.
    fn step(&mut self) {
        let (when, at) = self.said;
        let far = (self.done - at) * 20 >= self.matches.max(1);
        if self.quiet || (!far && when.elapsed() < Duration::from_secs(30)) {
            return;
        }
        self.said = (Instant::now(), self.done);
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = (self.done - self.began_at) as f64 / seconds.max(1e-3);
        let left = (self.matches.saturating_sub(self.done)) as f64 / rate.max(1e-9);
        let percent = self.done * 100 / self.matches.max(1);
        say(&format!("{percent:3} %  {}/{}  {rate:.1} matches/s  {left:.0} s left", self.done, self.matches));
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn new_bar(matches: u64, done: u64) -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    let bar = ProgressBar::new(matches).with_position(done);
    let style = ProgressStyle::with_template("{bar:32} {percent:3} %  {pos}/{len}  {per_sec}  {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.reset_eta();
    Some(bar)
}
