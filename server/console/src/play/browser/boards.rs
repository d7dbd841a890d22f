//! Boards that visitors of the pages of a ladder begin: each the board of `agon play --browser`, below a path of its
//! own, with the ladder's clients and terms. There are few, they are cleared when nobody plays, and the ladder comes
//! first.

use super::content::PlayPages;
use super::link::invited;
use super::table::{Begun, Table, Until};
use crate::play::advice::Adviser;
use crate::play::words::Words;
use crate::play::{Ending, play_on};
use agon_command::token::draw_token;
use agon_command::{Failure, find_places};
use agon_games::Seat;
use agon_live::boards::{BOARDS, Boards, NewBoard, Sitter};
use agon_live::gate::Gate;
use agon_model::visible::escape;
use agon_model::{Entrant, Paths};
use agon_tournament::AdHocMatch;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So many boards there may be at once.
const MOST: usize = 8;
/// So many of them of one team.
const MOST_OF_TEAM: usize = 2;
/// A board at which nobody does anything for so long is cleared.
const IDLE: Duration = Duration::from_secs(20 * 60);
/// How much less of the processor whoever plays at a board has than whoever plays the ladder: nice values. With this a
/// client that thinks takes a twentieth of a core that the ladder wants whole; with less of it, it takes an eighth (10),
/// with more, people wait for it too long.
const NICE: i32 = 15;

/// All of them.
#[derive(Default)]
pub struct LiveBoards {
    open: Arc<OpenBoards>,
    is_stopped: Arc<AtomicBool>,
}

/// Those at which somebody may play, by name.
#[derive(Default)]
struct OpenBoards(Mutex<BTreeMap<String, OpenBoard>>);

/// One board.
struct OpenBoard {
    /// `None` while it is set up.
    pages: Option<Arc<PlayPages>>,
    team: Option<String>,
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

    /// A place for one more board; `None` where there is none, for anybody or for this team.
    fn place(open: &Arc<OpenBoards>, name: String, team: Option<String>) -> Option<Place> {
        let mut boards = open.lock();
        let is_own = |board: &OpenBoard| team.is_some() && board.team == team;
        if !has_room(&mut boards, MOST_OF_TEAM, &is_own) || !has_room(&mut boards, MOST, &|_| true) {
            return None;
        }
        boards.insert(name.clone(), OpenBoard { pages: None, team });
        Some(Place { open: Arc::clone(open), name })
    }
}

/// Whether there are fewer of these boards than so many, one that is over being cleared where there are not.
fn has_room(boards: &mut BTreeMap<String, OpenBoard>, most: usize, counts: &dyn Fn(&OpenBoard) -> bool) -> bool {
    boards.values().filter(|board| counts(board)).count() < most || clear_one(boards, counts)
}

/// Clears one of these boards whose match is over; `false` where there is none.
fn clear_one(boards: &mut BTreeMap<String, OpenBoard>, may: &dyn Fn(&OpenBoard) -> bool) -> bool {
    let table = |board: &OpenBoard| board.pages.as_ref().map(|pages| Arc::clone(pages.table()));
    let is_over = |board: &OpenBoard| may(board) && table(board).is_some_and(|table| table.is_over());
    let over = boards.iter().find(|(_, board)| is_over(board)).map(|(name, _)| name.clone());
    let cleared = over.and_then(|name| boards.remove(&name));
    cleared.as_ref().and_then(table).inspect(|table| table.leave()).is_some()
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.lock().remove(&self.name);
    }
}

impl Drop for LiveBoards {
    /// Whoever still plays stops by itself, and is not waited for.
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

impl Boards for LiveBoards {
    type Board = PlayPages;

    fn begin(&self, gate: &Gate, wanted: NewBoard) -> Result<Result<String, String>, Failure> {
        let words = Words(wanted.language);
        let name = draw_token()?;
        let Some(place) = OpenBoards::place(&self.open, name.clone(), wanted.team.clone()) else {
            return Ok(Err(words.no_board_is_free(MOST, MOST_OF_TEAM, IDLE)));
        };
        let setup = Setup { places: find_places(&wanted.out)?, wanted };
        let ad_hoc = setup.ad_hoc()?;
        let adviser = setup.adviser()?;
        let guests = setup.seats(&Sitter::Guest);
        let links = invited(setup.seats(&Sitter::Visitor), &guests, draw_token)?;
        let path = format!("{BOARDS}{name}/{}/?token={}", links[0].name, links[0].token);
        let until = Until { is_stopped: Arc::clone(&self.is_stopped), begun: Some(setup.begun()) };
        let table = Arc::new(Table::new(&ad_hoc, words, adviser, links, until));
        let pages = PlayPages::new(Arc::clone(&table), gate.clone(), format!("{BOARDS}{name}"));
        self.open.lock().entry(name).and_modify(|board| board.pages = Some(Arc::new(pages)));
        begin_playing(ad_hoc, table, place, &setup.wanted)?;
        Ok(Ok(path))
    }

    fn board(&self, path: &str) -> Option<Arc<PlayPages>> {
        let (name, _) = path.strip_prefix(BOARDS)?.split_once('/')?;
        self.open.lock().get(name)?.pages.clone()
    }
}

/// A board that is wanted, and where its clients are.
struct Setup {
    wanted: NewBoard,
    places: Paths,
}

impl Setup {
    fn ad_hoc(&self) -> Result<AdHocMatch, Failure> {
        let client = |sitter: &Sitter| match sitter {
            Sitter::Client(entrant) => Some(entrant.clone()),
            Sitter::Visitor | Sitter::Guest => None,
        };
        self.with(&self.wanted.seats.iter().map(client).collect::<Vec<_>>())
    }

    fn with(&self, seats: &[Option<Entrant>]) -> Result<AdHocMatch, Failure> {
        let NewBoard { ladder, setting, game, .. } = &self.wanted;
        Ok(AdHocMatch::of_ladder((ladder, *setting), seats, *game, &self.places)?)
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

    /// Where such people sit.
    fn seats(&self, who: &Sitter) -> Vec<Seat> {
        let seats = self.wanted.seats.iter().enumerate().filter(|(_, sitter)| *sitter == who);
        seats.map(|(seat, _)| seat).collect()
    }
}

/// Plays match after match on a thread of its own, until the board is left; then its place is free.
fn begin_playing(mut ad_hoc: AdHocMatch, table: Arc<Table>, place: Place, wanted: &NewBoard) -> Result<(), Failure> {
    let (words, game) = (Words(wanted.language), wanted.game);
    let called = vec![words.person().to_owned(); wanted.seats.len()];
    let play = move || {
        // Where it is not allowed it is as quick as the rest.
        let _ = rustix::process::setpriority_process(None, NICE);
        let ending = Ending { words, game, called, save: None, keeps_words: false };
        let left = play_on(&mut ad_hoc, &*table, &ending);
        if let Err(failure) = left {
            tracing::error!("a board was left: {}", failure.message);
        }
        drop(place);
    };
    let begun = std::thread::Builder::new().name("agon-board".to_owned()).spawn(play);
    begun.map(drop).map_err(|error| Failure::new(1, format!("no thread can be started for a board: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_few_boards_and_fewer_of_one_team() {
        let open = Arc::new(OpenBoards::default());
        let place =
            |name: usize, team: Option<&str>| OpenBoards::place(&open, name.to_string(), team.map(str::to_owned));
        let own: Vec<_> = (0..5).filter_map(|name| place(name, Some("red"))).collect();
        assert_eq!(own.len(), MOST_OF_TEAM);
        let others: Vec<_> = (10..30).filter_map(|name| place(name, None)).collect();
        assert_eq!(own.len() + others.len(), MOST);
        assert!(place(40, Some("blue")).is_none(), "there is no room for anybody");
        drop(others);
        assert!(place(40, Some("blue")).is_some() && place(41, Some("red")).is_none());
    }
}
