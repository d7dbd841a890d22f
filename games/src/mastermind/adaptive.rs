//! The replies that an adaptive maker may give: those with which some code agrees, as it does with all earlier replies.
//! It lists no codes: a search looks for one, place by place. It gives up a beginning as soon as some reply has become
//! impossible.

use super::abi::Try;
use super::codes::{Code, Codes, Reply};
use super::consistent::{Order, search_one};

/// The most codes. The limit is the longest search for a code that does not exist, not the risk to miss one: with this
/// number of codes it may look at every beginning.
pub(super) const MOST_CODES: u64 = 100_000_000;
/// The most beginnings of codes that a search may look at.
const BUDGET: u32 = u32::MAX;
// With two values, there are twice as many beginnings as codes, which is the most.
const _: () = assert!(2 * MOST_CODES < BUDGET as u64);

/// Whether some code agrees with this reply to a guess, and with all earlier ones.
pub(super) fn allows(codes: Codes, history: &[Try], guess: &Code, reply: Reply) -> bool {
    // The same guess gets the same reply again.
    if let Some(before) = history.iter().find(|made| made.v == *guess) {
        return before.reply() == reply;
    }
    let all = [&[Try::new(guess, reply)], history].concat();
    search_one(codes, &all, &Order::lexicographic(), BUDGET).is_some()
}

/// The possible replies, in ascending order.
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
