//! The worth of the end of a round: heads, or the part of the opponents that come out ahead. In whole numbers, so that
//! sums are the same in any order; the lower, the better.

use crate::deal::{LANES, Lanes, MAX_SEATS};

/// The value to minimise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The heads that one takes.
    Heads,
    /// The opponents that take fewer, one with as many as half of one.
    Rank,
}

impl Objective {
    /// As the option `objective` has it.
    pub fn name(self) -> &'static str {
        match self {
            Objective::Rank => "rank",
            Objective::Heads => "heads",
        }
    }
}

/// A whole opponent ahead, or a whole head.
pub const UNIT: i64 = 1000;
/// Differences of heads beyond this are as good as decided.
const WIDEST: i32 = 160;
/// Rounds beyond this are not looked at.
const MOST_ROUNDS: usize = 8;
/// Standard deviation of the difference of two players' heads in a round. Measured: 6 to 8 for each.
const DEVIATION: f64 = 9.0;
/// Heads by which the highest total grows in a round, about.
const GROWTH: i32 = 12;

/// Values of ends of rounds.
pub struct Valuer {
    objective: Objective,
    /// Heads of each seat so far; they count with those of the playout.
    before: [i32; MAX_SEATS],
    /// Where a match ends, 0 for after this round.
    limit: i32,
    seats: usize,
    /// For so many rounds to come and a lead of -`WIDEST` to `WIDEST` of somebody else: how likely that one is ahead
    /// in the end.
    ahead: Vec<[i16; 2 * WIDEST as usize + 1]>,
}

impl Valuer {
    /// `before` are the heads of seat 0 and those after it that count already.
    pub fn new(objective: Objective, seats: usize, limit: u16) -> Valuer {
        let rounds = if objective == Objective::Rank && limit > 0 { MOST_ROUNDS } else { 0 };
        Valuer {
            objective,
            before: [0; MAX_SEATS],
            limit: limit.into(),
            seats,
            ahead: (0..=rounds).map(chances).collect(),
        }
    }

    /// Sets the heads that seat 0 and those after it have already.
    pub fn begin(&mut self, before: [i32; MAX_SEATS]) {
        self.before = before;
    }

    /// The sum of the values of all lanes, in thousandths, for what each seat took in them.
    #[inline]
    pub fn add_up(&self, taken: &[Lanes; MAX_SEATS]) -> i64 {
        match self.objective {
            Objective::Heads => {
                let taken: i64 = taken[0].0.iter().map(|heads| i64::from(*heads)).sum();
                (taken + i64::from(self.before[0]) * LANES as i64) * UNIT
            }
            Objective::Rank => (0..LANES).map(|lane| self.behind(lane, taken)).sum(),
        }
    }

    fn behind(&self, lane: usize, taken: &[Lanes; MAX_SEATS]) -> i64 {
        let mut totals = self.before;
        for (total, taken) in totals[..self.seats].iter_mut().zip(taken) {
            *total += i32::from(taken.0[lane]);
        }
        let [own, others @ ..] = &totals;
        let others = &others[..self.seats - 1];
        let most = others.iter().copied().max().unwrap_or(0).max(*own);
        let ahead = &self.ahead[self.rounds_left(most)];
        others.iter().map(|other| i64::from(ahead[((own - other).clamp(-WIDEST, WIDEST) + WIDEST) as usize])).sum()
    }

    /// How many rounds are still to come, about, when somebody has `most` heads.
    #[inline]
    fn rounds_left(&self, most: i32) -> usize {
        if self.limit == 0 || most >= self.limit {
            return 0;
        }
        let rounds = (self.limit - most + GROWTH - 1) / GROWTH;
        (rounds as usize).min(self.ahead.len() - 1)
    }
}

/// By what it is likely that somebody is ahead in the end, for each lead now: a difference grows as a sum of chances
/// does.
fn chances(rounds: usize) -> [i16; 2 * WIDEST as usize + 1] {
    let mut chances = [0; 2 * WIDEST as usize + 1];
    for (chance, lead) in chances.iter_mut().zip(-WIDEST..) {
        *chance = match rounds {
            0 => (UNIT as i16 / 2) * (1 + lead.signum() as i16),
            _ => {
                let scale = DEVIATION * libm::sqrt(2.0 * rounds as f64);
                libm::round(500.0 * (1.0 + libm::erf(f64::from(lead) / scale))) as i16
            }
        };
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(heads: &[i16]) -> [Lanes; MAX_SEATS] {
        std::array::from_fn(|seat| Lanes([heads.get(seat).copied().unwrap_or(0); LANES]))
    }

    #[test]
    fn heads_are_heads_and_ranks_count_who_is_ahead() {
        let lanes = LANES as i64;
        let mut heads = Valuer::new(Objective::Heads, 3, 0);
        assert_eq!(heads.add_up(&taken(&[7, 1, 2])), 7 * UNIT * lanes);
        heads.begin([4, 9, 9, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(heads.add_up(&taken(&[7, 1, 2])), 11 * UNIT * lanes);
        let mut rank = Valuer::new(Objective::Rank, 4, 0);
        assert_eq!(rank.add_up(&taken(&[7, 1, 7, 9])), 3 * UNIT / 2 * lanes);
        rank.begin([0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(rank.add_up(&taken(&[7, 1, 7, 9])), UNIT * lanes);
    }

    #[test]
    fn a_lead_counts_for_more_when_the_match_is_nearly_over() {
        let value = |before: i32, lead: i32| {
            let mut rank = Valuer::new(Objective::Rank, 2, 66);
            rank.begin(std::array::from_fn(|seat| if seat == 0 { before } else { before - lead }));
            rank.add_up(&taken(&[0, 0]))
        };
        let even = UNIT / 2 * LANES as i64;
        assert_eq!((value(20, 0), value(70, 0)), (even, even));
        assert!(even < value(10, 5) && value(10, 5) < value(50, 5) && value(50, 5) < value(66, 5));
        assert_eq!(value(66, 5), UNIT * LANES as i64);
        assert_eq!(value(50, 5) - even, even - value(45, -5));
    }
}
