//! The rules' own speed, and beside it that of plain programs in C++ that do the same work, turn by turn in the same
//! run. Both by processor time: another program on the core slows down neither.

use super::{Figure, build};
use agon_games::{Reference, Speed, Work};
use rustix::time::{ClockId, clock_gettime};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The speed, and each reference against it.
///
/// # Errors
/// A reference cannot be run, or does not come to the same as the rules.
pub fn measure(speed: &Speed, folder: &Path, runs: usize) -> Result<Vec<Figure>, String> {
    let programs = compile(speed, folder)?;
    let mut own = Vec::new();
    let mut theirs = vec![Vec::new(); programs.len()];
    for _ in 0..runs {
        let began = processor_seconds();
        let work = (speed.run)();
        own.push(work.count as f64 / (processor_seconds() - began));
        for ((reference, program), rates) in programs.iter().zip(&mut theirs) {
            rates.push(work.count as f64 / run(speed, reference, program, work)?);
        }
    }
    let own = Figure::new(speed.name.to_owned(), speed.unit, own);
    let beside = programs.iter().zip(theirs).map(|((reference, _), rates)| {
        Figure::new(format!("  C++: {}", reference.name), speed.unit, rates).against(&own)
    });
    let beside: Vec<_> = beside.collect();
    Ok([own].into_iter().chain(beside).collect())
}

fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The programs; none, and a word about it, where there is no compiler.
fn compile(speed: &Speed, folder: &Path) -> Result<Vec<(&'static Reference, PathBuf)>, String> {
    if !speed.references.is_empty() && !build::has_cpp() {
        tracing::warn!("{}: no program in C++ to compare, as c++ is missing; help: install a C++ compiler", speed.name);
        return Ok(Vec::new());
    }
    let program = |(at, reference): (usize, &'static Reference)| {
        let name = format!("reference-{}-{at}", speed.name.split(':').next().unwrap_or_default());
        Ok((reference, build::compile_cpp(folder, &name, &reference.source.concat(), reference.flags)?))
    };
    speed.references.iter().enumerate().map(program).collect()
}

/// The processor time in which a reference does the same work, seconds.
fn run(speed: &Speed, reference: &Reference, program: &Path, work: Work) -> Result<f64, String> {
    let what = || format!("{}, in C++, {}", speed.name, reference.name);
    let ran = Command::new(program).args([reference.way, &work.count.to_string()]).output();
    let output = ran.map_err(|error| format!("{}: {}: {error}", what(), program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let parse = || {
        let (checksum, seconds) = text.trim_end().split_once(' ')?;
        Some((checksum.parse::<u64>().ok()?, seconds.parse::<f64>().ok()?))
    };
    let (checksum, seconds) = parse().ok_or_else(|| format!("{} printed \"{text}\", {}", what(), output.status))?;
    if reference.same && checksum != work.checksum {
        let Work { count, checksum: own } = work;
        return Err(format!(
            "{}, comes to {checksum} after {count}, and the rules to {own}: not the same work",
            what()
        ));
    }
    Ok(seconds)
}
