//! Nimbers of single heaps: by the definition for small heaps, by sparse spaces beyond.
//!
//! The nimber of a heap is the least number that no split has. A split has the exclusive or of its two heaps' nimbers
//! (Sprague 1935, Grundy 1939). The fast way uses sparse spaces (Berlekamp, Conway and Guy, Winning Ways, chapter 4).
//! Numbers with an even number of ones, without the lowest bit, are *rare*, the others *common*. Rare with rare and
//! common with common give rare; rare with common gives common. So all common numbers among the splits of a heap come
//! from the few heaps with a rare nimber (1,273 of a million). Only the rare numbers below the least missing common one
//! must be looked for among all splits, and nearly always they are found soon.

/// The number of sticks from which the fast way is faster.
const CROSSOVER: usize = 5_000;

/// The nimbers of the heaps of 0 to `most` sticks (largest value 231). docs/rules/grundy.md has the times for 10^5 and
/// 10^6.
pub fn nimbers(most: usize) -> Vec<u16> {
    if most < CROSSOVER { by_definition(most) } else { by_sparse_spaces(most) }
}

/// The same by the definition, in time that grows with the square of `most`.
pub(super) fn by_definition(most: usize) -> Vec<u16> {
    let mut nimbers: Vec<u16> = Vec::with_capacity(most + 1);
    let mut marks = Marks::default();
    for heap in 0..=most {
        marks.clear();
        for part in 1..heap.div_ceil(2) {
            marks.set(nimbers[part] ^ nimbers[heap - part]);
        }
        let nimber = marks.least(0, |_| true);
        marks.make_room(nimber);
        nimbers.push(nimber);
    }
    nimbers
}

/// The same by sparse spaces.
fn by_sparse_spaces(most: usize) -> Vec<u16> {
    let mut sequence = Sequence::default();
    (0..=most).for_each(|_| sequence.grow());
    sequence.nimbers
}

/// Nimbers of the heaps from 0 on, one after another, by sparse spaces.
#[derive(Default)]
pub(super) struct Sequence {
    nimbers: Vec<u16>,
    /// The heaps of 1 stick or more with a rare nimber, and that nimber.
    rare_heaps: Vec<(usize, u16)>,
    marks: Marks,
}

impl Sequence {
    /// Computes the nimber of the next heap.
    pub fn grow(&mut self) {
        let nimber = next_nimber(&self.nimbers, &self.rare_heaps, &mut self.marks);
        self.marks.make_room(nimber);
        let heap = self.nimbers.len();
        self.nimbers.push(nimber);
        if heap > 0 && is_rare(nimber) {
            self.rare_heaps.push((heap, nimber));
        }
    }

    /// The nimbers so far.
    pub fn nimbers(&self) -> &[u16] {
        &self.nimbers
    }
}

/// The number of splits to mark before each test whether they were enough, which saves a branch for each.
const CHUNK: usize = 32;

/// The nimber of the heap with `nimbers.len()` sticks, from the smaller nimbers and the heaps among them with a rare
/// one.
fn next_nimber(nimbers: &[u16], rare_heaps: &[(usize, u16)], marks: &mut Marks) -> u16 {
    let heap = nimbers.len();
    marks.clear();
    for &(part, nimber) in rare_heaps.iter().filter(|(part, _)| part * 2 != heap) {
        marks.set(nimber ^ nimbers[heap - part]);
    }
    let common = marks.least(0, |number| !is_rare(number));
    let mut rare = marks.least(0, is_rare);
    // The parts 1, 2, … with the rests that they leave, up to half of the heap.
    let parts = nimbers.get(1..heap.div_ceil(2)).unwrap_or_default();
    let mut rests = nimbers.rchunks(CHUNK);
    for parts in parts.chunks(CHUNK) {
        if rare > common {
            break;
        }
        for (part, rest) in parts.iter().zip(rests.next().unwrap_or_default().iter().rev()) {
            marks.set(part ^ rest);
        }
        rare = marks.least(rare, is_rare);
    }
    rare.min(common)
}

pub(super) fn is_rare(number: u16) -> bool {
    (number & !1).count_ones().is_multiple_of(2)
}

/// A set of numbers.
#[derive(Default)]
struct Marks {
    /// For each number, whether it is in the set. The length is a power of two, so an exclusive or of two such numbers
    /// fits as well.
    marked: Vec<bool>,
}

impl Marks {
    fn make_room(&mut self, number: u16) {
        let room = (usize::from(number) + 1).next_power_of_two();
        if room > self.marked.len() {
            self.marked.resize(room, false);
        }
    }

    fn clear(&mut self) {
        self.marked.fill(false);
    }

    fn set(&mut self, number: u16) {
        self.marked[usize::from(number)] = true;
    }

    /// The least number of a kind from `from` on that is not in the set.
    fn least(&self, from: u16, of: impl Fn(u16) -> bool) -> u16 {
        let is_there = |number: &u16| self.marked.get(usize::from(*number)).copied().unwrap_or(false);
        (from..u16::MAX).find(|number| of(*number) && !is_there(number)).unwrap_or(u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sequence A002188 of the OEIS.
    const FIRST: [u16; 101] = [
        0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0, 4, 3, 0, 4, 3, 0, 4, 1, 2, 3, 1, 2, 4, 1, 2, 4,
        1, 2, 4, 1, 5, 4, 1, 5, 4, 1, 5, 4, 1, 0, 2, 1, 0, 2, 1, 5, 2, 1, 3, 2, 1, 3, 2, 4, 3, 2, 4, 3, 2, 4, 3, 2, 4,
        3, 2, 4, 3, 2, 4, 5, 2, 4, 5, 2, 4, 3, 7, 4, 3, 7, 4, 3, 7, 4, 3, 5, 2, 3, 5, 2,
    ];

    /// Every losing heap up to a million.
    const LOST: [usize; 42] = [
        0, 1, 2, 4, 7, 10, 20, 23, 26, 50, 53, 270, 273, 276, 282, 285, 288, 316, 334, 337, 340, 346, 359, 362, 365,
        386, 389, 392, 566, 630, 633, 636, 639, 673, 676, 682, 685, 923, 926, 929, 932, 1222,
    ];

    fn lost(nimbers: &[u16]) -> Vec<usize> {
        (0..nimbers.len()).filter(|heap| nimbers[*heap] == 0).collect()
    }

    #[test]
    fn the_first_ones_are_known() {
        assert_eq!(by_definition(100), FIRST);
        assert_eq!(by_sparse_spaces(100), FIRST);
        assert_eq!((nimbers(0), nimbers(3)), (vec![0], vec![0, 0, 0, 1]));
    }

    #[test]
    fn both_ways_agree() {
        assert_eq!(by_definition(20_000), by_sparse_spaces(20_000));
    }

    #[test]
    fn the_losing_heaps_and_the_largest_nimber_are_known() {
        let nimbers = nimbers(20_000);
        assert_eq!(lost(&nimbers), LOST);
        assert_eq!(nimbers[..=10_000].iter().max(), Some(&101));
    }

    #[test]
    #[ignore = "takes about two minutes"]
    fn a_million_heaps_are_as_by_the_definition() {
        assert_eq!(by_definition(1_000_000), by_sparse_spaces(1_000_000));
    }

    #[test]
    #[ignore = "takes about 3 s"]
    fn a_million_heaps_are_as_known() {
        let nimbers = nimbers(1_000_000);
        assert_eq!(lost(&nimbers), LOST);
        let largest = nimbers.iter().max();
        assert_eq!((largest, nimbers.iter().position(|nimber| Some(nimber) == largest)), (Some(&231), Some(763_622)));
        assert_eq!((1..=1_000_000).rev().find(|heap| is_rare(nimbers[*heap])), Some(82_860));
    }
}
