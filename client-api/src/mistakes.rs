//! Mistakes on purpose: in a share of its turns a client plays a random move, as a beginner does without looking.

use crate::chance::{Rng, below, rng, splitmix64};
use crate::{Declined, Options};

/// How often a client plays a random move. Levels of play differ by this share, so they are the same on every machine.
pub struct Mistakes {
    percent: u64,
    rng: Rng,
}

impl Mistakes {
    /// Reads the option `mistakes`, the percentage of turns; `usual` is that of the level. The seed is that of the
    /// setup.
    ///
    /// # Errors
    /// The option is not a percentage.
    pub fn read(options: Options, usual: u64, seed: u64) -> Result<Mistakes, Declined> {
        let percent = options.number("mistakes", 0..=100)?.unwrap_or(usual);
        // Clients draw from the seed itself as well.
        Ok(Mistakes { percent, rng: rng(splitmix64(seed)) })
    }

    /// The generator for a move, if this turn is a mistake.
    pub fn this_turn(&mut self) -> Option<&mut Rng> {
        (below(&mut self.rng, 100) < self.percent).then_some(&mut self.rng)
    }

    /// One of the moves, each equally likely, if this turn is a mistake.
    pub fn choose<M: Copy>(&mut self, moves: &[M]) -> Option<M> {
        let rng = self.this_turn()?;
        moves.get(below(rng, moves.len().max(1) as u64) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_mistakes_is_the_one_that_was_asked_for() {
        let count = |options, usual| {
            let mut mistakes = Mistakes::read(Options(options), usual, 7).unwrap();
            (0..2_000).filter(|_| mistakes.choose(&[1, 2, 3]).is_some()).count()
        };
        assert_eq!([count("", 0), count("mistakes = 100", 0), count("mistakes = 0", 50)], [0, 2_000, 0]);
        assert!(count("", 30).abs_diff(600) < 60);
        assert!(Mistakes::read(Options("mistakes = 101"), 0, 7).is_err());
    }
}
