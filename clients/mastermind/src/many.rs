//! Guesses where there are too many codes for a table: some codes that are still possible stand for all, and the best
//! of them by the score is guessed.

use crate::packed::{Packed, WIDEST, replies};
use crate::score::Judge;
use agon_client_api::chance::{Rng, shuffle};
use agon_client_api::mastermind::{Code, Codes, Order, Try, agrees, draw, search_one};
use agon_client_api::{TurnHead, cpu_us};

/// Up to this many codes are looked at one by one.
const LISTED: u64 = 1 << 20;
/// Most possible codes that stand for all.
pub const SAMPLE: usize = 1 << 10;
/// Most of them that are tried as guesses.
const TRIED: usize = 1 << 8;
/// The most effort of all searches for one guess: beginnings of codes, times guesses that each is compared with.
const EFFORT: u32 = 20_000_000;
/// Beginnings that one search looks at before another order is tried.
const SEARCH: u32 = 50_000;

/// Codes that are listed in a microsecond, at least.
const LISTED_A_US: u64 = 20;
/// The effort of a search in a microsecond, about.
const SEARCHED_A_US: u64 = 20;

/// Until when a guess is to be made.
#[derive(Clone, Copy)]
pub struct Time {
    /// Microseconds by `clock`.
    pub until_us: u64,
    /// Microseconds since the turn began.
    pub clock: fn() -> u64,
}

impl Time {
    /// As much as it takes.
    #[cfg(test)]
    pub const ALL: Time = Time { until_us: u64::MAX, clock: || 0 };

    /// Half of what a call has, and of an even share of what is left for all of this many, or for those that come
    /// before more is given.
    pub fn of(head: &TurnHead, calls: u64) -> Time {
        let calls = head.moves_left().map_or(calls, |moves| moves.min(calls));
        let call = head.cpu_left_us.min(head.wall_left_us).min(head.total_left_us / calls.max(1));
        Time { until_us: call / 2, clock: cpu_us }
    }

    fn is_over(self) -> bool {
        (self.clock)() >= self.until_us
    }

    /// Whether there is time to look at all codes, `times` over.
    pub fn suffices(self, codes: Codes, times: u64) -> bool {
        codes.count() <= LISTED && codes.count().saturating_mul(times) <= self.until_us.saturating_mul(LISTED_A_US)
    }

    /// The effort of a search, at most this much.
    fn effort(self, most: u32) -> u32 {
        (self.until_us / 4).saturating_mul(SEARCHED_A_US).min(most.into()) as u32
    }
}

/// A guess that agrees with the replies, if one was found; else any code.
pub fn guess(codes: Codes, judge: &Judge, history: &[Try], rng: &mut Rng, time: Time) -> Code {
    let possible = possible(codes, history, rng, time);
    let packed: Vec<Packed<WIDEST>> = possible.iter().map(|code| Packed::new(codes, code)).collect();
    let mut parts = vec![0; replies(codes)];
    let in_time = packed.iter().take(TRIED).enumerate().take_while(|(index, _)| *index == 0 || !time.is_over());
    let rated = in_time.map(|(_, guess)| {
        parts.fill(0);
        packed.iter().for_each(|code| parts[guess.reply(code)] += 1);
        judge.rate(&parts)
    });
    let best = rated.enumerate().min_by_key(|(_, rate)| *rate).map(|(index, _)| possible[index]);
    best.unwrap_or_else(|| codes.draw(rng))
}

/// Some codes that agree with the replies, in random order: at most [`SAMPLE`], none if the search found none.
fn possible(codes: Codes, history: &[Try], rng: &mut Rng, time: Time) -> Vec<Code> {
    if history.is_empty() {
        return (0..SAMPLE).map(|_| codes.draw(rng)).collect();
    }
    if time.suffices(codes, 2) {
        let mut all: Vec<Code> = codes.iter().filter(|code| agrees(codes, history, code)).collect();
        shuffle(rng, &mut all);
        all.truncate(SAMPLE);
        return all;
    }
    let searches = EFFORT / history.len() as u32 / SEARCH;
    let budget = time.effort(SEARCH * history.len() as u32) / history.len() as u32;
    let found = |_| search_one(codes, history, &Order::random(codes, rng), budget);
    // A part of the time is for choosing among them.
    let in_time = |search: &u32| *search == 0 || (time.clock)() < time.until_us / 2;
    (0..searches.max(1)).take_while(in_time).filter_map(found).collect()
}

/// Any code that agrees with the replies, if one was found; else any code.
pub fn any(codes: Codes, history: &[Try], rng: &mut Rng, time: Time) -> Code {
    draw(codes, history, rng).or_else(|| possible(codes, history, rng, time).pop()).unwrap_or_else(|| codes.draw(rng))
}

/// The first code in order that agrees with the replies, if it was found; else one that does.
pub fn first(codes: Codes, history: &[Try], rng: &mut Rng, time: Time) -> Code {
    let budget = time.effort(EFFORT) / (history.len() as u32 + 1);
    search_one(codes, history, &Order::lexicographic(), budget).unwrap_or_else(|| any(codes, history, rng, time))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use agon_client_api::chance::rng;
    use std::time::Duration;

    type Guesser<'a> = dyn FnMut(&[Try], &mut Rng) -> Code + 'a;

    /// Processor time of this thread: what others take of a busy machine is not the guesser's.
    fn processor_time() -> Duration {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("of Linux");
        Duration::from_nanos(text.split(' ').next().and_then(|ns| ns.parse().ok()).expect("a count of nanoseconds"))
    }

    /// How many guesses a secret takes, and the most processor time for one of them.
    fn play(codes: Codes, secret: &Code, most: usize, rng: &mut Rng, guess: &mut Guesser) -> (usize, Duration) {
        let (mut history, mut longest) = (vec![], Duration::ZERO);
        while history.len() < most && history.last().is_none_or(|made: &Try| usize::from(made.rr) < codes.pegs()) {
            let start = processor_time();
            let guess = guess(&history, rng);
            longest = longest.max(processor_time() - start);
            history.push(Try::new(&guess, codes.reply(secret, &guess)));
        }
        (history.len(), longest)
    }

    /// Shapiro 1983, "Playing Mastermind logically".
    #[test]
    fn the_first_code_in_order_takes_7471_guesses_in_all() {
        let codes = Codes::new(4, 6);
        let mut rng = rng(1);
        let mut guess = |history: &[Try], rng: &mut Rng| first(codes, history, rng, Time::ALL);
        let used = |secret: Code| play(codes, &secret, 10, &mut rng, &mut guess).0;
        let counts: Vec<usize> = codes.iter().map(used).collect();
        assert_eq!((counts.iter().sum::<usize>(), counts.iter().max()), (7471, Some(&9)));
    }

    /// Swaszek 2000, "The mastermind novice", has 4.638.
    #[test]
    fn any_possible_code_takes_4_638_guesses_on_average() {
        let codes = Codes::new(4, 6);
        let mut rng = rng(2);
        let mut guess = |history: &[Try], rng: &mut Rng| any(codes, history, rng, Time::ALL);
        let mut used = |secret: Code| play(codes, &secret, 20, &mut rng, &mut guess).0 as f64;
        let counts: Vec<f64> = (0..8).flat_map(|_| codes.iter()).map(&mut used).collect();
        let size = counts.len() as f64;
        let mean = counts.iter().sum::<f64>() / size;
        let error = (counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / size / size).sqrt();
        println!("{mean:.4}, standard error {error:.4}");
        assert!((mean - 4.638).abs() < 4.0 * error + 0.0005, "{mean} {error}");
    }

    /// A sample is nearly as good as the table.
    #[test]
    fn sizes_beyond_the_table_are_found_in_few_guesses_and_in_time() {
        for (pegs, values, games, few) in [(5, 7, 20, 6.2), (5, 10, 10, 7.5), (8, 8, 4, 9.5), (10, 6, 4, 9.5)] {
            let codes = Codes::new(pegs, values);
            for score in [Score::Minimax, Score::Entropy, Score::Expected, Score::Parts] {
                let (mut rng, judge) = (rng(3), Judge::new(score, SAMPLE));
                let mut guess = |history: &[Try], rng: &mut Rng| guess(codes, &judge, history, rng, Time::ALL);
                let (mut sum, mut longest) = (0, Duration::ZERO);
                for _ in 0..games {
                    let secret = codes.draw(&mut rng);
                    let (used, time) = play(codes, &secret, 20, &mut rng, &mut guess);
                    (sum, longest) = (sum + used, longest.max(time));
                }
                let mean = sum as f64 / games as f64;
                println!("{pegs} x {values} {score:?}: {mean:.2} guesses, at most {longest:?}");
                assert!(mean < few && longest < Duration::from_secs(1), "{mean} {longest:?}");
            }
        }
    }

    #[test]
    fn the_largest_size_is_played_in_time() {
        let codes = Codes::new(12, 20);
        let judge = Judge::new(Score::Expected, SAMPLE);
        let guessers: [(&str, &mut Guesser); 3] = [
            ("first", &mut |history, rng| first(codes, history, rng, Time::ALL)),
            ("any", &mut |history, rng| any(codes, history, rng, Time::ALL)),
            ("expected", &mut |history, rng| guess(codes, &judge, history, rng, Time::ALL)),
        ];
        for (name, guesser) in guessers {
            let mut rng = rng(4);
            for _ in 0..2 {
                let secret = codes.draw(&mut rng);
                let (used, longest) = play(codes, &secret, 100, &mut rng, guesser);
                println!("12 x 20 {name}: {used} guesses, at most {longest:?}");
                assert!(longest < Duration::from_secs(1), "{name}: {longest:?}");
            }
        }
    }
}
