//! Progress on stderr: a bar and who is ahead on a terminal, a line every 30 s or 5 % without one; faults as they
//! happen.

use crate::speed::Speed;
use agon_command::output::say;
use agon_command::place::Place;
use agon_config::units::about_duration;
use agon_crew::remote::BoardTally;
use agon_model::visible::{Medium, visible};
use agon_model::{Entrant, NoticeKind, PlayedBlock, Points, counted};
use agon_record::{LadderRow, StoreError};
use agon_report::LiveStandings;
use agon_tournament::RunEvent;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

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
    /// Where the record is, and what results are worth; without these nobody is ahead.
    record: Option<(Place, Points)>,
    live: Option<LiveStandings>,
    shown: Instant,
    /// Those of other machines, where there may be any, and how many blocks all play.
    workers: Option<(Arc<BoardTally>, Speed)>,
}

/// How many faults are told as they happen; the table counts all.
const MOST_FAULTS: usize = 20;
/// How many of those who are ahead are shown below a bar, and in a line.
const AHEAD: (usize, usize) = (5, 3);
/// How often they are looked at anew.
const LIVELY: Duration = Duration::from_millis(500);
/// So many matches of the record are added up without anybody waiting for it; with more, the table shows who is ahead,
/// not progress.
const MOST_RECORDED: u64 = 500_000;

impl Progress {
    /// Nothing yet.
    pub fn new(quiet: bool) -> Progress {
        let now = Instant::now();
        Progress {
            quiet,
            bar: None,
            done: 0,
            matches: 0,
            began: now,
            said: (now, 0),
            began_at: 0,
            faults_said: 0,
            record: None,
            live: None,
            shown: now,
            workers: None,
        }
    }

    /// Shows how many blocks are played with workers of other machines, too.
    #[must_use]
    pub fn with_workers(self, tally: Option<Arc<BoardTally>>) -> Progress {
        Progress { workers: tally.map(|tally| (tally, Speed::new(self.began))), ..self }
    }

    /// Shows who is ahead too, by this record.
    #[must_use]
    pub fn with_standings(self, place: Place, points: Points) -> Progress {
        Progress { record: Some((place, points)), ..self }
    }

    /// Takes what happens.
    pub fn tell(&mut self, event: RunEvent) {
        match event {
            RunEvent::Warning(text) => self.line(&format!("warning: {text}")),
            RunEvent::Ready { matches, done, jobs, ladder, entrants } => {
                (self.matches, self.done, self.began_at) = (matches, done, done);
                let clients = entrants.iter().filter(|entrant| entrant.refused.is_none()).count();
                self.end();
                if !self.quiet {
                    let on = if done > 0 { format!(", {done} of them already played") } else { String::new() };
                    let (name, game) = (&ladder.name, &ladder.game);
                    let jobs = if jobs == 0 { "workers play".to_owned() } else { format!("{jobs} at once") };
                    let clients = counted(clients as u64, "client", "clients");
                    let all = counted(matches, "match", "matches");
                    say(&format!("ladder {name}: {game}, {clients}, {all}{on}; {jobs}"));
                    self.bar = new_bar(matches, done);
                    // Without it there is only less to see.
                    self.live = self.standings(ladder, entrants, done).ok().flatten();
                    self.show_live();
                }
                self.began = Instant::now();
                self.said = (self.began, done);
                self.workers.iter_mut().for_each(|(_, speed)| *speed = Speed::new(self.began));
            }
            RunEvent::DiskEstimate(room) if room.is_short() => self.line(&format!("warning: {}", room.text())),
            RunEvent::DiskEstimate(room) if !self.quiet && room.matches > 0 => self.line(&room.text()),
            RunEvent::DiskEstimate(_) => {}
            RunEvent::SetAside(name) => self.set_aside(&name),
            RunEvent::Note(text) | RunEvent::Benched(text) => self.line(&agon_model::visible::escape(text, 400)),
            RunEvent::Drawn(text, matches) => {
                self.set_matches(matches);
                if !self.quiet {
                    self.line(&agon_model::visible::escape(text, 2000));
                }
            }
            RunEvent::Skipped(matches) => self.set_matches(self.matches.saturating_sub(matches)),
            RunEvent::Played(played, entrants) => self.played(played, entrants),
            RunEvent::Waiting if self.bar.is_none() => self.step(),
            RunEvent::Waiting => self.show_often(),
            RunEvent::Void(cause) => self.line(&format!("void, not counted: {cause}")),
        }
    }

    /// Who is ahead when it begins.
    fn standings(
        &self,
        ladder: &LadderRow,
        entrants: &[Entrant],
        done: u64,
    ) -> Result<Option<LiveStandings>, StoreError> {
        let Some((place, points)) = self.record.as_ref().filter(|_| done <= MOST_RECORDED) else { return Ok(None) };
        let mut live = LiveStandings::new(entrants, ladder.seats, *points);
        if done > 0 {
            let store = place.open_existing()?;
            let members = store.members(ladder.id)?.into_iter();
            let recorded: Vec<Entrant> = members.map(|member| member.entrant).collect();
            live.add_recorded(&recorded, |add| store.each_outcome(ladder.id, add))?;
        }
        Ok(Some(live))
    }

    fn show_often(&mut self) {
        if self.bar.is_some() && self.shown.elapsed() >= LIVELY {
            self.show_live();
        }
    }

    /// Who plays how much, behind the bar, and those who are ahead below.
    fn show_live(&mut self) {
        self.shown = Instant::now();
        let (busy, Some(bar)) = (self.busy(), &self.bar) else { return };
        bar.set_prefix(busy);
        if let Some(live) = &self.live {
            let ahead = format!("\n{}", live.table(AHEAD.0));
            bar.set_message(visible(ahead.trim_end(), Medium::Screen).into_owned());
        }
    }

    /// How many blocks a second all play together.
    fn busy(&mut self) -> String {
        let Some((tally, speed)) = &mut self.workers else { return String::new() };
        let (rate, workers) = (speed.rate(Instant::now()), tally.workers.get());
        format!("  {rate:.1} blocks/s in all, {}", counted(workers, "worker", "workers"))
    }

    fn set_matches(&mut self, matches: u64) {
        self.matches = matches;
        self.bar.iter().for_each(|bar| bar.set_length(matches));
    }

    fn set_aside(&self, name: &str) {
        if !self.quiet {
            self.line(&format!("the old results are kept as ladder {name}: agon standings --ladder '{name}'"));
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
        self.workers.iter_mut().for_each(|(_, speed)| speed.count(Instant::now()));
        self.live.iter_mut().for_each(|live| live.add(played));
        match &self.bar {
            Some(bar) => bar.set_position(self.done),
            None => self.step(),
        }
        if self.shown.elapsed() >= LIVELY || self.done == self.matches {
            self.show_live();
        }
    }

    fn fault(&mut self, text: &str) {
        self.faults_said += 1;
        if self.faults_said <= MOST_FAULTS && !self.quiet {
            self.line(&agon_model::visible::escape(text, 400));
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
        let left = (self.matches.saturating_sub(self.done)) as f64 / rate;
        let percent = self.done * 100 / self.matches.max(1);
        let busy = self.busy();
        let ahead = self.live.as_ref().map(|live| live.line(AHEAD.1)).filter(|line| !line.is_empty());
        let ahead = ahead.map_or(String::new(), |line| format!("; ahead: {line}"));
        say(&format!(
            "{percent:3} %  {}/{}  {rate:.1} matches/s{busy}  {} left{ahead}",
            self.done,
            self.matches,
            time_left(left)
        ));
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

/// `?` while nothing was played.
fn time_left(seconds: f64) -> String {
    if seconds.is_finite() { about_duration(seconds) } else { "?".to_owned() }
}

fn new_bar(matches: u64, done: u64) -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    let bar = ProgressBar::new(matches);
    let style = ProgressStyle::with_template("{bar:32} {percent:3} %  {pos}/{len}  {per_sec}{prefix}  {eta} left{msg}");
    if let Ok(style) = style {
        let speed = |state: &ProgressState, out: &mut dyn Write| {
            // A bar that cannot be written is not written.
            let _ = write!(out, "{:.1}/s", state.per_sec());
        };
        bar.set_style(style.with_key("per_sec", speed));
    }
    // What was played before is no speed of this run: the bar learns of it, then forgets how long it took.
    bar.set_position(done);
    bar.tick();
    bar.reset_eta();
    // The time left goes on while long matches are played.
    bar.enable_steady_tick(Duration::from_secs(1));
    Some(bar)
}
