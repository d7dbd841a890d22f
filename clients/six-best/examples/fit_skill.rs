//! The weights of `src/skill.rs`: matches of this client against itself, and what it thought of each card, made a
//! linear function of what the table says of the card. `cargo run --release -p client-six-best --example fit_skill --
//! SEATS MATCHES SAMPLES` prints a line for each number of cards in the hand, from 2, as `src/weights.rs` has them, and
//! how well it fits to stderr.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

#[path = "../tests/matches/mod.rs"]
mod matches;

use agon_client_api::Rules;
use agon_client_api::six_qui_prend::{lay, take};
use matches::{Guest, View, start, table};
use six_best::search::Candidate;
use six_best::skill::{TERMS, WIDEST_GAP};
use six_best::table::{CAPACITY, Table};

type Terms = [f64; TERMS];

/// From heads to the whole numbers of `Weights`: 64 a unit of likelihood; gaps here are in tens, cards in hundreds.
const SCALE: Terms = [64.0, 64.0, 64.0, 64.0, 51.2, 51.2, 51.2, 51.2, 64.0, 64.0, 64.0, 64.0, 10.24, 6.5536, 64.0];

/// The cards of a hand, the chosen one first: what the table says of each, and the heads that it costs, both less their
/// means.
type Decision = Vec<(Terms, f64)>;

/// The terms of a card at a table, in the order of `Weights`
fn terms(table: &Table, card: u8) -> Terms {
    let mut terms = [0.0; TERMS];
    let row = table.rows[table.row_of(card)];
    let heads = f64::from(row.heads);
    if table.nearest(card).is_none() {
        (terms[10], terms[11]) = (1.0, heads);
    } else if row.size == CAPACITY {
        (terms[8], terms[9]) = (heads, 1.0);
    } else {
        let at = usize::from(row.size) - 1;
        (terms[at], terms[4 + at]) = (1.0, f64::from(i16::from(card - row.end).min(WIDEST_GAP)) / 10.0);
        terms[14] = if row.size + 1 == CAPACITY { heads } else { 0.0 };
    }
    let card = f64::from(card) / 100.0;
    (terms[12], terms[13]) = (card, card * card);
    terms
}

fn decision(table: &Table, found: &[Candidate]) -> Decision {
    let mut cards: Decision = found.iter().map(|card| (terms(table, card.choice), card.value())).collect();
    let count = cards.len() as f64;
    let mean = cards.iter().map(|(_, heads)| heads).sum::<f64>() / count;
    let means: Terms = std::array::from_fn(|at| cards.iter().map(|(terms, _)| terms[at]).sum::<f64>() / count);
    for (terms, heads) in &mut cards {
        *heads -= mean;
        terms.iter_mut().zip(means).for_each(|(term, mean)| *term -= mean);
    }
    cards
}

/// Plays a match, and keeps the decisions by the number of cards.
fn watch(seats: usize, samples: &str, number: u64, decisions: &mut [Vec<Decision>]) {
    let mut state = start(&[("limit", "66")], seats, number);
    let name = format!("best:samples={samples},objective=heads");
    let mut guests: Vec<Guest> = (0..seats).map(|seat| Guest::named(&name, &state, seat, number)).collect();
    loop {
        let mut answers = Vec::new();
        for seat in state.to_move().iter() {
            let view = View::of(&state, seat);
            let turn = view.turn();
            let Guest::Best(player, allowance) = &mut guests[seat] else { panic!() };
            let found = player.choose(&turn, *allowance);
            let best = found[0].choice;
            if turn.pending().is_none() {
                decisions[found.len()].push(decision(&table(&turn, false), &found));
            }
            answers.push((seat, if turn.pending().is_some() { take(best) } else { lay(best) }));
        }
        if answers.is_empty() {
            return;
        }
        state.play(&answers);
    }
}

/// The weights with the least squares of errors (normal equations, Gauss and Jordan), held back a little.
fn regression(decisions: &[Decision]) -> Terms {
    let mut rows = [[0.0; TERMS + 1]; TERMS];
    for (terms, heads) in decisions.iter().flatten() {
        for (row, term) in rows.iter_mut().zip(terms) {
            row.iter_mut().zip(terms.iter().chain([heads])).for_each(|(sum, other)| *sum += term * other);
        }
    }
    for at in 0..TERMS {
        rows[at][at] += 1.0;
        let (own, pivot) = (rows[at], rows[at][at]);
        for row in rows.iter_mut().enumerate().filter(|(other, _)| *other != at).map(|(_, row)| row) {
            let factor = row[at] / pivot;
            row.iter_mut().zip(own).for_each(|(number, own)| *number -= factor * own);
        }
    }
    std::array::from_fn(|at| rows[at][TERMS] / rows[at][at])
}

fn score(weights: &Terms, terms: &Terms) -> f64 {
    weights.iter().zip(terms).map(|(weight, term)| weight * term).sum()
}

/// The mean logarithm of how likely the chosen cards are, if a head makes one e^`by` times less likely.
fn likelihood(decisions: &[Decision], weights: &Terms, by: f64) -> f64 {
    let of = |cards: &Decision| {
        let all: f64 = cards.iter().map(|(terms, _)| (-by * score(weights, terms)).exp()).sum();
        -by * score(weights, &cards[0].0) - all.ln()
    };
    decisions.iter().map(of).sum::<f64>() / decisions.len() as f64
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seats, matches, samples] = &arguments[..] else { panic!("SEATS MATCHES SAMPLES are needed") };
    let (seats, matches): (usize, u64) = (seats.parse().unwrap(), matches.parse().unwrap());
    let mut decisions: Vec<Vec<Decision>> = vec![vec![]; 11];
    for number in 0..matches {
        watch(seats, samples, 99 << 32 | number, &mut decisions);
    }
    for (cards, decisions) in decisions.iter().enumerate().skip(2) {
        let weights = regression(decisions);
        let tried = (0..60).map(|step| 0.075 * f64::from(step));
        let with = tried.map(|by| (likelihood(decisions, &weights, by), by));
        let (likelihood, by) = with.max_by(|one, other| one.0.total_cmp(&other.0)).unwrap();
        let all: Vec<i64> = weights.iter().zip(SCALE).map(|(one, scale)| (by * one * scale).round() as i64).collect();
        println!("{all:?},");
        let by_chance = -(cards as f64).ln();
        eprintln!("{cards} cards, {}: {by:.2}, likelihood {likelihood:.3}, of any {by_chance:.3}", decisions.len());
    }
}
