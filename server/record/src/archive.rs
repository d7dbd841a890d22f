//! The questions that people ask of a record, in addition to those of a running tournament: lists, whole matches,
//! exports and imports, and forgetting. SQLite and PostgreSQL answer alike: `server/machines/tests/elsewhere.rs` compares
//! their words.

use super::{
    ArchivedLadder, Checked, Filter, Forgotten, FoundMatch, Leftovers, Listed, Lock, MatchMoves, Newcomer, Record,
    RecordError, Result, SqliteRecord, StoredBlock, StoredSuspension, check, file_hashes, query, select,
};
use agon_model::{EntrantId, Excuse, LadderId, LadderRow, Look, PlayedBlock, Stage, StoredMatch, block_of};
use rusqlite::{Row, params};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Takes blocks, one by one, until it has enough.
pub type EachBlock<'a> = dyn FnMut(&StoredBlock) -> ControlFlow<()> + 'a;

/// Takes all matches of a ladder with their moves.
pub type WithMoves<'a> = dyn FnMut(&mut dyn Iterator<Item = MatchMoves>) + 'a;

/// A record that people read and care for. Every function fails where the record cannot be read or written.
pub trait Archive: Record {
    /// The ladders, with the number of blocks played in each; the one worked on last comes first.
    fn ladders(&self) -> Result<Vec<(LadderRow, u64)>>;

    /// A number that changes when another process has written since the last call.
    fn changes(&self) -> Result<i64>;

    /// Matches of a ladder, the newest last.
    fn matches(&self, ladder: &LadderRow, filter: &Filter) -> Result<Vec<Listed>>;

    /// The oldest match that a search through this many blocks reaches, from the match `before` or the newest one on;
    /// `None` if the search reaches all of them.
    fn reach(&self, ladder: LadderId, before: Option<&str>, blocks: u64) -> Result<Option<String>>;

    /// The match whose id is, or begins with, `id`; the newest if several ladders have it.
    fn find(&self, id: &str) -> Result<FoundMatch>;

    /// The match of a ladder with exactly this id.
    fn match_of(&self, ladder: LadderId, id: &str) -> Result<Option<StoredMatch>>;

    /// The look of admission at a file with this hash, under any terms.
    fn look_at(&self, hash: &str) -> Result<Option<Look>>;

    /// The id of the newest match of a ladder.
    fn last_match(&self, ladder: LadderId) -> Result<Option<String>>;

    /// Passes every block of a ladder to `each`, in the order of recording, all from one moment.
    fn each_block(&self, ladder: LadderId, each: &mut EachBlock<'_>) -> Result<()>;

    /// Passes all matches of a ladder to `work`, in the order of recording.
    fn with_moves(&self, ladder: LadderId, work: &mut WithMoves<'_>) -> Result<()>;

    /// Begins to import matches into the ladder with the name of `row`, and begins that ladder if there is none.
    fn begin_import(&mut self, row: &LadderRow) -> Result<Box<dyn Import + '_>>;

    /// The clients of this team, in one ladder or in all: number, name of the ladder, matches.
    fn versions_of(&self, team: &str, ladder: Option<&str>) -> Result<Vec<(EntrantId, String, u64)>>;

    /// Every suspension there ever was in a ladder, including those that ended, in order.
    fn suspensions(&self, ladder: LadderId) -> Result<Vec<StoredSuspension>>;

    /// The names of the ladders in which a player has a meeting of an open stage, except archived ladders.
    fn open_ladders(&self, player: EntrantId) -> Result<Vec<String>>;

    /// Checks everything in the record and lists the damage.
    fn check(&self) -> Result<Checked>;

    /// Prevents playing into any ladder of this record, as long as the returned locks and the record live.
    fn lock_all(&self) -> Result<Vec<Lock>>;

    /// Archived ladders, in the order in which they began.
    fn archived_ladders(&self) -> Result<Vec<ArchivedLadder>>;

    /// The facts about a match, without the ladders in `without`.
    fn leftovers(&self, id: &str, without: &[LadderId]) -> Result<Leftovers>;

    /// The number and bytes of clients' files in the record itself that no ladder names, without the ladders in
    /// `without`.
    fn unnamed_files(&self, without: &[LadderId]) -> Result<(u64, u64)>;

    /// Drops ladders with all their data, all of them or none, and files that no ladder names, and frees the space.
    fn drop_ladders(&mut self, ladders: &[LadderId]) -> Result<()>;

    /// Hashes of all files that ladders name or give to clients, without the ladders in `without`.
    fn named_files(&self, without: &[LadderId]) -> Result<BTreeSet<String>>;

    /// Forgets clients by their numbers: their names, files, options, and all their texts. Their matches stay under a
    /// neutral name, or are removed, block by block.
    fn forget(&mut self, entrants: &[EntrantId], with_matches: bool) -> Result<Forgotten>;
}

/// An import of matches from another record in one transaction; dropping it leaves nothing.
pub trait Import {
    /// The number of a client: its own, if the ladder has this file with these options, else a new one. If the ladder
    /// has the team already, it gets a further version.
    fn add_client(&mut self, newcomer: &Newcomer) -> Result<EntrantId>;

    /// Whether the ladder has a block.
    fn has_block(&self, block: &str) -> Result<bool>;

    /// Adds a block. `ids` are the clients' numbers, by the indices in it.
    fn add_block(&mut self, played: &PlayedBlock, ids: &[EntrantId]) -> Result<()>;

    /// Adds a stage, and its scores if all of it is played; stages count from 0.
    fn add_stage(&mut self, number: usize, stage: &Stage, scores: Option<&[Vec<i64>]>) -> Result<()>;

    /// Adds a client's suspension. The block from which its failures count must be there already.
    fn add_suspension(&mut self, stored: &StoredSuspension) -> Result<()>;

    /// Adds the number of matches that were void because of a client.
    fn add_excuse(&mut self, entrant: EntrantId, excuse: Excuse, times: u32) -> Result<()>;

    /// Adds the number of times a block was void.
    fn add_void(&mut self, block: &str, cause: &str, tries: u32) -> Result<()>;

    fn commit(self: Box<Self>) -> Result<()>;
}

/// Why a walk through blocks ended early.
enum Ended {
    Enough,
    Failed(RecordError),
}

impl From<RecordError> for Ended {
    fn from(error: RecordError) -> Ended {
        Ended::Failed(error)
    }
}

impl Archive for SqliteRecord {
    fn ladders(&self) -> Result<Vec<(LadderRow, u64)>> {
        let read = |row: &Row| Ok((query::read_ladder(row)?, row.get::<_, i64>(8)? as u64));
        self.all(select::LADDERS, [], read)
    }

    fn changes(&self) -> Result<i64> {
        self.db.query_row("PRAGMA data_version", [], |row| row.get(0)).map_err(|error| self.fail(error))
    }

    fn matches(&self, ladder: &LadderRow, filter: &Filter) -> Result<Vec<Listed>> {
        SqliteRecord::matches(self, ladder, filter)
    }

    fn reach(&self, ladder: LadderId, before: Option<&str>, blocks: u64) -> Result<Option<String>> {
        let Some((block, _)) = self.end_of(ladder, before, i64::MAX)? else { return Ok(None) };
        let left = self.all(select::LEFT_OUT, params![ladder.0, block, blocks as i64], |row| row.get::<_, i64>(0))?;
        let Some(left) = left.first() else { return Ok(None) };
        Ok(self.all(select::FIRST_AFTER, params![ladder.0, left], |row| row.get(0))?.into_iter().next())
    }

    fn find(&self, id: &str) -> Result<FoundMatch> {
        SqliteRecord::find(self, id)
    }

    fn match_of(&self, ladder: LadderId, id: &str) -> Result<Option<StoredMatch>> {
        let block = block_of(id);
        let row = self.all(select::MATCH_OF, params![ladder.0, block, id], |row| row.get(0))?.into_iter().next();
        row.map(|row| self.stored(row)).transpose()
    }

    fn look_at(&self, hash: &str) -> Result<Option<Look>> {
        self.read_look("SELECT look FROM look WHERE hash = ?1 ORDER BY context DESC LIMIT 1", params![hash])
    }

    fn last_match(&self, ladder: LadderId) -> Result<Option<String>> {
        Ok(self.all(select::LAST, [ladder.0], |row| row.get(0))?.into_iter().next())
    }

    fn each_block(&self, ladder: LadderId, each: &mut EachBlock<'_>) -> Result<()> {
        let mut each = |block: &StoredBlock| match each(block) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Ended::Enough),
        };
        match SqliteRecord::each_block(self, ladder, &mut each) {
            Err(Ended::Failed(error)) => Err(error),
            Ok(()) | Err(Ended::Enough) => Ok(()),
        }
    }

    fn with_moves(&self, ladder: LadderId, work: &mut WithMoves<'_>) -> Result<()> {
        SqliteRecord::with_moves(self, ladder, work)
    }

    fn begin_import(&mut self, row: &LadderRow) -> Result<Box<dyn Import + '_>> {
        SqliteRecord::begin_import(self, row)
    }

    fn versions_of(&self, team: &str, ladder: Option<&str>) -> Result<Vec<(EntrantId, String, u64)>> {
        let select =
            "SELECT entrant.id, ladder.name, (SELECT count(DISTINCT match) FROM seat WHERE seat.entrant = entrant.id)
                      FROM entrant JOIN ladder ON entrant.ladder = ladder.id
                      WHERE entrant.team = ?1 AND (?2 IS NULL OR ladder.name = ?2) ORDER BY entrant.id";
        let read = |row: &Row| Ok((EntrantId(row.get(0)?), row.get(1)?, row.get::<_, i64>(2)? as u64));
        self.all(select, params![team, ladder], read)
    }

    fn suspensions(&self, ladder: LadderId) -> Result<Vec<StoredSuspension>> {
        SqliteRecord::all_suspensions(self, ladder)
    }

    fn open_ladders(&self, player: EntrantId) -> Result<Vec<String>> {
        let select = "SELECT ladder.name, drawn.content FROM entrant JOIN ladder ON ladder.id = entrant.ladder
                      JOIN stage AS drawn ON drawn.ladder = ladder.id AND drawn.closed = 0
                      WHERE entrant.id = ?1 AND ladder.name NOT LIKE '%~' || ladder.id AND NOT EXISTS
                      (SELECT 1 FROM stage AS closed WHERE closed.ladder = ladder.id AND closed.number = drawn.number
                       AND closed.closed = 1)";
        let open: Vec<(String, Stage)> = self.all(select, [player.0], |row| Ok((row.get(0)?, query::json(row, 1)?)))?;
        let meets = |stage: &Stage| stage.meetings.iter().any(|meeting| meeting.len() > 1 && meeting.contains(&player));
        Ok(open.into_iter().filter(|(_, stage)| meets(stage)).map(|(name, _)| name).collect())
    }

    fn check(&self) -> Result<Checked> {
        check::check(&self.db).map_err(|error| self.fail(error))
    }

    fn lock_all(&self) -> Result<Vec<Lock>> {
        self.path.parent().map_or(Ok(Vec::new()), Lock::take_all)
    }

    fn archived_ladders(&self) -> Result<Vec<ArchivedLadder>> {
        let select = "SELECT id, name, (SELECT count(*) FROM block JOIN match ON match.block = block.row
                      WHERE block.ladder = ladder.id) FROM ladder WHERE name LIKE '%~' || id ORDER BY id";
        self.all(select, [], |row| {
            Ok(ArchivedLadder { id: LadderId(row.get(0)?), name: row.get(1)?, matches: row.get::<_, i64>(2)? as u64 })
        })
    }

    fn leftovers(&self, id: &str, without: &[LadderId]) -> Result<Leftovers> {
        let select =
            "SELECT block.ladder, EXISTS (SELECT 1 FROM seat WHERE seat.match = match.row AND fault IS NOT NULL)
                      FROM block JOIN match ON match.block = block.row WHERE block.id = ?1 AND match.id = ?2";
        let block = block_of(id);
        let found = self.all(select, [block, id], |row| Ok((LadderId(row.get(0)?), row.get::<_, bool>(1)?)))?;
        let kept = found.into_iter().filter(|(ladder, _)| !without.contains(ladder)).map(|(_, fault)| fault);
        Ok(kept.max().into())
    }

    fn unnamed_files(&self, _without: &[LadderId]) -> Result<(u64, u64)> {
        Ok((0, 0))
    }

    fn drop_ladders(&mut self, ladders: &[LadderId]) -> Result<()> {
        SqliteRecord::drop_ladders(self, ladders)?;
        if ladders.is_empty() { Ok(()) } else { self.shrink() }
    }

    fn named_files(&self, without: &[LadderId]) -> Result<BTreeSet<String>> {
        let read = |row: &Row| Ok((LadderId(row.get(0)?), row.get::<_, String>(1)?, row.get::<_, String>(2)?));
        let all = self.all("SELECT ladder, hash, options FROM entrant", [], read)?;
        let kept = all.into_iter().filter(|(ladder, ..)| !without.contains(ladder));
        Ok(kept.flat_map(|(_, hash, options)| file_hashes(&hash, &options)).collect())
    }

    fn forget(&mut self, entrants: &[EntrantId], with_matches: bool) -> Result<Forgotten> {
        SqliteRecord::forget(self, entrants, with_matches)
    }
}
