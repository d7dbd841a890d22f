//! Strategies that were found beforehand, as the example `optimum` writes them.
//!
//! A file has the guess for each set of more than two codes, before those for the parts into which it divides the set,
//! in the order of the numbers of their replies. Of two codes the lower is guessed.

use crate::packed::{Packed, replies};
use agon_client_api::mastermind::Codes;
use std::collections::HashMap;

/// A strategy for codes of a size.
#[derive(Debug, PartialEq, Eq)]
pub struct Stored {
    size: (u8, u8),
    /// Most guesses that it needs.
    pub worst: u8,
    guesses: &'static str,
}

/// For one size, the strategy with fewer guesses in total comes first.
static STORED: [Stored; 3] = [
    Stored { size: (4, 6), worst: 6, guesses: include_str!("trees/4x6.txt") },
    Stored { size: (4, 6), worst: 5, guesses: include_str!("trees/4x6-worst-5.txt") },
    Stored { size: (4, 7), worst: 6, guesses: include_str!("trees/4x7.txt") },
];

/// The best strategy that needs at most `worst` guesses.
pub fn find(codes: Codes, worst: u64) -> Option<&'static Stored> {
    STORED.iter().find(|stored| stored.codes() == codes && u64::from(stored.worst) <= worst)
}

impl Stored {
    fn codes(&self) -> Codes {
        Codes::new(self.size.0, self.size.1)
    }

    /// The number of the guess that follows replies with these numbers.
    ///
    /// # Panics
    ///
    /// If the file is none of this size, which tests rule out.
    pub fn guesses(&self) -> HashMap<Vec<u8>, u32> {
        let codes = self.codes();
        let all: Vec<Packed<1>> = codes.iter().map(|code| Packed::new(codes, &code)).collect();
        let mut reader = Reader { codes, all, words: self.guesses.split_whitespace(), guesses: HashMap::new() };
        reader.read(&(0..codes.count() as u32).collect::<Vec<_>>(), &mut vec![]);
        assert!(reader.words.next().is_none(), "a guess that follows no replies");
        reader.guesses
    }
}

struct Reader {
    codes: Codes,
    all: Vec<Packed<1>>,
    words: std::str::SplitWhitespace<'static>,
    guesses: HashMap<Vec<u8>, u32>,
}

impl Reader {
    /// The guesses for the codes that are left after these replies.
    fn read(&mut self, left: &[u32], path: &mut Vec<u8>) {
        if left.len() <= 2 {
            return;
        }
        let word = self.words.next().expect("a guess for each set of codes");
        let values = word.chars().map(|value| value.to_digit(36).expect("a value"));
        let guess = values.fold(0, |number, value| number * self.codes.values() as u32 + value);
        self.guesses.insert(path.clone(), guess);
        let mut parts = vec![vec![]; replies(self.codes)];
        for &code in left {
            parts[self.all[guess as usize].reply(&self.all[code as usize])].push(code);
        }
        // The last reply is that of the secret.
        parts.pop();
        for (reply, part) in (0..).zip(parts) {
            path.push(reply);
            self.read(&part, path);
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_best_strategy_within_a_limit_is_found() {
        let worst = |pegs, values, limit| find(Codes::new(pegs, values), limit).map(|stored| stored.worst);
        assert_eq!([100, 6, 5, 4].map(|limit| worst(4, 6, limit)), [Some(6), Some(6), Some(5), None]);
        assert_eq!([worst(4, 7, 6), worst(4, 7, 5), worst(6, 4, 100)], [Some(6), None, None]);
    }

    proptest! {
        /// The replies to a guess part the codes that are left: each code follows just one path, to a guess that tells
        /// it from others, until at most two are left.
        #[test]
        fn each_code_follows_one_path(number in 0usize..2401, which in 0..STORED.len()) {
            let (stored, mut path) = (&STORED[which], vec![]);
            let (codes, guesses) = (stored.codes(), stored.guesses());
            let all: Vec<Packed<1>> = codes.iter().map(|code| Packed::new(codes, &code)).collect();
            let number = number % all.len();
            let mut left: Vec<usize> = (0..all.len()).collect();
            while let Some(guess) = guesses.get(&path) {
                let guess = &all[*guess as usize];
                let reply = guess.reply(&all[number]);
                let mut parts = vec![vec![]; replies(codes)];
                left.iter().for_each(|code| parts[guess.reply(&all[*code])].push(*code));
                prop_assert!(parts.iter().filter(|part| part.contains(&number)).count() == 1);
                prop_assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), left.len());
                prop_assert!(parts[reply].len() < left.len(), "a guess that tells nothing");
                left = parts.swap_remove(reply);
                path.push(reply as u8);
            }
            prop_assert!(left.contains(&number) && left.len() <= 2);
        }
    }
}
