//! What there is of an arena: processes that run its programs or stand in it, descriptors that lead into it, files it
//! did not have.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A picture to compare with a later one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// Number and command line of each process.
    pub processes: BTreeSet<String>,
    /// `process -> path` for each open descriptor of any process, this test's own included.
    pub descriptors: BTreeSet<String>,
    /// Below the arena but for the record, and what lies in the machine's shared folders under this suite's name.
    pub files: BTreeSet<PathBuf>,
}

/// Every file that a bad client tries to make outside begins with this.
pub const MARK: &str = "agon-left-behind";

impl Traces {
    /// Nothing is here that was not there before. What was there may be gone: other tests start processes meanwhile,
    /// which hold copies of this one's descriptors until they have become another program.
    #[track_caller]
    pub fn nothing_beyond(&self, before: &Traces) {
        let left = Traces {
            processes: &self.processes - &before.processes,
            descriptors: &self.descriptors - &before.descriptors,
            files: &self.files - &before.files,
        };
        assert_eq!(left, Traces::default(), "something is left behind");
    }

    /// Of this folder, now.
    pub fn of(folder: &Path) -> Traces {
        let mut traces = Traces::default();
        traces.see_processes(folder);
        traces.see_files(folder);
        for shared in ["/tmp", "/dev/shm", "/var/tmp"] {
            let entries = fs::read_dir(shared).into_iter().flatten().flatten().map(|entry| entry.path());
            let left = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(MARK));
            traces.files.extend(entries.filter(left));
        }
        traces
    }

    fn see_processes(&mut self, folder: &Path) {
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let process = entry.path();
            let Ok(number) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
            let leads_here = |link: &str| fs::read_link(process.join(link)).is_ok_and(|to| to.starts_with(folder));
            let words = fs::read(process.join("cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            if number != std::process::id() && (leads_here("exe") || leads_here("cwd") || words.contains(name(folder)))
            {
                self.processes.insert(format!("{number} {words}"));
            }
            for descriptor in fs::read_dir(process.join("fd")).into_iter().flatten().flatten() {
                let to = fs::read_link(descriptor.path()).unwrap_or_default();
                if to.starts_with(folder) {
                    self.descriptors.insert(format!("{number} -> {}", to.display()));
                }
            }
        }
    }

    fn see_files(&mut self, folder: &Path) {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() && !path.ends_with("agon-out") {
                self.see_files(&path);
            } else if !path.ends_with("agon-out") {
                self.files.insert(path);
            }
        }
    }
}

fn name(folder: &Path) -> &str {
    folder.file_name().unwrap().to_str().unwrap()
}
