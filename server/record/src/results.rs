//! The results of a ladder in the order in which they were kept: from packs as far as there are any, from their tables
//! from there on.

use super::entrant_index::EntrantIndex;
use super::query::EachOutcome;
use super::{Result, SeatOutcome, Store, pack, select};
use agon_stats::Start;
use rusqlite::{Connection, Row};

/// What is kept of the result of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptResult {
    /// Row of its block.
    pub block: i64,
    pub setting: i64,
    pub opening: i64,
    pub id: String,
    /// Hash of the state it began with; an older record does not know it.
    pub start: Option<i64>,
    /// Hash of its moves, or the match's row where that is not known.
    pub game: i64,
    pub seats: Vec<KeptSeat>,
}

/// One seat of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptSeat {
    /// The entrant's number in the record.
    pub entrant: i64,
    pub score: i64,
    pub rank: u32,
    pub fault: Option<String>,
    pub notices: u32,
}

impl KeptResult {
    /// What tells the starts of a setting apart: an older record knows openings by their numbers only, and its export
    /// has a 0.
    pub(super) fn began(&self) -> u64 {
        self.start.filter(|start| *start != 0).unwrap_or(self.opening) as u64
    }
}

impl Store {
    /// Hands every result of a ladder to `each` with the places of its entrants, all of one moment.
    pub(super) fn each_result(&self, ladder: i64, each: &mut dyn FnMut(&KeptResult, &EntrantIndex)) -> Result<()> {
        let _moment = self.db.is_autocommit().then(|| self.read()).transpose()?;
        let entrant_index = self.entrant_index(ladder)?;
        let mut each = |result: &KeptResult| each(result, &entrant_index);
        let mut run = || -> rusqlite::Result<()> {
            let mut statement = self.db.prepare_cached(select::PACKS)?;
            let mut packs = statement.query([ladder])?;
            while let Some(row) = packs.next()? {
                let damaged = || {
                    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
                    rusqlite::Error::SqliteFailure(code, Some("the results in a pack are damaged".to_owned()))
                };
                pack::read(row.get_ref(0)?.as_blob()?, &mut each).ok_or_else(damaged)?;
            }
            each_row(&self.db, ladder, pack::last_packed(&self.db, ladder)?, i64::MAX, &mut each)
        };
        run().map_err(|error| self.fail(error))
    }

    /// Hands every match of a ladder to `each`, block by block: the block's number, where it began, the match's id, its
    /// seats.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn each_outcome(&self, ladder: i64, each: &mut EachOutcome<'_>) -> Result<()> {
        let mut seats = Vec::new();
        self.each_result(ladder, &mut |result, entrant_index| {
            seats.clear();
            seats.extend(result.seats.iter().map(|seat| {
                let KeptSeat { entrant, score, rank, ref fault, notices } = *seat;
                SeatOutcome { entrant: entrant_index.of(entrant), score, rank, fault: fault.clone(), notices }
            }));
            each(result.block, Start { setting: result.setting as usize, state: result.began() }, &result.id, &seats);
        })
    }
}

/// Hands the results of the blocks in rows `after` to `until`, the first left out, to `each`, as their tables have
/// them.
pub fn each_row(
    db: &Connection,
    ladder: i64,
    after: i64,
    until: i64,
    each: &mut dyn FnMut(&KeptResult),
) -> rusqlite::Result<()> {
    let mut statement = db.prepare_cached(select::RESULTS)?;
    let mut rows = statement.query([ladder, after, until])?;
    let mut current: Option<(i64, KeptResult)> = None;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        if current.as_ref().is_none_or(|(its, _)| *its != number)
            && let Some((_, result)) = current.replace((number, begin(row, number)?))
        {
            each(&result);
        }
        if let Some((_, result)) = &mut current {
            let (entrant, score, rank) = (row.get(7)?, row.get(8)?, row.get(9)?);
            result.seats.push(KeptSeat { entrant, score, rank, fault: row.get(10)?, notices: row.get(11)? });
        }
    }
    current.iter().for_each(|(_, result)| each(result));
    Ok(())
}

fn begin(row: &Row, number: i64) -> rusqlite::Result<KeptResult> {
    Ok(KeptResult {
        block: row.get(1)?,
        setting: row.get(2)?,
        opening: row.get(3)?,
        id: row.get(4)?,
        start: row.get(5)?,
        game: row.get::<_, Option<i64>>(6)?.unwrap_or(number),
        seats: Vec::new(),
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{LadderRow, Newcomer};
    use agon_model::{Block, Ending, Entrant, Match, PlayedBlock, SeatResult, Usage};
    use proptest::prelude::*;

    /// What may happen to a record with two ladders of three clients each.
    #[derive(Clone, Debug)]
    enum Event {
        Kept { ladder: usize, blocks: usize },
        Imported { ladder: usize, blocks: usize },
        Forgotten { ladder: usize, client: usize, with_matches: bool },
        Dropped { ladder: usize },
        Reopened,
    }

    fn event() -> impl Strategy<Value = Event> {
        prop_oneof![
            4 => (0..2usize, 1..8usize).prop_map(|(ladder, blocks)| Event::Kept { ladder, blocks }),
            1 => (0..2usize, 1..8usize).prop_map(|(ladder, blocks)| Event::Imported { ladder, blocks }),
            1 => (0..2usize, 0..3usize, any::<bool>())
                .prop_map(|(ladder, client, with_matches)| Event::Forgotten { ladder, client, with_matches }),
            1 => (0..2usize).prop_map(|ladder| Event::Dropped { ladder }),
            1 => Just(Event::Reopened),
        ]
    }

    pub fn begin(store: &mut Store, name: &str) -> (LadderRow, Vec<i64>) {
        let row = LadderRow {
            id: 0,
            name: name.to_owned(),
            game: "chess".to_owned(),
            seats: 2,
            seed: 1,
            seed_drawn: false,
            comparable: Vec::new(),
            settings: Vec::new(),
        };
        let row = store.begin_ladder(&row).unwrap();
        let ids = (0..3).map(|number| join(store, &row, number)).collect();
        (row, ids)
    }

    fn client(number: usize) -> Entrant {
        let (label, hash) = (format!("client {number}"), format!("{number:04x}"));
        Entrant { label, file: String::new(), hash, options: Default::default(), refused: None }
    }

    fn join(store: &mut Store, row: &LadderRow, number: usize) -> i64 {
        store.keep_entrants(row.id, &mut [client(number)]).unwrap().ids[0]
    }

    pub fn block(number: usize) -> PlayedBlock {
        let id = format!("{:08x}", number.wrapping_mul(0x9e37_79b9) as u32);
        let lineup = vec![number % 3, (number + 1) % 3];
        let one = |suffix: &str, entrants: [usize; 2]| {
            let seat = |entrant: usize| SeatResult {
                entrant,
                seed: 0,
                told_name: String::new(),
                score: number as i64 - 5,
                rank: 1,
                fault: None,
                notices: Vec::new(),
                rungs: Vec::new(),
                usage: Usage::default(),
            };
            let (seats, ending) = (entrants.map(seat).to_vec(), Ending::Over);
            let (steps, outputs) = (Vec::new(), Vec::new());
            Match {
                start: number as u64 % 2,
                id: format!("{id}-{suffix}"),
                ending,
                seats,
                steps,
                outputs,
                started: 0,
                wall_us: 0,
            }
        };
        let matches = vec![one("a", [lineup[0], lineup[1]]), one("b", [lineup[1], lineup[0]])];
        let block = Block { id, number: 0, lineup, rotations: 2, setting: 0, opening: number as u64, draws: [0; 32] };
        PlayedBlock { block, matches }
    }

    fn gather(from: impl FnOnce(&mut dyn FnMut(&KeptResult))) -> Vec<KeptResult> {
        let mut all = Vec::new();
        from(&mut |result| all.push(result.clone()));
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn packs_say_what_the_tables_say(events in proptest::collection::vec(event(), 1..12)) {
            let folder = tempfile::tempdir().unwrap();
            let mut store = Store::open(folder.path()).unwrap();
            let mut ladders = ["one", "other"].map(|name| begin(&mut store, name));
            let (mut number, mut joined, mut packs) = (0, 3, 0u32);
            for event in events {
                match event {
                    Event::Kept { ladder, blocks } => {
                        let all: Vec<PlayedBlock> = (number..number + blocks).map(block).collect();
                        store.keep_blocks(ladders[ladder].0.id, &all, &ladders[ladder].1).unwrap();
                        number += blocks;
                    }
                    Event::Imported { ladder, blocks } => {
                        let mut import = store.begin_import(&ladders[ladder].0).unwrap();
                        let entrant = client(joined);
                        let (team, version, present, copy) = (entrant.label.clone(), 1, true, 0);
                        let new = import.add_client(&Newcomer { entrant, team, version, present, copy }).unwrap();
                        for number in number..number + blocks {
                            import.add_block(&block(number), &[new; 3]).unwrap();
                        }
                        import.commit().unwrap();
                        (number, joined) = (number + blocks, joined + 1);
                    }
                    Event::Forgotten { ladder, client, with_matches } => {
                        let (row, ids) = &mut ladders[ladder];
                        store.forget(&[ids[client]], with_matches).unwrap();
                        ids[client] = join(&mut store, row, joined);
                        joined += 1;
                    }
                    Event::Dropped { ladder } => {
                        let name = ladders[ladder].0.name.clone();
                        store.drop_ladders(&[ladders[ladder].0.id]).unwrap();
                        ladders[ladder] = begin(&mut store, &name);
                    }
                    Event::Reopened => store = Store::open(folder.path()).unwrap(),
                }
                for (row, _) in &ladders {
                    let packed = gather(|each| store.each_result(row.id, &mut |result, _| each(result)).unwrap());
                    let plain = gather(|each| each_row(&store.db, row.id, 0, i64::MAX, each).unwrap());
                    prop_assert_eq!(packed, plain);
                }
                packs = store.db.query_row("SELECT count(*) FROM pack", [], |row| row.get(0)).unwrap();
            }
            let blocks = |row: &LadderRow| -> u32 { store.db.query_row(select::LEFT, [row.id, 0], |row| row.get(0)).unwrap() };
            let full: u32 = ladders.iter().map(|(row, _)| blocks(row) / 3).sum();
            prop_assert!(packs + pack::AT_ONCE as u32 >= full && packs <= full, "{} packs of {}", packs, full);
        }
    }
}
