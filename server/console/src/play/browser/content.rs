//! The answers of a board's server: each link gets its page, its news and, at the end, the replay.

use super::gate::PlayGate;
use super::session::{BoardSession, PlayAction};
use agon_command::Failure;
use agon_live::boards::AtBoard;
use agon_live::content::{Content, OwnVersion, Resource};
use agon_live::gate::{Gate, GateVerdict};
use hyper::Request;
use hyper::body::Incoming;
use serde::Deserialize;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// The pages of a board.
pub struct PlayPages {
    session: Arc<BoardSession>,
    gate: PlayGate,
    /// The beginning of their paths.
    base: String,
}

/// The data that the page sends.
#[derive(Deserialize)]
struct PlayForm {
    /// The position that was looked at.
    at: u64,
    #[serde(flatten)]
    act: PlayAction,
}

impl PlayPages {
    /// The pages of this board, below a path.
    pub fn new(session: Arc<BoardSession>, gate: Gate, base: String) -> PlayPages {
        let gate = PlayGate::new(gate, base.clone(), Arc::clone(session.links()));
        PlayPages { session, gate, base }
    }

    /// The session that the pages show.
    pub fn session(&self) -> &Arc<BoardSession> {
        &self.session
    }

    /// The link that a path is below, and what follows.
    fn split<'p>(&self, path: &'p str) -> Option<(usize, &'p str)> {
        let (name, rest) = path.strip_prefix(&self.base)?.strip_prefix('/')?.split_once('/')?;
        let link = self.session.links().iter().position(|link| link.name == name)?;
        Some((link, rest))
    }
}

impl Content for PlayPages {
    type Viewer = AtBoard;

    const TICK: Duration = Duration::from_secs(1);

    fn origin(&self, request: &Request<Incoming>) -> IpAddr {
        self.gate.origin(request)
    }

    fn judge(&self, request: &Request<Incoming>) -> GateVerdict<AtBoard> {
        let verdict = self.gate.judge(request);
        if let GateVerdict::Enter(..) = verdict {
            // People who invited others see that they have come.
            self.session.tell();
        }
        verdict
    }

    fn find(&self, who: &AtBoard, path: &str) -> Result<Resource, Failure> {
        if let Some(text) = agon_web::asset(path) {
            return Ok(Resource::Text(text));
        }
        Ok(match self.split(path) {
            Some((link, "")) if *who == AtBoard::Invited => Resource::Text(self.session.invitation_page(link)),
            Some((link, "")) => Resource::Text(self.session.page(link)),
            Some((_, "replay.html")) => self.session.replay().map_or(Resource::Nothing, Resource::Text),
            _ => Resource::Nothing,
        })
    }

    fn home(&self, path: &str) -> String {
        // A request that comes this far has the link that the path is below.
        self.split(path)
            .map_or("/".to_owned(), |(link, _)| format!("{}/{}/", self.base, self.session.links()[link].name))
    }

    fn act(&self, _who: &AtBoard, path: &str, form: &[u8]) -> Result<Resource, Failure> {
        Ok(match (self.split(path), serde_json::from_slice::<PlayForm>(form)) {
            (Some((link, "act")), Ok(form)) => {
                BoardSession::act(&self.session, link, form.at, &form.act);
                Resource::Text(self.session.page(link))
            }
            _ => Resource::Nothing,
        })
    }

    fn own_version(&self, _path: &str) -> Option<OwnVersion> {
        let session = Arc::downgrade(&self.session);
        Some(Box::new(move || Some(session.upgrade()?.version())))
    }

    fn version(&self) -> Result<String, Failure> {
        // Each stream follows the board by itself.
        Ok(String::new())
    }
}
