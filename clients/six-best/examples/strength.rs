//! How strong: matches of one candidate, in every seat, against the others named, by the rules of the server. `cargo
//! run --release -p client-six-best --example strength -- GAMES SEED RULES LIMIT CANDIDATE OTHER...`, where RULES and
//! LIMIT are the options of the game, and players are named as in `tests/matches/mod.rs`.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/matches/mod.rs"]
mod matches;

use matches::{Guest, play, start};
use std::time::Instant;

/// A sum, and the sum of squares.
#[derive(Default)]
struct Sample {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sample {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// The mean, and half of its 95 % interval.
    fn text(&self) -> String {
        let mean = self.sum / self.count;
        let variance = (self.squares / self.count - mean * mean).max(0.0);
        format!("{mean:.4} +- {:.4}", 1.96 * (variance / self.count).sqrt())
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [games, seed, rules, limit, candidate, others @ ..] = &arguments[..] else {
        panic!("GAMES SEED RULES LIMIT CANDIDATE OTHER... are needed");
    };
    let (games, seed): (u64, u64) = (games.parse().unwrap(), seed.parse().unwrap());
    let seats = others.len() + 1;
    let [mut heads, mut of_others, mut wins, mut points, mut ranks] = std::array::from_fn(|_| Sample::default());
    let mut options = vec![("rules", rules.as_str()), ("limit", limit.as_str())];
    options.retain(|(_, value)| *value != "-");
    let begin = Instant::now();
    for game in 0..games {
        let number = seed << 32 | game;
        let state = start(&options, seats, number);
        let own = game as usize % seats;
        let mut guests: Vec<Guest> = (0..seats)
            .map(|seat| {
                let name = if seat == own { candidate } else { &others[(seat + seats - own - 1) % seats] };
                Guest::named(name, &state, seat, number)
            })
            .collect();
        let scores = play(state, &mut guests);
        let mine = scores[own];
        let below = scores.iter().filter(|score| **score < mine).count() as f64;
        let equal = scores.iter().filter(|score| **score == mine).count() as f64;
        heads.add(mine as f64);
        of_others.add((scores.iter().sum::<i64>() - mine) as f64 / others.len() as f64);
        wins.add(if below == 0.0 { 1.0 / equal } else { 0.0 });
        ranks.add(below + (equal + 1.0) / 2.0);
        points.add((seats as f64 - below - (equal + 1.0) / 2.0) / others.len() as f64);
    }
    println!("{candidate} against {}: {games} games from seed {seed}, rules {rules}, limit {limit}", others.join(" "));
    println!("heads {}   of the others {}", heads.text(), of_others.text());
    println!("win share {}   points {}   mean rank {}", wins.text(), points.text(), ranks.text());
    println!("{:.2} ms a game", begin.elapsed().as_secs_f64() * 1e3 / games as f64);
}
