//! `agon tune`: it finds the best value of a client of which that is known, goes on after a stop, and refuses what it
//! cannot tune.

use crate::builder::{Arena, has_program};

/// Plays an illegal first move the more often, the further its option `x` is from 70; else the first legal split.
const CLIENT: &str = "#include <agon/grundy.h>
#include <stdlib.h>
static int errs;
const char *get_player_name(void) { return \"seventy\"; }
int initialize(const grundy_setup *setup) {
    char text[32], *at = agon_option(&setup->head, \"x\", text, sizeof text);
    double x = at ? atof(at) : 0;
    if (agon_option(&setup->head, \"unknown\", text, sizeof text)) return 1;
    errs = (double)(setup->head.seed >> 40 & 1023) < (x > 70 ? x - 70 : 70 - x) * 1023 / 80;
    return 0;
}
grundy_move play(const grundy_turn *turn) {
    grundy_move move = {0, 0};
    if (errs) return move;
    while (turn->heaps[move.heap] < 3) move.heap++;
    move.split = 1;
    return move;
}
void finalize(void) {}
AGON_CLIENT(grundy)
";

fn arena() -> Option<Arena> {
    let arena = Arena::new();
    has_program("cc").then(|| arena.c_client("seventy", CLIENT).unwrap())?;
    Some(arena)
}

fn words(more: &str) -> Vec<String> {
    let line =
        "tune seventy -p x=0..100:15 -g grundy -o heaps=8-60 --isolation reuse -s 5 --steps 60 --pairs 4 --record kept";
    format!("{line} {more}").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn it_finds_what_is_best_and_goes_on_where_it_was_stopped() {
    let Some(arena) = arena() else { return };
    let found = arena.agon(words("--json")).json();
    assert_eq!((found["schema"].as_str(), found["steps"].as_u64()), (Some("agon.tune/1"), Some(60)));
    assert_eq!(crate::schemas::flaws(&found, "tune", "tune"), Vec::<String>::new());
    let option = &found["options"][0];
    let value = option["found"].as_f64().unwrap();
    assert!((55.0..=85.0).contains(&value), "{value}: {option}");
    let course = option["course"].as_array().unwrap();
    assert_eq!((course.len(), course[0].as_f64()), (61, Some(15.0)));
    // As if it had been stopped after 57 steps: the same again, from what the record has and what is played.
    let locks = std::fs::read_dir(arena.path("kept")).unwrap().flatten();
    let locks = locks.filter(|entry| entry.path().extension().is_some_and(|ending| ending == "lock"));
    assert_eq!(locks.count(), 0, "a step that is over leaves no lock");
    let file = arena.path("kept/tune seventy.json");
    let mut kept: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    kept["values"].as_array_mut().unwrap().truncate(58);
    std::fs::write(&file, kept.to_string()).unwrap();
    assert_eq!(arena.agon(words("--json")).json(), found);
    let other = arena.agon(words("--json --param y=0..1"));
    assert!(other.status == Some(2) && other.stderr.contains("--fresh to begin anew"), "{other:?}");
    let tested = arena.agon(words("--test 100 -q"));
    let shown = &tested.stdout;
    assert_eq!(tested.status, Some(0), "what it found is better than the start: {tested:?}");
    assert!(
        shown.contains("course: from 0, the lower end of the range, to 9, the upper") && shown.contains("\nx  "),
        "{shown}"
    );
    assert!(shown.contains(" against the start, seventy:x=15: the test of agon sprt"), "{shown}");
}

/// Without a difference there is no test, and a sentence says why.
#[test]
fn a_found_value_that_is_the_start_is_not_tested() {
    let Some(arena) = arena() else { return };
    let line = "tune seventy -p x=70..71:70 -g grundy -o heaps=8-60 -s 5 --steps 1 --pairs 1 --test 100 -q";
    let ran = arena.agon(line.split(' ')).well();
    assert!(ran.stdout.ends_with("\nfound is the start: there is nothing to test\n"), "{ran:?}");
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let Some(arena) = arena() else { return };
    for (line, status, message) in [
        ("tune seventy -g grundy", 2, "--param"),
        ("tune seventy -p x=9..1 -g grundy", 2, "the range begins below its end"),
        (
            "tune seventy -p x=0..9 -g grundy -o heaps=9",
            2,
            "all pairs begin from one position: a test needs at least 20 openings; help: let openings differ, for example with -o heaps=8-60; --test 0 leaves",
        ),
        (
            "tune seventy -p unknown=0..9 -g grundy -o heaps=8-60 --test 0",
            1,
            "does not play with these options: initialize returned 1",
        ),
        ("tune seventy -p x=0..99 -g grundy -o heaps=8-60 --test 0 --steps 1 --pairs 1", 0, ""),
        ("tune nobody -p x=0..9 -g grundy -o heaps=8-60", 4, "nobody"),
    ] {
        let ran = arena.agon(line.split(' '));
        assert!(ran.status == Some(status) && ran.stderr.contains(message), "{line}: {ran:?}");
    }
}
