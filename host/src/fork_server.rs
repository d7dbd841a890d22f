//! Forks a fresh host for each client from one that was started and linked once, which is most of what a start costs.
//! The fork server opens no client; it enters, once for all its children, what of the sandbox it can live with, and
//! each child the rest: both together are what a host enters that was started.
//!
//! It begins with the number of its own parent, whose children it makes. A message on descriptor 3, a socket of
//! sequenced packets, brings the words of a host's command line, each ended by a NUL, and five descriptors: stdout,
//! stderr, requests, replies, log. A sixth may follow, the folder of a control group in which the child is to begin.
//! The answer is the number of the child, or an error number below zero: `ENOTSUP` for words that are wrong, or ask for
//! other layers than the first ones did. The child is the server's own (`CLONE_PARENT`): the server waits for it and
//! ends it, and it dies with the server's thread, as one that it started.

use crate::args::Settings;
use crate::channel::Channel;
use crate::crash;
use crate::sandbox::Prepared;
use std::ffi::{OsString, c_int, c_long, c_void};
use std::io;
use std::mem::{MaybeUninit, offset_of};
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStringExt;

/// The server's socket.
const SOCKET: RawFd = 3;
/// The most bytes of a command line.
pub const MOST_WORDS: usize = 32 << 10;
/// How many descriptors come with it, but for that of a control group.
pub const DESCRIPTORS: usize = 5;

/// `PR_GET_TID_ADDRESS` of `linux/prctl.h`, which the libc crate does not name.
const PR_GET_TID_ADDRESS: c_int = 40;

/// The child is the server's own, and knows its number as the C library does.
const FLAGS: c_int = libc::CLONE_PARENT | libc::CLONE_CHILD_SETTID | libc::CLONE_CHILD_CLEARTID;
/// `CLONE_INTO_CGROUP` of `linux/sched.h`, which the libc crate has as a number of too few bits.
const CLONE_INTO_CGROUP: u64 = 1 << 33;

/// What a child begins with.
pub struct Start {
    /// What it was asked to be.
    pub settings: Settings,
    /// Its way to the server.
    pub channel: Channel,
    /// What of the sandbox was entered before.
    pub prepared: Prepared,
}

/// A request, as it was received.
struct Request {
    words: Vec<OsString>,
    descriptors: [RawFd; DESCRIPTORS],
    group: Option<RawFd>,
}

/// Where the C library keeps what the kernel tells each process anew.
struct Thread {
    /// Of the main thread's number.
    id: *mut c_int,
    robust_list: *mut c_void,
    robust_size: usize,
}

/// Serves until the server closes the socket; returns in the children, each with what it was asked to be.
///
/// # Errors
/// There is no socket, or this kernel or C library does not tell what a fork needs: the server then starts every host
/// by itself.
pub fn serve() -> io::Result<Option<Start>> {
    let thread = Thread::of_this_process()?;
    crash::prepare();
    // SAFETY: this call cannot fail and touches no memory.
    send(unsafe { libc::getppid() })?;
    let mut prepared = None;
    while let Some(request) = receive()? {
        let answer = match expected(&request.words, &mut prepared) {
            None => -libc::ENOTSUP,
            Some(settings) => match (thread.fork(request.group), prepared.take()) {
                (0, Some(prepared)) => return request.begin(settings, prepared).map(Some),
                (child, kept) => {
                    prepared = kept;
                    child
                }
            },
        };
        request.close();
        send(answer)?;
    }
    Ok(None)
}

/// What a child is asked to be that this fork server is prepared for, as it is from the first request on.
fn expected(words: &[OsString], prepared: &mut Option<Prepared>) -> Option<Settings> {
    // A program's filter is another one.
    let settings = Settings::read(words.iter().cloned()).ok().filter(|settings| settings.program.is_none())?;
    let is_expected = prepared.get_or_insert_with(|| Prepared::enter(settings.layers)).expect(&settings.plan());
    is_expected.then_some(settings)
}

impl Thread {
    fn of_this_process() -> io::Result<Thread> {
        let mut thread = Thread { id: std::ptr::null_mut(), robust_list: std::ptr::null_mut(), robust_size: 0 };
        // SAFETY: both calls write one word to each live place that they are given.
        let found = unsafe {
            let list = (&raw mut thread.robust_list, &raw mut thread.robust_size);
            libc::prctl(PR_GET_TID_ADDRESS, &raw mut thread.id) == 0
                && libc::syscall(libc::SYS_get_robust_list, 0, list.0, list.1) == 0
        };
        if found && !thread.id.is_null() { Ok(thread) } else { Err(io::Error::last_os_error()) }
    }

    /// The number of the child, 0 in it, or an error number below zero.
    ///
    /// The C library's own fork makes children of this process only; what else it does for a process with one thread is
    /// done here.
    fn fork(&self, group: Option<RawFd>) -> c_int {
        let child = match group {
            None => self.clone(),
            Some(group) => self.clone_into(group),
        };
        match child {
            -1 => -io::Error::last_os_error().raw_os_error().unwrap_or(libc::EAGAIN),
            0 => {
                // SAFETY: the list is the C library's, as the kernel knew it before the fork.
                unsafe { libc::syscall(libc::SYS_set_robust_list, self.robust_list, self.robust_size) };
                0
            }
            child => child as c_int,
        }
    }

    fn clone(&self) -> c_long {
        let flags = FLAGS | libc::SIGCHLD;
        let nothing = std::ptr::null_mut::<c_void>();
        // SAFETY: without CLONE_VM the child has its own copy of all memory and goes on upon its copy of this stack;
        // this process has one thread, so that no lock is held by another. The number is written where the C library
        // itself told the kernel to.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            let child = libc::syscall(libc::SYS_clone, flags, nothing, nothing, self.id, nothing);
            #[cfg(not(target_arch = "x86_64"))]
            let child = libc::syscall(libc::SYS_clone, flags, nothing, nothing, nothing, self.id);
            child
        }
    }

    /// The same, in a control group: to move a running process into one takes the kernel milliseconds.
    fn clone_into(&self, group: RawFd) -> c_long {
        // SAFETY: plain numbers, for all of which zero is a value.
        let mut wanted: libc::clone_args = unsafe { std::mem::zeroed() };
        wanted.flags = FLAGS as u64 | CLONE_INTO_CGROUP;
        wanted.child_tid = self.id.expose_provenance() as u64;
        wanted.cgroup = group as u64;
        // SAFETY: as in `clone`. How the child's end is told follows from whose child it is.
        unsafe { libc::syscall(libc::SYS_clone3, &raw const wanted, size_of_val(&wanted)) }
    }
}

impl Request {
    /// In the child: takes the descriptors. A group of its own, as a Ctrl-C in the terminal is meant for the server.
    fn begin(self, settings: Settings, prepared: Prepared) -> io::Result<Start> {
        let [stdout, stderr, requests, replies, log] = self.descriptors;
        // SAFETY: these calls touch no memory, and nothing owns descriptors 1 and 2.
        unsafe {
            if libc::setpgid(0, 0) != 0 || libc::dup2(stdout, 1) < 0 || libc::dup2(stderr, 2) < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        let channel = Channel::of([requests, replies, log], prepared.descriptor())?;
        Ok(Start { settings, channel, prepared })
    }

    fn close(self) {
        for descriptor in self.descriptors.into_iter().chain(self.group) {
            // SAFETY: the descriptors came with the request and have no other owner.
            unsafe { libc::close(descriptor) };
        }
    }
}

/// Bytes of a control message that brings all descriptors, its head included, in the kernel's alignment.
#[repr(C)]
struct Control {
    head: libc::cmsghdr,
    descriptors: [RawFd; DESCRIPTORS],
    group: RawFd,
}

/// The next request; `None` when the server has closed the socket.
fn receive() -> io::Result<Option<Request>> {
    // Not zeroed: a page that is written to after a fork is copied first.
    let mut bytes = MaybeUninit::<[u8; MOST_WORDS]>::uninit();
    let mut control = MaybeUninit::<Control>::zeroed();
    let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: MOST_WORDS };
    // SAFETY: a message header is plain numbers and pointers, for all of which zero is a value.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    message.msg_control = control.as_mut_ptr().cast();
    message.msg_controllen = size_of::<Control>() as _;
    let length = loop {
        // SAFETY: the header leads to live buffers of the lengths it says.
        match unsafe { libc::recvmsg(SOCKET, &raw mut message, libc::MSG_CMSG_CLOEXEC) } {
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            -1 => return Err(io::Error::last_os_error()),
            0 => return Ok(None),
            length => break length as usize,
        }
    };
    // SAFETY: it was zeroed, and any bytes make one.
    let Control { head, descriptors, group } = unsafe { control.assume_init() };
    let is_rights = (head.cmsg_level, head.cmsg_type) == (libc::SOL_SOCKET, libc::SCM_RIGHTS);
    let group = (head.cmsg_len > offset_of!(Control, group) as _).then_some(group);
    if !is_rights || head.cmsg_len < offset_of!(Control, group) as _ || message.msg_flags & libc::MSG_TRUNC != 0 {
        return Err(io::Error::other("a request that no server sends"));
    }
    // SAFETY: the kernel has just written so many bytes, at most as many as there are.
    let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast::<u8>(), length) };
    let words = bytes.split(|byte| *byte == 0).map(|word| OsString::from_vec(word.to_vec()));
    let mut words: Vec<OsString> = words.collect();
    words.pop(); // behind the last NUL
    Ok(Some(Request { words, descriptors, group }))
}

fn send(answer: c_int) -> io::Result<()> {
    let bytes = answer.to_ne_bytes();
    // SAFETY: pointer and length are those of a live array.
    match unsafe { libc::send(SOCKET, bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
