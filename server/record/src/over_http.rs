//! A worker's requests over HTTP: the requests of a link as texts, and the key of the line by which it comes.

use crate::exchange::{Claimed, Delivery, Greeting, Link, LinkError, LinkResult, Orders};
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
pub const UNKNOWN_LINE: &str =
    "this line is not known here; help: paste the whole line, or ask the operator of the ladder for another one";

/// The most blocks that one request delivers.
pub const MOST_DELIVERIES: usize = 128;

/// The key of a line: the invitation's name, and its secret.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineKey {
    pub name: String,
    pub secret: String,
}

impl LineKey {
    /// Reads `NAME:SECRET`; `None` if it cannot be a key. A line is one, however its name is written.
    pub fn read(text: &str) -> Option<LineKey> {
        let (name, secret) = text.split_once(':')?;
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let is_name = (1..=50).contains(&name.len()) && name.chars().all(fits);
        let is_secret = (1..=128).contains(&secret.len()) && secret.chars().all(|c| c.is_ascii_alphanumeric());
        (is_name && is_secret).then(|| LineKey { name: name.to_lowercase(), secret: secret.to_owned() })
    }
}

impl fmt::Display for LineKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.secret)
    }
}

impl fmt::Debug for LineKey {
    /// A secret never reaches a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LineKey({})", self.name)
    }
}

/// A request of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The key that the worker was given when it came; empty before.
    pub key: String,
    pub act: Act,
}

/// One of the requests of a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
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

impl Asked {
    /// Does what is asked over this link, and returns the answer as bytes: a part of a file as it is, anything else as JSON.
    pub fn ask(self, link: &mut dyn Link) -> LinkResult<Vec<u8>> {
        link.speak_as(&self.key);
        match self.act {
            Act::Greet(greeting) => json(&link.greet(&greeting)?),
            Act::Exchange { deliveries, many, wants } => json::<Exchanged>(&link.exchange(&deliveries, many, wants)?),
            Act::Terms(terms) => json(&link.terms(terms)?),
            Act::File { hash, from } => link.file_part(&hash, from),
            Act::Decline { terms, why } => json(&link.decline(terms, &why)?),
            Act::Beat { wants } => json::<Orders>(&link.beat(wants)?),
            Act::Release(leases) => json(&link.release(&leases)?),
            Act::Lack { clients, why } => json(&link.lack(&clients, &why)?),
            Act::Leave => json(&link.leave()?),
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
        let key = LineKey::read("lab-1:0a1B").unwrap();
        assert_eq!((&*key.name, &*key.secret, key.to_string()), ("lab-1", "0a1B", "lab-1:0a1B".to_owned()));
        assert!(!format!("{key:?}").contains("0a1B"));
        for odd in ["", "lab", ":x", "lab:", "la b:x", "lab:x y", "lab:x:y", "l\u{e4}b:x", "lab:x\0", &"x".repeat(200)]
        {
            assert_eq!(LineKey::read(odd), None, "{odd}");
        }
    }
}
