//! The connection to a record on PostgreSQL: its lock, its errors, and the reconnection after the server was away.

mod explain;

use crate::address::Address;
use crate::schema;
use agon_model::LadderId;
use agon_record::database::without_password;
use agon_record::{ReadingMoment, RecordError, Result};
use explain::{explain, is_played, is_taken_over};

pub(crate) use explain::is_passing;
use postgres::types::ToSql;
use postgres::{Client, Error, Row, Statement, Transaction};
use std::cell::{Cell, RefCell, RefMut};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a server may take to answer at the beginning.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// How long a known server may be away before a question fails, and the pause between two tries.
const AWAY: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(500);

/// How long the server may take to notice a lost connection.
const MISSED: Duration = Duration::from_secs(2);

/// The values of a statement.
pub type Values<'a> = [&'a (dyn ToSql + Sync)];

/// A record on PostgreSQL.
pub struct PostgresRecord {
    address: Address,
    /// The ladder that is played into it: no other process plays it as long as this lives.
    played: Option<String>,
    open: RefCell<OpenConnection>,
    /// The open transaction of several steps.
    held: Cell<Held>,
    /// A ladder, and the number of its blocks without a pack.
    pub(crate) unpacked: Cell<Option<(LadderId, i64)>>,
    /// Its name in errors: the address without a password.
    name: PathBuf,
}

/// A transaction of several steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    No,
    Reading,
    /// It writes: if the connection breaks, its changes are undone.
    Writing,
}

/// Several steps as one transaction, which is undone when this is dropped.
pub struct Unit<'a> {
    pub record: &'a PostgresRecord,
}

impl Unit<'_> {
    /// The transaction that was begun.
    pub fn of(record: &PostgresRecord) -> Unit<'_> {
        Unit { record }
    }

    pub fn commit(&self) -> Result<()> {
        self.record.batch("COMMIT")?;
        self.record.held.set(Held::No);
        Ok(())
    }
}

impl Drop for Unit<'_> {
    fn drop(&mut self) {
        if self.record.held.replace(Held::No) != Held::No {
            // If the server is lost, so is the transaction.
            let _ = self.record.open.borrow_mut().batch("ROLLBACK");
        }
    }
}

impl ReadingMoment for Unit<'_> {}

/// A live connection, and its prepared statements.
pub struct OpenConnection {
    client: Client,
    statements: BTreeMap<&'static str, Statement>,
}

impl PostgresRecord {
    /// Opens a record, and makes its tables if there are none.
    ///
    /// # Errors
    /// The text is not an address of a database, nobody answers there, or its tables are of a later version.
    pub fn open(url: &str) -> Result<PostgresRecord> {
        PostgresRecord::connect(url, "")
    }

    /// Opens a record that existed a moment ago. If its server is restarting, it waits for a while.
    pub fn open_again(url: &str) -> Result<PostgresRecord> {
        let asked = Instant::now();
        loop {
            match PostgresRecord::try_connect(url, "") {
                Err(error) if error.is_shortage() && asked.elapsed() < AWAY => std::thread::sleep(PAUSE),
                opened => return opened,
            }
        }
    }

    /// Opens a record for data that may be lost with the server: nothing waits for its disk, nor long for locked rows.
    /// The record was opened before, so an unreachable server is restarting.
    pub(crate) fn open_careless(url: &str) -> Result<PostgresRecord> {
        PostgresRecord::try_connect(url, "-c synchronous_commit=off -c lock_timeout=2s -c jit=off")
    }

    /// Opens a record to see to its workers: a session that keeps rows locked holds up nobody for long. To take
    /// a worker out of a large record may take minutes.
    pub fn open_to_see_to_workers(url: &str) -> Result<PostgresRecord> {
        PostgresRecord::connect(url, "-c lock_timeout=5s")
    }

    /// Opens a record to play a ladder into it; while it is open, no other process can.
    ///
    /// # Errors
    /// The same as for `open`; or another process plays this ladder, which is a shortage: a process that waits takes
    /// over.
    pub fn open_to_play(url: &str, ladder: &str) -> Result<PostgresRecord> {
        PostgresRecord::connect(url, "")?.take(ladder)
    }

    /// The same for a process on standby: a server that is away is a shortage as well.
    pub fn open_to_take_over(url: &str, ladder: &str) -> Result<PostgresRecord> {
        PostgresRecord::try_connect(url, "")?.take(ladder)
    }

    /// Takes the lock of a ladder.
    fn take(mut self, ladder: &str) -> Result<PostgresRecord> {
        let taken = take_lock(&mut self.open.get_mut().client, ladder);
        if !taken.map_err(|error| explain(&self.name, &error))? {
            let what = format!(
                "another agon is running the ladder {ladder}; this one stands by and takes over when that one ends; \
                 help: Ctrl-C ends it, and another [ladder] name lets both play"
            );
            return Err(RecordError::shortage(&self.name, what));
        }
        self.played = Some(ladder.to_owned());
        Ok(self)
    }

    /// An address that fails at the beginning may be a mistake, so there is no wait.
    fn connect(url: &str, more: &str) -> Result<PostgresRecord> {
        PostgresRecord::try_connect(url, more).map_err(RecordError::for_good)
    }

    fn try_connect(url: &str, more: &str) -> Result<PostgresRecord> {
        let name = PathBuf::from(without_password(url));
        let mut address = Address::read(url).map_err(|what| RecordError::new(&name, what))?;
        address.ask(more);
        address.config.connect_timeout(CONNECT_LIMIT).application_name("agon");
        let open = OpenConnection::connect(&address, None, &name)?;
        Ok(PostgresRecord {
            address,
            played: None,
            open: RefCell::new(open),
            held: Cell::new(Held::No),
            unpacked: Cell::new(None),
            name,
        })
    }

    /// The connection, renewed if the server was away.
    pub(crate) fn connection(&self) -> Result<RefMut<'_, OpenConnection>> {
        let mut open = self.open.borrow_mut();
        if open.is_closed() {
            if self.held.get() == Held::Writing {
                let help = "help: the same command again";
                return Err(self.trouble(format!("the server went away in the middle; nothing was changed; {help}")));
            }
            *open = OpenConnection::connect(&self.address, self.played.as_deref(), &self.name)?;
        }
        Ok(open)
    }

    /// Whether writes are part of a transaction of several steps.
    pub(crate) fn is_within(&self) -> bool {
        self.held.get() == Held::Writing
    }

    /// Begins several steps that are kept together or not at all; `Unit::of` ends them.
    pub(crate) fn begin(&self) -> Result<()> {
        self.while_away(|open| open.batch("BEGIN"))?;
        self.held.set(Held::Writing);
        Ok(())
    }

    /// All reads see one moment while it lives.
    pub(crate) fn moment(&self) -> Result<Unit<'_>> {
        self.while_away(|open| open.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))?;
        self.held.set(Held::Reading);
        Ok(Unit::of(self))
    }

    /// The same, unless a transaction is open already.
    pub(crate) fn moment_if_none(&self) -> Result<Option<Unit<'_>>> {
        if self.held.get() != Held::No { Ok(None) } else { self.moment().map(Some) }
    }

    /// Prevents playing this ladder until the transaction ends.
    pub(crate) fn lock_ladder(&self, ladder: &str) -> Result<()> {
        let lock = "SELECT pg_try_advisory_xact_lock(hashtextextended('agon ladder ' || $1::text, 0))";
        if self.rows(lock, &[&ladder])?[0].get(0) { Ok(()) } else { Err(is_played(&self.name, ladder)) }
    }

    /// The error when another process has taken over this process's ladder.
    pub(crate) fn taken_over(&self) -> RecordError {
        let what = "another agon coordinates this ladder now; help: let it, or stop it first";
        RecordError::taken_over(&self.name, what)
    }

    /// The error when another process plays this ladder.
    pub(crate) fn is_played(&self, ladder: &str) -> RecordError {
        is_played(&self.name, ladder)
    }

    pub(crate) fn fail(&self, error: Error) -> RecordError {
        explain(&self.name, &error)
    }

    /// The error of contents that agon cannot have written.
    pub(crate) fn damaged(&self, what: &str) -> RecordError {
        RecordError::new(&self.name, format!("{what} is damaged; help: restore it from a backup"))
    }

    /// Another error: a sentence with what to do.
    pub(crate) fn trouble(&self, what: impl Into<String>) -> RecordError {
        RecordError::new(&self.name, what)
    }

    /// The rows of a question, which is retried for a while if the server is away.
    pub(crate) fn rows(&self, select: &'static str, values: &Values) -> Result<Vec<Row>> {
        self.while_away(|open| open.rows(select, values))
    }

    /// Asks a question that changes nothing, and retries for a while if the server is away.
    pub(crate) fn while_away<T>(
        &self,
        mut ask: impl FnMut(&mut OpenConnection) -> std::result::Result<T, Error>,
    ) -> Result<T> {
        let asked = Instant::now();
        loop {
            let answer = self.connection().and_then(|mut open| ask(&mut open).map_err(|error| self.fail(error)));
            match answer {
                Err(error) if error.is_shortage() && asked.elapsed() < AWAY => std::thread::sleep(PAUSE),
                answer => return answer,
            }
        }
    }

    /// Runs several commands one after the other.
    pub(crate) fn batch(&self, commands: &str) -> Result<()> {
        let mut open = self.connection()?;
        let done = open.batch(commands);
        if done.is_err() {
            // No command may remain half done.
            let _ = open.batch("ROLLBACK");
        }
        done.map_err(|error| self.fail(error))
    }

    pub(crate) fn address(&self) -> &Address {
        &self.address
    }

    /// Makes a database, unless it exists, by the address of another one.
    pub(crate) fn make_database(url: &str, name: &str) -> std::result::Result<(), String> {
        let mut client = Address::read(url)?.connect().map_err(|error| error.to_string())?;
        let known = client.query("SELECT 1 FROM pg_database WHERE datname = $1", &[&name]);
        if known.map_err(|error| error.to_string())?.is_empty() {
            client.batch_execute(&format!("CREATE DATABASE {name}")).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Runs one command by itself; returns the number of changed rows.
    pub(crate) fn execute(&self, command: &'static str, values: &Values) -> Result<u64> {
        let mut open = self.connection()?;
        open.execute(command, values).map_err(|error| self.fail(error))
    }
}

impl OpenConnection {
    fn connect(address: &Address, played: Option<&str>, name: &Path) -> Result<OpenConnection> {
        let mut client = address.connect().map_err(|error| explain(name, &error))?;
        let prepared = schema::prepare(&mut client).map_err(|error| explain(name, &error))?;
        prepared.map_err(|what| RecordError::new(name, what))?;
        if let Some(ladder) = played
            && !take_lock(&mut client, ladder).map_err(|error| explain(name, &error))?
        {
            return Err(is_taken_over(name, ladder));
        }
        Ok(OpenConnection::new(client))
    }

    /// A connection without prepared statements.
    pub(crate) fn new(client: Client) -> OpenConnection {
        OpenConnection { client, statements: BTreeMap::new() }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    fn statement(&mut self, text: &'static str) -> std::result::Result<Statement, Error> {
        if let Some(known) = self.statements.get(text) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(text)?;
        self.statements.insert(text, statement.clone());
        Ok(statement)
    }

    pub(crate) fn rows(&mut self, select: &'static str, values: &Values) -> std::result::Result<Vec<Row>, Error> {
        let statement = self.statement(select)?;
        self.client.query(&statement, values)
    }

    pub(crate) fn execute(&mut self, command: &'static str, values: &Values) -> std::result::Result<u64, Error> {
        let statement = self.statement(command)?;
        self.client.execute(&statement, values)
    }

    /// A transaction with these statements prepared.
    pub(crate) fn transaction<const N: usize>(
        &mut self,
        texts: [&'static str; N],
    ) -> std::result::Result<(Transaction<'_>, Vec<Statement>), Error> {
        let (client, statements) = self.prepared(texts)?;
        Ok((client.transaction()?, statements))
    }

    /// The connection with these statements prepared.
    pub(crate) fn prepared<const N: usize>(
        &mut self,
        texts: [&'static str; N],
    ) -> std::result::Result<(&mut Client, Vec<Statement>), Error> {
        let statements = texts.into_iter().map(|text| self.statement(text)).collect::<std::result::Result<_, _>>()?;
        Ok((&mut self.client, statements))
    }

    pub(crate) fn batch(&mut self, commands: &str) -> std::result::Result<(), Error> {
        self.client.batch_execute(commands)
    }
}

/// Takes the lock of a ladder; false = another process plays it. The server needs a moment to notice a killed process.
fn take_lock(client: &mut Client, ladder: &str) -> std::result::Result<bool, Error> {
    let lock = "SELECT pg_try_advisory_lock(hashtextextended('agon ladder ' || $1::text, 0))";
    let asked = Instant::now();
    loop {
        let is_taken: bool = client.query_one(lock, &[&ladder])?.get(0);
        if is_taken || asked.elapsed() >= MISSED {
            return Ok(is_taken);
        }
        std::thread::sleep(PAUSE / 5);
    }
}
