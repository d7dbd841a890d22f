//! Stores meetings that were drawn from results.

use super::{Result, SqliteRecord, to_json};
use agon_model::{EntrantId, LadderId, Stage};
use rusqlite::params;

/// A stage, and, once it is closed, the points of each player in each meeting.
pub type StoredStage = (Stage, Option<Vec<Vec<i64>>>);

impl SqliteRecord {
    /// Records a stage before any of it is played.
    ///
    /// # Errors
    /// The record cannot be written.
    pub fn draw_stage(&self, ladder: LadderId, number: usize, stage: &Stage) -> Result<()> {
        self.put_stage(ladder, number, false, &to_json(stage))
    }

    /// Records the result of a stage, which ends it.
    ///
    /// # Errors
    /// The record cannot be written.
    pub fn close_stage(&self, ladder: LadderId, number: usize, scores: &[Vec<i64>]) -> Result<()> {
        self.put_stage(ladder, number, true, &to_json(&scores))
    }

    fn put_stage(&self, ladder: LadderId, number: usize, closed: bool, content: &str) -> Result<()> {
        let insert = "INSERT INTO stage (ladder, number, closed, content) VALUES (?1, ?2, ?3, ?4)";
        let inserted = self.db.execute(insert, params![ladder.0, number as i64, closed, content]);
        inserted.map(drop).map_err(|error| self.fail(error))
    }

    /// All stages of a ladder, in order.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn stages(&self, ladder: LadderId) -> Result<Vec<StoredStage>> {
        let select = "SELECT drawn.content, closed.content FROM stage AS drawn LEFT JOIN stage AS closed
                      ON closed.ladder = drawn.ladder AND closed.number = drawn.number AND closed.closed = 1
                      WHERE drawn.ladder = ?1 AND drawn.closed = 0 ORDER BY drawn.number";
        self.all(select, [ladder.0], |row| {
            let closed = row.get_ref(1)? != rusqlite::types::ValueRef::Null;
            Ok((super::query::json(row, 0)?, closed.then(|| super::query::json(row, 1)).transpose()?))
        })
    }

    /// The names of the ladders in which a player has a meeting of an open stage, except ladders that were set aside.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn open_ladders(&self, player: EntrantId) -> Result<Vec<String>> {
        let select = "SELECT ladder.name, drawn.content FROM entrant JOIN ladder ON ladder.id = entrant.ladder
                      JOIN stage AS drawn ON drawn.ladder = ladder.id AND drawn.closed = 0
                      WHERE entrant.id = ?1 AND ladder.name NOT LIKE '%~' || ladder.id AND NOT EXISTS
                      (SELECT 1 FROM stage AS closed WHERE closed.ladder = ladder.id AND closed.number = drawn.number
                       AND closed.closed = 1)";
        let open: Vec<(String, Stage)> =
            self.all(select, [player.0], |row| Ok((row.get(0)?, super::query::json(row, 1)?)))?;
        let meets = |stage: &Stage| stage.meetings.iter().any(|meeting| meeting.len() > 1 && meeting.contains(&player));
        Ok(open.into_iter().filter(|(_, stage)| meets(stage)).map(|(name, _)| name).collect())
    }
}
