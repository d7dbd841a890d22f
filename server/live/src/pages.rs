//! The pages of a record by their paths, each made when it is asked for. What a ladder's pages are made of is read
//! anew when the record has changed, and not so often that it costs more than a small part of a core.

mod kept;

use crate::awaited::Awaited;
use crate::board_offer::BoardOffer;
use crate::boards::{Asker, NewBoard};
use crate::content::Resource;
use crate::feed::Feed;
use crate::follow::follow;
use crate::match_filter::MatchFilter;
use crate::published::{KEPT, match_list, match_of, page_of};
use crate::team_links::{Team, TeamLinks};
use crate::uploads::Uploads;
use crate::viewer::Viewer;
use agon_command::Failure;
use agon_command::record_location::RecordLocation;
use agon_command::redaction::redaction;
use agon_games::{AnyGame, Language};
use agon_model::{LadderId, LadderRow, Points};
use agon_record::{Archive, RedactedLadder, Redaction};
use agon_report::printed;
use agon_web::{AwaitedLadder, HallAddress, Neighbours, ServedLadder, Ways, asset, ladders_page, team_page};
use kept::{Extent, Kept};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

/// The standings of a ladder with this many blocks are shown before the rest is made.
const LARGE: u64 = 10_000;

/// The contents of the pages.
pub struct PageContents {
    /// Where the record is.
    pub location: RecordLocation,
    /// The points of the ladder with this name, if they are known.
    pub points: Option<(String, Points)>,
    /// Names are numbers, and nothing that clients said is told.
    pub anonymise: bool,
    /// Whether submissions have a page.
    pub submissions: bool,
    /// Whether teams have pages of their own.
    pub has_teams: bool,
    /// Where files go that they hand in there, if any are taken.
    pub uploads: Option<Uploads>,
    /// Whether visitors may play.
    pub plays: bool,
    /// The description of a ladder that may not have begun, by its file.
    pub awaited: Option<Awaited>,
    /// The games there are.
    pub games: &'static [&'static dyn AnyGame],
}

/// A record that is open.
type OpenRecord = Box<dyn Archive + Send>;

/// The pages.
pub struct Pages {
    shown: PageContents,
    redaction: Redaction,
    feed: Option<Arc<Feed>>,
    /// How those who see the wall of a hall come to these pages.
    address: HallAddress,
    /// The record, for what is quickly read.
    store: Mutex<Option<OpenRecord>>,
    /// The same once more, for whoever makes something anew; the others go on with what there is.
    maker: Mutex<Option<OpenRecord>>,
    kept: Mutex<Kept>,
}

impl Pages {
    /// Those of a record; while a ladder is played into it, with what it tells.
    ///
    /// # Errors
    /// The secret behind the numbers of anonymous clients cannot be read.
    pub fn new(shown: PageContents, feed: Option<Arc<Feed>>) -> Result<Pages, Failure> {
        let redaction = redaction(shown.anonymise, shown.location.out())?;
        let (address, store, maker, kept) = Default::default();
        Ok(Pages { shown, redaction, feed, address, store, maker, kept })
    }

    /// The same, found at this address.
    pub fn at(self, address: HallAddress) -> Pages {
        Pages { address, ..self }
    }

    /// Where the record is.
    pub fn location(&self) -> &RecordLocation {
        &self.shown.location
    }

    /// Where the links of teams are, if these count.
    pub fn teams(&self) -> Option<PathBuf> {
        self.shown.has_teams.then(|| self.shown.location.out().to_owned())
    }

    /// Finds the thing at a path. Paths are compared as they are: nothing is decoded, and none leads to a file.
    pub fn find(&self, viewer: &Viewer, path: &str, language: Language) -> Result<Resource, Failure> {
        if let Some(text) = asset(path) {
            return Ok(Resource::Text(text));
        }
        match (viewer, path) {
            (Viewer::Anybody, "/") => self.first(language),
            (Viewer::Anybody, "/ladders") => self.list(true, language),
            (Viewer::Anybody, "/hall") => self.hall(language),
            (Viewer::Anybody, "/team") if self.shown.has_teams => self.all_submissions(language),
            (Viewer::Team(_), "/" | "/ladders") => Ok(Resource::Elsewhere("/team".to_owned())),
            (Viewer::Team(team), "/team") => self.team_page(team, language),
            (Viewer::Stranger, _) => Ok(Resource::Nothing),
            _ => self.of_ladder(viewer, path, language),
        }
    }

    /// The ladder that is played, or the one worked on last, for the wall of a hall.
    fn hall(&self, language: Language) -> Result<Resource, Failure> {
        let mut guard = lock(&self.store);
        let Some(store) = self.open(&mut guard)? else {
            drop(guard);
            return self.list(false, language);
        };
        let (ladders, changes) = (self.counted(store)?, store.changes()?);
        drop(guard);
        let played = self.feed.as_ref().and_then(|feed| feed.ladder());
        let is_meant = |(row, _): &&(LadderRow, u64)| played.is_none_or(|played| row.id == played);
        let Some((ladder, _)) = ladders.iter().find(is_meant) else { return self.list(false, language) };
        let Some(site) = self.site(ladder, changes, Extent::Standings)? else { return self.list(false, language) };
        let now = self.feed.as_ref().filter(|_| played.is_some()).and_then(|feed| feed.now(language));
        let now = now.map(|now| if self.shown.has_teams { now.without_reasons() } else { now });
        Ok(Resource::Text(site.hall(now.as_ref(), &format!("/ladder/{}/", ladder.id), &self.address, language)))
    }

    /// Finds the thing at a path below a ladder; for a team, below its own.
    fn of_ladder(&self, viewer: &Viewer, path: &str, language: Language) -> Result<Resource, Failure> {
        let mut guard = lock(&self.store);
        let Some(store) = self.open(&mut guard)? else { return Ok(Resource::Nothing) };
        let Some((ladder, blocks, rest)) = self.ladder_at(store, viewer, path)? else {
            return Ok(Resource::Nothing);
        };
        let team = viewer.team();
        if let Some(name) = rest.strip_prefix("match/") {
            return self.of_match(store, (&ladder, blocks), team, (name, language));
        }
        if let Some(id) = rest.strip_prefix("follow/").and_then(|name| name.strip_suffix(".html")) {
            let redacted = RedactedLadder::new(store, &ladder, &self.redaction)?;
            let who = (team.map(|team| team.team.as_str()), id);
            let from = (self.ways("../"), language);
            let found = follow(&redacted, self.feed_of(&ladder), who, self.shown.games, from)?;
            return Ok(found.map_or(Resource::Nothing, Resource::Text));
        }
        if let ("play.html" | "play.fr.html", true) = (rest, self.shown.plays) {
            let language = if rest == "play.html" { Language::English } else { Language::French };
            return Ok(Resource::Text(self.offer(store, &ladder)?.page(language, "", self.ways(""))));
        }
        if let Some(asked) = asked_of_list(rest) {
            let redacted = RedactedLadder::new(store, &ladder, &self.redaction)?;
            let found =
                match_list(&redacted, &asked, self.ways(if rest == FIRST_OF_LIST { "" } else { "../" }), language)?;
            return Ok(found.map_or(Resource::Nothing, Resource::Text));
        }
        if team.is_some() && rest == "submissions.html" {
            return Ok(Resource::Nothing);
        }
        let changes = store.changes()?;
        drop(guard);
        let is_first = ["index.html", "agon.css", "site.js", "standings.json"].contains(&rest);
        let extent = if is_first && blocks >= LARGE { Extent::Standings } else { Extent::Whole };
        let site = self.site(&ladder, changes, extent)?;
        let now = self.feed_of(&ladder).and_then(|feed| feed.now(language));
        let now = now.map(|now| if team.is_some() { now.without_reasons() } else { now });
        Ok(site.and_then(|site| site.page(rest, now.as_ref(), language)).map_or(Resource::Nothing, Resource::Text))
    }

    /// The links from a page of a ladder that has pages.
    fn ways<'w>(&self, ladder: &'w str) -> Ways<'w> {
        let PageContents { has_teams, plays, .. } = self.shown;
        Ways { ladder: Some(ladder), is_served: true, has_list: true, has_teams, plays }
    }

    /// The state of a ladder that is played.
    fn feed_of(&self, ladder: &LadderRow) -> Option<&Feed> {
        self.feed.as_deref().filter(|feed| feed.ladder() == Some(ladder.id))
    }

    /// The opponents of a visitor of a ladder.
    fn offer<'a>(&'a self, store: &dyn Archive, ladder: &'a LadderRow) -> Result<BoardOffer<'a>, Failure> {
        BoardOffer::of(store, ladder, self.shown.games, self.shown.location.out())
    }

    /// Lets `begin` begin the board that a form asks for; where there is none, the form says why.
    pub fn begin_board(
        &self,
        (viewer, asker): (&Viewer, &Asker),
        path: &str,
        form: &[u8],
        begin: impl FnOnce(NewBoard) -> Result<Result<String, String>, Failure>,
    ) -> Result<Resource, Failure> {
        let guard = &mut lock(&self.store);
        let Some(store) = self.open(guard)? else { return Ok(Resource::Nothing) };
        let Some((ladder, _, "play")) = self.ladder_at(store, viewer, path)? else { return Ok(Resource::Nothing) };
        let offer = self.offer(store, &ladder)?;
        Ok(match offer.read(form, asker.clone()) {
            None => Resource::Nothing,
            Some((language, Err(why))) => Resource::Text(offer.page(language, why, self.ways(""))),
            Some((language, Ok(wanted))) => match begin(wanted)? {
                Ok(path) => Resource::Elsewhere(path),
                Err(why) => Resource::Text(offer.page(language, &why, self.ways(""))),
            },
        })
    }

    /// Whether visitors may play.
    pub fn plays(&self) -> bool {
        self.shown.plays
    }

    /// The page of a match, or what was printed in it; a team sees outputs of its own.
    fn of_match(
        &self,
        store: &dyn Archive,
        (ladder, blocks): (&LadderRow, u64),
        team: Option<&Team>,
        (name, language): (&str, Language),
    ) -> Result<Resource, Failure> {
        let Some((id, kind @ ("html" | "txt"))) = name.rsplit_once('.') else { return Ok(Resource::Nothing) };
        let redacted = RedactedLadder::new(store, ladder, &self.redaction)?;
        let team = team.map(|team| team.team.as_str());
        let Some(found) = match_of(&redacted, team, id)? else { return Ok(Resource::Nothing) };
        if kind == "txt" {
            return Ok(Resource::Text(printed(&found)));
        }
        // The page of a large ladder has the links that are there: nobody waits for new ones.
        let site = if blocks < LARGE {
            self.site(ladder, store.changes()?, Extent::Whole)?
        } else {
            let kept = lock(&self.kept);
            kept.ladders.get(&ladder.id).filter(|kept| kept.extent == Extent::Whole).map(|kept| Arc::clone(&kept.site))
        };
        let around = site.map_or(Neighbours { is_served: true, ..Neighbours::default() }, |site| site.around(id));
        Ok(Resource::Text(page_of(&found, self.shown.games, &around, language)?.text))
    }

    /// Where whoever runs it sees all teams.
    fn all_submissions(&self, language: Language) -> Result<Resource, Failure> {
        Ok(match self.first(language)? {
            Resource::Elsewhere(path) => Resource::Elsewhere(path.replace("index.html", "submissions.html")),
            found => found,
        })
    }

    /// The page of a team, whether its ladder has begun or not.
    fn team_page(&self, team: &Team, language: Language) -> Result<Resource, Failure> {
        let found = match self.open(&mut lock(&self.store))? {
            Some(store) => store.ladder(&team.ladder)?.map(|ladder| Ok::<_, Failure>((ladder, store.changes()?))),
            None => None,
        };
        let site = match found.transpose()? {
            Some((ladder, changes)) => self.site(&ladder, changes, Extent::Whole)?.map(|site| (ladder.id, site)),
            None => None,
        };
        let played = site.as_ref().map(|(id, site)| (*id, &**site));
        let form = self.shown.uploads.as_ref().and_then(|uploads| uploads.form(&team.ladder, &team.team));
        Ok(Resource::Text(team_page(&team.ladder, &team.team, played, form.as_ref(), language)))
    }

    /// Takes a file that a team hands in; what came of it is on its page.
    pub fn take(&self, team: &Team, bytes: &[u8], language: Language) -> Result<Resource, Failure> {
        let Some(uploads) = &self.shown.uploads else { return Ok(Resource::Nothing) };
        uploads.take(&team.ladder, &team.team, bytes);
        self.team_page(team, language)
    }

    /// Where files go that are handed in, if any are taken.
    pub fn uploads(&self) -> Option<&Uploads> {
        self.shown.uploads.as_ref()
    }

    /// The ladder that is played, the only one, or a list.
    fn first(&self, language: Language) -> Result<Resource, Failure> {
        let ladders = self.open(&mut lock(&self.store))?.map_or_else(|| Ok(Vec::new()), |store| self.counted(store))?;
        let played = self.feed.as_ref().map(|feed| feed.ladder());
        let leads = match (played, ladders.as_slice()) {
            (Some(played), _) => played,
            (None, [(only, _)]) => Some(only.id),
            (None, _) => None,
        };
        match leads {
            Some(id) => Ok(Resource::Elsewhere(format!("/ladder/{id}/index.html"))),
            None => self.list(true, language),
        }
    }

    /// The list of ladders; the wall of a hall has no refused files.
    fn list(&self, has_refused: bool, language: Language) -> Result<Resource, Failure> {
        let mut guard = lock(&self.store);
        let store = self.open(&mut guard)?;
        let ladders = store.map_or_else(|| Ok(Vec::new()), |store| self.counted(store))?;
        let changes = store.map_or(Ok(0), |store| store.changes())?;
        drop(guard);
        let mut awaited = self.awaited(&ladders)?;
        if let Some(awaited) = awaited.as_mut().filter(|_| !has_refused) {
            awaited.refused.clear();
        }
        self.find_headlines(&ladders, changes)?;
        let listed: Vec<ServedLadder> =
            ladders.iter().map(|(row, blocks)| self.listed((row, *blocks), language)).collect();
        Ok(Resource::Text(ladders_page(&listed, awaited.as_ref(), self.shown.has_teams, language)))
    }

    /// The ladder of the file while the record has nothing of it, with the teams that have a link by now and the files
    /// that do not play.
    fn awaited(&self, ladders: &[(LadderRow, u64)]) -> Result<Option<AwaitedLadder>, Failure> {
        let is_meant = |awaited: &&Awaited| ladders.iter().all(|(row, _)| row.name != awaited.ladder.name);
        let shown = self.shown.awaited.as_ref().filter(|_| !self.shown.anonymise);
        let Some(awaited) = shown.filter(is_meant) else { return Ok(None) };
        let ladder = &awaited.ladder;
        let links = self.teams().map(|out| TeamLinks::read(&out)).transpose()?;
        let teams = links.iter().flat_map(|links| links.of(&ladder.name)).map(|(team, _)| team.to_owned());
        let game = ladder.game.as_ref().map(|game| self.title(game));
        let told = |(client, why): (String, String)| (client, self.redaction.text(&why));
        let files = awaited.files();
        let found = awaited.refused(self.open(&mut lock(&self.store))?, files)?;
        let mut refused: Vec<(String, String)> = found.into_iter().map(told).collect();
        refused.extend(self.shown.uploads.iter().flat_map(Uploads::refused));
        if self.shown.has_teams {
            // A note and an upload may be of one team.
            refused.iter_mut().for_each(|(_, why)| *why = KEPT.to_owned());
            refused.sort();
            refused.dedup();
        }
        Ok(Some(AwaitedLadder { game, teams: teams.collect(), refused, ..ladder.clone() }))
    }

    /// The title of a game; its name where there is no such game here.
    fn title(&self, game: &str) -> String {
        let known = self.shown.games.iter().map(|known| known.facts()).find(|facts| facts.name == game);
        known.map_or(game, |facts| facts.title).to_owned()
    }

    /// Whether a ladder has ended that is followed here, and its last state may not have been read.
    pub fn has_just_ended(&self) -> bool {
        self.feed.as_ref().is_some_and(|feed| !feed.is_left())
    }

    /// The ladder that a path is below, how many blocks of it are played, and what follows in the path; for a team only
    /// its own.
    fn ladder_at<'p>(
        &self,
        store: &dyn Archive,
        viewer: &Viewer,
        path: &'p str,
    ) -> Result<Option<(LadderRow, u64, &'p str)>, Failure> {
        let place = path.strip_prefix("/ladder/").and_then(|rest| rest.split_once('/'));
        // `+1` and `01` are numbers too, and a page has one address.
        let place =
            place.and_then(|(id, rest)| Some((id.parse::<i64>().ok().filter(|read| read.to_string() == id)?, rest)));
        let Some((id, rest)) = place else { return Ok(None) };
        let may_see =
            |row: &LadderRow| row.id == LadderId(id) && viewer.team().is_none_or(|team| team.ladder == row.name);
        let found = self.counted(store)?.into_iter().find(|(row, _)| may_see(row));
        Ok(found.map(|(row, blocks)| (row, blocks, rest)))
    }

    /// The ladders with how many blocks of each are played.
    fn counted(&self, store: &dyn Archive) -> Result<Vec<(LadderRow, u64)>, Failure> {
        let changes = store.changes()?;
        if let Some((at, ladders)) = &lock(&self.kept).counted
            && *at == changes
        {
            return Ok(ladders.clone());
        }
        let ladders = store.ladders()?;
        lock(&self.kept).counted = Some((changes, ladders.clone()));
        Ok(ladders)
    }

    /// The record, opened when it is there.
    fn open<'a>(&self, store: &'a mut Option<OpenRecord>) -> Result<Option<&'a dyn Archive>, Failure> {
        if store.is_none() && self.shown.location.is_there() {
            *store = Some(self.shown.location.open_existing()?);
        }
        Ok(store.as_ref().map(|store| -> &dyn Archive { &**store }))
    }
}

/// The list with the newest of all matches.
const FIRST_OF_LIST: &str = "matches.html";

/// Which matches a page of the list has; nothing where a path is of no such page.
fn asked_of_list(rest: &str) -> Option<MatchFilter> {
    match rest {
        FIRST_OF_LIST => Some(MatchFilter::default()),
        _ => MatchFilter::read(rest.strip_prefix("matches/")?.strip_suffix(".html")?),
    }
}

/// Where a page panicked, what was kept before it is still as it was.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
