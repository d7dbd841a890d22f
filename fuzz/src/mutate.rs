//! Small changes of known bytes, drawn from a seed: what a test can do in seconds, where the fuzzer is not.

use agon_games::mix::splitmix64;

/// Words that mean something to some reader.
const WORDS: [&[u8]; 16] = [
    b"\n",
    b"\t",
    b"\"",
    b"=",
    b"[",
    b"]",
    b"{",
    b"0",
    b"-1",
    b"18446744073709551616",
    b"1e309",
    b"\xff\xfe",
    b"\xe2\x80\xae",
    b"\0",
    b"null",
    b"..",
];

/// Draws numbers: the sequence SplitMix64 from this index on.
pub struct Chance(pub u64);

impl Chance {
    /// The next number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 += 1;
        (splitmix64(self.0) % bound.max(1) as u64) as usize
    }
}

/// One to four changes of these bytes.
pub fn mutate(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=chance.below(4) {
        change(&mut bytes, chance);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let at = chance.below(bytes.len() + 1);
    let until = (at + chance.below(16)).min(bytes.len());
    match chance.below(6) {
        0 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
        1 if at < bytes.len() => bytes[at] = chance.below(256) as u8,
        2 => drop(bytes.drain(at..until)),
        3 => {
            let part = bytes[at..until].to_vec();
            let to = chance.below(bytes.len() + 1);
            bytes.splice(to..to, part);
        }
        4 => bytes.truncate(at),
        _ => drop(bytes.splice(at..at, WORDS[chance.below(WORDS.len())].iter().copied())),
    }
}
