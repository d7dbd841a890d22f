//! Answers a running tournament's questions on PostgreSQL.

use crate::connection::PostgresRecord;
use agon_model::{Entrant, EntrantId, Excuse, LadderId, LadderRow, Look, MOST_SEATS, MatchOutcome, Stage, Suspension};
use agon_record::*;
use postgres::Row;

const LADDER: &str = "SELECT id, name, game, seats, seed, seed_drawn, terms, settings FROM ladder WHERE name = $1";
const NEWEST: &str = "SELECT id, name, game, seats, seed, seed_drawn, terms, settings FROM ladder
    ORDER BY used DESC LIMIT 1";
const BEGIN: &str = "INSERT INTO ladder (name, game, seats, seed, seed_drawn, terms, settings, used)
    VALUES ($1, $2, $3, $4, $5, $6, $7, nextval('ladder_used')) RETURNING id";
const STAGES: &str = "SELECT drawn.content, closed.content FROM stage AS drawn LEFT JOIN stage AS closed
    ON closed.ladder = drawn.ladder AND closed.number = drawn.number AND closed.closed
    WHERE drawn.ladder = $1 AND NOT drawn.closed ORDER BY drawn.number";
/// If the answer to an earlier try was lost, the stage exists already.
const STAGE: &str =
    "INSERT INTO stage (ladder, number, closed, content) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
const SUSPEND: &str = "INSERT INTO suspension (ladder, entrant, kind, by_hand, why, since, schedule)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";
const LET_BACK: &str = "UPDATE suspension SET let_back = now(), counted = (SELECT coalesce(max(number), 0) FROM block)
    WHERE ladder = $1 AND let_back IS NULL AND (entrant = $2 OR (kind = 'withdrawn' AND entrant IN
    (SELECT id FROM entrant WHERE ladder = $1 AND team = $3)))";
const LIFT_SUSPENSION: &str = "UPDATE suspension SET let_back = now(), counted = 0
    WHERE ladder = $1 AND entrant = $2 AND let_back IS NULL AND kind = 'benched' AND NOT by_hand";
const LOOK: &str = "INSERT INTO look (hash, context, look) VALUES ($1, $2, $3)
    ON CONFLICT (hash, context) DO UPDATE SET look = $3";
const VOIDS: &str = "SELECT block, max(cause COLLATE \"C\"), count(*) FROM void WHERE ladder = $1 AND NOT EXISTS
    (SELECT 1 FROM block WHERE block.ladder = $1 AND block.id = void.block)
    GROUP BY block ORDER BY block COLLATE \"C\"";

impl PostgresRecord {
    pub(crate) fn json<T: serde::de::DeserializeOwned>(&self, row: &Row, column: usize, what: &str) -> Result<T> {
        serde_json::from_str(row.get(column)).map_err(|_| self.damaged(what))
    }

    pub(crate) fn ladder_row(&self, row: &Row) -> Result<LadderRow> {
        let seats = usize::try_from(row.get::<_, i32>(3)).ok().filter(|seats| (1..=MOST_SEATS).contains(seats));
        Ok(LadderRow {
            id: LadderId(row.get(0)),
            name: row.get(1),
            game: row.get(2),
            seats: seats.ok_or_else(|| self.damaged("the seats of a ladder"))?,
            seed: row.get::<_, i64>(4) as u64,
            seed_drawn: row.get(5),
            terms: self.json(row, 6, "what is fixed of a ladder")?,
            settings: self.json(row, 7, "the settings of a ladder")?,
        })
    }

    /// Inserts a ladder, and returns its number.
    pub(crate) fn insert_ladder(&self, row: &LadderRow) -> Result<LadderId> {
        let (terms, settings) = (to_json(&row.terms), to_json(&row.settings));
        let (seats, seed) = (row.seats as i32, row.seed as i64);
        let mut open = self.connection()?;
        let begun = open.rows(BEGIN, &[&row.name, &row.game, &seats, &seed, &row.seed_drawn, &terms, &settings]);
        begun.map(|begun| LadderId(begun[0].get(0))).map_err(|error| self.fail(error))
    }

    fn put_stage(&self, ladder: LadderId, number: usize, closed: bool, content: &str) -> Result<()> {
        self.execute(STAGE, &[&ladder.0, &(number as i32), &closed, &content]).map(drop)
    }
}

impl Record for PostgresRecord {
    fn read_moment(&self) -> Result<Box<dyn ReadingMoment + '_>> {
        Ok(Box::new(self.moment()?))
    }

    fn ladder(&self, name: &str) -> Result<Option<LadderRow>> {
        self.rows(LADDER, &[&name])?.first().map(|row| self.ladder_row(row)).transpose()
    }

    fn newest_ladder(&self) -> Result<Option<LadderRow>> {
        self.rows(NEWEST, &[])?.first().map(|row| self.ladder_row(row)).transpose()
    }

    fn begin_ladder(&mut self, row: &LadderRow) -> Result<LadderRow> {
        Ok(LadderRow { id: self.insert_ladder(row)?, ..row.clone() })
    }

    fn touch_ladder(&self, ladder: LadderId) -> Result<()> {
        self.execute("UPDATE ladder SET used = nextval('ladder_used') WHERE id = $1", &[&ladder.0]).map(drop)
    }

    fn archive_ladder(&self, ladder: &LadderRow) -> Result<String> {
        let name = archived_name(ladder);
        self.execute("UPDATE ladder SET name = $1 WHERE id = $2", &[&name, &ladder.id.0])?;
        Ok(name)
    }

    fn frozen(&self, ladder: LadderId) -> Result<Option<u64>> {
        let rows = self.rows("SELECT frozen FROM ladder WHERE id = $1", &[&ladder.0])?;
        Ok(rows.first().and_then(|row| row.get::<_, Option<i64>>(0)).map(|seconds| seconds as u64))
    }

    fn freeze(&self, ladder: LadderId, seconds: u64) -> Result<()> {
        self.execute("UPDATE ladder SET frozen = $2 WHERE id = $1", &[&ladder.0, &(seconds as i64)]).map(drop)
    }

    fn has_ended(&self, ladder: LadderId) -> Result<bool> {
        let rows = self.rows("SELECT ended FROM ladder WHERE id = $1", &[&ladder.0])?;
        Ok(rows.first().is_some_and(|row| row.get(0)))
    }

    fn mark_ended(&self, ladder: LadderId, has_ended: bool) -> Result<()> {
        let update = "UPDATE ladder SET ended = $2 WHERE id = $1 AND ended <> $2";
        self.execute(update, &[&ladder.0, &has_ended]).map(drop)
    }

    fn keep_entrants(&mut self, ladder: LadderId, entrants: &mut [Entrant]) -> Result<KeptEntrants> {
        self.write_entrants(ladder, entrants)
    }

    fn members(&self, ladder: LadderId) -> Result<Vec<Member>> {
        self.read_members(ladder)
    }

    fn suspend(&self, ladder: LadderId, entrant: EntrantId, suspension: &Suspension) -> Result<()> {
        let Suspension { kind, by_hand, why, since, schedule } = suspension;
        self.execute(SUSPEND, &[&ladder.0, &entrant.0, &kind.name(), by_hand, why, &(*since as i64), schedule])
            .map(drop)
    }

    fn lift_suspension(&self, ladder: LadderId, entrant: EntrantId) -> Result<()> {
        self.execute(LIFT_SUSPENSION, &[&ladder.0, &entrant.0]).map(drop)
    }

    fn let_back(&self, ladder: LadderId, member: &Member) -> Result<bool> {
        Ok(self.execute(LET_BACK, &[&ladder.0, &member.id.0, &member.team])? > 0)
    }

    fn keep_excuses(&self, ladder: LadderId, excuses: &[(EntrantId, Excuse)]) -> Result<()> {
        let entrants: Vec<i64> = excuses.iter().map(|(entrant, _)| entrant.0).collect();
        let causes: Vec<&str> = excuses.iter().map(|(_, excuse)| excuse.name()).collect();
        let insert =
            "INSERT INTO excuse (ladder, entrant, cause) SELECT $1::bigint, * FROM unnest($2::bigint[], $3::text[])";
        self.execute(insert, &[&ladder.0, &entrants, &causes]).map(drop)
    }

    fn look(&self, hash: &str, context: &str) -> Result<Option<Look>> {
        let rows = self.rows("SELECT look FROM look WHERE hash = $1 AND context = $2", &[&hash, &context])?;
        Ok(rows.first().and_then(|row| serde_json::from_str(row.get(0)).ok()))
    }

    fn keep_look(&self, hash: &str, context: &str, look: &Look) -> Result<()> {
        self.execute(LOOK, &[&hash, &context, &to_json(look)]).map(drop)
    }

    fn match_size(&self, game: &str, seats: usize) -> Result<Option<MatchSize>> {
        self.read_match_size(game, seats)
    }

    fn record_stage(&self, ladder: LadderId, number: usize, stage: &Stage) -> Result<()> {
        self.put_stage(ladder, number, false, &to_json(stage))
    }

    fn close_stage(&self, ladder: LadderId, number: usize, scores: &[Vec<i64>]) -> Result<()> {
        self.put_stage(ladder, number, true, &to_json(&scores))
    }

    fn stages(&self, ladder: LadderId) -> Result<Vec<StoredStage>> {
        let stage = |row: &Row| {
            let closed = row.get::<_, Option<&str>>(1).is_some();
            let scores = closed.then(|| self.json(row, 1, "what came of a stage")).transpose()?;
            Ok((self.json(row, 0, "a stage")?, scores))
        };
        self.rows(STAGES, &[&ladder.0])?.iter().map(stage).collect()
    }

    fn keep_blocks(&mut self, blocks: &[&EncodedBlock]) -> Result<()> {
        self.write_blocks(blocks)
    }

    fn count_blocks(&self, ladder: LadderId) -> Result<u64> {
        let rows = self.rows("SELECT count(*) FROM block WHERE ladder = $1", &[&ladder.0])?;
        Ok(rows[0].get::<_, i64>(0) as u64)
    }

    fn has_block(&self, ladder: LadderId, block: &str) -> Result<bool> {
        Ok(self.block_number(ladder, block)?.is_some())
    }

    fn block_outcomes(&self, ladder: LadderId, block: &str, index: &IndexOf<'_>) -> Result<Option<Vec<MatchOutcome>>> {
        self.read_block(ladder, block, index)
    }

    fn keep_void(&self, ladder: LadderId, block: &str, cause: &str) -> Result<()> {
        self.execute("INSERT INTO void (ladder, block, cause) VALUES ($1, $2, $3)", &[&ladder.0, &block, &cause])
            .map(drop)
    }

    fn voids(&self, ladder: LadderId) -> Result<Vec<(String, String, u32)>> {
        let rows = self.rows(VOIDS, &[&ladder.0])?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1), row.get::<_, i64>(2) as u32)).collect())
    }

    fn each_outcome(&self, ladder: LadderId, each: &mut EachOutcome<'_>) -> Result<()> {
        self.read_outcomes(ladder, each)
    }
}
