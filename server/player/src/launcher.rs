//! Makes hosts: starts them one by one, or has them forked by a host that was started once, which saves a program's
//! start and linking.

use super::child::Child;
use super::groups::{Group, Groups, THREADS_BESIDE, THREADS_OF_RUNTIME};
use super::spawn::{Pipes, Spawned, spawn, spawn_with};
use super::verdict::Death;
use agon_abi::{Layers, bytes_of};
use agon_host::fork_server::{ForkRequest, MOST_FILES, PIPES};
use agon_host::sandbox::open_folder;
use agon_host::settings::HostSettings;
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
use std::ffi::OsStr;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// A fork server that has not answered after this time is given up.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);

/// Starts hosts; a copy shares the fork server of its original.
#[derive(Clone, Debug)]
pub struct Launcher {
    program: PathBuf,
    /// The fork server; `None` if each host is started by itself.
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
    /// The fork server does not work on this machine.
    Missing,
}

/// A running fork server; dropping it ends the process.
#[derive(Debug)]
struct ForkServer {
    child: Child,
    socket: OwnedFd,
}

/// The answer of a fork server.
enum Forked {
    Host(Spawned),
    /// It forks hosts of other layers.
    NotLikeThis,
    NoMore,
}

impl Launcher {
    /// Starts the program for every host.
    pub fn by_start(program: &Path) -> Launcher {
        Launcher { program: program.to_owned(), forks: None, groups: Rc::default() }
    }

    /// Starts the program once, for the first host, and lets it fork all hosts. Hosts run on the core of the thread
    /// that wanted the first one.
    pub fn by_fork(program: &Path) -> Launcher {
        Launcher { program: program.to_owned(), forks: Some(Rc::default()), groups: Rc::default() }
    }

    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Launches a host with these settings, in a control group with these limits where there are such groups.
    ///
    /// # Errors
    /// No pipe, or no process, could be made.
    pub fn launch(&self, settings: &HostSettings, limits: Option<&Limits>) -> io::Result<Spawned> {
        let packet = settings.pack().map_err(io::Error::other)?;
        let beside = if settings.program.is_some() { THREADS_OF_RUNTIME } else { THREADS_BESIDE };
        let Some(mut group) = limits.and_then(|limits| self.group(limits, beside)) else {
            return self.make(settings, &packet, None);
        };
        match self.make(settings, &packet, Some(&mut group)) {
            Err(error) if !is_shortage(&error) => {
                tracing::debug!("no control groups for hosts: {error}");
                *self.groups.borrow_mut() = Delegated::Missing;
                self.make(settings, &packet, None)
            }
            made => made.map(|spawned| Spawned { group: Some(group), ..spawned }),
        }
    }

    /// Starts the fork server anew for the next host.
    pub fn renew(&self) {
        if let Some(forks) = &self.forks {
            *forks.borrow_mut() = Forks::NotStarted;
        }
    }

    fn group(&self, limits: &Limits, beside: u64) -> Option<Group> {
        let mut groups = self.groups.borrow_mut();
        if let Delegated::NotLookedFor = *groups {
            *groups = Groups::shared().map_or(Delegated::Missing, Delegated::Here);
        }
        let Delegated::Here(shared) = &*groups else { return None };
        let lent =
            shared.lend(limits, beside).inspect_err(|error| tracing::debug!("no control groups for hosts: {error}"));
        if lent.is_err() {
            *groups = Delegated::Missing;
        }
        lent.ok()
    }

    /// Makes a host in this group.
    fn make(&self, settings: &HostSettings, packet: &[u8], mut group: Option<&mut Group>) -> io::Result<Spawned> {
        let (Some(forks), Some(order)) = (&self.forks, ForkOrder::of(settings, packet)) else {
            return self.start(packet, group);
        };
        let mut forks = forks.borrow_mut();
        // A fork server that was ended, for example by the kernel when memory is short, is started once more.
        for _ in 0..2 {
            if let Forks::NotStarted = *forks {
                *forks = match ForkServer::start(&self.program) {
                    Ok(forks) => forks,
                    // The resource may be available later.
                    Err(error) if is_shortage(&error) => return Err(error),
                    Err(_) => Forks::Missing,
                };
            }
            let Forks::Running(server) = &mut *forks else { break };
            match server.fork(&order, group.as_deref_mut())? {
                Forked::Host(spawned) => return Ok(spawned),
                Forked::NotLikeThis => break,
                Forked::NoMore => *forks = server.follow_up(),
            }
        }
        self.start(packet, group)
    }

    /// Starts a host. It opens no client before it is asked to, so it can be moved after its start.
    fn start(&self, packet: &[u8], group: Option<&mut Group>) -> io::Result<Spawned> {
        let spawned = spawn(&self.program, &[])?;
        let placed = group.and_then(Group::leaf).map_or(Ok(()), |leaf| leaf.add_process(spawned.pid));
        placed.and_then(|()| spawned.tell(packet)).inspect_err(|_| drop(Child::new(spawned.pid)))?;
        Ok(spawned)
    }
}

/// A request to a fork server, with the packet that its child reads.
struct ForkOrder<'a> {
    layers: Layers,
    /// The client's files, open only to be named in a list.
    files: Vec<OwnedFd>,
    packet: &'a [u8],
}

impl ForkOrder<'_> {
    /// Returns `None` if a fork server cannot do it. A program has another filter, and the host reports missing files
    /// when it opens them.
    fn of<'a>(settings: &HostSettings, packet: &'a [u8]) -> Option<ForkOrder<'a>> {
        let paths = [&settings.file].into_iter().chain(&settings.also);
        let open = |path: &PathBuf| rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok();
        let folders = settings.folders.iter().map(|folder| open_folder(folder).ok());
        let files: Vec<OwnedFd> = paths.map(open).chain(folders).collect::<Option<_>>()?;
        let fits = settings.program.is_none() && files.len() <= MOST_FILES;
        fits.then_some(ForkOrder { layers: settings.layers, files, packet })
    }
}

impl ForkServer {
    fn start(program: &Path) -> io::Result<Forks> {
        let (socket, its) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        set_socket_timeout(&socket, Timeout::Recv, Some(ANSWER_LIMIT))?;
        let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
        let given = [null.as_fd(), null.as_fd(), null.as_fd(), its.as_fd()];
        let pid = spawn_with(program, &[OsStr::new("--fork-server")], &given)?;
        // Its end stays unseen as long as another process holds its socket.
        drop(its);
        let mut server = ForkServer { child: Child::new(pid)?, socket };
        Ok(match server.receive() {
            Ok(parent) if parent.unsigned_abs() == std::process::id() => Forks::Running(server),
            // A program in between, such as a script that calls the host, would be the parent of the hosts.
            Ok(_) => Forks::Missing,
            Err(_) => server.follow_up(),
        })
    }

    /// Forks a host.
    ///
    /// # Errors
    /// No pipe or no process could be made.
    fn fork(&mut self, order: &ForkOrder<'_>, group: Option<&mut Group>) -> io::Result<Forked> {
        let pipes = Pipes::new()?;
        let rest = pipes.begin(order.packet)?;
        let leaf = group.and_then(Group::leaf);
        let request = ForkRequest::new(order.layers, order.files.len(), leaf.is_some());
        let descriptors = pipes.of_child.iter().chain(&order.files).map(AsFd::as_fd);
        let descriptors = descriptors.chain(leaf.as_ref().map(|leaf| leaf.folder()));
        match self.ask(bytes_of(&request), &descriptors.collect::<Vec<_>>()) {
            Ok(number) if number == -libc::ENOTSUP => Ok(Forked::NotLikeThis),
            Ok(number) if number < 0 => Err(io::Error::from_raw_os_error(-number)),
            Ok(number) => {
                let Some(pid) = Pid::from_raw(number) else { return Ok(Forked::NoMore) };
                let spawned = pipes.with(pid);
                spawned.tell(rest).inspect_err(|_| drop(Child::new(pid)))?;
                Ok(Forked::Host(spawned))
            }
            Err(Errno::NOMEM | Errno::NOBUFS | Errno::MFILE | Errno::TOOMANYREFS) => Err(Errno::NOMEM.into()),
            Err(_) => Ok(Forked::NoMore),
        }
    }

    /// Decides what replaces a fork server that does not answer: another one, if it was killed. It ends or hangs by
    /// itself only where it cannot serve at all.
    fn follow_up(&mut self) -> Forks {
        self.child.await_end(Duration::from_secs(2));
        match self.child.reap(WaitIdOptions::NOHANG) {
            Some(Death::Signal(_)) => Forks::NotStarted,
            _ => Forks::Missing,
        }
    }

    /// Sends a message and returns the number in the answer.
    fn ask(&self, message: &[u8], descriptors: &[BorrowedFd]) -> Result<i32, Errno> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(PIPES + MOST_FILES + 1))];
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
