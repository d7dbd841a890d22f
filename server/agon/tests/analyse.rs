//! `agon analyse`: a position, what a client plays in it and has logged, the map of who comes first; and what is wrong
//! with each.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

mod builder;

use builder::{Arena, golden, has_program};

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
    assert!(illegal.stdout.contains("who comes first"), "{}", illegal.stdout);
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
        ("-c nobody", 3, "there is no file \"clients/nobody.so\""),
    ] {
        let ran = arena.agon(format!("analyse {line}").split(' '));
        assert_eq!(ran.status, Some(status), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{line}: {}", ran.stderr);
    }
}
