//! Boards that visitors of the pages of a ladder begin: each the board of `agon play --browser`, below a path of its
//! own, with the ladder's clients and terms. There are few, they are cleared when nobody plays, and the ladder comes
//! first.

use super::content::PlayPages;
use super::link::invited;
use super::session::{Begun, BoardSession, Until, step_back};
use crate::play::advice::Adviser;
use crate::play::sentences::PlayWords;
use crate::play::{FinishedMatch, play_on};
use agon_command::token::draw_token;
use agon_command::{Failure, find_paths};
use agon_games::Seat;
use agon_live::boards::{Asker, BOARDS, Boards, NewBoard, Sitter};
use agon_live::gate::Gate;
use agon_model::visible::escape;
use agon_model::{Entrant, Paths};
use agon_tournament::AdHocMatch;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The most boards at once.
const MOST_BOARDS: usize = 8;
/// The most boards of one team.
const MOST_OF_TEAM: usize = 2;
/// The most boards of one address, behind which there may be a class.
const MOST_OF_ADDRESS: usize = 4;
/// The time without an act after which a board is cleared.
const IDLE: Duration = Duration::from_secs(20 * 60);
/// A board that is idle for this long gives way to another.
const GIVES_WAY: Duration = Duration::from_secs(5 * 60);

/// All boards of one server.
#[derive(Default)]
pub struct VisitorBoards {
    open: Arc<OpenBoards>,
    is_stopped: Arc<AtomicBool>,
}

/// The boards at which somebody may play, by name.
#[derive(Default)]
struct OpenBoards(Mutex<BTreeMap<String, OpenBoard>>);

/// One open board and its owner.
struct OpenBoard {
    /// `None` while it is set up.
    pages: Option<Arc<PlayPages>>,
    asker: Asker,
}

/// The place of a board among them, until it is dropped.
struct Place {
    open: Arc<OpenBoards>,
    name: String,
}

impl OpenBoards {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, OpenBoard>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one more board; `None` where there is none for anybody, or for this asker.
    fn place(open: &Arc<OpenBoards>, name: String, asker: Asker) -> Option<Place> {
        let mut boards = open.lock();
        let is_own = |board: &OpenBoard| board.asker == asker;
        if !has_room(&mut boards, most_of(&asker), &is_own) || !has_room(&mut boards, MOST_BOARDS, &|_| true) {
            return None;
        }
        boards.insert(name.clone(), OpenBoard { pages: None, asker });
        Some(Place { open: Arc::clone(open), name })
    }
}

/// How many boards one may have. Of those at this machine it is not known who they are.
fn most_of(asker: &Asker) -> usize {
    match asker {
        Asker::Team(_) => MOST_OF_TEAM,
        Asker::Address(address) if address.is_loopback() => MOST_BOARDS,
        Asker::Address(_) => MOST_OF_ADDRESS,
    }
}

/// Whether there are fewer than `most` of these boards; if not, one that is idle is cleared.
fn has_room(boards: &mut BTreeMap<String, OpenBoard>, most: usize, counts: &dyn Fn(&OpenBoard) -> bool) -> bool {
    boards.values().filter(|board| counts(board)).count() < most || clear_one(boards, counts)
}

/// Clears of these boards the one that was left the longest: whose match is over, or else at which nobody plays;
/// `false` where there is none.
fn clear_one(boards: &mut BTreeMap<String, OpenBoard>, may: &dyn Fn(&OpenBoard) -> bool) -> bool {
    let session = |board: &OpenBoard| board.pages.as_ref().map(|pages| Arc::clone(pages.session()));
    let left = |(name, board): (&String, &OpenBoard)| {
        let session = session(board).filter(|_| may(board))?;
        Some((order_of_leaving(session.is_over(), session.idle())?, name.clone()))
    };
    let first = boards.iter().filter_map(left).max();
    let cleared = first.and_then(|(_, name)| boards.remove(&name));
    cleared.as_ref().and_then(session).inspect(|session| session.leave()).is_some()
}

/// The rank of a board that may give way, the greatest first; `None` for one that may not.
fn order_of_leaving(is_over: bool, idle: Duration) -> Option<(bool, Duration)> {
    (is_over || idle >= GIVES_WAY).then_some((is_over, idle))
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.lock().remove(&self.name);
    }
}

impl Drop for VisitorBoards {
    /// A match that is still played stops by itself, and is not waited for.
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

impl Boards for VisitorBoards {
    type Board = PlayPages;

    fn begin(&self, gate: &Gate, wanted: NewBoard) -> Result<Result<String, String>, Failure> {
        let words = PlayWords(wanted.language);
        let name = draw_token()?;
        let Some(place) = OpenBoards::place(&self.open, name.clone(), wanted.asker.clone()) else {
            let of_one = (matches!(wanted.asker, Asker::Team(_)), most_of(&wanted.asker));
            return Ok(Err(words.no_board_is_free(MOST_BOARDS, of_one, GIVES_WAY)));
        };
        let setup = BoardSetup { paths: find_paths(&wanted.out)?, wanted };
        let ad_hoc = setup.ad_hoc()?;
        let adviser = setup.adviser()?;
        let guests = setup.seats(&Sitter::Guest);
        let hides = ad_hoc.facts().hidden;
        let links = invited(setup.seats(&Sitter::Visitor), &guests, hides, draw_token)?;
        let path = format!("{BOARDS}{name}/{}/?token={}", links[0].name, links[0].token);
        let until = Until { is_stopped: Arc::clone(&self.is_stopped), begun: Some(setup.begun()) };
        let session = Arc::new(BoardSession::new(&ad_hoc, words, adviser, links, until));
        let pages = PlayPages::new(Arc::clone(&session), gate.clone(), format!("{BOARDS}{name}"));
        self.open.lock().entry(name).and_modify(|board| board.pages = Some(Arc::new(pages)));
        begin_playing(ad_hoc, session, place, &setup.wanted)?;
        Ok(Ok(path))
    }

    fn board(&self, path: &str) -> Option<Arc<PlayPages>> {
        let (name, _) = path.strip_prefix(BOARDS)?.split_once('/')?;
        self.open.lock().get(name)?.pages.clone()
    }
}

/// A board that is wanted, and where its clients are.
struct BoardSetup {
    wanted: NewBoard,
    paths: Paths,
}

impl BoardSetup {
    fn ad_hoc(&self) -> Result<AdHocMatch, Failure> {
        let client = |sitter: &Sitter| match sitter {
            Sitter::Client(entrant) => Some(entrant.clone()),
            Sitter::Visitor | Sitter::Guest => None,
        };
        self.with(&self.wanted.seats.iter().map(client).collect::<Vec<_>>())
    }

    fn with(&self, seats: &[Option<Entrant>]) -> Result<AdHocMatch, Failure> {
        let NewBoard { ladder, setting, game, .. } = &self.wanted;
        Ok(AdHocMatch::of_ladder((ladder, *setting), seats, *game, &self.paths)?)
    }

    fn adviser(&self) -> Result<Option<Adviser>, Failure> {
        let Some(entrant) = &self.wanted.adviser else { return Ok(None) };
        let ad_hoc = self.with(&vec![Some(entrant.clone()); self.wanted.seats.len()])?;
        Ok(Some(Adviser { ad_hoc, label: escape(&entrant.label, 40), tells_why: false }))
    }

    fn begun(&self) -> Begun {
        let page = self.wanted.language.pick("play.html", "play.fr.html");
        Begun { from: format!("/ladder/{}/{page}", self.wanted.ladder.id), patience: IDLE }
    }

    /// The seats of such people.
    fn seats(&self, who: &Sitter) -> Vec<Seat> {
        let seats = self.wanted.seats.iter().enumerate().filter(|(_, sitter)| *sitter == who);
        seats.map(|(seat, _)| seat).collect()
    }
}

/// Plays match after match on a thread of its own, until the board is left; then its place is free.
fn begin_playing(
    mut ad_hoc: AdHocMatch,
    session: Arc<BoardSession>,
    place: Place,
    wanted: &NewBoard,
) -> Result<(), Failure> {
    let (words, game) = (PlayWords(wanted.language), wanted.game);
    let called = vec![words.person().to_owned(); wanted.seats.len()];
    let play = move || {
        step_back();
        let ending = FinishedMatch { words, game, called, save: None, keeps_words: false };
        let left = play_on(&mut ad_hoc, &*session, &ending);
        if let Err(failure) = left {
            tracing::error!("a board was left: {}", failure.message);
        }
        drop(place);
    };
    let begun = std::thread::Builder::new().name("agon-board".to_owned()).spawn(play);
    begun.map(drop).map_err(|error| Failure::trouble(format!("no thread can be started for a board: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_few_boards_and_fewer_of_one_team_or_address() {
        let open = Arc::new(OpenBoards::default());
        let team = |team: &str| Asker::Team(team.to_owned());
        let address = |address: &str| Asker::Address(address.parse().unwrap());
        let place = |name: usize, asker: Asker| OpenBoards::place(&open, name.to_string(), asker);
        let own: Vec<_> = (0..5).filter_map(|name| place(name, team("red"))).collect();
        assert_eq!(own.len(), MOST_OF_TEAM);
        let near: Vec<_> = (10..30).filter_map(|name| place(name, address("192.0.2.1"))).collect();
        assert_eq!(near.len(), MOST_OF_ADDRESS);
        let others: Vec<_> = (40..60).filter_map(|name| place(name, address("127.0.0.1"))).collect();
        assert_eq!(own.len() + near.len() + others.len(), MOST_BOARDS);
        assert!(place(70, team("blue")).is_none(), "there is no room for anybody");
        drop(others);
        assert!(place(70, team("blue")).is_some() && place(71, team("red")).is_none());
        assert!(place(72, address("192.0.2.1")).is_none() && place(73, address("192.0.2.2")).is_some());
    }

    #[test]
    fn who_has_left_gives_way() {
        let second = Duration::from_secs(1);
        let order = [
            order_of_leaving(true, second * 2),
            order_of_leaving(true, second),
            order_of_leaving(false, GIVES_WAY + second),
            order_of_leaving(false, GIVES_WAY),
            None,
        ];
        assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
        assert_eq!(order_of_leaving(false, GIVES_WAY - second), None, "players stay");
    }
}
