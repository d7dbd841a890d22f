//! People at a browser: the board is a page of a server of this process, each person's behind a link of its own.

mod acts;
pub mod boards;
mod content;
mod gate;
mod link;
mod session;
mod view;

use session::{BoardSession, Until};

use super::advice::Adviser;
use super::sentences::PlayWords;
use agon_command::signals::stop_flag;
use agon_command::token::draw_token;
use agon_command::{Failure, desktop};
use agon_games::Seat;
use agon_live::address::{self, PublicUrl};
use agon_live::gate::Gate;
use agon_live::http::Server;
use agon_tournament::AdHocMatch;
use content::PlayPages;
use link::links;
use std::net::SocketAddr;
use std::sync::Arc;

/// The board, as long as it is served.
pub struct ServedBoard {
    /// The session of the people at the board.
    pub session: Arc<BoardSession>,
    _server: Server,
}

/// The address at which people come to the board.
pub struct Entrance {
    /// The address to listen at.
    pub at: Option<SocketAddr>,
    /// The address of a server that does TLS before this one.
    pub public: Option<PublicUrl>,
}

/// Begins to serve the board, and says by which links people come to it.
pub fn open(
    entrance: Entrance,
    ad_hoc: &AdHocMatch,
    words: PlayWords,
    adviser: Option<Adviser>,
) -> Result<ServedBoard, Failure> {
    let (listener, at) = address::listen(entrance.at)?;
    let labels = ad_hoc.labels();
    let people: Vec<Seat> = (0..labels.len()).filter(|seat| labels[*seat].is_none()).collect();
    let links = links(&people, ad_hoc.facts().hidden, draw_token)?;
    let until = Until { is_stopped: stop_flag()?, begun: None };
    let session = Arc::new(BoardSession::new(ad_hoc, words, adviser, links, until));
    let base = entrance.public.as_ref().map_or_else(|| address::link(at, None), PublicUrl::base);
    let gate = Gate::new(at, address::name(), None).behind(entrance.public);
    let pages = PlayPages::new(Arc::clone(&session), gate, String::new());
    let server = Server::start(listener, pages)
        .map_err(|error| Failure::trouble(format!("no thread can be started for the page: {error}")))?;
    for link in session.links().iter() {
        let address = format!("{base}{}/?token={}", link.name, link.token);
        println!("{}", words.open_link(&link.seats, &address));
    }
    println!("{}", words.whoever_has_it());
    let seated: Vec<_> = session.links().iter().filter(|link| !link.is_to_watch()).collect();
    if let [only] = seated[..] {
        desktop::open(format!("{base}{}/?token={}", only.name, only.token));
    }
    Ok(ServedBoard { session, _server: server })
}
