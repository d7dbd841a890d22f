//! Where a record is: in a folder, or on PostgreSQL.

use crate::{Failure, status};
use agon_config::About;
use agon_model::shell;
use agon_postgres::{Cluster, Opening, PostgresBoard, PostgresRecord, is_url, without_password};
use agon_record::board::Board;
use agon_record::{Archive, Record, Store, StoreError};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Which record, alike in all commands.
#[derive(Args, Clone, Debug, Default)]
pub struct PlaceArgs {
    /// The record: its folder (agon-out if not given), a copy that agon record backup made, or
    /// postgres://USER:PASSWORD@HOST/DATABASE, or @FILE with that in it.
    #[arg(long, value_name = "PLACE", value_parser = named)]
    record: Option<Named>,
}

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

/// Where a record is if nobody says so.
pub const USUAL: &str = "agon-out";

/// Where a record is, and where its logs and copies of files are.
#[derive(Clone, Debug)]
pub struct Place {
    out: PathBuf,
    url: Option<String>,
    /// Whether it may be on the folder's own PostgreSQL, which then is started.
    may_start: bool,
}

/// The folder's own PostgreSQL, started by this process. It ends when its input is closed, as it is at our end.
static STARTED: Mutex<Option<Cluster>> = Mutex::new(None);

/// An address of a database, or `@FILE` with one in it: every user of a machine may read what stands on a command line.
pub fn url(text: &str) -> Result<String, String> {
    let from_file = |file: &str| std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
    let text = &text.strip_prefix('@').map_or(Ok(text.to_owned()), from_file)?;
    let text = text.trim();
    match is_url(text) {
        true => Ok(text.to_owned()),
        false => Err("write postgres://USER@HOST/DATABASE".to_owned()),
    }
}

/// A folder, or an address of a database as `url` takes it.
pub fn named(text: &str) -> Result<Named, String> {
    match is_url(text) || text.starts_with('@') {
        true => Ok(Named::Url(url(text)?)),
        false => Ok(Named::Folder(PathBuf::from(text))),
    }
}

impl PlaceArgs {
    /// The record that is meant: the usual one if none is named.
    pub fn place(&self) -> Place {
        self.in_folder(Path::new(USUAL), None)
    }

    /// The record that is meant; that of a ladder file, with its folder and its `[output] record`, if none is named.
    pub fn of(&self, out: &Path, record: Option<&str>) -> Result<Place, Failure> {
        let from_file = |text| {
            url(text).map_err(|what| {
                let what = format!("[output] record: {what}, or @FILE with it; a folder is [output] dir");
                Failure::new(status::CONFIGURATION, what)
            })
        };
        let url = record.filter(|_| self.record.is_none()).map(from_file).transpose()?;
        Ok(self.in_folder(out, url))
    }

    fn in_folder(&self, out: &Path, url: Option<String>) -> Place {
        let (out, url) = match &self.record {
            Some(Named::Folder(folder)) => (folder.as_path(), None),
            Some(Named::Url(url)) => (out, Some(url.clone())),
            None => (out, url),
        };
        Place { out: out.to_owned(), url, may_start: true }
    }

    /// The same, of what a ladder file says.
    pub fn about(&self, about: &About) -> Result<Place, Failure> {
        self.of(&about.out, about.record.as_deref())
    }
}

impl Place {
    /// The record that is named on the command line; in this folder, if none is.
    pub fn named(named: Option<&Named>, out: &Path) -> Place {
        PlaceArgs { record: named.cloned() }.in_folder(out, None)
    }

    /// A record in a folder.
    pub fn folder(out: &Path) -> Place {
        Place { out: out.to_owned(), url: None, may_start: false }
    }

    /// A record on the folder's own PostgreSQL, to which others may come; and what to
    /// paste there.
    pub fn opened(out: &Path, opening: &Opening) -> Result<(Place, String), Failure> {
        if Store::is_there(out) {
            let help =
                "help: another [output] dir, into which agon record export and agon record import take what is there";
            let what = format!("{} has a record already, to which nobody else can come; {help}", out.display());
            return Err(Failure::new(status::USAGE, what));
        }
        let cluster = Cluster::start(&own(out), Some(opening)).map_err(|what| Failure::new(status::TROUBLE, what))?;
        let local =
            "\nthis address leads here from this machine only: --open=HOST with the name that others know it by";
        let text = format!(
            "on each of the other machines, where the same agon is installed:\n  agon worker run {}{}",
            shell::word(&cluster.invitation),
            if cluster.is_local { local } else { "" }
        );
        let url = Some(cluster.url.clone());
        *STARTED.lock().unwrap_or_else(PoisonError::into_inner) = Some(cluster);
        Ok((Place { out: out.to_owned(), url, may_start: false }, text))
    }

    /// The address, if it is in no file: of the folder's own PostgreSQL that was made by `--open`, which is started.
    fn url(&self) -> Result<Option<String>, StoreError> {
        if self.url.is_some() || !self.has_own() {
            return Ok(self.url.clone());
        }
        let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cluster) = &*started {
            return Ok(Some(cluster.url.clone()));
        }
        let folder = own(&self.out);
        if let Some(url) = Cluster::running(&folder) {
            return Ok(Some(url));
        }
        let cluster = Cluster::start(&folder, None).map_err(|what| StoreError::new(&folder, what))?;
        Ok(Some(started.insert(cluster).url.clone()))
    }

    fn has_own(&self) -> bool {
        self.may_start && !Store::is_there(&self.out) && Cluster::is_in(&own(&self.out))
    }

    /// The folder with logs and copies of files, and with the record where it is not elsewhere.
    pub fn out(&self) -> &Path {
        &self.out
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
        self.is_elsewhere() || Store::is_there(&self.out)
    }

    /// Opens the record to play a ladder into it: nobody else does meanwhile. Whoever stands by waits for a server that
    /// is away.
    pub fn open_to_play(&self, ladder: &str, stands_by: bool) -> Result<Box<dyn Record>, StoreError> {
        Ok(match &self.url()? {
            Some(url) if stands_by => Box::new(PostgresRecord::open_to_take_over(url, ladder)?),
            Some(url) => Box::new(PostgresRecord::open_to_play(url, ladder)?),
            None => Box::new(Store::open_to_play(&self.out, ladder)?),
        })
    }

    /// Opens the board for workers of other machines; only where the record is in no folder.
    pub fn open_board(&self) -> Result<Box<dyn Board>, StoreError> {
        Ok(Box::new(PostgresBoard::open(&self.url()?.unwrap_or_default())?))
    }

    /// Opens the record, and makes it if there is none.
    pub fn open(&self) -> Result<Box<dyn Archive>, StoreError> {
        Ok(match &self.url()? {
            Some(url) => Box::new(PostgresRecord::open(url)?),
            None => Box::new(Store::open(&self.out)?),
        })
    }

    /// Opens the record to see to its workers; only one on PostgreSQL has any.
    pub fn open_for_workers(&self) -> Result<PostgresRecord, Failure> {
        let Some(url) = self.url()? else {
            let help = "help: name the ladder file, or the record: --record postgres://...";
            let what = format!("{}: a record in a folder has no workers; {help}", self.out.display());
            return Err(Failure::new(status::USAGE, what));
        };
        Ok(PostgresRecord::open(&url)?)
    }

    /// Opens the record that something was just played into.
    pub fn open_again(&self) -> Result<Box<dyn Archive>, StoreError> {
        match &self.url()? {
            Some(url) => Ok(Box::new(PostgresRecord::open_again(url)?)),
            None => self.open(),
        }
    }

    /// Opens a record that must be there.
    pub fn open_existing(&self) -> Result<Box<dyn Archive + Send>, StoreError> {
        Ok(match &self.url()? {
            Some(url) => Box::new(PostgresRecord::open(url)?),
            None => Box::new(Store::open_existing(&self.out)?),
        })
    }
}

/// Where the own PostgreSQL of an output folder is.
fn own(out: &Path) -> PathBuf {
    out.join("postgres")
}
