//! `agon analyse`: a position, what a client plays in it and has logged, the map of who comes first; and what is wrong
//! with each.

use crate::builder::{Arena, golden, has_program};

/// Plays the move of its option `move`, three vertices, and logs as clients do, one key twice.
const CLIENT: &str = "#include <agon/amazons_kit.h>
#include <stdlib.h>
static amazons_move move;
const char *get_player_name(void) { return \"sage\"; }
int initialize(const amazons_setup *setup) {
    char text[32], *at = agon_option(&setup->head, \"move\", text, sizeof text);
    agon_log(\"value\", \"said too early\");
    if (!at) return 1;
    move.queen_src = (uint32_t)strtoul(at, &at, 10);
    move.queen_dst = (uint32_t)strtoul(at + 1, &at, 10);
    move.arrow_dst = (uint32_t)strtoul(at + 1, &at, 10);
    return 0;
}
amazons_move play(const amazons_turn *turn) {
    agon_log(\"value\", \"1.5\");
    agon_log_number(\"depth\", 3);
    agon_log_number(\"nodes\", (long long)turn->head.ply + 12);
    agon_log(\"line\", \"6-4/1 2-8/6 no-move/5 4-0/1\");
    agon_log(\"value\", \"2.5\");
    return move;
}
void finalize(void) {}
AGON_CLIENT(amazons)
";

fn arena() -> Option<Arena> {
    let arena = Arena::new();
    has_program("cc").then(|| arena.c_client("sage", CLIENT).unwrap())?;
    Some(arena)
}

#[test]
fn a_position_is_shown_with_what_a_client_says() {
    let Some(arena) = arena() else { return };
    let mut text = String::new();
    for line in [
        "-b mini-3 -c sage:move=6-4-1",
        "1=a2,c1/2=a3,c3/x=b2/move=2 -b mini-3",
        "-b donut:9",
        "-b mini-ring",
        "-g grundy -o heaps=8,5",
        "1=a1/2=a2/x=b1,b2 -b mini-2",
    ] {
        let ran = arena.agon(format!("analyse --ascii {line}").split(' ')).well();
        text += &format!("$ agon analyse {line}\n{}\n", ran.stdout);
    }
    golden("analyse.txt", &text);
}

#[test]
fn programs_read_the_same() {
    let Some(arena) = arena() else { return };
    let found = arena.agon(["analyse", "-b", "mini-3", "-c", "sage:move=6-4-1", "--json"]).json();
    assert_eq!((&found["schema"], &found["seat"], &found["legal"]), (&"agon.analysis/1".into(), &0.into(), &29.into()));
    assert_eq!((found["choice"].as_str(), found["logged"]["value"].as_str()), (Some("a1-b2/b3"), Some("2.5")));
    assert_eq!(found["logged"]["line"], "a1-b2/b3 c3-c1/a1 no-move/5 4-0/1");
    assert_eq!(found["territory"].as_array().unwrap().len(), 5);
    assert!(found["fault"].is_null() && found["cpu_us"].is_u64(), "{found}");
}

#[test]
fn a_client_at_fault_is_told_and_the_rest_is_shown() {
    let Some(arena) = arena() else { return };
    let illegal = arena.agon(["analyse", "-b", "mini-3", "-c", "sage:move=6-6-1"]);
    assert_eq!(illegal.status, Some(5));
    assert!(illegal.stdout.contains("sage:move=6-6-1: illegal-move: a1-a1/b3 (queen-must-move)"), "{}", illegal.stdout);
    assert!(illegal.stdout.contains("whose queens reach a square in fewer moves"), "{}", illegal.stdout);
    let declined = arena.agon(["analyse", "-b", "mini-3", "-c", "sage", "--json"]);
    assert_eq!(declined.status, Some(5));
    let found: serde_json::Value = serde_json::from_str(&declined.stdout).unwrap();
    assert!(found["fault"]["message"].is_string() && found["choice"].is_null(), "{found}");
}

#[test]
fn what_cannot_be_looked_at_is_told() {
    let arena = Arena::new();
    arena.file("position.txt", "# drawn by hand\n1=a1\n2=c3\n");
    let shown = arena.agon(["analyse", "position.txt", "-b", "mini-3"]).well();
    assert!(shown.stdout.contains("player 1 to move"), "{}", shown.stdout);
    for (line, status, message) in [
        ("1=a1 -g grundy", 2, "grundy has no positions as text; help: say how it begins with -o KEY=VALUE"),
        ("1=a1/2=a2 -o from=1=a1/2=a2", 2, "the position and the option from say the same twice"),
        ("1=z9/2=a2 -b mini-3", 3, "there is no vertex \"z9\""),
        ("-g chess", 3, "chess"),
        ("-c nobody", 4, "there is no file \"clients/nobody.so\""),
    ] {
        let ran = arena.agon(format!("analyse {line}").split(' '));
        assert_eq!(ran.status, Some(status), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{line}: {}", ran.stderr);
    }
}

/// What is said for people, of each game, in both languages.
#[test]
fn what_a_client_means_is_said_in_words() {
    let arena = Arena::new();
    for client in ["alphabeta", "six-best", "mastermind", "grundy", "tirs"] {
        arena.rust_client(client);
    }
    for (line, english, french) in [
        (
            "-g grundy -o heaps=8 -c grundy",
            "The position is won: after 1 1 the other side loses",
            "La position est gagnée : après 1 1, l'autre perd",
        ),
        ("-g grundy -o heaps=7 -c grundy", "The position is lost against perfect play", "perdue contre un jeu parfait"),
        (
            "-g grundy -o heaps=70 -c grundy:version=random",
            "It has not looked who wins",
            "Il n'a pas regardé qui gagne",
        ),
        (
            "-g mastermind --seats 1 -c mastermind",
            "1296 codes are possible. The reply to 0 0 1 1 parts them into 13 groups, the largest of 256.",
            "1296 combinaisons sont possibles. La réponse à 0 0 1 1 les répartit en 13 groupes, dont le plus grand en a 256.",
        ),
        ("-g mastermind --seats 1 -c mastermind", ", 4+0: 1", "Bien placées + mal placées"),
        (
            "-g tirs_croises -o size=4 -c tirs",
            "is best: with perfect play",
            "est le meilleur coup : en jouant parfaitement",
        ),
        (
            "-g six_qui_prend --seats 4 -c six-best",
            "opponents expected ahead in the end",
            "adversaires attendus devant à la fin",
        ),
        ("-g six_qui_prend --seats 4 -c six-best:objective=heads", "heads that are expected", "têtes attendues"),
        ("-b standard-6 -c alphabeta:nodes=2000", "the mover is about", "celui qui joue a environ"),
    ] {
        let said = |lang| arena.agon(format!("analyse -s 1 --lang {lang} {line}").split(' ')).well();
        let (in_english, in_french) = (said("en").stdout, said("fr").stdout);
        assert!(in_english.contains(english), "{line}: {in_english}");
        assert!(in_french.contains(french) && in_french.contains(" joue "), "{line}: {in_french}");
    }
    let found = arena.agon(["analyse", "-g", "grundy", "-o", "heaps=8", "-c", "grundy", "--json"]).json();
    assert!(found["in_words"][0].as_str().unwrap().starts_with("The position is won"), "{found}");
}

#[test]
fn a_position_may_be_that_after_some_moves() {
    let arena = Arena::new();
    arena.rust_client("mastermind");
    arena.rust_client("grundy");
    let tries = ["3 3 4 4", "0 2 1 5", "2 2 5 0", "0 0 5 1"].iter().flat_map(|guess| ["--after", guess]);
    let words = ["analyse", "-g", "mastermind", "--seats", "1", "-o", "secret=1 5 0 0", "-c", "mastermind"];
    let said = arena.agon(words.into_iter().chain(tries)).well().stdout;
    assert!(said.contains("2 codes are possible"), "{said}");
    let after = ["analyse", "-g", "grundy", "-o", "heaps=8", "-c", "grundy", "--after", "1 1", "--after", "1 3"];
    let said = arena.agon(after).well().stdout;
    assert!(said.contains("player 1 to move") && said.contains("after 1 1 the other side loses"), "{said}");
    for (after, wanted) in [
        (&["1 5"][..], "--after \"1 5\", seat 1: 5 of the 5 sticks"),
        (&["one"], "--after \"one\", seat 1: this is not a move of the game"),
        (&["1 1", "1 1", "1 1", "1 1"], "over before the last of these moves"),
    ] {
        let words = after.iter().flat_map(|mv| ["--after", mv]);
        let ran = arena.agon(["analyse", "-g", "grundy", "-o", "heaps=5"].into_iter().chain(words));
        assert!(ran.status == Some(2) && ran.stderr.contains(wanted), "{after:?}: {ran:?}");
    }
}

/// Two games, since one has positions as texts and the other does not.
#[test]
fn a_position_may_be_one_of_a_recorded_match() {
    let arena = Arena::new();
    for client in ["random", "grundy"] {
        arena.rust_client(client);
    }
    arena.agon("match random random -b standard-6 -q -n 2 -s 1 --record kept".split(' ')).well();
    let shown = arena.agon("show last@2 kept".split(' ')).well().stdout;
    let from = shown.split("--from ").nth(1).unwrap().lines().next().unwrap();
    let by_text = arena.agon(["analyse", from, "-b", "standard-6"]).well().stdout;
    let by_turn = arena.agon("analyse last@2 kept".split(' ')).well().stdout;
    // The squares of the last move are marked where there was one.
    let plain = |text: &str| text.replace(['[', ']', ' '], "");
    assert_eq!(plain(&by_turn), plain(&by_text));
    let asked = arena.agon("analyse last@2 kept -c random --json".split(' ')).json();
    assert!(asked["choice"].is_string() && asked["seat"] == 0, "{asked}");
    let replayed = arena.agon("replay last@2 --record kept".split(' ')).well().stdout;
    assert!(replayed.starts_with("turn 2 of ") && replayed.contains(from), "{replayed}");
    arena.agon("match grundy grundy -g grundy -o heaps=9 -q -n 2 -s 1 --record heaps".split(' ')).well();
    let start = arena.agon("analyse last@0 --record heaps -c grundy".split(' ')).well().stdout;
    assert!(start.contains("grundy plays"), "{start}");
    for (line, message) in [
        ("analyse last@99 kept", "help: "),
        ("show last@99 kept", "has no turn 99"),
        ("analyse last@x kept", "\"x\" is not a turn"),
        ("analyse zz@3 kept", "no match has an id that begins with \"zz\"; help: agon matches lists them"),
        ("analyse last@2 kept -b mini-2", "last@2 has its own game, board and seats"),
        ("rerun last@2 kept", "help: leave out @TURN"),
    ] {
        let ran = arena.agon(line.split(' '));
        assert!(ran.status == Some(2) && ran.stderr.contains(message), "{line}: {ran:?}");
    }
    let unnamed = arena.agon("show @3 kept".split(' '));
    assert!(unnamed.status == Some(2) && unnamed.stderr.contains("names no match; write last@12"), "{unnamed:?}");
    let nameless = arena.agon("analyse @3 kept".split(' '));
    assert!(nameless.status != Some(0) && !nameless.stderr.contains("several matches"), "{nameless:?}");
}
