//! Reads the record: ladders, entrants, lists of matches, one whole match, and results for the standings.

use super::results::{self, unknown};
use super::{Record, Result, SqliteRecord, select};
use agon_model::{
    Ending, Entrant, EntrantId, FaultKind, LadderId, LadderRow, MOST_SEATS, SeatOutcome, StoredMatch, block_of,
};
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeMap;

/// The conditions for listed matches.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// One seat has this label.
    pub client: Option<String>,
    /// One seat, or the client's, has a fault: any, or of this kind.
    pub fault: Option<Option<FaultKind>>,
    /// This label did not come first.
    pub lost: Option<String>,
    /// Another seat has this label.
    pub against: Option<String>,
    /// The setting is one of these.
    pub settings: Option<Vec<usize>>,
    /// The match has more turns than this.
    pub longer: Option<u32>,
    /// The match ended like this.
    pub ending: Option<Ending>,
    /// The match was recorded before the one with this id. The list is empty if the ladder has no such match.
    pub before: Option<String>,
    /// The match was recorded after the one with this id, for lists of the oldest only. The list is empty if there is
    /// no such match.
    pub after: Option<String>,
    /// Lists of the newest search no block before that of the match with this id.
    pub since: Option<String>,
    /// Lists the oldest ones instead of the newest.
    pub oldest: bool,
    /// The most matches to list: the last ones in this order.
    pub limit: Option<usize>,
    /// The order of the list.
    pub order: MatchOrder,
}

/// The order of a list of matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchOrder {
    /// As they were played, the newest last.
    #[default]
    Played,
    /// The longest last; of two with as many turns, the newer one. All matches that pass the filter are read, from
    /// `since` to `before`; `after` and `oldest` do not count.
    Turns,
}

/// One line of a list of matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub id: String,
    /// The index of its setting in the ladder.
    pub setting: usize,
    pub ending: Ending,
    /// The number of turns played.
    pub plies: u32,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// The outcome of each seat; entrants by index into the ladder's list.
    pub seats: Vec<SeatOutcome>,
}

/// The matches for an id, or for the beginning of one.
#[derive(Clone, Debug)]
pub enum FoundMatch {
    One(Box<StoredMatch>),
    None,
    /// There are several; these are the first ids.
    Several(Vec<String>),
}

/// The most ids to list if several begin alike.
const MOST_FOUND: usize = 9;

pub fn ladder(db: &Connection, name: &str) -> rusqlite::Result<Option<LadderRow>> {
    let select = "SELECT id, name, game, seats, seed, seed_drawn, terms, settings FROM ladder WHERE name = ?1";
    db.query_row(select, [name], read_ladder).optional()
}

pub(super) fn read_ladder(row: &Row) -> rusqlite::Result<LadderRow> {
    Ok(LadderRow {
        id: LadderId(row.get(0)?),
        name: row.get(1)?,
        game: row.get(2)?,
        seats: seats_at(row, 3)?,
        seed: row.get::<_, i64>(4)? as u64,
        seed_drawn: row.get(5)?,
        terms: json(row, 6)?,
        settings: json(row, 7)?,
    })
}

/// Reads a column with a number of seats.
fn seats_at(row: &Row, column: usize) -> rusqlite::Result<usize> {
    let told: i64 = row.get(column)?;
    let seats = usize::try_from(told).ok().filter(|seats| (1..=MOST_SEATS).contains(seats));
    seats.ok_or(rusqlite::Error::IntegralValueOutOfRange(column, told))
}

/// Reads a column that holds JSON.
pub(super) fn json<T: serde::de::DeserializeOwned>(row: &Row, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

/// Reads a column with the name of an ending.
pub(super) fn ending(row: &Row, column: usize) -> rusqlite::Result<Ending> {
    let name = row.get_ref(column)?.as_str()?;
    Ending::named(name).ok_or_else(|| unknown(column, "ending", name))
}

impl SqliteRecord {
    /// The entrants of a ladder with their numbers in the record, in order of arrival.
    pub fn entrants(&self, ladder: LadderId) -> Result<Vec<(EntrantId, Entrant)>> {
        let read = |row: &Row| {
            let options: BTreeMap<String, String> = json(row, 4)?;
            let (label, file, hash, refused) = (row.get(1)?, row.get(2)?, row.get(3)?, row.get(5)?);
            Ok((EntrantId(row.get(0)?), Entrant { label, file, hash, options, refused }))
        };
        let select = "SELECT id, label, file, hash, options, refused FROM entrant WHERE ladder = ?1 ORDER BY id";
        self.all(select, [ladder.0], read)
    }

    pub(super) fn all<T>(
        &self,
        select: &str,
        values: impl rusqlite::Params,
        read: impl FnMut(&Row) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut statement = self.db.prepare_cached(select).map_err(|error| self.fail(error))?;
        let rows = statement.query_map(values, read).and_then(Iterator::collect);
        rows.map_err(|error| self.fail(error))
    }

    pub(super) fn matches(&self, ladder: &LadderRow, filter: &Filter) -> Result<Vec<Listed>> {
        let fault = filter.fault.map(|kind| kind.map_or("", FaultKind::name));
        let limit = filter.limit.map_or(-1, |limit| limit as i64);
        let entrant_index = self.entrant_index(ladder.id)?;
        let index = |entrant| entrant_index.index_of(entrant);
        let read = |row: &Row| {
            let ending = ending(row, 3)?;
            let seats = results::seats(&self.db, row.get(0)?, &index)?;
            let (setting, started) = (row.get::<_, i64>(2)? as usize, row.get::<_, i64>(5)? as u64);
            Ok(Listed { id: row.get(1)?, setting, ending, plies: row.get(4)?, started, seats })
        };
        let Filter { client, lost, against, longer, .. } = filter;
        let list = |settings: &Vec<usize>| settings.iter().map(|setting| format!("{setting},")).collect::<String>();
        let settings = filter.settings.as_ref().map(|settings| format!(",{}", list(settings)));
        let is_oldest = filter.oldest && filter.order == MatchOrder::Played;
        let (end, beyond, select) = match (filter.order, is_oldest) {
            (MatchOrder::Turns, _) => (&filter.before, i64::MAX, select::LISTED_LONGEST),
            (MatchOrder::Played, true) => (&filter.after, 0, select::LISTED_OLDEST),
            (MatchOrder::Played, false) => (&filter.before, i64::MAX, select::LISTED),
        };
        let Some((block, row)) = self.end_of(ladder.id, end.as_deref(), beyond)? else { return Ok(Vec::new()) };
        let Some((since, _)) = self.end_of(ladder.id, filter.since.as_deref(), 0)? else { return Ok(Vec::new()) };
        let ending = filter.ending.as_ref().map(Ending::name);
        let values =
            params![ladder.id.0, client, fault, limit, lost, against, settings, longer, block, row, ending, since];
        let mut listed = self.all(select, values, read)?;
        if !is_oldest {
            listed.reverse();
        }
        Ok(listed)
    }

    /// The rows of the block and the match at which a list ends or begins, if there is such a match; `beyond` all rows
    /// if none is named.
    pub(super) fn end_of(&self, ladder: LadderId, named: Option<&str>, beyond: i64) -> Result<Option<(i64, i64)>> {
        let Some(id) = named else { return Ok(Some((beyond, beyond))) };
        let block = block_of(id);
        let found = self.all(select::MATCH_OF, params![ladder.0, block, id], |row| Ok((row.get(1)?, row.get(0)?)))?;
        Ok(found.into_iter().next())
    }

    pub(super) fn find(&self, id: &str) -> Result<FoundMatch> {
        // The index is on blocks: the ids of their matches begin with theirs.
        let block = block_of(id);
        let run = || -> rusqlite::Result<Vec<(String, i64)>> {
            let mut statement = self.db.prepare_cached(select::FOUND)?;
            let mut rows = statement.query([block, id])?;
            let mut found: Vec<(String, i64)> = Vec::new();
            while let Some(row) = rows.next()? {
                let (id, row): (String, i64) = (row.get(0)?, row.get(1)?);
                if found.last().is_some_and(|(last, _)| *last == id) {
                    found.pop();
                } else if found.len() == MOST_FOUND {
                    break;
                }
                found.push((id, row));
            }
            Ok(found)
        };
        let found = run().map_err(|error| self.fail(error))?;
        match found.as_slice() {
            [] => Ok(FoundMatch::None),
            [(_, row)] => Ok(FoundMatch::One(Box::new(self.stored(*row)?))),
            several => Ok(FoundMatch::Several(several.iter().map(|(id, _)| id.clone()).collect())),
        }
    }

    pub(super) fn stored(&self, match_row: i64) -> Result<StoredMatch> {
        let select = "SELECT ladder.name, block.setting, block.opening FROM match JOIN block ON match.block = block.row
                      JOIN ladder ON block.ladder = ladder.id WHERE match.row = ?1";
        let read = |row: &Row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?));
        let (name, setting, opening) =
            self.db.query_row(select, [match_row], read).map_err(|error| self.fail(error))?;
        let ladder = self.ladder(&name)?.ok_or_else(|| self.fail(rusqlite::Error::QueryReturnedNoRows))?;
        let entrants = self.entrants(ladder.id)?.into_iter().map(|(_, entrant)| entrant).collect();
        let played = self.match_at(match_row, &self.entrant_index(ladder.id)?)?;
        Ok(StoredMatch { ladder, entrants, setting: setting as usize, opening: opening as u64, played })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Archive;
    use crate::results::tests::{begin, block, keep};

    #[test]
    fn a_search_takes_so_many_blocks_and_the_next_one_goes_on_there() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SqliteRecord::open(folder.path()).unwrap();
        let (row, ids) = begin(&mut store, "one");
        let (other, other_ids) = begin(&mut store, "other");
        for number in 0..12 {
            keep(&mut store, row.id, &[block(number)], &ids);
            keep(&mut store, other.id, &[block(100 + number)], &other_ids);
        }
        let of_client = Filter { client: Some("client 0".to_owned()), ..Filter::default() };
        let ids = |filter: &Filter| -> Vec<String> {
            store.matches(&row, filter).unwrap().into_iter().map(|found| found.id).collect()
        };
        let (mut before, mut parts, mut searches) = (None, Vec::new(), 0);
        loop {
            let since = store.reach(row.id, before.as_deref(), 5).unwrap();
            let part = ids(&Filter { before: before.clone(), since: since.clone(), ..of_client.clone() });
            assert!(part.len() <= 10, "five blocks of two matches: {part:?}");
            parts.splice(0..0, part);
            searches += 1;
            before = since;
            if before.is_none() {
                break;
            }
        }
        assert!((3..=4).contains(&searches), "{searches}");
        assert_eq!(parts, ids(&of_client), "nothing is left out or comes twice");
        assert_eq!(store.reach(row.id, None, 12).unwrap(), None);
        assert!(store.reach(row.id, None, 11).unwrap().is_some());
        let faulty = Filter { ending: Some(Ending::Fault), ..Filter::default() };
        assert!(ids(&faulty).is_empty() && ids(&Filter { ending: Some(Ending::Over), ..faulty }).len() == 24);
    }
}
