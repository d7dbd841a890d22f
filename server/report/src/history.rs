//! How a table came about: the mean points of each client after so many matches of the ladder.

use agon_model::{Entrant, MatchOutcome, Points, SeatOutcome};
use serde::Serialize;

/// So many moments are kept at most: where there are more, every second one goes.
const MOST: usize = 48;

/// Adds up match by match, in the order in which they were recorded.
#[derive(Debug)]
pub struct History {
    points: Points,
    matches: u64,
    /// From one moment that is kept to the next.
    every: u64,
    sums: Vec<Sum>,
    moments: Vec<Moment>,
}

/// Of one client.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    points: f64,
    matches: u64,
}

/// After so many matches: the mean of each client, as far as they had come.
#[derive(Debug)]
struct Moment {
    matches: u64,
    means: Vec<Option<f64>>,
}

impl History {
    /// Of a ladder whose results are worth this.
    pub fn new(points: Points) -> History {
        History { points, matches: 0, every: 1, sums: Vec::new(), moments: Vec::new() }
    }

    /// Adds a match: `|outcome| history.add(outcome)` for `Store::each_outcome`.
    pub fn add(&mut self, found: &MatchOutcome) {
        self.matches += 1;
        for (index, seat) in found.seats.iter().enumerate() {
            let Some(sum) = sum_of(&mut self.sums, seat.entrant) else { continue };
            let others = found.seats.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, seat)| seat);
            sum.points += worth(&self.points, seat, others);
            sum.matches += 1;
        }
        if self.matches.is_multiple_of(self.every) {
            self.keep();
        }
    }

    fn keep(&mut self) {
        if self.moments.len() == MOST {
            self.every *= 2;
            self.moments.retain(|moment| moment.matches.is_multiple_of(self.every));
            if !self.matches.is_multiple_of(self.every) {
                return;
            }
        }
        let mean = |sum: &Sum| (sum.matches > 0).then(|| sum.points / sum.matches as f64);
        self.moments.push(Moment { matches: self.matches, means: self.sums.iter().map(mean).collect() });
    }

    /// One JSON document, `agon.history/1`, ended by a newline; entrants are those of the record.
    pub fn json(mut self, ladder: &str, entrants: &[Entrant]) -> String {
        if self.moments.last().is_some_and(|moment| moment.matches != self.matches) {
            self.every = 1;
            self.moments.truncate(MOST - 1);
            self.keep();
        }
        let client = |(index, entrant)| self.line(index, entrant);
        let clients = entrants.iter().enumerate().filter_map(client).collect();
        let matches = self.moments.iter().map(|moment| moment.matches).collect();
        super::log::pretty(&Document { schema: "agon.history/1", ladder, matches, clients })
    }

    /// Of a client that has played.
    fn line<'a>(&self, index: usize, entrant: &'a Entrant) -> Option<Line<'a>> {
        self.sums.get(index).filter(|sum| sum.matches > 0)?;
        let rounded = |mean: f64| (mean * 1e4).round() / 1e4;
        let at = |moment: &Moment| moment.means.get(index).copied().flatten().map(rounded);
        Some(Line { client: &entrant.label, points: self.moments.iter().map(at).collect() })
    }
}

/// What is no entrant has the greatest number there is.
fn sum_of(sums: &mut Vec<Sum>, entrant: usize) -> Option<&mut Sum> {
    if entrant >= sums.len() && entrant < u32::MAX as usize {
        sums.resize(entrant + 1, Sum::default());
    }
    sums.get_mut(entrant)
}

/// Points of a seat: the mean over its opponents.
fn worth<'a>(points: &Points, seat: &SeatOutcome, others: impl Iterator<Item = &'a SeatOutcome>) -> f64 {
    let is_crash = seat.fault.is_some_and(agon_model::FaultKind::is_crash);
    let (mut sum, mut count) = (0, 0);
    for other in others {
        sum += points.of(seat.rank.cmp(&other.rank), is_crash);
        count += 1;
    }
    if count == 0 {
        // As in the table: whoever plays alone has beaten nobody.
        (sum, count) = (points.crash.filter(|_| is_crash).unwrap_or(0), 1);
    }
    sum as f64 / 1e3 / f64::from(count)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    ladder: &'a str,
    /// After so many matches of the ladder.
    matches: Vec<u64>,
    clients: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    client: &'a str,
    /// Mean points then; null before its first match.
    points: Vec<Option<f64>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::FaultKind;

    fn entrant(label: &str) -> Entrant {
        let (label, options) = (label.to_owned(), std::collections::BTreeMap::new());
        Entrant { label, file: String::new(), hash: String::new(), options, refused: None }
    }

    fn played(ranks: &[(usize, u32)]) -> MatchOutcome {
        let seat = |&(entrant, rank)| SeatOutcome { entrant, rank, score: 0, fault: None, notices: 0 };
        MatchOutcome { seats: ranks.iter().map(seat).collect(), ..MatchOutcome::default() }
    }

    fn read(history: History) -> serde_json::Value {
        let entrants = ["a", "b", "c", "never"].map(entrant);
        serde_json::from_str(&history.json("test", &entrants)).unwrap()
    }

    #[test]
    fn means_are_those_of_the_matches_so_far() {
        let mut history = History::new(Points::default());
        for ranks in [[(0, 1), (1, 2)], [(0, 1), (1, 1)], [(2, 1), (0, 2)]] {
            history.add(&played(&ranks));
        }
        let read = read(history);
        assert_eq!(read["matches"], serde_json::json!([1, 2, 3]));
        assert_eq!(read["clients"][0]["points"], serde_json::json!([1.0, 0.75, 0.5]));
        assert_eq!(read["clients"][2]["points"], serde_json::json!([null, null, 1.0]));
        assert_eq!(read["clients"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn whoever_plays_alone_has_the_points_of_the_table() {
        let mut history = History::new(Points { crash: Some(-1_000), ..Points::default() });
        history.add(&played(&[(0, 1)]));
        let mut crashed = played(&[(0, 1)]);
        crashed.seats[0].fault = Some(FaultKind::Crash);
        history.add(&crashed);
        assert_eq!(read(history)["clients"][0]["points"], serde_json::json!([0.0, -0.5]));
    }

    #[test]
    fn a_long_ladder_keeps_no_more_moments_than_a_short_one() {
        let mut history = History::new(Points::default());
        (0..10_007).for_each(|_| history.add(&played(&[(0, 1), (1, 2)])));
        let read = read(history);
        let matches: Vec<u64> = read["matches"].as_array().unwrap().iter().filter_map(|one| one.as_u64()).collect();
        assert!(matches.len() <= MOST && matches.len() > MOST / 3, "{matches:?}");
        assert_eq!(matches.last(), Some(&10_007), "the end is always there");
        assert!(matches.is_sorted());
    }
}
