//! The law of fair blocks: all rotations of a line-up on one opening cancel what a seat is worth, so that equal players
//! come out equal.

use super::walk::{Verdict, hold, play_out, settings};
use agon_games::{AnyGame, Opening, PreparedSetting, Rng, Scores, rng_from, seed_of};

/// Blocks played for each setting.
const BLOCKS: u64 = 400;

/// Two equal players, who move at random, score the same within four standard errors over blocks.
pub fn blocks_cancel_what_a_seat_is_worth(game: &dyn AnyGame) -> Verdict {
    for (name, setting) in settings(game).into_iter().filter(|(_, setting)| setting.seats() > 1) {
        let (mean, error) = score_of_first(&*setting, setting.rotations());
        hold((mean - 0.5).abs() <= 4.0 * error, || format!("{name}: {mean:.4} +- {error:.4} for equal players"))?;
    }
    Ok(())
}

/// The mean share of opponents that the first of the line-up beats in the first `rotations` of its blocks, and its
/// standard error.
pub fn score_of_first(setting: &dyn PreparedSetting, rotations: usize) -> (f64, f64) {
    let mut rng = rng_from(&seed_of(77));
    let blocks: Vec<f64> = (0..BLOCKS)
        .map(|number| {
            let shares = (0..rotations).map(|rotation| {
                let seats = setting.seats();
                share(&play(setting, number, &mut rng), (seats - rotation) % seats, seats)
            });
            shares.sum::<f64>() / rotations as f64
        })
        .collect();
    let count = blocks.len() as f64;
    let mean = blocks.iter().sum::<f64>() / count;
    let variance = blocks.iter().map(|block| (block - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

fn play(setting: &dyn PreparedSetting, number: u64, rng: &mut Rng) -> Scores {
    let mut state = setting.start(&Opening::numbered(number));
    play_out(&mut *state, rng, &mut |_, _, _| Ok(())).unwrap();
    state.scores()
}

/// Opponents beaten, ties half, of one seat.
pub fn share(scores: &Scores, seat: usize, seats: usize) -> f64 {
    let points = |other| match (scores.beats(seat, other), scores.beats(other, seat)) {
        (true, _) => 1.0,
        (_, true) => 0.0,
        _ => 0.5,
    };
    (0..seats).filter(|other| *other != seat).map(points).sum::<f64>() / (seats - 1) as f64
}
