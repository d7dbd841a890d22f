//! Every target over its corpus, and over small changes of it, drawn from a seed: seconds, in every run of the tests.
//! `tools/fuzz` goes on where this ends.
#![allow(clippy::unwrap_used, clippy::too_many_lines, clippy::print_stdout, clippy::print_stderr)] // as in all tests

use agon_fuzz::mutate::{Chance, mutate};
use agon_fuzz::{TARGETS, Target};
use std::fs;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long each target mutates; `AGON_FUZZ_SECONDS` gives another time.
const SECONDS: u64 = 2;

/// Shipped files are seeds as well; `tools/fuzz` names the same folders.
const SHIPPED: [(&str, &str); 2] = [("ladder", "../docs/ladders"), ("map", "../boards/maps")];

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let shipped = SHIPPED.iter().filter(|(name, _)| *name == target).map(|(_, folder)| (*folder).to_owned());
    let folders = shipped.chain([format!("corpora/{target}")]);
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in folders.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)) {
        let found = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let known = files.len();
        files.extend(found.map(|entry| entry.unwrap().path()));
        assert!(files.len() > known, "{} is empty", folder.display());
    }
    files.sort();
    files.into_iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Runs, and keeps bytes by which it panics, so that they can be looked at and put into the corpus.
fn run(name: &str, target: fn(&[u8]), bytes: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| target(bytes))).is_err() {
        let file = std::env::temp_dir().join(format!("agon-fuzz-{name}-{}", std::process::id()));
        fs::write(&file, bytes).unwrap();
        panic!("{name} panics on the bytes in {}", file.display());
    }
}

#[test]
fn every_target_comes_to_its_end_on_what_is_known_and_near_it() {
    let seconds = std::env::var("AGON_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(SECONDS);
    // As many at once as there are cores: each takes its time.
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let Some(target) = TARGETS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run_for(target, Duration::from_secs(seconds));
                }
            });
        }
    });
}

/// Runs over what is known, and for so long over changes of it.
fn run_for(target: &Target, time: Duration) {
    let corpus = corpus(target.name);
    corpus.iter().for_each(|bytes| run(target.name, target.run, bytes));
    let (mut chance, until, mut count) = (Chance(1), Instant::now() + time, 0u64);
    while Instant::now() < until {
        let bytes = &corpus[chance.below(corpus.len())];
        run(target.name, target.run, &mutate(bytes, &mut chance));
        count += 1;
    }
    println!("{}: {} known, {count} changed", target.name, corpus.len());
    assert!(count > 0);
}

#[test]
fn every_corpus_has_its_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora");
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, TARGETS.iter().map(|target| target.name).collect::<Vec<_>>());
}
