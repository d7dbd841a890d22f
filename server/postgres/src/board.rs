//! The board of a ladder, as its coordinator sees it. Data lost with a server is offered again, so no block waits for a
//! disk here: the record does.

use crate::connection::{OpenConnection, PostgresRecord, Unit, Values};
use crate::forget::DROP;
use crate::guests;
use crate::roster::REOPEN;
use agon_record::Result;
use agon_record::board::{Board, Crowd, Delivered, LARGEST_FILE, Offer, PostedTerms, Settled, Verdict};
use postgres::error::SqlState;
use postgres::{Error, Row};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// The strikes of a refusal, and those of a result that differs from two equal ones: three strikes exclude a worker.
const STRIKE: i32 = 1;
const OUT: i32 = 3;
/// This number of void blocks, and one of this number of played ones, count as nobody's fault.
const VOIDS: i64 = 5;
const VOID_SHARE: i64 = 20;
/// How long an act is retried before it fails, and the pause between two tries.
const AWAY: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(500);
/// The most deliveries to read at a time.
const AT_ONCE: i64 = 256;
/// The most bytes of them, except that one is always read.
const BYTES_AT_ONCE: i64 = 32 << 20;

const HOLD: &str = "INSERT INTO board (ladder, holder, lease) VALUES ($1, gen_random_uuid(), make_interval(secs => $2))
    ON CONFLICT (ladder) DO UPDATE SET holder = gen_random_uuid(), lease = make_interval(secs => $2)
    RETURNING holder::text";
const SAME_TERMS: &str = "SELECT id FROM terms WHERE ladder = $1 AND game = $2 AND threads = $3 AND content = $4
    ORDER BY id DESC LIMIT 1";
const TERMS: &str = "INSERT INTO terms (ladder, game, threads, content) VALUES ($1, $2, $3, $4) RETURNING id";
const CLEAR: &str = "DELETE FROM offer WHERE ladder = $1 AND (worker IS NULL OR until < clock_timestamp())";
/// The blocks that a killed coordinator had kept and not counted.
const UNCOUNTED: &str = "INSERT INTO played_by (ladder, id, worker) SELECT inbox.ladder, inbox.id, inbox.worker
    FROM inbox JOIN block ON block.ladder = inbox.ladder AND block.id = inbox.id WHERE inbox.ladder = $1
    ON CONFLICT DO NOTHING";
const KNOWN: &str =
    "DELETE FROM inbox USING block WHERE inbox.ladder = $1 AND block.ladder = $1 AND block.id = inbox.id";
/// The workers that must not play the blocks come as the text of an array. For a block to be played again, deliveries
/// by earlier leases do not count.
const OFFER: &str = "INSERT INTO offer (ladder, id, holder, terms, content, not_to, after, lineup)
    SELECT $1::bigint, id, $2::text::uuid, $3::bigint, content, CASE WHEN not_to <> '{}' THEN
        ARRAY(SELECT DISTINCT party FROM worker WHERE worker.id = ANY (not_to::bigint[])) END,
        CASE WHEN $7 THEN (SELECT last_value FROM offer_lease) ELSE 0 END,
        lineup::bigint[]
    FROM unnest($4::text[], $5::text[], $6::text[], $8::text[]) WITH ORDINALITY
        AS given (id, content, not_to, lineup, place)
    WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.ladder = $1 AND inbox.id = given.id) ORDER BY place
    ON CONFLICT (ladder, id, copy) DO UPDATE SET holder = excluded.holder";
/// One of the last blocks that are under way: its present holder does not get it a second time.
const OFFER_TWICE: &str = "INSERT INTO offer (ladder, id, holder, terms, content, after, lineup, copy, not_to)
    SELECT ladder, id, holder, terms, content, after, lineup, 1,
        coalesce(not_to, '{}') || ARRAY(SELECT party FROM worker WHERE worker.id = offer.worker)
    FROM offer WHERE ladder = $1 AND copy = 0 AND worker IS NOT NULL
        AND since < clock_timestamp() - make_interval(secs => $2)
        AND NOT EXISTS (SELECT 1 FROM offer AS free WHERE free.ladder = $1 AND free.worker IS NULL)
    ORDER BY place LIMIT 64 ON CONFLICT DO NOTHING";
/// Leases end only while the coordinator watches: after a gap of the server, the network or the coordinator, all of
/// them begin again. A gap is longer than a quarter of a lease, and than a loaded machine may take for a look.
const WATCH: &str = "WITH before AS MATERIALIZED (SELECT looked, lease FROM board WHERE ladder = $1 FOR UPDATE),
    now_looked AS (UPDATE board SET looked = clock_timestamp() WHERE ladder = $1)
    UPDATE offer SET until = clock_timestamp() + before.lease FROM before
    WHERE offer.ladder = $1 AND offer.worker IS NOT NULL
        AND coalesce(before.looked < clock_timestamp() - greatest(before.lease / 4, '5 s'), true)";
const END_LEASES: &str = "UPDATE offer SET worker = NULL, lease = NULL, until = NULL
    WHERE ladder = $1 AND until < clock_timestamp()";
/// No free block precedes the front; returns its state, and the blocks that came back while it moved.
const MOVE_FRONT: &str = "SELECT move_front(false)";
const SEEK_FRONT: &str = "SELECT move_front(true)";
const FORGOTTEN: &str = "SELECT given.id FROM unnest($2::text[]) AS given (id)
    WHERE NOT EXISTS (SELECT 1 FROM offer WHERE offer.ladder = $1 AND offer.id = given.id)
        AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.ladder = $1 AND inbox.id = given.id)";
const DELIVERIES: &str = "SELECT part.id, worker.id, worker.name, part.content, part.cause, part.took, part.number,
        (extract(epoch FROM part.at) * 1000000)::bigint
    FROM (SELECT coming.*, row_number() OVER (ORDER BY number) AS place,
            sum(octet_length(coalesce(content, cause))) OVER (ORDER BY number) AS bytes
        FROM (SELECT * FROM inbox WHERE inbox.ladder = $1 AND inbox.number > $2 ORDER BY number LIMIT $3) AS coming)
        AS part JOIN worker ON worker.id = part.worker
    WHERE part.bytes <= $4 OR part.place = 1 ORDER BY part.number";
/// Rows of workers are locked first and in order, as workers themselves lock them.
const LOCK: &str = "SELECT id FROM worker WHERE id = ANY ($1) ORDER BY id FOR UPDATE";
const COUNT: &str = "UPDATE worker SET blocks = blocks + sum.kept, voids = voids + sum.void
    FROM (SELECT worker AS id, count(*) FILTER (WHERE kept) AS kept, count(*) FILTER (WHERE NOT kept) AS void
          FROM unnest($1::bigint[], $2::boolean[]) AS given (worker, kept) GROUP BY worker) AS sum
    WHERE worker.id = sum.id";
const REFUSE: &str = "SELECT blame(worker, what, weight)
    FROM unnest($1::bigint[], $2::text[], $3::integer[]) AS given (worker, what, weight)";
const TELL: &str = "INSERT INTO refusal (worker, what) SELECT * FROM unnest($1::bigint[], $2::text[])";
/// A void block counts for nobody. A worker that delivers too many, among all deliveries of its party, is blamed for
/// them.
const TOO_VOID: &str = "INSERT INTO refusal (worker, what)
    SELECT worker.id, blame(worker.id, format('%s of %s blocks could not be played by this worker; help: look at what \
            its machine lacks: agon doctor', party.voids, party.voids + party.blocks), $4)
    FROM worker JOIN LATERAL (SELECT sum(voids) AS voids, sum(blocks) AS blocks FROM worker AS its
        WHERE its.party = worker.party) AS party ON party.voids > $2::bigint + party.blocks / $3::bigint
    WHERE worker.id = ANY ($1::bigint[])";
const PLAYED: &str = "INSERT INTO played_by (ladder, id, worker) SELECT $1::bigint, * FROM
    unnest($2::text[], $3::bigint[]) ON CONFLICT DO NOTHING";
const TAKE_DOWN: &str = "DELETE FROM inbox WHERE ladder = $1 AND id = ANY ($2)";
const TAKE_BACK: &str = "DELETE FROM offer WHERE ladder = $1 AND id = ANY ($2)";
const RECALL: &str = "DELETE FROM offer WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM offer WHERE ladder = $1 AND (worker IS NULL OR until < clock_timestamp())
        ORDER BY place LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING id";
const CROWD: &str = "SELECT board.holder IS NOT DISTINCT FROM $2::text::uuid, count(worker.id), coalesce(sum(wants), 0)
    FROM board JOIN terms ON terms.id = $3 LEFT JOIN worker ON worker.state = 'active'
        AND worker.seen > clock_timestamp() - board.lease AND terms.game = ANY (worker.games)
        AND terms.threads <= worker.cores AND terms.id <> ALL (worker.declined)
    WHERE board.ladder = $1 GROUP BY 1";
const BUILDS: &str = "SELECT build, min(name) FROM worker, board WHERE board.ladder = $1 AND state = 'active'
        AND seen > clock_timestamp() - board.lease GROUP BY build ORDER BY build LIMIT 16";
/// The blocks of workers in a ladder that differed from two others, and of all that come with the same key.
const DISTRUSTED: &str = "SELECT array_agg(block.number) FROM played_by
    JOIN worker ON worker.id = played_by.worker
    JOIN block ON block.ladder = played_by.ladder AND block.id = played_by.id
    WHERE played_by.ladder = $1 AND worker.party IN (SELECT party FROM worker WHERE differed) AND is_out(worker.party)";
const NOT_PLAYED: &str = "DELETE FROM played_by WHERE ladder = $1 AND worker IN (SELECT id FROM worker
    WHERE party IN (SELECT party FROM worker WHERE differed) AND is_out(party))";
const DESERTED: &str =
    "SELECT offer.id FROM offer JOIN board ON board.ladder = offer.ladder JOIN terms ON terms.id = $3
    WHERE offer.ladder = $1 AND offer.id = ANY ($2) AND offer.copy = 0 AND offer.worker IS NULL AND NOT EXISTS (
        SELECT 1 FROM worker WHERE worker.state = 'active' AND worker.seen > clock_timestamp() - board.lease
            AND terms.game = ANY (worker.games) AND terms.threads <= worker.cores AND terms.id <> ALL (worker.declined)
            AND worker.party <> ALL (coalesce(offer.not_to, '{}'))
            AND NOT coalesce(offer.lineup, '{}') && worker.lacks)";
/// Clients with blocks on the board that no present worker can open, each with one worker's reason.
const UNPLAYABLE: &str = "SELECT entrant.label, min(worker.why) FROM entrant
    JOIN worker ON entrant.id = ANY (worker.lacks) JOIN board ON board.ladder = entrant.ladder
    WHERE entrant.ladder = $1 AND worker.state = 'active' AND worker.seen > clock_timestamp() - board.lease
        AND EXISTS (SELECT 1 FROM offer WHERE offer.ladder = $1 AND entrant.id = ANY (offer.lineup))
        AND NOT EXISTS (SELECT 1 FROM worker AS able, terms WHERE terms.id = $2 AND able.state = 'active'
            AND able.seen > clock_timestamp() - board.lease AND terms.game = ANY (able.games)
            AND terms.threads <= able.cores AND terms.id <> ALL (able.declined) AND entrant.id <> ALL (able.lacks))
    GROUP BY entrant.label ORDER BY entrant.label LIMIT 8";
/// The rows that nobody will read.
const TIDY: [&str; 2] = [
    "DELETE FROM refusal WHERE at < now() - interval '7 days'",
    "DELETE FROM worker WHERE seen < now() - interval '7 days' AND strikes = 0 AND state <> 'banned'
        AND NOT EXISTS (SELECT 1 FROM played_by WHERE played_by.worker = worker.id)
        AND NOT EXISTS (SELECT 1 FROM offer WHERE offer.worker = worker.id)
        AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.worker = worker.id)
        AND NOT EXISTS (SELECT 1 FROM refusal WHERE refusal.worker = worker.id)",
];
/// Ends sessions of workers that leave a transaction open, if this user may end them. A worker's call takes only a
/// moment, and an open transaction locks rows that the ladder needs.
const END_SITTERS: &str = "SELECT usename::text, pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename IN (SELECT role FROM invitation)
        AND pg_has_role(usesysid, 'USAGE')
        AND xact_start < clock_timestamp() - (SELECT lease FROM board WHERE ladder = $1)
        AND (backend_xid IS NOT NULL OR state LIKE 'idle in transaction%')";
const CLOSE: &str = "UPDATE board SET holder = NULL WHERE ladder = $1 AND holder = $2::text::uuid";

/// The board of one ladder, on its own connection.
pub struct PostgresBoard {
    record: PostgresRecord,
    ladder: i64,
    /// The holder of the board: earlier holders are not obeyed any more.
    holder: String,
    terms: i64,
    /// The last delivery that was reported.
    told: i64,
    /// The notes for the next look.
    notes: RefCell<Vec<String>>,
}

impl PostgresBoard {
    /// Opens the board of the record at this address.
    ///
    /// # Errors
    /// The same as for a record.
    pub fn open(url: &str) -> Result<PostgresBoard> {
        let record = PostgresRecord::open_careless(url)?;
        Ok(PostgresBoard { record, ladder: 0, holder: String::new(), terms: 0, told: 0, notes: RefCell::default() })
    }

    fn rows(&self, select: &'static str, values: &Values) -> Result<Vec<Row>> {
        let rows = self.record.connection()?.rows(select, values);
        self.heard(rows)
    }

    /// Runs statements as one transaction.
    fn all(&self, statements: &[(&'static str, &Values<'_>)]) -> Result<()> {
        let ran = in_one_transaction(&mut *self.record.connection()?, statements);
        self.heard(ran)
    }

    /// Retries statements for a while if the server is away or rows are locked.
    fn all_patiently(&self, statements: &[(&'static str, &Values<'_>)]) -> Result<()> {
        let asked = Instant::now();
        loop {
            match self.all(statements) {
                Err(error) if error.is_shortage() && asked.elapsed() < AWAY => std::thread::sleep(PAUSE),
                done => return done,
            }
        }
    }

    /// Takes an answer. If it waited in vain for rows, the session that locks them is ended, and the act may be
    /// retried.
    fn heard<T>(&self, came: std::result::Result<T, Error>) -> Result<T> {
        came.map_err(|error| {
            if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) {
                self.end_sitters();
            }
            self.record.fail(error)
        })
    }

    fn end_sitters(&self) {
        // If this fails, the next look does it.
        let rows = self.record.connection().ok().and_then(|mut open| open.rows(END_SITTERS, &[&self.ladder]).ok());
        let note = |row: &Row| {
            let role: String = row.get(0);
            format!(
                "ended a session of {role} that kept rows of the record locked; agon worker list tells who comes as {role}, \
                 and agon worker ban ID keeps it off"
            )
        };
        self.notes.borrow_mut().extend(rows.iter().flatten().map(note));
    }

    /// Restores changed settings of shared roles, and shares a full line among machines.
    fn see_to_guests(&self) -> Result<()> {
        let notes = guests::see_to(&mut *self.record.connection()?);
        self.notes.borrow_mut().extend(self.heard(notes)?);
        Ok(())
    }
}

/// Blocks as columns of the board: ids, contents, excluded workers, and entrants.
type Columns<'a> = (Vec<&'a str>, Vec<String>, Vec<String>, Vec<String>);

fn columns(offers: &[Offer]) -> Columns<'_> {
    let list = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let array = |numbers: &[i64]| format!("{{{}}}", list(numbers));
    (
        offers.iter().map(|offer| offer.block.id.as_str()).collect(),
        offers.iter().map(|offer| crate::record::to_json(&offer.block)).collect(),
        offers.iter().map(|offer| array(&offer.not_to)).collect(),
        offers.iter().map(|offer| array(&offer.block.lineup)).collect(),
    )
}

fn in_one_transaction(
    open: &mut OpenConnection,
    statements: &[(&'static str, &Values<'_>)],
) -> std::result::Result<(), Error> {
    open.batch("BEGIN")?;
    let ran = statements.iter().try_for_each(|(text, values)| open.rows(text, values).map(drop));
    open.batch(if ran.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    ran
}

impl Board for PostgresBoard {
    fn post(&mut self, ladder: i64, terms: &PostedTerms) -> Result<()> {
        let PostedTerms { game, threads, content, lease } = terms;
        (self.ladder, self.told) = (ladder, 0);
        // All of this may be done twice: if the server is away, the coordinator waits for it.
        self.holder = self.record.rows(HOLD, &[&ladder, &lease.as_secs_f64()])?[0].get(0);
        let values: &Values = &[&ladder, game, &(*threads as i32), content];
        let same = self.record.rows(SAME_TERMS, values)?;
        self.terms = match same.first() {
            Some(row) => row.get(0),
            None => self.record.rows(TERMS, values)?[0].get(0),
        };
        // The holder of the board and its terms outlive the server: this commit waits for the disk, and for all earlier
        // ones.
        let hold = "UPDATE board SET holder = holder WHERE ladder = $1";
        let waits = "SET LOCAL synchronous_commit = on";
        let of_ladder: &Values = &[&ladder];
        let steps = [
            (waits, &[] as &Values),
            (WATCH, of_ladder),
            (CLEAR, of_ladder),
            (UNCOUNTED, of_ladder),
            (KNOWN, of_ladder),
        ];
        self.all_patiently(&steps)?;
        self.all_patiently(&[(waits, &[]), (hold, of_ladder)])
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

    fn offer(&mut self, offers: &[Offer]) -> Result<()> {
        let (ids, contents, not_to, lineups) = columns(offers);
        let values: &Values = &[&self.ladder, &self.holder, &self.terms, &ids, &contents, &not_to, &false, &lineups];
        self.rows(OFFER, values).map(drop)
    }

    fn forgotten(&mut self, blocks: &[&str]) -> Result<Vec<String>> {
        // A delivery may become visible after one with a later number.
        self.told = 0;
        Ok(self.rows(FORGOTTEN, &[&self.ladder, &blocks])?.iter().map(|row| row.get(0)).collect())
    }

    fn deliveries(&mut self) -> Result<Vec<Delivered>> {
        let delivered = |row: &Row| {
            let (content, cause) = (row.get::<_, Option<String>>(3), row.get::<_, Option<String>>(4));
            let content = content.ok_or_else(|| cause.unwrap_or_default());
            let took = row.get::<_, Option<f64>>(5).and_then(|took| Duration::try_from_secs_f64(took).ok());
            let (took, at) = (took.unwrap_or_default(), row.get::<_, i64>(7).cast_unsigned());
            Delivered { id: row.get(0), worker: row.get(1), name: row.get(2), content, took, at }
        };
        self.rows(MOVE_FRONT, &[])?;
        let rows = self.rows(DELIVERIES, &[&self.ladder, &self.told, &AT_ONCE, &BYTES_AT_ONCE])?;
        self.told = rows.last().map_or(self.told, |row| row.get(6));
        Ok(rows.iter().map(delivered).collect())
    }

    fn settle(&mut self, settled: &[Settled], again: &[Offer]) -> Result<()> {
        if settled.is_empty() {
            return Ok(());
        }
        let ids: Vec<&str> = settled.iter().map(|one| one.id.as_str()).collect();
        let workers: Vec<i64> = settled.iter().map(|one| one.worker).collect();
        let counted = settled.iter().filter(|one| matches!(one.verdict, Verdict::Kept | Verdict::Void));
        let counted: Vec<(i64, bool)> = counted.map(|one| (one.worker, one.verdict == Verdict::Kept)).collect();
        let (owners, kept): (Vec<i64>, Vec<bool>) = counted.into_iter().unzip();
        let played = settled.iter().filter(|one| one.verdict == Verdict::Kept).map(|one| (one.id.as_str(), one.worker));
        let (played, players): (Vec<&str>, Vec<i64>) = played.unzip();
        let refused = settled.iter().filter_map(|one| match &one.verdict {
            Verdict::Refused(what) => Some((one.worker, (what.as_str(), STRIKE))),
            Verdict::Differs(what) => Some((one.worker, (what.as_str(), OUT))),
            _ => None,
        });
        let (guilty, (whats, weights)): (Vec<i64>, (Vec<&str>, Vec<i32>)) = refused.unzip();
        let void = settled.iter().filter(|one| one.verdict == Verdict::Void).map(|one| one.worker);
        let void: Vec<i64> = void.collect();
        let (offered, contents, not_to, lineups) = columns(again);
        self.all(&[
            (LOCK, &[&workers]),
            (COUNT, &[&owners, &kept]),
            (REFUSE, &[&guilty, &whats, &weights]),
            (TELL, &[&guilty, &whats]),
            (TOO_VOID, &[&void, &VOIDS, &VOID_SHARE, &STRIKE]),
            (PLAYED, &[&self.ladder, &played, &players]),
            (TAKE_DOWN, &[&self.ladder, &ids]),
            (TAKE_BACK, &[&self.ladder, &ids]),
            (OFFER, &[&self.ladder, &self.holder, &self.terms, &offered, &contents, &not_to, &true, &lineups]),
        ])
    }

    fn offer_twice(&mut self, after: Duration) -> Result<u64> {
        let offered = self.record.connection()?.execute(OFFER_TWICE, &[&self.ladder, &after.as_secs_f64()]);
        self.heard(offered)
    }

    fn deserted(&mut self, blocks: &[&str]) -> Result<Vec<String>> {
        let rows = self.rows(DESERTED, &[&self.ladder, &blocks, &self.terms])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn tidy(&mut self) -> Result<()> {
        TIDY.iter().try_for_each(|delete| self.rows(delete, &[]).map(drop))
    }

    fn recall(&mut self, most: usize) -> Result<Vec<String>> {
        let rows = self.rows(RECALL, &[&self.ladder, &(most as i64)])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn crowd(&mut self) -> Result<Crowd> {
        self.end_sitters();
        self.see_to_guests()?;
        for row in self.rows(UNPLAYABLE, &[&self.ladder, &self.terms])? {
            let (label, why): (String, Option<String>) = (row.get(0), row.get(1));
            let note = format!(
                "no worker that is there can open client {label}, and its blocks wait: {}",
                why.unwrap_or_default()
            );
            self.notes.borrow_mut().push(note);
        }
        self.rows(WATCH, &[&self.ladder])?;
        self.rows(END_LEASES, &[&self.ladder])?;
        self.rows(SEEK_FRONT, &[])?;
        let rows = self.rows(CROWD, &[&self.ladder, &self.holder, &self.terms])?;
        match rows.first().filter(|row| row.get(0)) {
            Some(row) => Ok(Crowd {
                workers: row.get::<_, i64>(1) as u32,
                wants: row.get::<_, i64>(2).min(1 << 20) as u32,
                notes: self.notes.take(),
                builds: self.rows(BUILDS, &[&self.ladder])?.iter().map(|row| (row.get(0), row.get(1))).collect(),
            }),
            None => Err(self.record.taken_over()),
        }
    }

    fn take_out(&mut self, ladder: i64) -> Result<u64> {
        let found = self.record.rows(DISTRUSTED, &[&ladder])?;
        let Some(blocks) = found[0].get::<_, Option<Vec<i64>>>(0) else { return Ok(0) };
        self.record.begin()?;
        let unit = Unit::of(&self.record);
        self.record.batch("SET LOCAL synchronous_commit = on")?;
        DROP.iter().try_for_each(|delete| self.record.execute(delete, &[&blocks]).map(drop))?;
        [NOT_PLAYED, REOPEN].iter().try_for_each(|delete| self.record.execute(delete, &[&ladder]).map(drop))?;
        unit.commit()?;
        Ok(blocks.len() as u64)
    }

    fn close(&mut self) -> Result<()> {
        self.all(&[(CLEAR, &[&self.ladder]), (CLOSE, &[&self.ladder, &self.holder])])
    }
}
