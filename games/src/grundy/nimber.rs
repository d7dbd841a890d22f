//! Nimbers of single heaps: by the definition for small heaps, by sparse spaces beyond.
//!
//! The nimber of a heap is the least number that no split has, where a split has the exclusive or of its two heaps' nimbers
//! (Sprague 1935, Grundy 1939). The fast way is that of sparse spaces (Berlekamp, Conway and Guy, Winning Ways, chapter 4): numbers
//! with an even number of ones, the lowest bit left out, are *rare*, the others *common*. Rare with rare and common with common
//! give rare, rare with common gives common. So the common numbers among the splits of a heap all come from the few heaps with a
//! rare nimber; only a rare number below the least common one that is missing has to be looked for among all splits, and it is
//! nearly always found soon.

/// From here on the fast way is faster.
const CROSSOVER: usize = 20_000;

/// The nimbers of the heaps of 0 to `most` sticks. 100,000 take about 0.2 s; a million, 5 to 10 s (largest value 231).
pub fn nimbers(most: usize) -> Vec<u16> {
    if most < CROSSOVER { by_definition(most) } else { by_sparse_spaces(most) }
}

/// The same in time that grows with the square of `most`.
fn by_definition(most: usize) -> Vec<u16> {
    let mut nimbers: Vec<u16> = Vec::with_capacity(most + 1);
    let mut marks = Marks::default();
    for heap in 0..=most {
        marks.clear();
        for part in 1..heap.div_ceil(2) {
            marks.set(nimbers[part] ^ nimbers[heap - part]);
        }
        nimbers.push(marks.least(|_| true));
    }
    nimbers
}

/// The same by sparse spaces.
fn by_sparse_spaces(most: usize) -> Vec<u16> {
    let mut nimbers: Vec<u16> = Vec::with_capacity(most + 1);
    let (mut rare_heaps, mut marks) = (Vec::new(), Marks::default());
    for heap in 0..=most {
        let nimber = next_nimber(&nimbers, &rare_heaps, &mut marks);
        nimbers.push(nimber);
        if heap > 0 && is_rare(nimber) {
            rare_heaps.push(heap);
        }
    }
    nimbers
}

/// The nimber of the heap whose sticks are as many as `nimbers`.
fn next_nimber(nimbers: &[u16], rare_heaps: &[usize], marks: &mut Marks) -> u16 {
    let heap = nimbers.len();
    marks.clear();
    for &part in rare_heaps.iter().filter(|part| **part * 2 != heap) {
        marks.set(nimbers[part] ^ nimbers[heap - part]);
    }
    let common = marks.least(|number| !is_rare(number));
    let mut missing = (0..common).filter(|number| is_rare(*number) && !marks.has(*number)).count();
    for part in 1..heap.div_ceil(2) {
        if missing == 0 {
            break;
        }
        let number = nimbers[part] ^ nimbers[heap - part];
        if number < common && !marks.has(number) {
            marks.set(number);
            missing -= 1;
        }
    }
    if missing == 0 { common } else { marks.least(is_rare) }
}

fn is_rare(number: u16) -> bool {
    (number & !1).count_ones().is_multiple_of(2)
}

/// A set of numbers that is cleared at once.
#[derive(Default)]
struct Marks {
    /// The round in which each number was last marked.
    seen: Vec<u32>,
    round: u32,
}

impl Marks {
    fn clear(&mut self) {
        self.round += 1;
    }

    fn set(&mut self, number: u16) {
        let at = usize::from(number);
        if at >= self.seen.len() {
            self.seen.resize((at + 1).next_power_of_two(), 0);
        }
        self.seen[at] = self.round;
    }

    fn has(&self, number: u16) -> bool {
        self.seen.get(usize::from(number)) == Some(&self.round)
    }

    /// The least number of a kind that is not in the set.
    fn least(&self, of: impl Fn(u16) -> bool) -> u16 {
        (0..u16::MAX).find(|number| of(*number) && !self.has(*number)).unwrap_or(u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OEIS A002188.
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
        assert_eq!(by_definition(5_000), by_sparse_spaces(5_000));
    }

    #[test]
    fn the_losing_heaps_and_the_largest_nimber_are_known() {
        let nimbers = nimbers(CROSSOVER);
        assert_eq!(lost(&nimbers), LOST);
        assert_eq!(nimbers[..=10_000].iter().max(), Some(&101));
    }

    #[test]
    #[ignore = "takes 5 to 10 s"]
    fn a_million_heaps_are_as_known() {
        let nimbers = nimbers(1_000_000);
        assert_eq!(lost(&nimbers), LOST);
        let largest = nimbers.iter().max();
        assert_eq!((largest, nimbers.iter().position(|nimber| Some(nimber) == largest)), (Some(&231), Some(763_622)));
        assert_eq!((1..=1_000_000).rev().find(|heap| is_rare(nimbers[*heap])), Some(82_860));
    }
}
