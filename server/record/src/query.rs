//! What is read from the record: ladders, entrants, lists of matches, one match whole, and results for the standings.

use super::{LadderRow, Result, Store, select};
use agon_model::{Entrant, Match};
use agon_stats::Start;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::collections::BTreeMap;

/// Which matches are listed.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Where one seat has this label.
    pub client: Option<String>,
    /// Where one seat, or the client's, has a fault: any, or of this kind.
    pub fault: Option<Option<String>>,
    /// At most so many, the newest last.
    pub limit: Option<usize>,
}

/// One line of a list of matches.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// Name of its setting.
    pub setting: String,
    /// `over` or `fault`.
    pub ending: String,
    /// How many turns were played.
    pub plies: u32,
    /// Seat by seat.
    pub seats: Vec<SeatListed>,
}

/// One seat of such a line.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SeatListed {
    /// The entrant's label.
    pub label: String,
    /// From 1.
    pub rank: u32,
    /// The game's own number.
    pub score: i64,
    /// The kind of its fault.
    pub fault: Option<String>,
    /// How many notices it has.
    pub notices: u32,
}

/// A match as it was found by its id, with what is needed to show or replay it.
#[derive(Clone, Debug)]
pub struct Stored {
    /// Its ladder.
    pub ladder: LadderRow,
    /// The entrants of the ladder; `SeatResult::entrant` is an index into it.
    pub entrants: Vec<Entrant>,
    /// Which setting of the ladder.
    pub setting: usize,
    /// Number of the opening.
    pub opening: u64,
    /// The match.
    pub played: Match,
}

/// What an id or the beginning of one leads to.
#[derive(Clone, Debug)]
pub enum Found {
    /// One match.
    One(Box<Stored>),
    /// No match.
    None,
    /// Several, by their ids (the first ones).
    Several(Vec<String>),
}

/// The results of a seat, as the standings need them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatOutcome {
    /// The entrant, by index into `Store::entrants`.
    pub entrant: usize,
    /// The game's own number.
    pub score: i64,
    /// From 1.
    pub rank: u32,
    /// Kind of its fault.
    pub fault: Option<String>,
    /// How many notices it has.
    pub notices: u32,
}

/// How many ids are told of where several begin alike.
const MOST_FOUND: usize = 9;

/// Takes the results of one match: number of its block, where it began, id, seats.
pub type EachOutcome<'a> = dyn FnMut(i64, Start, &str, &[SeatOutcome]) + 'a;

pub fn ladder(db: &Connection, name: &str) -> rusqlite::Result<Option<LadderRow>> {
    let select = "SELECT id, name, game, seats, seed, seed_drawn, comparable, settings FROM ladder WHERE name = ?1";
    db.query_row(select, [name], read_ladder).optional()
}

fn read_ladder(row: &Row) -> rusqlite::Result<LadderRow> {
    Ok(LadderRow {
        id: row.get(0)?,
        name: row.get(1)?,
        game: row.get(2)?,
        seats: row.get::<_, i64>(3)? as usize,
        seed: row.get::<_, i64>(4)? as u64,
        seed_drawn: row.get(5)?,
        comparable: json(row, 6)?,
        settings: json(row, 7)?,
    })
}

/// A column that holds JSON.
pub(super) fn json<T: serde::de::DeserializeOwned>(row: &Row, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, Box::new(error))
    })
}

impl Store {
    /// The entrants of a ladder with their numbers in the record, in the order in which they came.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn entrants(&self, ladder: i64) -> Result<Vec<(i64, Entrant)>> {
        let read = |row: &Row| {
            let options: BTreeMap<String, String> = json(row, 4)?;
            let (label, file, hash, refused) = (row.get(1)?, row.get(2)?, row.get(3)?, row.get(5)?);
            Ok((row.get(0)?, Entrant { label, file, hash, options, refused }))
        };
        let select = "SELECT id, label, file, hash, options, refused FROM entrant WHERE ladder = ?1 ORDER BY id";
        self.all(select, [ladder], read)
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

    /// Causes of blocks that are void and not played since, with how often each was tried.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn voids(&self, ladder: i64) -> Result<Vec<(String, String, u32)>> {
        let select = "SELECT block, max(cause), count(*) FROM void WHERE ladder = ?1
                      AND block NOT IN (SELECT id FROM block WHERE ladder = ?1) GROUP BY block ORDER BY block";
        self.all(select, [ladder], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }

    /// Matches of a ladder, the newest last.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn matches(&self, ladder: &LadderRow, filter: &Filter) -> Result<Vec<Listed>> {
        let fault = filter.fault.as_ref().map(|kind| kind.clone().unwrap_or_default());
        let limit = filter.limit.map_or(-1, |limit| limit as i64);
        let read = |row: &Row| {
            let setting = ladder.settings.get(row.get::<_, i64>(2)? as usize);
            let setting = setting.map_or_else(String::new, |(name, _)| name.clone());
            let (id, ending, plies) = (row.get(1)?, row.get(3)?, row.get(4)?);
            Ok((row.get::<_, i64>(0)?, Listed { id, setting, ending, plies, seats: Vec::new() }))
        };
        let mut listed = self.all(select::LISTED, params![ladder.id, filter.client, fault, limit], read)?;
        listed.reverse();
        for (row, line) in &mut listed {
            line.seats = self.seats_listed(*row)?;
        }
        Ok(listed.into_iter().map(|(_, line)| line).collect())
    }

    fn seats_listed(&self, match_row: i64) -> Result<Vec<SeatListed>> {
        let select = "SELECT entrant.label, seat.rank, seat.score, seat.fault, seat.notices FROM seat
                      JOIN entrant ON seat.entrant = entrant.id WHERE seat.match = ?1 ORDER BY seat.seat";
        self.all(select, [match_row], |row| {
            let (label, rank, score, fault, notices) =
                (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?);
            Ok(SeatListed { label, rank, score, fault, notices })
        })
    }

    /// The match whose id is, or begins with, `id`; the newest where ladders share it.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn find(&self, id: &str) -> Result<Found> {
        // The index is on blocks, whose ids those of their matches begin with.
        let block = id.split('-').next().unwrap_or(id);
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
            [] => Ok(Found::None),
            [(_, row)] => Ok(Found::One(Box::new(self.stored(*row)?))),
            several => Ok(Found::Several(several.iter().map(|(id, _)| id.clone()).collect())),
        }
    }

    /// The id of the newest match of a ladder.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn last_match(&self, ladder: i64) -> Result<Option<String>> {
        Ok(self.all(select::LAST, [ladder], |row| row.get(0))?.into_iter().next())
    }

    fn stored(&self, match_row: i64) -> Result<Stored> {
        let select = "SELECT ladder.name, block.setting, block.opening FROM match JOIN block ON match.block = block.row
                      JOIN ladder ON block.ladder = ladder.id WHERE match.row = ?1";
        let read = |row: &Row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?));
        let (name, setting, opening) =
            self.db.query_row(select, [match_row], read).map_err(|error| self.fail(error))?;
        let ladder = self.ladder(&name)?.ok_or_else(|| self.fail(rusqlite::Error::QueryReturnedNoRows))?;
        let entrants = self.entrants(ladder.id)?.into_iter().map(|(_, entrant)| entrant).collect();
        let played = self.match_at(match_row, &self.entrant_index(ladder.id)?)?;
        Ok(Stored { ladder, entrants, setting: setting as usize, opening: opening as u64, played })
    }
}
