//! The codes that an adaptive maker has not yet ruled out, kept exactly, so that no answer can contradict those before.

use super::codes::{Code, Codes, MAX_PEGS, Reply};
use std::sync::Arc;

/// Most codes of which every possible one can be kept.
pub(super) const MOST_CODES: u64 = 10_000_000;

/// One number for each reply.
const REPLIES: usize = (MAX_PEGS + 1) * (MAX_PEGS + 1);

/// The codes that agree with all answers, and what can be answered to the guess that waits.
#[derive(Clone, Debug)]
pub(super) struct Possible {
    /// Their numbers, ascending; `None` = all codes.
    kept: Option<Arc<[u32]>>,
    /// The reply of each of them to the guess that waits, by its index: worked out once, for there may be millions.
    replies: Arc<[u8]>,
    /// How many of them agree with each reply to the guess that waits; zero if none waits.
    agreeing: [u32; REPLIES],
}

impl Possible {
    /// Before the first answer.
    pub fn all() -> Possible {
        Possible { kept: None, replies: Arc::default(), agreeing: [0; REPLIES] }
    }

    /// Takes note of a guess; `before` is the answer to the same guess before.
    pub fn ask(&mut self, codes: Codes, guess: &Code, before: Option<Reply>) {
        self.agreeing = [0; REPLIES];
        if let Some(before) = before {
            // What was kept then gives that reply again, and no other.
            self.agreeing[index(before)] = self.count(codes) as u32;
            return;
        }
        let reply = |code: &Code| index(codes.reply(code, guess)) as u8;
        self.replies = match &self.kept {
            None => codes.iter().map(|code| reply(&code)).collect(),
            Some(kept) => kept.iter().map(|number| reply(&codes.at((*number).into()))).collect(),
        };
        self.replies.iter().for_each(|reply| self.agreeing[usize::from(*reply)] += 1);
    }

    /// Keeps the codes that agree with the answer to the guess that waits.
    pub fn answer(&mut self, reply: Reply) {
        // Nothing is told apart where all agree, as those do that were asked before.
        if !self.replies.is_empty() {
            let agrees = |(_, of_code): &(u32, &u8)| usize::from(**of_code) == index(reply);
            let numbers = |(number, _)| number;
            self.kept = Some(match &self.kept {
                None => (0..).zip(&*self.replies).filter(agrees).map(numbers).collect(),
                Some(kept) => kept.iter().copied().zip(&*self.replies).filter(agrees).map(numbers).collect(),
            });
            self.replies = Arc::default();
        }
        self.agreeing = [0; REPLIES];
    }

    /// How many codes agree with all answers.
    pub fn count(&self, codes: Codes) -> u64 {
        self.kept.as_ref().map_or(codes.count(), |kept| kept.len() as u64)
    }

    /// Whether some code agrees with this answer, too.
    pub fn allows(&self, reply: Reply) -> bool {
        usize::from(reply.rr) <= MAX_PEGS && usize::from(reply.rw) <= MAX_PEGS && self.agreeing[index(reply)] > 0
    }

    /// What can be answered, in ascending order.
    pub fn replies(&self) -> impl Iterator<Item = Reply> {
        let all = (0..=MAX_PEGS as u8).flat_map(|rr| (0..=MAX_PEGS as u8).map(move |rw| Reply { rr, rw }));
        all.filter(|reply| self.allows(*reply))
    }
}

/// The number of a reply, below [`REPLIES`], which fits a byte.
fn index(reply: Reply) -> usize {
    usize::from(reply.rr) * (MAX_PEGS + 1) + usize::from(reply.rw)
}
