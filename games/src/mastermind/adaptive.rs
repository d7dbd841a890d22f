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
    /// How many of them agree with each reply to the guess that waits; zero if none waits.
    agreeing: [u32; REPLIES],
}

impl Possible {
    /// Before the first answer.
    pub fn all() -> Possible {
        Possible { kept: None, agreeing: [0; REPLIES] }
    }

    /// Takes note of a guess.
    pub fn ask(&mut self, codes: Codes, guess: &Code) {
        self.agreeing = [0; REPLIES];
        let agreeing = &mut self.agreeing;
        let mut count = |code: &Code| agreeing[index(codes.reply(code, guess))] += 1;
        match &self.kept {
            None => codes.iter().for_each(|code| count(&code)),
            Some(kept) => kept.iter().for_each(|number| count(&codes.at((*number).into()))),
        }
    }

    /// Keeps the codes that agree with the answer to the guess that waits.
    pub fn answer(&mut self, codes: Codes, guess: &Code, reply: Reply) {
        let agrees = |code: &Code| codes.reply(code, guess) == reply;
        self.kept = Some(match &self.kept {
            None => (0..).zip(codes.iter()).filter(|(_, code)| agrees(code)).map(|(number, _)| number).collect(),
            Some(kept) => kept.iter().copied().filter(|number| agrees(&codes.at((*number).into()))).collect(),
        });
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

fn index(reply: Reply) -> usize {
    usize::from(reply.rr) * (MAX_PEGS + 1) + usize::from(reply.rw)
}
