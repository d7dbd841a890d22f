//! A study of a game's client, made by the whole program: real clients, the counts of the course, three files.

use crate::builder::Arena;
use std::fs;

#[test]
fn a_study_is_made_with_real_clients_and_kept_in_three_files() {
    let arena = Arena::new().with_lab();
    arena.rust_client("grundy");
    let ran = arena.agon(["bench", "grundy", "--limit", "2ms", "--runs", "2", "--out", "kept"]).well();
    let kept = |ending: &str| fs::read_to_string(arena.path(format!("kept/study-grundy.{ending}"))).unwrap();
    assert_eq!(ran.stdout, kept("md"));
    assert!(ran.stdout.contains("| sticks | V0 | V1 | V2 | V3 | V4 | V5 |"), "{}", ran.stdout);
    assert!(ran.stdout.contains("the first move took longer than the limit"), "{}", ran.stdout);
    assert!(ran.stderr.contains("V0, heaps = 9: "), "{}", ran.stderr);
    let csv = kept("csv");
    assert!(csv.starts_with("version,heaps,runs,cpu_us,cpu_us_error,calls,calls_error\n"));
    for (version, heaps, calls) in [("V0", 8, "19.0"), ("V0", 9, "39.0"), ("V1", 9, "12.0"), ("V2", 19, "155.0")] {
        let row = csv.lines().find(|line| line.starts_with(&format!("{version},{heaps},2,"))).unwrap();
        assert_eq!(row.split(',').nth(5), Some(calls), "{row}");
    }
    let svg = kept("svg");
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
}

#[test]
fn what_a_study_needs_is_told() {
    let arena = Arena::new().with_lab();
    let missing = arena.agon(["bench", "grundy"]);
    assert_eq!(missing.status, Some(1));
    assert!(
        missing.stderr.contains("clients/grundy.so") && missing.stderr.contains("help: agon add"),
        "{}",
        missing.stderr
    );
    let limit = arena.agon(["bench", "grundy", "--limit", "10"]);
    assert_eq!(limit.status, Some(2));
    assert!(limit.stderr.contains("--limit: write a unit"), "{}", limit.stderr);
    let none = arena.agon(["bench", "no-such-study", "--limit", "1s"]);
    assert_eq!(none.status, Some(2));
    assert!(none.stderr.contains("\"no-such-study\" is not one"), "{}", none.stderr);
}

#[test]
fn a_client_of_another_game_ends_the_study() {
    let arena = Arena::new().with_lab();
    let file = arena.rust_client("random");
    let ran = arena.agon(["bench", "grundy", "--client", file.to_str().unwrap()]);
    assert_eq!(ran.status, Some(1), "{}", ran.stdout);
    assert!(ran.stderr.contains("amazons"), "{}", ran.stderr);
}

#[test]
fn whoever_has_no_laboratory_reads_the_line_that_builds_it() {
    let arena = Arena::new();
    let installed = arena.agon(["bench", "grundy"]);
    assert!(
        installed.stderr.contains("agon-lab, which is not in") && installed.stderr.contains("keep bin/ and libexec/")
    );
    // A source tree has the package for clients in Rust.
    fs::create_dir(arena.path("client-api")).unwrap();
    arena.file("client-api/Cargo.toml", "");
    arena.rust_client("random");
    arena.agon("match random random -b standard-6 -q -s 1 --record kept".split(' ')).well();
    for (words, package) in [("bench grundy", "-p agon-lab"), ("show last kept --png 1", "--manifest-path tools/png/")]
    {
        let ran = arena.agon(words.split(' '));
        assert_eq!(ran.status, Some(1), "{words}");
        assert!(ran.stderr.contains(&format!("build it: cargo build --release {package}")), "{words}: {}", ran.stderr);
    }
}
