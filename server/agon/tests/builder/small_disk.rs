//! A disk that can be full.

use super::Arena;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file system in memory over the arena's output folder; gone when this is dropped.
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None`, said loudly, where it may not be mounted.
    pub fn over_output_of(arena: &Arena, kib: u64) -> Option<SmallDisk> {
        let path = arena.path("agon-out");
        fs::create_dir_all(&path).unwrap();
        if !mount(&path, &format!("size={kib}k")) {
            agon_skips::skip_here("a small disk needs the right to mount");
            return None;
        }
        Some(SmallDisk(path))
    }

    /// Makes room.
    pub fn grow(&self) {
        assert!(mount(&self.0, "remount,size=256m"));
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

fn mount(path: &Path, options: &str) -> bool {
    let mut command = Command::new("mount");
    command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(path);
    command.output().is_ok_and(|output| output.status.success())
}
