//! The data of a ladder's pages, from its record, without redacted parts: for a folder of pages and for a server.

use crate::match_filter::MatchFilter;
use crate::{submissions, test_result};
use agon_command::Failure;
use agon_command::which::no_client;
use agon_games::{AnyGame, Language, Options};
use agon_model::documents::{self, SequentialTest};
use agon_model::{Entrant, LadderRow, Match, Points, StoredMatch, find_game, opening};
use agon_playback::Playback;
use agon_record::{Archive, Filter, Listed, RedactedLadder, Redaction};
use agon_report::{Crosstable, Current, History, MatchList, RatingInput, RatingTable, Standings, gather_redacted};
use agon_web::{
    MatchListPage, Neighbours, Published, ShownSetting, SiteFile, StartPicture, Ways, list_page, match_page,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The most matches of a ladder, the newest, that are held in memory and listed.
pub const MOST_LISTED: usize = 100_000;

/// A ladder as its pages may tell it.
pub type ShownLadder<'a> = RedactedLadder<'a, dyn Archive + 'a>;

/// How it is to be told.
pub struct PublishOptions<'a> {
    /// The redacted parts.
    pub redaction: &'a Redaction,
    /// Clients that only set the scale.
    pub staff: &'a [String],
    /// The standings of the report before.
    pub before: Option<documents::Standings>,
    /// Whether a server sends it.
    pub is_served: bool,
    /// The output folder, where answers of tests are.
    pub out: &'a Path,
    /// Where the copies of files are, if submissions have a page.
    pub submissions: Option<&'a Path>,
    /// Whether teams have pages of their own.
    pub has_teams: bool,
    /// Whether visitors may play.
    pub plays: bool,
}

/// Everything but the pages of matches, which `choose` says. `store` is for submissions, which no anonymous page has.
pub fn publish(
    store: &dyn Archive,
    games: &[&dyn AnyGame],
    redacted: &ShownLadder<'_>,
    points: Points,
    asked: PublishOptions<'_>,
    choose: &dyn Fn(&[Listed]) -> BTreeSet<String>,
) -> Result<Published, Failure> {
    let ladder = redacted.ladder();
    let standings = standings_of(redacted, games, points, asked.has_teams)?;
    let matches = redacted.matches(&Filter { limit: Some(MOST_LISTED), ..Filter::default() })?;
    let entrants = redacted.entrants();
    let known = || entrants.iter().map(|entrant| entrant.label.as_str());
    let standings = standings.with_staff(asked.staff).map_err(|name| no_client((store, ladder), &name, known()))?;
    let (results, history, crosstable) = add_up(redacted, &entrants, points)?;
    let submissions = asked.submissions.filter(|_| !redacted.is_anonymous());
    let submissions = submissions
        .map(|out| submissions::submissions((store, ladder), redacted.members().to_vec(), asked.redaction, out));
    Ok(Published {
        standings: standings.document(),
        // Where nothing can be fitted, the pages say what there is to say without it.
        history: Some(history.document(&ladder.name, &entrants)),
        ratings: RatingTable::fit(ladder, &entrants, results).ok().map(|table| table.document()),
        text: standings.text(),
        replays: choose(&matches),
        labels: entrants.iter().map(|entrant| entrant.label.clone()).collect(),
        scores: crosstable.scores().collect(),
        matches: MatchList { ladder, entrants: &entrants, matches: &matches }.listed(),
        terms: ladder.terms.texts_but_options(),
        settings: settings(ladder, games),
        test: test_of(redacted, asked.out),
        before: asked.before,
        staff: asked.staff.iter().cloned().collect(),
        is_served: asked.is_served,
        newest: (matches.len() >= MOST_LISTED).then_some(MOST_LISTED),
        submissions: submissions.transpose()?,
        has_teams: asked.has_teams,
        plays: asked.plays,
        is_anonymous: redacted.is_anonymous(),
        played: played(redacted)?,
        has_ended: redacted.has_ended()?,
        rest_follows: false,
    })
}

/// The standings without what readers may not see.
fn standings_of(
    redacted: &ShownLadder<'_>,
    games: &[&dyn AnyGame],
    points: Points,
    has_teams: bool,
) -> Result<Standings, Failure> {
    let mut standings = gather_redacted(redacted, games, points, false)?;
    standings.keeps_seed = !redacted.has_ended()?;
    // Teams read these pages, and each one's own reasons stand on its own page.
    Ok(if has_teams { standings.keeping_reasons(KEPT) } else { standings })
}

/// Adds up all matches of clients that still count.
fn add_up(
    redacted: &ShownLadder<'_>,
    entrants: &[Entrant],
    points: Points,
) -> Result<(RatingInput, History, Crosstable), Failure> {
    let (mut results, mut history) = (RatingInput::new(redacted.ladder().seats), History::new(points));
    let mut crosstable = Crosstable::default();
    let current = Current::of_redacted(redacted)?;
    current.each_outcome(redacted, &mut |found| {
        results.add(found);
        history.add(found);
        crosstable.add(found);
    })?;
    let mut history = history.ended();
    rate(redacted, entrants, &current, &mut history)?;
    Ok((results, history, crosstable))
}

/// When the first and the last match began.
fn played(redacted: &ShownLadder<'_>) -> Result<Option<[u64; 2]>, Failure> {
    let one = |oldest| redacted.matches(&Filter { limit: Some(1), oldest, ..Filter::default() });
    let (first, last) = (one(true)?, one(false)?);
    Ok(first.first().zip(last.first()).map(|(first, last)| [first.started, last.started.max(first.started)]))
}

/// The answer of a sequential test. It names the two clients.
fn test_of(redacted: &ShownLadder<'_>, out: &Path) -> Option<SequentialTest> {
    if redacted.is_anonymous() { None } else { test_result::kept(out, redacted.ladder()) }
}

/// The standings alone, of a ladder so large that the rest takes long; `out` is the output folder.
pub fn publish_standings(
    redacted: &ShownLadder<'_>,
    games: &[&dyn AnyGame],
    points: Points,
    has_teams: bool,
    out: &Path,
) -> Result<Published, Failure> {
    let ladder = redacted.ladder();
    let standings = standings_of(redacted, games, points, has_teams)?;
    Ok(Published {
        standings: standings.document(),
        text: standings.text(),
        terms: ladder.terms.texts_but_options(),
        settings: settings(ladder, games),
        test: test_of(redacted, out),
        played: played(redacted)?,
        has_ended: redacted.has_ended()?,
        is_served: true,
        rest_follows: true,
        ..Published::default()
    })
}

/// Fits ratings to the results up to each moment that is to have them.
fn rate(
    redacted: &ShownLadder<'_>,
    entrants: &[Entrant],
    current: &Current,
    history: &mut History,
) -> Result<(), Failure> {
    let ladder = redacted.ladder();
    let moments = history.moments_to_rate();
    if moments.is_empty() {
        return Ok(());
    }
    let (mut so_far, mut matches) = (RatingInput::new(ladder.seats), 0);
    current.each_outcome(redacted, &mut |found| {
        so_far.add(found);
        matches += 1;
        // Where nothing can be fitted yet, there is nothing to tell of that moment.
        if moments.contains(&matches)
            && let Ok(table) = RatingTable::fit(ladder, entrants, so_far.clone())
        {
            history.rate(matches, &table);
        }
    })?;
    Ok(())
}

/// The number of matches on a page of the list.
const ON_A_PAGE: usize = 50;

/// The most matches that are searched for one page of a filtered list: others wait for the record meanwhile.
const SEARCHED: u64 = 20_000;

/// A page of the list of the matches that an address asks for; `None` where there is no such match, client or setting.
pub fn match_list(
    redacted: &ShownLadder<'_>,
    asked: &MatchFilter,
    ways: Ways<'_>,
    language: Language,
) -> Result<Option<String>, Failure> {
    match_list_within(redacted, asked, (ways, language), SEARCHED / redacted.ladder().seats.max(1) as u64)
}

/// The same, searched through this number of blocks.
fn match_list_within(
    redacted: &ShownLadder<'_>,
    asked: &MatchFilter,
    (ways, language): (Ways<'_>, Language),
    blocks: u64,
) -> Result<Option<String>, Failure> {
    let ladder = redacted.ladder();
    if let Some(id) = &asked.before
        && redacted.match_of(id)?.is_none()
    {
        return Ok(None);
    }
    let entrants = redacted.entrants();
    // Where nobody is named the record would still be asked by names.
    let named: &[Entrant] = if redacted.is_anonymous() { &[] } else { &entrants };
    let labels: Vec<String> = named.iter().map(|entrant| entrant.label.clone()).collect();
    let settings: Vec<String> = ladder.settings.iter().map(|(name, _)| name.clone()).collect();
    let Some(filter) = asked.question(&labels, settings.len(), ON_A_PAGE + 1) else { return Ok(None) };
    let reached = if asked.written().is_empty() { None } else { redacted.reach(asked.before.as_deref(), blocks)? };
    let found = redacted.matches(&Filter { since: reached.clone(), ..filter })?;
    let is_full = found.len() > ON_A_PAGE;
    // Sorted matches have no older ones: the next search begins where this one ended.
    let has_older = is_full && !asked.longest_first;
    let matches = MatchList { ladder, entrants: &entrants, matches: &found[usize::from(is_full)..] }.listed();
    let page = MatchListPage {
        ladder: &ladder.name,
        matches: &matches,
        has_newer: asked.before.is_some(),
        has_older,
        searched_to: reached.as_deref().filter(|_| !has_older),
        up: ways.ladder.unwrap_or_default(),
        ways,
        filter: &asked.written(),
        longest_first: asked.longest_first,
        other_order: &asked.in_other_order(),
        choices: &asked.choices(&labels, &settings, language),
        language,
    };
    Ok(Some(list_page(page)))
}

/// A match of a ladder as it is to be told, to all or to one team; `None` where it has no match with just this id.
pub fn match_of(redacted: &ShownLadder<'_>, team: Option<&str>, id: &str) -> Result<Option<StoredMatch>, Failure> {
    let Some(mut stored) = redacted.match_of(id)? else { return Ok(None) };
    if let Some(team) = team {
        let is_own = |entrant: usize| redacted.members().get(entrant).is_some_and(|member| member.team == team);
        keep_own(&mut stored.played, &is_own);
    }
    Ok(Some(stored))
}

/// The page of a match.
pub fn page_of(
    stored: &StoredMatch,
    games: &[&dyn AnyGame],
    around: &Neighbours,
    language: Language,
) -> Result<SiteFile, Failure> {
    let game = find_game(games, &stored.ladder.game)?;
    Ok(match_page(&Playback::in_language(stored, game, language), around))
}

/// Replaces the reasons that another client had a word in.
pub(crate) const KEPT: &str = "only its own team sees why";

/// Leaves of what clients said only that of these entrants: outputs, and faults in their words.
pub fn keep_own(played: &mut Match, is_own: &dyn Fn(usize) -> bool) {
    for seat in played.seats.iter_mut().filter(|seat| !is_own(seat.entrant)) {
        seat.notices.iter_mut().for_each(|notice| notice.message = KEPT.to_owned());
        seat.told_name.clear();
        if let Some(fault) = &mut seat.fault {
            (fault.message, fault.raw) = (KEPT.to_owned(), String::new());
        }
    }
    let own: Vec<bool> = played.seats.iter().map(|seat| is_own(seat.entrant)).collect();
    played.outputs.retain(|output| own.get(output.seat) == Some(&true));
}

/// The settings with their boards before the first move. What has no board may be hidden from players.
fn settings(ladder: &LadderRow, games: &[&dyn AnyGame]) -> Vec<ShownSetting> {
    let game = games.iter().find(|game| game.facts().name == ladder.game);
    let start = |options: &Options| {
        let setting = game?.prepare(options, ladder.seats).ok()?;
        let state = setting.start(&opening(ladder.seed, 0));
        let [english, french] = [Language::English, Language::French].map(|language| state.scene(None, language));
        (!english.cells.is_empty() && !game?.facts().hidden).then_some(StartPicture { english, french })
    };
    let is_default = |key: &str, value: &str| {
        game.is_some_and(|game| game.facts().options.iter().any(|fact| fact.key == key && fact.default == value))
    };
    let shown = |(number, (name, options)): (usize, &(String, BTreeMap<String, String>))| ShownSetting {
        name: name.clone(),
        // A map is of many lines, and is shown by its picture.
        options: options
            .iter()
            .filter(|(_, value)| !value.contains('\n'))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect(),
        changed: options.iter().filter(|(key, value)| !is_default(key, value)).map(|(key, _)| key.clone()).collect(),
        start: ladder.options(number).as_ref().and_then(start),
    };
    ladder.settings.iter().enumerate().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::{Block, Ending, LadderId, PlayedBlock, SeatResult};
    use agon_record::{EncodedBlock, Record, SqliteRecord};

    /// A block of one match, in which `late` plays only if the number is 0.
    fn block(number: usize) -> PlayedBlock {
        let seat = |entrant: usize| SeatResult { entrant, rank: 1, ..SeatResult::default() };
        let (id, lineup) = (format!("{number:016x}"), vec![0, if number == 0 { 2 } else { 1 }]);
        let one = Match {
            start: 0,
            id: format!("{id}-a"),
            ending: Ending::Over,
            seats: lineup.iter().map(|entrant| seat(*entrant)).collect(),
            steps: Vec::new(),
            outputs: Vec::new(),
            started: 0,
            wall_us: 0,
        };
        let block = Block { id, number: number as u64, lineup, rotations: 1, setting: 0, opening: 0, draws: [0; 32] };
        PlayedBlock { block, matches: vec![one] }
    }

    #[test]
    #[expect(clippy::too_many_lines)]
    fn a_page_searches_so_far_and_leads_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = SqliteRecord::open(folder.path()).unwrap();
        let settings = vec![("board".to_owned(), BTreeMap::new())];
        let row = LadderRow {
            id: LadderId(0),
            name: "one".to_owned(),
            game: "a game".to_owned(),
            seats: 2,
            seed: 1,
            seed_drawn: false,
            terms: Default::default(),
            settings,
        };
        let row = store.begin_ladder(&row).unwrap();
        let client = |label: &str| Entrant {
            label: label.to_owned(),
            file: String::new(),
            hash: label.to_owned(),
            options: BTreeMap::new(),
            refused: None,
        };
        let mut entrants = ["a", "b", "late"].map(client);
        let ids = store.keep_entrants(row.id, &mut entrants).unwrap().ids;
        for number in 0..9 {
            store.keep_blocks(&[&EncodedBlock::new(row.id, &block(number), &ids)]).unwrap();
        }
        let redaction = Redaction::default();
        let redacted: ShownLadder<'_> = RedactedLadder::new(&store as &dyn Archive, &row, &redaction).unwrap();
        let page = |name: &str| {
            match_list_within(
                &redacted,
                &MatchFilter::read(name).unwrap(),
                (Ways { ladder: Some("../"), is_served: true, has_list: true, ..Ways::default() }, Language::English),
                4,
            )
            .unwrap()
            .unwrap()
        };
        let mut address = "client-3".to_owned();
        for searched in ["0000000000000005-a", "0000000000000002-a"] {
            let shown = page(&address);
            assert!(shown.contains("none as far as was searched"), "{shown}");
            address = format!("client-3.{searched}");
            assert!(shown.contains(&format!("href=\"../matches/{address}.html\" rel=\"next\">Search on")), "{shown}");
        }
        let last = page(&address);
        assert!(last.contains("match/0000000000000000-a.html") && !last.contains("Search on"), "{last}");
        // The longest ones are those of one search, too.
        let longest = page("sort-turns");
        assert!(longest.contains("matches/sort-turns.0000000000000005-a.html\" rel=\"next\">Search on"), "{longest}");
        assert!(!longest.contains("match/0000000000000004-a.html"), "{longest}");
        // All matches come without a search.
        assert!(!page("0000000000000008-a").contains("Search on"));
    }
}
