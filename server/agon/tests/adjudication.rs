//! Matches that end by what both clients log: who wins then, what is asked for it, and how often both were wrong.

use crate::builder::Arena;
use std::fs;

/// A sound client that logs the same value with every move; nothing, where there is none.
fn says(arena: &Arena, name: &str, value: &str) -> bool {
    let log = if value.is_empty() { String::new() } else { format!("agon_log(\"value\", \"{value}\")") };
    let flag = format!("-DAT_EVERY_PLAY={log}");
    arena.c_client_with(name, "server/agon/tests/clients/sound.c", &[&flag]).is_some()
}

fn all_clients() -> Option<Arena> {
    let arena = Arena::new();
    let made =
        [("sure", "9000"), ("meek", "-9000"), ("boast", "12000.5"), ("silent", ""), ("odd", "won\\nvalue\\tnan")];
    made.iter().all(|(name, value)| says(&arena, name, value)).then_some(arena)
}

#[test]
fn it_takes_both_and_as_many_moves_as_were_asked() {
    let Some(arena) = all_clients() else { return };
    let run = |words: &str| {
        let args = format!("match {words} -b square:6 -n 2 -q --json --record out");
        let json = arena.agon(args.split(' ')).json();
        let ids = arena.agon("matches --json out".split(' ')).json();
        let list = ids["matches"].as_array().unwrap().clone();
        (json, list)
    };
    for (names, moves) in [("sure meek", 4), ("meek sure", 7), ("boast meek", 2)] {
        let (json, list) = run(&format!("{names} --adjudicate {moves},8999.999"));
        let winner = names.split(' ').find(|name| *name != "meek").unwrap();
        for one in &list {
            // One in ten is played on; by its id, which hangs on the files.
            let shown = arena.agon(["show", one["id"].as_str().unwrap(), "out"]).well().stdout;
            if one["ending"] == "adjudicated" {
                assert_eq!(one["plies"], moves, "{names}");
                assert!(shown.contains("both clients' values agreed") && shown.contains(&format!("({winner}) won")));
            }
        }
        let decided = list.iter().filter(|one| one["ending"] == "adjudicated").count();
        assert_eq!(json["adjudication"]["decided"], decided, "{json}");
        let checked = &json["adjudication"]["checked"];
        assert_eq!(checked.as_u64().unwrap() as usize + decided, list.len(), "{json}");
    }
    for names in ["sure boast", "silent meek", "odd meek", "sure sure", "meek meek"] {
        let (json, list) = run(&format!("{names} --adjudicate 2"));
        assert!(list.iter().all(|one| one["ending"] == "over"), "{names}: {json}");
        assert_eq!((&json["adjudication"]["decided"], &json["adjudication"]["checked"]), (&0.into(), &0.into()));
    }
    // The value that they reach is asked of both.
    let (json, _) = run("sure meek --adjudicate 2,9000.001");
    assert_eq!(json["adjudication"]["decided"], 0);
    let (json, _) = run("sure meek");
    assert!(json.get("adjudication").is_none(), "{json}");
}

fn ladder(more: &str) -> String {
    format!(
        "[ladder]\nname = \"cut\"\ngame = \"amazons\"\nclients = [\"clients/sure.so\", \"clients/meek.so\"]\nopenings = 10\n\
         seed = 5\n[options]\nboard = \"square:6\"\n[time]\nper_move = \"2s\"\n{more}"
    )
}

#[test]
fn whoever_is_played_on_shows_how_often_both_were_wrong() {
    let Some(arena) = all_clients() else { return };
    arena.ladder_toml(&ladder("[adjudication]\nmoves = 4\nchecked = 1\n"));
    let json = arena.agon(["ladder", "-q", "--json"]).json();
    let (decided, checked) = (&json["adjudication"]["decided"], &json["adjudication"]["checked"]);
    assert_eq!((decided, checked), (&0.into(), &20.into()), "{json}");
    // The two play alike, so that the rules give about half to each.
    let wrong = json["adjudication"]["wrong"].as_array().unwrap();
    let lost = json["clients"].as_array().unwrap().iter().find(|client| client["client"] == "sure").unwrap();
    assert_eq!(wrong.len() as u64, lost["losses"].as_u64().unwrap());
    assert!(!wrong.is_empty(), "{json}");
    let text = arena.agon(["standings"]).well().stdout;
    assert!(text.contains("checked: 20 others") && text.contains("help: raise value or moves"), "{text}");
    // Other terms: no results of before stand beside those of now.
    arena.ladder_toml(&ladder("[adjudication]\nmoves = 5\nchecked = 1\n"));
    let refused = arena.agon(["ladder", "-q"]);
    assert!(
        refused.stderr.contains("adjudication: was moves 4, value 9000000, checked 1000 thousandths"),
        "{refused:?}"
    );
}

#[test]
fn such_a_match_is_kept_played_again_and_carried_elsewhere() {
    let Some(arena) = all_clients() else { return };
    arena.ladder_toml(&ladder("[adjudication]\nmoves = 4\nchecked = 0\n"));
    let json = arena.agon(["ladder", "-q", "--json"]).json();
    assert_eq!(json["adjudication"]["decided"], 20, "{json}");
    let sure = json["clients"].as_array().unwrap().iter().find(|client| client["client"] == "sure").unwrap();
    assert_eq!((&sure["wins"], &sure["losses"]), (&20.into(), &0.into()));
    let again = arena.agon(["rerun", "last", "--verify"]).well().stdout;
    assert!(again.contains("is the same: 4 turns, every move and state, the same agreement on who wins"), "{again}");
    let replay = arena.agon(["replay", "last", "--text"]).well().stdout;
    assert!(replay.contains("turn 4 of 4"), "{replay}");
    arena.agon(["replay", "last", "--html", "replay.html"]).well();
    arena.agon(["report", "--replays", "all"]).well();
    // With other programs, and back.
    let export = arena.agon(["record", "export", "jsonl"]).well().stdout;
    fs::write(arena.path("cut.jsonl"), &export).unwrap();
    arena.agon("record import cut.jsonl --record other".split(' ')).well();
    assert_eq!(arena.agon(["record", "export", "jsonl", "other"]).well().stdout, export);
    for (forged, why) in [
        (export.replacen("\"rank\":1", "\"rank\":2", 1), "names no winner"),
        (export.replacen("\"ending\":\"adjudicated\"", "\"ending\":\"over\"", 1), "by the rules it is not over"),
        (export.replacen("\"ending\":\"adjudicated\"", "\"ending\":\"agreed\"", 1), "a match ends \"over\""),
    ] {
        fs::write(arena.path("forged.jsonl"), forged).unwrap();
        let refused = arena.agon("record import forged.jsonl --record third".split(' '));
        assert!(refused.status == Some(3) && refused.stderr.contains(why), "{why}: {refused:?}");
    }
}

#[test]
fn what_makes_no_sense_is_said_where_it_stands() {
    let Some(arena) = all_clients() else { return };
    for (more, said) in [
        ("[adjudication]\nvalue = 5\n", "[adjudication] has no moves"),
        ("[adjudication]\nmoves = 1\n", "moves"),
        ("[adjudication]\nmoves = 4\nvalue = 0\n", "0 cannot be a value that says who wins"),
        ("[adjudication]\nmoves = 4\nvalue = \"5\"\n", "value"),
        ("[adjudication]\nmoves = 4\nchecked = 1.5\n", "this is not a share"),
        ("[adjudication]\nturns = 4\n", "[adjudication] has no key \"turns\""),
    ] {
        arena.ladder_toml(&ladder(more));
        let ran = arena.agon(["ladder", "-q"]);
        assert!(ran.status == Some(3) && ran.stderr.contains(said), "{more}: {ran:?}");
        assert!(ran.stderr.contains("ladder.toml:") && ran.stderr.contains("help: "), "{more}: {ran:?}");
    }
    for client in ["six-simple", "tirs"] {
        arena.rust_client(client);
    }
    for (words, said) in [
        ("match sure meek --adjudicate few", "such as 6"),
        ("match sure meek --adjudicate 6,much", "cannot be a value"),
        ("match six-simple six-simple -g six_qui_prend --adjudicate 6", "not a game of two in which one can give in"),
        ("match tirs tirs -g tirs_croises --adjudicate 6", "not a game of two in which one can give in"),
        ("match tirs tirs tirs -g tirs_croises --adjudicate 6", "a match of 3"),
    ] {
        let ran = arena.agon(words.split(' '));
        assert!(matches!(ran.status, Some(2 | 3)) && ran.stderr.contains(said), "{words}: {ran:?}");
    }
}

#[test]
fn matches_of_a_client_that_left_are_not_counted() {
    let Some(arena) = all_clients() else { return };
    let three = ladder("[adjudication]\nmoves = 4\nchecked = 0\n")
        .replace("\"clients/meek.so\"", "\"clients/meek.so\", \"clients/boast.so\"");
    arena.ladder_toml(&three);
    assert_eq!(arena.agon(["ladder", "-q", "--json"]).json()["adjudication"]["decided"], 40, "both against meek");
    arena.agon(["clients", "--withdraw", "boast"]).well();
    let json = arena.agon(["standings", "--json"]).json();
    assert_eq!((&json["matches"], &json["adjudication"]["decided"]), (&20.into(), &20.into()), "{json}");
}
