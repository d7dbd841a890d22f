//! How a table came about: the mean points or, where each plays alone, the mean score of each client after so many
//! matches of the ladder, and its rating then.

use super::RatingTable;
use agon_model::documents::{self, Course, Rating};
use agon_model::{Entrant, MatchOutcome, Points, SeatOutcome};
use std::collections::BTreeMap;

/// The most moments that are kept: if there are more, every second one is dropped.
const MOST_MOMENTS: usize = 48;
/// At so many of them ratings are fitted: each costs as much as those of the whole table.
const RATED: usize = 12;
/// With more clients than these, none are rated: the time grows with the third power.
const MOST_RATED: usize = 64;

/// Adds up match by match, in the order in which they were recorded.
#[derive(Debug)]
pub struct History {
    points: Points,
    matches: u64,
    /// Whether each has played alone, so that scores count and not points.
    is_alone: bool,
    /// From one moment that is kept to the next.
    every: u64,
    sums: Vec<Sum>,
    moments: Vec<Moment>,
    /// By how many matches had been played, and by label.
    ratings: BTreeMap<u64, BTreeMap<String, Rating>>,
}

/// The sums of one client.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    points: f64,
    score: i64,
    matches: u64,
}

/// After so many matches: the mean of each client, as far as they had come.
#[derive(Debug)]
struct Moment {
    matches: u64,
    means: Vec<Option<Means>>,
}

/// The means of one client at a moment.
#[derive(Clone, Copy, Debug)]
struct Means {
    points: f64,
    score: f64,
}

impl History {
    /// The history of a ladder with these points.
    pub fn new(points: Points) -> History {
        let (matches, every, is_alone) = (0, 1, true);
        History { points, matches, is_alone, every, sums: Vec::new(), moments: Vec::new(), ratings: BTreeMap::new() }
    }

    /// Adds a match: `|outcome| history.add(outcome)` for `SqliteRecord::each_outcome`.
    pub fn add(&mut self, found: &MatchOutcome) {
        self.matches += 1;
        self.is_alone &= found.seats.len() == 1;
        for (index, seat) in found.seats.iter().enumerate() {
            let Some(sum) = sum_of(&mut self.sums, seat.entrant) else { continue };
            let others = found.seats.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, seat)| seat);
            sum.points += worth(&self.points, seat, others);
            sum.score += seat.score;
            sum.matches += 1;
        }
        if self.matches.is_multiple_of(self.every) {
            self.keep();
        }
    }

    fn keep(&mut self) {
        if self.moments.len() == MOST_MOMENTS {
            self.every *= 2;
            self.moments.retain(|moment| moment.matches.is_multiple_of(self.every));
            if !self.matches.is_multiple_of(self.every) {
                return;
            }
        }
        let means =
            |sum: &Sum| Means { points: sum.points / sum.matches as f64, score: sum.score as f64 / sum.matches as f64 };
        let mean = |sum: &Sum| (sum.matches > 0).then(|| means(sum));
        self.moments.push(Moment { matches: self.matches, means: self.sums.iter().map(mean).collect() });
    }

    /// No match follows: the end is a moment too.
    #[must_use]
    pub fn ended(mut self) -> History {
        if self.moments.last().is_some_and(|moment| moment.matches != self.matches) {
            self.every = 1;
            self.moments.truncate(MOST_MOMENTS - 1);
            self.keep();
        }
        self
    }

    /// After how many matches ratings are to be told: evenly spread, the end among them.
    pub fn moments_to_rate(&self) -> Vec<u64> {
        if self.sums.iter().filter(|sum| sum.matches > 0).count() > MOST_RATED {
            return Vec::new();
        }
        let count = self.moments.len().min(RATED);
        let at = |one: usize| self.moments[one * self.moments.len() / count - 1].matches;
        (1..=count).map(at).collect()
    }

    /// The ratings after so many matches.
    pub fn rate(&mut self, matches: u64, table: &RatingTable) {
        let rating = |(label, rating, [low, high]): (&str, f64, [Option<f64>; 2])| {
            (label.to_owned(), Rating { rating, low, high })
        };
        self.ratings.insert(matches, table.intervals().map(rating).collect());
    }

    /// The document; entrants are those of the record.
    pub fn document(&self, ladder: &str, entrants: &[Entrant]) -> documents::History {
        let client = |(index, entrant)| self.course(index, entrant);
        documents::History {
            ladder: ladder.to_owned(),
            matches: self.moments.iter().map(|moment| moment.matches).collect(),
            rated_after: self.ratings.keys().copied().collect(),
            clients: entrants.iter().enumerate().filter_map(client).collect(),
        }
    }

    /// The course of a client that has played.
    fn course(&self, index: usize, entrant: &Entrant) -> Option<Course> {
        self.sums.get(index).filter(|sum| sum.matches > 0)?;
        let at = |moment: &Moment| moment.means.get(index).copied().flatten();
        let points = self.moments.iter().map(|moment| Some(at(moment)?.points)).collect();
        let scores = self.moments.iter().filter(|_| self.is_alone).map(|moment| Some(at(moment)?.score)).collect();
        let ratings = self.ratings.values().map(|then| then.get(&entrant.label).copied()).collect();
        Some(Course { client: entrant.label.clone(), points, scores, ratings })
    }
}

/// The sum of an entrant; `None` for a number that names nobody.
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

#[cfg(test)]
mod tests {
    use super::*;
    use agon_model::{BlockRow, FaultKind, LadderId};

    fn entrant(label: &str) -> Entrant {
        let (label, options) = (label.to_owned(), BTreeMap::new());
        Entrant { label, file: String::new(), hash: String::new(), options, refused: None }
    }

    fn played(ranks: &[(usize, u32)]) -> MatchOutcome {
        let seat = |&(entrant, rank)| SeatOutcome { entrant, rank, score: 0, fault: None, notices: 0 };
        MatchOutcome { seats: ranks.iter().map(seat).collect(), ..MatchOutcome::default() }
    }

    fn read(history: History) -> serde_json::Value {
        let entrants = ["a", "b", "c", "never"].map(entrant);
        serde_json::from_str(&history.ended().document("test", &entrants).json()).unwrap()
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
        assert!(read["clients"][0]["scores"].is_null(), "points count");
    }

    #[test]
    fn means_are_not_rounded_before_they_are_shown() {
        let mut history = History::new(Points::default());
        (0..7).for_each(|round| history.add(&played(&[(usize::from(round > 0), 1), (usize::from(round == 0), 2)])));
        assert_eq!(read(history)["clients"][0]["points"][6], serde_json::json!(1.0 / 7.0));
    }

    #[test]
    fn whoever_plays_alone_has_the_points_of_the_table() {
        let mut history = History::new(Points { crash: Some(-1_000), ..Points::default() });
        history.add(&played(&[(0, 1)]));
        history.add(&MatchOutcome {
            seats: vec![SeatOutcome { score: 8, ..played(&[(0, 1)]).seats[0] }],
            ..MatchOutcome::default()
        });
        let mut crashed = played(&[(0, 1)]);
        crashed.seats[0].fault = Some(FaultKind::Crash);
        history.add(&crashed);
        let read = read(history);
        assert_eq!(read["clients"][0]["points"], serde_json::json!([0.0, 0.0, -1.0 / 3.0]));
        assert_eq!(read["clients"][0]["scores"], serde_json::json!([0.0, 4.0, 8.0 / 3.0]));
    }

    #[test]
    #[expect(clippy::too_many_lines)]
    fn ratings_are_those_of_the_matches_so_far() {
        let (mut history, mut results) = (History::new(Points::default()), crate::RatingInput::new(2));
        let ladder = agon_model::LadderRow {
            id: LadderId(0),
            name: "test".to_owned(),
            game: "none".to_owned(),
            seats: 2,
            seed: 1,
            seed_drawn: false,
            terms: Vec::new().into(),
            settings: Vec::new(),
        };
        let entrants = ["a", "b", "c", "never"].map(entrant);
        let all: Vec<MatchOutcome> = (0..40)
            .map(|round| MatchOutcome {
                game: round as u64,
                block: BlockRow(round as i64),
                // The first of them wins three of four.
                ..played(&[(usize::from(round % 4 == 0), 1), (usize::from(round % 4 != 0), 2)])
            })
            .collect();
        all.iter().for_each(|found| history.add(found));
        let mut history = history.ended();
        let moments = history.moments_to_rate();
        assert_eq!((moments.len(), moments.last()), (RATED, Some(&40)));
        for (found, matches) in all.iter().zip(1..) {
            results.add(found);
            if moments.contains(&matches) {
                history.rate(matches, &RatingTable::fit(&ladder, &entrants, results.clone()).unwrap());
            }
        }
        let read: serde_json::Value = serde_json::from_str(&history.document("test", &entrants).json()).unwrap();
        assert_eq!(read["rated_after"], serde_json::json!(moments));
        let last = &read["clients"][0]["ratings"][RATED - 1];
        let now = RatingTable::fit(&ladder, &entrants, results).unwrap();
        let (_, elo, [low, high]) = now.intervals().next().unwrap();
        for (key, value) in [("rating", Some(elo)), ("low", low), ("high", high)] {
            let told = last[key].as_f64();
            assert!(
                told.zip(value).is_some_and(|(told, value)| (told - value).abs() < 1e-9),
                "{key}: {last} {value:?}"
            );
        }
    }

    #[test]
    fn a_crowd_is_not_rated_at_each_moment() {
        let mut history = History::new(Points::default());
        (0..=MOST_RATED).for_each(|one| history.add(&played(&[(one, 1), (one + 1, 2)])));
        assert!(history.ended().moments_to_rate().is_empty());
    }

    #[test]
    fn a_long_ladder_keeps_no_more_moments_than_a_short_one() {
        let mut history = History::new(Points::default());
        (0..10_007).for_each(|_| history.add(&played(&[(0, 1), (1, 2)])));
        let read = read(history);
        let matches: Vec<u64> = read["matches"].as_array().unwrap().iter().filter_map(|one| one.as_u64()).collect();
        assert!(matches.len() <= MOST_MOMENTS && matches.len() > MOST_MOMENTS / 3, "{matches:?}");
        assert_eq!(matches.last(), Some(&10_007), "the end is always there");
        assert!(matches.is_sorted());
    }
}
