//! Matches on maps and graphs, from positions and after openings, played by compiled clients; and boards written to files.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod builder;

use builder::{Arena, Ran};

const RING: &str = "%%MatrixMarket matrix coordinate integer general
6 6 12
1 2 3
2 1 7
2 3 3
3 2 7
3 4 5
4 3 1
4 5 7
5 4 3
5 6 7
6 5 3
6 1 1
1 6 5
";

fn arena() -> Arena {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    arena
}

fn play(arena: &Arena, options: &[&str]) -> Ran {
    let words = ["match", "random", "greedy", "-n", "3", "-s", "7", "-q"];
    arena.agon(words.into_iter().chain(options.iter().flat_map(|option| ["-o", option])))
}

#[test]
fn clients_play_on_graphs_from_positions_and_after_openings() {
    let arena = arena();
    arena.file("ring.mtx", RING);
    arena.agon(["boards", "import", "ring.mtx", "--queens", "1=0/2=3", "--out", "ring.toml"]).well();
    arena.file("lines.txt", "a2-a3/b3 b6-c6/d6   # two plies\nb1-b3/b4\n");
    arena.file("position.txt", "1=a3,c3\n2=d4,f4\nx=b3,e4 move=2\n");
    let settings: [&[&str]; 5] = [
        &["board=ring.toml"],
        &["board=standard-6", "opening=5"],
        &["board=standard-6", "opening=lines.txt"],
        &["board=standard-6", "from=position.txt", "opening=1"],
        &["board=lagoon", "from=1=f1/2=f9/x=e2/move=2"],
    ];
    for options in settings {
        play(&arena, options).well();
        for shown in arena.all_shown() {
            assert_eq!(shown.ending(), "over", "{options:?}: {:#}", shown.json);
        }
    }
}

#[test]
fn wrong_files_are_told_with_their_place() {
    let arena = arena();
    arena.file("lines.txt", "a2-a3/b3\nb1-b9/b4\n");
    arena.file("bytes.toml", b"title = \"\xff\"\n");
    let cases = [
        ("opening=lines.txt", "lines.txt:2:1"),
        ("board=bytes.toml", "line 1, column 10: the byte 0xff is no UTF-8 text"),
        ("from=1=a1/2=z9", "there is no vertex \"z9\" on Small 6 x 6"),
    ];
    for (option, message) in cases {
        let ran =
            play(&arena, &[if option.starts_with("board") { "vacated=free" } else { "board=standard-6" }, option]);
        assert!(ran.status != Some(0) && ran.stderr.contains(message), "{option}: {}", ran.stderr);
    }
}

#[test]
fn a_file_that_exists_is_never_overwritten() {
    let arena = Arena::new();
    arena.agon(["boards", "new", "square:5", "--out=mine.toml"]).well();
    assert!(arena.agon(["boards", "check", "mine.toml"]).well().stdout.ends_with("nothing odd\n"));
    let again = arena.agon(["boards", "new", "donut:6", "--out", "mine.toml"]);
    assert!(again.status == Some(3) && again.stderr.contains("choose a file that does not exist"), "{}", again.stderr);
    assert!(std::fs::read_to_string(arena.path("mine.toml")).unwrap().contains("square 5"));
}
