//! Who moves after whom where three or more play in turns: ladders balance it and say where they do not.

use crate::builder::{Arena, Ran};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Players of Tirs Croisés on its smallest board; the first two are the same file.
fn arena(seats: usize, openings: u64) -> Arena {
    let arena = Arena::new();
    arena.rust_client("tirs");
    arena.ladder_toml(&toml("turns", seats, openings, ""));
    arena
}

fn toml(name: &str, seats: usize, openings: u64, more: &str) -> String {
    let client = |(name, options): &(&str, &str)| {
        format!("[[client]]\nname = \"{name}\"\nfile = \"clients/tirs.so\"\noptions = {{ {options} }}\n")
    };
    let clients = [
        ("one", "strategy = \"level1\""),
        ("two", "strategy = \"level1\", note = \"the same\""),
        ("third", "strategy = \"naive\""),
        ("fourth", "strategy = \"depth2\""),
    ];
    let clients: String = clients[..seats].iter().map(client).collect();
    format!(
        "[ladder]\nname = \"{name}\"\ngame = \"tirs_croises\"\nseats = {seats}\nopenings = {openings}\nseed = 7\nclients = []\n{more}\
         [options]\nsize = \"4\"\n[run]\nisolation = \"reuse\"\nlogs = \"none\"\n{clients}"
    )
}

/// The clients of each recorded match, seat by seat, in the order of openings.
fn seatings(arena: &Arena) -> Vec<Vec<String>> {
    let all = arena.agon(["record", "export", "jsonl"]).well().stdout;
    let lines = all.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let clients = |line: &Value| {
        line["seats"].as_array().unwrap().iter().map(|seat| seat["client"].as_str().unwrap().to_owned()).collect()
    };
    let mut matches: Vec<Value> = lines.filter(|line| line["t"] == "match").collect();
    matches.sort_by_key(|line| (line["opening"].to_string(), line["id"].to_string()));
    matches.iter().map(clients).collect()
}

/// How often each has moved from each seat right after each other.
fn followers(seatings: &[Vec<String>]) -> BTreeMap<(usize, &str, &str), usize> {
    let mut found = BTreeMap::new();
    for seats in seatings {
        for seat in 0..seats.len() {
            *found.entry((seat, seats[seat].as_str(), seats[(seat + 1) % seats.len()].as_str())).or_default() += 1;
        }
    }
    found
}

#[track_caller]
fn assert_balanced(seatings: &[Vec<String>], seats: usize) {
    let found = followers(seatings);
    let times: BTreeSet<usize> = found.values().copied().collect();
    assert_eq!((found.len(), times.len()), (seats * seats * (seats - 1), 1), "{found:?}");
}

/// What is told about turns on either stream.
fn told(ran: &Ran) -> String {
    let lines = ran.stdout.lines().chain(ran.stderr.lines());
    lines.filter(|line| line.contains("moves after")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn three_seats_play_in_both_orders_on_each_opening() {
    let arena = arena(3, 1);
    let plan = arena.agon(["ladder", "--dry-run"]).well();
    assert!(plan.stdout.contains("1 block of 6 matches in all"), "{}", plan.stdout);
    assert_eq!(
        told(&plan),
        "  turns    everybody moves after everybody else equally often, over each opening of a line-up\n"
    );
    let ran = arena.agon(["ladder"]).well();
    assert_eq!(told(&ran), "", "there is nothing to say");
    let first = seatings(&arena);
    assert_eq!(first.len(), 6);
    assert_balanced(&first, 3);
    let ids = arena.agon(["matches", "--json"]).json();
    let ids = ids["matches"].as_array().unwrap();
    let letters: BTreeSet<char> = ids.iter().map(|row| row["id"].as_str().unwrap().chars().last().unwrap()).collect();
    assert_eq!(letters, ('a'..='f').collect());
    let block = &ids[0]["id"].as_str().unwrap()[..16];
    for letter in ['a', 'f'] {
        let id = format!("{block}-{letter}");
        let again = arena.agon(["rerun", &id, "--verify"]).well();
        assert!(again.stdout.contains(" is the same: "), "{}", again.stdout);
        arena.agon(["show", &id, "--moves"]).well();
    }
    arena.ladder_toml(&toml("turns", 3, 3, ""));
    let on = arena.agon(["ladder"]).well();
    assert!(on.stderr.contains("18 matches, 6 of them already played"), "{}", on.stderr);
    assert_balanced(&seatings(&arena), 3);
    assert_eq!(seatings(&arena)[..6], first);
}

#[test]
fn more_seats_take_a_set_of_openings_and_say_what_is_missing() {
    let arena = arena(4, 2);
    let missing = "who moves after whom is drawn, not balanced: a line-up goes through 6 cyclic orders in 3 openings, \
                   and plays 2; openings = 3 balances it";
    assert_eq!(told(&arena.agon(["ladder", "--dry-run"]).well()), format!("  turns    {missing}\n"));
    let ran = arena.agon(["ladder"]).well();
    let [warned, caution] =
        [told(&ran).lines().nth(1), told(&ran).lines().next()].map(|line| line.unwrap_or("").to_owned());
    assert!(warned.contains(missing), "{}", ran.stderr);
    let even = " at one table, 5.3 would be even; every 3 openings of a line-up balance it";
    assert!(caution.starts_with("who moves after whom is not balanced: ") && caution.ends_with(even), "{caution}");
    for words in [&["standings", "--ratings"][..], &["standings"]] {
        assert_eq!(told(&arena.agon(words).well()), format!("{caution}\n"));
        let json = arena.agon([words, &["--json"]].concat()).json();
        assert_eq!(json["turns"], caution.as_str());
    }
    let two = seatings(&arena);
    let orders = two.chunks(4).map(|block| {
        let from = block.iter().position(|seats| seats[0] == "one").unwrap();
        block[from].clone()
    });
    assert_eq!(orders.collect::<BTreeSet<_>>().len(), 4, "each opening has two other cyclic orders");
    arena.ladder_toml(&toml("turns", 4, 3, ""));
    let ran = arena.agon(["ladder"]).well();
    assert!(ran.stderr.contains("24 matches, 16 of them already played"), "{}", ran.stderr);
    assert_eq!(told(&ran), "");
    assert!(arena.agon(["standings", "--json"]).json()["turns"].is_null());
    let three = seatings(&arena);
    assert_eq!(three[..16], two);
    assert_balanced(&three, 4);
    assert_eq!(three.iter().collect::<BTreeSet<_>>().len(), 24, "these are all orders");
}

#[test]
fn a_match_says_how_many_games_balance_it() {
    let arena = arena(3, 1);
    let clients = ["tirs:strategy=naive", "tirs:strategy=level1", "tirs:strategy=depth2", "tirs:strategy=naive,note=b"];
    let words = ["-g", "tirs_croises", "-o", "size=4"];
    let ran = arena.agon([&["match"], &clients[..], &words[..], &["--openings", "7"]].concat()).well();
    assert!(told(&ran).contains("and plays 7; --openings 9 balances it"), "{}", ran.stderr);
    let ran = arena.agon([&["match"], &clients[..3], &words[..]].concat()).well();
    assert_eq!(told(&ran), "");
    assert_balanced(&seatings(&arena), 3);
}

#[test]
fn a_ladder_goes_over_to_another_record_and_on_there() {
    let arena = arena(4, 2);
    arena.agon(["ladder", "-q"]).well();
    let text = arena.agon(["record", "export", "jsonl"]).well().stdout;
    let other = self::arena(4, 3);
    other.file("in.jsonl", &text);
    other.agon(["record", "import", "in.jsonl"]).well();
    assert_eq!(other.agon(["record", "export", "jsonl"]).well().stdout, text);
    let on = other.agon(["ladder"]).well();
    assert!(on.stderr.contains("24 matches, 16 of them already played"), "{}", on.stderr);
    arena.ladder_toml(&toml("turns", 4, 3, ""));
    arena.agon(["ladder", "-q"]).well();
    assert_eq!(seatings(&other), seatings(&arena));
}

#[test]
fn the_order_of_names_in_a_line_up_does_not_matter() {
    let line = |names: &str| toml("turns", 3, 2, &format!("lineup = [{names}]\n"));
    let arena = arena(3, 2);
    let mut found = Vec::new();
    for names in ["\"one\", \"two\", \"third\"", "\"third\", \"two\", \"one\""] {
        arena.ladder_toml(&line(names));
        arena.agon(["ladder", "-q", "--fresh"]).well();
        found.push(seatings(&arena));
    }
    assert_eq!(found[0], found[1]);
    assert_balanced(&found[0], 3);
    arena.ladder_toml(&line("[\"one\", \"two\", \"third\"], [\"two\", \"one\", \"third\"]"));
    let refused = arena.agon(["ladder"]);
    assert!(refused.stderr.contains("the order of names does not matter"), "{}", refused.stderr);
    arena.ladder_toml(&line("\"one\", \"one\", \"third\""));
    arena.agon(["ladder", "-q", "--fresh"]).well();
    assert_eq!(seatings(&arena).len(), 12);
}
