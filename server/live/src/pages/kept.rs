//! The ladders whose pages are kept: each is made anew when its record has changed, and not too often.

use super::{Pages, lock};
use crate::published::{PublishOptions, publish, publish_standings};
use crate::test_result;
use crate::uploads::Uploads;
use crate::viewer::Viewer;
use agon_command::Failure;
use agon_games::Language;
use agon_model::{LadderId, LadderRow, Points};
use agon_record::{Archive, Listed, RedactedLadder};
use agon_web::{Headline, Published, ServedLadder, Site};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// How old what is shown may be, whatever it takes to make.
const FRESH: Duration = Duration::from_secs(1);

/// It is made anew after so many times the time that this took last.
const PAUSE: u32 = 20;

/// The most ladders whose snapshots are kept.
const MOST_KEPT: usize = 4;

impl Pages {
    /// Where a page that is not there leads: to its ladder, if everybody may see that one.
    pub fn home(&self, path: &str) -> String {
        let found = match self.open(&mut lock(&self.store)) {
            Ok(Some(store)) if !self.shown.has_teams => self.ladder_at(store, &Viewer::Anybody, path).ok().flatten(),
            _ => None,
        };
        found.map_or_else(|| "/".to_owned(), |(ladder, ..)| format!("/ladder/{}/index.html", ladder.id))
    }
}

#[derive(Default)]
pub(super) struct Kept {
    pub(super) ladders: BTreeMap<LadderId, Snapshot>,
    /// How often something was made anew.
    pub(super) made: u64,
    /// All ladders with how many blocks each has, as they were at so many changes: counting them takes long.
    pub(super) counted: Option<(i64, Vec<(LadderRow, u64)>)>,
    /// The result of each ladder in one sentence: in English and in French.
    stands: BTreeMap<LadderId, (Moment, [Headline; 2])>,
    /// When results that were known were last looked for again, and how long that took.
    looked: Option<(Instant, Duration)>,
}

/// How much of a ladder there is to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    Standings,
    Whole,
}

/// The state of a record that something was made of, and when that was.
#[derive(Clone, Copy)]
struct Moment {
    changes: i64,
    /// When the answer of the ladder's test was written, where it has one.
    answered: Option<SystemTime>,
    when: Instant,
    took: Duration,
}

/// The data of a ladder's pages, at one moment.
#[derive(Clone)]
pub(super) struct Snapshot {
    pub(super) site: Arc<Site>,
    pub(super) extent: Extent,
    at: Moment,
}

/// The list of all ladders does not wait for the result of a ladder with more blocks that is not kept.
const QUICK: u64 = 100_000;

/// The most ladders whose results are found for one request, if their pages are not kept; the others have their turn.
const MOST_FOUND: usize = 3;

impl Pages {
    /// A ladder in the list of all: whether it is played, and its result as it was found last.
    pub(super) fn listed(&self, (row, blocks): (&LadderRow, u64), language: Language) -> ServedLadder {
        let now = self.feed_of(row).and_then(|feed| feed.now(language)).filter(|now| !now.is_over);
        let found = lock(&self.kept).stands.get(&row.id).map(|(_, headline)| headline.clone());
        let headline = found.map(|[english, french]| language.pick(english, french));
        let playing = now.map(|now| [now.done, now.matches]);
        ServedLadder { id: row.id, name: row.name.clone(), game: self.title(&row.game), blocks, playing, headline }
    }

    /// Finds the results of ladders in one sentence where that is due and takes not long.
    pub(super) fn find_headlines(&self, ladders: &[(LadderRow, u64)], changes: i64) -> Result<(), Failure> {
        let mut due = Vec::new();
        for (row, blocks) in ladders {
            let answered = test_result::written(self.shown.location.out(), row.id);
            let (found, is_kept) = {
                let kept = lock(&self.kept);
                (kept.stands.get(&row.id).map(|(at, _)| *at), kept.ladders.contains_key(&row.id))
            };
            if found.is_some_and(|at| self.is_fresh(&at, (changes, answered))) {
                continue;
            }
            if !is_kept && *blocks <= QUICK {
                due.push((found.map(|at| at.when), row, answered));
            } else if is_kept && let Some(snapshot) = self.snapshot(row, changes, Extent::Standings)? {
                self.keep_headline(row, &snapshot);
            }
        }
        // Those without a result come first, and then the oldest.
        due.sort_by_key(|(when, ..)| *when);
        let Some((oldest, ..)) = due.first() else { return Ok(()) };
        let looked = lock(&self.kept).looked;
        if oldest.is_some() && !self.is_over() && looked.is_some_and(|(when, took)| is_young(when, took)) {
            return Ok(());
        }
        let began = Instant::now();
        for (_, row, answered) in due.into_iter().take(MOST_FOUND) {
            if let Some(snapshot) = self.standings_alone(row, (changes, answered))? {
                self.keep_headline(row, &snapshot);
            }
        }
        lock(&self.kept).looked = Some((Instant::now(), began.elapsed()));
        Ok(())
    }

    /// The standings of a ladder whose pages are not kept, unless somebody else makes something.
    fn standings_alone(
        &self,
        ladder: &LadderRow,
        (changes, answered): (i64, Option<SystemTime>),
    ) -> Result<Option<Snapshot>, Failure> {
        let Ok(mut maker) = self.maker.try_lock() else { return Ok(None) };
        let Some(store) = self.open(&mut maker)? else { return Ok(None) };
        let began = Instant::now();
        let site = Arc::new(self.make_standings(store, ladder)?);
        let at = Moment { changes, answered, when: Instant::now(), took: began.elapsed() };
        Ok(Some(Snapshot { site, extent: Extent::Standings, at }))
    }

    fn keep_headline(&self, row: &LadderRow, snapshot: &Snapshot) {
        let up = format!("/ladder/{}/", row.id);
        let made = [Language::English, Language::French].map(|language| snapshot.site.headline(&up, language));
        let mut kept = lock(&self.kept);
        // A list that is open shows the first result, and then asks for the next ones.
        kept.made += u64::from(kept.stands.insert(row.id, (snapshot.at, made)).is_none());
    }

    /// Whether something need not be made anew.
    fn is_fresh(&self, at: &Moment, (changes, answered): (i64, Option<SystemTime>)) -> bool {
        (at.changes, at.answered) == (changes, answered) || !self.is_over() && is_young(at.when, at.took)
    }

    /// Whether a run has ended: then there is nothing to spare.
    fn is_over(&self) -> bool {
        self.feed.as_ref().is_some_and(|feed| feed.is_over())
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
                self.site(&ladder, changes, Extent::Whole)?;
            }
        }
        let run = self.feed.as_ref().and_then(|feed| Some((feed.now(Language::English)?, feed.live.version())));
        let run = run.map_or(String::new(), |(now, boards)| {
            format!("{}.{}.{}.{boards}", now.done, now.fault_count, u8::from(now.is_over))
        });
        let is_closed = self.shown.uploads.as_ref().is_some_and(Uploads::is_closed);
        Ok(format!("{changes}.{}.{run}.{}", lock(&self.kept).made, u8::from(is_closed)))
    }

    /// Whether a large ladder is shown by its standings alone.
    pub fn is_behind(&self) -> bool {
        lock(&self.kept).ladders.values().any(|kept| kept.extent < Extent::Whole)
    }

    /// The data of a ladder's pages, at least this much of it, read anew if that is due and nobody else is at it.
    pub(super) fn site(&self, ladder: &LadderRow, changes: i64, extent: Extent) -> Result<Option<Arc<Site>>, Failure> {
        Ok(self.snapshot(ladder, changes, extent)?.map(|snapshot| snapshot.site))
    }

    fn snapshot(&self, ladder: &LadderRow, changes: i64, extent: Extent) -> Result<Option<Snapshot>, Failure> {
        let answered = test_result::written(self.shown.location.out(), ladder.id);
        let look = || lock(&self.kept).ladders.get(&ladder.id).filter(|kept| kept.extent >= extent).cloned();
        let is_fresh = |old: &Snapshot| self.is_fresh(&old.at, (changes, answered));
        let mut maker = match look() {
            Some(old) if is_fresh(&old) => return Ok(Some(old)),
            Some(old) => match self.maker.try_lock() {
                Ok(maker) => maker,
                Err(_) => return Ok(Some(old)),
            },
            None => lock(&self.maker),
        };
        // Somebody else may have made it meanwhile.
        if let Some(made) = look().filter(|made| is_fresh(made)) {
            return Ok(Some(made));
        }
        let Some(store) = self.open(&mut maker)? else { return Ok(None) };
        let began = Instant::now();
        // What was whole stays whole.
        let extent = look().map_or(extent, |old| old.extent);
        let site = Arc::new(match extent {
            Extent::Standings => self.make_standings(store, ladder)?,
            Extent::Whole => self.make(store, ladder)?,
        });
        let at = Moment { changes, answered, when: Instant::now(), took: began.elapsed() };
        let snapshot = Snapshot { site, extent, at };
        self.keep(ladder.id, snapshot.clone());
        Ok(Some(snapshot))
    }

    fn keep(&self, ladder: LadderId, snapshot: Snapshot) {
        let mut kept = lock(&self.kept);
        kept.made += 1;
        kept.ladders.insert(ladder, snapshot);
        // The one that is played is asked for most.
        let played = self.feed.as_ref().and_then(|feed| feed.ladder());
        let others = kept.ladders.iter().filter(|(id, _)| Some(**id) != played);
        let oldest = others.min_by_key(|(_, old)| old.at.when).map(|(id, _)| *id);
        if kept.ladders.len() > MOST_KEPT
            && let Some(oldest) = oldest
        {
            kept.ladders.remove(&oldest);
        }
    }

    fn make_standings(&self, store: &dyn Archive, ladder: &LadderRow) -> Result<Site, Failure> {
        let _moment = store.read_moment()?;
        let points = self.points_of(ladder);
        let published = publish_standings(
            &RedactedLadder::new(store, ladder, &self.redaction)?,
            self.shown.games,
            points,
            self.shown.has_teams,
            self.shown.location.out(),
        )?;
        let published = Published { has_teams: self.shown.has_teams, plays: self.shown.plays, ..published };
        Ok(Site::new(published))
    }

    /// The points of its results.
    fn points_of(&self, ladder: &LadderRow) -> Points {
        let known = self.shown.points.as_ref().filter(|(name, _)| *name == ladder.name);
        known.map(|(_, points)| *points).unwrap_or_default()
    }

    fn make(&self, store: &dyn Archive, ladder: &LadderRow) -> Result<Site, Failure> {
        let _moment = store.read_moment()?;
        let all = |matches: &[Listed]| matches.iter().map(|found| found.id.clone()).collect();
        let submissions = (self.shown.submissions || self.shown.has_teams).then(|| self.shown.location.out());
        let asked = PublishOptions {
            redaction: &self.redaction,
            out: self.shown.location.out(),
            staff: &[],
            before: None,
            is_served: true,
            submissions,
            has_teams: self.shown.has_teams,
            plays: self.shown.plays,
        };
        let redacted = RedactedLadder::new(store, ladder, &self.redaction)?;
        let published = publish(store, self.shown.games, &redacted, self.points_of(ladder), asked, &all)?;
        Ok(Site::new(published))
    }
}

/// Whether something that took so long to make is too new to be made again.
fn is_young(when: Instant, took: Duration) -> bool {
    when.elapsed() < FRESH.max(took * PAUSE)
}
