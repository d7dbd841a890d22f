//! Starts a host by `posix_spawn`, which neither copies the server's memory nor leaks a descriptor to another child.
//! The child has 0 = null device, 1 = stdout, 2 = stderr, 3 = requests, 4 = replies, 5 = log, and an empty environment.
#![expect(unsafe_code)]

use super::child::wait_for;
use super::groups::Group;
use rustix::event::PollFlags;
use rustix::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use rustix::fs::{Mode, OFlags, fcntl_setfl};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, getpriority_process, setpriority_process};
use std::ffi::{CString, OsStr};
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::time::{Duration, Instant};

/// A host that has not read its settings after this time is given up.
const START_LIMIT: Duration = Duration::from_secs(20);

/// The server's ends of the pipes to a host, and its process.
pub struct Spawned {
    /// The child, which the caller reaps.
    pub pid: Pid,
    /// The writing end, non-blocking.
    pub requests: OwnedFd,
    /// The reading end, non-blocking, as the three below.
    pub replies: OwnedFd,
    /// The client's standard output.
    pub stdout: OwnedFd,
    /// The client's standard error.
    pub stderr: OwnedFd,
    /// The lines of the host and of `agon_log`.
    pub log: OwnedFd,
    pub group: Option<Group>,
}

/// The pipes of a future host: both ends of each.
pub(crate) struct Pipes {
    /// The child's ends: stdout, stderr, requests, replies, log.
    pub of_child: [OwnedFd; 5],
    requests: OwnedFd,
    replies: OwnedFd,
    stdout: OwnedFd,
    stderr: OwnedFd,
    log: OwnedFd,
}

impl Spawned {
    /// Writes the packet that the host reads before all requests. A host that has ended reads nothing; its silence
    /// shows that.
    ///
    /// # Errors
    /// The host does not read it.
    pub(crate) fn tell(&self, mut packet: &[u8]) -> io::Result<()> {
        let since = Instant::now();
        loop {
            packet = write_now(&self.requests, packet)?;
            if packet.is_empty() {
                return Ok(());
            }
            if since.elapsed() > START_LIMIT {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "it does not read its settings"));
            }
            wait_for(&self.requests, PollFlags::OUT, START_LIMIT);
        }
    }
}

/// Writes what a pipe takes at once; returns the rest.
fn write_now<'a>(pipe: &OwnedFd, bytes: &'a [u8]) -> io::Result<&'a [u8]> {
    match rustix::io::retry_on_intr(|| rustix::io::write(pipe, bytes)) {
        Ok(written) => Ok(&bytes[written..]),
        Err(Errno::AGAIN) => Ok(bytes),
        Err(Errno::PIPE) => Ok(&[]),
        Err(error) => Err(error.into()),
    }
}

impl Pipes {
    /// Makes new pipes.
    ///
    /// # Errors
    /// There are no descriptors left.
    pub fn new() -> io::Result<Pipes> {
        let (child_requests, requests) = pipe_with(PipeFlags::CLOEXEC)?;
        let (replies, child_replies) = pipe_with(PipeFlags::CLOEXEC)?;
        let (stdout, child_stdout) = pipe_with(PipeFlags::CLOEXEC)?;
        let (stderr, child_stderr) = pipe_with(PipeFlags::CLOEXEC)?;
        let (log, child_log) = pipe_with(PipeFlags::CLOEXEC)?;
        for ours in [&requests, &replies, &stdout, &stderr, &log] {
            fcntl_setfl(ours, OFlags::NONBLOCK)?; // a new pipe has no other flags
        }
        let of_child = [child_stdout, child_stderr, child_requests, child_replies, child_log];
        Ok(Pipes { of_child, requests, replies, stdout, stderr, log })
    }

    /// Writes the beginning of the packet, as far as the pipe takes it before the host exists; returns the rest.
    ///
    /// # Errors
    /// The pipe is broken.
    pub fn begin<'a>(&self, packet: &'a [u8]) -> io::Result<&'a [u8]> {
        write_now(&self.requests, packet)
    }

    /// The server's ends, once the child has its own.
    pub fn with(self, pid: Pid) -> Spawned {
        let Pipes { requests, replies, stdout, stderr, log, .. } = self;
        Spawned { pid, requests, replies, stdout, stderr, log, group: None }
    }
}

/// Starts `program` with `args`.
///
/// # Errors
/// No pipe, or no process, could be made.
pub fn spawn(program: &Path, args: &[&OsStr]) -> io::Result<Spawned> {
    let null = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let pipes = Pipes::new()?;
    let [stdout, stderr, requests, replies, log] = pipes.of_child.each_ref().map(AsFd::as_fd);
    let pid = spawn_with(program, args, &[null.as_fd(), stdout, stderr, requests, replies, log])?;
    Ok(pipes.with(pid))
}

/// How much less urgent a host is than the server. With 1 and 2, a thread of the server waits shortest behind many
/// spinning threads of a client in the same group of the scheduler. With more, single waits become long, and other
/// programs take far more than their share from the clients.
const NICE: i32 = 1;

/// Makes a host or a fork server, which has one thread yet, less urgent than this thread. If that fails, only times
/// differ.
fn stand_back(pid: Pid) {
    let own = getpriority_process(None).unwrap_or(0);
    let _ = setpriority_process(Some(pid), own + NICE);
}

/// Gives the child `descriptors[i]` as its descriptor i, and no others.
pub(crate) fn spawn_with(program: &Path, args: &[&OsStr], descriptors: &[BorrowedFd]) -> io::Result<Pid> {
    let program = CString::new(program.as_os_str().as_bytes())?;
    let words = args.iter().map(|arg| CString::new(arg.as_bytes())).collect::<Result<Vec<_>, _>>()?;
    let mut argv: Vec<*mut libc::c_char> = vec![program.as_ptr().cast_mut()];
    argv.extend(words.iter().map(|word| word.as_ptr().cast_mut()));
    argv.push(ptr::null_mut());
    let environment = [ptr::null_mut()];
    let sources = descriptors.iter().map(|given| raise(*given, descriptors.len())).collect::<io::Result<Vec<_>>>()?;
    let actions = Actions::new(&sources)?;
    let attributes = Attributes::new()?;
    let mut pid = 0;
    // SAFETY: all pointers lead to NUL-ended strings, NULL-ended lists and initialised values that live through the
    // call.
    let error = unsafe {
        libc::posix_spawn(&mut pid, program.as_ptr(), &actions.0, &attributes.0, argv.as_ptr(), environment.as_ptr())
    };
    check(error)?;
    let pid = Pid::from_raw(pid).ok_or_else(|| io::Error::other("posix_spawn gave no process number"))?;
    stand_back(pid);
    Ok(pid)
}

/// Copies a descriptor above the numbers that the child will have, so that no dup2 overwrites a later source.
fn raise(descriptor: BorrowedFd, above: usize) -> io::Result<OwnedFd> {
    Ok(fcntl_dupfd_cloexec(descriptor, above as RawFd)?)
}

fn check(error: libc::c_int) -> io::Result<()> {
    if error == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(error)) }
}

/// The acts on the child's descriptors before it becomes the host.
struct Actions(libc::posix_spawn_file_actions_t);

impl Actions {
    fn new(sources: &[OwnedFd]) -> io::Result<Actions> {
        let mut raw = MaybeUninit::uninit();
        // SAFETY: init writes the whole value, which is used only after it succeeded.
        let mut actions = unsafe {
            check(libc::posix_spawn_file_actions_init(raw.as_mut_ptr()))?;
            Actions(raw.assume_init())
        };
        for (target, source) in sources.iter().enumerate() {
            let source = source.as_raw_fd();
            // SAFETY: the value is initialised.
            check(unsafe { libc::posix_spawn_file_actions_adddup2(&mut actions.0, source, target as libc::c_int) })?;
        }
        Ok(actions)
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: the value is initialised and not used again.
        unsafe { libc::posix_spawn_file_actions_destroy(&mut self.0) };
    }
}

/// No signal is blocked or ignored: a child must not inherit that the server ignores SIGPIPE. It gets its own process
/// group: a Ctrl-C in the terminal is meant for the server, and must not cost a client its match. It gets no session:
/// where the scheduler groups by sessions, other programs would run between every question and its answer.
struct Attributes(libc::posix_spawnattr_t);

impl Attributes {
    fn new() -> io::Result<Attributes> {
        let flags = libc::POSIX_SPAWN_SETSIGDEF | libc::POSIX_SPAWN_SETSIGMASK | libc::POSIX_SPAWN_SETPGROUP;
        let mut raw = MaybeUninit::uninit();
        let mut signals = MaybeUninit::uninit();
        // SAFETY: each init writes the whole value it is given, which is used only after it succeeded.
        unsafe {
            check(libc::posix_spawnattr_init(raw.as_mut_ptr()))?;
            let mut attributes = Attributes(raw.assume_init());
            libc::sigemptyset(signals.as_mut_ptr());
            check(libc::posix_spawnattr_setsigmask(&mut attributes.0, signals.as_ptr()))?;
            libc::sigfillset(signals.as_mut_ptr());
            check(libc::posix_spawnattr_setsigdefault(&mut attributes.0, signals.as_ptr()))?;
            check(libc::posix_spawnattr_setpgroup(&mut attributes.0, 0))?;
            check(libc::posix_spawnattr_setflags(&mut attributes.0, flags as libc::c_short))?;
            Ok(attributes)
        }
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: the value is initialised and not used again.
        unsafe { libc::posix_spawnattr_destroy(&mut self.0) };
    }
}
