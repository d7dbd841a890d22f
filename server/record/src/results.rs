//! Reads the results of a ladder in the order of recording: from packs as far as there are any, and then from their
//! tables.

use super::{Record, Result, SqliteRecord, pack, select};
use agon_model::{BlockRow, EntrantId, FaultKind, LadderId, MatchOutcome, SeatOutcome};
use rusqlite::types::Type;
use rusqlite::{Connection, Row};

/// Takes the outcomes of matches, one by one.
pub type EachOutcome<'a> = dyn FnMut(&MatchOutcome) + 'a;

/// Turns an entrant's number in the record into the reader's index.
pub type IndexOf<'a> = dyn Fn(EntrantId) -> usize + 'a;

impl SqliteRecord {
    pub(super) fn each_outcome(&self, ladder: LadderId, each: &mut EachOutcome<'_>) -> Result<()> {
        let _moment = self.db.is_autocommit().then(|| self.read_moment()).transpose()?;
        let entrant_index = self.entrant_index(ladder)?;
        let index = |entrant| entrant_index.index_of(entrant);
        let mut run = || -> rusqlite::Result<()> {
            let mut statement = self.db.prepare_cached(select::PACKS)?;
            let mut packs = statement.query([ladder.0])?;
            while let Some(row) = packs.next()? {
                let damaged = || {
                    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
                    rusqlite::Error::SqliteFailure(code, Some("the results in a pack are damaged".to_owned()))
                };
                pack::read(row.get_ref(0)?.as_blob()?, &index, each).ok_or_else(damaged)?;
            }
            each_row(&self.db, ladder, (pack::last_packed(&self.db, ladder)?, BlockRow(i64::MAX)), &index, each)
        };
        run().map_err(|error| self.fail(error))
    }
}

/// Passes the results of the blocks in rows after `after` up to `until` to `each`, as their tables have them.
pub fn each_row(
    db: &Connection,
    ladder: LadderId,
    (after, until): (BlockRow, BlockRow),
    index: &IndexOf<'_>,
    each: &mut EachOutcome<'_>,
) -> rusqlite::Result<()> {
    let mut statement = db.prepare_cached(select::RESULTS)?;
    let mut rows = statement.query([ladder.0, after.0, until.0])?;
    let mut current: Option<(i64, MatchOutcome)> = None;
    while let Some(row) = rows.next()? {
        let number: i64 = row.get(0)?;
        if current.as_ref().is_none_or(|(its, _)| *its != number)
            && let Some((_, outcome)) = current.replace((number, begin(row)?))
        {
            each(&outcome);
        }
        if let Some((_, outcome)) = &mut current {
            outcome.seats.push(seat(row, 7, index)?);
        }
    }
    current.iter().for_each(|(_, outcome)| each(outcome));
    Ok(())
}

fn begin(row: &Row) -> rusqlite::Result<MatchOutcome> {
    Ok(MatchOutcome {
        block: BlockRow(row.get(1)?),
        setting: row.get::<_, i64>(2)? as usize,
        opening: row.get::<_, i64>(3)? as u64,
        id: row.get(4)?,
        start: row.get::<_, i64>(5)? as u64,
        moves_hash: row.get::<_, i64>(6)? as u64,
        seats: Vec::new(),
    })
}

/// The seats of a match, by its row.
pub fn seats(db: &Connection, match_row: i64, index: &IndexOf<'_>) -> rusqlite::Result<Vec<SeatOutcome>> {
    let select = "SELECT entrant, score, rank, fault, notices FROM seat WHERE match = ?1 ORDER BY seat";
    db.prepare_cached(select)?.query_map([match_row], |row| seat(row, 0, index))?.collect()
}

/// Reads entrant, score, rank, fault and notices, which stand from a column on.
fn seat(row: &Row, from: usize, index: &IndexOf<'_>) -> rusqlite::Result<SeatOutcome> {
    let fault = match row.get_ref(from + 3)?.as_str_or_null()? {
        Some(name) => Some(FaultKind::named(name).ok_or_else(|| unknown(from + 3, "fault", name))?),
        None => None,
    };
    let (score, rank, notices) = (row.get(from + 1)?, row.get(from + 2)?, row.get(from + 4)?);
    Ok(SeatOutcome { entrant: index(EntrantId(row.get(from)?)), rank, score, fault, notices })
}

/// The error of a column with a name that this agon does not know.
pub fn unknown(column: usize, what: &str, name: &str) -> rusqlite::Error {
    let said = format!("\"{name}\" is no {what} that this agon knows");
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, said.into())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{LadderRow, Newcomer};
    use agon_model::{Block, Ending, Entrant, Match, PlayedBlock, SeatResult};
    use proptest::prelude::*;

    /// The events of a record with two ladders of three clients each.
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

    pub fn begin(store: &mut SqliteRecord, name: &str) -> (LadderRow, Vec<EntrantId>) {
        let row = LadderRow {
            id: LadderId(0),
            name: name.to_owned(),
            game: "chess".to_owned(),
            seats: 2,
            seed: 1,
            seed_drawn: false,
            terms: Default::default(),
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

    fn join(store: &mut SqliteRecord, row: &LadderRow, number: usize) -> EntrantId {
        store.keep_entrants(row.id, &mut [client(number)]).unwrap().ids[0]
    }

    pub fn block(number: usize) -> PlayedBlock {
        let id = format!("{:08x}", number.wrapping_mul(0x9e37_79b9) as u32);
        let lineup = vec![number % 3, (number + 1) % 3];
        let one = |suffix: &str, entrants: [usize; 2]| {
            let seat =
                |entrant: usize| SeatResult { entrant, score: number as i64 - 5, rank: 1, ..SeatResult::default() };
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
        let block =
            Block { id, number: 0, lineup, rotations: 2, setting: 0, opening: number as u64, client_seed: [0; 32] };
        PlayedBlock { block, matches }
    }

    pub fn keep(store: &mut SqliteRecord, ladder: LadderId, blocks: &[PlayedBlock], ids: &[EntrantId]) {
        let blocks: Vec<_> = blocks.iter().map(|block| crate::EncodedBlock::new(ladder, block, ids)).collect();
        store.keep_blocks(&blocks.iter().collect::<Vec<_>>()).unwrap();
    }

    fn gather(from: impl FnOnce(&mut EachOutcome<'_>)) -> Vec<MatchOutcome> {
        let mut all = Vec::new();
        from(&mut |outcome| all.push(outcome.clone()));
        all
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn packs_say_what_the_tables_say(events in proptest::collection::vec(event(), 1..12)) {
            let folder = tempfile::tempdir().unwrap();
            let mut store = SqliteRecord::open(folder.path()).unwrap();
            let mut ladders = ["one", "other"].map(|name| begin(&mut store, name));
            let (mut number, mut joined, mut packs) = (0, 3, 0u32);
            for event in events {
                match event {
                    Event::Kept { ladder, blocks } => {
                        let all: Vec<PlayedBlock> = (number..number + blocks).map(block).collect();
                        keep(&mut store, ladders[ladder].0.id, &all, &ladders[ladder].1);
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
                    Event::Reopened => store = SqliteRecord::open(folder.path()).unwrap(),
                }
                for (row, _) in &ladders {
                    let entrant_index = store.entrant_index(row.id).unwrap();
                    let index = |entrant| entrant_index.index_of(entrant);
                    let packed = gather(|each| store.each_outcome(row.id, each).unwrap());
                    let plain = gather(|each| each_row(&store.db, row.id, (BlockRow(0), BlockRow(i64::MAX)), &index, each).unwrap());
                    prop_assert_eq!(packed, plain);
                }
                packs = store.db.query_row("SELECT count(*) FROM pack", [], |row| row.get(0)).unwrap();
            }
            let blocks = |row: &LadderRow| -> u32 { store.db.query_row(select::LEFT, [row.id.0, 0], |row| row.get(0)).unwrap() };
            let full: u32 = ladders.iter().map(|(row, _)| blocks(row) / 3).sum();
            prop_assert!(packs + pack::AT_ONCE as u32 >= full && packs <= full, "{} packs of {}", packs, full);
        }
    }
}
