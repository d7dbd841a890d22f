//! The data of a ladder's pages. They come from the documents that programs read, so that a page agrees with them, and
//! nothing is computed twice.

use super::Published;
use agon_model::documents::{ListedMatch, Mean, StandingsRow};
use std::collections::BTreeMap;

/// Beyond so many of them a folder has no pages of two clients each.
const MOST_PAIRS: usize = 5_000;

/// Wins, draws and losses of one against another.
pub(super) type Score = [u64; 3];

/// Everything, with numbers for clients.
pub(super) struct Model {
    pub published: Published,
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

impl Model {
    /// Numbers the clients.
    pub fn of(published: Published) -> Model {
        let before = published.before.iter().flat_map(|before| &before.clients);
        let before = before.filter_map(|line| Some((line.client.clone(), line.place?))).collect();
        let mut clients: Vec<String> = published.standings.clients.iter().map(|line| line.client.clone()).collect();
        clients.extend(published.matches.iter().flat_map(|found| &found.seats).map(|seat| seat.label.clone()));
        clients.sort_unstable();
        clients.dedup();
        let (lines, own) = (vec![None; clients.len()], vec![Vec::new(); clients.len()]);
        let scores = BTreeMap::new();
        let mut model = Model { published, before, clients, scores, lines, own };
        model.index();
        model
    }

    /// Notes the lines, the matches and the scores of each client.
    fn index(&mut self) {
        for place in 0..self.published.standings.clients.len() {
            if let Some(number) = self.number(&self.published.standings.clients[place].client) {
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
        self.published.standings.clients.get(self.lines[number]?)
    }

    /// The matches of a client, the newest last.
    pub fn own_matches(&self, number: usize) -> impl Iterator<Item = &ListedMatch> {
        self.own[number].iter().map(|place| &self.published.matches[*place])
    }

    /// Those in the standings, in their order.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        self.published.standings.clients.iter().filter_map(|line| self.number(&line.client))
    }

    /// Whether each plays alone: places follow from scores, and nobody wins.
    pub fn is_alone(&self) -> bool {
        self.published.standings.ranked_by.is_some()
    }

    /// Whether scores say more than who won.
    pub fn has_own_scores(&self) -> bool {
        let is_telling = |line: &StandingsRow| !(0.0..=1.0).contains(&line.score.mean);
        self.published.standings.seats != 2 || self.published.standings.clients.iter().any(is_telling)
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
