//! What any record must keep to, asked of the one on disk, of the one on PostgreSQL and of a plain one in memory.

use crate::cluster as postgres;

use crate::memory::Memory;
use agon_model::*;
use agon_postgres::PostgresRecord;
use agon_record::{EncodedBlock, Record, SqliteRecord};
use postgres::Cluster;
use std::collections::BTreeMap;

/// Runs over each record, fresh.
fn over_all(test: impl Fn(&mut dyn Record)) {
    test(&mut Memory::default());
    let folder = tempfile::tempdir().unwrap();
    test(&mut SqliteRecord::open_to_play(folder.path(), "class").unwrap());
    let Some(cluster) = Cluster::shared() else { return };
    test(&mut PostgresRecord::open_to_play(&cluster.database(), "class").unwrap());
}

fn keep(record: &mut dyn Record, ladder: LadderId, blocks: &[PlayedBlock], ids: &[EntrantId]) {
    let encoded: Vec<_> = blocks.iter().map(|block| EncodedBlock::new(ladder, block, ids)).collect();
    record.keep_blocks(&encoded.iter().collect::<Vec<_>>()).unwrap();
}

fn ladder(name: &str) -> LadderRow {
    LadderRow {
        id: LadderId(0),
        name: name.to_owned(),
        game: "chess".to_owned(),
        seats: 2,
        seed: u64::MAX,
        seed_drawn: true,
        terms: vec![("game".to_owned(), "chess".to_owned())].into(),
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
        score: i64::MIN + entrant as i64,
        rank: if entrant == winner { 1 } else { 2 },
        fault: (entrant != winner).then(|| fault.clone()),
        ..SeatResult::default()
    };
    let mv = agon_games::MoveBytes::new(&[1, 2]);
    let step = Step { ply: 0, seat: 0, mv, by_client: true, cpu_us: 1, wall_us: 2, hash: u64::MAX };
    let one = |(letter, seats): (char, [usize; 2])| Match {
        start: 7,
        id: format!("{id}-{letter}"),
        ending: Ending::Over,
        seats: seats.map(seat).to_vec(),
        steps: vec![step],
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
        client_seed: [0; 32],
    };
    PlayedBlock { block, matches: [('a', [0, 1]), ('b', [1, 0])].map(one).to_vec() }
}

/// Number of the ladder, and of two clients.
fn begun(store: &mut dyn Record) -> (LadderId, Vec<EntrantId>) {
    let id = store.begin_ladder(&ladder("class")).unwrap().id;
    let ids = store.keep_entrants(id, &mut [entrant("red", "aa"), entrant("blue", "bb")]).unwrap().ids;
    (id, ids)
}

/// Every match: its id, setting, and of each seat entrant, rank, fault.
fn outcomes(store: &dyn Record, ladder: LadderId) -> Vec<String> {
    let mut all = Vec::new();
    let mut last = BlockRow(0);
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
        assert_eq!(LadderRow { id: LadderId(0), ..row }, ladder("class"));
        assert!(store.begin_ladder(&ladder("class")).is_err());
        assert_ne!(store.begin_ladder(&ladder("other")).unwrap().id, LadderId(0));
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
        keep(store, id, &[block("b", 0), block("a", 1)], &ids);
        let first = outcomes(store, id);
        assert_eq!(first[0], "b-a 1 0:1:None 1:2:Some(\"crash\")");
        assert_eq!(first[3], "a-b 1 1:1:None 0:2:Some(\"crash\")");
        keep(store, id, &[block("a", 0), block("c", 0)], &ids);
        let all = outcomes(store, id);
        assert_eq!((&all[..4], all.len()), (first.as_slice(), 6), "the first to deliver a block counts");
        let has = |block: &str| store.has_block(id, block).unwrap();
        assert!(has("a") && has("b") && has("c") && !has("d"));
        let other = store.begin_ladder(&ladder("other")).unwrap().id;
        assert!(!store.has_block(other, "a").unwrap());
        assert_eq!(outcomes(store, other), Vec::<String>::new());
        keep(store, other, &[block("a", 0)], &ids);
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
        keep(store, id, &[block("b", 0)], &ids);
        assert_eq!(store.voids(id).unwrap(), [told("a", "two", 1)]);
    });
}

#[test]
fn a_ladder_set_aside_leaves_its_name_and_keeps_what_it_has() {
    over_all(|store| {
        let (id, ids) = begun(store);
        keep(store, id, &[block("a", 0)], &ids);
        let suspension = store.archive_ladder(&store.ladder("class").unwrap().unwrap()).unwrap();
        assert_eq!(store.ladder("class").unwrap(), None);
        assert_eq!(store.ladder(&suspension).unwrap().unwrap().id, id);
        let fresh = store.begin_ladder(&ladder("class")).unwrap().id;
        assert_eq!(store.newest_ladder().unwrap().unwrap().id, fresh);
        store.touch_ladder(id).unwrap();
        assert!(store.newest_ladder().unwrap().is_some());
        assert_eq!((store.count_blocks(fresh).unwrap(), store.count_blocks(id).unwrap()), (0, 1));
        store.touch_ladder(fresh).unwrap();
        assert_eq!(store.frozen(fresh).unwrap(), None);
        store.freeze(fresh, 1_790_000_000).unwrap();
        assert_eq!((store.frozen(fresh).unwrap(), store.frozen(id).unwrap()), (Some(1_790_000_000), None));
        let ended = || [fresh, id].map(|ladder| store.has_ended(ladder).unwrap());
        assert_eq!(ended(), [false; 2]);
        store.mark_ended(fresh, true).unwrap();
        assert_eq!(ended(), [true, false]);
        store.mark_ended(fresh, false).unwrap();
        assert_eq!(ended(), [false; 2]);
    });
}

#[test]
fn what_is_kept_of_a_block_is_read_as_it_was() {
    over_all(|store| {
        let (id, ids) = begun(store);
        let index = |entrant: EntrantId| ids.iter().position(|id| *id == entrant).unwrap();
        let read = |store: &dyn Record, block: &str| store.block_outcomes(id, block, &index).unwrap();
        assert_eq!(read(store, "a"), None);
        keep(store, id, &[block("b", 0), block("a", 1)], &ids);
        let (a, b) = (read(store, "a").unwrap(), read(store, "b").unwrap());
        assert!(a[0].block > b[0].block, "blocks are numbered in the order in which they were kept");
        let mut expected = MatchOutcome::all_of(&block("a", 1));
        expected.iter_mut().for_each(|outcome| outcome.block = a[0].block);
        assert_eq!(a, expected);
        let mut all = Vec::new();
        store.each_outcome(id, &mut |outcome| all.push(outcome.clone())).unwrap();
        assert_eq!(all, [b, a].concat());
        let _moment = store.read_moment().unwrap();
        assert!(store.has_block(id, "a").unwrap() && store.count_blocks(id).unwrap() == 2);
    });
}

#[test]
fn nothing_of_a_bundle_is_kept_twice() {
    over_all(|store| {
        let (id, ids) = begun(store);
        keep(store, id, &[block("a", 0), block("a", 1), block("b", 1)], &ids);
        assert_eq!(store.count_blocks(id).unwrap(), 2);
        assert_eq!(outcomes(store, id)[0], "a-a 1 0:1:None 1:2:Some(\"crash\")");
        keep(store, id, &[], &ids);
    });
}

/// More than are packed together: they are read from the pack, and from their tables after it.
#[test]
fn results_of_thousands_of_blocks_are_told_once_in_their_order() {
    over_all(|record| {
        let (ladder, ids) = begun(record);
        let numbers: Vec<usize> = (0..4200).collect();
        for some in numbers.chunks(1400) {
            let blocks: Vec<PlayedBlock> = some.iter().map(|n| block(&format!("{n:016x}"), n % 2)).collect();
            keep(record, ladder, &blocks, &ids);
        }
        let told = outcomes(record, ladder);
        let one = |n: usize, letter: char, seats: [usize; 2]| {
            let seat = |entrant: usize| match entrant == n % 2 {
                true => format!(" {entrant}:1:None"),
                false => format!(" {entrant}:2:Some(\"crash\")"),
            };
            format!("{n:016x}-{letter} 1{}", seats.map(seat).concat())
        };
        let expected = numbers.iter().flat_map(|&n| [one(n, 'a', [0, 1]), one(n, 'b', [1, 0])]);
        assert!(told.into_iter().eq(expected));
    });
}

#[test]
fn stages_are_kept_in_order_and_closed_once() {
    over_all(|store| {
        let (id, ids) = begun(store);
        let stage = |round| {
            let (kind, order, meetings) = (StageKind::Round, ids.clone(), vec![vec![ids[0], ids[1]]]);
            Stage { kind, round, opening: u64::from(round), openings: 1, order, meetings }
        };
        assert_eq!(store.stages(id).unwrap(), []);
        store.record_stage(id, 0, &stage(1)).unwrap();
        assert_eq!(store.stages(id).unwrap(), [(stage(1), None)]);
        store.close_stage(id, 0, &[vec![2000, 0]]).unwrap();
        store.record_stage(id, 1, &stage(2)).unwrap();
        assert_eq!(store.stages(id).unwrap(), [(stage(1), Some(vec![vec![2000, 0]])), (stage(2), None)]);
    });
}

fn suspension(kind: SuspensionKind, since: u64) -> Suspension {
    Suspension { kind, by_hand: true, why: "it failed".to_owned(), since, schedule: "5ced".to_owned() }
}

#[test]
fn suspended_clients_stay_so_until_they_are_let_back() {
    over_all(|store| {
        let (id, ids) = begun(store);
        let red_2 = store.keep_entrants(id, &mut [entrant("red", "cc"), entrant("blue", "bb")]).unwrap().ids[0];
        let told = |store: &dyn Record| -> Vec<Option<SuspensionKind>> {
            store
                .members(id)
                .unwrap()
                .iter()
                .map(|member| member.suspension.as_ref().map(|suspension| suspension.kind))
                .collect()
        };
        assert_eq!(told(store), [None; 3]);
        use SuspensionKind::{Benched, Withdrawn};
        store.suspend(id, ids[1], &suspension(Benched, 32)).unwrap();
        store.suspend(id, ids[0], &suspension(Withdrawn, 64)).unwrap();
        assert_eq!(told(store), [Some(Withdrawn), Some(Benched), Some(Withdrawn)], "all versions of a team");
        let members = store.members(id).unwrap();
        assert_eq!(members[1].suspension, Some(suspension(Benched, 32)));
        assert_eq!(members.iter().map(|member| member.present).collect::<Vec<_>>(), [false, true, true]);
        assert_eq!((members[2].id, &*members[2].team, members[2].version), (red_2, "red", 2));
        keep(store, id, &[block("a", 0)], &ids);
        let row = store.block_outcomes(id, "a", &|_| 0).unwrap().unwrap()[0].block;
        assert!(store.let_back(id, &members[2]).unwrap(), "by any of its versions");
        assert!(!store.let_back(id, &members[2]).unwrap(), "nothing stands against it any more");
        assert_eq!(told(store), [None, Some(Benched), None]);
        let pardoned: Vec<BlockRow> = store.members(id).unwrap().iter().map(|member| member.pardoned).collect();
        assert_eq!(pardoned, [row, BlockRow(0), BlockRow(0)], "what was failed before does not count");
        store.lift_suspension(id, ids[1]).unwrap();
        assert_eq!(told(store)[1], Some(Benched), "an operator benched it");
        store.let_back(id, &members[1]).unwrap();
        store.suspend(id, ids[0], &Suspension { by_hand: false, ..suspension(Benched, 32) }).unwrap();
        store.lift_suspension(id, ids[0]).unwrap();
        assert_eq!(told(store), [None; 3]);
        let after: Vec<BlockRow> = store.members(id).unwrap().iter().map(|member| member.pardoned).collect();
        assert_eq!((after[0], after[2]), (row, BlockRow(0)), "its failures still count");
    });
}

#[test]
fn excuses_looks_and_sizes_are_told_again() {
    over_all(|store| {
        let (id, ids) = begun(store);
        store.keep_excuses(id, &[(ids[0], Excuse::Taken), (ids[0], Excuse::Taken), (ids[1], Excuse::KeptOff)]).unwrap();
        let voids: Vec<_> = store.members(id).unwrap().into_iter().map(|member| member.voids).collect();
        assert_eq!(voids, [BTreeMap::from([(Excuse::Taken, 2)]), BTreeMap::from([(Excuse::KeptOff, 1)])]);
        let look = Look { game: Some("chess".to_owned()), ..Look::default() };
        assert_eq!(store.look("aa", "1").unwrap(), None);
        store.keep_look("aa", "1", &Look::default()).unwrap();
        store.keep_look("aa", "1", &look).unwrap();
        assert_eq!((store.look("aa", "1").unwrap(), store.look("aa", "2").unwrap()), (Some(look), None));
        assert_eq!(store.match_size("chess", 2).unwrap(), None);
        keep(store, id, &[block("a", 0)], &ids);
        let size = store.match_size("chess", 2).unwrap().unwrap();
        assert!(size.record > 0 && size.steps == 1 && size.outputs == 0, "{size:?}");
        assert_eq!(store.match_size("chess", 3).unwrap(), None);
    });
}
