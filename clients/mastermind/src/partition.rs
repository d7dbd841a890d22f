//! The information of a guess: the number of possible codes, and the number that each reply would leave.

use agon_client_api::log;
use agon_client_api::mastermind::{Code, Codes, Reply, Try, agrees};
use std::collections::BTreeMap;

/// Writes it into the log of the match.
pub fn explain(codes: Codes, history: &[Try], guess: &Code) {
    let parts = parts(codes, history, guess);
    log("left", parts.values().sum::<u64>());
    log("parts", parts.len());
    log("largest", parts.values().max().unwrap_or(&0));
    let each: Vec<String> = parts.iter().map(|((rr, rw), count)| format!("{rr}+{rw}: {count}")).collect();
    log("partition", each.join(", "));
}

/// How many of the codes that agree with the replies have each reply to the guess: right ones in place and elsewhere.
fn parts(codes: Codes, history: &[Try], guess: &Code) -> BTreeMap<(u8, u8), u64> {
    let mut parts = BTreeMap::new();
    for code in codes.iter().filter(|code| agrees(codes, history, code)) {
        let Reply { rr, rw } = codes.reply(&code, guess);
        *parts.entry((rr, rw)).or_insert(0) += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(values: [u8; 4]) -> Code {
        let mut code = Code::default();
        code[..4].copy_from_slice(&values);
        code
    }

    /// Knuth 1977: 1122 leaves at most 256 codes, in 13 parts.
    #[test]
    fn the_parts_of_the_first_guess_are_known() {
        let codes = Codes::new(4, 6);
        let first = parts(codes, &[], &code([0, 0, 1, 1]));
        assert_eq!((first.len(), first.values().max(), first.values().sum::<u64>()), (13, Some(&256), 1_296));
        assert_eq!(first.get(&(4, 0)), Some(&1));
    }

    /// The course's example: secret 1500, and its first two guesses.
    #[test]
    fn codes_that_disagree_are_left_out() {
        let codes = Codes::new(4, 6);
        let tried = |guess: [u8; 4]| Try::new(&code(guess), codes.reply(&code([1, 5, 0, 0]), &code(guess)));
        let history = [tried([3, 3, 4, 4]), tried([0, 2, 1, 5]), tried([2, 2, 5, 0]), tried([0, 0, 5, 1])];
        assert_eq!(parts(codes, &history, &code([1, 5, 0, 0])), BTreeMap::from([((2, 2), 1), ((4, 0), 1)]));
    }
}
