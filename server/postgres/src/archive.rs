//! Answers people's questions to a record on PostgreSQL.

use crate::connection::{PostgresRecord, Unit};
use crate::forget::{EXCHANGE, SHRINK};
use crate::stored_matches::moves;
use agon_model::{EntrantId, LadderId, LadderRow, Look, Stage, StoredMatch, Suspension, SuspensionKind, block_of};
use agon_record::*;
use postgres::Row;
use std::collections::BTreeSet;

const LADDERS: &str = "SELECT id, name, game, seats, seed, seed_drawn, terms, settings,
    (SELECT count(*) FROM block WHERE block.ladder = ladder.id) FROM ladder ORDER BY used DESC, id DESC";
/// The number that the next transaction that writes will have.
const CHANGES: &str = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
const VERSIONS: &str =
    "SELECT entrant.id, ladder.name, (SELECT count(DISTINCT match) FROM seat WHERE seat.entrant = entrant.id)
    FROM entrant JOIN ladder ON entrant.ladder = ladder.id
    WHERE entrant.team = $1 AND ($2::text IS NULL OR ladder.name = $2) ORDER BY entrant.id";
const SUSPENSIONS: &str = "SELECT entrant, kind, by_hand, why, since, schedule, floor(extract(epoch FROM at))::bigint,
        floor(extract(epoch FROM let_back))::bigint,
        (SELECT id FROM block WHERE block.ladder = suspension.ladder AND block.number <= suspension.counted
         ORDER BY block.number DESC LIMIT 1)
    FROM suspension WHERE ladder = $1 ORDER BY id";
const OPEN: &str = "SELECT ladder.name, drawn.content FROM entrant JOIN ladder ON ladder.id = entrant.ladder
    JOIN stage AS drawn ON drawn.ladder = ladder.id AND NOT drawn.closed
    WHERE entrant.id = $1 AND ladder.name NOT LIKE '%~' || ladder.id AND NOT EXISTS
    (SELECT 1 FROM stage AS closed WHERE closed.ladder = ladder.id AND closed.number = drawn.number AND closed.closed)";
const ARCHIVED: &str = "SELECT id, name, (SELECT count(*) FROM block JOIN match ON match.block = block.number
    WHERE block.ladder = ladder.id) FROM ladder WHERE name LIKE '%~' || id ORDER BY id";
const LEFT: &str = "SELECT EXISTS (SELECT 1 FROM seat WHERE seat.match = match.number AND fault IS NOT NULL)
    FROM block JOIN match ON match.block = block.number
    WHERE block.id = $1 AND match.id = $2 AND block.ladder <> ALL ($3)";
const UNNAMED: &str = "SELECT count(*), coalesce(sum(octet_length(bytes)), 0)::bigint FROM file WHERE hash <> ALL ($1)";
/// The lock is held until the connection is closed.
const LOCK: &str = "SELECT name, pg_try_advisory_lock(hashtextextended('agon ladder ' || name, 0)) FROM ladder";
/// Deletes the rows of a ladder; rows to which others point come last.
const DROP_LADDER: [&str; 10] = [
    "DELETE FROM played_by WHERE ladder = $1",
    "DELETE FROM seat WHERE match IN
        (SELECT match.number FROM match JOIN block ON match.block = block.number WHERE block.ladder = $1)",
    "DELETE FROM match WHERE block IN (SELECT number FROM block WHERE ladder = $1)",
    "DELETE FROM block WHERE ladder = $1",
    "DELETE FROM void WHERE ladder = $1",
    "DELETE FROM suspension WHERE ladder = $1",
    "DELETE FROM excuse WHERE ladder = $1",
    "DELETE FROM stage WHERE ladder = $1",
    "DELETE FROM entrant WHERE ladder = $1",
    "DELETE FROM ladder WHERE id = $1",
];
const LAST: &str = "SELECT match.id FROM block JOIN match ON match.block = block.number WHERE block.ladder = $1
    ORDER BY block.number DESC, match.number DESC LIMIT 1";

impl Archive for PostgresRecord {
    fn ladders(&self) -> Result<Vec<(LadderRow, u64)>> {
        let ladder = |row: &Row| Ok((self.ladder_row(row)?, row.get::<_, i64>(8) as u64));
        self.rows(LADDERS, &[])?.iter().map(ladder).collect()
    }

    fn changes(&self) -> Result<i64> {
        Ok(self.rows(CHANGES, &[])?[0].get(0))
    }

    fn matches(&self, ladder: &LadderRow, filter: &Filter) -> Result<Vec<Listed>> {
        self.read_list(ladder, filter)
    }

    fn reach(&self, ladder: LadderId, before: Option<&str>, blocks: u64) -> Result<Option<String>> {
        PostgresRecord::reach(self, ladder, before, blocks)
    }

    fn find(&self, id: &str) -> Result<FoundMatch> {
        PostgresRecord::find(self, id)
    }

    fn match_of(&self, ladder: LadderId, id: &str) -> Result<Option<StoredMatch>> {
        let rows = self.rows("SELECT name FROM ladder WHERE id = $1", &[&ladder.0])?;
        let row = rows.first().map(|row| self.ladder(row.get(0))).transpose()?.flatten();
        row.map_or(Ok(None), |row| self.stored(row, block_of(id), id))
    }

    fn look_at(&self, hash: &str) -> Result<Option<Look>> {
        let rows = self.rows("SELECT look FROM look WHERE hash = $1 ORDER BY context DESC LIMIT 1", &[&hash])?;
        Ok(rows.first().and_then(|row| serde_json::from_str(row.get(0)).ok()))
    }

    fn last_match(&self, ladder: LadderId) -> Result<Option<String>> {
        Ok(self.rows(LAST, &[&ladder.0])?.first().map(|row| row.get(0)))
    }

    fn each_block(&self, ladder: LadderId, each: &mut EachBlock<'_>) -> Result<()> {
        let _moment = self.moment_if_none()?;
        let mut blocks = self.blocks(ladder)?;
        while let Some(block) = blocks.next()? {
            if each(&block).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn with_moves(&self, ladder: LadderId, work: &mut WithMoves<'_>) -> Result<()> {
        let _moment = self.moment_if_none()?;
        let mut blocks = self.blocks(ladder)?;
        let mut failed = None;
        let next = || blocks.next().map_err(|error| failed = Some(error)).ok().flatten();
        work(&mut std::iter::from_fn(next).flat_map(moves));
        failed.map_or(Ok(()), Err)
    }

    fn begin_import(&mut self, row: &LadderRow) -> Result<Box<dyn Import + '_>> {
        self.import_into(row)
    }

    fn versions_of(&self, team: &str, ladder: Option<&str>) -> Result<Vec<(EntrantId, String, u64)>> {
        let rows = self.rows(VERSIONS, &[&team, &ladder])?;
        Ok(rows.iter().map(|row| (EntrantId(row.get(0)), row.get(1), row.get::<_, i64>(2) as u64)).collect())
    }

    fn suspensions(&self, ladder: LadderId) -> Result<Vec<StoredSuspension>> {
        let stored = |row: &Row| {
            let kind = SuspensionKind::named(row.get(1)).ok_or_else(|| self.damaged("how an entrant is suspended"))?;
            let (by_hand, why, since, schedule) = (row.get(2), row.get(3), row.get::<_, i64>(4) as u64, row.get(5));
            let suspension = Suspension { kind, by_hand, why, since, schedule };
            let (entrant, at, let_back, counted) = (EntrantId(row.get(0)), row.get(6), row.get(7), row.get(8));
            Ok(StoredSuspension { entrant, suspension, at, let_back, counted })
        };
        self.rows(SUSPENSIONS, &[&ladder.0])?.iter().map(stored).collect()
    }

    fn open_ladders(&self, player: EntrantId) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for row in self.rows(OPEN, &[&player.0])? {
            let stage: Stage = self.json(&row, 1, "a stage")?;
            let mut meetings = stage.meetings.iter();
            if meetings.any(|meeting| meeting.len() > 1 && meeting.contains(&player)) {
                names.push(row.get(0));
            }
        }
        Ok(names)
    }

    fn check(&self) -> Result<Checked> {
        self.check_all()
    }

    fn lock_all(&self) -> Result<Vec<Lock>> {
        let rows = self.rows(LOCK, &[])?;
        let played = rows.iter().find(|row| !row.get::<_, bool>(1));
        played.map_or(Ok(Vec::new()), |row| Err(self.is_played(row.get(0))))
    }

    fn archived_ladders(&self) -> Result<Vec<ArchivedLadder>> {
        let archived = |row: &Row| ArchivedLadder {
            id: LadderId(row.get(0)),
            name: row.get(1),
            matches: row.get::<_, i64>(2) as u64,
        };
        Ok(self.rows(ARCHIVED, &[])?.iter().map(archived).collect())
    }

    fn leftovers(&self, id: &str, without: &[LadderId]) -> Result<Leftovers> {
        let block = block_of(id);
        let without: Vec<i64> = without.iter().map(|ladder| ladder.0).collect();
        let rows = self.rows(LEFT, &[&block, &id, &without])?;
        Ok(rows.iter().map(|row| row.get::<_, bool>(0)).max().into())
    }

    fn unnamed_files(&self, without: &[LadderId]) -> Result<(u64, u64)> {
        let named: Vec<String> = self.named_files(without)?.into_iter().collect();
        let row = self.rows(UNNAMED, &[&named])?.remove(0);
        Ok((row.get::<_, i64>(0) as u64, row.get::<_, i64>(1) as u64))
    }

    fn drop_ladders(&mut self, ladders: &[LadderId]) -> Result<()> {
        self.begin()?;
        let unit = Unit::of(self);
        for ladder in ladders {
            EXCHANGE.iter().chain(&DROP_LADDER).try_for_each(|delete| self.execute(delete, &[&ladder.0]).map(drop))?;
        }
        let named: Vec<String> = self.named_files(&[])?.into_iter().collect();
        self.execute("DELETE FROM file WHERE hash <> ALL ($1)", &[&named])?;
        unit.commit()?;
        let mut shrinks = SHRINK.iter().filter(|_| !ladders.is_empty());
        shrinks.try_for_each(|shrink| self.batch(shrink))
    }

    fn named_files(&self, without: &[LadderId]) -> Result<BTreeSet<String>> {
        let without: Vec<i64> = without.iter().map(|ladder| ladder.0).collect();
        let rows = self.rows("SELECT hash, options FROM entrant WHERE ladder <> ALL ($1)", &[&without])?;
        Ok(rows.iter().flat_map(|row| file_hashes(row.get(0), row.get(1))).collect())
    }

    fn forget(&mut self, entrants: &[EntrantId], with_matches: bool) -> Result<Forgotten> {
        PostgresRecord::forget(self, entrants, with_matches)
    }
}
