//! Estimates a position for two players whose end is out of sight: principal variation search, one move deeper at a
//! time, with late moves searched less deep, and an evaluation of the promises of two moves where it stops.

use crate::allowance::{Allowance, Counter};
use crate::cards::{Card, Deal, Position};
use crate::solve::INFINITE as MANY_POINTS;
use crate::table::{Entry, TranspositionTable};

/// Parts of a point in which values are counted.
pub const PART: i32 = 8;
/// More than any value.
const INFINITE: i32 = 3 * MANY_POINTS;
/// Deeper than anything that can be searched.
const MAX_DEPTH: u32 = 200;
/// From this card of the order on, and from this depth on, a card is searched less deep at first.
const LATE_CARD: usize = 2;
const DEEP: u32 = 3;

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The best card.
    pub card: Card,
    /// The worth of taking it, about, in parts of a point.
    pub value: i32,
    /// Moves looked ahead.
    pub depth: u32,
}

/// A searcher, which remembers positions from move to move.
pub struct Estimator<const W: usize> {
    table: TranspositionTable,
    counter: Counter,
    /// The cards to try in the positions on the way to the present one, with their order, those of the present one
    /// last.
    branches: Vec<(i32, Card)>,
}

/// Values between which it matters which one a position has.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl<const W: usize> Estimator<W> {
    /// With a table of at most so many bytes.
    pub fn new(table_bytes: u64) -> Estimator<W> {
        Estimator {
            table: TranspositionTable::new(table_bytes),
            counter: Counter::new(Allowance::ALL),
            branches: Vec::new(),
        }
    }

    /// Positions searched by the last call of `best`.
    pub fn nodes(&self) -> u64 {
        self.counter.nodes
    }

    /// Brings the cards into the order of what they are worth, as far as that was found, and tells of the first; `None`
    /// if there is none. Beside each card it leaves what the card is worth at most.
    pub fn best(
        &mut self,
        deal: &Deal<W>,
        position: Position<W>,
        cards: &mut [(Card, i32)],
        allowance: Allowance,
    ) -> Option<Estimate> {
        self.counter = Counter::new(allowance);
        cards.sort_by_key(|card| std::cmp::Reverse(deal.promise(position, card.0)));
        let mut found = Estimate { card: cards.first()?.0, value: 0, depth: 0 };
        for depth in 1..=MAX_DEPTH.min(position.left.len()) {
            self.deepen(deal, position, cards, depth, &mut found);
            if self.counter.is_spent {
                break;
            }
        }
        Some(found)
    }

    /// Searches one move deeper. What is found before the allowance is spent counts: each card that comes out best was
    /// the best so far.
    fn deepen(
        &mut self,
        deal: &Deal<W>,
        position: Position<W>,
        cards: &mut [(Card, i32)],
        depth: u32,
        found: &mut Estimate,
    ) {
        let mut window = Window { alpha: -INFINITE, beta: INFINITE };
        for place in 0..cards.len() {
            let value = self.after(deal, position, cards[place].0, depth, window, place);
            if self.counter.is_spent {
                return;
            }
            cards[place].1 = value;
            if value > window.alpha {
                window.alpha = value;
                *found = Estimate { card: cards[place].0, value, depth };
                cards[..=place].rotate_right(1);
            }
        }
    }

    /// The worth of taking a card. Only the first one is expected to be better than the known bound, and searched as
    /// such; of the others it is first asked whether they are (Marsland and Campbell 1982), less deep if that is not
    /// likely.
    fn after(
        &mut self,
        deal: &Deal<W>,
        position: Position<W>,
        card: Card,
        depth: u32,
        window: Window,
        place: usize,
    ) -> i32 {
        let (gain, after) = (PART * deal.value(card), deal.connected(deal.take(position, card)));
        let zero = Window { beta: window.alpha + 1, ..window };
        if place > 0 {
            let less = if place < LATE_CARD || depth < DEEP { 0 } else { 1 + u32::from(place > 2 * LATE_CARD) };
            let mut value = gain - self.value(deal, after, depth - 1 - less, zero.turned(gain));
            if less > 0 && value > window.alpha {
                value = gain - self.value(deal, after, depth - 1, zero.turned(gain));
            }
            if value <= window.alpha || value >= window.beta {
                return value;
            }
        }
        gain - self.value(deal, after, depth - 1, window.turned(gain))
    }

    /// The value of a connected position: exactly if it lies within the window, else a bound of it on the same side.
    fn value(&mut self, deal: &Deal<W>, position: Position<W>, depth: u32, mut window: Window) -> i32 {
        self.counter.count();
        if self.counter.is_spent || position.reach.is_empty() {
            return 0;
        }
        if depth == 0 {
            return evaluate(deal, position);
        }
        let key = position.key();
        let known = self.table.get(key);
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            let Entry { lower, upper, .. } = entry;
            if lower >= window.beta || lower == upper {
                return lower;
            }
            if upper <= window.alpha {
                return upper;
            }
            window = Window { alpha: window.alpha.max(lower), beta: window.beta.min(upper) };
        }
        let (card, value) = self.best_of(deal, position, depth, window, known.map(|entry| entry.best));
        if !self.counter.is_spent {
            let lower = if value > window.alpha { value } else { -INFINITE };
            let upper = if value < window.beta { value } else { INFINITE };
            self.table.put(key, Entry { lower, upper, best: card, depth });
        }
        value
    }

    /// The best of the cards within reach, or the first that is too good for the other player to allow it.
    fn best_of(
        &mut self,
        deal: &Deal<W>,
        position: Position<W>,
        depth: u32,
        mut window: Window,
        known: Option<Card>,
    ) -> (Card, i32) {
        let (first, mut best) = (self.branches.len(), (0, -INFINITE));
        let order = |card| if known == Some(card) { i32::MAX } else { deal.promise(position, card) };
        self.branches.extend(position.reach.cards().map(|card| (order(card), card)));
        self.branches[first..].sort_by_key(|(order, _)| -order);
        for place in first..self.branches.len() {
            let card = self.branches[place].1;
            let value = self.after(deal, position, card, depth, window, place - first);
            if self.counter.is_spent {
                break;
            }
            if value > best.1 {
                best = (card, value);
                window.alpha = window.alpha.max(value);
                if window.alpha >= window.beta {
                    break;
                }
            }
        }
        self.branches.truncate(first);
        best
    }
}

impl Window {
    /// As the other player sees it, after a card of this value.
    fn turned(self, gain: i32) -> Window {
        Window { alpha: gain - self.beta, beta: gain - self.alpha }
    }
}

/// The worth of a position to the player to move, without a search: the promise of the best card against the best
/// reply, and its promise against the most promising reply. The weights are those of a linear regression on exact
/// values (docs/notebook/tirs.md)
fn evaluate<const W: usize>(deal: &Deal<W>, position: Position<W>) -> i32 {
    let (mut one, mut two) = (-INFINITE, -INFINITE);
    for card in position.reach.cards() {
        let (gain, after) = (deal.value(card), deal.take(position, card));
        one = one.max(gain - deal.highest(after.reach));
        two = two.max(gain - most_promising(deal, after, gain - two));
    }
    1 + 3 * one + 4 * two
}

/// The promise of the most promising card, 0 if there is none; from `enough` on, any value may come instead.
fn most_promising<const W: usize>(deal: &Deal<W>, position: Position<W>, enough: i32) -> i32 {
    let mut most = if position.reach.is_empty() { 0 } else { -INFINITE };
    for card in position.reach.cards() {
        if deal.value(card) <= most || most >= enough {
            break;
        }
        most = most.max(deal.promise(position, card));
    }
    most
}
