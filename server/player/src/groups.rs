//! One more layer where it is delegated: a control group of the kernel (cgroup v2) for each host limits its memory and
//! threads.
//!
//! The folder of the group in which this process began becomes a branch. The process itself moves into a leaf of it,
//! because a group with limited children may hold no process; each host has a leaf. Nothing requires this layer, and it
//! costs nothing where it is not available. After the last user, everything is as it was before. The next server
//! removes what a killed server left behind.

mod leaf;

pub(crate) use leaf::Leaf;

use agon_model::Limits;
use rustix::process::{Pid, getpid, test_kill_process};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The name by which a match's record shows that a host was in such a group.
pub const LAYER: &str = "cgroup";

/// The leaf of this process.
const OWN: &str = "agon-server";
/// How the leaves of hosts begin; the number of the server's process follows, and then the host's.
const OF_HOST: &str = "agon-host-";
/// Threads in addition to those that compute, which `[limits] threads` allows: the thread of the call, and threads that
/// libraries keep asleep.
pub(crate) const THREADS_BESIDE: u64 = 8;
/// The same for a program: runtimes keep threads that compile and clean up, all charged to it.
pub(crate) const THREADS_OF_RUNTIME: u64 = 40;
const CONTROLLERS: [&str; 2] = ["memory", "pids"];

/// The groups of this process's hosts.
#[derive(Debug)]
pub struct Groups {
    folder: PathBuf,
    /// Whether this process moved, and must move back.
    moved: bool,
    made: AtomicU32,
    idle: Mutex<Vec<Leaf>>,
}

/// The group of one host, reused for a later host.
#[derive(Debug)]
pub struct Group {
    leaf: Option<Leaf>,
    groups: Arc<Groups>,
}

impl Groups {
    /// The groups of this process, shared by all their users.
    ///
    /// # Errors
    /// The text says why there are none.
    pub fn shared() -> Result<Arc<Groups>, String> {
        static SHARED: Mutex<Weak<Groups>> = Mutex::new(Weak::new());
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(groups) = shared.upgrade() {
            return Ok(groups);
        }
        let read = |file: &str| fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
        let folder = folder_of(&read("/proc/self/mountinfo")?, &read("/proc/self/cgroup")?)?;
        let groups = Arc::new(Groups::begin(folder, getpid())?);
        *shared = Arc::downgrade(&groups);
        Ok(groups)
    }

    /// Begins in the folder of the group in which this process is.
    fn begin(begun: PathBuf, process: Pid) -> Result<Groups, String> {
        let is_leaf = begun.ends_with(OWN);
        let folder = if is_leaf { begun.parent().map(Path::to_owned).unwrap_or_default() } else { begun };
        let given = read(&folder.join("cgroup.controllers"))?;
        if let Some(missing) =
            CONTROLLERS.into_iter().find(|wanted| !given.split_whitespace().any(|name| name == *wanted))
        {
            return Err(format!("{} has no controller {missing}", folder.display()));
        }
        if !is_leaf {
            move_into_leaf(&folder, process)?;
        }
        let groups = Groups { folder, moved: !is_leaf, made: AtomicU32::new(0), idle: Mutex::default() };
        groups.limit_children('+').map_err(|error| format!("{}: {error}", groups.folder.display()))?;
        groups.remove_left();
        Ok(groups)
    }

    fn limit_children(&self, sign: char) -> io::Result<()> {
        let words = CONTROLLERS.map(|name| format!("{sign}{name}")).join(" ");
        fs::write(self.folder.join("cgroup.subtree_control"), words)
    }

    /// Removes leaves of servers that have ended.
    fn remove_left(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let server = name.to_str().and_then(|name| name.strip_prefix(OF_HOST)?.split('-').next()?.parse().ok());
            let is_alive = |server| Pid::from_raw(server).is_none_or(|pid| test_kill_process(pid).is_ok());
            if server.is_some_and(|server| server == getpid().as_raw_nonzero().get() || !is_alive(server)) {
                // A leaf that still holds a process cannot be removed, and is not needed.
                let _ = fs::remove_dir(entry.path());
            }
        }
    }

    /// Lends a group with these limits, and so many threads beside those that compute.
    ///
    /// # Errors
    /// The kernel refuses one.
    pub fn lend(self: &Arc<Groups>, limits: &Limits, beside: u64) -> io::Result<Group> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut leaf = match idle {
            Some(leaf) => leaf,
            None => {
                let name = format!("{OF_HOST}{}-{}", getpid().as_raw_nonzero(), self.made.fetch_add(1, Relaxed));
                Leaf::make(self.folder.join(name))?
            }
        };
        leaf.limit(limits, beside)?;
        Ok(Group { leaf: Some(leaf), groups: Arc::clone(self) })
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        self.idle.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        if self.moved && self.limit_children('-').is_ok() {
            let own = getpid().as_raw_nonzero().to_string();
            // If another process has come here in between, this one stays in its leaf.
            let _ = fs::write(self.folder.join("cgroup.procs"), own);
            let _ = fs::remove_dir(self.folder.join(OWN));
        }
    }
}

impl Group {
    pub(crate) fn leaf(&mut self) -> Option<&mut Leaf> {
        self.leaf.as_mut()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.groups.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(self.leaf.take());
    }
}

/// Moves into a leaf. Only the process to which a group was given divides it: one that is alone in it.
fn move_into_leaf(folder: &Path, process: Pid) -> Result<(), String> {
    let at = |error: io::Error| format!("{}: {error}", folder.display());
    let own = process.as_raw_nonzero().to_string();
    if read(&folder.join("cgroup.procs"))?.split_whitespace().any(|number| number != own) {
        return Err(format!("other programs are in the group of this one, {}", folder.display()));
    }
    let leaf = folder.join(OWN);
    match fs::create_dir(&leaf) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(at(error)),
        _ => {}
    }
    fs::write(leaf.join("cgroup.procs"), own).map_err(|error| {
        let _ = fs::remove_dir(&leaf);
        at(error)
    })
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Finds the folder of this process's group in `mountinfo` and `cgroup` of `/proc/self`.
fn folder_of(mounts: &str, groups: &str) -> Result<PathBuf, String> {
    let nowhere = || "there are no control groups of version 2 here".to_owned();
    let group = groups.lines().find_map(|line| line.strip_prefix("0::")).ok_or_else(nowhere)?;
    let mount = mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let mut fields = before.split(' ').skip(3);
        let places = (fields.next()?, fields.next()?);
        after.starts_with("cgroup2 ").then_some(places)
    });
    let (root, point) = mount.ok_or_else(nowhere)?;
    let below = Path::new(group).strip_prefix(root).map_err(|_| format!("the group {group} is not below {point}"))?;
    Ok(Path::new(point).join(below))
}

#[cfg(test)]
mod tests;
