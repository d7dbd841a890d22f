//! What an adaptive maker may answer: a reply with which some code agrees, as it does with all replies before. No code
//! is listed: a search looks for one, place by place, and gives up a beginning as soon as some reply can no longer come
//! out.

use super::abi::Try;
use super::codes::{Code, Codes, Reply};
use super::consistent::{Order, search_one};

/// Most codes. What limits them is the longest search for a code that is not there, not that it could miss one: with so
/// many codes it may look at every beginning.
pub(super) const MOST_CODES: u64 = 100_000_000;
/// Beginnings of codes that a search may look at.
const BUDGET: u32 = u32::MAX;
// With two values, and so at most, there are twice as many beginnings as codes.
const _: () = assert!(2 * MOST_CODES < BUDGET as u64);

/// Whether some code agrees with this reply to a guess, and with all before.
pub(super) fn allows(codes: Codes, history: &[Try], guess: &Code, reply: Reply) -> bool {
    // Who asks the same again is told the same.
    if let Some(before) = history.iter().find(|made| made.v == *guess) {
        return before.reply() == reply;
    }
    let all = [&[Try::new(guess, reply)], history].concat();
    search_one(codes, &all, &Order::lexicographic(), BUDGET).is_some()
}

/// What can be answered, in ascending order.
pub(super) fn replies(codes: Codes, history: &[Try], guess: &Code) -> impl Iterator<Item = Reply> {
    let pegs = codes.pegs() as u8;
    let all = (0..=pegs).flat_map(move |rr| (0..=pegs - rr).map(move |rw| Reply { rr, rw }));
    all.filter(move |reply| allows(codes, history, guess, *reply))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mastermind::agrees;
    use crate::{below, rng_from};

    #[test]
    fn what_may_be_answered_is_what_a_list_of_all_codes_says() {
        let mut rng = rng_from(&[9; 32]);
        for (pegs, values) in [(1, 2), (4, 6), (5, 4), (3, 12), (8, 2)] {
            let codes = Codes::new(pegs, values);
            for _ in 0..20 {
                let mut history = vec![];
                for _ in 0..8 {
                    // Every third guess is made again.
                    let again = history.first().map(|made: &Try| made.v).filter(|_| below(&mut rng, 3) == 0);
                    let guess = again.unwrap_or_else(|| codes.draw(&mut rng));
                    let possible = codes.iter().filter(|code| agrees(codes, &history, code));
                    let mut plain: Vec<Reply> = possible.map(|code| codes.reply(&code, &guess)).collect();
                    plain.sort_unstable();
                    plain.dedup();
                    assert_eq!(replies(codes, &history, &guess).collect::<Vec<_>>(), plain, "{history:?} {guess:?}");
                    let answer = plain[below(&mut rng, plain.len() as u64) as usize];
                    history.push(Try::new(&guess, answer));
                }
            }
        }
    }
}
