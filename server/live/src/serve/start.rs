//! Starts the server of the pages: its gate, its workers, and the text for the person who started it.

use super::RecordPages;
use super::links::{hall_address, link};
use crate::address::{self, PublicUrl};
use crate::boards::Boards;
use crate::encryption;
use crate::gate::{Gate, WORKERS};
use crate::http::Server;
use crate::pages::Pages;
use crate::worker_gate::WorkerGate;
use crate::workers_page::WorkersPage;
use agon_command::Failure;
use agon_command::record_location::RecordLocation;
use agon_command::token::draw_token;
use agon_model::shell;
use std::net::SocketAddr;
use std::sync::Arc;

/// The addresses of a server, and the tokens of its links.
struct Doors<'a> {
    at: SocketAddr,
    public: Option<&'a PublicUrl>,
    /// The token of the printed link; without teams, this machine alone needs none.
    token: Option<String>,
    operator_token: Option<String>,
    has_teams: bool,
    plays: bool,
}

/// Begins to listen and to answer. Returns the server, and the text for the person who started it.
pub(super) fn start(
    at: Option<SocketAddr>,
    public: Option<&PublicUrl>,
    pages: Pages,
    boards: impl Boards,
) -> Result<(Server, String), Failure> {
    let (listener, at) = address::listen(at)?;
    let (has_teams, plays) = (pages.teams().is_some(), pages.plays());
    let is_local = at.ip().is_loopback() && public.is_none();
    let token = if is_local && !has_teams { None } else { Some(draw_token()?) };
    let workers = worker_gate(pages.location())?;
    let operator_token = workers.is_some().then(draw_token).transpose()?;
    let doors = Doors { at, public, token, operator_token, has_teams, plays };
    let (gate, greeting) = (doors.gate(&pages), doors.greeting(workers.as_deref()));
    let operator = workers.is_some().then(|| WorkersPage::new(pages.location().clone()));
    let pages = pages.at(hall_address(at, public, doors.token.as_deref(), has_teams));
    let pages = RecordPages { pages, gate, boards: plays.then_some(boards), workers, operator };
    let server = Server::start(listener, pages)
        .map_err(|error| Failure::trouble(format!("no thread can be started for the page: {error}")))?;
    Ok((server, greeting))
}

impl Doors<'_> {
    fn gate(&self, pages: &Pages) -> Gate {
        let mut gate = Gate::new(self.at, address::name(), self.token.as_deref()).behind(self.public.cloned());
        if let Some(out) = pages.teams() {
            gate = gate.with_teams(out);
        }
        if let Some(uploads) = pages.uploads() {
            gate = gate.taking(uploads.most());
        }
        if self.plays {
            gate = gate.playing();
        }
        if let Some(token) = &self.operator_token {
            gate = gate.with_operator(token);
        }
        gate
    }

    /// The links, with the people that each is for.
    fn greeting(&self, workers: Option<&WorkerGate>) -> String {
        let (at, public) = (self.at, self.public);
        let link = link(at, public, self.token.as_deref());
        let here =
            public.map_or(String::new(), |_| format!("that address must lead to {} here; ", address::link(at, None)));
        let who = if self.token.is_none() {
            "anyone on this machine can read it"
        } else if self.has_teams {
            "for you alone: it shows what all clients printed; agon teams has the links for teams"
        } else {
            "anyone with this link can read standings, matches, and what clients printed; nothing can be changed"
        };
        let visitors = if self.plays { "; visitors may play" } else { "" };
        let operator = self.operator_token.as_ref().map_or(String::new(), |token| {
            let has_tls = workers.is_some_and(|workers| workers.tls.is_some());
            let base = public.map_or_else(|| address::operator_link(at, has_tls), PublicUrl::base);
            format!(
                "\nthe workers, for you alone (you can drain, ban and void them there):\n  {base}{}?token={token}",
                &WORKERS[1..]
            )
        });
        let line = workers.and_then(|workers| workers.line(at, public)).map_or(String::new(), |line| {
            format!("\nworkers come by this page too:\n  agon worker run {}", shell::word(&line))
        });
        format!("open {link} in a browser ({here}{who}{visitors}); Ctrl-C ends it{operator}{line}")
    }
}

/// The gate of workers, if the record has any. A private server's certificate encrypts their requests.
fn worker_gate(location: &RecordLocation) -> Result<Option<Arc<WorkerGate>>, Failure> {
    let Some(door) = location.worker_door()? else { return Ok(None) };
    let tls = match (encryption::offered(), &door.server) {
        (Some(find), Some(folder)) => find(folder).map_err(Failure::trouble)?,
        _ => None,
    };
    Ok(Some(Arc::new(WorkerGate::new(door, tls))))
}
