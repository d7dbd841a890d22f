//! A worker's requests over HTTP: the requests of a link as texts, and the key of the invitation by which it comes.

use crate::exchange::{Claimed, Delivery, Greeting, LinkError, LinkResult, Orders, WorkerLink};
use agon_model::EntrantId;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The path of workers' requests, unless a proxy has another.
pub const WORKER_PATH: &str = "/worker";
/// The header with the worker's version of the protocol.
pub const PROTOCOL_HEADER: &str = "agon-protocol";
/// The most bytes of a request: one delivered block, however many of its characters are escaped, and a bit.
pub const LARGEST_REQUEST: usize = 4 << 20;
/// The most bytes of an answer that is not a file.
pub const LARGEST_ANSWER: usize = 64 << 20;

/// The answer to a key that the database refuses, whatever is wrong with it.
pub const UNKNOWN_INVITATION: &str =
    "this line is not known here; help: paste the whole line, or ask the operator of the ladder for another one";

/// The most blocks that one request delivers.
pub const MOST_DELIVERIES: usize = 128;

/// The key of an invitation: its name and its secret. People paste it as a line, so their texts, `line:NAME` and the
/// JSON key `line` say line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct InvitationKey {
    pub name: String,
    pub secret: String,
}

impl InvitationKey {
    /// Reads `NAME:SECRET`; `None` if it cannot be a key. A line is one, however its name is written.
    pub fn read(text: &str) -> Option<InvitationKey> {
        let (name, secret) = text.split_once(':')?;
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let is_name = (1..=50).contains(&name.len()) && name.chars().all(fits);
        let is_secret = (1..=128).contains(&secret.len()) && secret.chars().all(|c| c.is_ascii_alphanumeric());
        (is_name && is_secret).then(|| InvitationKey { name: name.to_lowercase(), secret: secret.to_owned() })
    }
}

impl fmt::Display for InvitationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.secret)
    }
}

impl fmt::Debug for InvitationKey {
    /// A secret never reaches a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InvitationKey({})", self.name)
    }
}

/// A request of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerRequest {
    /// The key that the worker was given when it came; empty before.
    pub key: String,
    pub act: WorkerAct,
}

/// One of the requests of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerAct {
    Greet(Box<Greeting>),
    Exchange { deliveries: Vec<Delivery>, many: usize, wants: usize },
    Terms(i64),
    File { hash: String, from: u64 },
    Decline { terms: i64, why: String },
    Beat { wants: usize },
    Release(Vec<i64>),
    Lack { clients: Vec<EntrantId>, why: String },
    Leave,
}

/// The answer to an exchange.
pub type Exchanged = (Vec<String>, Vec<Claimed>);

impl WorkerRequest {
    /// Does what is asked over this link, and returns the answer as bytes: a part of a file as it is, anything else as
    /// JSON.
    pub fn ask(self, link: &mut dyn WorkerLink) -> LinkResult<Vec<u8>> {
        link.speak_as(&self.key);
        match self.act {
            WorkerAct::Greet(greeting) => json(&link.greet(&greeting)?),
            WorkerAct::Exchange { deliveries, many, wants } => {
                json::<Exchanged>(&link.exchange(&deliveries, many, wants)?)
            }
            WorkerAct::Terms(terms) => json(&link.terms(terms)?),
            WorkerAct::File { hash, from } => link.file_part(&hash, from),
            WorkerAct::Decline { terms, why } => json(&link.decline(terms, &why)?),
            WorkerAct::Beat { wants } => json::<Orders>(&link.beat(wants)?),
            WorkerAct::Release(leases) => json(&link.release(&leases)?),
            WorkerAct::Lack { clients, why } => json(&link.lack(&clients, &why)?),
            WorkerAct::Leave => json(&link.leave()?),
        }
    }
}

fn json<T: Serialize>(answer: &T) -> LinkResult<Vec<u8>> {
    serde_json::to_vec(answer).map_err(|error| LinkError::Refused(format!("an answer cannot be written: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_name_and_a_secret_and_nothing_else() {
        let key = InvitationKey::read("lab-1:0a1B").unwrap();
        assert_eq!((&*key.name, &*key.secret, key.to_string()), ("lab-1", "0a1B", "lab-1:0a1B".to_owned()));
        assert!(!format!("{key:?}").contains("0a1B"));
        for odd in ["", "lab", ":x", "lab:", "la b:x", "lab:x y", "lab:x:y", "l\u{e4}b:x", "lab:x\0", &"x".repeat(200)]
        {
            assert_eq!(InvitationKey::read(odd), None, "{odd}");
        }
    }
}
