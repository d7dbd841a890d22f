//! The line-ups of a ladder whose pairings are known before it begins: found by rank, so that a long list takes no
//! memory.

use super::partial::{self, KeptDrawing};
use std::collections::{BTreeMap, BTreeSet};

/// The line-ups, with entrants by index.
#[derive(Clone, Debug)]
pub enum Lineups {
    /// The ladder names these.
    Named(Vec<Vec<usize>>),
    /// Every set of different entrants.
    Sets {
        of: Vec<usize>,
        /// The number of seats of a match.
        seats: usize,
    },
    /// One of some entrants meets every set of the others.
    Gauntlet {
        /// The entrants that the others meet.
        base: Vec<usize>,
        others: Vec<usize>,
        /// The number of seats of a match.
        seats: usize,
    },
    /// Enough sets of entrants for the given number of rounds each; a ladder's seed draws them before play.
    Partial {
        /// The entrants in the order of their names.
        of: Vec<usize>,
        /// The number of seats of a match.
        seats: usize,
        /// The number of line-ups that everybody plays.
        rounds: u64,
    },
    /// Drawn line-ups in the order of play.
    InOrder(Vec<Vec<usize>>),
    /// There are none yet, because they follow from results.
    ByResults,
}

impl Lineups {
    /// The number of line-ups.
    pub fn count(&self) -> u64 {
        match self {
            Lineups::Named(named) => named.len() as u64,
            Lineups::Sets { of, seats } => choose(of.len() as u64, *seats as u64),
            Lineups::Gauntlet { base, .. } => (base.len() as u64).saturating_mul(self.companies()),
            Lineups::Partial { of, seats, rounds } => {
                let all = choose(of.len() as u64, *seats as u64);
                let wanted = partial::count(of.len(), *seats, *rounds);
                if is_most(wanted, all) { all } else { wanted }
            }
            Lineups::InOrder(drawn) => drawn.len() as u64,
            Lineups::ByResults => 0,
        }
    }

    /// The same, with a partial round robin drawn by this seed. If it would be more than half of all line-ups, all are
    /// played.
    ///
    /// # Errors
    /// The drawing repeats a line-up.
    pub fn drawn_by(self, seed: &[u8; 32], kept: &mut KeptDrawing) -> Result<Lineups, String> {
        let Lineups::Partial { of, seats, rounds } = self else { return Ok(self) };
        let wanted = partial::count(of.len(), seats, rounds);
        if is_most(wanted, choose(of.len() as u64, seats as u64)) {
            return Ok(Lineups::Sets { of, seats });
        }
        let drawn = kept.draw((of.len(), seats, rounds, *seed))?.iter();
        Ok(Lineups::InOrder(drawn.map(|lineup| lineup.iter().map(|&player| of[player]).collect()).collect()))
    }

    /// The fewest and the most line-ups of a client; `None` if there are none yet.
    pub fn each(&self) -> Option<(u64, u64)> {
        let ends = |counts: &[u64]| Some((*counts.iter().min()?, *counts.iter().max()?));
        match self {
            Lineups::Sets { of, seats } => {
                ends(&[choose((of.len() as u64).saturating_sub(1), (*seats as u64).saturating_sub(1))])
            }
            Lineups::Gauntlet { base, others, seats } => {
                let with_one = choose((others.len() as u64).saturating_sub(1), (*seats as u64).saturating_sub(2));
                ends(&[self.companies(), with_one.saturating_mul(base.len() as u64)])
            }
            Lineups::Named(lineups) | Lineups::InOrder(lineups) => {
                let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
                for lineup in lineups {
                    let players: BTreeSet<usize> = lineup.iter().copied().collect();
                    players.into_iter().for_each(|player| *counts.entry(player).or_default() += 1);
                }
                ends(&counts.into_values().collect::<Vec<_>>())
            }
            Lineups::Partial { .. } | Lineups::ByResults => None,
        }
    }

    /// The number of sets of others that each entrant of a gauntlet's base meets.
    fn companies(&self) -> u64 {
        match self {
            Lineups::Gauntlet { others, seats, .. } => choose(others.len() as u64, (*seats as u64).saturating_sub(1)),
            _ => 0,
        }
    }

    /// All line-ups, in an order that spreads those of each client evenly over the schedule. A table is informative
    /// long before the end, and a failing client shows before it has played everybody.
    pub fn iter(&self) -> impl Iterator<Item = Vec<usize>> + Clone + '_ {
        let count = self.count();
        // A drawing is even at any place.
        let step = if matches!(self, Lineups::InOrder(_)) { 1 } else { spread(count) };
        (0..count).map(move |place| self.at((u128::from(place) * u128::from(step) % u128::from(count)) as u64))
    }

    fn at(&self, rank: u64) -> Vec<usize> {
        match self {
            Lineups::Named(named) => named[rank as usize].clone(),
            Lineups::Sets { of, seats } => pick(rank, of, *seats),
            Lineups::Gauntlet { base, others, seats } => {
                let companies = self.companies();
                let mut lineup = vec![base[(rank / companies) as usize]];
                lineup.extend(pick(rank % companies, others, seats - 1));
                lineup
            }
            Lineups::InOrder(drawn) => drawn[rank as usize].clone(),
            Lineups::Partial { .. } | Lineups::ByResults => Vec::new(),
        }
    }

    /// All entrants that may get blocks, in the order on which block numbers depend. Drawn pairings are kept, so their
    /// numbers do not depend on the present participants.
    pub fn entrants(&self) -> Vec<usize> {
        match self {
            Lineups::Named(named) | Lineups::InOrder(named) => named.concat(),
            Lineups::Sets { of, .. } | Lineups::Partial { of, .. } => of.clone(),
            Lineups::Gauntlet { base, others, .. } => [base.as_slice(), others].concat(),
            Lineups::ByResults => Vec::new(),
        }
    }
}

/// Whether this number of line-ups is more than half of all.
fn is_most(wanted: u64, all: u64) -> bool {
    wanted.saturating_mul(2) > all
}

/// The rounds of a partial round robin in which everybody meets everybody about four times.
pub fn usual_rounds(players: usize, seats: usize) -> u64 {
    partial::usual_rounds(players, seats)
}

/// The set of `size` of these at `rank` in lexicographic order.
fn pick(mut rank: u64, of: &[usize], size: usize) -> Vec<usize> {
    let mut picked = Vec::with_capacity(size);
    for (place, &entrant) in of.iter().enumerate() {
        let left = (size - picked.len()) as u64;
        if left == 0 {
            break;
        }
        let with_it = choose((of.len() - place - 1) as u64, left - 1);
        if rank < with_it {
            picked.push(entrant);
        } else {
            rank -= with_it;
        }
    }
    picked
}

fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    (0..k).fold(1u64, |ways, taken| ways.saturating_mul(n - taken) / (taken + 1))
}

/// A step that visits all of `count` places, each far from the previous one: the golden section, made coprime.
fn spread(count: u64) -> u64 {
    let divisor = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let golden = (u128::from(count) * 618_034 / 1_000_000) as u64;
    (golden..=count).find(|&step| divisor(step, count) == 1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn line_ups_are_all_different_and_spread() {
        for (clients, seats) in [(2, 2), (3, 2), (30, 2), (8, 4), (5, 5), (7, 1)] {
            let sets = Lineups::Sets { of: (0..clients).collect(), seats };
            let different: BTreeSet<_> = sets.iter().collect();
            assert_eq!(different.len() as u64, sets.count());
            assert_eq!(sets.count(), choose(clients as u64, seats as u64));
        }
        let sets = Lineups::Sets { of: (0..30).collect(), seats: 2 };
        for client in 0..30 {
            let early = sets.iter().take(145).filter(|lineup| lineup.contains(&client)).count();
            assert!((4..=16).contains(&early), "{client}: {early} of its 29 line-ups are in the first third");
        }
    }

    /// The number of line-ups that contain all of these.
    fn meetings(lineups: &Lineups, all: &[usize]) -> usize {
        lineups.iter().filter(|lineup| all.iter().all(|entrant| lineup.contains(entrant))).count()
    }

    proptest! {
        #[test]
        fn in_a_round_robin_everybody_meets_everybody_equally_often(clients in 1usize..9, seats in 1usize..6) {
            let sets = Lineups::Sets { of: (0..clients).collect(), seats };
            for lineup in sets.iter() {
                prop_assert_eq!(lineup.iter().collect::<BTreeSet<_>>().len(), seats);
            }
            let mut together = BTreeMap::new();
            for pair in (0..clients).flat_map(|a| (0..a).map(move |b| [a, b])) {
                *together.entry(meetings(&sets, &pair)).or_insert(0) += 1;
            }
            prop_assert!(together.len() <= 1, "{:?}", together);
        }

        #[test]
        fn in_a_gauntlet_the_others_meet_each_of_the_base_and_nobody_of_the_base_another(
            base in 1usize..4, others in 0usize..7, seats in 2usize..5,
        ) {
            let (base, others): (Vec<_>, Vec<_>) = ((0..base).collect(), (base..base + others).collect());
            let gauntlet = Lineups::Gauntlet { base: base.clone(), others: others.clone(), seats };
            let all: Vec<_> = gauntlet.iter().collect();
            prop_assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
            for lineup in &all {
                prop_assert_eq!(lineup.len(), seats);
                prop_assert_eq!(lineup.iter().filter(|entrant| base.contains(entrant)).count(), 1);
            }
            let each = choose((others.len() as u64).saturating_sub(1), seats as u64 - 2) as usize;
            for pair in base.iter().flat_map(|b| others.iter().map(move |o| [*b, *o])) {
                prop_assert_eq!(meetings(&gauntlet, &pair), each);
            }
        }
    }
}
