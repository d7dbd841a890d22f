//! A worker's requests to a record: functions of the database, on a connection that is renewed when it breaks.

use crate::address::{Address, cause_of, refusal};
use crate::connection::{OpenConnection, Values, is_passing};
use agon_model::{EntrantId, LadderId};
use agon_record::exchange::{
    Claimed, Delivery, Greeting, Lease, LinkError, LinkResult, OfferedBlock, Orders, PROTOCOL, WorkerLink,
};
use agon_record::over_http::{InvitationKey, UNKNOWN_INVITATION};
use postgres::error::SqlState;
use postgres::types::{FromSql, ToSql};
use postgres::{Error, Row};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the server may take to answer at the beginning.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// The code by which the functions refuse.
const NO: &str = "AG001";
/// The code with which they tell that nothing more comes.
const OVER: &str = "AG002";
/// The code with which they tell that a worker may come later.
const LATER: &str = "AG003";

/// No act of a worker waits for a disk: data lost with the server is offered again. The worker's identity outlives the
/// server. Settings that users of a shared role could change do not affect a session that sets its own.
const CARELESS: &str = "-c synchronous_commit=off -c statement_timeout=0 -c lock_timeout=0 \
    -c idle_in_transaction_session_timeout=0 -c default_transaction_read_only=off";
/// A worker that comes by the pages waits for its answer at most a minute, and no statement of it waits longer for locks.
const BY_PAGES: &str = "-c statement_timeout=25s";
const HELLO: &str = "SELECT agon.worker_hello($1, $2, $3, $4, $5, $6, $7, $8)::text
    FROM set_config('synchronous_commit', 'on', true)";
const SPEED: &str = "SELECT agon.worker_speed($1::text::uuid, $2, $3, $4)
    FROM set_config('synchronous_commit', 'on', true)";
const EXCHANGE: &str = "SELECT ladder, block, lease, proof, terms, content, refusal
    FROM agon.worker_exchange($1::text::uuid, $2, $3, $4, $5, $6, $7, $8, $9)";
const TERMS: &str = "SELECT agon.worker_terms($1::text::uuid, $2)";
const FILE_PART: &str = "SELECT agon.worker_file_part($1::text::uuid, $2, $3)";
const DECLINE: &str = "SELECT agon.worker_decline($1::text::uuid, $2, $3)";
const LACK: &str = "SELECT agon.worker_lack($1::text::uuid, $2, $3)";
const BEAT: &str = "SELECT drain, lease, refusals FROM agon.worker_beat($1::text::uuid, $2)";
const RELEASE: &str = "SELECT agon.worker_release($1::text::uuid, $2)";
const LEAVE: &str = "SELECT agon.worker_leave($1::text::uuid)";

/// The message to strangers about any trouble of the database.
const NOT_REACHED: &str = "the record is not reached just now";
/// How long the operator does not read of the same cause again.
const SILENCE: Duration = Duration::from_secs(60);
/// The most blocks to deliver at once.
const MOST_DELIVERED: usize = 128;

/// A worker's link to a record.
pub struct PostgresLink {
    address: Address,
    open: Option<OpenConnection>,
    key: String,
}

impl PostgresLink {
    /// Makes a link to the record at this address, without a request yet.
    ///
    /// # Errors
    /// The text is not an address; the error is a sentence.
    pub fn new(url: &str) -> Result<PostgresLink, String> {
        let mut address = Address::read(url)?;
        address.ask(CARELESS);
        address.config.connect_timeout(CONNECT_LIMIT).application_name("agon worker");
        Ok(PostgresLink { address, open: None, key: String::new() })
    }

    /// Logs in as a worker of an invitation. With `is_new`, another secret must not do: a server that lets everybody in
    /// checks nothing.
    ///
    /// # Errors
    /// The server refuses the key or the invitation, or is away. Strangers hear no more than that.
    pub fn admit(url: &str, key: &InvitationKey, is_new: bool) -> LinkResult<PostgresLink> {
        let mut link = PostgresLink::new(url).map_err(LinkError::Refused)?;
        let role = format!("agon_{}", key.name.to_lowercase());
        link.address.ask(BY_PAGES);
        link.address.config.user(&role).password(&key.secret);
        let open = link.address.connect().map_err(|error| not_admitted(&role, &error))?;
        if is_new {
            let mut other = link.address.clone();
            other.config.password("another");
            let refused = other.connect().err().and_then(|error| error.code().cloned());
            if refused != Some(SqlState::INVALID_PASSWORD) {
                let help = "help: let its pg_hba.conf ask invited roles for scram-sha-256, and name the record by an \
                            address that it does so for";
                report(
                    "trust",
                    &format!("the database does not check the key of {role}, so nobody comes by it; {help}"),
                );
                return Err(LinkError::Away(NOT_REACHED.to_owned()));
            }
        }
        link.open = Some(OpenConnection::new(open));
        Ok(link)
    }

    fn rows(&mut self, select: &'static str, values: &Values) -> LinkResult<Vec<Row>> {
        let mut open = match self.open.take().filter(|open| !open.is_closed()) {
            Some(open) => open,
            None => OpenConnection::new(self.address.connect().map_err(|error| explain(&error))?),
        };
        let rows = open.rows(select, values).map_err(|error| explain(&error));
        // A broken connection is not used again.
        if !matches!(rows, Err(LinkError::Away(_))) {
            self.open = Some(open);
        }
        rows
    }

    /// Delivers the blocks of the worker with this key, and claims for it.
    fn exchange_as(
        &mut self,
        key: &str,
        some: &[&Delivery],
        many: usize,
        wants: usize,
    ) -> LinkResult<(Vec<String>, Vec<Claimed>)> {
        let column = |value: fn(&Lease) -> i64| some.iter().map(|one| value(&one.lease)).collect::<Vec<i64>>();
        let text = |value: fn(&Delivery) -> Option<&str>| some.iter().map(|one| value(one)).collect::<Vec<_>>();
        let (ladders, leases) = (column(|lease| lease.ladder.0), column(|lease| lease.number));
        let (ids, proofs) = (text(|one| Some(&one.lease.block)), text(|one| Some(&one.lease.proof)));
        let contents = text(|one| one.content.as_deref().ok());
        let causes = text(|one| one.content.as_deref().err().map(String::as_str));
        let (many, wants) = (many as i32, wants as i32);
        let values: [&(dyn ToSql + Sync); 9] =
            [&key, &ladders, &ids, &leases, &proofs, &contents, &causes, &many, &wants];
        let (mut refusals, mut blocks) = (Vec::new(), Vec::new());
        for row in &self.rows(EXCHANGE, &values)? {
            match cell::<Option<String>>(row, 6)? {
                Some(refusal) => refusals.push(refusal),
                None => blocks.push(claimed(row)?),
            }
        }
        Ok((refusals, blocks))
    }
}

/// Reads a value of an answer; a record may be in anybody's hands, and may answer anything.
fn cell<'a, T: FromSql<'a>>(row: &'a Row, column: usize) -> LinkResult<T> {
    row.try_get(column).map_err(|error| {
        let help = "help: use the same agon on both machines";
        LinkError::Refused(format!("the record answers what cannot be read ({error}); {help}"))
    })
}

/// A block that was claimed.
fn claimed(row: &Row) -> LinkResult<Claimed> {
    let lease =
        Lease { ladder: LadderId(cell(row, 0)?), block: cell(row, 1)?, number: cell(row, 2)?, proof: cell(row, 3)? };
    let told = serde_json::from_str::<OfferedBlock>(cell(row, 5)?);
    let told = told.map_err(|error| LinkError::Refused(format!("a block cannot be read: {error}")))?;
    Ok(Claimed { lease, terms: cell(row, 4)?, block: told })
}

/// Reports to the operator why workers are not let in: one cause once a minute, since all of them try again. Strangers
/// choose names of invitations, so the cause alone counts.
fn report(kind: &str, what: &str) {
    static SAID: Mutex<BTreeMap<String, Instant>> = Mutex::new(BTreeMap::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    said.retain(|_, at| at.elapsed() < SILENCE);
    if !said.contains_key(kind) {
        said.insert(kind.to_owned(), Instant::now());
        tracing::error!("{what}");
    }
}

/// The meaning of a failed login for somebody who may be a stranger.
fn not_admitted(role: &str, error: &Error) -> LinkError {
    match error.as_db_error() {
        Some(told) if *told.code() == SqlState::INVALID_PASSWORD => LinkError::Refused(UNKNOWN_INVITATION.to_owned()),
        // Only who has the right key comes as far as this.
        Some(told) if told.message().contains("not permitted to log in") => {
            LinkError::Refused("this line is banned; help: ask the operator of the ladder".to_owned())
        }
        _ => {
            let cause = cause_of(error);
            let kind = error.code().map_or("no answer", SqlState::code);
            report(kind, &format!("a worker of {role} is not let in: {error}{cause}"));
            LinkError::Away(NOT_REACHED.to_owned())
        }
    }
}

/// The meaning of a database error for a worker.
#[expect(clippy::too_many_lines)]
fn explain(error: &Error) -> LinkError {
    let cause = cause_of(error);
    if let Some(what) = refusal(error) {
        return LinkError::Refused(what);
    }
    let Some(told) = error.as_db_error() else {
        let text = format!("{error}{cause}");
        return if is_passing(error) { LinkError::Away(text) } else { LinkError::Refused(text) };
    };
    let text = told.message().to_owned();
    match told.code() {
        code if code.code() == NO => LinkError::Refused(text),
        code if code.code() == OVER => LinkError::Over(text),
        code if code.code() == LATER => LinkError::Away(text),
        &SqlState::ADMIN_SHUTDOWN => LinkError::Away(format!(
            "the server was stopped ({text}): the ladder is over, or the server starts again; \
             Ctrl-C ends this worker, and --idle SECONDS lets it end by itself"
        )),
        &SqlState::TOO_MANY_CONNECTIONS => LinkError::Away(format!(
            "the line is full ({text}), and this worker waits for a place; \
             help: ask the operator of the ladder for another line (agon worker invite NAME)"
        )),
        _ if is_passing(error) => LinkError::Away(text),
        &(SqlState::UNDEFINED_FUNCTION | SqlState::INVALID_SCHEMA_NAME) => {
            let help = "begin a ladder: agon ladder FILE --record URL, with the same agon";
            LinkError::Away(format!("there is no record for workers there yet ({text}); help: {help}"))
        }
        &SqlState::INVALID_CATALOG_NAME => {
            LinkError::Refused(format!("{text}; help: look at the address, or make the database: createdb NAME"))
        }
        &SqlState::INSUFFICIENT_PRIVILEGE => {
            let help = "ask the operator of the ladder for a line: agon worker invite NAME --record URL";
            LinkError::Refused(format!("this user may not play here ({text}); help: {help}"))
        }
        &SqlState::INVALID_AUTHORIZATION_SPECIFICATION if text.contains("not permitted to log in") => {
            LinkError::Refused(format!("this line is banned ({text}); help: ask the operator of the ladder"))
        }
        &(SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION) => {
            LinkError::Refused(format!("{text}; help: paste the whole line of agon worker invite"))
        }
        _ => LinkError::Refused(format!("{text}; help: please report this")),
    }
}

impl WorkerLink for PostgresLink {
    fn greet(&mut self, greeting: &Greeting) -> LinkResult<String> {
        let Greeting { name, build, games, cores, jobs, layers, speed, identity } = greeting;
        let (cores, jobs) = (*cores as i32, *jobs as i32);
        let rows = self.rows(HELLO, &[&PROTOCOL, name, build, games, &cores, &jobs, layers, identity])?;
        self.key = rows.first().map_or(Ok(String::new()), |row| cell(row, 0))?;
        self.rows(SPEED, &[&self.key.clone(), &speed.relative, &speed.spread, &speed.class])?;
        Ok(self.key.clone())
    }

    fn speak_as(&mut self, key: &str) {
        key.clone_into(&mut self.key);
    }

    fn exchange(
        &mut self,
        deliveries: &[Delivery],
        many: usize,
        wants: usize,
    ) -> LinkResult<(Vec<String>, Vec<Claimed>)> {
        let mut by_key: BTreeMap<&str, Vec<&Delivery>> = BTreeMap::new();
        deliveries.iter().for_each(|one| by_key.entry(&one.key).or_default().push(one));
        // Its own deliveries go last, in the same exchange as its claims.
        let own = self.key.clone();
        let last = by_key.remove(&*own).unwrap_or_default();
        let (last, before) = last.split_at(last.len().min(MOST_DELIVERED));
        by_key.insert(&own, before.to_vec());
        let mut refusals = Vec::new();
        for (key, some) in by_key.iter().flat_map(|(key, all)| all.chunks(MOST_DELIVERED).map(move |some| (*key, some)))
        {
            refusals.extend(self.exchange_as(key, some, 0, wants)?.0);
        }
        if last.is_empty() && many == 0 {
            return Ok((refusals, Vec::new()));
        }
        let (more, claimed) = self.exchange_as(&own, last, many, wants)?;
        refusals.extend(more);
        Ok((refusals, claimed))
    }

    fn terms(&mut self, terms: i64) -> LinkResult<String> {
        let rows = self.rows(TERMS, &[&self.key.clone(), &terms])?;
        let found = rows.first().map_or(Ok(None), |row| cell::<Option<String>>(row, 0))?;
        found.ok_or_else(|| LinkError::Refused("the record does not know these terms any more".to_owned()))
    }

    fn file_part(&mut self, hash: &str, from: u64) -> LinkResult<Vec<u8>> {
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        let rows = self.rows(FILE_PART, &[&self.key.clone(), &hash, &from])?;
        let found = rows.first().map_or(Ok(None), |row| cell::<Option<Vec<u8>>>(row, 0))?;
        found.ok_or_else(|| LinkError::Refused(format!("the record does not have the client's file {hash}")))
    }

    fn decline(&mut self, terms: i64, why: &str) -> LinkResult<()> {
        self.rows(DECLINE, &[&self.key.clone(), &terms, &why]).map(drop)
    }

    fn lack(&mut self, clients: &[EntrantId], why: &str) -> LinkResult<()> {
        let clients: Vec<i64> = clients.iter().map(|client| client.0).collect();
        self.rows(LACK, &[&self.key.clone(), &clients, &why]).map(drop)
    }

    fn beat(&mut self, wants: usize) -> LinkResult<Orders> {
        let rows = self.rows(BEAT, &[&self.key.clone(), &(wants as i32)])?;
        let row = rows.first().ok_or_else(|| LinkError::Refused("a beat is not answered".to_owned()))?;
        let lease = Duration::try_from_secs_f64(cell(row, 1)?).unwrap_or(CONNECT_LIMIT);
        Ok(Orders { drain: cell(row, 0)?, lease, refusals: cell(row, 2)? })
    }

    fn release(&mut self, leases: &[i64]) -> LinkResult<()> {
        self.rows(RELEASE, &[&self.key.clone(), &leases]).map(drop)
    }

    fn leave(&mut self) -> LinkResult<()> {
        self.rows(LEAVE, &[&self.key.clone()]).map(drop)
    }
}
