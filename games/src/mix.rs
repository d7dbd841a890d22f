//! Numbers that stand for states, the same on every machine and for ever (the mixing of SplitMix64, Steele, Lea and
//! Flood 2014).

/// The step between two numbers of the sequence.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number at `index` of the sequence SplitMix64 from 0: keys of a hash.
pub const fn splitmix64(index: u64) -> u64 {
    scramble(STEP.wrapping_mul(index.wrapping_add(1)))
}

/// A number for a word, other than 0 for the word 0.
pub(crate) const fn mix(word: u64) -> u64 {
    scramble(word.wrapping_add(STEP))
}

/// A number in which every bit depends on every bit of `word`.
const fn scramble(word: u64) -> u64 {
    let mixed = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// A hash of words in their order.
pub(crate) struct Mix(u64);

impl Mix {
    /// Begins a hash.
    pub(crate) fn new(begin: u64) -> Mix {
        Mix(begin)
    }

    pub(crate) fn word(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }

    /// Adds bytes, eight at a time; the last ones are filled up with zeros.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// The hash of all words so far.
    pub(crate) fn end(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        assert_eq!([0, 1].map(splitmix64), [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        assert_eq!(mix(0), splitmix64(0));
    }
}
