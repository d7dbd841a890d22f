//! Splits of a position in the order of the course: heap by heap, the smaller part from one stick on; it becomes the
//! last heap.

use agon_client_api::chance::{Rng, below};
use agon_client_api::grundy::Move;

/// The first split whose position satisfies `wanted`. The heaps are as before when it returns.
pub fn first_split(heaps: &mut Vec<u32>, mut wanted: impl FnMut(&mut Vec<u32>) -> bool) -> Option<Move> {
    for heap in 0..heaps.len() {
        let sticks = heaps[heap];
        for split in 1..sticks.div_ceil(2) {
            heaps[heap] = sticks - split;
            heaps.push(split);
            let found = wanted(heaps);
            heaps.pop();
            heaps[heap] = sticks;
            if found {
                return Some(Move { heap: heap as u32, split });
            }
        }
    }
    None
}

/// Whether no heap can be split.
pub fn is_over(heaps: &[u32]) -> bool {
    heaps.iter().all(|sticks| *sticks < 3)
}

/// A split, each as likely as any other; of a position that has one.
pub fn random_split(heaps: &[u32], rng: &mut Rng) -> Move {
    let splits = |sticks: u32| u64::from(sticks.saturating_sub(1) / 2);
    let mut left = below(rng, heaps.iter().map(|sticks| splits(*sticks)).sum::<u64>().max(1));
    for (heap, sticks) in (0..).zip(heaps) {
        if left < splits(*sticks) {
            return Move { heap, split: left as u32 + 1 };
        }
        left -= splits(*sticks);
    }
    Move { heap: 0, split: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_client_api::chance::rng;

    #[test]
    fn splits_come_in_order_and_leave_the_heaps_alone() {
        let (mut heaps, mut seen) = (vec![3, 2, 6], Vec::new());
        let none = first_split(&mut heaps, |child| {
            seen.push(child.clone());
            false
        });
        assert_eq!(none, None);
        assert_eq!(seen, [[2, 2, 6, 1], [3, 2, 5, 1], [3, 2, 4, 2]]);
        assert_eq!(heaps, [3, 2, 6]);
        assert_eq!(first_split(&mut heaps, |child| child[3] == 2), Some(Move { heap: 2, split: 2 }));
    }

    #[test]
    fn random_splits_are_uniform() {
        let mut rng = rng(3);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..3_000 {
            let Move { heap, split } = random_split(&[3, 2, 6], &mut rng);
            *counts.entry((heap, split)).or_insert(0) += 1;
        }
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [(0, 1), (2, 1), (2, 2)]);
        assert!(counts.values().all(|count| (900..1100).contains(count)), "{counts:?}");
    }
}
