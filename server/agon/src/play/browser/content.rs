//! What the server of a board sends: to each link its page, its news and, at the end, the replay.

use super::gate::PlayGate;
use super::table::{Act, Table};
use crate::Failure;
use crate::serve::content::{Content, Found};
use crate::serve::gate::Verdict;
use hyper::Request;
use hyper::body::Incoming;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

/// The pages of a board.
pub struct Pages {
    table: Arc<Table>,
    gate: PlayGate,
}

/// What the page sends.
#[derive(Deserialize)]
struct Form {
    /// The position that was looked at.
    at: u64,
    #[serde(flatten)]
    act: Act,
}

impl Pages {
    /// Of this board.
    pub fn new(table: Arc<Table>, gate: PlayGate) -> Pages {
        Pages { table, gate }
    }

    /// The link that a path is below, and what follows.
    fn split<'p>(&self, path: &'p str) -> Option<(usize, &'p str)> {
        let (name, rest) = path.strip_prefix('/')?.split_once('/')?;
        let desk = self.table.desks().iter().position(|desk| desk.name == name)?;
        Some((desk, rest))
    }
}

impl Content for Pages {
    type Viewer = ();

    const TICK: Duration = Duration::from_millis(50);

    fn judge(&self, request: &Request<Incoming>) -> Verdict<()> {
        self.gate.judge(request)
    }

    fn find(&self, (): &(), path: &str) -> Result<Found, Failure> {
        if let Some(text) = agon_web::asset(path) {
            return Ok(Found::Text(text));
        }
        Ok(match self.split(path) {
            Some((desk, "")) => Found::Text(self.table.page(desk)),
            Some((_, "replay.html")) => self.table.replay().map_or(Found::Nothing, Found::Text),
            _ => Found::Nothing,
        })
    }

    fn act(&self, (): &(), path: &str, form: &[u8]) -> Result<Found, Failure> {
        Ok(match (self.split(path), serde_json::from_slice::<Form>(form)) {
            (Some((desk, "act")), Ok(form)) => {
                Table::act(&self.table, desk, form.at, &form.act);
                Found::Text(self.table.page(desk))
            }
            _ => Found::Nothing,
        })
    }

    fn version(&self) -> Result<String, Failure> {
        Ok(self.table.version().to_string())
    }
}
