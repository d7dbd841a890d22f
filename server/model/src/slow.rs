//! Names acts that take long, such as reading from a dead network mount: the kernel may keep them waiting for ever, and
//! the one who waits wants to know for what.

use crate::visible::{Medium, visible};
use std::io::Write;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// After this time an act is named.
const NAMED_AFTER: Duration = Duration::from_secs(10);

/// The acts under way, each with the time at which it is named, and its text.
struct Acts {
    under_way: Vec<(u64, Instant, String)>,
    next: u64,
    has_thread: bool,
    /// The time at which the watcher looks again by itself.
    looks_at: Option<Instant>,
}

static ACTS: Mutex<Acts> = Mutex::new(Acts { under_way: Vec::new(), next: 0, has_thread: false, looks_at: None });
static CHANGED: Condvar = Condvar::new();

/// The function that writes the lines where they would disturb others on the screen; by default they go to stderr.
static WRITER: OnceLock<fn(&str)> = OnceLock::new();

/// Has this function write the lines about slow acts.
pub fn write_slow_acts_by(writer: fn(&str)) {
    // The first one remains.
    let _ = WRITER.set(writer);
}

/// Does something that waits for a disk or a server, and prints a line if it takes more than 10 s.
pub fn named_if_slow<T>(what: impl FnOnce() -> String, act: impl FnOnce() -> T) -> T {
    let _act = SlowAct::begin(NAMED_AFTER, what());
    act()
}

/// An act under way.
struct SlowAct(u64);

impl SlowAct {
    fn begin(patience: Duration, what: String) -> SlowAct {
        let mut acts = lock();
        // Where no thread starts, only the line is missing.
        acts.has_thread = acts.has_thread || Builder::new().name("slow acts".to_owned()).spawn(watch).is_ok();
        let (id, named_at) = (acts.next, Instant::now() + patience);
        acts.next += 1;
        acts.under_way.push((id, named_at, what));
        // To wake the watcher takes longer than most acts.
        if acts.looks_at.is_none_or(|looks_at| named_at < looks_at) {
            acts.looks_at = Some(named_at);
            CHANGED.notify_one();
        }
        SlowAct(id)
    }
}

impl Drop for SlowAct {
    fn drop(&mut self) {
        lock().under_way.retain(|(id, ..)| *id != self.0);
    }
}

fn lock() -> MutexGuard<'static, Acts> {
    ACTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Names each act whose time has come, once.
fn watch() {
    let mut acts = lock();
    loop {
        let due = due(&mut acts, Instant::now());
        if !due.is_empty() {
            // A terminal that takes no line must not keep others from their acts.
            drop(acts);
            due.iter().for_each(|what| tell(what));
            acts = lock();
            continue;
        }
        acts.looks_at = acts.under_way.iter().map(|(_, at, _)| *at).min();
        acts = match acts.looks_at {
            None => CHANGED.wait(acts).unwrap_or_else(PoisonError::into_inner),
            Some(at) => {
                let left = at.saturating_duration_since(Instant::now());
                CHANGED.wait_timeout(acts, left).unwrap_or_else(PoisonError::into_inner).0
            }
        };
    }
}

fn tell(what: &str) {
    let line = format!(
        "warning: agon waits for {what}; help: look whether its disk or server answers (a dead mount does not); \
         Ctrl-C, perhaps twice, ends agon"
    );
    match WRITER.get() {
        Some(write) => write(&line),
        None => drop(writeln!(std::io::stderr(), "{}", visible(&line, Medium::Screen))),
    }
}

/// Takes the acts whose time has come.
fn due(acts: &mut Acts, now: Instant) -> Vec<String> {
    let (due, others): (Vec<_>, Vec<_>) =
        std::mem::take(&mut acts.under_way).into_iter().partition(|(_, at, _)| *at <= now);
    acts.under_way = others;
    due.into_iter().map(|(_, _, what)| what).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn an_act_is_due_once_when_its_time_has_come_and_never_when_it_is_done() {
        let minute = Duration::from_secs(60);
        let long = SlowAct::begin(minute, "a dead disk".to_owned());
        drop(SlowAct::begin(minute, "a fast one".to_owned()));
        let now = Instant::now();
        let at = |after: u64| due(&mut lock(), now + Duration::from_secs(after));
        assert_eq!(at(30), Vec::<String>::new());
        assert_eq!(at(61), ["a dead disk"]);
        assert_eq!(at(300), Vec::<String>::new());
        drop(long);
        assert_eq!(named_if_slow(|| "nothing".to_owned(), || 7), 7);
        assert!(lock().under_way.is_empty());
        // A writer that is held up keeps nobody from an act.
        static SCREEN: Mutex<String> = Mutex::new(String::new());
        static IS_ASKED: AtomicBool = AtomicBool::new(false);
        write_slow_acts_by(|line| {
            IS_ASKED.store(true, Ordering::SeqCst);
            SCREEN.lock().unwrap().push_str(line);
        });
        let until = |is_done: &dyn Fn() -> bool| {
            let end = Instant::now() + Duration::from_secs(20);
            while !is_done() {
                assert!(Instant::now() < end, "the watcher is late");
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let screen = SCREEN.lock().unwrap();
        let _slow = SlowAct::begin(Duration::ZERO, "a slow disk".to_owned());
        until(&|| IS_ASKED.load(Ordering::SeqCst));
        let is_free = ACTS.try_lock().is_ok();
        drop(screen);
        assert!(is_free);
        until(&|| SCREEN.lock().unwrap().starts_with("warning: agon waits for a slow disk; help: "));
    }
}
