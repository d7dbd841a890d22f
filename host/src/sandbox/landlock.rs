//! Layer 3: Landlock. No file but the client's own and the system's libraries, no TCP, no signals to others.

use super::{last_error, mutants};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope,
};
use std::ffi::CString;
use std::fmt::Debug;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Where the loader finds libraries. On systems where one is a link to the other the second costs two system calls.
const LIBRARIES: [&str; 6] = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache"];

/// Where compilers, shells and headers are.
const PROGRAMS: [&str; 5] = ["/usr", "/bin", "/lib", "/lib32", "/lib64"];
/// What they may read of devices, and what they may also write to.
const DEVICES: [&str; 3] = ["/dev/zero", "/dev/random", "/dev/urandom"];
const NOWHERE: &str = "/dev/null";

/// What this version of agon knows how to forbid; older kernels forbid less.
const KNOWN: ABI = ABI::V6;

/// So many lists of files a fork server keeps.
const KEPT: usize = 32;

/// The files that a process may read: the libraries', the client's and what it reads besides.
#[derive(Debug)]
pub(super) struct Files(OwnedFd);

impl Files {
    /// Of these. Reading suffices to map code; nothing may be executed as a program.
    pub fn new(file: &Path, also: &[PathBuf]) -> Result<Files, String> {
        let rules = rules(file, also).map_err(|error| error.to_string())?;
        Option::<OwnedFd>::from(rules).map(Files).ok_or_else(|| "the kernel has no Landlock".into())
    }

    /// What a program may read, folders and what they list included; only its interpreter and the loader may be
    /// started.
    pub fn of_program(interpreter: &Path, file: &Path, runtime: &[PathBuf]) -> Result<Files, String> {
        let rules = || -> Result<RulesetCreated, RulesetError> {
            let read = AccessFs::ReadFile | AccessFs::ReadDir;
            let mut rules = allow_as(rules(file, &[])?, interpreter, AccessFs::ReadFile | AccessFs::Execute)?;
            for loader in LIBRARIES.iter().map(Path::new).filter(|path| path.is_dir()) {
                rules = allow_as(rules, loader, read | AccessFs::Execute)?;
            }
            for path in runtime {
                let rights = if path.is_dir() { read } else { AccessFs::ReadFile.into() };
                rules = allow_as(rules, path, rights)?;
            }
            Ok(rules)
        };
        let rules = rules().map_err(|error| error.to_string())?;
        Option::<OwnedFd>::from(rules).map(Files).ok_or_else(|| "the kernel has no Landlock".into())
    }

    /// What a build may do: write below its folder, start the system's programs, and read these files or folders.
    pub fn of_build(folder: &Path, also: &[PathBuf], tools: &[PathBuf]) -> Result<Files, String> {
        let read = AccessFs::ReadFile | AccessFs::ReadDir;
        let own = read
            | AccessFs::Execute
            | AccessFs::WriteFile
            | AccessFs::Truncate
            | AccessFs::MakeReg
            | AccessFs::MakeDir
            | AccessFs::MakeSym
            | AccessFs::MakeFifo
            | AccessFs::RemoveFile
            | AccessFs::RemoveDir
            | AccessFs::Refer;
        let rules = || -> Result<RulesetCreated, RulesetError> {
            let mut rules = allow_as(rules(folder, &[])?, folder, own)?;
            let system = PROGRAMS.iter().map(Path::new).filter(|path| path.is_dir());
            for path in system.chain(tools.iter().map(PathBuf::as_path)) {
                let reads = if path.is_dir() { read } else { AccessFs::ReadFile.into() };
                rules = allow_as(rules, path, reads | AccessFs::Execute)?;
            }
            for path in
                ["/etc/alternatives", "/etc/ld.so.cache"].map(Path::new).into_iter().chain(DEVICES.map(Path::new))
            {
                let rights = if path.is_dir() { read } else { AccessFs::ReadFile.into() };
                rules = allow_as(rules, path, rights)?;
            }
            rules = allow_as(rules, Path::new(NOWHERE), AccessFs::ReadFile | AccessFs::WriteFile)?;
            for path in also {
                rules = allow_as(rules, path, if path.is_dir() { read } else { AccessFs::ReadFile.into() })?;
            }
            Ok(rules)
        };
        let rules = rules().map_err(|error| error.to_string())?;
        Option::<OwnedFd>::from(rules).map(Files).ok_or_else(|| "the kernel has no Landlock".into())
    }

    /// Restricts the process to reading them.
    pub fn enter(self) -> Result<(), String> {
        // SAFETY: both calls take numbers only.
        unsafe {
            if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
                return Err(last_error("no new privileges"));
            }
            if libc::syscall(libc::SYS_landlock_restrict_self, self.0.as_raw_fd(), 0) != 0 {
                return Err(last_error("Landlock"));
            }
        }
        Ok(())
    }
}

fn rules(file: &Path, also: &[PathBuf]) -> Result<RulesetCreated, RulesetError> {
    let files = also.iter().map(PathBuf::as_path).chain([file]);
    let mut rules = Ruleset::default()
        .handle_access(known::<AccessFs>())?
        .handle_access(known::<AccessNet>())?
        .scope(known::<Scope>())?
        .create()?;
    for path in LIBRARIES.iter().map(Path::new).chain(files) {
        rules = allow(rules, path)?;
    }
    Ok(rules)
}

/// All rights of a kind that this version of agon knows, each of which is taken.
fn known<T: Access + Debug>() -> BitFlags<T> {
    let all = T::from_all(KNOWN);
    all.iter().filter(|right| !mutants::leaves_out("landlock", &format!("{right:?}"))).collect()
}

/// What `tools/mutants` leaves out one by one.
#[cfg(sandbox_mutants)]
pub(super) fn rights() -> Vec<String> {
    fn names<T: Access + Debug>() -> Vec<String> {
        T::from_all(KNOWN).iter().map(|right| format!("{right:?}")).collect()
    }
    [names::<AccessFs>(), names::<AccessNet>(), names::<Scope>()].concat()
}

fn allow(rules: RulesetCreated, path: &Path) -> Result<RulesetCreated, RulesetError> {
    allow_as(rules, path, AccessFs::ReadFile.into())
}

fn allow_as(rules: RulesetCreated, path: &Path, rights: BitFlags<AccessFs>) -> Result<RulesetCreated, RulesetError> {
    match PathFd::new(path) {
        Ok(opened) => rules.add_rule(PathBeneath::new(opened, rights)),
        Err(_) => Ok(rules), // what is not there needs no rule; a missing client is told when it is opened
    }
}

/// Lists of files that a fork server made for the newest of its children, as others of the same client come.
#[derive(Debug, Default)]
pub(super) struct Known(Vec<(Vec<Node>, Files)>);

/// A file by device and number, which stay its own as long as a list holds it; its path may lead to another meanwhile.
type Node = (u64, u64);

impl Known {
    /// Makes the list of these files the newest one.
    pub fn find(&mut self, file: &Path, also: &[PathBuf]) -> Result<(), String> {
        let nodes: Option<Vec<Node>> = also.iter().map(PathBuf::as_path).chain([file]).map(node).collect();
        let known = nodes.as_ref().and_then(|nodes| self.0.iter().position(|known| known.0 == *nodes));
        let newest = match known {
            Some(place) => self.0.remove(place),
            None => (nodes.unwrap_or_default(), Files::new(file, also)?),
        };
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push(newest);
        Ok(())
    }

    /// The newest list's descriptor.
    pub fn descriptor(&self) -> Option<RawFd> {
        self.0.last().map(|known| known.1.0.as_raw_fd())
    }

    /// The newest list, in a child, which has closed the others' descriptors.
    pub fn take(mut self) -> Option<Files> {
        let newest = self.0.pop();
        std::mem::forget(self);
        newest.map(|known| known.1)
    }
}

fn node(path: &Path) -> Option<Node> {
    let path = CString::new(path.as_os_str().as_bytes()).ok()?;
    let mut told = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the path is ended by a NUL, and the kernel writes all of what is told where it succeeds.
    unsafe {
        let result = libc::syscall(libc::SYS_newfstatat, libc::AT_FDCWD, path.as_ptr(), told.as_mut_ptr(), 0);
        (result == 0).then(|| told.assume_init()).map(|told| (told.st_dev, told.st_ino))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_to_another_file_has_a_list_of_its_own() {
        let folder = std::env::temp_dir().join(format!("agon-landlock-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [first, second] = ["first", "second"].map(|name| folder.join(name));
        std::fs::write(&first, "1").unwrap();
        let mut known = Known::default();
        if known.find(&first, &[]).is_err() {
            return; // this kernel has none
        }
        let made = known.descriptor();
        known.find(&first, std::slice::from_ref(&first)).unwrap();
        assert_ne!(known.descriptor(), made);
        known.find(&first, &[]).unwrap();
        assert_eq!((known.descriptor(), known.0.len()), (made, 2));
        std::fs::write(&second, "2").unwrap();
        std::fs::rename(&second, &first).unwrap();
        known.find(&first, &[]).unwrap();
        assert_eq!(known.0.len(), 3);
        std::fs::remove_file(&first).unwrap();
        for _ in 0..2 * KEPT {
            known.find(&first, &[]).unwrap();
        }
        assert_eq!(known.0.len(), KEPT, "of a file that is not there nothing is known");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
