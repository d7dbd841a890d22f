//! Other programs whose Elo `--like` computes.

use clap::ValueEnum;

/// Another program whose model and scale ratings can have.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Like {
    /// Draws count half. A lead of 202 points means an expected score of 76 %.
    Ordo,
    /// A draw is a third result, by the model of Rao and Kupper.
    Bayeselo,
}
