//! How hosts come to be: started one by one, or forked by a host that was started once, which spares a program's start
//! and its linking.

use super::child::Child;
use super::groups::{Group, Groups};
use super::spawn::{Pipes, Spawned, spawn, spawn_with};
use super::verdict::Death;
use agon_host::fork_server::{DESCRIPTORS, MOST_WORDS};
use agon_model::{Limits, is_shortage};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recv,
    sendmsg, socketpair,
};
use rustix::process::{Pid, WaitIdOptions};
use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// A fork server that has not answered by then is given up.
const PATIENCE: Duration = Duration::from_secs(20);

/// Starts hosts; a copy shares the fork server of its original.
#[derive(Clone, Debug)]
pub struct Launcher {
    program: PathBuf,
    /// `None` where each host is started by itself.
    forks: Option<Rc<RefCell<Forks>>>,
    groups: Rc<RefCell<Delegated>>,
}

/// The control groups of a launcher's hosts.
#[derive(Debug, Default)]
enum Delegated {
    #[default]
    NotLookedFor,
    Here(Arc<Groups>),
    Missing,
}

/// The fork server of a launcher.
#[derive(Debug, Default)]
enum Forks {
    #[default]
    NotStarted,
    Running(ForkServer),
    /// It does not work on this machine.
    Missing,
}

/// A running fork server; it is ended when this is dropped.
#[derive(Debug)]
struct ForkServer {
    child: Child,
    socket: OwnedFd,
}

/// What a fork server answers.
enum Forked {
    Host(Spawned),
    /// It forks hosts of other layers.
    NotLikeThis,
    /// It is no more.
    NoMore,
}

impl Launcher {
    /// Starts the program for every host.
    pub fn by_start(program: &Path) -> Launcher {
        Launcher { program: program.to_owned(), forks: None, groups: Rc::default() }
    }

    /// Starts the program once, when the first host is wanted, and has it forked from then on. Hosts run where the
    /// thread ran that wanted the first one.
    pub fn by_fork(program: &Path) -> Launcher {
        Launcher { program: program.to_owned(), forks: Some(Rc::default()), groups: Rc::default() }
    }

    /// The host program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// A host with these words on its command line, in a control group with these limits where there are such groups.
    ///
    /// # Errors
    /// No pipe, or no process, could be made.
    pub fn launch(&self, words: &[OsString], limits: Option<&Limits>) -> io::Result<Spawned> {
        let Some(mut group) = limits.and_then(|limits| self.group(limits)) else { return self.make(words, None) };
        match self.make(words, Some(&mut group)) {
            Err(error) if !is_shortage(&error) => {
                tracing::debug!("no control groups for hosts: {error}");
                *self.groups.borrow_mut() = Delegated::Missing;
                self.make(words, None)
            }
            made => made.map(|spawned| Spawned { group: Some(group), ..spawned }),
        }
    }

    /// A group with these limits.
    fn group(&self, limits: &Limits) -> Option<Group> {
        let mut groups = self.groups.borrow_mut();
        if let Delegated::NotLookedFor = *groups {
            *groups = Groups::shared().map_or(Delegated::Missing, Delegated::Here);
        }
        let Delegated::Here(shared) = &*groups else { return None };
        let lent = shared.lend(limits).inspect_err(|error| tracing::debug!("no control groups for hosts: {error}"));
        if lent.is_err() {
            *groups = Delegated::Missing;
        }
        lent.ok()
    }

    /// A host, in this group.
    fn make(&self, words: &[OsString], mut group: Option<&mut Group>) -> io::Result<Spawned> {
        let (Some(forks), Some(message)) = (&self.forks, message(words)) else { return self.start(words, group) };
        let mut forks = forks.borrow_mut();
        // A fork server that was ended, as by the kernel when memory is short, is started once more.
        for _ in 0..2 {
            if let Forks::NotStarted = *forks {
                *forks = match ForkServer::start(&self.program) {
                    Ok(forks) => forks,
                    // It can be had when there is enough again.
                    Err(error) if is_shortage(&error) => return Err(error),
                    Err(_) => Forks::Missing,
                };
            }
            let Forks::Running(server) = &mut *forks else { break };
            match server.fork(&message, group.as_deref_mut())? {
                Forked::Host(spawned) => return Ok(spawned),
                Forked::NotLikeThis => break,
                Forked::NoMore => *forks = server.follow_up(),
            }
        }
        self.start(words, group)
    }

    /// Opens no client before it is asked to, so that it can be moved after it was started.
    fn start(&self, words: &[OsString], group: Option<&mut Group>) -> io::Result<Spawned> {
        let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
        let spawned = spawn(&self.program, &words)?;
        if let Some(leaf) = group.and_then(Group::leaf) {
            leaf.add_process(spawned.pid).inspect_err(|_| drop(Child::new(spawned.pid)))?;
        }
        Ok(spawned)
    }
}

/// The words as a fork server takes them, if they are not too many.
fn message(words: &[OsString]) -> Option<Vec<u8>> {
    let message: Vec<u8> = words.iter().flat_map(|word| word.as_bytes().iter().chain(&[0])).copied().collect();
    (message.len() <= MOST_WORDS).then_some(message)
}

impl ForkServer {
    fn start(program: &Path) -> io::Result<Forks> {
        let (socket, its) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        set_socket_timeout(&socket, Timeout::Recv, Some(PATIENCE))?;
        let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
        let given = [null.as_fd(), null.as_fd(), null.as_fd(), its.as_fd()];
        let pid = spawn_with(program, &[OsStr::new("--fork-server")], &given)?;
        // Its end is not heard as long as anybody else holds its socket.
        drop(its);
        let mut server = ForkServer { child: Child::new(pid)?, socket };
        Ok(match server.receive() {
            Ok(parent) if parent.unsigned_abs() == std::process::id() => Forks::Running(server),
            // A program that stands between, as a script that calls the host, would be the parent of the hosts.
            Ok(_) => Forks::Missing,
            Err(_) => server.follow_up(),
        })
    }

    /// A host.
    ///
    /// # Errors
    /// No pipe could be made, or no process.
    fn fork(&mut self, message: &[u8], group: Option<&mut Group>) -> io::Result<Forked> {
        let pipes = Pipes::new()?;
        let leaf = group.and_then(Group::leaf);
        let descriptors = pipes.of_child.iter().map(AsFd::as_fd).chain(leaf.as_ref().map(|leaf| leaf.folder()));
        match self.ask(message, &descriptors.collect::<Vec<_>>()) {
            Ok(number) if number == -libc::ENOTSUP => Ok(Forked::NotLikeThis),
            Ok(number) if number < 0 => Err(io::Error::from_raw_os_error(-number)),
            Ok(number) => Ok(Pid::from_raw(number).map_or(Forked::NoMore, |pid| Forked::Host(pipes.with(pid)))),
            Err(Errno::NOMEM | Errno::NOBUFS | Errno::MFILE | Errno::TOOMANYREFS) => Err(Errno::NOMEM.into()),
            Err(_) => Ok(Forked::NoMore),
        }
    }

    /// What comes after a fork server that does not answer: where it was killed, another one. By itself it ends, or
    /// hangs, only where it cannot serve at all.
    fn follow_up(&mut self) -> Forks {
        self.child.await_end(Duration::from_secs(2));
        match self.child.reap(WaitIdOptions::NOHANG) {
            Some(Death::Signal(_)) => Forks::NotStarted,
            _ => Forks::Missing,
        }
    }

    /// The number that it answers.
    fn ask(&self, message: &[u8], descriptors: &[BorrowedFd]) -> Result<i32, Errno> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS + 1))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(descriptors));
        sendmsg(&self.socket, &[IoSlice::new(message)], &mut control, SendFlags::NOSIGNAL)?;
        self.receive()
    }

    fn receive(&self) -> Result<i32, Errno> {
        let mut answer = [0u8; 4];
        match rustix::io::retry_on_intr(|| recv(&self.socket, &mut answer, RecvFlags::empty()))?.1 {
            4 => Ok(i32::from_ne_bytes(answer)),
            _ => Err(Errno::PIPE),
        }
    }
}
