//! 6 qui prend! (6 nimmt!): cards of hidden hands, chosen at once, fall into four rows; who lays the sixth takes the others.

mod abi;

pub use abi::*;
