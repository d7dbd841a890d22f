//! Measures how fast this machine computes while all its jobs are busy: fixed work like that of searching clients,
//! compared with a reference. A ladder with `[time] scale = "reference"` gives a slow machine more time in proportion.

use crate::cores::pin;
use agon_model::MachineSpeed;
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::io;
use std::sync::{Mutex, PoisonError};

/// Steps per second of processor time at speed 1, a round number: a core of a rented x86-64 server of 2025 did 1.2
/// times as many.
const REFERENCE: f64 = 300e6;
/// Steps of one run: some 60 ms at speed 1.
const STEPS: u32 = 18_000_000;
/// The number of counted runs, after one to warm up.
const RUNS: usize = 3;
/// The words of the table that they read: 256 KiB, like a client's own.
const WORDS: usize = 1 << 16;

/// The speed of this machine: as `given`, or as measured with a job on each of these sets of cores at once, which takes
/// some 0.3 s.
///
/// # Errors
/// A thread cannot be started.
pub fn machine_speed(given: Option<f64>, jobs: &[Vec<usize>]) -> io::Result<MachineSpeed> {
    match given {
        Some(relative) => Ok(MachineSpeed { relative, spread: 0.0, class: processor() }),
        None => measure(jobs),
    }
}

fn measure(jobs: &[Vec<usize>]) -> io::Result<MachineSpeed> {
    let runs = measure_runs(jobs)?;
    let of_runs: Vec<f64> = (0..RUNS).map(|run| median(runs.iter().map(|of_job| of_job[run]).collect())).collect();
    let of_jobs: Vec<f64> = runs.iter().map(|of_job| median(of_job.clone())).collect();
    let spread = spread(&of_runs).max(spread(&of_jobs));
    Ok(MachineSpeed { relative: median(of_runs) / REFERENCE, spread, class: processor() })
}

/// Steps per second of each job, run by run.
fn measure_runs(jobs: &[Vec<usize>]) -> io::Result<Vec<Vec<f64>>> {
    // No job works before all are there; if one cannot be started, the others work in vain.
    let gate = Mutex::new(());
    let closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|scope| {
        let gate = &gate;
        let jobs = jobs.iter();
        let started = jobs.map(|cores| std::thread::Builder::new().spawn_scoped(scope, move || run_job(cores, gate)));
        let started: Vec<_> = started.collect();
        drop(closed);
        let ended = started.into_iter().map(|thread| thread?.join().map_err(|_| io::Error::other("a job panicked")));
        ended.collect()
    })
}

/// The runs of one job, on its cores.
fn run_job(cores: &[usize], gate: &Mutex<()>) -> Vec<f64> {
    // Without it, the system moves the job between cores, and the runs differ.
    let _ = pin(cores);
    drop(gate.lock().unwrap_or_else(PoisonError::into_inner));
    let mut table = vec![0_u32; WORDS];
    work(&mut table);
    (0..RUNS).map(|_| f64::from(STEPS) / work(&mut table)).collect()
}

/// The fixed work, and the processor time that it took, seconds.
fn work(table: &mut [u32]) -> f64 {
    let began = processor_time();
    let mut drawn = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..STEPS {
        drawn ^= drawn << 13;
        drawn ^= drawn >> 7;
        drawn ^= drawn << 17;
        let at = drawn as usize % WORDS;
        table[at] = table[at].wrapping_add((drawn >> 32).count_ones());
    }
    black_box(table);
    (processor_time() - began).max(1e-9)
}

/// The processor time of this thread, seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// The distance from the least to the most, as a share of the median.
fn spread(values: &[f64]) -> f64 {
    let (least, most) = values.iter().fold((f64::MAX, 0.0_f64), |(least, most), &v| (least.min(v), most.max(v)));
    (most - least) / median(values.to_vec())
}

/// The name of the processor, or at least its kind.
fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let name = name.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    name.chars().filter(|c| matches!(c, ' '..='~')).take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_that_of_the_worst() {
        assert!((spread(&[95.0, 100.0, 103.0]) - 0.08).abs() < 1e-12);
        assert!(spread(&[100.0]).abs() < 1e-12);
    }

    #[test]
    fn all_jobs_are_measured_at_once() {
        let measured = measure(&[vec![0], vec![0]]).unwrap();
        assert!(measured.relative > 0.01 && measured.relative < 100.0, "{measured:?}");
        assert!(!measured.class.is_empty() && measured.class.len() <= 60, "{measured:?}");
    }
}
