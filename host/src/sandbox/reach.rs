//! Keeps a client's file within reach that only root could open: one in another user's folder.
#![expect(unsafe_code)]

use std::ffi::CString;
use std::fs::File;
use std::os::fd::IntoRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The file, held open since before the capabilities were dropped; empty unless root runs the host.
pub(super) struct HeldFile(Option<File>);

impl HeldFile {
    /// Opens the file, if that may be needed.
    pub fn open(file: &Path) -> HeldFile {
        // SAFETY: takes nothing and cannot fail.
        let is_root = unsafe { libc::geteuid() } == 0;
        HeldFile(if is_root { File::open(file).ok() } else { None })
    }

    /// The path by which the process can open the file, or by which the program can that it becomes.
    pub fn path(self, file: &Path, is_program: bool) -> PathBuf {
        match self.0 {
            Some(held) if !is_readable(file) => {
                let held = held.into_raw_fd();
                if is_program {
                    // SAFETY: the call takes numbers; the descriptor is open, and stays so in the program.
                    unsafe { libc::fcntl(held, libc::F_SETFD, 0) };
                }
                format!("/proc/self/fd/{held}").into()
            }
            _ => file.to_owned(),
        }
    }
}

fn is_readable(file: &Path) -> bool {
    // SAFETY: the path is ended by a NUL and lives until the call returns.
    CString::new(file.as_os_str().as_bytes()).is_ok_and(|path| unsafe { libc::access(path.as_ptr(), libc::R_OK) } == 0)
}
