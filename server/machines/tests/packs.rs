//! What a table reads of thousands of blocks, packs and all, is what the rows of matches come to when they are counted
//! again: whatever is kept, imported, void or forgotten in between, on disk, on PostgreSQL and in memory.

#[allow(dead_code)] // each test file uses its part
use crate::cluster as postgres;
use crate::hands;

use crate::memory::Memory;
use agon_model::*;
use agon_postgres::PostgresRecord;
use agon_record::{Archive, EncodedBlock, Record, SqliteRecord};
use postgres::Cluster;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

const ENTRANTS: usize = 4;
/// Blocks that are kept at once, and how many such: more than a pack has.
const SOME: u64 = 900;
const CHUNKS: u64 = 6;

/// What happens to a record.
#[derive(Clone, Debug)]
enum Act {
    Keep(u64),
    Import(u64),
    /// Begun, and taken back.
    ImportInVain(u64),
    Void(u64),
    Forget(usize, bool),
}

fn act() -> impl Strategy<Value = Act> {
    let chunk = 0..CHUNKS;
    prop_oneof![
        3 => chunk.clone().prop_map(Act::Keep),
        2 => chunk.clone().prop_map(Act::Import),
        1 => chunk.clone().prop_map(Act::ImportInVain),
        1 => (0..SOME * CHUNKS).prop_map(Act::Void),
        2 => (0..ENTRANTS, any::<bool>()).prop_map(|(who, with_matches)| Act::Forget(who, with_matches)),
    ]
}

fn row() -> LadderRow {
    LadderRow { settings: vec![("a".to_owned(), BTreeMap::new())], ..hands::row() }
}

fn entrants() -> Vec<Entrant> {
    let entrant = |number: usize| Entrant {
        label: format!("client{number}"),
        file: format!("client{number}.so"),
        hash: format!("{number:02x}"),
        options: BTreeMap::new(),
        refused: None,
    };
    (0..ENTRANTS).map(entrant).collect()
}

/// Who meets whom in a block.
fn lineup(number: u64) -> [usize; 2] {
    let first = (number % ENTRANTS as u64) as usize;
    [first, (first + 1 + (number / 7 % (ENTRANTS as u64 - 1)) as usize) % ENTRANTS]
}

fn block(number: u64) -> PlayedBlock {
    let lineup = lineup(number);
    let seat = |place: usize| SeatResult {
        entrant: lineup[place],
        seed: number,
        score: (number % 5) as i64 * if place == 0 { 1 } else { -1 },
        rank: if number.is_multiple_of(5) { 1 } else { 1 + place as u32 },
        ..SeatResult::default()
    };
    let id = format!("{number:016x}");
    let played = Match {
        start: number + 1,
        id: format!("{id}-a"),
        ending: Ending::Over,
        seats: vec![seat(0), seat(1)],
        steps: Vec::new(),
        outputs: Vec::new(),
        started: 0,
        wall_us: 0,
    };
    let lineup = lineup.to_vec();
    let block = Block { id, number, lineup, rotations: 1, setting: 0, opening: number % 3, client_seed: [0; 32] };
    PlayedBlock { block, matches: vec![played] }
}

fn keep(record: &mut dyn Record, ladder: LadderId, numbers: impl Iterator<Item = u64>, ids: &[EntrantId]) {
    let encoded: Vec<_> = numbers.map(|number| EncodedBlock::new(ladder, &block(number), ids)).collect();
    record.keep_blocks(&encoded.iter().collect::<Vec<_>>()).unwrap();
}

fn import(archive: &mut dyn Archive, numbers: impl Iterator<Item = u64>, ids: &[EntrantId], is_kept: bool) {
    let mut import = archive.begin_import(&row()).unwrap();
    for number in numbers {
        let played = block(number);
        if !import.has_block(&played.block.id).unwrap() {
            import.add_block(&played, ids).unwrap();
        }
    }
    if is_kept {
        import.commit().unwrap();
    }
}

/// What is told of a match: by the table, and counted again.
type Told = (String, usize, u64, u64, Vec<SeatOutcome>);

fn told(outcome: MatchOutcome) -> Told {
    (outcome.id, outcome.setting, outcome.opening, outcome.start, outcome.seats)
}

fn by_table(record: &dyn Record, ladder: LadderId) -> Vec<Told> {
    let mut all = Vec::new();
    record.each_outcome(ladder, &mut |outcome| all.push(told(outcome.clone()))).unwrap();
    all
}

/// Of whole blocks, a row a match.
fn counted_again(archive: &dyn Archive, ladder: LadderId) -> Vec<Told> {
    let mut all = Vec::new();
    let mut add = |stored: &agon_record::StoredBlock| {
        for played in &stored.matches {
            let seats = played.seats.iter().map(SeatResult::outcome).collect();
            all.push((played.id.clone(), stored.setting, stored.opening, played.start, seats));
        }
        ControlFlow::Continue(())
    };
    archive.each_block(ladder, &mut add).unwrap();
    all
}

/// What the plain record in memory tells of these blocks, kept in this order.
fn in_memory(numbers: &[u64]) -> Vec<(u64, Vec<u32>)> {
    let mut memory = Memory::default();
    let ladder = memory.begin_ladder(&row()).unwrap().id;
    let ids = memory.keep_entrants(ladder, &mut entrants()).unwrap().ids;
    keep(&mut memory, ladder, numbers.iter().copied(), &ids);
    by_table(&memory, ladder).into_iter().map(ranks).collect()
}

fn ranks((.., start, seats): Told) -> (u64, Vec<u32>) {
    (start, seats.iter().map(|seat| seat.rank).collect())
}

/// Does all of it, and counts again after each.
fn check<R: Record + Archive>(record: &mut R, acts: &[Act]) {
    let ladder = record.begin_ladder(&row()).unwrap().id;
    let ids = record.keep_entrants(ladder, &mut entrants()).unwrap().ids;
    let numbers = |chunk: u64| chunk * SOME..(chunk + 1) * SOME;
    let mut order: Vec<u64> = (0..5 * SOME).collect();
    (0..5).for_each(|chunk| keep(record, ladder, numbers(chunk), &ids));
    let mut forgotten = BTreeSet::new();
    for act in acts {
        match *act {
            Act::Keep(chunk) | Act::Import(chunk) if forgotten.is_empty() => {
                match act {
                    Act::Keep(_) => keep(record, ladder, numbers(chunk), &ids),
                    _ => import(record, numbers(chunk), &ids, true),
                }
                let known: BTreeSet<u64> = order.iter().copied().collect();
                order.extend(numbers(chunk).filter(|number| !known.contains(number)));
            }
            Act::ImportInVain(chunk) if forgotten.is_empty() => import(record, numbers(chunk), &ids, false),
            // Whoever is forgotten plays no more.
            Act::Keep(_) | Act::Import(_) | Act::ImportInVain(_) => {}
            Act::Void(number) => record.keep_void(ladder, &format!("{number:016x}"), "the disk was full").unwrap(),
            Act::Forget(who, with_matches) if forgotten.insert(who) => {
                record.forget(&[ids[who]], with_matches).unwrap();
                order.retain(|number| !with_matches || !lineup(*number).contains(&who));
            }
            Act::Forget(..) => {}
        }
        let table = by_table(record, ladder);
        assert_eq!(table, counted_again(record, ladder), "after {act:?}");
        // Whose client is forgotten are called otherwise.
        let expected = order.iter().map(|number| number + 1);
        assert!(table.iter().map(|one| one.3).eq(expected), "after {act:?}");
        assert_eq!(record.count_blocks(ladder).unwrap(), order.len() as u64, "after {act:?}");
        assert_eq!(record.check().unwrap().damage, [""; 0], "after {act:?}");
    }
    let table: Vec<_> = by_table(record, ladder).into_iter().map(ranks).collect();
    assert_eq!(table, in_memory(&order));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5, max_shrink_iters: 12, ..ProptestConfig::default() })]

    #[test]
    fn packs_tell_what_a_recount_comes_to(acts in prop::collection::vec(act(), 1..8)) {
        let folder = tempfile::tempdir().unwrap();
        check(&mut SqliteRecord::open_to_play(folder.path(), "class").unwrap(), &acts);
        if let Some(cluster) = Cluster::shared() {
            check(&mut PostgresRecord::open_to_play(&cluster.database(), "class").unwrap(), &acts);
        }
    }
}
