//! The calculator against what other programs have published of counted results, and n seats against known strengths.

use crate::simulator::{Chance, World, ranked_block};
use agon_stats::bayeselo;
use agon_stats::bradley_terry::{Duel, DuelOutcome};
use agon_stats::sprt::results::Results;
use agon_stats::sprt::{Elo, Hypotheses, Scale, Verdict};

fn half(elo: Elo) -> f64 {
    (elo.high.unwrap() - elo.low.unwrap()) / 2.0
}

fn hypotheses(scale: Scale, elo0: f64, elo1: f64, beta: f64) -> Hypotheses {
    Hypotheses { scale, elo0, elo1, alpha: 0.05, beta }
}

/// Pairs, with what fastchess printed of them: logistic and normalised Elo with half of their intervals, superiority in
/// percent. From the notes to Dual 0.3.2 and to brunocodutra/cinder's pull requests 773 and 836.
#[test]
fn pairs_tell_what_fastchess_tells() {
    for (counts, printed) in [
        ([16, 82, 222, 150, 61], [52.08, 14.57, 75.87, 20.90, 100.0]),
        ([49, 48, 154, 49, 60], [11.10, 21.86, 12.92, 25.38, 84.08]),
        ([36, 340, 767, 462, 82], [22.07, 7.16, 36.25, 11.72, 100.0]),
        ([835, 6884, 13_116, 7201, 852], [2.11, 1.70, 3.52, 2.83, 99.25]),
    ] {
        let told = Results::of_pairs(counts).tell();
        let (logistic, normalised) = (told.logistic.unwrap(), told.normalised.unwrap());
        let superiority = 100.0 * told.superiority.unwrap();
        for (found, printed) in [(logistic.elo, printed[0]), (normalised.elo, printed[2]), (superiority, printed[4])] {
            assert!((found - printed).abs() < 0.006, "{counts:?}: {found} for {printed}");
        }
        // Of few pairs Student's intervals are wider than the normal ones of fastchess, whose normalised ones also
        // leave out that the deviation is estimated.
        for (found, printed, most) in [(half(logistic), printed[1], 1.01), (half(normalised), printed[3], 1.04)] {
            assert!((0.998..most).contains(&(found / printed)), "{counts:?}: {found} for {printed}");
        }
    }
    // Both tests, of bounds 0 and 3 with beta 0.1, were over, at the bound 2.89.
    for counts in [[36, 340, 767, 462, 82], [835, 6884, 13_116, 7201, 852]] {
        let standing = Results::of_pairs(counts).stand(&hypotheses(Scale::Normalised, 0.0, 3.0, 0.1));
        assert!((standing.llr - 2.89).abs() < 0.006 && (standing.bounds.0 + 2.25).abs() < 0.006, "{standing:?}");
        assert_eq!((standing.verdict, standing.more), (Some(Verdict::H1), None));
    }
}

/// OpenBench's tests have the ratio to five places.
#[test]
fn ratios_are_those_of_openbench() {
    let pairs = Results::of_pairs([39, 8843, 26_675, 9240, 44]);
    let found = pairs.stand(&hypotheses(Scale::Normalised, 0.5, 2.5, 0.05)).llr;
    assert!((found - 2.941_68).abs() < 1e-4, "{found}");
    let found = bayeselo::llr([22_569, 44_137, 22_976], 0.5, 2.5).unwrap();
    assert!((found - 0.975_772).abs() < 1e-5, "{found}");
}

/// cutechess-cli's line of 3502 games, with the ratio in either Elo (its issue 543), and fishtest's issue 612.
#[test]
fn games_tell_what_cutechess_and_fishtest_tell() {
    let games = Results::of_matches(vec![759, 1863, 880]).unwrap();
    let told = games.tell();
    assert!(
        (told.logistic.unwrap().elo - 12.0).abs() < 0.05 && (half(told.logistic.unwrap()) - 7.9).abs() < 0.06,
        "{told:?}"
    );
    assert!((told.superiority.unwrap() - 0.999).abs() < 0.0006);
    let llr = games.stand(&hypotheses(Scale::Logistic, 0.0, 5.0, 0.05)).llr;
    assert!((llr - 2.95).abs() < 0.006, "{llr}");
    let llr = bayeselo::llr([759, 1863, 880], 0.0, 5.0).unwrap();
    assert!((llr - 2.27).abs() < 0.006, "{llr}");
    let llr = bayeselo::llr([608, 12_530, 648], 0.0, 5.0).unwrap();
    assert!((llr - 0.63).abs() < 0.006, "{llr}");
}

/// A client 60 Elo above equal others at tables of three to ten: its places tell that, by Plackett and Luce's model.
#[test]
fn places_at_a_table_tell_the_strength_above_equal_others() {
    for seats in [3, 5, 10] {
        let mut elo = vec![0.0; seats];
        elo[0] = 60.0;
        let mut counts = vec![0; seats];
        let mut chance = Chance::new(seats as u64);
        let players: Vec<usize> = (0..seats).collect();
        for block in 0..20_000 {
            // One match of each block: those of a block are not independent.
            let match_ = &ranked_block(&mut chance, &elo, &players, block, 0.0)[0];
            let rank = match_.seats.iter().find(|seat| seat.entrant == 0).unwrap().rank as usize;
            counts[seats - rank] += 1;
        }
        let found = Results::of_matches(counts).unwrap().tell().logistic.unwrap();
        assert!(found.low.unwrap() < 60.0 && found.high.unwrap() > 60.0 && half(found) < 4.5, "{seats}: {found:?}");
    }
}

/// The mean length and the end of a test that goes on, from where it stands, against tests that did.
#[test]
fn what_is_still_to_come_is_what_comes() {
    let begun = [12, 60, 150, 66, 14];
    let bounds = hypotheses(Scale::Normalised, 0.0, 15.0, 0.05);
    let standing = Results::of_pairs(begun).stand(&bounds);
    assert_eq!(standing.verdict, None);
    let (mut more, mut passed) = (0.0, 0.0);
    for seed in 0..400 {
        let (mut counts, mut chance) = (begun, Chance::new(seed));
        loop {
            let mut left = chance.unit() * 302.0;
            let place = begun.iter().position(|count| {
                left -= *count as f64;
                left < 0.0
            });
            counts[place.unwrap_or(4)] += 1;
            more += 1.0 / 400.0;
            match Results::of_pairs(counts).stand(&bounds).verdict {
                None => {}
                Some(verdict) => {
                    passed += f64::from(u8::from(verdict == Verdict::H1)) / 400.0;
                    break;
                }
            }
        }
    }
    println!("{standing:?}: {more} more, {passed} passed");
    assert!((standing.more.unwrap() / more - 1.0).abs() < 0.15, "{standing:?}: {more}");
    assert!((standing.passes.unwrap() - passed).abs() < 0.05, "{standing:?}: {passed}");
}

/// Duels of three, each in turn in the first seat: of each meeting the first's wins, draws and losses.
fn three(meetings: &[(u32, u32, [usize; 3])], times: usize) -> Vec<Duel> {
    let mut duels = Vec::new();
    for (one, other, counts) in meetings {
        for (result, count) in [DuelOutcome::First, DuelOutcome::Draw, DuelOutcome::Second].into_iter().zip(counts) {
            for _ in 0..count * times {
                let block = duels.len() as u64;
                let turned = [DuelOutcome::Second, DuelOutcome::Draw, DuelOutcome::First][result as usize];
                let (first, second, outcome) =
                    if block.is_multiple_of(2) { (*one, *other, result) } else { (*other, *one, turned) };
                duels.push(Duel { first, second, setting: 0, opening: block, game: block, outcome, block });
            }
        }
    }
    duels
}

/// The worked example of K. Laskos (talkchess.com, 24 June 2012, "EloStat, Bayeselo and Ordo"): 90 games of three
/// engines, and the same four times. BayesElo with `mm 1 1` gave 166, 0, -165 and 173, 0, -172.
#[test]
fn a_published_example_of_bayeselo_comes_out() {
    let meetings = [(0, 1, [18, 9, 3]), (1, 2, [18, 9, 3]), (0, 2, [24, 6, 0])];
    for (times, published) in [(1, [166.0, 0.0, -165.0]), (4, [173.0, 0.0, -172.0])] {
        let duels = three(&meetings, times);
        let found = bayeselo::fit(&duels, 3, true).unwrap();
        for (rated, published) in found.players.iter().zip(published) {
            // Who had which side is not published.
            assert!((rated.elo - published).abs() < 1.5, "{found:?}");
        }
    }
}

/// The fit is where no number can be changed for the better: by the chances alone, without derivatives.
#[test]
fn bayeselos_fit_is_the_likeliest() {
    let mut chance = Chance::new(7);
    let world = World { elo: vec![120.0, 40.0, -30.0, -130.0], first_seat: 30.0, draw_rate: 0.3, uneven: false };
    let duels = world.round_robin(&mut chance, 20);
    let found = bayeselo::fit(&duels, 4, true).unwrap();
    let unscaled = |player: usize| found.players[player].elo / bayeselo::scale(found.draw_elo);
    let value = |ratings: &[f64], draw_elo: f64, advantage: f64| {
        let of = |duel: &Duel| {
            let elo = ratings[duel.first as usize] - ratings[duel.second as usize] + advantage;
            bayeselo::chances(elo, draw_elo)[2 - duel.outcome as usize].ln()
        };
        // The prior: each player's two draws among three opponents and both seats; each pair gets them from both.
        let mut prior = 0.0;
        for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
            for (first, second) in [(a, b), (b, a)] {
                let elo = ratings[first] - ratings[second] + advantage;
                prior += 2.0 / 4.0 * (1.0 / 3.0 + 1.0 / 3.0) * bayeselo::chances(elo, draw_elo)[1].ln();
            }
        }
        duels.iter().map(of).sum::<f64>() + prior
    };
    let ratings: Vec<f64> = (0..4).map(unscaled).collect();
    let (draw_elo, advantage) = (found.draw_elo, found.advantage.unwrap());
    let best = value(&ratings, draw_elo, advantage);
    for step in [-0.5, 0.5] {
        for player in 0..4 {
            let mut moved = ratings.clone();
            moved[player] += step;
            assert!(value(&moved, draw_elo, advantage) < best, "player {player}");
        }
        assert!(
            value(&ratings, draw_elo + step, advantage) < best && value(&ratings, draw_elo, advantage + step) < best
        );
    }
    // In any order the same bytes.
    let mut shuffled = duels;
    chance.shuffle(&mut shuffled);
    assert_eq!(bayeselo::fit(&shuffled, 4, true).unwrap(), found);
    let alone = three(&[(0, 1, [3, 2, 1])], 1);
    assert!(bayeselo::fit(&alone, 3, true).is_err(), "whoever has not played cannot be rated");
    let known = bayeselo::fit(&three(&[(0, 1, [500, 0, 0])], 1), 2, true).unwrap();
    assert!(known.players[0].elo > 200.0 && known.players[0].reach.is_finite(), "{known:?}");
}
