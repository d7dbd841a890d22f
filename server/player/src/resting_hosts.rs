//! Hosts that nobody asks for a while: between two matches, or while the other seats begin and end. One thread of this
//! process watches all of them, so that none grows or computes unseen. It ends hosts that are kept for nothing.

use super::Trouble;
use super::host::Host;
use super::verdict::Moment;
use agon_model::Limits;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

/// How often the thread looks at a host.
const INTERVAL: Duration = Duration::from_millis(20);
/// A host without a match after this time is ended: a new one starts in a millisecond.
const KEPT: Duration = Duration::from_secs(10);

/// A host at rest; dropping it ends the process.
pub(crate) struct RestingHost(Arc<Mutex<Resting>>);

struct Resting {
    /// The host; `None` once it was taken back or ended.
    host: Option<Host>,
    trouble: Option<Trouble>,
    moment: Moment,
    limits: Limits,
    /// The client's name and the time until which its host is kept, if it rests between two matches.
    kept: Option<(String, Instant)>,
}

static ALL: Mutex<Vec<Weak<Mutex<Resting>>>> = Mutex::new(Vec::new());
static NEWS: Condvar = Condvar::new();
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

impl RestingHost {
    /// Takes a host to lay it to rest, if there is a thread to watch it. `kept` names the client of a host that waits
    /// for its next match.
    pub fn begin(host: &mut Option<Host>, moment: Moment, limits: &Limits, kept: Option<&str>) -> Option<RestingHost> {
        if !is_watched() {
            return None;
        }
        let host = host.take()?;
        let kept = kept.map(|name| (name.to_owned(), Instant::now() + KEPT));
        let resting = Resting { host: Some(host), trouble: None, moment, limits: limits.clone(), kept };
        let rest = RestingHost(Arc::new(Mutex::new(resting)));
        let mut all = lock(&ALL);
        all.push(Arc::downgrade(&rest.0));
        if all.len() == 1 {
            NEWS.notify_one();
        }
        Some(rest)
    }

    /// Returns the host, unless it was ended, and the findings of its rest.
    pub fn end(self) -> (Option<Host>, Option<Trouble>) {
        let mut resting = lock(&self.0);
        (resting.host.take(), resting.trouble.take())
    }
}

impl Resting {
    /// Looks at the host; returns whether there is more to see.
    fn look(&mut self) -> bool {
        let Some(host) = &mut self.host else { return false };
        if self.kept.as_ref().is_some_and(|(_, until)| Instant::now() > *until) {
            self.host = None;
            return false;
        }
        let found = host.judge_out_of_turn(self.moment).and_then(|_| host.judge_holdings(self.moment, &self.limits));
        let Err(trouble) = found else { return true };
        host.kill();
        if let (Trouble::Fault(fault), Some((name, _))) = (&trouble, &self.kept) {
            tracing::warn!("{name}, kept for its next match: {}: {}", fault.kind.name(), fault.message);
        }
        self.trouble = Some(trouble);
        false
    }
}

/// Whether the watching thread runs; the first host starts it.
fn is_watched() -> bool {
    if !IS_WATCHED.swap(true, SeqCst) && Builder::new().name("rest".to_owned()).spawn(watch_all).is_err() {
        IS_WATCHED.store(false, SeqCst);
    }
    IS_WATCHED.load(SeqCst)
}

fn watch_all() {
    loop {
        let mut all = lock(&ALL);
        while all.is_empty() {
            all = NEWS.wait(all).unwrap_or_else(PoisonError::into_inner);
        }
        let mut seen = std::mem::take(&mut *all);
        drop(all);
        seen.retain(|resting| resting.upgrade().is_some_and(|resting| lock(&resting).look()));
        lock(&ALL).extend(seen);
        sleep(INTERVAL);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
