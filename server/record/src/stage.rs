//! Meetings that were drawn from results, and the results that they are drawn from.

use super::{Result, Store, to_json};
use agon_model::{FaultKind, PlayerId, Stage};
use rusqlite::{Row, params};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;

/// A stage, and when it is closed the points of each player of each meeting.
pub type StoredStage = (Stage, Option<Vec<Vec<i64>>>);

/// How a player came out of a match: its rank, and whether its process was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchSeat {
    /// Who.
    pub player: PlayerId,
    /// From 1.
    pub rank: u32,
    /// Whether it was at fault.
    pub is_fault: bool,
    /// See `FaultKind::is_crash`.
    pub is_crash: bool,
}

impl Store {
    /// Keeps what was drawn, before anything of it is played.
    ///
    /// # Errors
    /// The record cannot be written.
    pub fn draw_stage(&self, ladder: i64, number: usize, stage: &Stage) -> Result<()> {
        self.put_stage(ladder, number, false, &to_json(stage))
    }

    /// Keeps what came of a stage; it is not played on.
    ///
    /// # Errors
    /// The record cannot be written.
    pub fn close_stage(&self, ladder: i64, number: usize, scores: &[Vec<i64>]) -> Result<()> {
        self.put_stage(ladder, number, true, &to_json(&scores))
    }

    fn put_stage(&self, ladder: i64, number: usize, closed: bool, content: &str) -> Result<()> {
        let insert = "INSERT INTO stage (ladder, number, closed, content) VALUES (?1, ?2, ?3, ?4)";
        let inserted = self.db.execute(insert, params![ladder, number as i64, closed, content]);
        inserted.map(drop).map_err(|error| self.fail(error))
    }

    /// Everything that was drawn in a ladder, in order.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn stages(&self, ladder: i64) -> Result<Vec<StoredStage>> {
        let select = "SELECT drawn.content, closed.content FROM stage AS drawn LEFT JOIN stage AS closed
                      ON closed.ladder = drawn.ladder AND closed.number = drawn.number AND closed.closed = 1
                      WHERE drawn.ladder = ?1 AND drawn.closed = 0 ORDER BY drawn.number";
        self.all(select, [ladder], |row| {
            let closed = row.get_ref(1)? != rusqlite::types::ValueRef::Null;
            Ok((super::query::json(row, 0)?, closed.then(|| super::query::json(row, 1)).transpose()?))
        })
    }

    /// Names of the ladders in which somebody has a meeting of a stage that is not closed; not of those that were set
    /// aside.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn open_ladders(&self, player: PlayerId) -> Result<Vec<String>> {
        let select = "SELECT ladder.name, drawn.content FROM entrant JOIN ladder ON ladder.id = entrant.ladder
                      JOIN stage AS drawn ON drawn.ladder = ladder.id AND drawn.closed = 0
                      WHERE entrant.id = ?1 AND ladder.name NOT LIKE '%~' || ladder.id AND NOT EXISTS
                      (SELECT 1 FROM stage AS closed WHERE closed.ladder = ladder.id AND closed.number = drawn.number
                       AND closed.closed = 1)";
        let open: Vec<(String, Stage)> =
            self.all(select, [player], |row| Ok((row.get(0)?, super::query::json(row, 1)?)))?;
        let meets = |stage: &Stage| stage.meetings.iter().any(|meeting| meeting.len() > 1 && meeting.contains(&player));
        Ok(open.into_iter().filter(|(_, stage)| meets(stage)).map(|(name, _)| name).collect())
    }

    /// The matches of a block, seat by seat; `None` if it is not played.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn block_seats(&self, ladder: i64, block: &str) -> Result<Option<Vec<Vec<MatchSeat>>>> {
        let Some(row) = self.block_row(ladder, block)? else { return Ok(None) };
        let select =
            "SELECT match.row, seat.entrant, seat.rank, seat.fault FROM match JOIN seat ON seat.match = match.row
                      WHERE match.block = ?1 ORDER BY match.row, seat.seat";
        let seats = self.all(select, [row], |row| Ok((row.get::<_, i64>(0)?, seat(row)?)))?;
        let matches = seats.chunk_by(|(a, _), (b, _)| a == b);
        Ok(Some(matches.map(|seats| seats.iter().map(|(_, seat)| *seat).collect()).collect()))
    }
}

/// From a match's row, an entrant, a rank and a fault.
pub(super) fn seat(row: &Row) -> rusqlite::Result<MatchSeat> {
    let fault: Option<String> = row.get(3)?;
    let kind = fault.as_ref().map(|name| -> std::result::Result<FaultKind, Error> {
        FaultKind::deserialize(name.as_str().into_deserializer())
    });
    let is_crash = kind.is_some_and(|kind| kind.is_ok_and(FaultKind::is_crash));
    Ok(MatchSeat { player: row.get(1)?, rank: row.get(2)?, is_fault: fault.is_some(), is_crash })
}
