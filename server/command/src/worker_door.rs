//! Where workers of other machines are let in.

use agon_record::database::{Database, Invitation};
use agon_record::exchange::{LinkResult, WorkerLink};
use agon_record::over_http::InvitationKey;
use std::path::PathBuf;

/// Where workers are let in to a record on a database.
pub struct WorkerDoor {
    pub(crate) database: &'static dyn Database,
    pub(crate) url: String,
    /// The folder of the private server, if the record may be on one.
    pub server: Option<PathBuf>,
    /// The invitation that `--open` prints.
    pub invitation: Option<Invitation>,
}

impl WorkerDoor {
    /// Logs in as a worker of an invitation.
    ///
    /// # Errors
    /// The database refuses, or is away.
    pub fn admit(&self, key: &InvitationKey, is_new: bool) -> LinkResult<Box<dyn WorkerLink + Send>> {
        self.database.admit(&self.url, key, is_new)
    }
}
