//! The strategy with the fewest guesses over all codes, found and proved by branch and bound; for the example
//! `optimum`, and not for play. docs/notebook/mastermind.md says how.

use crate::table::ReplyTable;
use agon_client_api::mastermind::Codes;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::rc::Rc;

/// The cost of a strategy that does not exist; every other costs less.
pub const NEVER: u32 = 1 << 24;
/// A limit of guesses that never binds.
pub const UNLIMITED: usize = 16;
/// Most images of codes under exchanges, 2 bytes each. Where all exchanges have more, some are left out: classes of
/// guesses are smaller then, and the search is slower, but finds the same.
const MOST_IMAGES: u64 = 1 << 29;
/// Most numbers that replies have; see [`MOST_CODES`](crate::table::MOST_CODES).
const MOST_REPLIES: usize = 91;

/// A search over codes of a size. A cost is the sum, over the codes of a set, of the guesses that find them.
pub struct Search {
    table: ReplyTable,
    /// By limit and size of a set, a cost that none is below.
    floors: Vec<Vec<u32>>,
    /// By limit, what is known of sets of more than two codes.
    known: Vec<HashMap<Box<[u16]>, Known>>,
    all: Rc<Symmetry>,
    none: Rc<Symmetry>,
    /// How many sets were searched.
    pub searched: u64,
}

#[derive(Clone, Copy)]
struct Known {
    /// The cost is at least this,
    bound: u32,
    /// and just this if it is reached by a guess.
    guess: Option<u16>,
}

/// Exchanges of places and of values that leave all guesses so far as they are, each as the images of all codes.
struct Symmetry {
    images: Vec<Rc<[u16]>>,
    /// The first of each class of codes that they exchange.
    first: Vec<u16>,
}

/// A guess to try, best first: what it costs at least, whether that looked at its parts, whether it cannot be the
/// secret.
type Candidate = Reverse<(u32, bool, bool, u16)>;

impl Search {
    /// For at most [`MOST_CODES`](crate::table::MOST_CODES) codes.
    pub fn new(codes: Codes) -> Search {
        Search::with(codes, exchanges(codes, MOST_IMAGES))
    }

    fn with(codes: Codes, exchanges: Vec<Rc<[u16]>>) -> Search {
        let table = ReplyTable::new(codes);
        let count = table.codes();
        let floors = (0..=UNLIMITED).map(|limit| floors(count, table.replies - 2, limit)).collect();
        let known = (0..=UNLIMITED).map(|_| HashMap::new()).collect();
        let all = Rc::new(Symmetry::new(exchanges, count));
        let none = Rc::new(Symmetry::new(vec![(0..count as u16).collect()], count));
        Search { table, floors, known, all, none, searched: 0 }
    }

    /// The least cost of all codes with at most `limit` guesses each; [`NEVER`] if there is no such strategy.
    pub fn optimum(&mut self, limit: usize) -> u32 {
        self.solve(&self.codes(), limit.min(UNLIMITED), NEVER, &self.all.clone())
    }

    /// The least cost of all codes after each first guess that is not alike, if it is below `cap`.
    pub fn first_guesses(&mut self, limit: usize, cap: u32) -> Vec<(u16, Option<u32>)> {
        let (codes, all) = (self.codes(), self.all.clone());
        let firsts = all.first.iter();
        firsts.map(|&guess| (guess, self.evaluate(&codes, guess, limit.min(UNLIMITED), cap, &all))).collect()
    }

    /// The guesses of the best strategy for sets of more than two codes, each before those that follow its replies, in
    /// the order of their numbers. After [`Search::optimum`] has found it.
    pub fn tree(&self, limit: usize) -> Vec<u16> {
        let mut guesses = vec![];
        self.collect(&self.codes(), limit.min(UNLIMITED), &mut guesses);
        guesses
    }

    fn collect(&self, set: &[u16], limit: usize, guesses: &mut Vec<u16>) {
        let Some(Known { guess: Some(guess), .. }) = self.known[limit].get(set) else { return };
        guesses.push(*guess);
        self.parts(*guess, set).iter().for_each(|part| self.collect(part, less(limit), guesses));
    }

    fn codes(&self) -> Vec<u16> {
        (0..self.table.codes() as u16).collect()
    }

    /// The least cost of a set with at most `limit` guesses if it is below `cap`, else something from `cap` on that it
    /// is not below.
    fn solve(&mut self, set: &[u16], limit: usize, cap: u32, symmetry: &Rc<Symmetry>) -> u32 {
        let known = self.known(set, limit);
        if set.len() <= 2 || known.guess.is_some() || known.bound >= cap {
            return known.bound;
        }
        self.searched += 1;
        let found = match self.candidates(set, limit, cap, symmetry) {
            Ok(exact) => exact,
            Err(candidates) => self.best(set, limit, cap, candidates, symmetry),
        };
        self.known[limit].insert(set.into(), found);
        found.bound
    }

    /// The bounds that are known without a search.
    fn known(&self, set: &[u16], limit: usize) -> Known {
        let floor = self.floors[limit][set.len()];
        if set.len() <= 2 {
            return Known { bound: floor, guess: None };
        }
        let known = self.known[limit].get(set).copied().unwrap_or(Known { bound: floor, guess: None });
        // Whatever holds for any number of guesses holds for few.
        let unlimited =
            if limit == UNLIMITED { 0 } else { self.known[UNLIMITED].get(set).map_or(0, |known| known.bound) };
        Known { bound: known.bound.max(unlimited), ..known }
    }

    /// All guesses that may cost less than `cap`; or the best of them at once, when one tells the codes apart as well
    /// as any can.
    fn candidates(&self, set: &[u16], limit: usize, cap: u32, symmetry: &Symmetry) -> Result<Known, Vec<Candidate>> {
        let floors = &self.floors[less(limit)];
        let mut member = vec![false; self.table.codes()];
        set.iter().for_each(|&code| member[usize::from(code)] = true);
        let mut least = self.floors[limit][set.len()];
        let mut candidates = vec![];
        for inside in [true, false] {
            for &guess in symmetry.first.iter().filter(|guess| member[usize::from(**guess)] == inside) {
                let sizes = self.sizes(guess, set);
                let parts = &sizes[..self.table.replies - 1];
                let most = parts.iter().copied().max().unwrap_or(0);
                let bound = set.len() as u32 + parts.iter().map(|size| floors[*size as usize]).sum::<u32>();
                if most as usize == set.len() || bound >= cap {
                    continue;
                }
                if most <= 2 && bound <= least {
                    return Ok(Known { bound, guess: Some(guess) });
                }
                candidates.push(Reverse((bound, false, !inside, guess)));
            }
            // A guess that cannot be the secret has one more code to find later.
            if inside && candidates.iter().all(|Reverse(candidate)| candidate.0 > least) {
                least += 1;
            }
        }
        Err(candidates)
    }

    /// The best of these guesses, if it costs less than `cap`.
    fn best(&mut self, set: &[u16], limit: usize, cap: u32, guesses: Vec<Candidate>, symmetry: &Rc<Symmetry>) -> Known {
        let mut best = Known { bound: cap, guess: None };
        let (mut queue, mut seen) = (BinaryHeap::from(guesses), HashSet::new());
        while let Some(Reverse((bound, refined, outside, guess))) = queue.pop() {
            if bound >= best.bound {
                break;
            }
            if refined {
                if let Some(bound) = self.evaluate(set, guess, limit, best.bound, symmetry) {
                    best = Known { bound, guess: Some(guess) };
                }
            } else if seen.insert(self.partition(guess, set)) {
                let bound = self.refine(set, guess, limit);
                queue.push(Reverse((bound, true, outside, guess)));
            }
        }
        best
    }

    /// The least cost of a set with this guess, by the best guesses in each of its parts.
    fn refine(&mut self, set: &[u16], guess: u16, limit: usize) -> u32 {
        let parts = self.parts(guess, set);
        set.len() as u32 + parts.iter().map(|part| self.lower(part, less(limit))).sum::<u32>()
    }

    /// The least cost of a set, by the sizes of the parts into which guesses divide it.
    fn lower(&mut self, set: &[u16], limit: usize) -> u32 {
        let known = self.known(set, limit);
        if set.len() <= 2 || known.bound > self.floors[limit][set.len()] || known.guess.is_some() {
            return known.bound;
        }
        let found = match self.candidates(set, limit, NEVER, &self.none) {
            Ok(exact) => exact,
            Err(candidates) => {
                let bound = candidates.iter().map(|Reverse(candidate)| candidate.0).min().unwrap_or(NEVER);
                Known { bound, guess: None }
            }
        };
        self.known[limit].insert(set.into(), found);
        found.bound
    }

    /// The least cost of a set with this guess, if it is below `cap`.
    fn evaluate(&mut self, set: &[u16], guess: u16, limit: usize, cap: u32, symmetry: &Rc<Symmetry>) -> Option<u32> {
        let mut parts = self.parts(guess, set);
        parts.sort_by_key(Vec::len);
        let limit = less(limit);
        let lower: Vec<u32> = parts.iter().map(|part| self.lower(part, limit)).collect();
        let mut total = set.len() as u32 + lower.iter().sum::<u32>();
        let symmetry = if symmetry.images.len() > 1 { &Rc::new(symmetry.fixing(guess)) } else { symmetry };
        for (part, lower) in parts.iter().zip(lower) {
            if total >= cap {
                return None;
            }
            total += self.solve(part, limit, cap - (total - lower), symmetry) - lower;
        }
        (total < cap).then_some(total)
    }

    fn sizes(&self, guess: u16, set: &[u16]) -> [u32; MOST_REPLIES] {
        let mut sizes = [0; MOST_REPLIES];
        let row = self.table.row(guess.into());
        set.iter().for_each(|code| sizes[usize::from(row[usize::from(*code)])] += 1);
        sizes
    }

    /// The parts by their replies, without that of the secret and without empty ones.
    fn parts(&self, guess: u16, set: &[u16]) -> Vec<Vec<u16>> {
        let mut parts = vec![vec![]; self.table.replies];
        let row = self.table.row(guess.into());
        set.iter().for_each(|code| parts[usize::from(row[usize::from(*code)])].push(*code));
        parts.pop();
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// The part of each code, numbered as they appear, and 255 for the guess itself: guesses with the same cost the
    /// same.
    fn partition(&self, guess: u16, set: &[u16]) -> Vec<u8> {
        let (mut names, mut count) = ([None; MOST_REPLIES], 0);
        names[self.table.replies - 1] = Some(255);
        let row = self.table.row(guess.into());
        let name = |code: &u16| {
            *names[usize::from(row[usize::from(*code)])].get_or_insert_with(|| {
                count += 1;
                count
            })
        };
        set.iter().map(name).collect()
    }
}

impl Symmetry {
    fn new(images: Vec<Rc<[u16]>>, codes: usize) -> Symmetry {
        let (mut seen, mut first) = (vec![false; codes], vec![]);
        for code in 0..codes {
            if !seen[code] {
                first.push(code as u16);
                images.iter().for_each(|image| seen[usize::from(image[code])] = true);
            }
        }
        Symmetry { images, first }
    }

    /// Those that leave this guess as it is, too.
    fn fixing(&self, guess: u16) -> Symmetry {
        let fixing = self.images.iter().filter(|image| image[usize::from(guess)] == guess);
        Symmetry::new(fixing.cloned().collect(), self.images[0].len())
    }
}

/// The limit after a guess.
fn less(limit: usize) -> usize {
    if limit == UNLIMITED { limit } else { limit.saturating_sub(1) }
}

/// The least cost of sets of each size with at most `limit` guesses, if each guess finds one code and has `replies`
/// other replies.
fn floors(most: usize, replies: usize, limit: usize) -> Vec<u32> {
    let (mut floors, mut width, mut guesses) = (vec![0], 1, 1);
    while floors.len() <= most && guesses <= limit {
        let last = floors[floors.len() - 1];
        let layer = width.min(most + 1 - floors.len());
        floors.extend((1..=layer as u32).map(|code| last + code * guesses as u32));
        (width, guesses) = (width * replies, guesses + usize::from(limit < UNLIMITED || guesses < UNLIMITED - 1));
    }
    floors.resize(most + 1, NEVER);
    floors
}

/// Exchanges of places and of values, as images of all codes: all of them if they are at most `most` images, else
/// those of fewer places or values.
fn exchanges(codes: Codes, most: u64) -> Vec<Rc<[u16]>> {
    let (mut places, mut values) = (codes.pegs(), codes.values());
    let factorial = |of: usize| (1..=of as u64).product::<u64>();
    while u128::from(factorial(places)) * u128::from(factorial(values)) * u128::from(codes.count()) > most.into() {
        *(if places > values { &mut places } else { &mut values }) -= 1;
    }
    let extended = |some: usize, all: usize| -> Vec<Vec<u8>> {
        let extend = |short: Vec<u8>| short.into_iter().chain(some as u8..all as u8).collect();
        permutations(some).into_iter().map(extend).collect()
    };
    let (places, values) = (extended(places, codes.pegs()), extended(values, codes.values()));
    let image = |places: &[u8], values: &[u8]| -> Rc<[u16]> {
        let exchanged = codes.iter().map(|code| {
            let mut image = code;
            places.iter().zip(&code).for_each(|(to, value)| image[usize::from(*to)] = values[usize::from(*value)]);
            codes.number(&image) as u16
        });
        exchanged.collect()
    };
    places.iter().flat_map(|places| values.iter().map(move |values| image(places, values))).collect()
}

fn permutations(of: usize) -> Vec<Vec<u8>> {
    let Some(last) = of.checked_sub(1) else { return vec![vec![]] };
    let insert = |shorter: Vec<u8>| {
        (0..of).map(move |place| {
            let mut longer = shorter.clone();
            longer.insert(place, last as u8);
            longer
        })
    };
    permutations(last).into_iter().flat_map(insert).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least cost by trying all guesses for all sets.
    fn plain(table: &ReplyTable, set: &[u16], limit: usize, known: &mut HashMap<(usize, Vec<u16>), u32>) -> u32 {
        if set.is_empty() || limit == 0 {
            return if set.is_empty() { 0 } else { NEVER };
        }
        if let Some(cost) = known.get(&(limit, set.to_vec())) {
            return *cost;
        }
        let mut best = NEVER;
        for guess in 0..table.codes() as u32 {
            let mut parts = vec![vec![]; table.replies];
            let row = table.row(guess);
            set.iter().for_each(|code| parts[usize::from(row[usize::from(*code)])].push(*code));
            parts.pop();
            // A guess that tells nothing never helps.
            if parts.iter().all(|part| part.len() < set.len()) {
                let cost = parts.iter().map(|part| plain(table, part, limit - 1, known)).sum::<u32>();
                best = best.min(cost + set.len() as u32);
            }
        }
        known.insert((limit, set.to_vec()), best.min(NEVER));
        best.min(NEVER)
    }

    #[test]
    fn costs_are_those_of_a_plain_search() {
        for (pegs, values) in [(1, 4), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (3, 4), (4, 2)] {
            let codes = Codes::new(pegs, values);
            let (mut search, table, mut known) = (Search::new(codes), ReplyTable::new(codes), HashMap::new());
            let all = search.codes();
            for limit in (1..=5).chain([UNLIMITED]) {
                let expected = plain(&table, &all, limit.min(9), &mut known);
                assert_eq!(search.optimum(limit), expected, "{pegs} x {values}, limit {limit}");
            }
        }
    }

    #[test]
    fn exchanges_change_no_cost() {
        let codes = Codes::new(4, 4);
        for (most, classes) in [(u64::MAX, 5), (50_000, 11), (256, 256)] {
            let mut search = Search::with(codes, exchanges(codes, most));
            assert_eq!((search.optimum(UNLIMITED), search.all.first.len()), (905, classes));
        }
    }

    #[test]
    fn floors_fill_a_tree_row_by_row() {
        assert_eq!(floors(6, 2, UNLIMITED), [0, 1, 3, 5, 8, 11, 14]);
        assert_eq!(floors(5, 2, 2), [0, 1, 3, 5, NEVER, NEVER]);
        assert_eq!(floors(2, 2, 0), [0, NEVER, NEVER]);
    }
}
