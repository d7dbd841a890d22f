//! Machines without a layer of the sandbox, or without a call that a match needs: each command says so.

use crate::builder::Arena;

const WARNING: &str = "warning: this machine has no landlock: clients can read your files; agon doctor says more";

fn without(parts: &str) -> Option<Arena> {
    let arena = Arena::new();
    for name in ["random", "greedy"] {
        std::fs::copy(arena.rust_client(name), arena.path(format!("bin/lib{name}.so"))).unwrap();
    }
    arena.on_old_kernel(parts)
}

#[test]
fn a_missing_layer_is_named_once_before_the_first_match_of_each_command() {
    let Some(arena) = without("landlock") else { return };
    arena.ladder_toml(
        "[ladder]\ngame = 'amazons'\nlineup = ['random', 'random']\nopenings = 2\nclients = ['clients/*.so']\n\
         [options]\nboard = 'square:5'\n",
    );
    for line in [
        "ladder --quiet",
        "match random random -n 2 -b square:5",
        "match random random -n 2 -b square:5 -q",
        "sprt random:style=queen random:style=move -b square:6 -o opening=2 --elo1 200 --most 40",
        "demo --no-open",
        "play amazons --against random --against random",
    ] {
        let ran = arena.agon(line.split(' '));
        let told = ran.stderr.matches("warning: this machine has no").count();
        assert!(told == 1 && ran.stderr.contains(WARNING), "{line}: {}\n{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_machine_without_any_layer_is_warned_of_most_of_all() {
    let Some(arena) = without("landlock seccomp limits privileges") else { return };
    for line in ["match random random -n 2 -b square:5", "play amazons --against random --against random"] {
        let ran = arena.agon(line.split(' '));
        let told = ran.stderr.matches("warning: this machine has NO layer of the sandbox: clients can ").count();
        assert_eq!(told, 1, "{line}: {}\n{}", ran.stdout, ran.stderr);
    }
    let doctor = arena.agon(["doctor"]).stdout;
    assert!(!doctor.contains("no match can be played"), "{doctor}");
    let strict = arena.agon("match random random -n 2 -b square:5 --sandbox strict".split(' '));
    assert!(strict.status != Some(0), "{}", strict.stderr);
}

#[test]
fn a_layer_that_is_left_out_on_purpose_is_not_missing() {
    let Some(arena) = without("landlock") else { return };
    for line in ["match random random -n 2 -b square:5 --without landlock", "match random random -n 2 --isolation none"]
    {
        let ran = arena.agon(line.split(' ')).well();
        assert!(!ran.stderr.contains("this machine has no"), "{}", ran.stderr);
    }
}

#[test]
fn a_check_does_not_praise_manners_that_it_could_not_see() {
    for (part, said) in [("landlock", "landlock does not hold"), ("seccomp", "seccomp does not hold")] {
        let Some(arena) = without(part) else { return };
        let ran = arena.agon(["check", "random", "-n", "2"]);
        assert!(!ran.stdout.contains("had to refuse") && ran.stdout.contains(said), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("manners     note"), "{}", ran.stdout);
    }
}

#[test]
fn a_check_that_played_nothing_does_not_say_that_the_client_can_play() {
    let Some(arena) = without("pidfd") else { return };
    let ran = arena.agon(["check", "random", "-n", "2"]);
    assert_eq!(ran.status, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("no match was played, for a reason of this machine: "), "{}", ran.stdout);
    for step in ["initialize", "first-move", "matches", "time", "memory", "manners", "same-again", "valgrind"] {
        let line = ran.stdout.lines().find(|line| line.split_whitespace().nth(1) == Some(step)).unwrap_or_default();
        assert!(line.ends_with("  not looked at"), "{step}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("it can play") && !ran.stderr.contains("next:"), "{}{}", ran.stdout, ran.stderr);
    let json = arena.agon(["check", "random", "-n", "2", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((json.status, &document["passed"]), (Some(1), &serde_json::Value::Bool(false)));
}
