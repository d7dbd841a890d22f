//! The other side: answers that leave the breaker as many codes as possible.

use crate::packed::{number, replies};
use agon_client_api::chance::Rng;
use agon_client_api::mastermind::{Code, Codes, Reply, Try, agrees};

/// Most codes that are weighed; where there are more, so many drawn ones stand for all.
const WEIGHED: u64 = 1 << 20;

/// An adaptive maker.
pub struct Maker {
    codes: Codes,
    /// Codes that agree with all answers: every one, or those that were drawn.
    possible: Vec<Code>,
}

impl Maker {
    /// Before the first guess.
    pub fn new(codes: Codes, rng: &mut Rng) -> Maker {
        let possible = match codes.count() {
            count if count <= WEIGHED => codes.iter().collect(),
            _ => (0..WEIGHED).map(|_| codes.draw(rng)).collect(),
        };
        Maker { codes, possible }
    }

    /// The answer that most of the possible codes agree with; of several the one with fewest right values, then fewest
    /// exact ones.
    pub fn answer(&mut self, history: &[Try], guess: &Code) -> Reply {
        let codes = self.codes;
        self.possible.retain(|code| history.last().is_none_or(|last| agrees(codes, std::slice::from_ref(last), code)));
        if self.possible.is_empty() {
            // None of those that were drawn is left: few are, of all.
            self.possible = codes.iter().filter(|code| agrees(codes, history, code)).collect();
        }
        let mut parts = vec![(0u32, Reply::default()); replies(codes)];
        for reply in self.possible.iter().map(|code| codes.reply(code, guess)) {
            let (count, of) = &mut parts[number(reply)];
            (*count, *of) = (*count + 1, reply);
        }
        let best = parts.iter().rev().max_by_key(|(count, _)| *count);
        best.map_or_else(Reply::default, |(_, reply)| *reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_client_api::chance::rng;

    #[test]
    fn answers_leave_most_codes() {
        let codes = Codes::new(4, 6);
        let mut maker = Maker::new(codes, &mut rng(1));
        let code = |values: [u8; 4]| {
            let mut code = Code::default();
            code[..4].copy_from_slice(&values);
            code
        };
        // 256 of the codes agree with each of 0+0 and 0+1 (Knuth 1977).
        let guess = code([0, 0, 1, 1]);
        let first = maker.answer(&[], &guess);
        assert_eq!(first, Reply { rr: 0, rw: 0 });
        let history = [Try::new(&guess, first)];
        let second = maker.answer(&history, &code([2, 2, 3, 3]));
        let left = |reply| {
            let history = [history[0], Try::new(&code([2, 2, 3, 3]), reply)];
            codes.iter().filter(|code| agrees(codes, &history, code)).count()
        };
        assert!(
            (0..=4)
                .flat_map(|rr| (0..=4 - rr).map(move |rw| Reply { rr, rw }))
                .all(|other| left(other) <= left(second))
        );
    }

    /// However the breaker guesses, every answer agrees with some code.
    #[test]
    fn answers_agree_with_some_code() {
        for (pegs, values) in [(2, 3), (4, 6), (7, 8)] {
            let codes = Codes::new(pegs, values);
            let mut rng = rng(2);
            let mut maker = Maker::new(codes, &mut rng);
            let mut history = vec![];
            for _ in 0..8 {
                let guess = codes.draw(&mut rng);
                let reply = maker.answer(&history, &guess);
                history.push(Try::new(&guess, reply));
                assert!(codes.iter().any(|code| agrees(codes, &history, &code)), "{history:?}");
            }
        }
    }
}
