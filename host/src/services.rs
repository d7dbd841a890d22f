//! The services that a caller offers to its client: the time used in the running call, a log, and files of the ladder.
#![expect(unsafe_code)]

use crate::Data;
use crate::line::Line;
use agon_abi::Services;
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

/// The most lines a client keeps in its caller's process until they are taken.
const MOST_LINES: usize = 4096;

/// The functions whose address goes into every setup.
pub(crate) static SERVICES: Services = Services { size: size_of::<Services>() as u64, cpu_us, log, data };

/// The context of a host's client, used by all its threads.
static OF_PROCESS: AtomicPtr<Context> = AtomicPtr::new(ptr::null_mut());

thread_local! {
    /// The client that this thread is calling, where several share a process.
    static OF_THREAD: Cell<*const Context> = const { Cell::new(ptr::null()) };
}

/// The data of one client that the services need.
#[derive(Default)]
pub(crate) struct Context {
    wall_judges: AtomicBool,
    asked: AtomicBool,
    began: AtomicU64,
    cpu_before: AtomicU64,
    lines: Option<Mutex<Vec<(String, String)>>>,
    data: OnceLock<Data>,
    /// Whether any line was kept. It is read after every call, where a lock would cost as much as a small client's
    /// move.
    has_lines: AtomicBool,
}

impl Context {
    /// Makes the context of a host, which serves one client and sends its lines through the pipe.
    pub(crate) fn of_process() -> Box<Context> {
        let mut context = Box::<Context>::default();
        OF_PROCESS.store(&mut *context, Relaxed);
        context
    }

    /// Makes the context of one client of several in a process; its lines are kept.
    pub(crate) fn of_thread() -> Box<Context> {
        Box::new(Context { lines: Some(Mutex::default()), ..Context::default() })
    }

    /// Sets the clock that judges from now on.
    pub(crate) fn judge_by_wall(&self, wall: bool) {
        self.wall_judges.store(wall, Relaxed);
    }

    /// Gives the files that the client may ask for, once.
    pub(crate) fn give(&self, data: Data) {
        let _ = self.data.set(data);
    }

    /// Takes the lines kept since the last call.
    pub(crate) fn take_lines(&self) -> Vec<(String, String)> {
        if !self.has_lines.load(Relaxed) {
            return Vec::new();
        }
        match self.lines.as_ref().and_then(|lines| lines.lock().ok()) {
            Some(mut lines) => {
                self.has_lines.store(false, Relaxed);
                std::mem::take(&mut lines)
            }
            None => Vec::new(),
        }
    }

    /// Wall time since the last call began, microseconds.
    pub(crate) fn passed_us(&self) -> u64 {
        now_us(libc::CLOCK_MONOTONIC).saturating_sub(self.began.load(Relaxed))
    }

    /// Time that the last call used, by the clock that the client itself has seen: one that never asked is measured by
    /// wall time, which costs no system call.
    pub(crate) fn spent_us(&self) -> u64 {
        if self.asked.load(Relaxed) { self.used_us() } else { self.passed_us() }
    }

    /// The processor clock of a host's whole process; where several clients share a process, that of the calling thread,
    /// since other threads play other matches.
    fn cpu_clock(&self) -> libc::clockid_t {
        if self.lines.is_none() { libc::CLOCK_PROCESS_CPUTIME_ID } else { libc::CLOCK_THREAD_CPUTIME_ID }
    }

    /// Runs one call of the client with its services.
    pub(crate) fn call<T>(&self, work: impl FnOnce() -> T) -> T {
        self.begin();
        if self.lines.is_none() {
            return work();
        }
        let outer = OF_THREAD.replace(self);
        let result = work();
        OF_THREAD.set(outer);
        result
    }

    /// Reads no processor clock, because that is a system call; a client that never asks does not pay for it.
    fn begin(&self) {
        self.began.store(now_us(libc::CLOCK_MONOTONIC), Relaxed);
        if self.asked.load(Relaxed) {
            self.cpu_before.store(now_us(self.cpu_clock()), Relaxed);
        }
    }

    /// Answers the client's first question with the time that passed in its call, and later ones with processor time.
    fn used_us(&self) -> u64 {
        let passed = self.passed_us();
        if self.wall_judges.load(Relaxed) {
            return passed;
        }
        let cpu = now_us(self.cpu_clock());
        if !self.asked.load(Relaxed) {
            self.cpu_before.store(cpu.saturating_sub(passed), Relaxed);
            self.asked.store(true, Relaxed);
        }
        cpu.saturating_sub(self.cpu_before.load(Relaxed))
    }

    fn keep(&self, line: &Line) {
        let text = String::from_utf8_lossy(line.bytes());
        let Some((key, value)) = text.split_once('\t') else { return };
        if let Some(mut lines) = self.lines.as_ref().and_then(|lines| lines.lock().ok())
            && lines.len() < MOST_LINES
        {
            lines.push((key.to_owned(), value.to_owned()));
            self.has_lines.store(true, Relaxed);
        }
    }
}

fn current() -> Option<&'static Context> {
    let of_thread = OF_THREAD.get();
    let context = if of_thread.is_null() { OF_PROCESS.load(Relaxed).cast_const() } else { of_thread };
    // SAFETY: a host's context lives as long as its process, a thread's as long as the call within which it is set.
    unsafe { context.as_ref() }
}

extern "C" fn cpu_us() -> u64 {
    current().map_or(0, Context::used_us)
}

extern "C" fn log(key: *const c_char, value: *const c_char) {
    let text = |start: *const c_char| match start.is_null() {
        true => &b""[..],
        // SAFETY: the client passes NUL-ended text; if it does not, that is the client's crash.
        false => unsafe { CStr::from_ptr(start) }.to_bytes(),
    };
    let line = Line::of_client(text(key)).raw(text(value));
    match current() {
        Some(context) if context.lines.is_some() => context.keep(&line),
        Some(_) => line.send(),
        None => {}
    }
}

extern "C" fn data(name: *const c_char, size: *mut u64) -> *const c_void {
    if name.is_null() || size.is_null() {
        return ptr::null();
    }
    // SAFETY: the client passes NUL-ended text; if it does not, that is the client's crash.
    let name = unsafe { CStr::from_ptr(name) };
    let found = current().and_then(|context| context.data.get()).and_then(|data| data.find(name));
    let (start, bytes) = found.unwrap_or((ptr::null(), 0));
    // SAFETY: the client passes a place for a number; if it does not, that is the client's crash.
    unsafe { size.write_unaligned(bytes) };
    start
}

fn now_us(clock: libc::clockid_t) -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is that of a live timespec.
    unsafe { libc::clock_gettime(clock, &mut now) };
    now.tv_sec as u64 * 1_000_000 + now.tv_nsec as u64 / 1000
}
