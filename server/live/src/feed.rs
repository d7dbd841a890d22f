//! The state of a run for its readers. The run never waits for them: it hands over a state only while none of them
//! reads.

use agon_games::Language;
use agon_model::units::about_duration;
use agon_model::visible::escape;
use agon_model::{Entrant, LadderId, LiveBoards, PlayedBlock};
use agon_web::{Now, NowBoard, NowFault};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// How many faults and notes are shown.
const SHOWN: usize = 20;
/// The most characters of one.
const LONGEST_LINE: usize = 400;

/// The visible state of a run.
#[derive(Default)]
pub struct Feed {
    /// The matches under way.
    pub live: LiveBoards,
    done: AtomicU64,
    matches: AtomicU64,
    /// Those of them that nobody plays.
    left_out: AtomicU64,
    is_over: AtomicBool,
    /// Whether only those who look on are still there.
    is_left: AtomicBool,
    shown: Mutex<FeedState>,
}

/// The part that changes rarely.
#[derive(Clone, Default)]
struct FeedState {
    /// The ladder's number in the record; `None` before it has one.
    ladder: Option<LadderId>,
    now: Now,
    began: Option<(Instant, u64)>,
}

impl Feed {
    /// The run is over.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    /// Whether it is.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// From now on a signal is for the page, and not for who played.
    pub fn leave(&self) {
        self.is_left.store(true, Ordering::Release);
    }

    /// Whether it is.
    pub fn is_left(&self) -> bool {
        self.is_left.load(Ordering::Acquire)
    }

    /// The number of the ladder that is played.
    pub fn ladder(&self) -> Option<LadderId> {
        self.look().ladder
    }

    /// The state of the run, its boards in a language; `None` before anything is ready.
    pub fn now(&self, language: Language) -> Option<Now> {
        let FeedState { ladder, mut now, began } = self.look();
        ladder?;
        now.is_over = self.is_over();
        [now.done, now.matches, now.left_out] =
            [&self.done, &self.matches, &self.left_out].map(|count| count.load(Ordering::Acquire));
        if let Some((when, at)) = began.filter(|_| !now.is_over) {
            let speed = (now.done - at.min(now.done)) as f64 / when.elapsed().as_secs_f64().max(1e-3);
            let left = now.matches.saturating_sub(now.done + now.left_out) as f64 / speed;
            now.speed = (speed > 0.0).then_some(speed);
            now.left = (speed > 0.0).then(|| about_duration(left));
        }
        if !now.is_over {
            now.boards = self.boards(language);
        }
        Some(now)
    }

    fn boards(&self, language: Language) -> Vec<NowBoard> {
        let mut boards = Vec::new();
        self.live.look(&mut |board| {
            let (id, seats, turns) = (board.id.clone(), board.seats.clone(), board.turns);
            let (hides, scene) = (board.state.is_none(), board.scene(language));
            boards.push(NowBoard { id, seats, turns, scene, hides, ranks: board.ranks.clone() });
        });
        boards
    }

    fn look(&self) -> FeedState {
        // Nothing panics while it is held; and if it did, what it holds is as good as before.
        self.shown.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

/// Tells a feed what happens.
pub struct Teller<'a> {
    feed: &'a Feed,
    own: FeedState,
    /// Whether those who look on have not been given all of it.
    is_due: bool,
}

impl<'a> Teller<'a> {
    /// Nothing happened yet.
    pub fn new(feed: &'a Feed) -> Teller<'a> {
        Teller { feed, own: FeedState::default(), is_due: false }
    }

    /// Everything is ready: matches in all and done, matches at once, and the ladder's number in the record.
    pub fn ready(&mut self, matches: u64, done: u64, jobs: usize, ladder: LadderId) {
        self.feed.matches.store(matches, Ordering::Release);
        self.feed.done.store(done, Ordering::Release);
        self.feed.left_out.store(0, Ordering::Release);
        self.own.ladder = Some(ladder);
        self.own.now.jobs = jobs;
        self.own.began = Some((Instant::now(), done));
        self.is_due = true;
        self.show();
    }

    /// A block was played and kept.
    pub fn played(&mut self, played: &PlayedBlock, entrants: &[Entrant]) {
        self.feed.done.fetch_add(played.matches.len() as u64, Ordering::AcqRel);
        for ended in &played.matches {
            let faults = ended.seats.iter().filter_map(|seat| Some((seat.entrant, seat.fault.as_ref()?)));
            for (entrant, fault) in faults {
                // What to do about it is on the page of the match.
                let what = fault.message.split("; help: ").next().unwrap_or_default();
                let (client, kind) = (escape(&entrants[entrant].label, LONGEST_LINE), fault.kind.name().to_owned());
                let (id, why) = (ended.id.clone(), escape(what, LONGEST_LINE));
                self.own.now.fault_count += 1;
                keep(&mut self.own.now.faults, NowFault { id, client, kind, why });
                self.is_due = true;
            }
        }
        self.show();
    }

    /// This number of matches is left out.
    pub fn skipped(&mut self, matches: u64) {
        self.feed.left_out.fetch_add(matches, Ordering::AcqRel);
        self.show();
    }

    /// Meetings were paired: a sentence, and the number of all matches, as far as is known.
    pub fn paired(&mut self, text: &str, matches: u64) {
        self.feed.matches.store(matches + self.feed.left_out.load(Ordering::Acquire), Ordering::Release);
        self.note(text);
    }

    /// Takes a sentence about the run.
    pub fn note(&mut self, text: &str) {
        keep(&mut self.own.now.notes, escape(text, LONGEST_LINE));
        self.is_due = true;
        self.show();
    }

    /// Gives those who look on what is due, if none of them is just looking.
    pub fn show(&mut self) {
        if self.is_due
            && let Ok(mut shown) = self.feed.shown.try_lock()
        {
            shown.clone_from(&self.own);
            self.is_due = false;
        }
    }
}

impl Drop for Teller<'_> {
    fn drop(&mut self) {
        // The run is over, and may wait.
        let mut shown = self.feed.shown.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        shown.clone_from(&self.own);
        drop(shown);
        self.feed.end();
    }
}

/// The newest first, and not too many.
fn keep<T>(list: &mut Vec<T>, newest: T) {
    list.insert(0, newest);
    list.truncate(SHOWN);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_that_are_left_out_count_as_settled() {
        let feed = Feed::default();
        let mut teller = Teller::new(&feed);
        teller.own.ladder = Some(LadderId(1));
        teller.is_due = true;
        teller.paired("round 1", 10);
        teller.skipped(4);
        let now = feed.now(Language::English).unwrap();
        assert_eq!((now.matches, now.left_out), (10, 4));
        teller.paired("round 2", 16);
        assert_eq!(feed.now(Language::English).unwrap().matches, 20, "what is drawn leaves them out");
    }

    #[test]
    fn who_looks_on_never_makes_the_run_wait() {
        let feed = Feed::default();
        let looking = feed.shown.lock().unwrap();
        let mut teller = Teller::new(&feed);
        (0..100).for_each(|_| teller.note("a"));
        assert!(looking.now.notes.is_empty() && teller.is_due);
        drop(looking);
        teller.show();
        assert_eq!(feed.look().now.notes.len(), SHOWN, "the newest are kept, and told when nobody looks");
        drop(teller);
        assert!(feed.is_over());
    }
}
