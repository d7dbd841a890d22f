//! A database server for records, as a program that supports one offers it to the commands.

use crate::exchange::{Exchange, LinkResult, WorkerLink, WorkerRow};
use crate::over_http::InvitationKey;
use crate::{Archive, Record, Result};
use agon_model::LadderId;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::Path;
use std::time::Duration;

/// A kind of database server. Every function fails if the server is away or refuses.
pub trait Database: Sync {
    /// Opens the record at this address, and makes its tables if there are none.
    fn open(&self, url: &str) -> Result<Box<dyn Archive + Send>>;

    /// Opens a record that existed a moment ago, and waits for a server that is restarting.
    fn open_again(&self, url: &str) -> Result<Box<dyn Archive>>;

    /// Opens the record for the ladder of this name alone. A process on standby also waits for a server that is away.
    fn open_to_play(&self, url: &str, ladder: &str, stands_by: bool) -> Result<Box<dyn Record>>;

    /// Opens the exchange, on which workers of other machines find blocks.
    fn open_exchange(&self, url: &str) -> Result<Box<dyn Exchange>>;

    /// Opens the record for the operator of its workers.
    fn open_roster(&self, url: &str) -> Result<Box<dyn Roster>>;

    /// Makes a worker's link to the exchange, without a request yet.
    ///
    /// # Errors
    /// The text is not an address; the error is a sentence.
    fn link(&self, url: &str) -> std::result::Result<Box<dyn WorkerLink>, String>;

    /// Logs in to the record at this address as a worker of an invitation, and makes its link. With `is_new`, makes
    /// sure that the server checks keys at all.
    ///
    /// # Errors
    /// The server refuses the key or the invitation, or is away.
    fn admit(&self, url: &str, key: &InvitationKey, is_new: bool) -> LinkResult<Box<dyn WorkerLink + Send>>;

    /// The owner's address of a private server that runs in this folder.
    fn find_running(&self, folder: &Path) -> Option<String>;

    /// Starts the private server of a folder, and makes it if there is none. Others reach it only by `address`.
    ///
    /// # Errors
    /// It does not start; the error is a sentence with what to do.
    fn start(&self, folder: &Path, address: Option<&PublicAddress>) -> std::result::Result<PrivateServer, String>;
}

/// The workers of a record, for the operator. Every function fails where the record cannot be read or written.
pub trait Roster: Archive {
    /// The workers that play for this record, or did.
    fn workers(&self) -> Result<Vec<WorkerRow>>;

    /// Those of them that are there, and this many that left last; and the number of the others.
    fn recent_workers(&self, left: u64) -> Result<(Vec<WorkerRow>, u64)>;

    /// The name of the worker with this number, if there is one.
    fn worker_name(&self, id: i64) -> Result<Option<String>>;

    /// The names of all invitations.
    fn invitations(&self) -> Result<Vec<String>>;

    /// The name and the processor of the worker that played each block of a ladder, by the block's id.
    fn played_by(&self, ladder: LadderId) -> Result<BTreeMap<String, (String, String)>>;

    /// Makes an invitation for workers of this name, which makes the previous one void.
    fn invite(&self, name: &str) -> Result<Invitation>;

    /// Tells this worker, or all workers of an invitation, to end after their blocks; returns their number.
    fn drain(&self, whom: &Target) -> Result<u64>;

    /// Tells all workers that the ladder is over, and waits for this long at most until they have left.
    fn send_home(&self, patience: Duration) -> Result<()>;

    /// Keeps a machine or an invitation off and gives its blocks to others; returns the number of its workers, `None`
    /// if it is unknown.
    fn ban(&self, whom: &Target) -> Result<Option<u64>>;

    /// Forgets refusals and the ban of a machine or an invitation; returns the number of workers. If an invitation is
    /// pardoned, its machines with a ban of their own stay banned.
    fn pardon(&self, whom: &Target) -> Result<u64>;

    /// Removes all blocks of a machine or an invitation. Returns the ladders with the number of blocks that each loses;
    /// `None` if it is unknown.
    fn void(&self, whom: &Target) -> Result<Option<Vec<(String, u64)>>>;
}

/// The target of an operator's act. Workers choose their names themselves, so no act goes by such a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The worker with this number, and for all acts except `drain` everything that has its machine's key.
    Worker(i64),
    /// All workers of the invitation with this name.
    Invitation(String),
}

/// An invitation of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The address for `agon worker run`.
    pub url: String,
    /// Whether it works only on this machine.
    pub is_local: bool,
    /// The key with which its workers come over HTTPS.
    pub key: InvitationKey,
}

impl Invitation {
    /// The machine that the address names, if it names one.
    pub fn host(&self) -> Option<&str> {
        let (host, _) = self.url.rsplit_once('@')?.1.split('/').next()?.rsplit_once(':')?;
        (!host.is_empty()).then_some(host)
    }
}

/// A private server that this process started; it ends when this is dropped.
pub struct PrivateServer {
    /// The address for its owner.
    pub url: String,
    /// The invitation for everybody else, if others may come.
    pub invitation: Option<Invitation>,
    /// Ends the server when it is dropped.
    pub keeper: Box<dyn Send>,
}

/// How other machines reach this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicAddress {
    /// The name or address of this machine; `None` = agon finds it.
    pub host: Option<String>,
    /// The port; `None` = the previous one, or a free one.
    pub port: Option<u16>,
}

impl PublicAddress {
    /// Reads `HOST`, `HOST:PORT`, `[ADDRESS]:PORT`, or nothing.
    ///
    /// # Errors
    /// The text has another form.
    pub fn read(text: &str) -> std::result::Result<PublicAddress, String> {
        let help = "write HOST or HOST:PORT, the name by which other machines reach this one";
        if let Ok(address) = text.parse::<IpAddr>() {
            return Ok(PublicAddress { host: Some(address.to_string()), port: None });
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse().map_err(|_| format!("{port} is not a port; {help}"))?)),
            None => (text, None),
        };
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
        if !host.chars().all(fits) {
            return Err(format!("\"{}\" is not a name of a machine; {help}", host.escape_default()));
        }
        Ok(PublicAddress { host: Some(host.to_owned()).filter(|host| !host.is_empty()), port })
    }
}

/// Whether this folder has a private server.
pub fn has_private_server(folder: &Path) -> bool {
    folder.join("data/PG_VERSION").is_file()
}

/// Whether a place is an address of a database instead of a folder.
pub fn is_url(place: &str) -> bool {
    place.starts_with("postgres://") || place.starts_with("postgresql://")
}

/// Whether a place is the address of pages that offer blocks to workers.
pub fn is_web_address(place: &str) -> bool {
    place.starts_with("https://") || place.starts_with("http://")
}

/// An address without its password.
pub fn without_password(url: &str) -> String {
    let url = url.split_once('?').filter(|(_, query)| query.contains("password")).map_or(url, |(before, _)| before);
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find('?').unwrap_or(rest.len());
    // A password may contain a slash.
    let Some((user, place)) = rest[..end].rsplit_once('@') else { return url.to_owned() };
    let user = user.split(':').next().unwrap_or_default();
    format!("{scheme}://{user}@{place}{}", &rest[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        assert_eq!(without_password("postgres://a:b@h:1/d?x=y"), "postgres://a@h:1/d?x=y");
        assert_eq!(without_password("postgres://a:b@c@h"), "postgres://a@h");
        assert_eq!(without_password("postgres://a:b/c@h:1/d?x=@"), "postgres://a@h:1/d?x=@");
        assert_eq!(without_password("postgresql:///d?host=/tmp"), "postgresql:///d?host=/tmp");
        assert_eq!(without_password("postgresql:///d?password=b&user=a"), "postgresql:///d");
        assert!(is_url("postgres://x") && is_url("postgresql://x") && !is_url("out/postgres"));
    }
}
