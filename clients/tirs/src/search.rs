//! For two players: an estimate of how good each card is, and, once the end is near enough, who wins and by how much,
//! exactly.

use crate::allowance::Allowance;
use crate::cards::{Card, Deal, Position, Values};
use crate::chosen::{Certainty, Choose, Chosen, Occasion};
use crate::estimate::{Estimator, PART};
use crate::solve::{Bounds, Solver};

/// If an allowance may suffice to solve a position, one part in this number goes into an estimate before.
const ESTIMATE_SHARE: u64 = 10;
/// Nodes that a microsecond suffices for, about; how long it takes to solve a position is not known any better.
const NODES_A_US: u64 = 8;

/// A search, which remembers positions from move to move of one match.
pub struct Search<const W: usize> {
    deal: Deal<W>,
    estimator: Estimator<W>,
    solver: Solver<W>,
    allowed: Allowed,
}

/// Positions that a search may look at in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowed {
    /// For an estimate.
    pub estimate: u64,
    /// To solve a position.
    pub solve: u64,
}

/// The knowledge about the cards within reach, in the order in which they are tried.
struct Root {
    /// Each card with the most that it can be worth.
    cards: Vec<(Card, i32)>,
    /// The bounds of the position.
    bounds: Bounds,
}

impl<const W: usize> Search<W> {
    /// For the cards of a start, with tables of at most so many bytes.
    pub fn new(values: &Values, table_bytes: u64, allowed: Allowed) -> Search<W> {
        Search {
            deal: Deal::new(values),
            estimator: Estimator::new(table_bytes / 4),
            solver: Solver::new(table_bytes / 4 * 3),
            allowed,
        }
    }

    /// As much of the solution as the allowance suffices for: first whether the player to move wins, then whether
    /// nobody does, then by how much. `lead` is that player's before the move.
    fn solve(
        &mut self,
        position: Position<W>,
        cards: &[(Card, i32)],
        lead: i32,
        guess: i32,
        allowance: Allowance,
    ) -> Root {
        let cards = cards.iter().map(|(card, _)| (*card, Bounds::NONE.upper)).collect();
        let mut root = Root { cards, bounds: Bounds::NONE };
        self.solver.allow(allowance);
        let mut go_on = Some(());
        while go_on.is_some() && root.bounds.lower < root.bounds.upper {
            let Bounds { lower, upper } = root.bounds;
            let open = |beta: &i32| lower < *beta && *beta <= upper;
            let beta = [1 - lead, -lead].into_iter().find(open).unwrap_or_else(|| root.bounds.next(guess));
            go_on = self.ask(position, &mut root, beta);
        }
        root
    }

    /// Asks whether a position is worth at least `beta`; `None` if the allowance is spent. A card that is comes first
    /// from then on.
    fn ask(&mut self, position: Position<W>, root: &mut Root, beta: i32) -> Option<()> {
        for place in 0..root.cards.len() {
            let (card, most) = root.cards[place];
            if most < beta {
                continue;
            }
            let gain = self.deal.value(card);
            let after = self.deal.take(position, card);
            let value = gain - self.solver.bound(&self.deal, after, gain - beta + 1)?;
            if value >= beta {
                root.bounds.narrow(value, beta);
                root.cards[..=place].rotate_right(1);
                return Some(());
            }
            root.cards[place].1 = value;
        }
        let most = root.cards.iter().map(|(_, most)| *most).max()?;
        root.bounds.narrow(most, beta);
        Some(())
    }

    /// Whether an allowance suffices to solve a position, as far as can be told: the nodes double with every 1.7 cards,
    /// and with every half card more in reach of each.
    fn is_soluble(&self, position: Position<W>, allowance: Allowance) -> bool {
        let connected = self.deal.connected(position);
        let left = connected.left.len();
        let within = connected.left.cards().map(|card| self.deal.replies(card, connected.left).len()).sum::<u32>();
        let nodes = allowance.nodes.min(allowance.time_us.saturating_mul(NODES_A_US));
        // In hundredths of doublings.
        58 * left + 177 * within / left.max(1) <= 655 + OPTIMISM + 100 * nodes.max(1).ilog2()
    }
}

/// Doublings of the nodes, in hundredths, beyond which it is not tried to solve a position: who wins is often found
/// sooner than all.
const OPTIMISM: u32 = 150;

impl Allowed {
    fn of_estimate(self, allowance: Allowance) -> Allowance {
        Allowance { nodes: self.estimate, ..allowance }
    }
}

impl<const W: usize> Choose for Search<W> {
    fn choose(&mut self, occasion: &Occasion) -> Option<Chosen> {
        let position = self.deal.position(occasion.values, occasion.cursor);
        let lead = occasion.points[0] - occasion.points[1];
        let mut cards: Vec<(Card, i32)> = position.reach.cards().map(|card| (card, 0)).collect();
        let whole = Allowance { nodes: self.allowed.solve, ..occasion.allowance };
        let is_soluble = self.is_soluble(position, whole);
        let share = if is_soluble { ESTIMATE_SHARE } else { 1 };
        let mut estimate = self.allowed.of_estimate(whole);
        (estimate.nodes, estimate.time_us) = (estimate.nodes / share, estimate.time_us / share);
        let found = self.estimator.best(&self.deal, position, &mut cards, estimate)?;
        let mut chosen = Chosen {
            cell: self.deal.cell(found.card),
            value: parts(found.value),
            depth: found.depth,
            certainty: Certainty::Estimate,
            nodes: self.estimator.nodes(),
            alternatives: vec![],
        };
        chosen.compare(cards[1..].iter().map(|(card, most)| (self.deal.cell(*card), parts(*most))));
        if is_soluble {
            let guess = found.value.div_euclid(PART);
            let root = self.solve(position, &cards, lead, guess, whole);
            chosen.nodes += self.solver.nodes();
            root.tell(&self.deal, position, lead, &mut chosen);
        }
        Some(chosen)
    }
}

impl Root {
    /// Changes a choice to the card that is known to be better, with what is known of it.
    fn tell<const W: usize>(&self, deal: &Deal<W>, position: Position<W>, lead: i32, chosen: &mut Chosen) {
        let Bounds { lower, upper } = self.bounds;
        let is_complete = lower == upper;
        // A win stands although more may be possible; in a match that is lost for certain the estimate knows best.
        if is_complete || lower + lead > 0 {
            chosen.cell = deal.cell(self.cards[0].0);
            chosen.value = f64::from(lower);
        }
        chosen.certainty = match () {
            _ if is_complete => Certainty::Value,
            _ if lower + lead > 0 => Certainty::Win,
            _ if upper + lead < 0 => Certainty::Loss,
            _ => return,
        };
        chosen.depth = deal.connected(position).left.len();
        let others = self.cards[1..].iter().filter(|(_, most)| *most < Bounds::NONE.upper);
        chosen.compare(others.map(|(card, most)| (deal.cell(*card), f64::from(*most))));
    }
}

/// Points, from parts of a point.
fn parts(value: i32) -> f64 {
    f64::from(value) / f64::from(PART)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::random;
    use crate::chosen::MAX_PLAYERS;
    use std::cmp::Reverse;

    /// The choice with this number of cards left on a drawn board, after both have taken the most promising cards;
    /// `None` if the match has ended before.
    fn choose(size: usize, left: u32, number: u64, allowed: Allowed) -> Option<Chosen> {
        let (mut values, mut cursor) = random(size, number);
        let (mut search, mut points) = (Search::<1>::new(&values, 128 << 20, allowed), [0; MAX_PLAYERS]);
        let mut position = search.deal.position(&values, cursor);
        while position.left.len() > left {
            let card = position.reach.cards().min_by_key(|card| Reverse(search.deal.promise(position, *card)))?;
            let mv = crate::board::to_move(search.deal.cell(card));
            (values[usize::from(mv.y) - 1][usize::from(mv.x) - 1], cursor) = (0, Some(mv));
            points[0] += search.deal.value(card);
            points[..2].reverse();
            position = search.deal.take(position, card);
        }
        search.choose(&Occasion { values: &values, cursor, points, allowance: Allowance::ALL })
    }

    #[test]
    fn a_match_that_is_decided_is_known_to_be() {
        let mut known = [false; 2];
        for number in 0..40 {
            let Some(exact) = choose(5, 14, number, crate::options::DEFAULT) else { continue };
            let quick = choose(5, 14, number, Allowed { estimate: 100, solve: 3_000 }).unwrap();
            assert_eq!(exact.certainty, Certainty::Value);
            match quick.certainty {
                Certainty::Win => assert!(quick.value <= exact.value),
                Certainty::Value => assert_eq!(quick.value, exact.value),
                Certainty::Loss | Certainty::Estimate => {}
            }
            known[usize::from(quick.certainty == Certainty::Value)] = true;
        }
        assert_eq!(known, [true; 2], "both kinds are met");
    }

    /// Prints how often the default search finds exact values, by size and cards left, as docs/notebook/tirs.md has it:
    /// `cargo test --release -p client-tirs -- --ignored --nocapture exact`.
    #[test]
    #[ignore = "a measurement"]
    fn how_often_values_are_exact() {
        for (size, lefts) in [(5, &[24][..]), (6, &[24, 26, 28, 30]), (8, &[26, 28, 30, 32, 34])] {
            for &left in lefts {
                let begin = std::time::Instant::now();
                let all: Vec<_> =
                    (0..).filter_map(|number| choose(size, left, number, crate::options::DEFAULT)).take(20).collect();
                let count = |certainty| all.iter().filter(|chosen| chosen.certainty == certainty).count();
                let counts = [Certainty::Value, Certainty::Win, Certainty::Loss].map(count);
                let mut nodes: Vec<_> = all.iter().map(|chosen| chosen.nodes).collect();
                nodes.sort_unstable();
                println!(
                    "{size} x {size}, {left} left: of {} exact {}, won {}, lost {}; nodes {} to {}, median {}; {:?} each",
                    all.len(),
                    counts[0],
                    counts[1],
                    counts[2],
                    nodes[0],
                    nodes[nodes.len() - 1],
                    nodes[nodes.len() / 2],
                    begin.elapsed() / all.len() as u32
                );
            }
        }
    }
}
