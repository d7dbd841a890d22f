//! Waits with growing pauses for resources that the machine lacks (processes, memory, space, descriptors), and reports
//! each cause once for all that wait.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The first pause; each is twice the one before.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// How often a pause looks for a stop.
const STEP: Duration = Duration::from_millis(50);
/// How long the same report is not repeated.
const SILENCE: Duration = Duration::from_secs(60);

/// The reported shortages and their times, shared by all that wait.
#[derive(Debug, Default)]
pub struct Patience(Mutex<BTreeMap<String, Instant>>);

/// The wait of one thread.
pub struct Pause<'a> {
    patience: &'a Patience,
    next: Duration,
    /// Whether this wait made the report.
    has_said: bool,
}

impl Patience {
    /// Begins an act that may have to wait.
    pub fn begin(&self) -> Pause<'_> {
        Pause { patience: self, next: FIRST_PAUSE, has_said: false }
    }

    /// Whether this report is new.
    fn is_news(&self, cause: &str) -> bool {
        // Names of files and clients differ each time; the system's number of the error does not.
        let key = cause.find("(os error").map_or(cause, |at| cause[at..].split(')').next().unwrap_or(cause));
        let mut said = self.said();
        let is_news = said.get(key).is_none_or(|before| before.elapsed() > SILENCE);
        if is_news {
            said.insert(key.to_owned(), Instant::now());
        }
        is_news
    }

    fn said(&self) -> MutexGuard<'_, BTreeMap<String, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pause<'_> {
    /// Waits before another try; false = `stop` was set, so no try follows.
    pub fn wait(&mut self, cause: &str, stop: &AtomicBool) -> bool {
        if self.patience.is_news(cause) {
            self.has_said = true;
            tracing::warn!("waiting, and trying again now and then: {cause}");
        }
        let until = Instant::now() + self.next;
        self.next = LONGEST_PAUSE.min(2 * self.next);
        while !stop.load(Ordering::Relaxed) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            std::thread::sleep(left.min(STEP));
        }
        false
    }

    /// Ends the wait, because the act succeeded.
    pub fn end(&mut self) {
        self.next = FIRST_PAUSE;
        if std::mem::take(&mut self.has_said) {
            tracing::warn!("going on: what was waited for is there again");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_grows_and_a_stop_ends_it() {
        let (patience, stop) = (Patience::default(), AtomicBool::new(false));
        let mut pause = patience.begin();
        let began = Instant::now();
        assert!(pause.wait("x: no room (os error 28); help", &stop) && pause.wait("y: no room (os error 28)", &stop));
        assert!(began.elapsed() >= 3 * FIRST_PAUSE);
        assert_eq!(patience.said().keys().collect::<Vec<_>>(), ["(os error 28"], "said once");
        stop.store(true, Ordering::Relaxed);
        let began = Instant::now();
        assert!(!pause.wait("no room", &stop));
        assert!(began.elapsed() < FIRST_PAUSE);
        pause.end();
        assert!(!pause.has_said && pause.next == FIRST_PAUSE);
    }
}
