//! What the pages of a ladder are made of, from its record, as it is to be told: for a folder of pages and for a server.

use super::Failure;
use super::inspect::{self, LadderMembers};
use agon_games::AnyGame;
use agon_model::{Entrant, Match, Points};
use agon_record::transfer::Redaction;
use agon_record::{Archive, Filter, LadderRow, Listed, Member};
use agon_report::{MatchList, Playback, RatingInput, RatingTable};
use agon_tournament::find_game;
use agon_web::{Published, SiteFile, match_page};
use std::collections::{BTreeMap, BTreeSet};

/// How it is to be told.
pub struct Asked<'a> {
    /// What is kept back.
    pub redaction: &'a Redaction,
    /// Clients that only set the scale.
    pub staff: &'a [String],
    /// The standings of the report before.
    pub before: Option<String>,
    /// Whether a server sends it.
    pub is_served: bool,
    /// At most so many matches, the newest, are listed and counted by pairs.
    pub newest: Option<usize>,
}

/// Everything but the pages of matches, which `choose` says, and who took part.
pub fn publish(
    store: &dyn Archive,
    games: &[&dyn AnyGame],
    ladder: &LadderRow,
    points: Points,
    asked: Asked<'_>,
    choose: &dyn Fn(&[Listed]) -> BTreeSet<String>,
) -> Result<(Published, Vec<Member>), Failure> {
    let told = told(store, ladder, asked.redaction)?;
    let standings = inspect::gather_told(store, games, ladder, points, false, &told)?;
    let matches = store.matches(ladder, &Filter { limit: asked.newest, ..Filter::default() })?;
    let entrants = entrants(&told.members);
    if let Some(name) = asked.staff.iter().find(|name| !entrants.iter().any(|entrant| entrant.label == **name)) {
        return Err(inspect::no_client(ladder, name, entrants.iter().map(|entrant| entrant.label.as_str())));
    }
    let mut results = RatingInput::new(ladder.seats);
    store.each_outcome(ladder.id, &mut |found| results.add(found))?;
    let published = Published {
        standings: standings.json(),
        // Where nothing can be fitted, the pages say what there is to say without it.
        ratings: RatingTable::fit(ladder, &entrants, results).ok().map(|table| table.json()),
        text: standings.text(),
        replays: choose(&matches),
        matches: MatchList { ladder, entrants: &entrants, matches: &matches }.json(),
        terms: terms(ladder),
        before: asked.before,
        staff: asked.staff.iter().cloned().collect(),
        is_served: asked.is_served,
        newest: asked.newest.filter(|most| matches.len() >= *most),
    };
    Ok((published, told.members))
}

/// Who took part and what is void, as it is to be told.
pub fn told(store: &dyn Archive, ladder: &LadderRow, redaction: &Redaction) -> Result<LadderMembers, Failure> {
    let mut told = LadderMembers::of(store, ladder)?;
    for (number, member) in told.members.iter_mut().enumerate() {
        redact_entrant(number, &mut member.entrant, redaction);
        member.suspension.iter_mut().for_each(|suspension| suspension.why = redaction.words(&suspension.why));
    }
    told.voids.iter_mut().for_each(|(_, cause, _)| *cause = redaction.words(cause));
    Ok(told)
}

/// The page of a match of a ladder; `None` where it has no match with just this id.
pub fn match_of(
    store: &dyn Archive,
    games: &[&dyn AnyGame],
    ladder: &LadderRow,
    members: &[Member],
    redaction: &Redaction,
    id: &str,
) -> Result<Option<SiteFile>, Failure> {
    let Some(mut stored) = store.match_of(ladder.id, id)? else { return Ok(None) };
    stored.entrants = entrants(members);
    redact_match(&mut stored.played, redaction);
    Ok(Some(match_page(&Playback::new(&stored, find_game(games, &ladder.game)?))))
}

fn entrants(members: &[Member]) -> Vec<Entrant> {
    members.iter().map(|member| member.entrant.clone()).collect()
}

/// The terms of the ladder and the options of its settings.
fn terms(ladder: &LadderRow) -> Vec<(String, String)> {
    let settings = ladder.settings.iter().map(|(name, options)| {
        let options = options.iter().map(|(key, value)| format!("{key}={}", value.lines().next().unwrap_or_default()));
        (format!("setting {name}"), options.collect::<Vec<_>>().join(" "))
    });
    ladder.terms.texts().into_iter().chain(settings).collect()
}

/// A client as it is told: where it is to be anonymous, by its number, without file, hash and options.
fn redact_entrant(number: usize, entrant: &mut Entrant, redaction: &Redaction) {
    entrant.refused = entrant.refused.take().map(|why| match redaction.is_anonymous() {
        true => "refused".to_owned(),
        false => redaction.text(&why),
    });
    if redaction.is_anonymous() {
        let label = format!("client-{}", number + 1);
        let refused = entrant.refused.take();
        *entrant = Entrant { label, file: String::new(), hash: String::new(), options: BTreeMap::new(), refused };
    }
}

fn redact_match(played: &mut Match, redaction: &Redaction) {
    for seat in &mut played.seats {
        seat.fault = seat.fault.take().map(|fault| redaction.fault(&fault));
        seat.notices = seat.notices.iter().map(|notice| redaction.notice(notice)).collect();
        seat.told_name = redaction.words(&seat.told_name);
    }
    played.outputs.retain(|_| !redaction.is_anonymous());
    played.outputs.iter_mut().for_each(|output| output.text = redaction.text(&output.text));
}
