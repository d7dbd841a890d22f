//! Matches on maps and graphs, from positions and after openings, played by compiled clients; and boards written to
//! files.

use crate::builder::{Arena, Ran};

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
    let words = ["match", "random", "greedy", "--openings", "3", "-s", "7", "-q"];
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
        ("board=bytes.toml", "line 1, column 10: the byte 0xff is not UTF-8 text"),
        ("from=1=a1/2=z9", "there is no vertex \"z9\" on Small 6 x 6"),
    ];
    for (option, message) in cases {
        let ran =
            play(&arena, &[if option.starts_with("board") { "vacated=free" } else { "board=standard-6" }, option]);
        assert!(ran.status != Some(0) && ran.stderr.contains(message), "{option}: {}", ran.stderr);
    }
}

#[test]
fn a_match_starts_from_the_position_on_its_command_line() {
    let arena = arena();
    arena.file("position.txt", "1=a3,c3\n2=d4,f4\nx=b3,e4 move=2\n");
    arena.file("wrong.txt", "1=a3,c3\n2=d4,zz\n");
    let play = |words: &str| arena.agon(format!("match random random -q {words}").split(' '));
    for (words, queens) in [
        ("-b standard-6 --from 1=a3,c3/2=d4,f4/x=b3,e4/move=2", &["d4", "f4"][..]),
        ("-b standard-6 --from position.txt", &["d4", "f4"]),
        ("-m 5 --from 1=b1/2=e5/move=2", &["e5"]),
    ] {
        play(words).well();
        let shown = arena.shown("last");
        assert_eq!(shown.ending(), "over");
        let first = &shown.json["moves"][0];
        let text = first["text"].as_str().unwrap();
        assert_eq!(first["seat"], 1, "player 2 is to move: {first}");
        assert!(queens.iter().any(|queen| text.starts_with(queen)), "{words}: {text}");
    }
    for (words, status, message) in [
        ("--from 1=a1/2=zz", 3, "from=1=a1/2=zz: option from: there is no vertex \"zz\" on square 10"),
        ("--from 1=a1/2=a1", 3, "two things stand on a1"),
        ("--from wrong.txt", 3, "wrong.txt:2:6: there is no vertex \"zz\" on square 10\n2 | 2=d4,zz\n  |      ^"),
        ("--from missing.txt", 3, "cannot read \"missing.txt\": No such file"),
        ("--from start -o from=start", 2, "--from and the option from say the same twice"),
        ("-g six_qui_prend --from start", 2, "six_qui_prend has no --from"),
        ("-g six_qui_prend -m 5 --from start", 2, "six_qui_prend has no -m and --from"),
    ] {
        let ran = play(words);
        assert_eq!(ran.status, Some(status), "{words}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{words}: {}", ran.stderr);
    }
}

#[test]
fn a_file_that_exists_is_never_overwritten() {
    let arena = Arena::new();
    arena.agon(["boards", "new", "square:5", "--out=mine.toml"]).well();
    assert!(arena.agon(["boards", "check", "mine.toml"]).well().stdout.ends_with("nothing odd\n"));
    let again = arena.agon(["boards", "new", "donut:6", "--out", "mine.toml"]);
    assert!(
        again.status == Some(3) && again.stderr.contains("it exists already; help: choose another file"),
        "{}",
        again.stderr
    );
    assert!(std::fs::read_to_string(arena.path("mine.toml")).unwrap().contains("square 5"));
}
