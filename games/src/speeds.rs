//! Measures the speed of rules: the work of `agon bench`, and plain programs in C++ that do the same for comparison.

use crate::{Opening, Options, Rules, rng_from};
use std::sync::Arc;

/// A part of one game whose speed is worth watching.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// The name of the measurement.
    pub name: &'static str,
    /// The unit, counted per second: `moves/s`.
    pub unit: &'static str,
    /// Does the work once.
    pub run: fn() -> Work,
    /// Programs that do the same work.
    pub references: &'static [Reference],
}

/// Work that was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The amount, in the unit of the speed.
    pub count: u64,
    /// The checksum of all results in order: a program with another one has not done the same work.
    pub checksum: u64,
}

/// A program without plug-ins, written for nothing but this work.
///
/// Its arguments are its way and a count. It does that amount of work, and prints its checksum, as a number, and the
/// seconds of processor time.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// Its peculiarity: `fixed arrays`.
    pub name: &'static str,
    /// The whole program in C++17, piece by piece.
    pub source: &'static [&'static str],
    /// The compiler's flags in addition to `-O2`.
    pub flags: &'static [&'static str],
    /// Its first argument.
    pub way: &'static str,
    /// Whether it reaches the same checksum; else it does as much work of the same kind with its own random numbers.
    pub same: bool,
}

/// A reference that reaches the same checksum; its source begins with the random generator that all references share.
macro_rules! reference {
    ($name:literal, $file:literal, $way:literal) => {
        $crate::Reference {
            name: $name,
            source: &[include_str!("../../references/chance.h"), include_str!(concat!("../../references/", $file))],
            flags: &[],
            way: $way,
            same: true,
        }
    };
}
pub(crate) use reference;

impl Work {
    /// Adds one more result.
    pub(crate) fn add(&mut self, result: u64) {
        self.checksum = self.checksum.wrapping_mul(31).wrapping_add(result);
    }
}

/// Works out options by key and value, with the defaults of all others; `None` if they are wrong.
pub(crate) fn prepare<R: Rules>(pairs: &[(&str, &str)], seats: usize) -> Option<Arc<R::Prepared>> {
    let mut options = Options::default();
    pairs.iter().for_each(|(key, value)| options.set(key, value));
    Some(Arc::new(R::prepare(&R::FACTS.complete(&options).ok()?, seats).ok()?))
}

/// Plays `matches` random matches with the default options and `seats` seats, and adds up their scores.
pub(crate) fn play_randomly<R: Rules>(seats: usize, matches: u64) -> Work {
    play_and_sum::<R>(seats, matches, |state, work| {
        state.scores().values.iter().for_each(|score| work.add(*score as u64))
    })
}

/// Does the same with the sum that `sum` adds for each match at its end.
pub(crate) fn play_and_sum<R: Rules>(seats: usize, matches: u64, sum: impl Fn(&R, &mut Work)) -> Work {
    let mut work = Work::default();
    let Some(setting) = prepare::<R>(&[], seats) else { return work };
    let mut rng = rng_from(&[1; 32]);
    let mut answers = Vec::new();
    for number in 0..matches {
        let mut state = R::start(&setting, seats, &Opening::numbered(number));
        while !state.to_move().is_empty() {
            answers.clear();
            answers.extend(state.to_move().iter().map(|seat| (seat, state.sample(seat, &mut rng))));
            state.play(&answers);
        }
        work.count += 1;
        sum(&state, &mut work);
    }
    work
}
