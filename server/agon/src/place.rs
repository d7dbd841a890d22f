//! Where a record is: in a folder, or on PostgreSQL.

use super::Failure;
use agon_postgres::{PostgresBoard, PostgresRecord, is_url};
use agon_record::board::Board;
use agon_record::{Record, Store, StoreError};
use clap::Args;
use std::path::Path;

/// A record that is in no folder.
#[derive(Args, Clone, Debug, Default)]
pub struct PlaceArgs {
    /// The record is on PostgreSQL: postgres://USER:PASSWORD@HOST/DATABASE, or @FILE with that in it. Logs and copies
    /// of files stay in the folder.
    #[arg(long, value_name = "URL", value_parser = url)]
    record: Option<String>,
}

/// An address of a database, or `@FILE` with one in it: every user of a machine may read what stands on a command line.
pub fn url(text: &str) -> Result<String, String> {
    let from_file = |file: &str| std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
    let text = &text.strip_prefix('@').map_or(Ok(text.to_owned()), from_file)?;
    let text = text.trim();
    match is_url(text) {
        true => Ok(text.to_owned()),
        false => Err("write postgres://USER@HOST/DATABASE; a folder is named by --out or [output] dir".to_owned()),
    }
}

impl PlaceArgs {
    /// Whether it is not in the folder.
    pub fn is_elsewhere(&self) -> bool {
        self.record.is_some()
    }

    /// Opens the record to play a ladder into it: nobody else does meanwhile.
    pub fn open_to_play(&self, out: &Path, ladder: &str) -> Result<Box<dyn Record>, StoreError> {
        Ok(match &self.record {
            Some(url) => Box::new(PostgresRecord::open_to_play(url, ladder)?),
            None => Box::new(Store::open_to_play(out, ladder)?),
        })
    }

    /// Opens the board for workers of other machines; only where the record is in no folder.
    pub fn open_board(&self) -> Result<Box<dyn Board>, StoreError> {
        let url = self.record.as_deref().unwrap_or_default();
        Ok(Box::new(PostgresBoard::open(url)?))
    }

    /// Opens the record, and makes it if there is none.
    pub fn open(&self, out: &Path) -> Result<Box<dyn Record>, StoreError> {
        Ok(match &self.record {
            Some(url) => Box::new(PostgresRecord::open(url)?),
            None => Box::new(Store::open(out)?),
        })
    }

    /// Opens a record that must be there.
    pub fn open_existing(&self, out: &Path) -> Result<Box<dyn Record>, Failure> {
        Ok(match &self.record {
            Some(url) => Box::new(PostgresRecord::open(url)?),
            None => Box::new(Store::open_existing(out)?),
        })
    }
}
