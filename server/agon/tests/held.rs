//! Ladders of deterministic clients, and what the record of an arena holds of them.

use crate::builder::Arena;
pub use crate::builder::wait_until;
use agon_model::Ending;
use agon_record::{Archive, Filter, FoundMatch, Record, SqliteRecord};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::path::Path;

/// Three players of Amazons on the smallest square.
pub fn pairs(rounds: u32) -> Arena {
    let arena = Arena::new();
    arena.rust_client("random");
    arena.rust_client("greedy");
    arena.ladder_toml(&pairs_toml(rounds));
    arena
}

/// The ladder file of `pairs`.
pub fn pairs_toml(rounds: u32) -> String {
    format!(
        "[ladder]\nname = \"pairs\"\ngame = \"amazons\"\nseed = 11\nopenings = {rounds}\n[options]\nboard = \"square:5\"\n\
         [time]\nper_move = \"5s\"\n[[client]]\nname = \"queens\"\nfile = \"clients/random.so\"\noptions = {{ style = \"queen\" }}\n\
         [[client]]\nname = \"moves\"\nfile = \"clients/random.so\"\noptions = {{ style = \"move\" }}\n"
    )
}

/// The five players of 6 qui prend on six seats.
pub fn sixes(rounds: u32) -> Arena {
    let arena = Arena::new();
    let clients = arena.six_clients(&["smallest", "middle", "random", "second-largest", "largest"]);
    arena.ladder_toml(&format!(
        "[ladder]\nname = \"sixes\"\ngame = \"six_qui_prend\"\nseed = 12\nseats = 6\nopenings = {rounds}\n\
         lineup = [\"six-smallest\", \"six-middle\", \"six-random\", \"six-random\", \"six-second-largest\", \"six-largest\"]\n\
         [options]\nrules = \"course\"\n[time]\nper_move = \"5s\"\n{clients}"
    ));
    arena
}

/// Three players of 6 qui prend on three seats.
pub fn threes(rounds: u32) -> Arena {
    let arena = Arena::new();
    let clients = arena.six_clients(&["smallest", "random", "largest"]);
    arena.ladder_toml(&format!(
        "[ladder]\nname = \"threes\"\ngame = \"six_qui_prend\"\nseed = 13\nseats = 3\nopenings = {rounds}\n\
         [options]\nrules = \"course\"\n[time]\nper_move = \"5s\"\n{clients}"
    ));
    arena
}

/// One match without its times: who sat where, every step, how it ended.
#[derive(Debug, PartialEq, Eq)]
pub struct Game {
    pub clients: Vec<String>,
    pub steps: Vec<(u32, usize, Vec<u8>, u64)>,
    pub ranks: Vec<u32>,
    pub scores: Vec<i64>,
    pub ending: Ending,
}

/// Every match of the newest ladder by its id.
pub fn games(arena: &Arena) -> BTreeMap<String, Game> {
    let store = SqliteRecord::open_existing(&arena.path("agon-out")).unwrap();
    let ladder = store.newest_ladder().unwrap().unwrap();
    let list = store.matches(&ladder, &Filter::default()).unwrap();
    let mut games = BTreeMap::new();
    for row in list {
        let FoundMatch::One(stored) = store.find(&row.id).unwrap() else { panic!("{} is not found", row.id) };
        let played = stored.played;
        let step = |step: &agon_model::Step| (step.ply, step.seat, step.mv.as_slice().to_vec(), step.hash);
        let game = Game {
            clients: played.seats.iter().map(|seat| stored.entrants[seat.entrant].label.clone()).collect(),
            steps: played.steps.iter().map(step).collect(),
            ranks: played.seats.iter().map(|seat| seat.rank).collect(),
            scores: played.seats.iter().map(|seat| seat.score).collect(),
            ending: played.ending,
        };
        assert!(games.insert(row.id.clone(), game).is_none(), "{} is there twice", row.id);
    }
    games
}

/// The table of the ladder worked on last.
pub fn table(arena: &Arena) -> String {
    arena.agon(["standings"]).well().stdout
}

/// A number from the record; 0 while there is none.
pub fn count(arena: &Arena, select: &str) -> u64 {
    let path = arena.path("agon-out/record.sqlite");
    let open = || Connection::open_with_flags(path, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY);
    open().and_then(|db| db.query_row(select, [], |row| row.get::<_, i64>(0))).unwrap_or(0) as u64
}

/// How many matches are kept.
pub fn matches(arena: &Arena) -> u64 {
    count(arena, "SELECT count(*) FROM match")
}

/// Every block is there with all its matches and seats, or not at all.
#[track_caller]
pub fn assert_whole(arena: &Arena, seats: u64) {
    let half = "SELECT count(*) FROM block WHERE (SELECT count(*) FROM match WHERE match.block = block.row) !=";
    assert_eq!(count(arena, &format!("{half} {seats}")), 0, "half a block");
    let half = "SELECT count(*) FROM match WHERE (SELECT count(*) FROM seat WHERE seat.match = match.row) !=";
    assert_eq!(count(arena, &format!("{half} {seats}")), 0, "half a match");
    assert_eq!(count(arena, "SELECT count(*) - count(DISTINCT id) FROM match"), 0, "a match twice");
    let db = Connection::open(arena.path("agon-out/record.sqlite")).unwrap();
    let check: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

/// No host of this arena is left; they die with their server.
#[track_caller]
pub fn assert_no_host(arena: &Arena) {
    let bin = arena.path("bin");
    wait_until("no process of the arena is left", || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
        !processes.into_iter().any(|process| runs_below(&process, &bin))
    });
}

/// A process that has ended and was not reaped has no program any more.
fn runs_below(process: &Path, folder: &Path) -> bool {
    std::fs::read_link(process.join("exe")).is_ok_and(|program| program.starts_with(folder))
}
