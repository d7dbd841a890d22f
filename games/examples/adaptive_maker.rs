//! Prints what an adaptive maker of Mastermind costs with 10^7 codes:
//! `cargo run --release -p agon-games --example adaptive_maker`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use agon_games::mastermind::Mastermind;
use agon_games::{AnyGame, Game, Opening, Options};
use std::time::Instant;

fn main() {
    let guesses: Vec<String> = (0..8).map(|last| format!("000000{last}")).collect();
    let same = ["0000000", "0+0"].repeat(8);
    let new: Vec<&str> = guesses.iter().flat_map(|guess| [guess, "0+0"]).collect();
    for (what, texts) in
        [("a hard first guess", vec!["0011223", "1+3"]), ("one guess 8 times", same), ("8 guesses", new)]
    {
        let mut options = Options::default();
        for (key, value) in [("maker", "adaptive"), ("tries", "8"), ("pegs", "7"), ("values", "10")] {
            options.set(key, value);
        }
        let mut state = Game::<Mastermind>::ENTRY.prepare(&options, 2).unwrap().start(&Opening::ANY);
        let begin = Instant::now();
        for text in texts {
            let seat = state.to_move().iter().next().unwrap();
            let mv = state.read(text).unwrap();
            state.check(seat, &mv).unwrap();
            state.play(&[(seat, mv)]);
        }
        println!("{what}: {:?}", begin.elapsed());
    }
}
