//! Progress on stderr: a bar and who is ahead on a terminal, a line every 30 s or 5 % without one; faults as they
//! happen.

use crate::foot::{Foot, bar, step_aside};
use crate::moving_rate::MovingRate;
use agon_command::output::say;
use agon_command::record_location::RecordLocation;
use agon_crew::remote::ExchangeTally;
use agon_model::units::about_duration;
use agon_model::visible::{Medium, escape, visible};
use agon_model::{Entrant, LadderRow, NoticeKind, PlayedBlock, Points, counted, shell};
use agon_record::{Member, RecordError};
use agon_report::{Current, LiveStandings};
use agon_tournament::RunEvent;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The lines that are shown while a ladder runs.
pub struct Progress {
    quiet: bool,
    /// The bar and its lines, on a terminal.
    foot: Option<Foot>,
    /// Matches that were played or left out.
    settled: u64,
    matches: u64,
    /// Whether a rule ends the run, most often long before all matches are played.
    stops_early: bool,
    pace: Pace,
    /// The settled matches that this run left out because a client of theirs is suspended.
    left_out: u64,
    said: (Instant, u64),
    faults_said: usize,
    /// Where the record is, and what results are worth; without these nobody is ahead.
    record: Option<(RecordLocation, Points)>,
    live: Option<LiveStandings>,
    /// The ladder, the clients and the suspended members of the record by which `live` was added up, and when.
    begun: Option<(LadderRow, Vec<Entrant>, Vec<bool>, Instant)>,
    shown: Instant,
    /// Those of other machines, where there may be any, and how many blocks all play.
    workers: Option<(Arc<ExchangeTally>, MovingRate)>,
}

/// The speed at which a run plays.
struct Pace {
    began: Instant,
    /// Matches that this run has not played: earlier ones, and those left out.
    not_played: u64,
}

impl Pace {
    fn new(done: u64) -> Pace {
        Pace { began: Instant::now(), not_played: done }
    }

    /// Matches a second, after this number of them.
    fn rate(&self, settled: u64) -> f64 {
        self.played(settled) as f64 / self.began.elapsed().as_secs_f64().max(1e-3)
    }

    fn played(&self, settled: u64) -> u64 {
        settled.saturating_sub(self.not_played)
    }

    /// The time for the remaining matches; `?` while nothing was played.
    fn left(&self, settled: u64, matches: u64) -> String {
        let more = matches.saturating_sub(settled);
        let seconds = if more == 0 { 0.0 } else { more as f64 / self.rate(settled) };
        if seconds.is_finite() { about_duration(seconds) } else { "?".to_owned() }
    }
}

/// The most faults that are printed as they happen; the table counts all.
const MOST_FAULTS: usize = 20;
/// How many of those who are ahead are shown below a bar, and in a line.
const AHEAD: (usize, usize) = (5, 3);
/// The time between two updates.
const LIVELY: Duration = Duration::from_millis(500);
/// The most matches of the record that are added up for progress, so that nobody waits; with more, only the table
/// shows who is ahead.
const MOST_RECORDED: u64 = 500_000;

impl Progress {
    /// The progress of a run that has not begun.
    pub fn new(quiet: bool) -> Progress {
        let now = Instant::now();
        Progress {
            quiet,
            foot: None,
            settled: 0,
            matches: 0,
            stops_early: false,
            pace: Pace::new(0),
            left_out: 0,
            said: (now, 0),
            faults_said: 0,
            record: None,
            live: None,
            begun: None,
            shown: now,
            workers: None,
        }
    }

    /// The progress of a ladder that has not begun: with those who are ahead by this record, and with the blocks of
    /// workers on other machines. Where a rule may end it at any time, it shows no part of the way.
    pub fn of_ladder(
        quiet: bool,
        (location, points): (RecordLocation, Points),
        tally: Option<Arc<ExchangeTally>>,
        stops_early: bool,
    ) -> Progress {
        let new = Progress::new(quiet);
        let workers = tally.map(|tally| (tally, MovingRate::new(new.pace.began)));
        Progress { record: Some((location, points)), workers, stops_early, ..new }
    }

    /// Takes notice of an event of the run.
    pub fn tell(&mut self, event: RunEvent) {
        match event {
            RunEvent::Warning(text) => self.line(&format!("warning: {text}")),
            RunEvent::Ready { matches, done, jobs, ladder, entrants } => {
                self.begin((matches, done), jobs, ladder, entrants);
            }
            RunEvent::DiskEstimate(room) if room.is_short() => self.line(&format!("warning: {}", room.text())),
            RunEvent::DiskEstimate(room) if !self.quiet && room.matches > 0 => self.line(&room.text()),
            RunEvent::DiskEstimate(_) => {}
            RunEvent::Archived(name) => self.tell_archived(&name),
            RunEvent::Note(text) => self.line(&escape(text, 400)),
            RunEvent::Benched(text) => {
                self.line(&escape(text, 400));
                self.look_who_left();
            }
            RunEvent::Paired(text, matches) => {
                self.matches = matches + self.left_out;
                if !self.quiet {
                    self.line(&escape(text, 2000));
                }
            }
            RunEvent::Skipped(matches) => {
                self.left_out += matches;
                self.pace.not_played += matches;
                if self.begun.as_ref().is_some_and(|(.., looked)| looked.elapsed() >= LIVELY) {
                    self.look_who_left();
                }
                self.settle(matches);
            }
            RunEvent::Played(played, entrants) => self.played(played, entrants),
            RunEvent::Waiting if self.foot.is_none() => self.step(),
            RunEvent::Waiting => self.show_often(),
            RunEvent::Void(cause) => self.line(&format!("void, not counted: {cause}")),
        }
    }

    fn begin(&mut self, (matches, done): (u64, u64), jobs: usize, ladder: &LadderRow, entrants: &[Entrant]) {
        (self.matches, self.settled, self.left_out) = (matches, done, 0);
        self.end();
        if !self.quiet {
            announce(ladder, entrants, (matches, done), jobs);
            self.begin_standings(ladder, entrants, done);
        }
        self.pace = Pace::new(done);
        self.said = (self.pace.began, done);
        self.workers.iter_mut().for_each(|(_, speed)| *speed = MovingRate::new(self.pace.began));
        self.foot = if self.quiet { None } else { Foot::of_terminal() };
        self.show_live();
    }

    /// Adds up the results in the record: without them there is only less to see.
    fn begin_standings(&mut self, ladder: &LadderRow, entrants: &[Entrant], done: u64) {
        let found = self.standings(ladder, entrants, done).ok().flatten();
        let (live, suspended) = found.map_or((None, None), |(live, suspended)| (Some(live), Some(suspended)));
        self.live = live;
        self.begun = suspended.map(|suspended| (ladder.clone(), entrants.to_vec(), suspended, Instant::now()));
    }

    /// Adds up again if clients were suspended meanwhile. The record has what was told until here, and nothing more.
    fn look_who_left(&mut self) {
        let (Some((ladder, entrants, suspended, _)), Some((location, _))) = (&self.begun, &self.record) else { return };
        let now = location.open_existing().ok().and_then(|record| record.members(ladder.id).ok());
        let is_new = now.is_some_and(|members| suspended_of(&members) != *suspended);
        let (ladder, entrants) = (ladder.clone(), entrants.clone());
        if is_new {
            self.begin_standings(&ladder, &entrants, self.settled)
        } else {
            self.begun.iter_mut().for_each(|(.., looked)| *looked = Instant::now())
        }
    }

    /// The leaders by the record, and which members of it are suspended.
    fn standings(
        &self,
        ladder: &LadderRow,
        entrants: &[Entrant],
        done: u64,
    ) -> Result<Option<(LiveStandings, Vec<bool>)>, RecordError> {
        let Some((location, points)) = self.record.as_ref().filter(|_| done <= MOST_RECORDED) else { return Ok(None) };
        let mut live = LiveStandings::new(entrants, ladder.seats, *points);
        let record = location.open_existing()?;
        let members = record.members(ladder.id)?;
        if done > 0 {
            let each = |add: &mut agon_record::EachOutcome<'_>| record.each_outcome(ladder.id, add);
            let current = Current::of_record(&*record, ladder.id, &members)?;
            live.add_recorded(&members, &current, each)?;
        }
        Ok(Some((live, suspended_of(&members))))
    }

    fn show_often(&mut self) {
        if self.foot.is_some() && self.shown.elapsed() >= LIVELY {
            self.show_live();
        }
    }

    /// Shows the bar, and the leaders below.
    fn show_live(&mut self) {
        self.shown = Instant::now();
        if self.foot.is_none() {
            return;
        }
        let (settled, matches, busy) = (self.settled, self.matches, self.busy());
        let (rate, left, left_out) = (self.pace.rate(settled), self.pace.left(settled, matches), self.left_out_text());
        let (bar, percent) = (bar(settled, matches), percent(settled, matches));
        let line = if self.stops_early {
            format!("{settled} matches, at most {matches}{left_out}{busy}  {rate:.1}/s")
        } else {
            format!("{bar} {percent:3} %  {settled}/{matches}{left_out}{busy}  {rate:.1}/s  {left} left")
        };
        let ahead = self.live.as_ref().map_or(String::new(), |live| live.table(AHEAD.0));
        let text = format!("{line}\n{ahead}");
        self.foot.iter_mut().for_each(|foot| foot.show(&visible(&text, Medium::Screen)));
    }

    /// The number of matches that nobody plays.
    fn left_out_text(&self) -> String {
        if self.left_out == 0 { String::new() } else { format!("  {} left out", self.left_out) }
    }

    /// The blocks a second of all workers together.
    fn busy(&mut self) -> String {
        let Some((tally, speed)) = &mut self.workers else { return String::new() };
        let (rate, workers) = (speed.rate(Instant::now()), tally.workers.get());
        format!("  {rate:.1} blocks/s in all, {}", counted(workers, "worker", "workers"))
    }

    fn tell_archived(&self, name: &str) {
        if !self.quiet {
            let command = format!("agon standings {}", shell::option("--ladder", name));
            self.line(&format!("the old results are kept as ladder {}: {command}", escape(name, 64)));
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
        self.workers.iter_mut().for_each(|(_, speed)| speed.count(Instant::now()));
        self.live.iter_mut().for_each(|live| live.add(played));
        self.settle(played.matches.len() as u64);
    }

    /// Counts matches that were played or left out.
    fn settle(&mut self, matches: u64) {
        self.settled += matches;
        if self.foot.is_none() {
            self.step();
        }
        if self.shown.elapsed() >= LIVELY || self.settled == self.matches {
            self.show_live();
        }
    }

    fn fault(&mut self, text: &str) {
        self.faults_said += 1;
        if self.faults_said <= MOST_FAULTS && !self.quiet {
            self.line(&escape(text, 400));
        }
        if self.faults_said == MOST_FAULTS && !self.quiet {
            self.line("more faults and notices are not shown here; agon matches --fault lists faults");
        }
    }

    /// Prints a line now and then where there is no terminal.
    fn step(&mut self) {
        let (when, at) = self.said;
        let is_last = self.settled == self.matches && self.settled > at;
        let has_played = self.pace.played(self.settled) > 0;
        let far = is_last || has_played && (self.settled - at) * 20 >= self.matches.max(1);
        if self.quiet || (!far && when.elapsed() < Duration::from_secs(30)) {
            return;
        }
        self.said = (Instant::now(), self.settled);
        let (settled, matches) = (self.settled, self.matches);
        let (rate, left) = (self.pace.rate(settled), self.pace.left(settled, matches));
        let (percent, left_out, busy) = (percent(settled, matches), self.left_out_text(), self.busy());
        let ahead = self.live.as_ref().map(|live| live.line(AHEAD.1)).filter(|line| !line.is_empty());
        let ahead = ahead.map_or(String::new(), |line| format!("; ahead: {line}"));
        say(&if self.stops_early {
            format!("{settled} matches, at most {matches}{left_out}  {rate:.1} matches/s{busy}{ahead}")
        } else {
            format!("{percent:3} %  {settled}/{matches}{left_out}  {rate:.1} matches/s{busy}  {left} left{ahead}")
        });
    }

    fn line(&self, text: &str) {
        step_aside(|| say(text));
    }

    /// Takes the bar away.
    pub fn end(&mut self) {
        self.foot.iter_mut().for_each(Foot::clear);
    }
}

fn announce(ladder: &LadderRow, entrants: &[Entrant], (matches, done): (u64, u64), jobs: usize) {
    let on = if done > 0 { format!(", {done} of them already played") } else { String::new() };
    let (name, game) = (&ladder.name, &ladder.game);
    let jobs = if jobs == 0 { "workers play".to_owned() } else { format!("{jobs} at once") };
    let clients = entrants.iter().filter(|entrant| entrant.refused.is_none()).count();
    let clients = counted(clients as u64, "client", "clients");
    let all = counted(matches, "match", "matches");
    say(&format!("ladder \"{name}\": {game}, {clients}, {all}{on}; {jobs}"));
}

fn percent(settled: u64, matches: u64) -> u64 {
    settled * 100 / matches.max(1)
}

fn suspended_of(members: &[Member]) -> Vec<bool> {
    members.iter().map(|member| member.suspension.is_some()).collect()
}
