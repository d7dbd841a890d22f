//! Cores, memory, limits on processes and descriptors, and the disk of the record.

use super::{Finding, State, read_system_file};
use agon_model::units::show_size;
use agon_tournament::free_space;
use rustix::process::{Resource, getrlimit};
use rustix::thread::{CpuSet, sched_getaffinity};
use std::path::Path;

/// Pipes and the like that the server holds for one client.
const DESCRIPTORS_A_CLIENT: u64 = 12;
/// The descriptors of a worker with ten clients, and of the server itself.
const DESCRIPTORS_WANTED: u64 = 10 * DESCRIPTORS_A_CLIENT + 64;

pub(super) fn look(out: &Path) -> Vec<Finding> {
    let (cores, listed) = cores();
    let mut findings = vec![listed, memory(), descriptors(cores), processes(cores)];
    findings.extend(disk(out));
    findings
}

/// The number of cores that this process may use, and the line about them.
fn cores() -> (u64, Finding) {
    let present = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let is_core = |line: &&str| line.starts_with("cpu") && !line.starts_with("cpu ");
    let present = present.lines().filter(is_core).count() as u64;
    let allowed: Vec<usize> = match sched_getaffinity(None) {
        Ok(set) => (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect(),
        Err(_) => Vec::new(),
    };
    let count = allowed.len() as u64;
    let numbers: Vec<String> = allowed.iter().map(ToString::to_string).collect();
    let found = format!("{count} of {present} may be used: {}", numbers.join(" "));
    let state = match count {
        0 => State::Bad,
        _ if count < present => State::Note,
        _ => State::Good,
    };
    let means = "agon plays as many matches at once, each on its own core; [run] jobs lowers the number";
    let help = "only these play matches; help: look for taskset or a container's cpuset if it should be more";
    (count, Finding::new("cores", state, found, means, help))
}

fn memory() -> Finding {
    let text = read_system_file("/proc/meminfo").unwrap_or_default();
    let kilobytes = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let free = kilobytes("MemAvailable:").unwrap_or(0) << 10;
    let state = if free < 1 << 30 { State::Note } else { State::Good };
    let means = "[limits] memory is for one client; those of all seats of all matches at once should fit here";
    let help = "clients that use their memory may not fit; help: lower [limits] memory or [run] jobs";
    Finding::new("memory", state, format!("{} free", whole_size(free)), means, help)
}

fn descriptors(cores: u64) -> Finding {
    let most = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let state = if most < 2 * cores * DESCRIPTORS_A_CLIENT + 64 {
        State::Bad
    } else if most < cores.max(1) * DESCRIPTORS_WANTED {
        State::Note
    } else {
        State::Good
    };
    let means = "enough for matches of ten seats on every core";
    let help = "each client takes 12 of the server's; help: ulimit -n 4096, or fewer [run] jobs";
    Finding::new("descriptors", state, show_limit(most), means, help)
}

fn processes(cores: u64) -> Finding {
    let numbers = [
        getrlimit(Resource::Nproc).current,
        read_system_file("/proc/sys/kernel/pid_max").and_then(|text| text.parse().ok()),
        read_system_file("/sys/fs/cgroup/pids.max").and_then(|text| text.parse().ok()),
    ];
    let most = numbers.into_iter().flatten().min().unwrap_or(u64::MAX);
    let state = if most < 20 * cores.max(1) { State::Bad } else { State::Good };
    let help = "a match takes a process for each seat; help: ulimit -u, or the pids limit of the container";
    Finding::new("processes", state, show_limit(most), "a match takes a process for each seat", help)
}

fn show_limit(most: u64) -> String {
    if most == u64::MAX { "no limit".to_owned() } else { format!("at most {most}") }
}

/// The disk of a folder, or of the nearest one above it that is there.
fn disk(out: &Path) -> Option<Finding> {
    let free = free_space(out)?;
    let state = if free < 64 << 20 {
        State::Bad
    } else if free < 1 << 30 {
        State::Note
    } else {
        State::Good
    };
    let found = format!("{} free for {}", whole_size(free), out.display());
    let means = "a match takes about 5 kB of record, and as much of log with logs = \"all\"";
    let help = "a long ladder may fill it; help: free some space, logs = \"faults\", or another [output] dir";
    Some(Finding::new("disk", state, found, means, help))
}

/// In whole MiB or GiB, since nobody needs more.
fn whole_size(bytes: u64) -> String {
    let unit = if bytes < 10 << 30 { 20 } else { 30 };
    show_size(bytes >> unit << unit)
}
