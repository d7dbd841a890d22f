//! Strengths of clients in games of more than two seats: the model of Plackett (1975) and Luce (1959), fitted to all
//! results at once.
//!
//! The first place is drawn among all in proportion to exp(strength), the next among those left, and so on. Equal ranks
//! count as the mean, in the logarithm, over all orders of the clients that share them; between two seats that is half
//! a win and half a loss. Faults enter by the rank they lead to. Seats are not modelled, because a block has all
//! rotations.

use crate::clusters::{Cluster, Clusters};
use crate::copies::PlayedMatch;
pub use crate::options::MOST_SEATS;

use crate::fit::{Frame, Likelihood, fit as maximise};
use crate::matrix::Matrix;
use crate::one_sided::{STILL, Value, Ways};
use crate::options::{RatingOptions, Unfit};
use crate::ratings::{Ratings, Scaling, groups};
use crate::reach::Reach;
use crate::sample::{Row, Sample, Weighted};
use std::cmp::Ordering;

/// One seat of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RankedSeat {
    /// The entrant, counted from 0.
    pub entrant: u32,
    /// Lower is better; equal ranks are shared.
    pub rank: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The values in order of seats.
    pub seats: Vec<RankedSeat>,
    /// A number that matches share which were played under the same options of the game.
    pub setting: u64,
    /// A number that two matches share just when they began alike in the same setting, by the state itself.
    pub opening: u64,
    /// A hash of the moves; where none is known, a number that no other match has.
    pub game: u64,
    /// A number that the matches of a block share, and no others.
    pub block: u64,
}

impl Row for Ranking {
    fn block(&self) -> u64 {
        self.block
    }

    fn start(&self) -> [u64; 2] {
        [self.setting, self.opening]
    }

    fn contents(&self, other: &Self) -> Ordering {
        let ranks = |row: &Self| row.seats.iter().map(|seat| seat.rank).collect::<Vec<_>>();
        let (own, its) = (self.entrants(), other.entrants());
        let order = own.cmp(its).then_with(|| self.start().cmp(&other.start()));
        order.then_with(|| ranks(self).cmp(&ranks(other))).then_with(|| self.game.cmp(&other.game))
    }

    fn entrants(&self) -> impl Iterator<Item = u32> + Clone {
        self.seats.iter().map(|seat| seat.entrant)
    }

    fn game(&self) -> PlayedMatch {
        let (seats, ranks) = (self.entrants().map(u64::from), self.seats.iter().map(|seat| u64::from(seat.rank)));
        PlayedMatch::new(seats, self.start(), self.game, ranks)
    }
}

/// Fits the strengths of `entrants` clients to results in any order: the same results give the same bytes.
///
/// The options `draws` and `first_seat` do not apply. The difference of two strengths is their chance to come before
/// each other: odds of ten to one are 400 Elo.
///
/// # Errors
/// An entrant that does not exist, a match of one seat or of more than [`MOST_SEATS`], options out of range, and
/// without a prior whatever makes a strength infinite.
pub fn fit(rankings: Vec<Ranking>, entrants: usize, options: &RatingOptions) -> Result<Ratings, Unfit> {
    options.check()?;
    for ranking in &rankings {
        Unfit::check(ranking.seats.iter().map(|seat| seat.entrant), entrants)?;
    }
    let sample = Sample::new(rankings, entrants, options.distinct);
    let edges = edges(&sample.rows);
    let reach = Reach::new(entrants, &edges);
    let groups = groups(&reach, &edges, entrants, options)?;
    let model = Model { rows: sample.rows };
    let found = maximise(&model, &Frame::new(entrants, entrants, options, &reach, &groups))?;
    let clusters = Clusters::new(&found.covariance, entrants, sample.per_entrant, model.clusters(&found.at));
    let scaling = Scaling { points: options.scale, advantage: None, draw: None };
    let likelihood = Box::new(model.merged());
    let ways = Ways { at: found.at, covariance: found.covariance, likelihood, per_block: sample.per_lineup };
    Ok(Ratings::new(ways, clusters, scaling, groups, reach, &sample.counts, Vec::new()))
}

/// Edges from everyone to all that did not finish ahead of them, each once.
fn edges(rows: &[Weighted<Ranking>]) -> Vec<(usize, usize)> {
    let mut edges = std::collections::HashSet::new();
    for seats in rows.iter().map(|row| &row.row.seats) {
        for (place, one) in seats.iter().enumerate() {
            let others = seats.iter().enumerate().filter(|(other, seat)| *other != place && seat.rank >= one.rank);
            edges.extend(others.map(|(_, other)| (one.entrant as usize, other.entrant as usize)));
        }
    }
    edges.into_iter().collect()
}

/// The likelihood of rankings, by cluster.
struct Model {
    rows: Vec<Weighted<Ranking>>,
}

/// One ranking at given strengths: its log-likelihood with the derivatives by its seats, best rank first.
#[derive(Default)]
struct Terms {
    places: Vec<usize>,
    odds: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
    /// Minus the second derivatives, a square of [`MOST_SEATS`].
    information: Vec<f64>,
}

impl Terms {
    fn of(&mut self, seats: &[RankedSeat], at: &[f64]) {
        let mut order = seats.to_vec();
        order.sort_unstable_by_key(|seat| seat.rank);
        let most = order.iter().map(|seat| at[seat.entrant as usize]).fold(f64::NEG_INFINITY, f64::max);
        self.places.clear();
        self.places.extend(order.iter().map(|seat| seat.entrant as usize));
        self.odds.clear();
        self.odds.extend(self.places.iter().map(|place| (at[*place] - most).exp()));
        self.value = self.places.iter().map(|place| at[*place] - most).sum();
        self.gradient.clear();
        self.gradient.resize(seats.len(), 1.0);
        self.information.clear();
        self.information.resize(MOST_SEATS * MOST_SEATS, 0.0);
        let mut start = 0;
        for tied in order.chunk_by(|a, b| a.rank == b.rank) {
            let end = start + tied.len();
            for mask in 1u32..1 << tied.len() {
                self.choose(start, end, mask);
            }
            start = end;
        }
    }

    /// Subtracts a choice among those after `end` and those of `start..end` in the mask, weighted by the number of its
    /// orders. At each stage one of all sets of a size is left, and each is equally frequent.
    fn choose(&mut self, start: usize, end: usize, mask: u32) {
        let size = mask.count_ones() as usize;
        let share = 1.0 / binomial(end - start, size);
        let seats = self.places.len();
        let among = |seat: &usize| *seat >= end || mask >> (seat - start) & 1 == 1;
        // Far behind the best, odds may be too small for a number.
        let sum = (start..seats).filter(among).map(|seat| self.odds[seat]).sum::<f64>().max(f64::MIN_POSITIVE);
        self.value -= share * sum.ln();
        for seat in (start..seats).filter(among) {
            let chance = self.odds[seat] / sum;
            self.gradient[seat] -= share * chance;
            self.information[seat * MOST_SEATS + seat] += share * chance;
            for other in (start..=seat).filter(among) {
                self.information[seat * MOST_SEATS + other] -= share * chance * self.odds[other] / sum;
            }
        }
    }
}

impl Terms {
    /// Hands out the information by entrants: rows not below columns.
    fn inform(&self, mut add: impl FnMut(usize, usize, f64)) {
        for (seat, place) in self.places.iter().enumerate() {
            for (other, column) in self.places[..=seat].iter().enumerate() {
                let cell = self.information[seat * MOST_SEATS + other];
                // One entrant in two seats has the pair on its diagonal, in both orders.
                let twice = if place == column && seat != other { 2.0 } else { 1.0 };
                add(*place.max(column), *place.min(column), twice * cell);
            }
        }
    }
}

fn binomial(of: usize, choose: usize) -> f64 {
    (0..choose).map(|step| (of - step) as f64 / (step + 1) as f64).product()
}

impl Value for Model {
    fn along<'a>(&'a self, at: &'a [f64], way: &'a [f64]) -> Box<dyn Fn(f64) -> f64 + 'a> {
        let moves = |seats: &[RankedSeat]| {
            let parts = seats.iter().map(|seat| way[seat.entrant as usize]);
            let (least, most) =
                parts.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), part| (part.min(least), part.max(most)));
            most - least > STILL
        };
        let moving: Vec<&Weighted<Ranking>> = self.rows.iter().filter(|row| moves(&row.row.seats)).collect();
        Box::new(move |far| {
            let point: Vec<f64> = at.iter().zip(way).map(|(at, part)| at + far * part).collect();
            let mut terms = Terms::default();
            let of_row = |Weighted { row, weight, .. }: &&Weighted<Ranking>| {
                terms.of(&row.seats, &point);
                weight * terms.value
            };
            moving.iter().map(of_row).sum()
        })
    }
}

impl Model {
    /// The same results, those in which the same clients came in the same order together.
    fn merged(self) -> Model {
        let mut rows = self.rows;
        rows.iter_mut().for_each(|row| row.row.seats.sort_unstable_by_key(|seat| (seat.rank, seat.entrant)));
        rows.sort_unstable_by(|a, b| a.row.seats.cmp(&b.row.seats));
        rows.dedup_by(|next, kept| {
            let is_same = next.row.seats == kept.row.seats;
            kept.weight += if is_same { next.weight } else { 0.0 };
            is_same
        });
        Model { rows }
    }
}

impl Likelihood for Model {
    fn evaluate(&self, at: &[f64], gradient: &mut [f64], information: &mut Matrix) -> f64 {
        let mut terms = Terms::default();
        let mut value = 0.0;
        for Weighted { row, weight, .. } in &self.rows {
            terms.of(&row.seats, at);
            value += weight * terms.value;
            let places = terms.places.iter().zip(&terms.gradient);
            places.for_each(|(place, part)| gradient[*place] += weight * part);
            terms.inform(|row, column, part| information.add(row, column, weight * part));
        }
        value
    }

    fn clusters(&self, at: &[f64]) -> impl Iterator<Item = Cluster> {
        let mut terms = Terms::default();
        self.rows.chunk_by(|a, b| a.cluster == b.cluster).map(move |rows| {
            let mut cluster = Cluster::in_stratum(rows[0].stratum);
            for Weighted { row, weight, .. } in rows {
                terms.of(&row.seats, at);
                let places = terms.places.iter().zip(&terms.gradient);
                places.for_each(|(place, part)| cluster.push(*place, weight.sqrt() * part));
                terms.inform(|row, column, part| cluster.inform(row, column, weight * part));
            }
            cluster
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(ranks: &[u32]) -> Vec<RankedSeat> {
        ranks.iter().enumerate().map(|(entrant, rank)| RankedSeat { entrant: entrant as u32, rank: *rank }).collect()
    }

    fn value(seats: &[RankedSeat], at: &[f64]) -> f64 {
        let mut terms = Terms::default();
        terms.of(seats, at);
        terms.value
    }

    /// The logarithm of the chance of one order, from its definition.
    fn plain(order: &[usize], at: &[f64]) -> f64 {
        let sum = |places: &[usize]| places.iter().map(|place| at[*place].exp()).sum::<f64>();
        (0..order.len()).map(|stage| at[order[stage]] - sum(&order[stage..]).ln()).sum()
    }

    #[test]
    fn a_tie_is_the_mean_of_its_orders() {
        let at = [0.3, -1.0, 0.8, 2.0];
        let orders = [[1, 2, 3, 0], [1, 3, 2, 0], [2, 1, 3, 0], [2, 3, 1, 0], [3, 1, 2, 0], [3, 2, 1, 0]];
        let mean = orders.iter().map(|order| plain(order, &at)).sum::<f64>() / 6.0;
        assert!((value(&seats(&[4, 1, 1, 1]), &at) - mean).abs() < 1e-12);
        let mean = [[3, 0, 1, 2], [3, 1, 0, 2]].iter().map(|order| plain(order, &at)).sum::<f64>() / 2.0;
        assert!((value(&seats(&[2, 2, 4, 1]), &at) - mean).abs() < 1e-12);
    }

    #[test]
    fn derivatives_are_those_of_the_value() {
        let at = [0.3, -1.0, 0.8, 2.0, 0.1];
        // The last seat is the first entrant again.
        let mut seats = seats(&[2, 2, 5, 1, 2, 4]);
        seats[5].entrant = 0;
        let ranking = Ranking { seats: seats.clone(), setting: 0, opening: 0, game: 0, block: 0 };
        let model = Model { rows: vec![Weighted { row: ranking, weight: 1.0, cluster: 0, stratum: 0 }] };
        let derive = |at: &[f64]| {
            let (mut gradient, mut information) = (vec![0.0; 5], Matrix::zero(5));
            let value = model.evaluate(at, &mut gradient, &mut information);
            (value, gradient, information)
        };
        let (value, gradient, information) = derive(&at);
        let way = [1.0, -2.0, 0.3, 0.0, 0.5];
        let along = model.along(&at, &way);
        for far in [0.4, 7.0] {
            let there = derive(&std::array::from_fn::<f64, 5, _>(|place| at[place] + far * way[place]));
            assert!((there.0 - value - along(far) + along(0.0)).abs() < 1e-12);
        }
        drop(along);
        let whole = Cluster::sum(model.clusters(&at), 5);
        for column in 0..5 {
            let moved = |by: f64| {
                let mut at = at;
                at[column] += by;
                derive(&at)
            };
            let (after, before) = (moved(1e-5), moved(-1e-5));
            assert!(((after.0 - before.0) / 2e-5 - gradient[column]).abs() < 1e-8);
            assert!((whole.0[column] - gradient[column]).abs() < 1e-12);
            for row in column..5 {
                assert!(((before.1[row] - after.1[row]) / 2e-5 - information.at(row, column)).abs() < 1e-8);
                assert!((whole.1.at(row, column) - information.at(row, column)).abs() < 1e-12);
            }
        }
    }
}
