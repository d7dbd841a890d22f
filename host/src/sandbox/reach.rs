//! The client's file, where root reaches it only as root: in a folder that is another user's.

use std::fs::File;
use std::os::fd::IntoRawFd;
use std::path::{Path, PathBuf};

/// The file, held open from before the capabilities are dropped; nothing where nobody is root.
pub(super) struct Held(Option<File>);

impl Held {
    /// Opens it, if that may be needed.
    pub fn open(file: &Path) -> Held {
        // SAFETY: takes nothing and cannot fail.
        let is_root = unsafe { libc::geteuid() } == 0;
        Held(if is_root { File::open(file).ok() } else { None })
    }

    /// By which path the process can open it now.
    pub fn path(self, file: &Path) -> PathBuf {
        match self.0 {
            Some(held) if File::open(file).is_err() => format!("/proc/self/fd/{}", held.into_raw_fd()).into(),
            _ => file.to_owned(),
        }
    }
}
