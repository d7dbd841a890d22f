//! Ratings of a continuous ladder, where results come one after another and clients change: each match moves its
//! players.
//!
//! The update is that of Weng and Lin ("A Bayesian Approximation Method for Online Ranking", JMLR 12, 2011, algorithm
//! 1), which is OpenSkill's for Bradley and Terry's model. It is preferred to Glicko-2 because it supports any number
//! of seats and needs no rating periods. The order of the matches matters, and the deviations treat matches as
//! independent: for a tournament with an end, fit [`crate::bradley_terry`] or [`crate::plackett_luce`].

use crate::options::{ELO, Unfit};
use crate::plackett_luce::RankedSeat;
use std::cmp::Ordering;

/// A strength that is followed through time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowedStrength {
    /// Elo; a newcomer has 0.
    pub elo: f64,
    /// Its standard deviation, in Elo.
    pub deviation: f64,
}

/// How a ladder is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// The deviation of a newcomer, in Elo, above 0.
    pub newcomer: f64,
    /// By how much a client changes from one match of its own to the next, as a standard deviation in Elo, 0 or more:
    /// added before each match, so that a long record does not freeze its rating.
    pub change: f64,
}

impl Default for Pace {
    /// 350 and 3 Elo: the deviation of a hundred matches is some 70.
    fn default() -> Pace {
        Pace { newcomer: 350.0, change: 3.0 }
    }
}

/// The strengths of `entrants` clients after these matches, played in this order; each match is its seats in any order.
///
/// To rank, and to choose opponents, use `elo`; ranking by `elo` less some deviations makes newcomers climb by beating
/// the weak.
///
/// # Errors
/// An entrant that does not exist, a match of one seat or of more than [`crate::plackett_luce::MOST_SEATS`], a pace out
/// of range.
pub fn follow<M: AsRef<[RankedSeat]>>(
    matches: impl IntoIterator<Item = M>,
    entrants: usize,
    pace: &Pace,
) -> Result<Vec<FollowedStrength>, Unfit> {
    if !(pace.newcomer.is_finite() && pace.newcomer > 0.0 && pace.change.is_finite() && pace.change >= 0.0) {
        return Err(Unfit::Options);
    }
    let mut strengths = vec![FollowedStrength { elo: 0.0, deviation: pace.newcomer }; entrants];
    for seats in matches {
        play(&mut strengths, seats.as_ref(), pace.change)?;
    }
    Ok(strengths)
}

/// The noise of one performance in Elo: with it the odds between two whose strengths are known are those of Elo.
const BETA: f64 = ELO / std::f64::consts::SQRT_2;
/// The least part of a variance that one match leaves.
const LEAST_LEFT: f64 = 1e-6;

fn play(strengths: &mut [FollowedStrength], seats: &[RankedSeat], change: f64) -> Result<(), Unfit> {
    Unfit::check(seats.iter().map(|seat| seat.entrant), strengths.len())?;
    for seat in seats {
        let deviation = &mut strengths[seat.entrant as usize].deviation;
        *deviation = deviation.hypot(change);
    }
    let before: Vec<FollowedStrength> = seats.iter().map(|seat| strengths[seat.entrant as usize]).collect();
    for (own, seat) in seats.iter().enumerate() {
        let others = seats.iter().zip(&before).enumerate().filter(|(other, _)| *other != own);
        let met = others.map(|(_, (other, strength))| (*strength, score(seat.rank, other.rank)));
        let (rise, left) = update(before[own], met, BETA);
        // One in several seats moves by each of them.
        let strength = &mut strengths[seat.entrant as usize];
        strength.elo += rise;
        strength.deviation *= left;
    }
    Ok(())
}

fn score(own_rank: u32, other_rank: u32) -> f64 {
    match own_rank.cmp(&other_rank) {
        Ordering::Less => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 0.0,
    }
}

/// By how much a strength rises by these opponents and scores, and which part of its deviation is left.
fn update(own: FollowedStrength, met: impl Iterator<Item = (FollowedStrength, f64)>, beta: f64) -> (f64, f64) {
    let variance = own.deviation.powi(2);
    let (mut rise, mut known) = (0.0, 0.0);
    for (other, score) in met {
        let spread = (variance + other.deviation.powi(2) + 2.0 * beta.powi(2)).sqrt();
        let expected = 1.0 / (1.0 + ((other.elo - own.elo) / spread).exp());
        rise += variance / spread * (score - expected);
        known += own.deviation / spread * variance / spread.powi(2) * expected * (1.0 - expected);
    }
    (rise, (1.0 - known).max(LEAST_LEFT).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(ranks: &[(u32, u32)]) -> Vec<RankedSeat> {
        ranks.iter().map(|(entrant, rank)| RankedSeat { entrant: *entrant, rank: *rank }).collect()
    }

    /// The first example of OpenSkill's documentation: one of two newcomers of 25 and 25/3 wins.
    #[test]
    fn a_published_example() {
        let newcomer = FollowedStrength { elo: 25.0, deviation: 25.0 / 3.0 };
        let (rise, left) = update(newcomer, [(newcomer, 1.0)].into_iter(), 25.0 / 6.0);
        assert!((25.0 + rise - 27.635_231_383_473_65).abs() < 1e-12, "{rise}");
        assert!((25.0 / 3.0 * left - 8.065_506_316_323_548).abs() < 1e-12, "{left}");
        let (fall, _) = update(newcomer, [(newcomer, 0.0)].into_iter(), 25.0 / 6.0);
        assert_eq!(fall, -rise);
    }

    #[test]
    fn winners_rise_and_matches_make_sure() {
        let won = seats(&[(0, 1), (1, 2), (2, 2)]);
        let found = follow([&won], 4, &Pace::default()).unwrap();
        assert!(found[0].elo > 0.0 && found[1].elo < 0.0 && found[1] == found[2]);
        assert!(found[0].deviation < 350.0);
        assert_eq!(found[3], FollowedStrength { elo: 0.0, deviation: 350.0 });
        let other = follow([&seats(&[(2, 2), (0, 1), (1, 2)])], 4, &Pace::default()).unwrap();
        assert!(found.iter().zip(&other).all(|(one, other)| (one.elo - other.elo).abs() < 1e-9));
    }

    #[test]
    fn a_hundred_matches_leave_what_the_default_says() {
        let games = (0..100).map(|game| seats(&[(0, 1 + game % 2), (1, 2 - game % 2)]));
        let found = follow(games, 2, &Pace::default()).unwrap();
        assert!((65.0..80.0).contains(&found[0].deviation), "{found:?}");
    }

    #[test]
    fn odds_become_elo() {
        // Ten wins to each loss are 400 Elo.
        let games =
            (0..3000).map(|game| if game % 11 == 5 { seats(&[(1, 1), (0, 2)]) } else { seats(&[(0, 1), (1, 2)]) });
        let found = follow(games, 2, &Pace { newcomer: 350.0, change: 2.0 }).unwrap();
        assert!((found[0].elo - found[1].elo - 400.0).abs() < 40.0, "{found:?}");
    }

    #[test]
    fn what_cannot_be_followed_is_named() {
        let follow = |ranks: &[(u32, u32)]| follow([&seats(ranks)], 2, &Pace::default()).unwrap_err();
        assert_eq!(follow(&[(0, 1)]), Unfit::Seats(1));
        assert_eq!(follow(&[(0, 1), (2, 2)]), Unfit::UnknownEntrant { entrant: 2, entrants: 2 });
        let pace = Pace { newcomer: 0.0, change: 1.0 };
        assert_eq!(super::follow([&seats(&[(0, 1), (1, 2)])], 2, &pace), Err(Unfit::Options));
    }
}
