//! How many playouts a second, beside the plain rules of the server: ten seats, one round by the rules of the course,
//! dealing included. `cargo run --release -p client-six-best --example playouts [-- SECONDS]`: best of interleaved
//! runs, and the ratio to the rules.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/matches/mod.rs"]
mod matches;

use agon_client_api::Rules;
use agon_client_api::six_qui_prend::lay;
use agon_games::Opening;
use agon_games::six_qui_prend::SixQuiPrend;
use six_best::chance::Chance;
use six_best::deal::{Deals, LANES};
use six_best::path::Path;
use six_best::skill::Noise;
use six_best::style::Style;
use six_best::table::{Row, Table};
use std::ops::ControlFlow;
use std::time::Duration;

/// Processor time of this thread, so that other programs do not count: the first number of its `schedstat`.
fn now() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
}

/// The course's five, in its order, and what the client plays with.
const COURSE: [Style; 5] = [Style::Smallest, Style::Middle, Style::Random, Style::SecondLargest, Style::Largest];
const FITTING: [Style; 5] = [Style::Fitting; 5];
const SKILLED: [Style; 5] = [Style::Skilled; 5];

/// Deals rounds of ten seats; all lanes of a set have the same rows.
struct Table10 {
    /// The owner of each card from 1, in a random order: seats, then rows.
    owners: [u8; 104],
    chance: Chance,
    deals: Deals,
}

impl Table10 {
    fn new() -> Table10 {
        Table10 { owners: std::array::from_fn(|at| at as u8 / 10), chance: Chance::new(1), deals: Deals::new(10, 10) }
    }

    /// New hands for all lanes, and the rows before them.
    fn deal(&mut self, styles: [Style; 5]) -> Table {
        let mut rows = [Row::default(); 4];
        (0..10).for_each(|seat| self.deals.take_back(seat));
        for lane in 0..LANES {
            // The owner of the rows is number 10; in the lanes after the first his cards stay where they are.
            let mut others: Vec<u8> = Vec::new();
            if lane == 0 {
                self.chance.draw(&mut self.owners, 104);
            } else {
                others.extend(self.owners.iter().filter(|owner| **owner < 10));
                self.chance.draw(&mut others, 100);
                let seats = self.owners.iter_mut().filter(|owner| **owner < 10);
                seats.zip(&others).for_each(|(owner, other)| *owner = *other);
            }
            let (mut hands, mut held) = ([[0; 10]; 11], [0; 11]);
            for (card, owner) in (1..).zip(self.owners.map(usize::from)) {
                hands[owner][held[owner]] = card;
                held[owner] += 1;
            }
            rows = std::array::from_fn(|row| Row::of(&hands[10][row..=row]));
            for (seat, hand) in hands[..10].iter_mut().enumerate() {
                let choice = styles[seat % 5].arrange(hand, &mut self.chance);
                self.deals.give(seat, lane, hand, choice);
            }
        }
        let skilled = (0..10).filter(|seat| styles[seat % 5] == Style::Skilled);
        skilled.for_each(|seat| Noise::get().fill(&mut self.deals.noise[seat], &mut self.chance));
        Table { rows, is_exact: false }
    }
}

/// Calls `play` until so much time has gone, each time for some games and the heads of all; games a second, and heads a
/// game.
fn rate(time: Duration, mut play: impl FnMut() -> (u64, u64)) -> (f64, u64) {
    let (begin, mut games, mut heads) = (now(), 0, 0);
    while now() < begin + time {
        // The answer to what time it is takes as long as a hundred playouts.
        for _ in 0..100 {
            let (more, taken) = play();
            (games, heads) = (games + more, heads + taken);
        }
    }
    (games as f64 / (now() - begin).as_secs_f64(), heads / games)
}

/// Playouts of a path: `reuse` on each set of deals.
fn playouts(path: Path, styles: [Style; 5], reuse: u64, time: Duration) -> (f64, u64) {
    let mut table = Table10::new();
    rate(time, || {
        let (rows, mut heads) = (table.deal(styles), 0);
        for _ in 0..reuse {
            let taken = path.play(&rows, 0, std::hint::black_box(&table.deals));
            heads += taken.iter().flat_map(|lanes| lanes.0).map(|heads| heads as u64).sum::<u64>();
        }
        (reuse * LANES as u64, heads)
    })
}

/// Games by the rules of the server, every seat playing by its place in the hand.
fn by_the_rules(time: Duration) -> (f64, u64) {
    let setting = matches::setting(&[("rules", "course")], 10);
    let mut number = 0u64;
    rate(time, || {
        number += 1;
        let mut state = SixQuiPrend::start(&setting, 10, &Opening::numbered(number));
        let mut hands: [Vec<u8>; 10] = std::array::from_fn(|seat| {
            let mut hand = Vec::with_capacity(10);
            state.legal(seat, &mut |mv| {
                hand.push(mv.card);
                ControlFlow::Continue(())
            });
            hand
        });
        while !SixQuiPrend::to_move(&state).is_empty() {
            let answers: [_; 10] = std::array::from_fn(|seat| {
                let hand = &mut hands[seat];
                (seat, lay(hand.remove(hand.len() * (seat % 5) / 5)))
            });
            state.play(&answers);
        }
        (1, state.scores().values.iter().sum::<i64>() as u64)
    })
}

fn main() {
    let seconds: f64 = std::env::args().nth(1).map_or(0.3, |text| text.parse().unwrap());
    let time = Duration::from_secs_f64(seconds);
    let paths = [Path::Scalar, Path::Portable, Path::auto()];
    let mut rows: Vec<(String, f64, u64)> = vec![("rules of games/, five places".to_owned(), 0.0, 0)];
    for (styles, reuse) in [
        ("the course's five", 1),
        ("all by the best fit", 1),
        ("the same, ten on a deal", 10),
        ("all by skill, ten on a deal", 10),
    ] {
        for path in paths {
            rows.push((format!("{}, {styles}, {reuse}", path.name()), 0.0, 0));
        }
    }
    for _ in 0..5 {
        let mut measured = vec![by_the_rules(time)];
        for (styles, reuse) in [(COURSE, 1), (FITTING, 1), (FITTING, 10), (SKILLED, 10)] {
            measured.extend(paths.map(|path| playouts(path, styles, reuse, time)));
        }
        for (row, (rate, heads)) in rows.iter_mut().zip(measured) {
            (row.1, row.2) = (row.1.max(rate), heads);
        }
    }
    let reference = rows[0].1;
    for (name, rate, heads) in rows {
        println!("{name:44} {:>10.0} games/s   x {:>5.2}   {heads} heads a game", rate, rate / reference);
    }
}
