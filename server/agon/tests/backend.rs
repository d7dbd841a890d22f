//! What any store must keep to, asked of the one on disk and of a plain one in memory. Another database passes these
//! before it serves.
#![allow(clippy::unwrap_used)] // in a test a panic is the report

#[path = "backend/memory.rs"]
mod memory;

use agon_model::*;
use agon_record::{Backend, LadderRow, Store};
use memory::Memory;
use std::collections::BTreeMap;

/// Runs over each store, fresh.
fn over_all(test: impl Fn(&mut dyn Backend)) {
    test(&mut Memory::default());
    let folder = tempfile::tempdir().unwrap();
    test(&mut Store::open(folder.path()).unwrap());
}

fn ladder(name: &str) -> LadderRow {
    LadderRow {
        id: 0,
        name: name.to_owned(),
        game: "chess".to_owned(),
        seats: 2,
        seed: u64::MAX,
        seed_drawn: true,
        comparable: vec![("game".to_owned(), "chess".to_owned())],
        settings: vec![("a".to_owned(), BTreeMap::new()), ("b".to_owned(), BTreeMap::new())],
    }
}

fn entrant(label: &str, hash: &str) -> Entrant {
    let (label, hash) = (label.to_owned(), hash.to_owned());
    Entrant { file: format!("{label}.so"), label, hash, options: BTreeMap::new(), refused: None }
}

fn block(id: &str, winner: usize) -> PlayedBlock {
    let fault =
        Fault { kind: FaultKind::Crash, phase: Phase::Play, ply: 3, message: String::new(), raw: String::new() };
    let seat = |entrant: usize| SeatResult {
        entrant,
        seed: u64::MAX,
        told_name: String::new(),
        score: i64::MIN + entrant as i64,
        rank: if entrant == winner { 1 } else { 2 },
        fault: (entrant != winner).then(|| fault.clone()),
        notices: Vec::new(),
        rungs: Vec::new(),
        usage: Usage::default(),
    };
    let one = |(letter, seats): (char, [usize; 2])| Match {
        start: 0,
        id: format!("{id}-{letter}"),
        ending: Ending::Over,
        seats: seats.map(seat).to_vec(),
        steps: Vec::new(),
        outputs: Vec::new(),
        started: 0,
        wall_us: 0,
    };
    let block = Block {
        id: id.to_owned(),
        number: 0,
        lineup: vec![0, 1],
        rotations: 2,
        setting: 1,
        opening: 0,
        draws: [0; 32],
    };
    PlayedBlock { block, matches: [('a', [0, 1]), ('b', [1, 0])].map(one).to_vec() }
}

/// Number of the ladder, and of two clients.
fn begun(store: &mut dyn Backend) -> (i64, Vec<i64>) {
    let id = store.begin_ladder(&ladder("class")).unwrap().id;
    let ids = store.keep_entrants(id, &mut [entrant("red", "aa"), entrant("blue", "bb")]).unwrap().ids;
    (id, ids)
}

/// Every match: its id, setting, and of each seat entrant, rank, fault.
fn outcomes(store: &dyn Backend, ladder: i64) -> Vec<String> {
    let mut all = Vec::new();
    let mut last = 0;
    let mut add = |outcome: &MatchOutcome| {
        assert!(outcome.block >= last, "blocks come in their order");
        last = outcome.block;
        let fault = |fault: Option<FaultKind>| fault.map(FaultKind::name);
        let seats = outcome.seats.iter().map(|seat| format!(" {}:{}:{:?}", seat.entrant, seat.rank, fault(seat.fault)));
        all.push(format!("{} {}{}", outcome.id, outcome.setting, seats.collect::<String>()));
    };
    store.each_outcome(ladder, &mut add).unwrap();
    all
}

#[test]
fn a_ladder_is_begun_once_and_found_by_its_name() {
    over_all(|store| {
        assert_eq!(store.ladder("class").unwrap(), None);
        let row = store.begin_ladder(&ladder("class")).unwrap();
        assert_eq!(store.ladder("class").unwrap(), Some(row.clone()));
        assert_eq!(LadderRow { id: 0, ..row }, ladder("class"));
        assert!(store.begin_ladder(&ladder("class")).is_err());
        assert_ne!(store.begin_ladder(&ladder("other")).unwrap().id, 0);
    });
}

#[test]
fn entrants_keep_their_numbers_and_get_versions() {
    over_all(|store| {
        let (id, first) = begun(store);
        let again = store.keep_entrants(id, &mut [entrant("blue", "bb"), entrant("red", "aa")]).unwrap().ids;
        assert_eq!(again, [first[1], first[0]], "whatever their order");
        let mut changed = [entrant("red", "cc"), entrant("twin", "bb"), entrant("blue", "bb")];
        let kept = store.keep_entrants(id, &mut changed).unwrap();
        assert_eq!(changed.each_ref().map(|entrant| entrant.label.as_str()), ["red@2", "twin", "blue"]);
        assert_eq!((kept.ids[2], kept.copies), (first[1], vec![0, 1, 0]));
        let mut renamed = [entrant("navy", "bb")];
        assert_eq!(store.keep_entrants(id, &mut renamed).unwrap().ids, [first[1]], "a new name for the same file");
        let other = store.begin_ladder(&ladder("other")).unwrap().id;
        let there = store.keep_entrants(other, &mut [entrant("red", "aa")]).unwrap().ids;
        assert!(!first.contains(&there[0]), "ladders do not share clients");
    });
}

#[test]
fn blocks_are_kept_once_in_their_order() {
    over_all(|store| {
        let (id, ids) = begun(store);
        store.keep_blocks(id, &[block("b", 0), block("a", 1)], &ids).unwrap();
        let first = outcomes(store, id);
        assert_eq!(first[0], "b-a 1 0:1:None 1:2:Some(\"crash\")");
        assert_eq!(first[3], "a-b 1 1:1:None 0:2:Some(\"crash\")");
        store.keep_blocks(id, &[block("a", 0), block("c", 0)], &ids).unwrap();
        let all = outcomes(store, id);
        assert_eq!((&all[..4], all.len()), (first.as_slice(), 6), "the first to deliver a block counts");
        let has = |block: &str| store.has_block(id, block).unwrap();
        assert!(has("a") && has("b") && has("c") && !has("d"));
        let other = store.begin_ladder(&ladder("other")).unwrap().id;
        assert!(!store.has_block(other, "a").unwrap());
        assert_eq!(outcomes(store, other), Vec::<String>::new());
        store.keep_blocks(other, &[block("a", 0)], &ids).unwrap();
        assert_eq!(outcomes(store, id).len(), 6);
    });
}

#[test]
fn void_blocks_are_told_until_they_are_played() {
    over_all(|store| {
        let (id, ids) = begun(store);
        for (block, cause) in [("b", "one"), ("a", "two"), ("b", "three")] {
            store.keep_void(id, block, cause).unwrap();
        }
        let told = |block: &str, cause: &str, tries| (block.to_owned(), cause.to_owned(), tries);
        assert_eq!(store.voids(id).unwrap(), [told("a", "two", 1), told("b", "three", 2)]);
        store.keep_blocks(id, &[block("b", 0)], &ids).unwrap();
        assert_eq!(store.voids(id).unwrap(), [told("a", "two", 1)]);
    });
}

#[test]
fn a_block_is_leased_to_one_worker_until_it_is_late() {
    over_all(|store| {
        let (id, ids) = begun(store);
        assert!(store.lease(id, "a", "one", 60).unwrap());
        assert!(!store.lease(id, "a", "two", 60).unwrap(), "another has it");
        assert!(store.lease(id, "a", "one", 0).unwrap(), "its own may be renewed, here for no time at all");
        assert!(store.lease(id, "a", "two", 60).unwrap(), "the first was late");
        assert!(store.lease(id, "b", "one", 60).unwrap());
        store.keep_blocks(id, &[block("a", 0)], &ids).unwrap();
        assert!(!store.lease(id, "a", "three", 60).unwrap(), "it is played");
        store.keep_blocks(id, &[block("a", 1)], &ids).unwrap();
        assert_eq!(outcomes(store, id)[0], "a-a 1 0:1:None 1:2:Some(\"crash\")", "the late one counts no more");
    });
}
