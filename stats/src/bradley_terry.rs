//! Strengths of clients in games of two seats: Bradley and Terry's model with the first seat's advantage and with
//! draws, fitted to all results at once.
//!
//! Let x = strength of the first - strength of the second + advantage, in log odds. A win of the first, a loss and a
//! draw are in the proportions exp(x / 2) : exp(-x / 2) : nu (Davidson 1970). The other usual model of draws is that of
//! Rao and Kupper (1967). Davidson's is chosen because it is an exponential family. So the fit is concave, and
//! everyone's expected points equal the points scored, with draws as halves: ratings and points agree.

use crate::clusters::{Cluster, Clusters};
use crate::copies::PlayedMatch;
use crate::fit::{Frame, Likelihood, fit as maximise};
use crate::interval::Share;
use crate::matrix::Matrix;
use crate::one_sided::{STILL, Value, Ways};
use crate::options::{Draws, RatingOptions, Unfit};
use crate::ratings::{LonePair, Ratings, Scaling, groups};
use crate::reach::Reach;
use crate::sample::{Row, Sample, Weighted};
use std::cmp::Ordering;

/// How a match of two ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DuelOutcome {
    /// The first seat won.
    First,
    /// Neither of the two won.
    Draw,
    /// The second seat won.
    Second,
}

/// One match of two seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duel {
    /// The player in the first seat, from 0.
    pub first: u32,
    /// The player in the second seat.
    pub second: u32,
    /// A number that matches share which were played under the same options of the game.
    pub setting: u64,
    /// A number that two matches share just when they began alike in the same setting, by the state itself.
    pub opening: u64,
    /// A hash of the moves; where none is known, a number that no other match has.
    pub game: u64,
    pub outcome: DuelOutcome,
    /// A number that the matches of a block share, and no others.
    pub block: u64,
}

impl Row for Duel {
    fn block(&self) -> u64 {
        self.block
    }

    fn start(&self) -> [u64; 2] {
        [self.setting, self.opening]
    }

    fn contents(&self, other: &Self) -> Ordering {
        let key = |row: &Self| (row.first, row.second, row.setting, row.opening, row.outcome, row.game);
        key(self).cmp(&key(other))
    }

    fn entrants(&self) -> impl Iterator<Item = u32> + Clone {
        [self.first, self.second].into_iter()
    }

    fn game(&self) -> PlayedMatch {
        let seats = self.entrants().map(u64::from);
        PlayedMatch::new(seats, self.start(), self.game, [self.outcome as u64].into_iter())
    }
}

/// Fits the strengths of `entrants` clients to results in any order: the same results give the same bytes.
///
/// Takes about 100 bytes a result and 50 a pair of entrants, and time that grows with the cube of the entrants: a
/// thousand, with a million results, take some seconds.
///
/// # Errors
/// An entrant that does not exist, options out of range, and without a prior whatever makes a strength infinite or
/// undetermined.
pub fn fit(duels: Vec<Duel>, entrants: usize, options: &RatingOptions) -> Result<Ratings, Unfit> {
    options.check()?;
    for duel in &duels {
        Unfit::check([duel.first, duel.second].into_iter(), entrants)?;
    }
    let sample = Sample::new(duels, entrants, options.distinct);
    let model = Model::new(sample.rows, entrants, options);
    let reach = Reach::new(entrants, &model.edges());
    let groups = groups(&reach, &model.edges(), entrants, options)?;
    let found = maximise(&model, &Frame::new(model.size(), entrants, options, &reach, &groups))?;
    let clusters = Clusters::new(&found.covariance, entrants, sample.per_entrant, model.clusters(&found.at));
    let scaling = Scaling { points: options.scale, advantage: model.advantage, draw: model.draw };
    let pairs = groups.iter().filter_map(|group| LonePair::new(&model.rows, group)).collect();
    // Later questions to the fit need only the meetings of the results.
    let likelihood = Box::new(Model { rows: Vec::new(), ..model });
    let ways = Ways { at: found.at, covariance: found.covariance, likelihood, per_block: sample.per_lineup };
    Ok(Ratings::new(ways, clusters, scaling, groups, reach, &sample.counts, pairs))
}

impl LonePair {
    /// For a group of two: the points of the first against the second, cluster by cluster.
    fn new(rows: &[Weighted<Duel>], group: &[usize]) -> Option<LonePair> {
        let &[one, other] = group else { return None };
        let among = |row: &Weighted<Duel>| {
            let seats = (row.row.first as usize, row.row.second as usize);
            seats == (one, other) || seats == (other, one)
        };
        let sums = |rows: &[Weighted<Duel>]| {
            let games = rows.iter().filter(|row| among(row));
            games.fold((0.0, 0.0), |(points, weight), row| {
                let first = [1.0, 0.5, 0.0][row.row.outcome as usize];
                let own = if row.row.first as usize == one { first } else { 1.0 - first };
                (points + row.weight * own, weight + row.weight)
            })
        };
        let (mut together, mut apart) = (Vec::new(), Vec::new());
        for rows in rows.chunk_by(|a, b| a.stratum == b.stratum) {
            let clusters = rows.chunk_by(|a, b| a.cluster == b.cluster).map(sums);
            if rows[0].stratum == 0 {
                together.extend(clusters);
            } else {
                apart.push(clusters.collect());
            }
        }
        Some(LonePair { one, other, share: Share::of_clusters_in_strata(together, apart)? })
    }
}

/// The results of one client in the first seat against one in the second.
struct Meeting {
    first: usize,
    second: usize,
    /// Weights of wins, draws, losses of the first.
    results: [f64; 3],
}

/// The likelihood: its data, and the places of the parameters other than strengths.
struct Model {
    /// The results, cluster by cluster.
    rows: Vec<Weighted<Duel>>,
    meetings: Vec<Meeting>,
    entrants: usize,
    advantage: Option<usize>,
    draw: Option<usize>,
    /// The weight of the drawn game of equals that is the prior of the advantage.
    even: f64,
}

/// The chances of one meeting.
struct Chances {
    /// The half of x.
    half: f64,
    /// Expected points of the first.
    points: f64,
    draw: f64,
    /// The logarithm of the sum of the three proportions.
    ln_sum: f64,
}

impl Model {
    fn new(rows: Vec<Weighted<Duel>>, entrants: usize, options: &RatingOptions) -> Model {
        let who = |row: &Weighted<Duel>| (row.row.first, row.row.second);
        let mut by_who: Vec<&Weighted<Duel>> = rows.iter().collect();
        by_who.sort_by_key(|row| who(row));
        let meetings: Vec<Meeting> = by_who.chunk_by(|a, b| who(a) == who(b)).map(Meeting::new).collect();
        let advantage = (options.first_seat && !rows.is_empty()).then_some(entrants);
        let drawn = meetings.iter().any(|meeting| meeting.results[1] > 0.0);
        // Without a draw their parameter is minus infinity; leaving it out says the same.
        let draw = (options.draws == Draws::Davidson && drawn).then_some(entrants + usize::from(advantage.is_some()));
        let even = if options.prior.is_some() { 1.0 } else { 0.0 };
        Model { rows, meetings, entrants, advantage, draw, even }
    }

    fn size(&self) -> usize {
        self.entrants + usize::from(self.advantage.is_some()) + usize::from(self.draw.is_some())
    }

    /// Edges from everyone to the players that lost points to them.
    fn edges(&self) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        for Meeting { first, second, results: [win, draw, loss] } in &self.meetings {
            edges.extend((win + draw > 0.0).then_some((*first, *second)));
            edges.extend((loss + draw > 0.0).then_some((*second, *first)));
        }
        edges
    }

    fn chances(&self, at: &[f64], first: usize, second: usize) -> Chances {
        let half = (at[first] - at[second] + self.advantage.map_or(0.0, |place| at[place])) / 2.0;
        Chances::new(half, self.draw.map_or(f64::NEG_INFINITY, |place| at[place]))
    }

    /// Hands out the information in one game: rows not below columns.
    fn inform(&self, first: usize, second: usize, chances: &Chances, mut add: impl FnMut(usize, usize, f64)) {
        // Variances of points and draws; of win - loss the square is 1 unless it is a draw.
        let lead = 2.0 * chances.points - 1.0;
        let spread = (1.0 - chances.draw - lead * lead) / 4.0;
        for (row, sign) in self.direction(first, second) {
            for (column, other) in self.direction(first, second).filter(|(column, _)| *column <= row) {
                add(row, column, sign * other * spread);
            }
        }
        if let Some(place) = self.draw {
            add(place, place, chances.draw * (1.0 - chances.draw));
            let shared = -lead / 2.0 * chances.draw;
            self.direction(first, second).for_each(|(other, sign)| add(place, other, sign * shared));
        }
    }

    /// How the difference x depends on the parameters.
    fn direction(&self, first: usize, second: usize) -> impl Iterator<Item = (usize, f64)> {
        [(first, 1.0), (second, -1.0)].into_iter().chain(self.advantage.map(|place| (place, 1.0)))
    }
}

impl Chances {
    /// From half of x and the logarithm of nu.
    fn new(half: f64, ln_nu: f64) -> Chances {
        let most = half.abs().max(ln_nu);
        let (win, loss, draw) = ((half - most).exp(), (-half - most).exp(), (ln_nu - most).exp());
        let sum = win + loss + draw;
        Chances { half, points: (win + draw / 2.0) / sum, draw: draw / sum, ln_sum: most + sum.ln() }
    }
}

impl Meeting {
    fn new(rows: &[&Weighted<Duel>]) -> Meeting {
        let mut results = [0.0; 3];
        rows.iter().for_each(|row| results[row.row.outcome as usize] += row.weight);
        Meeting { first: rows[0].row.first as usize, second: rows[0].row.second as usize, results }
    }
}

impl Value for Model {
    fn along<'a>(&'a self, at: &'a [f64], way: &'a [f64]) -> Box<dyn Fn(f64) -> f64 + 'a> {
        let moving = self.meetings.iter().filter(|meeting| (way[meeting.first] - way[meeting.second]).abs() > STILL);
        let moving: Vec<(&Meeting, f64, f64)> = moving
            .map(|meeting| {
                let Chances { half, .. } = self.chances(at, meeting.first, meeting.second);
                (meeting, half, (way[meeting.first] - way[meeting.second]) / 2.0)
            })
            .collect();
        let ln_nu = self.draw.map_or(f64::NEG_INFINITY, |place| at[place]);
        let of_meeting = move |meeting: &Meeting, half: f64| {
            let [win, draw, loss] = meeting.results;
            (win - loss) * half - (win + draw + loss) * Chances::new(half, ln_nu).ln_sum
        };
        Box::new(move |far| moving.iter().map(|(meeting, half, step)| of_meeting(meeting, half + far * step)).sum())
    }

    fn share(&self, at: &[f64], (one, other): (usize, usize), difference: f64) -> Option<f64> {
        Some(self.expected_share(at, one, other, difference))
    }
}

impl Model {
    fn expected_share(&self, at: &[f64], one: usize, other: usize, difference: f64) -> f64 {
        let change = difference - (at[one] - at[other]);
        let ln_nu = self.draw.map_or(f64::NEG_INFINITY, |place| at[place]);
        let meetings = self.meetings.iter().filter(|meeting| meeting.first != meeting.second);
        let (mut points, mut games) = (0.0, 0.0);
        for meeting in
            meetings.filter(|meeting| [meeting.first, meeting.second].iter().all(|who| [one, other].contains(who)))
        {
            let is_first = meeting.first == one;
            let half =
                self.chances(at, meeting.first, meeting.second).half + if is_first { change } else { -change } / 2.0;
            let (weight, of_first) = (meeting.results.iter().sum::<f64>(), Chances::new(half, ln_nu).points);
            points += weight * if is_first { of_first } else { 1.0 - of_first };
            games += weight;
        }
        points / games
    }
}

impl Likelihood for Model {
    fn evaluate(&self, at: &[f64], gradient: &mut [f64], information: &mut Matrix) -> f64 {
        let mut value = 0.0;
        if let Some(place) = self.advantage {
            let Chances { points, ln_sum, .. } = Chances::new(at[place] / 2.0, f64::NEG_INFINITY);
            value -= self.even * ln_sum;
            gradient[place] += self.even * (0.5 - points);
            information.add(place, place, self.even * points * (1.0 - points));
        }
        for Meeting { first, second, results: [win, draw, loss] } in &self.meetings {
            let chances = self.chances(at, *first, *second);
            let (weight, points) = (win + draw + loss, win + draw / 2.0);
            value += (win - loss) * chances.half - weight * chances.ln_sum;
            let residual = points - weight * chances.points;
            self.direction(*first, *second).for_each(|(place, sign)| gradient[place] += sign * residual);
            self.inform(*first, *second, &chances, |row, column, part| information.add(row, column, weight * part));
            if let Some(place) = self.draw {
                value += draw * at[place];
                gradient[place] += draw - weight * chances.draw;
            }
        }
        value
    }

    fn clusters(&self, at: &[f64]) -> impl Iterator<Item = Cluster> {
        self.rows.chunk_by(|a, b| a.cluster == b.cluster).map(|rows| {
            let mut cluster = Cluster::in_stratum(rows[0].stratum);
            for Weighted { row, weight, .. } in rows {
                let (first, second) = (row.first as usize, row.second as usize);
                let chances = self.chances(at, first, second);
                let points = [1.0, 0.5, 0.0][row.outcome as usize] - chances.points;
                let root = weight.sqrt();
                self.direction(first, second).for_each(|(place, sign)| cluster.push(place, root * sign * points));
                let drawn = f64::from(u8::from(row.outcome == DuelOutcome::Draw));
                self.draw.into_iter().for_each(|place| cluster.push(place, root * (drawn - chances.draw)));
                self.inform(first, second, &chances, |row, column, part| cluster.inform(row, column, weight * part));
            }
            cluster
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_those_of_the_value() {
        let duel = |first, second, outcome, game| Duel {
            first,
            second,
            setting: 0,
            opening: game,
            game,
            outcome,
            block: game,
        };
        let duels = vec![
            duel(0, 1, DuelOutcome::First, 0),
            duel(1, 0, DuelOutcome::Draw, 1),
            duel(1, 2, DuelOutcome::Second, 2),
            duel(2, 2, DuelOutcome::First, 3),
        ];
        for even in [0.0, 1.0] {
            let rows = Sample::new(duels.clone(), 3, true).rows;
            derivatives_agree(&Model { even, ..Model::new(rows, 3, &RatingOptions::default()) });
        }
    }

    fn derivatives_agree(model: &Model) {
        let at = [0.3, -0.4, 1.0, 0.2, -0.7];
        assert_eq!(model.size(), 5);
        let derive = |at: &[f64]| {
            let (mut gradient, mut information) = (vec![0.0; 5], Matrix::zero(5));
            let value = model.evaluate(at, &mut gradient, &mut information);
            (value, gradient, information)
        };
        let (value, gradient, information) = derive(&at);
        let way = [1.0, -2.0, 0.3, 0.0, 0.0];
        let along = model.along(&at, &way);
        for far in [0.4, 7.0] {
            let there = derive(&std::array::from_fn::<f64, 5, _>(|place| at[place] + far * way[place]));
            assert!((there.0 - value - along(far) + along(0.0)).abs() < 1e-12);
        }
        // The sums of clusters leave the prior out.
        let is_whole = |found: f64, whole: f64| model.even > 0.0 || (found - whole).abs() < 1e-12;
        let whole = Cluster::sum(model.clusters(&at), 5);
        for column in 0..5 {
            let moved = |by: f64| {
                let mut at = at;
                at[column] += by;
                derive(&at)
            };
            let (after, before) = (moved(1e-5), moved(-1e-5));
            assert!(((after.0 - before.0) / 2e-5 - gradient[column]).abs() < 1e-8);
            assert!(is_whole(whole.0[column], gradient[column]));
            for row in column..5 {
                assert!(((before.1[row] - after.1[row]) / 2e-5 - information.at(row, column)).abs() < 1e-8);
                assert!(is_whole(whole.1.at(row, column), information.at(row, column)));
            }
        }
    }
}
