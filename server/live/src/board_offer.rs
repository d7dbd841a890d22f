//! How a visitor of a ladder asks for a board: which clients the form offers, and what is made of what it sends.

use crate::boards::{Asker, NewBoard, Sitter};
use agon_command::Failure;
use agon_games::{AnyGame, Language, Scene};
use agon_model::visible::escape;
use agon_model::{Copied, EntrantId, LadderRow, SuspensionKind, find_game, opening};
use agon_record::{Archive, Filter, Member};
use agon_web::{BoardForm, Ways};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The most clients that are offered, the newest.
const MOST_CLIENTS: usize = 200;
/// The number of newest matches that decide which of them is the best.
const LATEST: usize = 200;
/// The most boards that the form shows.
const MOST_PICTURES: usize = 8;
/// A seat of the visitor, and one of somebody else, in a form.
const VISITOR: &str = "you";
const GUEST: &str = "guest";

/// The boards that a visitor may ask for.
pub struct BoardOffer<'a> {
    ladder: &'a LadderRow,
    game: &'static dyn AnyGame,
    out: &'a Path,
    /// By name.
    clients: Vec<Member>,
    /// The place of the best of them.
    best: usize,
    /// How many there are in all.
    of: usize,
}

/// The fields of a form.
#[derive(Deserialize)]
struct NewBoardForm {
    language: String,
    setting: usize,
    /// Seat by seat: who sits there, a client by its number.
    seats: Vec<String>,
    /// A client by its number; empty for none.
    adviser: String,
}

impl<'a> BoardOffer<'a> {
    /// The offer of a ladder: clients that still play in it, whose files are here.
    pub fn of(
        store: &dyn Archive,
        ladder: &'a LadderRow,
        games: &[&'static dyn AnyGame],
        out: &'a Path,
    ) -> Result<BoardOffer<'a>, Failure> {
        let is_withdrawn = |member: &Member| {
            member.suspension.as_ref().is_some_and(|suspension| suspension.kind == SuspensionKind::Withdrawn)
        };
        let has_files = |member: &Member| {
            Copied::of_record(out, &member.entrant).is_some_and(|copied| copied.files.all().all(|file| file.is_file()))
        };
        let mut clients = store.members(ladder.id)?;
        let records = latest_results(store, ladder, clients.len())?;
        let records: BTreeMap<EntrantId, LatestResults> = clients.iter().map(|member| member.id).zip(records).collect();
        clients.retain(|member| member.present && member.entrant.refused.is_none() && !is_withdrawn(member));
        clients.retain(has_files);
        let of = clients.len();
        clients.drain(..of.saturating_sub(MOST_CLIENTS));
        clients.sort_by(|a, b| a.entrant.label.cmp(&b.entrant.label));
        // Suspended clients come last.
        let rank = |at: usize| {
            let Member { id, suspension, .. } = &clients[at];
            records[id].rank() - 2.0 * f64::from(u8::from(suspension.is_some()))
        };
        // The first of equals.
        let best = (0..clients.len()).rev().max_by(|a, b| rank(*a).total_cmp(&rank(*b))).unwrap_or(0);
        Ok(BoardOffer { ladder, game: find_game(games, &ladder.game)?, out, clients, best, of })
    }

    /// The form, with what is to be said about what it sent.
    pub fn page(&self, language: Language, note: &str, ways: Ways<'_>) -> String {
        let client = |member: &Member| (member.id, escape(&member.entrant.label, 60));
        BoardForm {
            language,
            ladder: &self.ladder.name,
            game: self.game.facts().title,
            settings: self.ladder.settings.iter().map(|(name, _)| name.as_str()).collect(),
            seats: self.ladder.seats,
            clients: self.clients.iter().map(client).collect(),
            opponent: self.best,
            of: self.of,
            ways,
            starts: self.starts(language),
            note,
        }
        .into_text()
    }

    /// The starts of the first settings, in games with a board.
    fn starts(&self, language: Language) -> Vec<(usize, Scene)> {
        let start = |number: usize| {
            let setting = self.game.prepare(&self.ladder.options(number)?, self.ladder.seats).ok()?;
            let scene = setting.start(&opening(self.ladder.seed, 0)).scene(Some(0), language);
            (!scene.cells.is_empty()).then_some((number, scene))
        };
        (0..self.ladder.settings.len().min(MOST_PICTURES)).filter_map(start).collect()
    }

    /// The board that a form asks for, or what is to be said about it; nothing where it is no form of this page.
    pub fn read(&self, form: &[u8], asker: Asker) -> Option<(Language, Result<NewBoard, &'static str>)> {
        let form: NewBoardForm = serde_json::from_slice(form).ok()?;
        let language = if form.language == "fr" { Language::French } else { Language::English };
        let client = |text: &str| {
            let id = text.parse().ok().map(EntrantId)?;
            self.clients.iter().find(|member| member.id == id).map(|member| member.entrant.clone())
        };
        let sitter = |text: &String| match text.as_str() {
            VISITOR => Some(Sitter::Visitor),
            GUEST => Some(Sitter::Guest),
            text => client(text).map(Sitter::Client),
        };
        let seats: Option<Vec<Sitter>> = form.seats.iter().map(sitter).collect();
        let Some(seats) = seats.filter(|seats| seats.len() == self.ladder.seats) else {
            return Some((language, Err(gone(language))));
        };
        let adviser = client(&form.adviser);
        if adviser.is_none() && !form.adviser.is_empty() || form.setting >= self.ladder.settings.len() {
            return Some((language, Err(gone(language))));
        }
        let own = seats.iter().filter(|sitter| **sitter == Sitter::Visitor).count();
        if own == 0 || own > 1 && self.game.facts().hidden {
            return Some((language, Err(own_seat(language, own))));
        }
        let (ladder, out, setting, game) = (self.ladder.clone(), self.out.to_owned(), form.setting, self.game);
        Some((language, Ok(NewBoard { language, ladder, setting, game, seats, adviser, out, asker })))
    }
}

/// The results of a client in the newest matches.
#[derive(Clone, Copy, Default)]
struct LatestResults {
    /// Others that it was before.
    beaten: u32,
    met: u32,
    failed: bool,
}

impl LatestResults {
    /// The share of others that it beat; less than any of these where it has failed.
    fn rank(self) -> f64 {
        f64::from(self.beaten) / f64::from(self.met.max(1)) - f64::from(u8::from(self.failed))
    }
}

/// By the order in which clients came.
fn latest_results(store: &dyn Archive, ladder: &LadderRow, members: usize) -> Result<Vec<LatestResults>, Failure> {
    let mut results = vec![LatestResults::default(); members];
    for listed in store.matches(ladder, &Filter { limit: Some(LATEST), ..Filter::default() })? {
        for seat in &listed.seats {
            let Some(result) = results.get_mut(seat.entrant) else { continue };
            let behind = listed.seats.iter().filter(|other| other.rank > seat.rank).count();
            result.beaten += behind as u32;
            result.met += listed.seats.len() as u32 - 1;
            result.failed |= seat.fault.is_some();
        }
    }
    Ok(results)
}

fn gone(language: Language) -> &'static str {
    language.pick(
        "the ladder has changed meanwhile: load this page again and choose anew",
        "le tournoi a changé entre-temps : rechargez cette page et choisissez de nouveau",
    )
}

fn own_seat(language: Language, own: usize) -> &'static str {
    match own {
        0 => language.pick(
            "take a seat: choose “you” for one of them",
            "prenez une place : choisissez « vous » pour l'une des places",
        ),
        _ => language.pick(
            "hands are hidden in this game: take one seat only",
            "les mains sont cachées dans ce jeu : ne prenez qu'une place",
        ),
    }
}
