//! Watches for processes in which a probe runs, and which layers of the sandbox hold around them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::Duration;

/// The layers, in the order in which they are entered.
pub const LAYERS: [&str; 4] = ["limits", "privileges", "landlock", "seccomp"];

/// Watches until it is asked what it saw.
pub struct Watch {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<BTreeMap<PathBuf, Vec<&'static str>>>,
}

impl Watch {
    /// For processes whose names begin so.
    pub fn start(tag: &str) -> Watch {
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, tag) = (Arc::clone(&stop), tag.to_owned());
        let thread = spawn(move || {
            let mut seen = BTreeMap::new();
            while !stopped.load(Relaxed) {
                look(&tag, &mut seen);
                sleep(Duration::from_millis(4));
            }
            seen
        });
        Watch { stop, thread }
    }

    /// Of each process in which a probe ran, the layers that it lacked.
    pub fn end(self) -> Vec<Vec<&'static str>> {
        self.stop.store(true, Relaxed);
        self.thread.join().unwrap().into_values().collect()
    }
}

fn look(tag: &str, seen: &mut BTreeMap<PathBuf, Vec<&'static str>>) {
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let process = entry.path();
        let name = fs::read_to_string(process.join("comm")).unwrap_or_default();
        if let Some(told) = name.trim().strip_prefix(tag)
            && !seen.contains_key(&process)
            && let Some(lacks) = lacks(&process, told)
        {
            seen.insert(process, lacks);
        }
    }
}

/// The layers that a process lacks, by its own first statement and by what the kernel tells of it; `None` where it is
/// gone meanwhile.
fn lacks(process: &Path, told: &str) -> Option<Vec<&'static str>> {
    let read = |file: &str| fs::read_to_string(process.join(file)).ok().filter(|text| !text.is_empty());
    let (status, limits) = (read("status")?, read("limits")?);
    let line = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim().to_owned();
    let none = |key: &str| line(key).chars().all(|digit| digit == '0');
    let size = limits.lines().find(|line| line.starts_with("Max file size")).unwrap_or_default();
    let by_itself = |place: usize| told.as_bytes().get(place) == Some(&b'1');
    let holds = [
        by_itself(0) && size.split_whitespace().nth(3) == Some("0"),
        // An ordinary user has no capability anyway.
        line("NoNewPrivs:") == "1" && ["CapEff:", "CapPrm:", "CapInh:", "CapAmb:"].into_iter().all(none),
        by_itself(1),
        by_itself(2) && line("Seccomp:") == "2",
    ];
    Some(LAYERS.into_iter().zip(holds).filter(|(_, holds)| !holds).map(|(layer, _)| layer).collect())
}
