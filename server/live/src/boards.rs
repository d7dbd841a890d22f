//! Boards at which visitors of the pages play: how one is asked for, and what whoever knows how people play must have.

use crate::content::Content;
use crate::gate::Gate;
use agon_command::Failure;
use agon_games::{AnyGame, Language};
use agon_model::{Entrant, LadderRow};
use hyper::Request;
use hyper::body::Incoming;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// The beginning of the paths of all boards.
pub const BOARDS: &str = "/play/";

/// A player that takes a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sitter {
    /// The person who asks for the board.
    Visitor,
    /// Somebody else, who comes by a link.
    Guest,
    /// A client of the ladder.
    Client(Entrant),
}

/// A board that a visitor asks for.
pub struct NewBoard {
    /// The language of its page.
    pub language: Language,
    /// The ladder whose terms hold at it.
    pub ladder: LadderRow,
    /// One of the ladder's settings.
    pub setting: usize,
    /// The ladder's game.
    pub game: &'static dyn AnyGame,
    /// The players, seat by seat.
    pub seats: Vec<Sitter>,
    /// The client that can be asked for advice.
    pub adviser: Option<Entrant>,
    /// The folder with the copies of clients.
    pub out: PathBuf,
    /// The sender of the wish.
    pub asker: Asker,
}

/// A sender of wishes for boards; each has few boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asker {
    /// A team, where teams have links.
    Team(String),
    /// Everybody at this address.
    Address(IpAddr),
}

/// A person at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtBoard {
    /// A person with a seat.
    Seated,
    /// A person with an invitation that nobody took yet.
    Invited,
}

/// See the file's header.
pub trait Boards: Send + Sync + 'static {
    /// The pages of one board, at the paths below its own.
    type Board: Content<Viewer = AtBoard>;

    /// Begins a board: the path by which the visitor comes to it, or why there is none, in the visitor's language.
    fn begin(&self, gate: &Gate, wanted: NewBoard) -> Result<Result<String, String>, Failure>;

    /// The board that a path is below.
    fn board(&self, path: &str) -> Option<Arc<Self::Board>>;
}

/// The reader of an answer, if there are boards: a reader of the record, or a person at a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visitor<V> {
    /// A reader of the record's pages, in this language.
    Record(V, Asker, Language),
    /// A person at the board that the path names.
    Board(AtBoard),
    /// The operator of the workers, in this language.
    Operator(Language),
}

/// Whether a request is for a board, or for what the pages of all boards load.
pub fn is_for_boards(request: &Request<Incoming>) -> bool {
    let path = request.uri().path();
    path.starts_with(BOARDS) || is_loaded(path)
}

/// How boards look and what moves on them, which is no secret.
pub fn is_loaded(path: &str) -> bool {
    ["/agon.css", "/site.js", "/play.css", "/play.js", "/take.js"].contains(&path)
}
