//! The choice of a card or of a row: every candidate is played out on the same deals (common random numbers), and the
//! worse half is dropped as often as there are halves (sequential halving; Karnin, Koren and Somekh 2013).

use crate::belief::Dealer;
use crate::deal::{Deals, LANES, MAX_SEATS};
use crate::path::Path;
use crate::table::Table;
use crate::value::{UNIT, Valuer};

/// How much may be spent.
#[derive(Clone, Copy)]
pub struct Allowance {
    /// Playouts of all candidates together.
    pub samples: u64,
    /// Microseconds by `clock`.
    pub time_us: u64,
    /// Reads the clock; begins anywhere.
    pub clock: fn() -> u64,
}

/// Something that could be played.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The card or the row.
    pub choice: u8,
    /// The rows when the deals begin.
    pub table: Table,
    /// The card with which seat 0 begins, 0 if that is open.
    pub first: u8,
    /// Heads of seat 0 and those after it when the deals begin.
    pub before: [i32; MAX_SEATS],
    /// Playouts so far.
    pub samples: u64,
    sum: i64,
}

impl Candidate {
    /// Not yet tried.
    pub fn new(choice: u8, table: Table, first: u8, before: [i32; MAX_SEATS]) -> Candidate {
        Candidate { choice, table, first, before, samples: 0, sum: 0 }
    }

    /// The mean of what its playouts were worth, in heads or in opponents ahead.
    pub fn value(&self) -> f64 {
        self.sum as f64 / (self.samples.max(1) as i64 * UNIT) as f64
    }
}

/// Tries the candidates and puts them into order, the best first.
pub fn search(
    candidates: &mut [Candidate],
    mut deals: Deals,
    dealer: &mut Dealer,
    valuer: &mut Valuer,
    path: Path,
    allowance: Allowance,
) {
    let begin = (allowance.clock)();
    let phases = u64::from(candidates.len().next_power_of_two().trailing_zeros()).max(1);
    let mut left = candidates.len();
    let mut spent = 0;
    for phase in 1..=phases {
        let samples = allowance.samples / phases * phase;
        let until = allowance.time_us / phases * phase;
        loop {
            dealer.deal(&mut deals);
            for candidate in &mut candidates[..left] {
                let taken = path.play(&candidate.table, candidate.first, &deals);
                valuer.begin(candidate.before);
                candidate.sum += valuer.add_up(&taken);
                candidate.samples += LANES as u64;
            }
            spent += (left * LANES) as u64;
            if deals.cards == 0 || spent >= samples || (allowance.clock)().wrapping_sub(begin) >= until {
                break;
            }
        }
        // All that are left have the same number of samples, so that sums compare as means do; of equal ones the
        // first stays.
        candidates[..left].sort_by_key(|candidate| candidate.sum);
        left = left.div_ceil(2);
    }
}
