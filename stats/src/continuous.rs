//! Ratings of a continuous ladder, where results come one after another and clients change: each match moves those who
//! played it.
//!
//! The update is that of Weng and Lin ("A Bayesian Approximation Method for Online Ranking", JMLR 12, 2011, algorithm
//! 1), which is OpenSkill's for Bradley and Terry's model, from the crate `skillratings`. It is preferred to Glicko-2
//! because it knows any number of seats and needs no rating periods. The order of the matches matters, and the
//! deviations take matches as independent: for a tournament with an end, fit [`crate::rating`] or
//! [`crate::plackett_luce`].

use crate::plackett_luce::Seat;
use crate::rows::{ELO, Unfit};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// A strength that is followed through time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
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

/// The standings of `entrants` clients after these matches, played in this order; each match is its seats in any order.
///
/// To rank, and to choose opponents, use `elo`; ranking by `elo` less some deviations makes newcomers climb by beating
/// the weak.
///
/// # Errors
/// An entrant that does not exist, a match of one seat or of more than [`crate::plackett_luce::MOST_SEATS`], a pace out
/// of range.
pub fn follow<M: AsRef<[Seat]>>(
    matches: impl IntoIterator<Item = M>,
    entrants: usize,
    pace: &Pace,
) -> Result<Vec<Standing>, Unfit> {
    if !(pace.newcomer.is_finite() && pace.newcomer > 0.0 && pace.change.is_finite() && pace.change >= 0.0) {
        return Err(Unfit::Options);
    }
    let mut ratings = vec![WengLinRating { rating: 0.0, uncertainty: pace.newcomer }; entrants];
    // With this beta the odds between two whose strengths are known are those of Elo.
    let config = WengLinConfig { beta: ELO / std::f64::consts::SQRT_2, ..WengLinConfig::default() };
    for seats in matches {
        play(&mut ratings, seats.as_ref(), pace.change, &config)?;
    }
    let standing = |rating: &WengLinRating| Standing { elo: rating.rating, deviation: rating.uncertainty };
    Ok(ratings.iter().map(standing).collect())
}

fn play(ratings: &mut [WengLinRating], seats: &[Seat], change: f64, config: &WengLinConfig) -> Result<(), Unfit> {
    Unfit::check(seats.iter().map(|seat| seat.entrant), ratings.len())?;
    for seat in seats {
        let uncertainty = &mut ratings[seat.entrant as usize].uncertainty;
        *uncertainty = uncertainty.hypot(change);
    }
    let before: Vec<[WengLinRating; 1]> = seats.iter().map(|seat| [ratings[seat.entrant as usize]]).collect();
    let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> =
        before.iter().zip(seats).map(|(team, seat)| (&team[..], MultiTeamOutcome::new(seat.rank as usize))).collect();
    let after = weng_lin_multi_team(&teams, config);
    // One in several seats moves by each of them.
    for ((seat, before), after) in seats.iter().zip(&before).zip(after.iter().flatten()) {
        let rating = &mut ratings[seat.entrant as usize];
        rating.rating += after.rating - before[0].rating;
        rating.uncertainty *= after.uncertainty / before[0].uncertainty;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(ranks: &[(u32, u32)]) -> Vec<Seat> {
        ranks.iter().map(|(entrant, rank)| Seat { entrant: *entrant, rank: *rank }).collect()
    }

    #[test]
    fn winners_rise_and_matches_make_sure() {
        let won = seats(&[(0, 1), (1, 2), (2, 2)]);
        let found = follow([&won], 4, &Pace::default()).unwrap();
        assert!(found[0].elo > 0.0 && found[1].elo < 0.0 && found[1] == found[2]);
        assert!(found[0].deviation < 350.0);
        assert_eq!(found[3], Standing { elo: 0.0, deviation: 350.0 });
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
