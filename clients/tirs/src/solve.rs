//! The exact value of a position for two players: negamax by zero windows with a transposition table of bounds (Plaat
//! and others 1996, "Best-first fixed-depth minimax algorithms"). A value is the points to come of the player to move,
//! less those of the other.

use crate::allowance::{Allowance, Counter};
use crate::cards::{Card, Deal, Position, Set};
use crate::table::{Entry, TranspositionTable};

/// More than any value.
pub const INFINITE: i32 = 10_000;
/// Positions of so few cards are searched quicker than they are looked up.
const SMALL: u32 = 6;
/// From so many cards on, the table is asked about all replies before one is searched.
const WORTH_ASKING: u32 = 9;

/// Between which bounds a value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// At least this.
    pub lower: i32,
    /// At most this.
    pub upper: i32,
}

/// A solver, which remembers positions from move to move.
pub struct Solver<const W: usize> {
    table: TranspositionTable,
    counter: Counter,
    /// The cards to try in the positions on the way to the present one, those of the present one last.
    branches: Vec<Branch<W>>,
}

/// A card that may be taken, and what comes of it.
#[derive(Clone, Copy)]
struct Branch<const W: usize> {
    /// The higher, the sooner.
    order: i32,
    card: Card,
    after: Position<W>,
    /// The key of `after`, once it is asked for and connected; else 0.
    key: u64,
}

impl<const W: usize> Solver<W> {
    /// With a table of at most so many bytes.
    pub fn new(table_bytes: u64) -> Solver<W> {
        Solver {
            table: TranspositionTable::new(table_bytes),
            counter: Counter::new(Allowance::ALL),
            branches: Vec::new(),
        }
    }

    /// Begins to count anew.
    pub fn allow(&mut self, allowance: Allowance) {
        self.counter = Counter::new(allowance);
    }

    /// Positions searched since `allow`.
    pub fn nodes(&self) -> u64 {
        self.counter.nodes
    }

    /// The value; `None` if the allowance is spent before. The guess costs or saves time only.
    pub fn solve(&mut self, deal: &Deal<W>, position: Position<W>, guess: i32) -> Option<i32> {
        let mut bounds = Bounds::NONE;
        while bounds.lower < bounds.upper {
            let beta = bounds.next(guess);
            bounds.narrow(self.bound(deal, position, beta)?, beta);
        }
        Some(bounds.lower)
    }

    /// A lower bound of the value if the value is at least `beta`, else an upper one, which is lower than `beta`;
    /// `None` if the allowance is spent before.
    pub fn bound(&mut self, deal: &Deal<W>, position: Position<W>, beta: i32) -> Option<i32> {
        let value = self.connected(deal, deal.connected(position), beta);
        (!self.counter.is_spent).then_some(value)
    }

    /// The bound of a connected position.
    fn connected(&mut self, deal: &Deal<W>, position: Position<W>, beta: i32) -> i32 {
        if position.left.len() <= SMALL {
            return self.small(deal, position, beta);
        }
        self.large(deal, position, position.key(), beta)
    }

    /// The bound of a connected position of few cards.
    fn small(&mut self, deal: &Deal<W>, position: Position<W>, beta: i32) -> i32 {
        self.counter.count();
        if position.reach.is_empty() {
            return 0;
        }
        let (mut best, mut rest) = (-INFINITE, position.reach);
        while let Some(card) = rest.best() {
            let (gain, after) = (deal.value(card), deal.take(position, card));
            rest = deal.without_twins(rest.without(card), after);
            let reply = if after.reach.is_empty() { 0 } else { self.small(deal, after, gain - beta + 1) };
            best = best.max(gain - reply);
            if best >= beta {
                break;
            }
        }
        best
    }

    /// The bound of a connected position, by the table.
    fn large(&mut self, deal: &Deal<W>, position: Position<W>, key: u64, beta: i32) -> i32 {
        self.counter.count();
        let known = self.table.get(key);
        if let Some(entry) = known {
            let bounds = Bounds { lower: entry.lower, upper: entry.upper };
            if let Some(value) = bounds.answer(beta) {
                return value;
            }
        }
        let first = self.branches.len();
        self.branch(deal, position, known.map(|entry| entry.best), beta);
        let asked = if position.left.len() >= WORTH_ASKING { self.ask(deal, first, beta) } else { None };
        let (card, value) = asked.unwrap_or_else(|| self.best_from(deal, first, beta));
        self.branches.truncate(first);
        if !self.counter.is_spent {
            let mut bounds = Bounds::NONE;
            bounds.narrow(value, beta);
            self.table.put(key, Entry { lower: bounds.lower, upper: bounds.upper, best: card, depth: 0 });
        }
        value
    }

    /// Lists the cards within reach, the first to try first: the one that was best before, then those that are likely
    /// to be good enough for what they cost. Of cards that are good enough by far the one with the fewest replies is
    /// tried first; of others the promise counts.
    fn branch(&mut self, deal: &Deal<W>, position: Position<W>, known: Option<Card>, beta: i32) {
        let (first, mut rest) = (self.branches.len(), position.reach);
        while let Some(card) = rest.best() {
            let after = deal.take(position, card);
            rest = deal.without_twins(rest.without(card), after);
            let short = beta + 2 - deal.value(card) + deal.highest(after.reach);
            let order = if known == Some(card) { i32::MAX } else { -doubt(short) - 8 * after.reach.len() as i32 };
            let branch = Branch { order, card, after, key: 0 };
            let mut place = self.branches.len();
            self.branches.push(branch);
            while place > first && self.branches[place - 1].order < order {
                self.branches[place] = self.branches[place - 1];
                place -= 1;
            }
            self.branches[place] = branch;
        }
    }

    /// A card of which the table knows that it is good enough (enhanced transposition cutoffs). Leaves the positions
    /// after the cards connected, with their keys.
    fn ask(&mut self, deal: &Deal<W>, first: usize, beta: i32) -> Option<(Card, i32)> {
        for branch in &mut self.branches[first..] {
            branch.after = deal.connected(branch.after);
            if branch.after.left.len() > SMALL {
                branch.key = branch.after.key();
                let known = self.table.get(branch.key);
                let value = known.map(|entry| deal.value(branch.card) - entry.upper);
                if let Some(value) = value.filter(|value| *value >= beta) {
                    return Some((branch.card, value));
                }
            }
        }
        None
    }

    /// The best of the cards in the list from `first` on, or the first that is good enough.
    fn best_from(&mut self, deal: &Deal<W>, first: usize, beta: i32) -> (Card, i32) {
        let mut best = (0, -INFINITE);
        for place in first..self.branches.len() {
            let Branch { card, after, key, .. } = self.branches[place];
            let gain = deal.value(card);
            let value = gain
                - match key {
                    0 => self.connected(deal, deal.connected(after), gain - beta + 1),
                    key => self.large(deal, after, key, gain - beta + 1),
                };
            if self.counter.is_spent {
                break;
            }
            if value > best.1 {
                best = (card, value);
            }
            if value >= beta {
                break;
            }
        }
        best
    }
}

impl<const W: usize> Deal<W> {
    /// Among the cards that are worth no more than one just taken, drops those with the same neighbours. None of them
    /// is better: both leave a position of the same shape, in which one card is worth more by exactly the difference
    /// that the better one brings at once, and that more is the most it can be worth to the other.
    #[inline]
    fn without_twins(&self, rest: Set<W>, after: Position<W>) -> Set<W> {
        let (mut kept, mut others) = (rest, rest.and(after.reach));
        while let Some(other) = others.best() {
            others = others.without(other);
            if self.replies(other, after.left) == after.reach.without(other) {
                kept = kept.without(other);
            }
        }
        kept
    }
}

impl Bounds {
    /// Nothing is known.
    pub const NONE: Bounds = Bounds { lower: -INFINITE, upper: INFINITE };

    /// The next question: whether the value is at least this.
    pub fn next(self, guess: i32) -> i32 {
        let guess = guess.clamp(self.lower, self.upper);
        if guess == self.lower { guess + 1 } else { guess }
    }

    /// Takes in an answer to what was asked.
    pub fn narrow(&mut self, answer: i32, beta: i32) {
        if answer >= beta {
            self.lower = self.lower.max(answer);
        } else {
            self.upper = self.upper.min(answer);
        }
    }

    /// Whether the value is at least `beta`, if that is known, by the bound that says so.
    fn answer(self, beta: i32) -> Option<i32> {
        if self.lower >= beta {
            return Some(self.lower);
        }
        (self.upper < beta).then_some(self.upper)
    }
}

/// How unlikely it is that a card which looks short by so many points is good enough: 16 a point where it is far from
/// it, nothing where it is far better. The curve is 48 ln(1 + e^(short / 3)), written out so that it is the same on all
/// machines.
fn doubt(short: i32) -> i32 {
    const CURVE: [i32; 14] = [33, 26, 20, 15, 11, 8, 6, 4, 3, 2, 2, 1, 1, 1];
    16 * short.max(0) + CURVE.get(short.unsigned_abs() as usize).copied().unwrap_or(0)
}
