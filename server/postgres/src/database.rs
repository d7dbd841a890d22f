//! PostgreSQL in the form that the commands use.

use crate::https::HttpsLink;
use crate::{PostgresExchange, PostgresLink, PostgresRecord, cluster};
use agon_record::database::{Database, PrivateServer, PublicAddress, Roster, is_web_address};
use agon_record::exchange::{Exchange, LinkResult, WorkerLink};
use agon_record::over_http::InvitationKey;
use agon_record::{Archive, Record, Result};
use std::path::Path;

pub struct Postgres;

impl Database for Postgres {
    fn open(&self, url: &str) -> Result<Box<dyn Archive + Send>> {
        Ok(Box::new(PostgresRecord::open(url)?))
    }

    fn open_again(&self, url: &str) -> Result<Box<dyn Archive>> {
        Ok(Box::new(PostgresRecord::open_again(url)?))
    }

    fn open_to_play(&self, url: &str, ladder: &str, stands_by: bool) -> Result<Box<dyn Record>> {
        Ok(Box::new(if stands_by {
            PostgresRecord::open_to_take_over(url, ladder)?
        } else {
            PostgresRecord::open_to_play(url, ladder)?
        }))
    }

    fn open_exchange(&self, url: &str) -> Result<Box<dyn Exchange>> {
        Ok(Box::new(PostgresExchange::open(url)?))
    }

    fn open_roster(&self, url: &str) -> Result<Box<dyn Roster>> {
        Ok(Box::new(PostgresRecord::open_to_see_to_workers(url)?))
    }

    fn link(&self, url: &str) -> std::result::Result<Box<dyn WorkerLink>, String> {
        if is_web_address(url) { Ok(Box::new(HttpsLink::new(url)?)) } else { Ok(Box::new(PostgresLink::new(url)?)) }
    }

    fn admit(&self, url: &str, key: &InvitationKey, is_new: bool) -> LinkResult<Box<dyn WorkerLink + Send>> {
        Ok(Box::new(PostgresLink::admit(url, key, is_new)?))
    }

    fn find_running(&self, folder: &Path) -> Option<String> {
        cluster::find_running(folder)
    }

    fn start(&self, folder: &Path, address: Option<&PublicAddress>) -> std::result::Result<PrivateServer, String> {
        cluster::start(folder, address)
    }
}
