//! A spy in 6 qui prend gives away all it can read: neither another hand is in it, nor the deal's seed, nor a number
//! from which the generator makes the deal. Each search is shown to find what is there: the spy's own hand and seed,
//! and what the test adds.

mod search;

use crate::builder::{Arena, Shown, has_program, users};
use agon_games::six_qui_prend::{SixQuiPrend, Turn};
use agon_games::{AnyGame, Game, Opening, Options, PreparedSetting, Seed};
use agon_model::opening;
use search::Secret;
use std::collections::BTreeSet;
use std::mem::offset_of;

/// What the ladder is told; large, as a drawn one is.
const LADDER_SEED: u64 = 7_309_452_186_430_917_355;
const SEATS: usize = 3;

#[test]
fn a_spy_learns_no_other_hand_no_seed_and_no_number_that_makes_the_deal() {
    if !has_program("cc") {
        return;
    }
    for user in users() {
        let arena = Arena::new().as_user(user);
        let matches = spy_on(&arena, "");
        assert_eq!(matches.len(), SEATS, "the spy takes every seat once");
        for shown in matches {
            let id = shown.json["match"]["id"].as_str().unwrap().to_owned();
            let seat = shown.seats.iter().position(|seat| seat.client == "spy").unwrap();
            let loot = Loot::from(&arena.agon(["show", &id, "--jsonl"]).well().stdout);
            look_through(&loot, seat);
            look_for_the_deal(&loot, seat);
        }
    }
}

#[test]
fn a_spy_outside_the_sandbox_reads_the_seed() {
    if !has_program("cc") {
        return;
    }
    let arena = Arena::new();
    let shown = spy_on(&arena, "'landlock'");
    let id = shown[0].json["match"]["id"].as_str().unwrap();
    let loot = Loot::from(&arena.agon(["show", id, "--jsonl"]).well().stdout);
    let ladder = loot.files.iter().find(|(path, _)| path.ends_with("ladder.toml")).unwrap();
    assert!(Secret::Number(LADDER_SEED).is_in(&ladder.1), "the layer is about nothing");
}

/// Every seat for the spy, beside two honest players; it is told where the secrets lie.
fn spy_on(arena: &Arena, without: &str) -> Vec<Shown> {
    arena.c_client("spy", "server/agon/tests/clients/spy.c").unwrap();
    for name in ["one", "two"] {
        let flags = ["-w", "-DHONEST", if name == "one" { "-O1" } else { "-O2" }];
        arena.c_client_with(name, "server/agon/tests/clients/spy.c", &flags).unwrap();
    }
    let paths = ["ladder.toml", "agon-out/record.sqlite", "agon-out/record.sqlite-wal", "clients/one.so"];
    let paths: Vec<_> =
        (0..).zip(paths).map(|(i, path)| format!("path{i} = '{}'", arena.path(path).display())).collect();
    arena.ladder_toml(&format!(
        "[ladder]\nname = 'spied'\ngame = 'six_qui_prend'\nclients = ['clients/one.so', 'clients/two.so']\nseats = 3\nseed = {LADDER_SEED}\n\
         [time]\nper_move = '10s'\n[limits]\noutput = '64MiB'\n[run]\nlogs = 'none'\nwithout = [{without}]\n\
         [[client]]\nfile = 'clients/spy.so'\noptions = {{ {} }}\n",
        paths.join(", ")
    ));
    arena.agon(["ladder", "--quiet"]).well();
    arena.all_shown()
}

/// What the spy gave away.
struct Loot {
    /// Each seat's own, as it tells it.
    seeds: [u64; SEATS],
    memory: Vec<u8>,
    /// Path and contents.
    files: Vec<(String, Vec<u8>)>,
}

impl Loot {
    fn from(log: &str) -> Loot {
        let lines: Vec<_> = log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()).collect();
        let texts =
            |stream: &'static str| lines.iter().filter(move |line| line["t"] == "io" && line["stream"] == stream);
        let text: String = texts("stdout").map(|line| line["text"].as_str().unwrap()).collect();
        assert!(!text.contains("left out"), "the output was cut");
        let mut loot = Loot { seeds: [0; SEATS], memory: Vec::new(), files: vec![(String::new(), Vec::new())] };
        for line in texts("log") {
            // Among what the host says.
            let seed = line["text"].as_str().unwrap().lines().find_map(|line| line.strip_prefix("seed\t"));
            if let Some(seed) = seed {
                loot.seeds[line["seat"].as_u64().unwrap() as usize] = seed.parse().unwrap();
            }
        }
        let mut in_memory = false;
        for line in text.lines() {
            match line.strip_prefix("file:") {
                Some(path) => loot.files.push((path.to_owned(), Vec::new())),
                None if line == "memory:" => in_memory = true,
                None if in_memory => loot.memory.extend(search::from_hex(line)),
                None => loot.files.last_mut().unwrap().1.extend(search::from_hex(line)),
            }
        }
        loot
    }
}

/// No hand of another seat and no seed is in memory or in a file that could be opened; the spy's own are.
fn look_through(loot: &Loot, seat: usize) {
    let deal = opening(LADDER_SEED, 0).seed;
    let hand_of = |seat| hand(setting().as_ref(), &deal, seat);
    assert!(!loot.seeds.contains(&0), "every seat has told its seed");
    let own = [Secret::Hand(hand_of(seat)), Secret::Number(loot.seeds[seat])];
    for secret in &own {
        assert!(secret.is_in(&loot.memory), "the search does not find {secret:?}, which the spy has");
    }
    let hands = (0..SEATS).filter(|other| *other != seat).map(|other| Secret::Hand(hand_of(other)));
    let seeds = deal.chunks_exact(8).map(|piece| Secret::Number(u64::from_le_bytes(piece.try_into().unwrap())));
    let others = (0..SEATS).filter(|other| *other != seat).map(|other| Secret::Number(loot.seeds[other]));
    for secret in hands.chain(seeds).chain(others).chain([Secret::Number(LADDER_SEED)]) {
        assert!(!secret.is_in(&loot.memory), "{secret:?} is in the spy's memory");
        for (path, contents) in &loot.files {
            assert!(!secret.is_in(contents), "{secret:?} is in {path}");
        }
        for disguise in secret.disguises() {
            assert!(
                secret.is_in(&[b"before", &disguise[..], b"after"].concat()),
                "{secret:?} is not found in {disguise:?}"
            );
        }
    }
    let opened: Vec<&str> = loot.files.iter().map(|file| file.0.as_str()).filter(|path| !path.is_empty()).collect();
    let [own_file] = opened[..] else { panic!("the spy could open {opened:?}") };
    assert!(own_file.contains("/files/"), "{own_file}");
}

/// No number in the spy's memory, and none that it could guess, deals it the cards that it holds.
fn look_for_the_deal(loot: &Loot, seat: usize) {
    let setting = setting();
    let own = hand(setting.as_ref(), &opening(LADDER_SEED, 0).seed, seat);
    let deals_it = |seed: &Seed| hand(setting.as_ref(), seed, seat) == own;
    let words: BTreeSet<u64> = search::words(&loot.memory).chain(0..10_000).collect();
    assert!(words.len() > 20_000, "the spy has little to try");
    assert!(!words.iter().any(|word| search::seeds_from(*word).iter().any(deals_it)), "a number deals the cards");
    assert!(!search::windows(&loot.memory).any(|seed| deals_it(&seed)), "32 bytes deal the cards");
    assert!(search::seeds_from(LADDER_SEED).iter().any(deals_it), "the true seed is not found");
    assert!(search::windows(&[&[0; 8][..], &opening(LADDER_SEED, 0).seed].concat()).any(|seed| deals_it(&seed)));
}

fn setting() -> Box<dyn PreparedSetting> {
    let game: &dyn AnyGame = &Game::<SixQuiPrend>::ENTRY;
    game.prepare(&Options::default(), SEATS).unwrap()
}

/// The cards dealt to a seat, ascending.
fn hand(setting: &dyn PreparedSetting, seed: &Seed, seat: usize) -> [u8; 10] {
    let mut turn = agon_abi::Blob::new();
    setting.start(&Opening { number: 0, seed: *seed }).turn(seat, &mut turn);
    turn.bytes()[offset_of!(Turn, hand)..][..10].try_into().unwrap()
}
