//! Forks a fresh host for each client from one that was started and linked once, which saves most of the cost of a
//! start. The fork server opens no client. It enters the part of the sandbox with which it can work itself, and each
//! child enters the rest. Together these are the layers of a host that was started on its own.
//!
//! The first message is the number of the server's process, for which it makes children. Each message on descriptor 3,
//! a socket of sequenced packets, is a [`ForkRequest`] with descriptors: stdout, stderr, requests, replies, log, then
//! the client's files. A last descriptor may name the folder of the control group in which the child begins. The answer
//! is the number of the child, or an error number below zero. `ENOTSUP` answers a request for other layers than the
//! first request had. The child is the server's own child (`CLONE_PARENT`): the server waits for it and ends it. It
//! dies with the server's thread, as a started host does.
//!
//! No path and no name comes here: each child reads its settings from its own requests. So no child finds in its memory
//! which clients were forked before it.
#![expect(unsafe_code)]

use crate::channel::Channel;
use crate::crash;
use crate::sandbox::PreparedSandbox;
use crate::settings::HostSettings;
use agon_abi::{Layers, read};
use std::ffi::{c_int, c_long, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};

const SOCKET: RawFd = 3;
/// The number of pipes in a request: stdout, stderr, requests, replies, log.
pub const PIPES: usize = 5;
/// The most files of a client.
pub const MOST_FILES: usize = 8;
/// The most descriptors of a request.
const DESCRIPTORS: usize = PIPES + MOST_FILES + 1;

agon_abi::pod! {
    /// A request to a fork server; the descriptors travel next to it.
    pub struct ForkRequest = "fork_request" {
        pub version: u32,
        /// Bits of the `Layers` that the child enters.
        pub layers: u32,
        /// The number of descriptors that are the client's files.
        pub files: u32,
        /// It is 1 if the last descriptor is that of a control group, else 0.
        pub has_group: u32,
    }
}

impl ForkRequest {
    /// The version of the requests of this agon.
    pub const VERSION: u32 = 1;

    /// Makes the request for a child in these layers that reads this number of files.
    pub fn new(layers: Layers, files: usize, has_group: bool) -> ForkRequest {
        ForkRequest {
            version: ForkRequest::VERSION,
            layers: layers.0,
            files: files as u32,
            has_group: has_group.into(),
        }
    }
}

/// `PR_GET_TID_ADDRESS` of `linux/prctl.h`, which the libc crate does not name.
const PR_GET_TID_ADDRESS: c_int = 40;

/// The child is the server's own, and knows its number as the C library does.
const FLAGS: c_int = libc::CLONE_PARENT | libc::CLONE_CHILD_SETTID | libc::CLONE_CHILD_CLEARTID;
/// `CLONE_INTO_CGROUP` of `linux/sched.h`; the libc crate defines it as a number of too few bits.
const CLONE_INTO_CGROUP: u64 = 1 << 33;

/// The settings and files that a child receives when it begins.
pub struct ChildStart {
    pub settings: HostSettings,
    /// The child's connection to the server.
    pub channel: Channel,
    /// The part of the sandbox that the fork server entered.
    pub prepared: PreparedSandbox,
}

/// A request as it was received.
struct Received {
    layers: Layers,
    pipes: [OwnedFd; PIPES],
    files: Vec<OwnedFd>,
    group: Option<OwnedFd>,
}

/// The places where the C library keeps what the kernel reports to each new process.
struct Thread {
    /// The address of the main thread's number.
    id: *mut c_int,
    robust_list: *mut c_void,
    robust_size: usize,
}

/// Serves until the server closes the socket. It returns only in the children, each with its settings.
///
/// # Errors
/// There is no socket, or this kernel or C library does not give what a fork needs. The server then starts every host
/// by itself.
pub fn serve() -> io::Result<Option<ChildStart>> {
    let thread = Thread::of_this_process()?;
    crash::prepare();
    // SAFETY: this call cannot fail and touches no memory.
    send(unsafe { libc::getppid() })?;
    let mut prepared: Option<PreparedSandbox> = None;
    while let Some(received) = receive()? {
        let mut ready = prepared.take().unwrap_or_else(|| PreparedSandbox::enter(received.layers));
        let answer = if ready.layers() == received.layers {
            ready.expect(&received.files);
            match thread.fork(received.group.as_ref().map(AsRawFd::as_raw_fd)) {
                0 => return received.begin(ready).map(Some),
                child => child,
            }
        } else {
            -libc::ENOTSUP
        };
        prepared = Some(ready);
        drop(received);
        send(answer)?;
    }
    Ok(None)
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

    /// Returns the number of the child, 0 in the child, or an error number below zero.
    ///
    /// The C library's own fork makes only children of this process. This function does the rest that it does for a
    /// process with one thread.
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

    /// Forks into a control group, because moving a running process into one takes the kernel milliseconds.
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

impl Received {
    /// In the child: takes the descriptors and reads its settings. The child gets its own process group, because a
    /// Ctrl-C in the terminal is meant for the server.
    fn begin(self, prepared: PreparedSandbox) -> io::Result<ChildStart> {
        // Only the list that was made of the files is needed from here on.
        drop((self.files, self.group));
        let [stdout, stderr, requests, replies, log] = self.pipes.map(IntoRawFd::into_raw_fd);
        // SAFETY: these calls touch no memory, and nothing owns descriptors 1 and 2.
        unsafe {
            if libc::setpgid(0, 0) != 0 || libc::dup2(stdout, 1) < 0 || libc::dup2(stderr, 2) < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        let channel = Channel::of([requests, replies, log], prepared.descriptor())?;
        let settings = HostSettings::receive(&mut channel.beginning())?;
        match settings.program {
            None if settings.layers == self.layers => Ok(ChildStart { settings, channel, prepared }),
            _ => Err(io::Error::other("the settings are of another client than the request")),
        }
    }
}

/// The bytes of a control message that brings all descriptors, head included, in the kernel's alignment.
#[repr(C)]
struct Control {
    head: libc::cmsghdr,
    descriptors: [RawFd; DESCRIPTORS],
}

/// The next request; `None` when the server has closed the socket.
fn receive() -> io::Result<Option<Received>> {
    let mut bytes = [0; size_of::<ForkRequest>()];
    let mut control = MaybeUninit::<Control>::zeroed();
    let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
    // SAFETY: a message header is plain numbers and pointers, for all of which zero is a value.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    message.msg_control = control.as_mut_ptr().cast();
    message.msg_controllen = size_of::<Control>() as _;
    loop {
        // SAFETY: the header leads to live buffers of the lengths it says.
        match unsafe { libc::recvmsg(SOCKET, &raw mut message, libc::MSG_CMSG_CLOEXEC) } {
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            -1 => return Err(io::Error::last_os_error()),
            0 => return Ok(None),
            _ => break,
        }
    }
    // SAFETY: it was zeroed, and any bytes make one.
    let Control { head, descriptors } = unsafe { control.assume_init() };
    let is_rights = (head.cmsg_level, head.cmsg_type) == (libc::SOL_SOCKET, libc::SCM_RIGHTS);
    let length: usize = head.cmsg_len as _;
    let count = length.saturating_sub(size_of::<libc::cmsghdr>()) / size_of::<RawFd>();
    let count = if is_rights { count.min(DESCRIPTORS) } else { 0 };
    // SAFETY: the kernel has just made these descriptors for this process, each of which is owned once.
    let mut owned: Vec<OwnedFd> =
        descriptors[..count].iter().map(|one| unsafe { OwnedFd::from_raw_fd(*one) }).collect();
    let whole = read::<ForkRequest>(&bytes).filter(|request| {
        let wanted = PIPES + request.files as usize + request.has_group as usize;
        request.version == ForkRequest::VERSION
            && count == wanted
            && message.msg_flags & (libc::MSG_TRUNC | libc::MSG_CTRUNC) == 0
    });
    let request = whole.ok_or_else(|| io::Error::other("a request that no server sends"))?;
    let group = if request.has_group == 1 { owned.pop() } else { None };
    let files = owned.split_off(PIPES);
    let pipes = owned.try_into().map_err(|_| io::Error::other("a request without pipes"))?;
    Ok(Some(Received { layers: Layers(request.layers), pipes, files, group }))
}

fn send(answer: c_int) -> io::Result<()> {
    let bytes = answer.to_ne_bytes();
    // SAFETY: pointer and length are those of a live array.
    match unsafe { libc::send(SOCKET, bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
