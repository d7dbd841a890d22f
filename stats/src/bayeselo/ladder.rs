//! Ratings of a ladder as BayesElo computes them: Rao and Kupper's model with the first seat's advantage and the draws
//! fitted (`mm 1 1`). They use its prior of two virtual draws a player, and its scale.
//!
//! Let x = strength of the first - strength of the second + advantage, and d the parameter of draws, in log odds. A win
//! of the first has the chance s(x - d), a loss s(-x - d), where s(z) = 1 / (1 + exp(-z)). A draw has (exp(2 d) - 1)
//! s(x - d) s(-x - d), so that it counts as a win and a loss.

use super::scale;
use crate::bradley_terry::Duel;
use crate::matrix::Matrix;
use crate::normal::TWO_SIDED;
use crate::options::{ELO, Unfit};

/// The virtual draws of each player, spread over opponents and seats as the matches are.
const PRIOR: f64 = 2.0;
/// BayesElo's parameter of draws where it is not fitted.
const DRAW_ELO: f64 = 97.3;
/// Newton's steps at most, and the step in log odds at which they end.
const STEPS: usize = 200;
const STILL: f64 = 1e-10;
/// The greatest step of one number; the parameter of draws, which is positive, is halved at most.
const FAR: f64 = 1.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    /// In the scale that BayesElo shows; the mean of all is 0.
    pub elo: f64,
    /// From the rating to either end of its 95 % interval, by the curvature of the posterior. Every match counts as
    /// independent.
    pub reach: f64,
    pub matches: u64,
}

/// The ratings of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The players in order of their numbers.
    pub players: Vec<Rated>,
    /// The parameter of draws, in Elo.
    pub draw_elo: f64,
    /// The first seat's advantage in unscaled Elo; `None` if it was not fitted.
    pub advantage: Option<f64>,
}

/// Matches of one player in the first seat against one in the second.
struct Meeting {
    first: usize,
    second: usize,
    wins: f64,
    draws: f64,
    losses: f64,
}

struct Model {
    meetings: Vec<Meeting>,
    matches: Vec<u64>,
    /// The number of players and, behind them, the draws and the advantage.
    size: usize,
    has_advantage: bool,
    /// Whether the parameter of draws is fitted; otherwise it stays where it is.
    fits_draws: bool,
}

/// Fits the ratings of this number of players to results in any order; the same results give the same bytes.
///
/// # Errors
/// A player does not exist, or no chain of results connects the players.
pub fn fit(duels: &[Duel], players: usize, first_seat: bool) -> Result<Fitted, Unfit> {
    for duel in duels {
        Unfit::check([duel.first, duel.second].into_iter(), players)?;
    }
    let model = Model::new(duels, players, first_seat);
    if !model.is_connected() {
        return Err(Unfit::Singular);
    }
    // Where the results say nothing of draws, as where one side won everything, BayesElo's default takes their place.
    let (model, at) = match model.maximise() {
        Some(at) => (model, at),
        None => {
            let model = Model { fits_draws: false, ..model };
            let at = model.maximise().ok_or(Unfit::Singular)?;
            (model, at)
        }
    };
    let covariance = model.evaluate(&at).1.cholesky().ok_or(Unfit::Singular)?.inverse();
    let draw_elo = at[players] * ELO;
    let shown = ELO * scale(draw_elo);
    let mean = at[..players].iter().sum::<f64>() / players as f64;
    // The condition that holds the mean at zero adds its own variance of 1 to the sum of all.
    let held = (players as f64).powi(-2);
    let rated = |player: usize| Rated {
        elo: (at[player] - mean) * shown,
        reach: TWO_SIDED * (covariance.at(player, player) - held).max(0.0).sqrt() * shown,
        matches: model.matches[player],
    };
    let advantage = model.has_advantage.then(|| at[players + 1] * ELO);
    Ok(Fitted { players: (0..players).map(rated).collect(), draw_elo, advantage })
}

impl Model {
    fn new(duels: &[Duel], players: usize, has_advantage: bool) -> Model {
        let mut table = vec![[0u64; 3]; players * players];
        let mut matches = vec![0; players];
        for duel in duels.iter().filter(|duel| duel.first != duel.second) {
            let (first, second) = (duel.first as usize, duel.second as usize);
            table[first * players + second][duel.outcome as usize] += 1;
            matches[first] += 1;
            matches[second] += 1;
        }
        let count = |first: usize, second: usize| table[first * players + second].iter().sum::<u64>();
        let mut meetings = Vec::new();
        for first in 0..players {
            for second in (0..players).filter(|second| *second != first) {
                let both = (count(first, second) + count(second, first)) as f64;
                if both > 0.0 {
                    // Each of the two spreads its own draws, half of them with either of them in the first seat.
                    let share = both / matches[first] as f64 + both / matches[second] as f64;
                    let [wins, draws, losses] = table[first * players + second].map(|number| number as f64);
                    meetings.push(Meeting { first, second, wins, draws: draws + PRIOR / 4.0 * share, losses });
                }
            }
        }
        Model { meetings, matches, size: players + 1 + usize::from(has_advantage), has_advantage, fits_draws: true }
    }

    /// Where the posterior is greatest, by Newton's method; `None` where that is nowhere.
    fn maximise(&self) -> Option<Vec<f64>> {
        let players = self.matches.len();
        let mut at = vec![0.0; self.size];
        at[players] = DRAW_ELO / ELO;
        for _ in 0..STEPS {
            let (gradient, information) = self.evaluate(&at);
            let step = information.cholesky()?.solve(&gradient);
            let most = step.iter().fold(0.0f64, |most, part| most.max(part.abs()));
            let (short, half) = ((FAR / most).min(1.0), at[players] / 2.0);
            at.iter_mut().zip(&step).for_each(|(number, part)| *number += short * part);
            at[players] = at[players].max(half);
            if most < STILL {
                return Some(at);
            }
        }
        None
    }

    /// Whether chains of matches lead from the first player to all.
    fn is_connected(&self) -> bool {
        let mut reached = vec![false; self.matches.len()];
        reached.iter_mut().take(1).for_each(|first| *first = true);
        for _ in 0..reached.len() {
            for meeting in &self.meetings {
                let either = reached[meeting.first] || reached[meeting.second];
                (reached[meeting.first], reached[meeting.second]) = (either, either);
            }
        }
        !reached.is_empty() && reached.iter().all(|reached| *reached)
    }

    /// Gradient and information of the posterior, with the mean of all held at zero.
    fn evaluate(&self, at: &[f64]) -> (Vec<f64>, Matrix) {
        let players = self.matches.len();
        let (mut gradient, mut information) = (vec![0.0; self.size], Matrix::zero(self.size));
        let draw = at[players];
        let chance = |log_odds: f64| 1.0 / (1.0 + (-log_odds).exp());
        for Meeting { first, second, wins, draws, losses } in &self.meetings {
            let x = at[*first] - at[*second] + if self.has_advantage { at[players + 1] } else { 0.0 };
            let (won, lost) = (chance(x - draw), chance(-x - draw));
            // A draw is a win and a loss, and an end of the scale of draws.
            let (up, down) = ((wins + draws) * (1.0 - won), (losses + draws) * (1.0 - lost));
            let (bent_up, bent_down) = (up * won, down * lost);
            let outside = (-2.0 * draw).exp();
            gradient[players] += 2.0 * draws / (1.0 - outside) - up - down;
            information.add(players, players, bent_up + bent_down + 4.0 * draws * outside / (1.0 - outside).powi(2));
            let ways = [(*first, 1.0), (*second, -1.0), (players + 1, 1.0)];
            let ways = &ways[..if self.has_advantage { 3 } else { 2 }];
            for (place, sign) in ways {
                gradient[*place] += sign * (up - down);
                let shared = sign * (bent_down - bent_up);
                information.add((*place).max(players), (*place).min(players), shared);
                for (other, turn) in ways.iter().filter(|(other, _)| other <= place) {
                    information.add(*place, *other, sign * turn * (bent_up + bent_down));
                }
            }
        }
        if !self.fits_draws {
            gradient[players] = 0.0;
            (0..=players).for_each(|column| information.set(players, column, f64::from(u8::from(column == players))));
            (players + 1..self.size).for_each(|row| information.set(row, players, 0.0));
        }
        let sum: f64 = at[..players].iter().sum();
        for (row, slope) in gradient.iter_mut().enumerate().take(players) {
            *slope -= sum;
            (0..=row).for_each(|column| information.add(row, column, 1.0));
        }
        (gradient, information)
    }
}
