//! One more game costs a rules file, a header and a line in a list: Nim, which stands in no list of agon's, is played
//! through admission, host, referee, record and log as they are.

use crate::nim;

use crate::builder::Arena;
use agon_config as config;
use agon_games::{AnyGame, Game};
use agon_model::{Ending, FaultKind, Ladder, Paths, StoredMatch};
use agon_record::{Archive, Filter, FoundMatch, Record, SqliteRecord};
use agon_report::{self as report};
use agon_tournament::{self as run, Beginning, RunEvent, RunSettings};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const GAMES: &[&dyn AnyGame] = &[&Game::<nim::Nim>::ENTRY];

/// A client that takes what the macro TAKE says.
const CLIENT: &str = "#include <nim.h>
static uint32_t most;
const char *get_player_name(void) { return NAME; }
int initialize(const nim_setup *setup) { most = setup->most; return 0; }
nim_move play(const nim_turn *turn) { nim_move mv; mv.take = TAKE; return mv; }
void finalize(void) {}
AGON_CLIENT(nim)
";

fn client(arena: &Arena, name: &str, take: &str) -> bool {
    let headers = format!("-I{}/../../games/tests/sixth", env!("CARGO_MANIFEST_DIR"));
    let flags = [headers, format!("-DNAME=\"{name}\""), format!("-DTAKE=({take})")];
    arena.c_client_with(name, CLIENT, &flags.each_ref().map(String::as_str)).is_some()
}

fn read(arena: &Arena, text: &str) -> Ladder {
    config::read(text, "nim.toml", &arena.path(""), GAMES).unwrap_or_else(|error| panic!("{error}"))
}

fn run(arena: &Arena, ladder: &Ladder) -> (SqliteRecord, Vec<String>) {
    let places = Paths {
        out: ladder.out.clone(),
        host: arena.path("bin/agon-host"),
        admit: arena.path("bin/agon-admit"),
        adapter: None,
    };
    let mut warnings = Vec::new();
    let mut tell = |event: RunEvent| {
        if let RunEvent::Warning(text) = event {
            warnings.push(text);
        }
    };
    let record = || Ok(Box::new(SqliteRecord::open_to_play(&ladder.out, &ladder.name)?) as Box<dyn Record>);
    let (stop, beginning) = (AtomicBool::new(false), Beginning::GoOn);
    let settings = RunSettings { record: &record, beginning, stop: &stop, rule: None, exchange: None, live: None };
    let ended = run::run(ladder, GAMES, &places, settings, &mut tell);
    let ended = ended.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(ended.done, ended.matches);
    (SqliteRecord::open_existing(&ladder.out).unwrap(), warnings)
}

fn matches(store: &SqliteRecord) -> Vec<StoredMatch> {
    let ladder = store.newest_ladder().unwrap().unwrap();
    let ids = store.matches(&ladder, &Filter::default()).unwrap().into_iter().map(|row| row.id);
    ids.map(|id| match store.find(&id).unwrap() {
        FoundMatch::One(stored) => *stored,
        other => panic!("{other:?}"),
    })
    .collect()
}

#[test]
fn a_game_that_agon_does_not_know_plays_through_all_of_it() {
    let arena = Arena::new();
    if !client(&arena, "perfect", "turn->heap % (most + 1) ? turn->heap % (most + 1) : 1") {
        return;
    }
    client(&arena, "greedy", "turn->heap < most ? turn->heap : most");
    client(&arena, "wrong", "turn->heap + 1");
    arena.rust_client("random");
    let ladder = read(&arena, "[ladder]\ngame = \"nim\"\nopenings = 2\n[options]\nheap = [21, 6]\n");
    let (store, warnings) = run(&arena, &ladder);
    assert_eq!(
        warnings,
        ["clients of other games left out: 1 of amazons (random.so); help: play them in a ladder of their own game"]
    );

    let played = matches(&store);
    assert_eq!(played.len(), 3 * 2 * 2 * 2, "pairs x settings x rounds x seats");
    for stored in &played {
        let label = |seat: usize| stored.entrants[stored.played.seats[seat].entrant].label.as_str();
        let winner = stored.played.seats.iter().position(|seat| seat.rank == 1).unwrap();
        let (winner, loser) = (winner, 1 - winner);
        assert_ne!(label(winner), "wrong");
        let fault = stored.played.seats[loser].fault.as_ref();
        if label(loser) == "wrong" {
            let fault = fault.unwrap();
            assert_eq!((fault.kind, &stored.played.ending), (FaultKind::IllegalMove, &Ending::Fault));
            assert!(
                fault.message.contains("wrong-number") && fault.message.contains("is allowed"),
                "{}",
                fault.message
            );
        } else {
            assert_eq!((label(winner), fault, &stored.played.ending), ("perfect", None, &Ending::Over));
        }
        assert_eq!(stored.played.seats[winner].told_name, label(winner));
        let log = fs::read_to_string(ladder.out.join("matches").join(format!("{}.jsonl", stored.played.id))).unwrap();
        assert_eq!(report::log_lines(stored, GAMES[0]), log);
    }
}

#[test]
fn its_name_stands_in_its_own_files_and_their_tests_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut named = Vec::new();
    let mut folders: Vec<_> = ["abi", "admit", "boards", "client-api", "clients", "games", "host", "server", "stats"]
        .map(|name| root.join(name))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path)
                && text.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|word| word == "nim")
            {
                named.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    named.sort();
    let own = ["games/tests/sixth/nim.h", "games/tests/sixth/nim.rs"];
    let tests = ["main", "referee", "sixth_game"].map(|name| format!("server/agon/tests/{name}.rs"));
    let tests = tests.iter().map(String::as_str);
    assert!(
        named.iter().map(String::as_str).eq(["games/tests/laws.rs"].into_iter().chain(own).chain(tests)),
        "{named:?}"
    );
}
