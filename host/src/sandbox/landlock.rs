//! Layer 3, Landlock: no file except the client's own and the system's libraries, no TCP, no signals to others.
#![expect(unsafe_code)]

use super::{SandboxPlan, last_error, mutants};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope,
};
use std::ffi::CString;
use std::fmt::Debug;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where the loader finds libraries. Where one folder is a link to the other, the second costs two system calls.
pub const LIBRARIES: [&str; 6] = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache"];

/// Devices that runtimes read.
const DEVICES_OF_PROGRAMS: [&str; 2] = [NOWHERE, "/dev/urandom"];
/// The loaders by which the kernel starts a dynamically linked program.
const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];

/// The folders of a build's compilers, shells and headers.
const BUILD_FOLDERS: [&str; 5] = ["/usr", "/bin", "/lib", "/lib32", "/lib64"];
/// The other files and folders that each build reads.
const BUILD_EXTRAS: [&str; 5] = ["/etc/alternatives", "/etc/ld.so.cache", "/dev/zero", "/dev/random", "/dev/urandom"];
/// The device that programs read, and to which builds also write.
const NOWHERE: &str = "/dev/null";

/// The newest rights that this version of agon can forbid; older kernels forbid less.
const KNOWN: ABI = ABI::V6;

/// The number of lists of files that a fork server keeps.
const KEPT: usize = 32;

/// The files that a process may read: the libraries, the client's file and its other files.
#[derive(Debug)]
pub(super) struct Files(OwnedFd);

impl Files {
    fn made(rules: Result<RulesetCreated, RulesetError>) -> Result<Files, String> {
        let rules = rules.map_err(|error| error.to_string())?;
        Option::<OwnedFd>::from(rules).map(Files).ok_or_else(|| "the kernel has no Landlock".into())
    }

    /// Makes the list of a library: its own files, and those of its folders. Reading suffices to map code; no file may
    /// be executed as a program.
    pub fn new(plan: &SandboxPlan<'_>) -> Result<Files, String> {
        let read = |rules, folder: &PathBuf| allow_folder(rules, folder, AccessFs::ReadFile.into());
        let rules = rules(plan.file, plan.also).and_then(|rules| plan.folders.iter().try_fold(rules, read));
        Files::made(rules)
    }

    /// Makes the list from files that are open already.
    pub fn of_open(files: &[OwnedFd]) -> Result<Files, String> {
        let read = |rules: RulesetCreated, file| rules.add_rule(PathBeneath::new(file, AccessFs::ReadFile));
        let rules = libraries().and_then(|rules| files.iter().try_fold(rules, read));
        Files::made(rules)
    }

    /// Makes the list of a program: its file, the system's libraries, these files and folders, and the entries of
    /// folders. It may start only its interpreter, by a loader.
    pub fn of_program(plan: &SandboxPlan<'_>, interpreter: &Path) -> Result<Files, String> {
        let rules = || -> Result<RulesetCreated, RulesetError> {
            let mut rules = rules(plan.file, &[])?;
            for path in LOADERS.iter().map(Path::new).chain([interpreter]) {
                rules = allow_as(rules, path, AccessFs::ReadFile | AccessFs::Execute)?;
            }
            for path in DEVICES_OF_PROGRAMS.iter().map(Path::new).chain(plan.also.iter().map(PathBuf::as_path)) {
                rules = allow_as(rules, path, reading(path))?;
            }
            plan.folders.iter().try_fold(rules, |rules, path| allow_folder(rules, path, folder_rights()))
        };
        Files::made(rules())
    }

    /// Makes the list of a build: it writes below its folder, starts the system's programs, and reads other files and
    /// folders.
    pub fn of_build(folder: &Path, also: &[PathBuf], folders: &[PathBuf], tools: &[PathBuf]) -> Result<Files, String> {
        let own = folder_rights()
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
            let system = BUILD_FOLDERS.iter().map(Path::new).filter(|path| path.is_dir());
            for path in system.chain(tools.iter().map(PathBuf::as_path)) {
                rules = allow_as(rules, path, reading(path) | AccessFs::Execute)?;
            }
            rules = allow_as(rules, Path::new(NOWHERE), AccessFs::ReadFile | AccessFs::WriteFile)?;
            for path in BUILD_EXTRAS.iter().map(Path::new).chain(also.iter().map(PathBuf::as_path)) {
                rules = allow_as(rules, path, reading(path))?;
            }
            folders.iter().try_fold(rules, |rules, path| allow_folder(rules, path, folder_rights()))
        };
        Files::made(rules())
    }

    /// Restricts the process to reading these files.
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
    let mut files = also.iter().map(PathBuf::as_path).chain([file]);
    files.try_fold(libraries()?, allow)
}

/// Begins a list with the system's libraries alone.
fn libraries() -> Result<RulesetCreated, RulesetError> {
    let rules = Ruleset::default()
        .handle_access(known::<AccessFs>())?
        .handle_access(known::<AccessNet>())?
        .scope(known::<Scope>())?
        .create()?;
    LIBRARIES.iter().map(Path::new).try_fold(rules, allow)
}

/// All rights of a kind that this version of agon knows; each of them is taken away.
fn known<T: Access + Debug>() -> BitFlags<T> {
    let all = T::from_all(KNOWN);
    all.iter().filter(|right| !mutants::leaves_out("landlock", &format!("{right:?}"))).collect()
}

/// The rights that `tools/mutants` leaves out one by one.
#[cfg(sandbox_mutants)]
pub(super) fn rights() -> Vec<String> {
    fn names<T: Access + Debug>() -> Vec<String> {
        T::from_all(KNOWN).iter().map(|right| format!("{right:?}")).collect()
    }
    [names::<AccessFs>(), names::<AccessNet>(), names::<Scope>()].concat()
}

/// The rights to read a folder and all that is in it.
fn folder_rights() -> BitFlags<AccessFs> {
    AccessFs::ReadFile | AccessFs::ReadDir
}

/// The rights to read the file or the folder at a path.
fn reading(path: &Path) -> BitFlags<AccessFs> {
    if path.is_dir() { folder_rights() } else { AccessFs::ReadFile.into() }
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

/// Allows a folder that a ladder opens. Where it cannot be reached, nothing is allowed.
fn allow_folder(
    rules: RulesetCreated,
    path: &Path,
    rights: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    match open_folder(path) {
        Ok(opened) => rules.add_rule(PathBeneath::new(opened, rights)),
        Err(_) => Ok(rules),
    }
}

/// Opens a folder to be named in a list. A link in its path was not there when the path was judged, and could lead anywhere.
///
/// # Errors
/// It is not there, it is not a folder, or a link leads to it.
pub fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    // SAFETY: all zeros is a value of this plain struct.
    let mut how: libc::open_how = unsafe { std::mem::zeroed() };
    how.flags = (libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC) as u64;
    how.resolve = libc::RESOLVE_NO_SYMLINKS;
    let (folder, size) = (libc::AT_FDCWD, size_of::<libc::open_how>());
    // SAFETY: the path ends with a zero, and `how` has the size that is given.
    let opened = unsafe { libc::syscall(libc::SYS_openat2, folder, path.as_ptr(), &raw const how, size) };
    match RawFd::try_from(opened) {
        // SAFETY: the kernel has just made this descriptor, and nothing else owns it.
        Ok(descriptor) if descriptor >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(descriptor) }),
        _ => Err(explain(io::Error::last_os_error())),
    }
}

/// Names the call where the kernel, or a container around it, has refused it instead of the folder.
fn explain(error: io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(libc::ENOSYS | libc::EPERM) => {
            let what =
                "this kernel or its container refuses the system call openat2, by which agon opens it without links";
            io::Error::new(error.kind(), format!("{what}; Linux 5.6 and current container engines have it"))
        }
        _ => error,
    }
}

/// Lists of files that a fork server made for its newest children, because more children of the same client follow.
#[derive(Debug, Default)]
pub(super) struct Known(Vec<(Vec<Option<Node>>, Files)>);

/// A file by device and number. These stay its own while a list holds it, although its path may lead to another file.
/// A folder's do not: the kernel forgets the rules of a file system that is unmounted, and it may come back with the same.
type Node = (u64, u64);

impl Known {
    /// Makes the list of these files the newest one.
    pub fn find(&mut self, files: &[OwnedFd]) -> Result<(), String> {
        // The system's own files are replaced as well: /etc/ld.so.cache changes whenever something is installed.
        let nodes: Vec<Option<Node>> = LIBRARIES.iter().map(node_at).chain(files.iter().map(node)).collect();
        let is_told = nodes[LIBRARIES.len()..].iter().all(Option::is_some) && !files.iter().any(is_folder);
        let known = self.0.iter().position(|known| known.0 == nodes).filter(|_| is_told);
        let newest = match known {
            Some(place) => self.0.remove(place),
            None => (nodes, Files::of_open(files)?),
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

    /// Takes the newest list, in a child that has closed the descriptors of the others.
    pub fn take(mut self) -> Option<Files> {
        let newest = self.0.pop();
        std::mem::forget(self);
        newest.map(|known| known.1)
    }
}

fn node_at(path: &&str) -> Option<Node> {
    std::fs::metadata(path).ok().map(|told| (told.dev(), told.ino()))
}

fn node(file: &OwnedFd) -> Option<Node> {
    state(file).map(|told| (told.st_dev, told.st_ino))
}

fn is_folder(file: &OwnedFd) -> bool {
    state(file).is_some_and(|told| told.st_mode & libc::S_IFMT == libc::S_IFDIR)
}

fn state(file: &OwnedFd) -> Option<libc::stat> {
    let mut told = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the kernel writes all of what is told where it succeeds.
    unsafe {
        let result = libc::fstat(file.as_raw_fd(), told.as_mut_ptr());
        (result == 0).then(|| told.assume_init())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn a_folder_behind_a_link_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        std::fs::create_dir_all(at("tools/lib")).unwrap();
        std::os::unix::fs::symlink(at("tools"), at("link")).unwrap();
        std::fs::write(at("file"), "").unwrap();
        assert!(open_folder(&at("tools/lib")).is_ok());
        for path in ["link", "link/lib", "file", "missing", "tools\0lib"] {
            assert!(open_folder(&at(path)).is_err(), "{path}");
        }
    }

    #[test]
    fn each_file_has_a_list_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| {
            std::fs::write(folder.path().join(name), name).unwrap();
            OwnedFd::from(File::open(folder.path().join(name)).unwrap())
        });
        let both = [first.try_clone().unwrap(), second];
        let (first, second) = (std::slice::from_ref(&first), &both[1..]);
        let mut known = Known::default();
        if known.find(first).is_err() {
            return; // this kernel has none
        }
        let made = known.descriptor();
        known.find(&both).unwrap();
        assert_ne!(known.descriptor(), made);
        known.find(first).unwrap();
        assert_eq!((known.descriptor(), known.0.len()), (made, 2));
        known.find(second).unwrap();
        assert_eq!(known.0.len(), 3);
        let files = |number: usize| File::create(folder.path().join(number.to_string())).unwrap().into();
        for number in 0..2 * KEPT {
            known.find(&[files(number)]).unwrap();
        }
        assert_eq!(known.0.len(), KEPT);
    }
}
