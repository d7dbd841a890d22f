//! Finds codes that agree with every reply. It lists them if there are few codes; otherwise it searches place by place,
//! and gives up a beginning once a reply has become impossible.

use super::abi::Try;
use super::codes::{Code, Codes, MAX_PEGS, MAX_VALUES};
use crate::{Rng, below, shuffle};
use std::ops::ControlFlow;

/// Up to this number, all codes are tried one by one.
const FEW: u64 = 20_000;
/// The beginnings that one search for a random code looks at, and the number of searches.
const BUDGET: u32 = 20_000;
const SEARCHES: u32 = 8;

/// Whether a code agrees with every reply.
pub fn agrees(codes: Codes, history: &[Try], code: &Code) -> bool {
    history.iter().all(|made| codes.reply(code, &made.v) == made.reply())
}

/// Any code that agrees with every reply. With few codes, each is equally likely; with many, a search in random order
/// finds one. `None` if there is none, or if the search gave up.
pub fn draw(codes: Codes, history: &[Try], rng: &mut Rng) -> Option<Code> {
    if codes.count() > FEW {
        return (0..SEARCHES).find_map(|_| search_one(codes, history, &Order::random(codes, rng), BUDGET));
    }
    let mut drawn = None;
    for (before, code) in codes.iter().filter(|code| agrees(codes, history, code)).enumerate() {
        if below(rng, before as u64 + 1) == 0 {
            drawn = Some(code);
        }
    }
    drawn
}

/// The first code that a search finds, if any.
pub fn search_one(codes: Codes, history: &[Try], order: &Order, budget: u32) -> Option<Code> {
    let mut found = None;
    search(codes, history, order, budget, &mut |code| {
        found = Some(*code);
        ControlFlow::Break(())
    });
    found
}

/// The order in which a search fills places, and tries values there.
#[derive(Clone, Debug)]
pub struct Order {
    places: [u8; MAX_PEGS],
    values: [[u8; MAX_VALUES]; MAX_PEGS],
}

impl Order {
    /// The order that finds codes in lexicographic order.
    pub fn lexicographic() -> Order {
        let values = std::array::from_fn(|value| value as u8);
        Order { places: std::array::from_fn(|place| place as u8), values: [values; MAX_PEGS] }
    }

    /// A random order.
    pub fn random(codes: Codes, rng: &mut Rng) -> Order {
        let mut order = Order::lexicographic();
        shuffle(rng, &mut order.places[..codes.pegs()]);
        for values in &mut order.values {
            shuffle(rng, &mut values[..codes.values()]);
        }
        order
    }
}

/// Passes every code that agrees with every reply to `each`, until it breaks. It looks at no more than `budget`
/// beginnings of codes, and returns whether that was enough.
pub fn search(
    codes: Codes,
    history: &[Try],
    order: &Order,
    budget: u32,
    each: &mut dyn FnMut(&Code) -> ControlFlow<()>,
) -> bool {
    let clues = history.iter().map(|made| Clue::new(codes, made)).collect();
    let mut search = Search { codes, order, clues, code: [0; MAX_PEGS], counts: [0; MAX_VALUES], budget, each };
    search.fill(0).is_continue() || search.budget > 0
}

/// A guess and its reply, compared with the beginning of a code.
struct Clue {
    guess: Code,
    /// How often the guess has each value.
    counts: [u8; MAX_VALUES],
    /// Values at the right place that are still to come.
    exact: u8,
    /// Right values at any place that are still to come.
    common: u8,
}

impl Clue {
    fn new(codes: Codes, made: &Try) -> Clue {
        let mut counts = [0; MAX_VALUES];
        made.v[..codes.pegs()].iter().for_each(|value| counts[usize::from(*value) % MAX_VALUES] += 1);
        Clue { guess: made.v, counts, exact: made.rr, common: made.rr.saturating_add(made.rw) }
    }

    /// The amounts that one more value at a place takes from `exact` and `common`; the code has it `before` times
    /// already.
    fn taken(&self, place: usize, value: u8, before: u8) -> (u8, u8) {
        (u8::from(self.guess[place] == value), u8::from(before < self.counts[usize::from(value)]))
    }
}

struct Search<'a> {
    codes: Codes,
    order: &'a Order,
    clues: Vec<Clue>,
    code: Code,
    /// How often the beginning has each value.
    counts: [u8; MAX_VALUES],
    budget: u32,
    each: &'a mut dyn FnMut(&Code) -> ControlFlow<()>,
}

impl Search<'_> {
    /// Fills the places from the `depth`-th on in every way.
    fn fill(&mut self, depth: usize) -> ControlFlow<()> {
        if depth == self.codes.pegs() {
            return (self.each)(&self.code);
        }
        let place = usize::from(self.order.places[depth]);
        let left = (self.codes.pegs() - depth - 1) as u8;
        let order = self.order;
        for &value in &order.values[place][..self.codes.values()] {
            self.budget = self.budget.saturating_sub(1);
            if self.budget == 0 {
                return ControlFlow::Break(());
            }
            if !self.fits(place, value, left) {
                continue;
            }
            self.put(place, value);
            let flow = self.fill(depth + 1);
            self.take(place, value);
            flow?;
        }
        ControlFlow::Continue(())
    }

    /// Whether every reply is still possible with `left` more places to fill.
    fn fits(&self, place: usize, value: u8, left: u8) -> bool {
        let before = self.counts[usize::from(value)];
        self.clues.iter().all(|clue| {
            let (exact, common) = clue.taken(place, value, before);
            exact <= clue.exact && clue.exact - exact <= left && common <= clue.common && clue.common - common <= left
        })
    }

    fn put(&mut self, place: usize, value: u8) {
        let before = self.counts[usize::from(value)];
        for clue in &mut self.clues {
            let (exact, common) = clue.taken(place, value, before);
            clue.exact -= exact;
            clue.common -= common;
        }
        self.code[place] = value;
        self.counts[usize::from(value)] += 1;
    }

    fn take(&mut self, place: usize, value: u8) {
        self.counts[usize::from(value)] -= 1;
        let before = self.counts[usize::from(value)];
        for clue in &mut self.clues {
            let (exact, common) = clue.taken(place, value, before);
            clue.exact += exact;
            clue.common += common;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some guesses against a secret.
    fn history(codes: Codes, secret: &Code, guesses: usize, rng: &mut Rng) -> Vec<Try> {
        let guess = |_| codes.draw(rng);
        (0..guesses).map(guess).map(|guess| Try::new(&guess, codes.reply(secret, &guess))).collect()
    }

    #[test]
    fn a_search_finds_what_looking_at_all_codes_finds() {
        let mut rng = crate::rng_from(&[5; 32]);
        for (pegs, values) in [(1, 2), (4, 6), (5, 4), (3, 12), (8, 2)] {
            let codes = Codes::new(pegs, values);
            for guesses in 0..5 {
                let secret = codes.draw(&mut rng);
                let history = history(codes, &secret, guesses, &mut rng);
                let plain: Vec<Code> = codes.iter().filter(|code| agrees(codes, &history, code)).collect();
                let find = |order: &Order| {
                    let mut found = vec![];
                    let enough = search(codes, &history, order, u32::MAX, &mut |code| {
                        found.push(*code);
                        ControlFlow::Continue(())
                    });
                    assert!(enough);
                    found
                };
                assert_eq!(find(&Order::lexicographic()), plain);
                let mut found = find(&Order::random(codes, &mut rng));
                found.sort_unstable();
                assert_eq!(found, plain);
                let drawn = draw(codes, &history, &mut rng).unwrap();
                assert!(plain.contains(&drawn));
            }
        }
    }

    #[test]
    fn a_budget_ends_a_search() {
        let codes = Codes::new(12, 20);
        let mut found = 0;
        let whole = search(codes, &[], &Order::lexicographic(), 1000, &mut |_| {
            found += 1;
            ControlFlow::Continue(())
        });
        assert!(!whole && found > 900 && found < 1000, "{found}");
    }

    #[test]
    fn codes_of_the_largest_size_are_drawn_after_guesses() {
        let mut rng = crate::rng_from(&[6; 32]);
        let codes = Codes::new(12, 20);
        for guesses in 0..4 {
            let secret = codes.draw(&mut rng);
            let history = history(codes, &secret, guesses, &mut rng);
            let drawn = draw(codes, &history, &mut rng).unwrap();
            assert!(agrees(codes, &history, &drawn));
        }
    }
}
