//! Other programs whose models and scales ratings can be told in.

use clap::ValueEnum;

/// Another program for ratings.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Like {
    /// Draws count half. A lead of 202 points means an expected score of 76 %.
    Ordo,
    /// A draw is a third result, by the model of Rao and Kupper.
    Bayeselo,
}
