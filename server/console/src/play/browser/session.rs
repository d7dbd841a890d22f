//! The people at one board: the state that the player of a match and their pages share, with the position, the seats to
//! move, and the begun move and the notes of each link.

mod player_side;

use super::link::PlayLink;
use crate::play::advice::Adviser;
use crate::play::board::BoardRequest;
use crate::play::board_match::{BoardMatch, Stands};
use crate::play::finished::ResultText;
use crate::play::sentences::PlayWords;
use agon_games::{AnyState, MoveBytes, Seat};
use agon_tournament::AdHocMatch;
use agon_web::BoardInvitationPage;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The nice value of clients at a board, on top of the ladder's. With it, a client that thinks takes a twentieth of a
/// core that the ladder wants whole. With 10 it takes an eighth; with more, people wait too long.
const NICE: i32 = 15;

/// The longest time for which a signal waits.
const SLICE: Duration = Duration::from_millis(100);
/// The longest text that is taken for a move.
const LONGEST_MOVE: usize = 200;

/// The session that the player of a match and the pages of people share.
pub struct BoardSession {
    links: Arc<[PlayLink]>,
    pub(super) words: PlayWords,
    pub(super) adviser: Option<Adviser>,
    shared: Mutex<SessionState>,
    /// The time at which somebody did something last.
    last_act: Mutex<Instant>,
    /// Grows with each change; read without waiting.
    version: Arc<AtomicU64>,
    /// Whether the match is over, and whether the board is to be left for another; asked without waiting.
    is_over: AtomicBool,
    is_cleared: AtomicBool,
    changed: Condvar,
    until: Until,
}

/// The limits of people's stay at a board.
pub struct Until {
    /// Set when the program is to end.
    pub is_stopped: Arc<AtomicBool>,
    /// Where the first link was begun from the pages of a ladder; `None` = people have been told their links, and have
    /// all the time they want.
    pub begun: Option<Begun>,
}

/// That a visitor of other pages began a board: the first link is shown the others, to pass them on.
pub struct Begun {
    /// The page from which it was begun.
    pub from: String,
    /// The longest time for which everybody may be idle.
    pub patience: Duration,
}

/// The end of a match.
#[derive(Debug)]
pub(super) struct Over {
    /// The result in words.
    pub told: ResultText,
    /// The page of the replay.
    pub replay: String,
}

/// The part of a session that changes.
pub struct SessionState {
    pub game: BoardMatch,
    version: Arc<AtomicU64>,
    /// A number that grows with each position.
    pub at: u64,
    /// The seats that are to move.
    pub asked: BTreeMap<Seat, u32>,
    answers: BTreeMap<Seat, MoveBytes>,
    /// The parts of a move that were chosen.
    pub begun: BTreeMap<Seat, String>,
    /// The last note to each link.
    pub notes: Vec<String>,
    /// Moves that were made: turn, seat and move.
    pub moves: Vec<(u32, Seat, String)>,
    wish: Option<BoardRequest>,
    /// The seats that agree to take the last move back.
    pub agreed: BTreeSet<Seat>,
    /// The seats that have resigned; the rules move for them.
    pub resigned: BTreeSet<Seat>,
    /// The end of the match, when it is over.
    pub over: Option<Over>,
    wants_another: bool,
    /// Whether the adviser is thinking.
    is_advised: bool,
    /// The link that was advised last, in which position, and the move.
    advised: Option<(usize, u64, String)>,
    /// Whether the match has begun, and nobody has moved or been asked for a move.
    pub is_starting: bool,
}

/// An act of a person on the page.
#[derive(Deserialize, Debug, PartialEq, Eq)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum PlayAction {
    /// Chooses the next part of a move, or the rest of it.
    Choose {
        text: String,
    },
    /// Types a move, or a part of it.
    Type {
        text: String,
    },
    /// Begins the move anew.
    Clear,
    Undo,
    Resign,
    Hint,
    Again,
}

impl BoardSession {
    /// A session before its first match.
    pub fn new(
        ad_hoc: &AdHocMatch,
        words: PlayWords,
        adviser: Option<Adviser>,
        links: Vec<PlayLink>,
        until: Until,
    ) -> BoardSession {
        let version = Arc::new(AtomicU64::new(0));
        let shared = SessionState {
            game: BoardMatch::new(ad_hoc),
            version: Arc::clone(&version),
            at: 0,
            asked: BTreeMap::new(),
            answers: BTreeMap::new(),
            begun: BTreeMap::new(),
            notes: vec![String::new(); links.len()],
            moves: Vec::new(),
            wish: None,
            agreed: BTreeSet::new(),
            resigned: BTreeSet::new(),
            over: None,
            wants_another: false,
            is_advised: false,
            advised: None,
            is_starting: false,
        };
        let (is_over, is_cleared, changed) = Default::default();
        BoardSession {
            last_act: Mutex::new(Instant::now()),
            links: links.into(),
            words,
            adviser,
            shared: Mutex::new(shared),
            version,
            is_over,
            is_cleared,
            changed,
            until,
        }
    }

    /// All links of the board.
    pub fn links(&self) -> &Arc<[PlayLink]> {
        &self.links
    }

    /// The page of a link.
    pub fn page(&self, link: usize) -> String {
        super::view::page(self, &self.lock(), link)
    }

    /// The page that asks the holder of an invitation to take it.
    pub fn invitation_page(&self, link: usize) -> String {
        let title = self.lock().game.facts.title;
        BoardInvitationPage { language: self.words.0, title, seats: &self.links[link].seats }.into_text()
    }

    /// The replay, when nothing of the match is hidden any more.
    pub fn replay(&self) -> Option<String> {
        self.lock().over.as_ref().map(|over| over.replay.clone())
    }

    /// A number that grows with each change; reading it waits for nobody at the board.
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Whether the match is over, and another one is only waited for.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// The time for which nobody did anything.
    pub fn idle(&self) -> Duration {
        self.last_act.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).elapsed()
    }

    /// Lets all pages be looked at anew.
    pub fn tell(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }

    /// Lets nobody play here any more.
    pub fn leave(&self) {
        self.is_cleared.store(true, Ordering::Release);
    }

    /// The links that the holder of a link sees, to pass them on.
    pub fn invitations(&self, link: usize) -> &[PlayLink] {
        if link == 0 && self.until.begun.is_some() { self.links.get(1..).unwrap_or_default() } else { &[] }
    }

    /// The page from which a link began the board, if it did.
    pub fn begun_from(&self, link: usize) -> Option<&str> {
        self.until.begun.as_ref().filter(|_| link == 0).map(|begun| begun.from.as_str())
    }

    /// Locks the shared state; after a panic of a page it is still as it was.
    fn lock(&self) -> MutexGuard<'_, SessionState> {
        self.shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Does what a person wants who looked at the position `at`.
    pub fn act(this: &Arc<BoardSession>, link: usize, at: u64, act: &PlayAction) {
        if this.links[link].is_to_watch() {
            return;
        }
        let mut shared = this.lock();
        shared.grow();
        *this.last_act.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Instant::now();
        let seat = shared.mover(&this.links[link].seats);
        let said = match (act, seat) {
            _ if at != shared.at => this.words.has_changed().to_owned(),
            (PlayAction::Again, _) if shared.over.is_some() => {
                shared.wants_another = true;
                String::new()
            }
            (PlayAction::Undo, _) if shared.over.is_none() => shared.undo(&this.links[link].seats, this.words),
            (PlayAction::Resign, Some(seat)) => {
                shared.resigned.insert(seat);
                shared.asked.remove(&seat);
                String::new()
            }
            (PlayAction::Clear, Some(seat)) => {
                shared.begun.remove(&seat);
                String::new()
            }
            (PlayAction::Hint, Some(seat)) => BoardSession::advise(this, &mut shared, link, seat),
            (PlayAction::Choose { text }, Some(seat)) if text.len() <= LONGEST_MOVE => {
                shared.choose(seat, text, this.words)
            }
            (PlayAction::Type { text }, Some(seat)) if text.len() <= LONGEST_MOVE => {
                shared.read(seat, text.trim(), this.words)
            }
            _ => this.words.not_your_turn().to_owned(),
        };
        // After a mistake the advice given before would only confuse.
        shared.advised.take_if(|_| !said.is_empty() && !matches!(act, PlayAction::Hint));
        shared.notes[link] = this.words.in_browser(said);
        this.changed.notify_all();
    }

    /// Lets the adviser think on another thread; its advice is shown if the position is still the same.
    fn advise(this: &Arc<BoardSession>, shared: &mut SessionState, link: usize, seat: Seat) -> String {
        let Some(label) = this.adviser.as_ref().map(|adviser| adviser.label.clone()) else {
            return this.words.no_adviser().to_owned();
        };
        if shared.is_advised {
            return this.words.is_asked(&label);
        }
        let (session, state, at) = (Arc::clone(this), shared.game.state.clone_box(), shared.at);
        let ask = move || {
            if session.until.begun.is_some() {
                step_back();
            }
            let advice = session.adviser.as_ref().map(|adviser| adviser.ask(&*state, seat));
            let mut shared = session.lock();
            shared.is_advised = false;
            shared.grow();
            if let Some(advice) = advice.filter(|_| shared.at == at) {
                shared.advised = advice.as_ref().ok().map(|mv| (link, at, mv.clone()));
                let advice = advice.map(|mv| shared.game.in_language(&mv, session.words.0));
                shared.notes[link] = session.words.advice(&session.adviser_name(), advice);
            }
        };
        shared.is_advised = std::thread::Builder::new().spawn(ask).is_ok();
        this.words.is_asked(&label)
    }

    /// The adviser's name; empty without an adviser.
    pub fn adviser_name(&self) -> String {
        self.adviser.as_ref().map_or(String::new(), |adviser| adviser.label.clone())
    }

    /// The wish of people, if the program is not to end.
    fn wish(&self, shared: &SessionState) -> Option<BoardRequest> {
        if self.is_left() { Some(BoardRequest::Quit) } else { shared.wish }
    }

    /// Whether nobody is to play here any more.
    fn is_left(&self) -> bool {
        let is_idle = self.until.begun.as_ref().is_some_and(|begun| self.idle() >= begun.patience);
        is_idle || self.is_cleared.load(Ordering::Acquire) || self.until.is_stopped.load(Ordering::Relaxed)
    }
}

impl SessionState {
    /// Notes that something has changed.
    fn grow(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }

    /// The move that was advised to a link in this position.
    pub fn advised_text(&self, link: usize) -> Option<&str> {
        let (_, _, text) = self.advised.as_ref().filter(|(to, at, _)| (*to, *at) == (link, self.at))?;
        Some(text)
    }

    /// The seat of a link that is to move.
    pub fn mover(&self, seats: &[Seat]) -> Option<Seat> {
        seats.iter().copied().find(|seat| self.asked.contains_key(seat) && self.over.is_none())
    }

    fn reset(&mut self, state: Box<dyn AnyState>) {
        self.game.begin(state);
        self.asked.clear();
        self.answers.clear();
        self.begun.clear();
        self.moves.clear();
        self.agreed.clear();
        self.resigned.clear();
        (self.wish, self.over, self.wants_another) = (None, None, false);
        self.is_starting = true;
        self.grow();
        self.at += 1;
    }

    /// The person on `seat` has decided.
    pub fn answer(&mut self, seat: Seat, mv: MoveBytes) {
        self.answers.insert(seat, mv);
        self.asked.remove(&seat);
        self.begun.remove(&seat);
        self.agreed.clear();
    }

    /// These seats would take the last move back; it is, when all agree.
    fn undo(&mut self, seats: &[Seat], words: PlayWords) -> String {
        match self.game.last_of_people() {
            Err(Stands::Seen) => return words.seen().to_owned(),
            Err(Stands::Nothing) => return words.nothing_to_take_back().to_owned(),
            Ok(_) => self.agreed.extend(seats),
        }
        if !self.game.people().all(|seat| self.agreed.contains(&seat)) {
            return words.others_must_agree().to_owned();
        }
        if self.game.take_back().is_ok() {
            self.wish = Some(BoardRequest::Undo);
        }
        String::new()
    }
}

/// Makes this thread, and whatever it starts, as urgent as a board is. Where that is not allowed it is as quick as the
/// rest.
pub fn step_back() {
    let _ = rustix::process::setpriority_process(None, NICE);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::board::SeatBoard;
    use agon_config::{MatchWords, for_match};
    use agon_games::{GAMES, Language};
    use agon_model::Paths;
    use std::path::Path;

    #[test]
    fn a_board_at_which_nobody_does_anything_is_left() {
        let game = Some(GAMES[0].facts().name.to_owned());
        let words = MatchWords { people: 2, game, ..MatchWords::default() };
        let ladder = for_match(&words, Path::new("."), GAMES).unwrap();
        let paths = Paths { out: "out".into(), host: "host".into(), admit: "admit".into(), adapter: None };
        let ad_hoc = AdHocMatch::of_people(&ladder, &[None, None], GAMES, &paths, &mut |_| ()).unwrap();
        let heard = |patience: Option<Duration>| {
            let begun = patience.map(|patience| Begun { from: String::new(), patience });
            let until = Until { is_stopped: Arc::default(), begun };
            let session = BoardSession::new(&ad_hoc, PlayWords(Language::English), None, Vec::new(), until);
            (session.hear(0, 0, Duration::from_millis(1)), session.take_wish())
        };
        assert_eq!(heard(None), (None, None), "people who were told their links have all the time they want");
        assert_eq!(heard(Some(Duration::from_secs(600))), (None, None));
        assert_eq!(heard(Some(Duration::ZERO)), (Some(None), Some(BoardRequest::Quit)));
    }
}
