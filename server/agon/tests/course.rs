//! The habits of the original course: its command line, and its ladder with ten points off for a crash.

use crate::builder::Arena;
use std::fs;
use std::path::Path;

const FLAGS: [&str; 1] = ["-Wno-unused-function"];

#[test]
fn matches_start_as_the_course_s_own_server_took_them() {
    let arena = Arena::new();
    arena.adapter();
    for name in ["a", "b"] {
        if arena.c_client_with(name, "server/agon/tests/classic/copy.c", &FLAGS).is_none() {
            return;
        }
        fs::rename(arena.path(format!("clients/{name}.so")), arena.path(format!("{name}.so"))).unwrap();
    }
    let play = |words: &str| arena.agon(words.split(' '));
    let ran = play("match -m 12 -t d a.so b.so -s 42").well();
    assert!(ran.stderr.contains("board: donut:12 (-m 12 -t d)"), "{}", ran.stderr);
    let shown = arena.shown("last");
    assert_eq!((shown.ending(), &shown.json["match"]["seed"]), ("over", &"42".into()));
    for (words, board) in
        [("-t 8 -m 8", "eight:8"), ("-t t", "clover:10"), ("-m 5", "square:5"), ("-t c -m 6", "square:6")]
    {
        play(&format!("match {words} a.so b.so")).well();
        assert_eq!(arena.shown("last").json["match"]["setting"], board);
    }
    for (words, status, message) in [
        (
            "-m 10 -t d",
            3,
            "the width of a donut is a multiple of 3, which 10 is not; the nearest good widths are 9 and 12",
        ),
        ("-m x", 3, "\"x\" is not a width"),
        ("-t x", 3, "there are c (square), s (square), d (donut), t (clover), 8 (eight)"),
        ("-m 9 -o board=square:8", 2, "say the same twice"),
        ("-m 9 -g six_qui_prend", 2, "six_qui_prend has no -m"),
    ] {
        let ran = play(&format!("match {words} a.so b.so"));
        assert_eq!(ran.status, Some(status), "{words}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{words}: {}", ran.stderr);
    }
}

#[test]
fn a_crash_costs_ten_points_on_the_ladder_of_the_course() {
    let arena = Arena::new();
    arena.adapter();
    for name in ["copy", "keep", "crash"] {
        if arena.c_client_with(name, &format!("server/agon/tests/classic/{name}.c"), &FLAGS).is_none() {
            return;
        }
    }
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ladders/course.toml")).unwrap();
    fs::create_dir_all(arena.path("docs/ladders")).unwrap();
    arena.file("docs/ladders/course.toml", text.replace("openings = 5", "openings = 1"));
    let table = arena.agon(["ladder", "docs/ladders/course.toml", "--json"]).json();
    let rows = table["clients"].as_array().unwrap_or_else(|| panic!("{table:#}"));
    let points =
        |name: &str| rows.iter().find(|row| row["client"] == name).unwrap()["points"]["mean"].as_f64().unwrap();
    assert_eq!(points("crash"), -10.0, "{table:#}");
    assert!(
        (points("copy") + points("keep") - 1.5).abs() < 1e-9,
        "both beat it, and one half of each other: {table:#}"
    );
}
