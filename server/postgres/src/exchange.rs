//! The exchange of a ladder, as its coordinator sees it. Data lost with a server is offered again, so no block waits
//! for a disk here: the record does.

mod statements;

use crate::connection::{OpenConnection, PostgresRecord, Unit, Values};
use crate::forget::DROP_BLOCKS;
use crate::role_upkeep;
use crate::roster::REOPEN;
use agon_model::{EntrantId, LadderId};
use agon_record::Result;
use agon_record::exchange::{Crowd, Delivered, DeliveryVerdict, Exchange, LARGEST_FILE, Offer, PostedTerms, Settled};
use postgres::error::SqlState;
use postgres::{Error, Row};
use statements::{
    BUILDS, CLEAR, CLOSE, COUNT, CROWD, DELIVERIES, DESERTED, DISTRUSTED, END_LEASES, END_SITTERS, FORGOTTEN, HOLD,
    KNOWN, LOCK, MOVE_FRONT, NOT_PLAYED, OFFER, OFFER_TWICE, PLAYED, RECALL, REFUSE, SAME_TERMS, SEEK_FRONT, TAKE_BACK,
    TAKE_DOWN, TELL, TERMS, TIDY, TOO_VOID, UNCOUNTED, UNPLAYABLE, WAS_AWAY, WATCH,
};
use std::cell::RefCell;
use std::time::{Duration, Instant};

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

/// The exchange of one ladder, on its own connection.
pub struct PostgresExchange {
    record: PostgresRecord,
    ladder: LadderId,
    /// The holder of the exchange: earlier holders are not obeyed any more.
    holder: String,
    terms: i64,
    lease: Duration,
    /// When the exchange was first seen after a gap, in which no worker could report.
    back: Option<Instant>,
    /// The last delivery that was reported.
    told: i64,
    /// The notes for the next look.
    notes: RefCell<Vec<String>>,
}

impl PostgresExchange {
    /// Opens the exchange of the record at this address.
    pub fn open(url: &str) -> Result<PostgresExchange> {
        let record = PostgresRecord::open_careless(url)?;
        Ok(PostgresExchange {
            record,
            ladder: LadderId(0),
            holder: String::new(),
            terms: 0,
            lease: Duration::ZERO,
            back: None,
            told: 0,
            notes: RefCell::default(),
        })
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
        let rows = self.record.connection().ok().and_then(|mut open| open.rows(END_SITTERS, &[&self.ladder.0]).ok());
        let note = |row: &Row| {
            let role: String = row.get(0);
            format!(
                "ended a session of {role} that kept a transaction open for longer than a lease; agon worker list tells who comes as {role}, \
                 and agon worker ban ID keeps it off"
            )
        };
        self.notes.borrow_mut().extend(rows.iter().flatten().map(note));
    }

    /// Takes notice of a gap, before a look ends it.
    fn notice_gap(&mut self, rows: &[Row]) {
        if rows.first().is_some_and(|row| row.get(0)) {
            self.back = Some(Instant::now());
        }
    }

    /// Restores changed settings of shared roles, and shares a full invitation among machines.
    fn look_after_roles(&self) -> Result<()> {
        let notes = role_upkeep::look_after(&mut *self.record.connection()?);
        self.notes.borrow_mut().extend(self.heard(notes)?);
        Ok(())
    }
}

/// Blocks as columns of the exchange: ids, contents, excluded workers, and entrants.
type Columns<'a> = (Vec<&'a str>, Vec<String>, Vec<String>, Vec<String>);

fn columns(offers: &[Offer]) -> Columns<'_> {
    let list = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    let array = |numbers: &[i64]| format!("{{{}}}", list(numbers));
    let numbers_of = |ids: &[EntrantId]| ids.iter().map(|id| id.0).collect::<Vec<_>>();
    (
        offers.iter().map(|offer| offer.block.id.as_str()).collect(),
        offers.iter().map(|offer| agon_record::to_json(&offer.block)).collect(),
        offers.iter().map(|offer| array(&offer.not_to)).collect(),
        offers.iter().map(|offer| array(&numbers_of(&offer.block.lineup))).collect(),
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

impl Exchange for PostgresExchange {
    fn post(&mut self, ladder: LadderId, terms: &PostedTerms) -> Result<()> {
        let PostedTerms { game, threads, content, lease } = terms;
        (self.ladder, self.lease, self.told) = (ladder, *lease, 0);
        // All of this may be done twice: if the server is away, the coordinator waits for it.
        self.holder = self.record.rows(HOLD, &[&ladder.0, &lease.as_secs_f64()])?[0].get(0);
        self.notice_gap(&self.record.rows(WAS_AWAY, &[&ladder.0])?);
        let values: &Values = &[&ladder.0, game, &(*threads as i32), content];
        let same = self.record.rows(SAME_TERMS, values)?;
        self.terms = match same.first() {
            Some(row) => row.get(0),
            None => self.record.rows(TERMS, values)?[0].get(0),
        };
        // The holder of the exchange and its terms outlive the server: this commit waits for the disk, and for all
        // earlier ones.
        let hold = "UPDATE board SET holder = holder WHERE ladder = $1";
        let waits = "SET LOCAL synchronous_commit = on";
        let of_ladder: &Values = &[&ladder.0];
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
            let most = LARGEST_FILE >> 20;
            return Err(self.record.trouble(format!("a client's file of more than {most} MiB is not sent; {help}")));
        }
        let keep = "INSERT INTO file (hash, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        self.record.rows(keep, &[&hash, &bytes]).map(drop)
    }

    fn offer(&mut self, offers: &[Offer]) -> Result<()> {
        let (ids, contents, not_to, lineups) = columns(offers);
        let values: &Values = &[&self.ladder.0, &self.holder, &self.terms, &ids, &contents, &not_to, &false, &lineups];
        self.rows(OFFER, values).map(drop)
    }

    fn forgotten(&mut self, blocks: &[&str]) -> Result<Vec<String>> {
        // A delivery may become visible after one with a later number.
        self.told = 0;
        Ok(self.rows(FORGOTTEN, &[&self.ladder.0, &blocks])?.iter().map(|row| row.get(0)).collect())
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
        let rows = self.rows(DELIVERIES, &[&self.ladder.0, &self.told, &AT_ONCE, &BYTES_AT_ONCE])?;
        self.told = rows.last().map_or(self.told, |row| row.get(6));
        Ok(rows.iter().map(delivered).collect())
    }

    fn settle(&mut self, settled: &[Settled], again: &[Offer]) -> Result<()> {
        if settled.is_empty() {
            return Ok(());
        }
        let ids: Vec<&str> = settled.iter().map(|one| one.id.as_str()).collect();
        let workers: Vec<i64> = settled.iter().map(|one| one.worker).collect();
        let counted = settled.iter().filter(|one| matches!(one.verdict, DeliveryVerdict::Kept | DeliveryVerdict::Void));
        let counted: Vec<(i64, bool)> = counted.map(|one| (one.worker, one.verdict == DeliveryVerdict::Kept)).collect();
        let (owners, kept): (Vec<i64>, Vec<bool>) = counted.into_iter().unzip();
        let played =
            settled.iter().filter(|one| one.verdict == DeliveryVerdict::Kept).map(|one| (one.id.as_str(), one.worker));
        let (played, players): (Vec<&str>, Vec<i64>) = played.unzip();
        let refused = settled.iter().filter_map(|one| match &one.verdict {
            DeliveryVerdict::Refused(what) => Some((one.worker, (what.as_str(), false))),
            DeliveryVerdict::Differs(what) => Some((one.worker, (what.as_str(), true))),
            _ => None,
        });
        let (guilty, (whats, differ)): (Vec<i64>, (Vec<&str>, Vec<bool>)) = refused.unzip();
        let void = settled.iter().filter(|one| one.verdict == DeliveryVerdict::Void).map(|one| one.worker);
        let void: Vec<i64> = void.collect();
        let (offered, contents, not_to, lineups) = columns(again);
        self.all(&[
            (LOCK, &[&workers]),
            (COUNT, &[&owners, &kept]),
            (REFUSE, &[&guilty, &whats, &differ]),
            (TELL, &[&guilty, &whats]),
            (TOO_VOID, &[&void, &VOIDS, &VOID_SHARE]),
            (PLAYED, &[&self.ladder.0, &played, &players]),
            (TAKE_DOWN, &[&self.ladder.0, &ids]),
            (TAKE_BACK, &[&self.ladder.0, &ids]),
            (OFFER, &[&self.ladder.0, &self.holder, &self.terms, &offered, &contents, &not_to, &true, &lineups]),
        ])
    }

    fn offer_twice(&mut self, after: Duration) -> Result<u64> {
        let offered = self.record.connection()?.execute(OFFER_TWICE, &[&self.ladder.0, &after.as_secs_f64()]);
        self.heard(offered)
    }

    fn deserted(&mut self, blocks: &[&str]) -> Result<Vec<String>> {
        // After a gap, workers have as long to come back as they may be silent.
        if self.back.is_some_and(|back| back.elapsed() < self.lease) {
            return Ok(Vec::new());
        }
        let rows = self.rows(DESERTED, &[&self.ladder.0, &blocks, &self.terms])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn tidy(&mut self) -> Result<()> {
        TIDY.iter().try_for_each(|delete| self.rows(delete, &[]).map(drop))
    }

    fn recall(&mut self, most: usize) -> Result<Vec<String>> {
        let rows = self.rows(RECALL, &[&self.ladder.0, &(most as i64)])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn crowd(&mut self) -> Result<Crowd> {
        self.end_sitters();
        self.look_after_roles()?;
        for row in self.rows(UNPLAYABLE, &[&self.ladder.0, &self.terms])? {
            let (label, why): (String, Option<String>) = (row.get(0), row.get(1));
            let note = format!(
                "no worker that is there can open client {label}, and its blocks wait: {}",
                why.unwrap_or_default()
            );
            self.notes.borrow_mut().push(note);
        }
        self.notice_gap(&self.rows(WAS_AWAY, &[&self.ladder.0])?);
        self.rows(WATCH, &[&self.ladder.0])?;
        self.rows(END_LEASES, &[&self.ladder.0])?;
        self.rows(SEEK_FRONT, &[])?;
        let rows = self.rows(CROWD, &[&self.ladder.0, &self.holder, &self.terms])?;
        match rows.first().filter(|row| row.get(0)) {
            Some(row) => Ok(Crowd {
                workers: row.get::<_, i64>(1) as u32,
                wants: row.get::<_, i64>(2).min(1 << 20) as u32,
                notes: self.notes.take(),
                builds: self.rows(BUILDS, &[&self.ladder.0])?.iter().map(|row| (row.get(0), row.get(1))).collect(),
            }),
            None => Err(self.record.taken_over()),
        }
    }

    fn take_out(&mut self, ladder: LadderId) -> Result<u64> {
        let found = self.record.rows(DISTRUSTED, &[&ladder.0])?;
        let Some(blocks) = found[0].get::<_, Option<Vec<i64>>>(0) else { return Ok(0) };
        self.record.begin()?;
        let unit = Unit::of(&self.record);
        self.record.batch("SET LOCAL synchronous_commit = on")?;
        DROP_BLOCKS.iter().try_for_each(|delete| self.record.execute(delete, &[&blocks]).map(drop))?;
        [NOT_PLAYED, REOPEN].iter().try_for_each(|delete| self.record.execute(delete, &[&ladder.0]).map(drop))?;
        unit.commit()?;
        Ok(blocks.len() as u64)
    }

    fn close(&mut self) -> Result<()> {
        self.all(&[(CLEAR, &[&self.ladder.0]), (CLOSE, &[&self.ladder.0, &self.holder])])
    }
}
