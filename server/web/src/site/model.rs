//! The data of a ladder's pages. They come from the documents that programs read, so that a page agrees with the
//! record, and nothing is computed twice.

use super::Published;
use super::sequential::Test;
use agon_model::documents::{ListedMatch, Mean};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A line of the standings.
#[derive(Debug, Deserialize)]
pub(super) struct StandingsRow {
    /// `None`: others are measured by it.
    pub place: Option<usize>,
    pub client: String,
    pub matches: u64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub points: Mean,
    pub rank: Mean,
    pub score: Mean,
    pub faults: BTreeMap<String, u64>,
    pub notices: u64,
    #[serde(default)]
    pub first_fault: Option<String>,
}

impl StandingsRow {
    /// The place as a table shows it.
    pub fn shown_place(&self) -> String {
        self.place.map_or("–".to_owned(), |place| place.to_string())
    }

    /// The place for an order in which lines without one come last.
    pub fn order(&self) -> usize {
        self.place.unwrap_or(usize::MAX)
    }
}

/// A client that does not play, and the reason.
#[derive(Debug, Deserialize)]
pub(super) struct Out {
    pub client: String,
    pub why: String,
}

/// A client that plays by a time of its own.
#[derive(Debug, Deserialize)]
pub(super) struct OwnTime {
    pub client: String,
    pub time: String,
}

/// The standings on one setting.
#[derive(Debug, Deserialize)]
pub(super) struct OnSetting {
    pub setting: String,
    pub clients: Vec<StandingsRow>,
}

/// How often was won from a seat.
#[derive(Debug, Deserialize)]
pub(super) struct OnSeat {
    pub matches: u64,
    pub wins: u64,
    /// First places that several shared.
    pub shared: u64,
}

/// A block that is void.
#[derive(Debug, Deserialize)]
pub(super) struct Void {
    pub block: String,
    pub cause: String,
    pub tries: u32,
}

/// The rounds that were drawn from results.
#[derive(Debug, Deserialize)]
pub(super) struct Drawn {
    pub system: String,
    /// Best first; of a knockout only its winner, when it is over.
    #[serde(default)]
    pub order: Vec<String>,
    /// The ranking of a continuous ladder.
    #[serde(default)]
    pub hill: Vec<Ranked>,
    /// The table of a Swiss.
    #[serde(default)]
    pub table: Vec<SwissPlace>,
    pub stages: Vec<Drawing>,
}

/// A place of the ranking of a continuous ladder.
#[derive(Debug, Deserialize)]
pub(super) struct Ranked {
    pub client: String,
    pub meetings: u64,
    pub elo: f64,
    pub deviation: f64,
}

/// A place of a Swiss.
#[derive(Debug, Deserialize)]
pub(super) struct SwissPlace {
    pub client: String,
    pub points: f64,
    pub opponents: f64,
}

/// A round of it.
#[derive(Debug, Deserialize)]
pub(super) struct Drawing {
    pub kind: String,
    pub round: u32,
    pub meetings: Vec<Vec<String>>,
    pub points: Option<Vec<Vec<f64>>>,
}

/// `agon.standings/1`.
#[derive(Debug, Deserialize)]
pub(super) struct Standings {
    pub ladder: String,
    pub game: String,
    pub seats: usize,
    pub seed: Option<String>,
    pub seed_drawn: bool,
    pub matches: u64,
    pub blocks: u64,
    /// The value that decides places where each plays alone, if it is not points.
    pub ranked_by: Option<String>,
    pub clients: Vec<StandingsRow>,
    pub refused: Vec<Out>,
    #[serde(default)]
    pub set_aside: Vec<Out>,
    #[serde(default)]
    pub own_times: Vec<OwnTime>,
    #[serde(default)]
    pub by_seat: Vec<OnSeat>,
    pub by_setting: Vec<OnSetting>,
    pub void: Vec<Void>,
    pub weaker_sandbox: Option<String>,
    pub turns: Option<String>,
    pub drawn: Option<Drawn>,
}

/// Beyond so many of them a folder has no pages of two clients each.
const MOST_PAIRS: usize = 5_000;

/// Wins, draws and losses of one against another.
pub(super) type Score = [u64; 3];

/// Everything, with numbers for clients.
pub(super) struct Model<'a> {
    pub published: Cow<'a, Published>,
    pub standings: Standings,
    pub test: Option<Test>,
    /// The places of the report before, by label.
    pub before: BTreeMap<String, usize>,
    /// Labels in the order of the alphabet, which numbers the pages.
    pub clients: Vec<String>,
    /// The scores of each two that met, by their numbers, both ways.
    pub scores: BTreeMap<(usize, usize), Score>,
    /// For each client its line in the standings, by its number.
    lines: Vec<Option<usize>>,
    /// For each client its matches, by their places in the list.
    own: Vec<Vec<usize>>,
}

impl<'a> Model<'a> {
    /// Reads the documents.
    ///
    /// # Errors
    /// What is wrong with one.
    pub fn of(published: Cow<'a, Published>) -> Result<Model<'a>, String> {
        let standings: Standings = read(&published.standings, "standings")?;
        // One of another version is left out, and the table says who is first.
        let test = published.test.as_ref().and_then(|text| read(text, "test").ok());
        // A file that is not a report says nothing of what has changed.
        let before: Option<Standings> = published.before.as_ref().and_then(|text| read(text, "standings").ok());
        let places =
            before.into_iter().flat_map(|before| before.clients).filter_map(|line| Some((line.client, line.place?)));
        let mut clients: Vec<String> = standings.clients.iter().map(|line| line.client.clone()).collect();
        clients.extend(published.matches.iter().flat_map(|found| &found.seats).map(|seat| seat.label.clone()));
        clients.sort_unstable();
        clients.dedup();
        let before = places.collect();
        let (lines, own) = (vec![None; clients.len()], vec![Vec::new(); clients.len()]);
        let scores = BTreeMap::new();
        let mut model = Model { published, standings, test, before, clients, scores, lines, own };
        model.index();
        Ok(model)
    }

    /// Notes the lines, the matches and the scores of each client.
    fn index(&mut self) {
        for place in 0..self.standings.clients.len() {
            if let Some(number) = self.number(&self.standings.clients[place].client) {
                self.lines[number] = Some(place);
            }
        }
        for place in 0..self.published.matches.len() {
            let numbers: Vec<usize> =
                self.published.matches[place].seats.iter().filter_map(|seat| self.number(&seat.label)).collect();
            for number in numbers {
                // A client may sit twice.
                if self.own[number].last() != Some(&place) {
                    self.own[number].push(place);
                }
            }
        }
        let numbers: Vec<Option<usize>> = self.published.labels.iter().map(|label| self.number(label)).collect();
        let number = |entrant: usize| numbers.get(entrant).copied().flatten();
        let known = |((a, b), score)| Some(((number(a)?, number(b)?), score));
        self.scores = self.published.scores.iter().copied().filter_map(known).collect();
    }

    /// The number of a client's page, from 0.
    pub fn number(&self, label: &str) -> Option<usize> {
        self.clients.binary_search_by(|client| client.as_str().cmp(label)).ok()
    }

    /// Its line in the standings.
    pub fn line(&self, number: usize) -> Option<&StandingsRow> {
        self.standings.clients.get(self.lines[number]?)
    }

    /// The matches of a client, the newest last.
    pub fn own_matches(&self, number: usize) -> impl Iterator<Item = &ListedMatch> {
        self.own[number].iter().map(|place| &self.published.matches[*place])
    }

    /// Those in the standings, in their order.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        self.standings.clients.iter().filter_map(|line| self.number(&line.client))
    }

    /// Whether each plays alone: places follow from scores, and nobody wins.
    pub fn is_alone(&self) -> bool {
        self.standings.ranked_by.is_some()
    }

    /// Whether scores say more than who won.
    pub fn has_own_scores(&self) -> bool {
        let is_telling = |line: &StandingsRow| !(0.0..=1.0).contains(&line.score.mean);
        self.standings.seats != 2 || self.standings.clients.iter().any(is_telling)
    }

    /// The units of wins, draws and losses: matches, or the opponents in all of them if there are several.
    pub fn outcomes(&self) -> [&'static str; 3] {
        if self.standings.seats > 2 { ["Beaten", "Level", "Behind"] } else { ["Won", "Drawn", "Lost"] }
    }

    /// The value that decides places.
    pub fn measure<'b>(&self, line: &'b StandingsRow) -> &'b Mean {
        if self.is_alone() { &line.score } else { &line.points }
    }

    /// Whether each two who met have a page. A folder has none where they are very many.
    pub fn has_pair_pages(&self) -> bool {
        self.published.is_served || self.scores.len() / 2 <= MOST_PAIRS
    }

    /// Where the page of a match is, seen from the top, if it has one.
    pub fn match_path(&self, id: &str) -> Option<String> {
        self.published.replays.contains(id).then(|| format!("match/{id}.html"))
    }

    /// Whether a client only sets the scale.
    pub fn is_staff(&self, label: &str) -> bool {
        self.published.staff.contains(label)
    }
}

/// The page of two who met, seen from the top.
pub(super) fn pair_path((one, other): (usize, usize)) -> String {
    format!("vs/{}-{}.html", one.min(other) + 1, one.max(other) + 1)
}

pub(super) fn read<'a, T: Deserialize<'a>>(text: &'a str, what: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("the {what} cannot be read: {error}"))
}
