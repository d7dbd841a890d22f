//! The processes behind a host: one that was started, or a fork server and the host that it made.
#![expect(unsafe_code)]

use agon_host::fork_server::ForkRequest;
use std::fs::File;
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};

/// The process that waits for a host: the library, or a fork server, which lives as long.
pub(super) enum Process {
    Started(Child),
    Forked(i32, ForkServer),
}

impl Process {
    pub(super) fn wait(self) -> ExitStatus {
        match self {
            Process::Started(mut child) => child.wait().unwrap(),
            Process::Forked(pid, _server) => {
                let mut status = 0;
                // SAFETY: the pointer is that of a live number; the child is this process's own.
                assert_eq!(unsafe { libc::waitpid(pid, &mut status, 0) }, pid);
                ExitStatus::from_raw(status)
            }
        }
    }
}

/// The host program as a fork server, which ends when this is dropped.
pub(super) struct ForkServer {
    child: Child,
    socket: Option<File>,
}

impl Drop for ForkServer {
    fn drop(&mut self) {
        self.socket = None;
        self.child.wait().unwrap();
    }
}

impl ForkServer {
    pub(super) fn start() -> ForkServer {
        let mut ends = [0; 2];
        let kind = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC;
        // SAFETY: the pointer is that of two live numbers; each becomes one owned descriptor.
        assert_eq!(unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) }, 0);
        // SAFETY: as above.
        let [socket, its] = ends.map(|end| unsafe { OwnedFd::from_raw_fd(end) });
        let its = high(its);
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon-host"));
        command.arg("--fork-server").env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let server = ForkServer { child: spawn(command, vec![(its.as_raw_fd(), 3)]), socket: Some(socket.into()) };
        assert_eq!(server.answer(), std::process::id() as i32);
        server
    }

    fn answer(&self) -> i32 {
        let mut answer = [0; 4];
        assert_eq!(self.socket.as_ref().unwrap().read(&mut answer).unwrap(), 4);
        i32::from_ne_bytes(answer)
    }

    /// Asks for a host with this request and descriptors; its number, or an error below zero.
    pub(super) fn fork(&self, request: &ForkRequest, descriptors: &[RawFd]) -> i32 {
        #[repr(C)]
        struct Control(libc::cmsghdr, [RawFd; 8]);
        let size = std::mem::offset_of!(Control, 1) + size_of_val(descriptors);
        // SAFETY: plain numbers and pointers, for which zero is a value.
        let (mut control, mut message): (Control, libc::msghdr) = unsafe { std::mem::zeroed() };
        (control.0.cmsg_len, control.0.cmsg_level, control.0.cmsg_type) =
            (size as _, libc::SOL_SOCKET, libc::SCM_RIGHTS);
        control.1[..descriptors.len()].copy_from_slice(descriptors);
        let bytes = agon_abi::bytes_of(request);
        let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
        (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
        (message.msg_control, message.msg_controllen) = ((&raw mut control).cast(), size.next_multiple_of(8) as _);
        let socket = self.socket.as_ref().unwrap().as_raw_fd();
        // SAFETY: the message leads to live values of the lengths that it says.
        assert_eq!(unsafe { libc::sendmsg(socket, &raw const message, 0) }, bytes.len() as isize);
        self.answer()
    }
}

/// Starts a program that has these descriptors by other numbers.
pub(super) fn spawn(mut command: Command, moved: Vec<(RawFd, RawFd)>) -> Child {
    let place = move || {
        for (descriptor, number) in &moved {
            // SAFETY: dup2 is async-signal-safe and touches no memory.
            if unsafe { libc::dup2(*descriptor, *number) } < 0 {
                return Err(std::io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: between fork and exec only dup2 is called.
    unsafe { command.pre_exec(place) }.spawn().unwrap()
}

pub(super) fn pipe() -> (OwnedFd, OwnedFd) {
    let mut ends = [0; 2];
    // SAFETY: the pointer is that of two live numbers; each becomes one owned descriptor.
    assert_eq!(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) }, 0);
    // SAFETY: as above.
    let own = |end: RawFd| unsafe { OwnedFd::from_raw_fd(end) };
    (own(ends[0]), own(ends[1]))
}

pub(super) fn high(end: OwnedFd) -> OwnedFd {
    // SAFETY: the copy is a new descriptor, owned once.
    unsafe { OwnedFd::from_raw_fd(libc::fcntl(end.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 200)) }
}
