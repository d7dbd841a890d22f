//! The pages of a record by their paths, each made when it is asked for. What a ladder's pages are made of is read
//! anew when the record has changed, and not so often that it costs more than a small part of a core.

use super::content::Found;
use super::feed::Feed;
use crate::place::Place;
use crate::published::{Asked, match_of, publish, told};
use crate::{Failure, export};
use agon_games::AnyGame;
use agon_model::Points;
use agon_record::transfer::Redaction;
use agon_record::{Archive, LadderRow, Listed};
use agon_web::{ServedLadder, Site, asset, ladders_page};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How old what is shown may be, whatever it takes to make.
const FRESH: Duration = Duration::from_secs(1);
/// It is made anew after so many times the time that this took last.
const PAUSE: u32 = 20;
/// So many matches of a ladder, the newest, are held in memory and listed.
const MOST_LISTED: usize = 100_000;
/// Of so many ladders what their pages are made of is kept.
const MOST_KEPT: usize = 4;

/// What is shown.
pub struct Shown {
    /// Where the record is.
    pub place: Place,
    /// What the results of a ladder are worth, if it is known: of the one with this name.
    pub points: Option<(String, Points)>,
    /// Names are numbers, and nothing that clients said is told.
    pub anonymise: bool,
    /// The games there are.
    pub games: &'static [&'static dyn AnyGame],
}

/// A record that is open.
type Opened = Box<dyn Archive + Send>;

/// The pages.
pub struct Pages {
    shown: Shown,
    redaction: Redaction,
    feed: Option<Arc<Feed>>,
    /// The record, for what is quickly read.
    store: Mutex<Option<Opened>>,
    /// The same once more, for whoever makes something anew; the others go on with what there is.
    maker: Mutex<Option<Opened>>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    ladders: BTreeMap<i64, Snapshot>,
    /// How often something was made anew.
    made: u64,
}

/// What the pages of a ladder are made of, at one moment.
#[derive(Clone)]
struct Snapshot {
    site: Arc<Site<'static>>,
    changes: i64,
    when: Instant,
    took: Duration,
}

impl Pages {
    /// Those of a record; while a ladder is played into it, with what it tells.
    pub fn new(shown: Shown, feed: Option<Arc<Feed>>) -> Pages {
        let redaction = export::redaction(shown.anonymise, shown.place.out());
        let (store, maker, kept) = Default::default();
        Pages { shown, redaction, feed, store, maker, kept }
    }

    /// What a path leads to. Paths are looked for as they are: nothing is decoded, and none leads to a file.
    pub fn find(&self, path: &str) -> Result<Found, Failure> {
        if let Some(text) = asset(path) {
            return Ok(Found::Text(text));
        }
        if path == "/" || path == "/ladders" {
            return self.first(path == "/ladders");
        }
        let place = path.strip_prefix("/ladder/").and_then(|rest| rest.split_once('/'));
        let Some((Ok(id), rest)) = place.map(|(id, rest)| (id.parse::<i64>(), rest)) else { return Ok(Found::Nothing) };
        let mut guard = lock(&self.store);
        let Some(store) = self.open(&mut guard)? else { return Ok(Found::Nothing) };
        let Some(ladder) = store.ladders()?.into_iter().map(|(row, _)| row).find(|row| row.id == id) else {
            return Ok(Found::Nothing);
        };
        if let Some(id) = rest.strip_prefix("match/").and_then(|name| name.strip_suffix(".html")) {
            let told = told(store, &ladder, &self.redaction)?;
            let page = match_of(store, self.shown.games, &ladder, &told.members, &self.redaction, id)?;
            return Ok(page.map_or(Found::Nothing, |page| Found::Text(page.text)));
        }
        let changes = store.changes()?;
        drop(guard);
        let site = self.site(&ladder, changes)?;
        let now = self.feed.as_ref().filter(|feed| feed.ladder() == Some(id)).and_then(|feed| feed.now());
        Ok(site.and_then(|site| site.page(rest, now.as_ref())).map_or(Found::Nothing, Found::Text))
    }

    /// A word that is another one when something that is shown may be.
    pub fn version(&self) -> Result<String, Failure> {
        let (mut changes, mut ladders) = (0, Vec::new());
        if let Some(store) = self.open(&mut lock(&self.store))? {
            changes = store.changes()?;
            ladders = store.ladders()?;
        }
        for (ladder, _) in ladders {
            let is_kept = lock(&self.kept).ladders.contains_key(&ladder.id);
            if is_kept {
                self.site(&ladder, changes)?;
            }
        }
        let run = self.feed.as_ref().and_then(|feed| feed.now());
        let run =
            run.map_or(String::new(), |now| format!("{}.{}.{}", now.done, now.fault_count, u8::from(now.is_over)));
        Ok(format!("{changes}.{}.{run}", lock(&self.kept).made))
    }

    /// The ladder that is played, the only one, or a list; or the list in any case.
    fn first(&self, lists: bool) -> Result<Found, Failure> {
        let ladders = match self.open(&mut lock(&self.store))? {
            Some(store) => store.ladders()?,
            None => Vec::new(),
        };
        let played = self.feed.as_ref().map(|feed| feed.ladder());
        let leads = match (played, ladders.as_slice()) {
            (Some(played), _) => played,
            (None, [(only, _)]) => Some(only.id),
            (None, _) => None,
        };
        if let Some(id) = leads.filter(|_| !lists) {
            return Ok(Found::Elsewhere(format!("/ladder/{id}/index.html")));
        }
        let listed =
            |(row, blocks): (LadderRow, u64)| ServedLadder { id: row.id, name: row.name, game: row.game, blocks };
        Ok(Found::Text(ladders_page(&ladders.into_iter().map(listed).collect::<Vec<_>>())))
    }

    /// What the pages of a ladder are made of, read anew if that is due and nobody else is at it.
    fn site(&self, ladder: &LadderRow, changes: i64) -> Result<Option<Arc<Site<'static>>>, Failure> {
        // After the end there is nothing to spare.
        let is_over = self.feed.as_ref().is_some_and(|feed| feed.is_over());
        let look = || lock(&self.kept).ladders.get(&ladder.id).cloned();
        let is_fresh =
            |old: &Snapshot| old.changes == changes || !is_over && old.when.elapsed() < FRESH.max(old.took * PAUSE);
        let mut maker = match look() {
            Some(old) if is_fresh(&old) => return Ok(Some(old.site)),
            Some(old) => match self.maker.try_lock() {
                Ok(maker) => maker,
                Err(_) => return Ok(Some(old.site)),
            },
            None => lock(&self.maker),
        };
        // Somebody else may have made it meanwhile.
        if let Some(made) = look().filter(|made| is_fresh(made)) {
            return Ok(Some(made.site));
        }
        let Some(store) = self.open(&mut maker)? else { return Ok(None) };
        let began = Instant::now();
        let site = Arc::new(self.make(store, ladder)?);
        let snapshot = Snapshot { site: Arc::clone(&site), changes, when: Instant::now(), took: began.elapsed() };
        self.keep(ladder.id, snapshot);
        Ok(Some(site))
    }

    fn keep(&self, ladder: i64, snapshot: Snapshot) {
        let mut kept = lock(&self.kept);
        kept.made += 1;
        kept.ladders.insert(ladder, snapshot);
        if kept.ladders.len() > MOST_KEPT
            && let Some(oldest) = kept.ladders.iter().min_by_key(|(_, old)| old.when).map(|(id, _)| *id)
        {
            kept.ladders.remove(&oldest);
        }
    }

    fn make(&self, store: &dyn Archive, ladder: &LadderRow) -> Result<Site<'static>, Failure> {
        let _moment = store.read_moment()?;
        let all = |matches: &[Listed]| matches.iter().map(|found| found.id.clone()).collect();
        let newest = Some(MOST_LISTED);
        let asked = Asked { redaction: &self.redaction, staff: &[], before: None, is_served: true, newest };
        let points = self.shown.points.as_ref().filter(|(name, _)| *name == ladder.name).map(|(_, points)| *points);
        let (published, _) = publish(store, self.shown.games, ladder, points.unwrap_or_default(), asked, &all)?;
        Site::new(Cow::Owned(published)).map_err(|error| Failure::new(1, error))
    }

    /// The record, opened when it is there.
    fn open<'a>(&self, store: &'a mut Option<Opened>) -> Result<Option<&'a dyn Archive>, Failure> {
        if store.is_none() && self.shown.place.is_there() {
            *store = Some(self.shown.place.open_existing()?);
        }
        Ok(store.as_ref().map(|store| -> &dyn Archive { &**store }))
    }
}

/// Where a page panicked, what was kept before it is still as it was.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
