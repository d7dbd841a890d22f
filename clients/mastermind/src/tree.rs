//! The best next guess by a score, among all codes: the table of all replies is asked for each, and guesses once found
//! are kept, so that matches after the first are a walk down a tree.
//!
//! Among equal guesses a code that is still possible is better, then the lowest one. Of two possible codes the lower one
//! is guessed.

use crate::packed::number;
use crate::score::{Judge, Score};
use crate::stored::Stored;
use crate::table::ReplyTable;
use agon_client_api::mastermind::{Code, Codes, Try};
use std::collections::HashMap;

/// Most numbers that replies have.
const MOST_REPLIES: usize = 91;

/// All that is worked out for codes of a size and a score.
pub struct Tree {
    codes: Codes,
    score: Score,
    stored: Option<&'static Stored>,
    judge: Judge,
    table: ReplyTable,
    /// The guess that follows replies with these numbers.
    guesses: HashMap<Vec<u8>, u32>,
}

impl Tree {
    /// For at most [`crate::table::MOST_CODES`] codes.
    pub fn new(codes: Codes, score: Score) -> Tree {
        let table = ReplyTable::new(codes);
        let judge = Judge::new(score, table.codes());
        Tree { codes, score, stored: None, judge, table, guesses: HashMap::new() }
    }

    /// With the guesses of a strategy for these codes, and by the score where it has none.
    pub fn stored(codes: Codes, score: Score, stored: &'static Stored) -> Tree {
        Tree { stored: Some(stored), guesses: stored.guesses(), ..Tree::new(codes, score) }
    }

    /// Whether it was made for this.
    pub fn is_for(&self, codes: Codes, score: Score, stored: Option<&Stored>) -> bool {
        (self.codes, self.score, self.stored) == (codes, score, stored)
    }

    /// The guess that follows these, all of them from this tree; `None` if no code agrees with the replies.
    pub fn guess(&mut self, history: &[Try]) -> Option<Code> {
        let path: Vec<u8> = history.iter().map(|made| number(made.reply()) as u8).collect();
        if let Some(guess) = self.guesses.get(&path) {
            return Some(self.codes.at((*guess).into()));
        }
        let mut possible: Vec<u32> = (0..self.table.codes() as u32).collect();
        for (made, reply) in history.iter().zip(&path) {
            let row = self.table.row(self.codes.number(&made.v) as u32);
            possible.retain(|code| row[*code as usize] == *reply);
        }
        let guess = self.best(&possible)?;
        self.guesses.insert(path, guess);
        Some(self.codes.at(guess.into()))
    }

    /// The best guess where these codes, in ascending order, are possible.
    fn best(&self, possible: &[u32]) -> Option<u32> {
        if possible.len() <= 2 {
            return possible.first().copied();
        }
        // No guess is better than one that tells all possible codes apart. Possible codes come first, so that another
        // one is taken only if it is truly better.
        let bound = self.judge.bound(possible.len(), self.table.replies);
        let mut best = (u64::MAX, 0);
        for guess in possible.iter().copied().chain(0..self.table.codes() as u32) {
            let rate = self.rate(guess, possible);
            if rate < best.0 {
                best = (rate, guess);
                if rate <= bound {
                    break;
                }
            }
        }
        Some(best.1)
    }

    fn rate(&self, guess: u32, possible: &[u32]) -> u64 {
        let mut parts = [0; MOST_REPLIES];
        let row = self.table.row(guess);
        possible.iter().for_each(|code| parts[usize::from(row[*code as usize])] += 1);
        self.judge.rate(&parts[..self.table.replies])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// How many codes are found with each number of guesses, from 1.
    fn distribution(tree: &Tree) -> Vec<u64> {
        let mut found = vec![];
        let all: Vec<u32> = (0..tree.table.codes() as u32).collect();
        walk(tree, &all, 0, &mut found);
        found
    }

    fn walk(tree: &Tree, possible: &[u32], depth: usize, found: &mut Vec<u64>) {
        let guess = tree.best(possible).unwrap();
        if found.len() == depth {
            found.push(0);
        }
        let row = tree.table.row(guess);
        for reply in 0..tree.table.replies as u8 {
            let part: Vec<u32> = possible.iter().copied().filter(|code| row[*code as usize] == reply).collect();
            match part.as_slice() {
                [] => {}
                _ if usize::from(reply) == tree.table.replies - 1 => found[depth] += 1,
                part => walk(tree, part, depth + 1, found),
            }
        }
    }

    fn total(distribution: &[u64]) -> u64 {
        (1..).zip(distribution).map(|(guesses, count)| guesses * count).sum()
    }

    /// The optimum is 5625 (Koyama and Lai 1993, "An optimal Mastermind strategy").
    const ANCHORS: [(Score, u64, &[u64]); 4] = [
        (Score::Minimax, 5801, &[1, 6, 62, 533, 694]),
        (Score::Entropy, 5722, &[1, 4, 71, 612, 596, 12]),
        (Score::Expected, 5696, &[1, 10, 54, 645, 583, 3]),
        (Score::Parts, 5668, &[1, 12, 72, 635, 569, 7]),
    ];

    #[test]
    fn all_codes_of_4_places_and_6_values_are_found_as_published() {
        for (score, expected, counts) in ANCHORS {
            let start = Instant::now();
            let tree = Tree::new(Codes::new(4, 6), score);
            let table = start.elapsed();
            let distribution = distribution(&tree);
            println!("{score:?}: table {table:?}, table and tree {:?}", start.elapsed());
            assert_eq!((total(&distribution), distribution.as_slice()), (expected, counts), "{score:?}");
        }
    }

    #[test]
    fn guesses_are_kept_and_the_same() {
        let codes = Codes::new(4, 6);
        let mut tree = Tree::new(codes, Score::Minimax);
        let secret = [1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let mut play = || {
            let mut history = vec![];
            while history.last().is_none_or(|made: &Try| made.rr < 4) {
                let guess = tree.guess(&history).unwrap();
                history.push(Try::new(&guess, codes.reply(&secret, &guess)));
            }
            history
        };
        let first = play();
        assert_eq!((first[0].v[..4].to_vec(), first.len() <= 5), (vec![0, 0, 1, 1], true));
        assert_eq!(play(), first);
        let mut wrong = first[0];
        (wrong.rr, wrong.rw) = (4, 0);
        assert_eq!(tree.guess(&[wrong, first[0]]), None);
    }

    /// `cargo test --release -p client-mastermind -- --ignored --nocapture larger`
    #[test]
    #[ignore = "seconds"]
    fn larger_sizes_are_found_as_computed_before() {
        let sizes = [
            ((4, 7), Score::Minimax, 4.8367, 6),
            ((4, 7), Score::Expected, 4.7518, 6),
            ((4, 7), Score::Entropy, 4.7389, 6),
            ((4, 7), Score::Parts, 4.7430, 6),
            ((4, 8), Score::Minimax, 5.1831, 6),
            ((5, 6), Score::Parts, 4.7746, 7),
        ];
        for ((pegs, values), score, mean, most) in sizes {
            let start = Instant::now();
            let tree = Tree::new(Codes::new(pegs, values), score);
            let distribution = distribution(&tree);
            let found = total(&distribution) as f64 / tree.table.codes() as f64;
            println!("{pegs} x {values} {score:?}: {} = {found:.4}, {:?}", total(&distribution), start.elapsed());
            assert!((found - mean).abs() < 0.00005 && distribution.len() == most, "{distribution:?}");
        }
    }
}
