//! The questions to a server's pages, and their answers: the same for pages that are only read and for a board with
//! players.

use crate::gate::{FORM, GateVerdict, Peer};
use crate::worker_gate::WorkerGate;
use agon_command::Failure;
use hyper::Request;
use hyper::body::Incoming;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

/// The thing at a path.
#[derive(Debug, PartialEq, Eq)]
pub enum Resource {
    /// A text.
    Text(String),
    /// Another path.
    Elsewhere(String),
    /// Nothing.
    Nothing,
}

/// The limits of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyLimit {
    /// The most bytes.
    pub most: usize,
    /// How long it may take.
    pub patience: Duration,
    /// With one of these it begins; with anything where there is none.
    pub begins: &'static [&'static [u8]],
}

impl BodyLimit {
    /// The limits of a form.
    pub const FORM: BodyLimit = BodyLimit { most: FORM, patience: Duration::from_secs(10), begins: &[] };

    /// Whether what has come may become such a body.
    pub fn may_begin(&self, bytes: &[u8]) -> bool {
        let fits = |begin: &&[u8]| bytes.starts_with(begin) || begin.starts_with(bytes);
        self.begins.is_empty() || self.begins.iter().any(fits)
    }
}

/// Returns the version of a thing without waiting; `None` if the thing is missing.
pub type OwnVersion = Box<dyn Fn() -> Option<u64> + Send + Sync>;

/// Everything that a server has.
pub trait Content: Send + Sync + 'static {
    /// The reader of an answer.
    type Viewer: Send + 'static;

    /// How often it is looked whether something has changed.
    const TICK: Duration;

    /// Whether a request is answered, judged by its head alone.
    fn judge(&self, request: &Request<Incoming>) -> GateVerdict<Self::Viewer>;

    /// From where a request comes, for counting what one visitor holds.
    fn origin(&self, request: &Request<Incoming>) -> IpAddr {
        request.extensions().get::<Peer>().map_or(IpAddr::from(Ipv4Addr::LOCALHOST), |peer| peer.address)
    }

    /// Where workers of other machines come in, if they can.
    fn workers(&self) -> Option<&Arc<WorkerGate>> {
        None
    }

    /// Finds the thing at a path. Paths are compared as they are: nothing is decoded, and none leads to a file.
    fn find(&self, viewer: &Self::Viewer, path: &str) -> Result<Resource, Failure>;

    /// Where the first page is, seen from a path that leads nowhere.
    fn home(&self, path: &str) -> String {
        let _ = path;
        "/".to_owned()
    }

    /// The limits of a body for a path.
    fn limit(&self, path: &str) -> BodyLimit {
        let _ = path;
        BodyLimit::FORM
    }

    /// The sender of a body: each sender sends one long body at a time.
    fn sender(&self, viewer: &Self::Viewer) -> String {
        let _ = viewer;
        String::new()
    }

    /// Does what a body says that the gate let through, and says what came of it.
    fn act(&self, viewer: &Self::Viewer, path: &str, body: &[u8]) -> Result<Resource, Failure> {
        let (_, _, _) = (viewer, path, body);
        Ok(Resource::Nothing)
    }

    /// At the end those who look on may take so long to read the last state: usually only to hear of the end.
    fn last_look(&self) -> Duration {
        Duration::from_millis(100)
    }

    /// Whether something is still to be made that nobody asked for; `version` makes it.
    fn is_behind(&self) -> bool {
        false
    }

    /// The version that a stream of events at this path follows, if it does not follow everything.
    fn own_version(&self, path: &str) -> Option<OwnVersion> {
        let _ = path;
        None
    }

    /// A word that is another one when something that is shown may be.
    fn version(&self) -> Result<String, Failure>;
}
