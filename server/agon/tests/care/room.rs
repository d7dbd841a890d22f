//! What a ladder will take of the disk is told before it starts, and comes near the truth.

use crate::held::{matches, pairs, pairs_toml};
use std::fs;

/// The bytes a match that were told, and whether they rest on the record.
fn told(text: &str) -> (f64, bool) {
    let line = text.lines().find(|line| line.starts_with("disk: about ")).unwrap_or_else(|| panic!("{text}"));
    let each = line.split_once(" matches (").unwrap().1.split_once(" each").unwrap().0;
    let (number, unit) = each.split_once(' ').unwrap();
    let factor = if unit == "kB" { 1e3 } else { 1.0 };
    (number.parse::<f64>().unwrap() * factor, line.contains("as those in the record"))
}

#[test]
fn the_disk_is_looked_at_before_a_ladder_starts() {
    let arena = pairs(40);
    let (guess, known) = told(&arena.agon(["ladder", "--dry-run"]).well().stderr);
    assert!(!known);
    let begun = arena.agon(["ladder"]).well();
    assert!(begun.stderr.contains(" for 240 matches ("), "{}", begun.stderr);
    arena.ladder_toml(&pairs_toml(80));
    let (measured, known) = told(&arena.agon(["ladder", "--dry-run"]).well().stderr);
    assert!(known);
    let size = |path: &str| fs::metadata(arena.path(path)).map_or(0, |seen| seen.len());
    let logs = fs::read_dir(arena.path("agon-out/matches")).unwrap();
    let logs: u64 = logs.map(|log| log.unwrap().metadata().unwrap().len()).sum();
    let truth = (size("agon-out/record.sqlite") + logs) as f64 / matches(&arena) as f64;
    for (name, estimate) in [("guess", guess), ("measured", measured)] {
        assert!((0.6..1.6).contains(&(estimate / truth)), "{name}: {estimate} bytes a match, and it takes {truth}");
    }
    let quiet = arena.agon(["ladder", "--quiet"]).well();
    assert!(!quiet.stderr.contains("disk"), "{}", quiet.stderr);
}
