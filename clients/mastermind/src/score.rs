//! How good a guess is, by the sizes of the parts into which its replies divide the codes that are still possible.

use crate::logarithm::weighted;

/// The measure of a guess. The anchors of 4 places and 6 values, mean and most guesses over all codes, are in `tree.rs`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The largest part is small (Knuth 1977, "The computer as Master Mind").
    Minimax,
    /// The reply tells much: entropy (Neuwirth 1982, "Some strategies for Mastermind").
    Entropy,
    /// The part of the secret is small on average (Irving 1978, "Towards an optimum Mastermind strategy").
    Expected,
    /// There are many parts (Kooi 2005, "Yet another Mastermind strategy").
    Parts,
}

/// A score, ready to judge.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The weight of a part of each size, from 0.
    weights: Vec<u64>,
    /// Whether the heaviest part counts, and not the sum of all.
    heaviest: bool,
}

impl Judge {
    /// For at most `most` codes (at most 2^16).
    pub fn new(score: Score, most: usize) -> Judge {
        let sizes = 0..=most as u64;
        let weights = match score {
            Score::Minimax => sizes.collect(),
            Score::Entropy => weighted(most),
            Score::Expected => sizes.map(|size| size * size).collect(),
            Score::Parts => sizes.map(|size| u64::from(size == 0)).collect(),
        };
        Judge { weights, heaviest: score == Score::Minimax }
    }

    /// The judgement on parts of these sizes: less is better.
    #[inline]
    pub fn rate(&self, parts: &[u32]) -> u64 {
        let weights = parts.iter().map(|size| self.weights[*size as usize]);
        if self.heaviest { weights.max().unwrap_or(0) } else { weights.sum() }
    }

    /// The best possible score of a guess that divides `codes` codes by `replies` replies.
    pub fn bound(&self, codes: usize, replies: usize) -> u64 {
        let single = self.weights.get(1).copied().unwrap_or(0);
        let empty = self.weights[0] * replies.saturating_sub(codes) as u64;
        if self.heaviest { single } else { single * codes as u64 + empty }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_judged_by_their_sizes() {
        let rate = |score, parts: &[u32]| Judge::new(score, 16).rate(parts);
        assert_eq!(rate(Score::Minimax, &[0, 3, 5, 1]), 5);
        assert_eq!(rate(Score::Expected, &[0, 3, 5, 1]), 35);
        assert_eq!(rate(Score::Parts, &[0, 3, 0, 1]), 2);
        assert_eq!(rate(Score::Entropy, &[0, 4, 2, 1]), 10 << 40);
        for score in [Score::Minimax, Score::Entropy, Score::Expected, Score::Parts] {
            let judge = Judge::new(score, 16);
            assert_eq!(judge.rate(&[1, 0, 1, 1, 0]), judge.bound(3, 5), "{score:?}");
            assert!(judge.rate(&[2, 0, 1, 0, 0]) > judge.bound(3, 5), "{score:?}");
        }
    }
}
