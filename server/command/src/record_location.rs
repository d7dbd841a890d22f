//! Where a record is: in a folder, or on PostgreSQL.

use crate::machines::database;
use crate::worker_door::WorkerDoor;
use crate::{Failure, status};
use agon_model::{LadderLocation, shell};
use agon_record::database::{
    Database, PrivateServer, PublicAddress, Roster, has_private_server, is_url, is_web_address, without_password,
};
use agon_record::exchange::Exchange;
use agon_record::{Archive, Record, RecordError, SqliteRecord};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Which record, alike in all commands.
#[derive(Args, Clone, Debug, Default)]
pub struct LocationArgs {
    /// The record: a folder (default: agon-out), a copy that agon record backup made,
    /// postgres://USER:PASSWORD@HOST/DATABASE, or @FILE (a file with such an address).
    #[arg(long, value_name = "PLACE", value_parser = named)]
    record: Option<Named>,
}

/// The help of `--record` for commands that write: they refuse a copy.
pub const WRITABLE: &str = "The record: a folder (default: agon-out), postgres://USER:PASSWORD@HOST/DATABASE, or @FILE \
                            (a file with such an address)";

/// A record, as it is named on the command line.
#[derive(Clone, Debug)]
pub enum Named {
    /// By its folder, or by a copy in one file.
    Folder(PathBuf),
    /// On PostgreSQL; logs and copies of files stay in a folder.
    Url(String),
}

impl Named {
    /// The folder, if it is one.
    pub fn folder(&self) -> Option<String> {
        match self {
            Named::Folder(folder) => Some(folder.display().to_string()),
            Named::Url(_) => None,
        }
    }
}

/// The folder of the record, if none is named.
pub const USUAL: &str = "agon-out";

/// The location of a record, and the folder of its logs and copies of files.
#[derive(Clone, Debug)]
pub struct RecordLocation {
    out: PathBuf,
    url: Option<String>,
    /// Whether it may be on the folder's own PostgreSQL, which then is started.
    may_start: bool,
}

/// The folder's own PostgreSQL, started by this process; it ends with it.
static STARTED: Mutex<Option<PrivateServer>> = Mutex::new(None);

/// An address of a database, or `@FILE` with one in it: every user of a machine may read what stands on a command line.
pub fn url(text: &str) -> Result<String, String> {
    let text = from_file(text)?;
    if is_url(&text) { Ok(text) } else { Err("write postgres://USER@HOST/DATABASE".to_owned()) }
}

/// An address by which workers come: of a database, or of pages, or `@FILE` with one in it.
///
/// # Errors
/// It is neither; or the file cannot be read.
pub fn workers_address(text: &str) -> Result<String, String> {
    let text = from_file(text)?;
    if is_url(&text) || is_web_address(&text) {
        Ok(text)
    } else {
        Err("write https://HOST/worker#KEY, or postgres://USER@HOST/DATABASE".to_owned())
    }
}

/// The text, or the text of the file that `@FILE` names.
fn from_file(text: &str) -> Result<String, String> {
    let read = |file: &str| std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
    let text = text.strip_prefix('@').map_or(Ok(text.to_owned()), read)?;
    Ok(text.trim().to_owned())
}

/// A folder, or an address of a database as `url` takes it.
pub fn named(text: &str) -> Result<Named, String> {
    if is_url(text) || text.starts_with('@') {
        Ok(Named::Url(url(text)?))
    } else {
        Ok(Named::Folder(PathBuf::from(text)))
    }
}

impl From<Option<Named>> for LocationArgs {
    fn from(record: Option<Named>) -> LocationArgs {
        LocationArgs { record }
    }
}

impl LocationArgs {
    /// The record that is meant: the usual one if none is named.
    ///
    /// # Errors
    /// It takes a database, and the program that has one is not there.
    pub fn locate(&self) -> Result<RecordLocation, Failure> {
        self.in_folder(Path::new(USUAL), None)
    }

    /// The record that is meant; that of a ladder file, with its folder and its `[output] record`, if none is named.
    pub fn of(&self, out: &Path, record: Option<&str>) -> Result<RecordLocation, Failure> {
        let from_file = |text| {
            url(text).map_err(|what| {
                let what = format!("[output] record: {what}, or @FILE with it; a folder is [output] dir");
                Failure::new(status::CONFIGURATION, what)
            })
        };
        let url = record.filter(|_| self.record.is_none()).map(from_file).transpose()?;
        self.in_folder(out, url)
    }

    fn in_folder(&self, out: &Path, url: Option<String>) -> Result<RecordLocation, Failure> {
        let (out, url) = match &self.record {
            Some(Named::Folder(folder)) => (folder.as_path(), None),
            Some(Named::Url(url)) => (out, Some(url.clone())),
            None => (out, url),
        };
        let location = RecordLocation { out: out.to_owned(), url, may_start: true };
        if location.is_elsewhere() {
            database("a record on PostgreSQL")?;
        }
        Ok(location)
    }

    /// The location that a ladder file names.
    pub fn about(&self, about: &LadderLocation) -> Result<RecordLocation, Failure> {
        self.of(&about.out, about.record.as_deref())
    }
}

impl RecordLocation {
    /// The record that is named on the command line; in this folder, if none is.
    pub fn named(named: Option<&Named>, out: &Path) -> Result<RecordLocation, Failure> {
        LocationArgs { record: named.cloned() }.in_folder(out, None)
    }

    /// A record in a folder.
    pub fn folder(out: &Path) -> RecordLocation {
        RecordLocation { out: out.to_owned(), url: None, may_start: false }
    }

    /// A record on the folder's own PostgreSQL, to which others may come, and the line to paste there.
    pub fn opened(out: &Path, address: &PublicAddress) -> Result<(RecordLocation, String), Failure> {
        let database = database("--open")?;
        if SqliteRecord::is_there(out) {
            let help =
                "help: another [output] dir, into which agon record export and agon record import take what is there";
            let what = format!("{} has a record already, which other machines cannot reach; {help}", out.display());
            return Err(Failure::usage(what));
        }
        let started = database.start(&own(out), Some(address)).map_err(Failure::trouble)?;
        let Some(invitation) = &started.invitation else {
            return Err(Failure::trouble("the private PostgreSQL invites nobody; please report this"));
        };
        let local =
            "\nthis address leads here from this machine only: --open=HOST with the name that others know it by";
        let text = format!(
            "on each of the other machines, where the same agon is installed:\n  agon worker run {}{}",
            shell::word(&invitation.url),
            if invitation.is_local { local } else { "" }
        );
        let url = Some(started.url.clone());
        *STARTED.lock().unwrap_or_else(PoisonError::into_inner) = Some(started);
        Ok((RecordLocation { out: out.to_owned(), url, may_start: false }, text))
    }

    /// The database and its address, if the record is not in a file. The folder's own PostgreSQL, which `--open` made, is
    /// started.
    fn remote(&self) -> Result<Option<Remote>, RecordError> {
        if !self.is_elsewhere() {
            return Ok(None);
        }
        let folder = own(&self.out);
        let database = database("a record on PostgreSQL").map_err(|why| RecordError::new(&folder, why.message))?;
        let at = |url: &str| Ok(Some(Remote { database, url: url.to_owned() }));
        if let Some(url) = &self.url {
            return at(url);
        }
        let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(server) = &*started {
            return at(&server.url);
        }
        if let Some(url) = database.find_running(&folder) {
            return at(&url);
        }
        let server = database.start(&folder, None).map_err(|what| RecordError::new(&folder, what))?;
        at(&started.insert(server).url)
    }

    fn has_own(&self) -> bool {
        self.may_start && !SqliteRecord::is_there(&self.out) && has_private_server(&own(&self.out))
    }

    /// The folder with logs and copies of files, and with the record where it is not elsewhere.
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// Whether both are one record, as far as their names tell.
    pub fn is_same(&self, other: &RecordLocation) -> bool {
        let folder = |location: &RecordLocation| location.out.canonicalize().unwrap_or_else(|_| location.out.clone());
        self.url == other.url && (self.url.is_some() || folder(self) == folder(other))
    }

    /// Whether it was named by its address.
    pub fn is_at_an_address(&self) -> bool {
        self.url.is_some()
    }

    /// Its address as it may be shown; `None` where the record is in the folder, on whatever database.
    pub fn name(&self) -> Option<String> {
        let is_own = STARTED.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        self.url.as_deref().filter(|_| !is_own).map(without_password)
    }

    /// Whether it is not in the folder.
    pub fn is_elsewhere(&self) -> bool {
        self.url.is_some() || self.has_own()
    }

    /// Whether there is one, as far as it can be told without asking for it.
    pub fn is_there(&self) -> bool {
        self.is_elsewhere() || SqliteRecord::is_there(&self.out)
    }

    /// Opens the record to play a ladder into it: nobody else does meanwhile. A coordinator that stands by waits for a
    /// server that is away.
    pub fn open_to_play(&self, ladder: &str, stands_by: bool) -> Result<Box<dyn Record>, RecordError> {
        match self.remote()? {
            Some(Remote { database, url }) => database.open_to_play(&url, ladder, stands_by),
            None => Ok(Box::new(SqliteRecord::open_to_play(&self.out, ladder)?)),
        }
    }

    /// Opens the exchange for workers of other machines; only where the record is in no folder.
    pub fn open_exchange(&self) -> Result<Box<dyn Exchange>, RecordError> {
        match self.remote()? {
            Some(Remote { database, url }) => database.open_exchange(&url),
            None => {
                Err(RecordError::new(&self.out, "a record in a folder serves no workers on other machines".to_owned()))
            }
        }
    }

    /// Where workers of other machines are let in; `None` where the record is in a folder and has none.
    ///
    /// # Errors
    /// The folder's own PostgreSQL does not start.
    pub fn worker_door(&self) -> Result<Option<WorkerDoor>, RecordError> {
        let Some(Remote { database, url }) = self.remote()? else { return Ok(None) };
        let started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
        let invitation = started.as_ref().and_then(|server| server.invitation.clone());
        let server = (self.may_start || started.is_some()).then(|| own(&self.out));
        Ok(Some(WorkerDoor { database, url, server, invitation }))
    }

    /// Opens the record, and makes it if there is none.
    pub fn open(&self) -> Result<Box<dyn Archive>, RecordError> {
        match self.remote()? {
            Some(Remote { database, url }) => Ok(database.open(&url)?),
            None => Ok(Box::new(SqliteRecord::open(&self.out)?)),
        }
    }

    /// Opens the record to see to its workers; only one on PostgreSQL has any.
    pub fn open_for_workers(&self) -> Result<Box<dyn Roster>, Failure> {
        let Some(Remote { database, url }) = self.remote()? else {
            let help = "help: name the ladder file, or the record: --record postgres://...";
            let what = format!("{}: a record in a folder has no workers; {help}", self.out.display());
            return Err(Failure::usage(what));
        };
        Ok(database.open_roster(&url)?)
    }

    /// Opens the record that something was just played into.
    pub fn open_again(&self) -> Result<Box<dyn Archive>, RecordError> {
        match self.remote()? {
            Some(Remote { database, url }) => database.open_again(&url),
            None => self.open(),
        }
    }

    /// Refuses a copy in one file, for commands that change a record and its folder.
    ///
    /// # Errors
    /// It is one.
    pub fn refuse_copy(&self) -> Result<(), Failure> {
        if self.url.is_some() {
            return Ok(());
        }
        Ok(agon_record::refuse_copy(&self.out)?)
    }

    /// Opens a record that must be there.
    pub fn open_existing(&self) -> Result<Box<dyn Archive + Send>, RecordError> {
        match self.remote()? {
            Some(Remote { database, url }) => database.open(&url),
            None => Ok(Box::new(SqliteRecord::open_existing(&self.out)?)),
        }
    }
}

/// An address, and the database that opens it.
struct Remote {
    database: &'static dyn Database,
    url: String,
}

/// The folder of the PostgreSQL that belongs to an output folder.
fn own(out: &Path) -> PathBuf {
    out.join("postgres")
}
