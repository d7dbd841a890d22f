//! The board of a ladder, as its coordinator sees it. What is lost of it when the server dies is offered again, so that
//! no block waits for a disk here: the record does.

use crate::connection::{Open, PostgresRecord, Values};
use agon_record::Result;
use agon_record::board::{Board, Crowd, Delivered, LARGEST_FILE, OfferedBlock, PostedTerms, Settled, Verdict};
use postgres::{Error, Row};

/// At most so many deliveries are read at a time.
const AT_ONCE: i64 = 256;

const HOLD: &str = "INSERT INTO board (ladder, holder, lease) VALUES ($1, gen_random_uuid(), make_interval(secs => $2))
    ON CONFLICT (ladder) DO UPDATE SET holder = gen_random_uuid(), lease = make_interval(secs => $2)
    RETURNING holder::text";
const SAME_TERMS: &str = "SELECT id FROM terms WHERE ladder = $1 AND game = $2 AND threads = $3 AND content = $4
    ORDER BY id DESC LIMIT 1";
const TERMS: &str = "INSERT INTO terms (ladder, game, threads, content) VALUES ($1, $2, $3, $4) RETURNING id";
const CLEAR: &str = "DELETE FROM offer WHERE ladder = $1 AND (worker IS NULL OR until < clock_timestamp())";
const KNOWN: &str =
    "DELETE FROM inbox USING block WHERE inbox.ladder = $1 AND block.ladder = $1 AND block.id = inbox.id";
const OFFER: &str = "INSERT INTO offer (ladder, id, holder, terms, content)
    SELECT $1::bigint, id, $2::text::uuid, $3::bigint, content
    FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS given (id, content, place)
    WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.ladder = $1 AND inbox.id = given.id) ORDER BY place
    ON CONFLICT (ladder, id) DO UPDATE SET holder = excluded.holder";
const FORGOTTEN: &str = "SELECT given.id FROM unnest($2::text[]) AS given (id)
    WHERE NOT EXISTS (SELECT 1 FROM offer WHERE offer.ladder = $1 AND offer.id = given.id)
        AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.ladder = $1 AND inbox.id = given.id)";
const DELIVERIES: &str = "SELECT inbox.id, worker.id, worker.name, inbox.content, inbox.cause
    FROM inbox JOIN worker ON worker.id = inbox.worker WHERE inbox.ladder = $1 AND inbox.id = ANY ($2) LIMIT $3";
/// Rows of workers are locked first and in order, as workers themselves lock them.
const LOCK: &str = "SELECT id FROM worker WHERE id = ANY ($1) ORDER BY id FOR UPDATE";
const COUNT: &str = "UPDATE worker SET blocks = blocks + sum.kept, voids = voids + sum.void
    FROM (SELECT worker AS id, count(*) FILTER (WHERE kept) AS kept, count(*) FILTER (WHERE NOT kept) AS void
          FROM unnest($1::bigint[], $2::boolean[]) AS given (worker, kept) GROUP BY worker) AS sum
    WHERE worker.id = sum.id";
const REFUSE: &str = "SELECT blame(worker, what) FROM unnest($1::bigint[], $2::text[]) AS given (worker, what)";
const TELL: &str = "INSERT INTO refusal (worker, what) SELECT * FROM unnest($1::bigint[], $2::text[])";
const PLAYED: &str = "INSERT INTO played_by (ladder, id, worker) SELECT $1::bigint, * FROM
    unnest($2::text[], $3::bigint[]) ON CONFLICT DO NOTHING";
const TAKE_DOWN: &str = "DELETE FROM inbox WHERE ladder = $1 AND id = ANY ($2)";
const TAKE_BACK: &str = "DELETE FROM offer WHERE ladder = $1 AND id = ANY ($2)";
const RECALL: &str = "DELETE FROM offer WHERE place = ANY (ARRAY(
        SELECT place FROM offer WHERE ladder = $1 AND (worker IS NULL OR until < clock_timestamp())
        ORDER BY place LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING id";
const CROWD: &str = "SELECT board.holder IS NOT DISTINCT FROM $2::text::uuid, count(worker.id), coalesce(sum(wants), 0)
    FROM board JOIN terms ON terms.id = $3 LEFT JOIN worker ON worker.state = 'active'
        AND worker.seen > clock_timestamp() - board.lease AND terms.game = ANY (worker.games)
        AND terms.threads <= worker.cores AND terms.id <> ALL (worker.declined)
    WHERE board.ladder = $1 GROUP BY 1";
const CLOSE: &str = "UPDATE board SET holder = NULL WHERE ladder = $1 AND holder = $2::text::uuid";

/// The board of one ladder, on a connection of its own.
pub struct PostgresBoard {
    record: PostgresRecord,
    ladder: i64,
    /// Who holds the board: whoever held it before is not obeyed any more.
    holder: String,
    terms: i64,
}

impl PostgresBoard {
    /// On the record at this address.
    ///
    /// # Errors
    /// As for a record.
    pub fn open(url: &str) -> Result<PostgresBoard> {
        let record = PostgresRecord::open_careless(url)?;
        Ok(PostgresBoard { record, ladder: 0, holder: String::new(), terms: 0 })
    }

    fn rows(&self, select: &'static str, values: &Values) -> Result<Vec<Row>> {
        let mut open = self.record.connection()?;
        open.rows(select, values).map_err(|error| self.record.fail(error))
    }

    /// Runs statements as one transaction.
    fn all(&self, statements: &[(&'static str, &Values<'_>)]) -> Result<()> {
        let mut open = self.record.connection()?;
        in_one_transaction(&mut open, statements).map_err(|error| self.record.fail(error))
    }
}

/// Blocks as they stand on the board: their ids, and what they are.
fn columns(blocks: &[OfferedBlock]) -> (Vec<&str>, Vec<String>) {
    blocks.iter().map(|block| (block.id.as_str(), crate::record::to_json(block))).unzip()
}

fn in_one_transaction(open: &mut Open, statements: &[(&'static str, &Values<'_>)]) -> std::result::Result<(), Error> {
    open.batch("BEGIN")?;
    let ran = statements.iter().try_for_each(|(text, values)| open.rows(text, values).map(drop));
    open.batch(if ran.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    ran
}

impl Board for PostgresBoard {
    fn post(&mut self, ladder: i64, terms: &PostedTerms) -> Result<()> {
        let PostedTerms { game, threads, content, lease } = terms;
        self.ladder = ladder;
        // All of this may be done twice: where the server is away just now, it is waited for.
        self.holder = self.record.rows(HOLD, &[&ladder, &lease.as_secs_f64()])?[0].get(0);
        let values: &Values = &[&ladder, game, &(*threads as i32), content];
        let same = self.record.rows(SAME_TERMS, values)?;
        self.terms = match same.first() {
            Some(row) => row.get(0),
            None => self.record.rows(TERMS, values)?[0].get(0),
        };
        self.record.rows(CLEAR, &[&ladder])?;
        self.record.rows(KNOWN, &[&ladder])?;
        // Who holds the board, and by which terms, outlives the server: this commit waits for the disk, and all before.
        let hold = "UPDATE board SET holder = holder WHERE ladder = $1";
        let waits = "SET LOCAL synchronous_commit = on";
        self.record.while_away(|open| in_one_transaction(open, &[(waits, &[]), (hold, &[&ladder])]))
    }

    fn has_file(&mut self, hash: &str) -> Result<bool> {
        Ok(!self.record.rows("SELECT 1 FROM file WHERE hash = $1", &[&hash])?.is_empty())
    }

    fn keep_file(&mut self, hash: &str, bytes: &[u8]) -> Result<()> {
        if bytes.len() > LARGEST_FILE {
            let help = "help: strip it (strip --strip-debug FILE), or play it on this machine alone";
            return Err(self.record.trouble(format!("a client's file of more than 256 MiB is not sent; {help}")));
        }
        let keep = "INSERT INTO file (hash, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        self.record.rows(keep, &[&hash, &bytes]).map(drop)
    }

    fn offer(&mut self, blocks: &[OfferedBlock]) -> Result<()> {
        let (ids, contents) = columns(blocks);
        self.rows(OFFER, &[&self.ladder, &self.holder, &self.terms, &ids, &contents]).map(drop)
    }

    fn forgotten(&mut self, blocks: &[&str]) -> Result<Vec<String>> {
        Ok(self.rows(FORGOTTEN, &[&self.ladder, &blocks])?.iter().map(|row| row.get(0)).collect())
    }

    fn deliveries(&mut self, blocks: &[&str]) -> Result<Vec<Delivered>> {
        let delivered = |row: &Row| {
            let (content, cause) = (row.get::<_, Option<String>>(3), row.get::<_, Option<String>>(4));
            let content = content.ok_or_else(|| cause.unwrap_or_default());
            Delivered { id: row.get(0), worker: row.get(1), name: row.get(2), content }
        };
        Ok(self.rows(DELIVERIES, &[&self.ladder, &blocks, &AT_ONCE])?.iter().map(delivered).collect())
    }

    fn settle(&mut self, settled: &[Settled], again: &[OfferedBlock]) -> Result<()> {
        if settled.is_empty() {
            return Ok(());
        }
        let ids: Vec<&str> = settled.iter().map(|one| one.id.as_str()).collect();
        let workers: Vec<i64> = settled.iter().map(|one| one.worker).collect();
        let counted = settled.iter().filter(|one| !matches!(one.verdict, Verdict::Refused(_)));
        let counted: Vec<(i64, bool)> = counted.map(|one| (one.worker, one.verdict == Verdict::Kept)).collect();
        let (owners, kept): (Vec<i64>, Vec<bool>) = counted.into_iter().unzip();
        let played = settled.iter().filter(|one| one.verdict == Verdict::Kept).map(|one| (one.id.as_str(), one.worker));
        let (played, players): (Vec<&str>, Vec<i64>) = played.unzip();
        let refused = settled.iter().filter_map(|one| match &one.verdict {
            Verdict::Refused(what) => Some((one.worker, what.as_str())),
            _ => None,
        });
        let (guilty, whats): (Vec<i64>, Vec<&str>) = refused.unzip();
        let (offered, contents) = columns(again);
        self.all(&[
            (LOCK, &[&workers]),
            (COUNT, &[&owners, &kept]),
            (REFUSE, &[&guilty, &whats]),
            (TELL, &[&guilty, &whats]),
            (PLAYED, &[&self.ladder, &played, &players]),
            (TAKE_DOWN, &[&self.ladder, &ids]),
            (TAKE_BACK, &[&self.ladder, &ids]),
            (OFFER, &[&self.ladder, &self.holder, &self.terms, &offered, &contents]),
        ])
    }

    fn recall(&mut self, most: usize) -> Result<Vec<String>> {
        let rows = self.rows(RECALL, &[&self.ladder, &(most as i64)])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn crowd(&mut self) -> Result<Crowd> {
        let rows = self.rows(CROWD, &[&self.ladder, &self.holder, &self.terms])?;
        match rows.first().filter(|row| row.get(0)) {
            Some(row) => {
                Ok(Crowd { workers: row.get::<_, i64>(1) as u32, wants: row.get::<_, i64>(2).min(1 << 20) as u32 })
            }
            None => {
                Err(self.record.trouble("another agon coordinates this ladder now; help: let it, or stop it first"))
            }
        }
    }

    fn close(&mut self) -> Result<()> {
        self.all(&[(CLEAR, &[&self.ladder]), (CLOSE, &[&self.ladder, &self.holder])])
    }
}
