//! Solves the starts of 5 x 5 cards: all 25 cursors of boards drawn as matches draw them, a line a start; and writes
//! the page of the study from these lines.
//!
//! ```text
//! cargo run --release -p client-tirs --example starts solve [BOARDS [FIRST]] > docs/studies/study-tirs-5x5.csv
//! cargo run --release -p client-tirs --example starts page < docs/studies/study-tirs-5x5.csv > docs/studies/study-tirs-5x5.md
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr)]

use agon_client_api::chance::{below, rng};
use agon_client_api::tirs_croises::Move;
use tirs::{Allowance, Deal, Solver, Values};

const SIZE: usize = 5;
const TABLE: u64 = 64 << 20;

/// A start and its value for the player to move.
struct Start {
    board: u64,
    lost: i64,
    value: i64,
    nodes: u64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, usual| arguments.get(place).map_or(usual, |text| text.parse().expect("a whole number"));
    match arguments.first().map(String::as_str) {
        Some("solve") => solve(number(1, 200), number(2, 0)),
        Some("page") => print_page(&read()),
        _ => eprintln!("say: solve [BOARDS [FIRST]], or page"),
    }
}

fn solve(boards: u64, first: u64) {
    println!("board,x,y,lost,value,nodes");
    for board in first..first + boards {
        let values = draw(board);
        // One table serves all cursors of a board: they lead to the same positions in the end.
        let (deal, mut solver) = (Deal::<1>::new(&values), Solver::new(TABLE));
        for (y, x) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (y, x))) {
            let (mut start, cursor) = (values, Move { x: x as u8 + 1, y: y as u8 + 1 });
            let lost = std::mem::take(&mut start[y][x]);
            solver.allow(Allowance::ALL);
            let value = solver.solve(&deal, deal.position(&start, Some(cursor)), 5).expect("nothing limits it");
            println!("{board},{},{},{lost},{value},{}", cursor.x, cursor.y, solver.nodes());
        }
    }
}

/// The values of a board, 1 to 9 with equal chances.
fn draw(board: u64) -> Values {
    let (mut rng, mut values): (_, Values) = (rng(board), [[0; 20]; 20]);
    values[..SIZE].iter_mut().for_each(|row| row[..SIZE].fill_with(|| 1 + below(&mut rng, 9) as u8));
    values
}

/// The lines of `solve`, from the standard input.
fn read() -> Vec<Start> {
    let lines = std::io::stdin().lines().skip(1).map(|line| line.expect("text"));
    let start = |line: String| {
        let numbers: Vec<i64> = line.split(',').map(|word| word.parse().expect("a whole number")).collect();
        let &[board, _, _, lost, value, nodes] = &numbers[..] else { panic!("six numbers a line") };
        Start { board: board as u64, lost, value, nodes: nodes as u64 }
    };
    lines.map(start).collect()
}

fn print_page(starts: &[Start]) {
    let boards = starts.len() / (SIZE * SIZE);
    println!("# tirs_croises: exact values of 5 x 5 starts\n");
    println!(
        "All {} starts of {boards} drawn boards. The card under the cursor is lost. The value is the margin of the player to move when",
        starts.len()
    );
    println!(
        "both play best. `clients/tirs/examples/starts.rs` makes this page. Means have their standard errors over boards.\n"
    );
    table("By the value of the card that is lost:", "card", starts, 1..=9, |start| start.lost);
    println!(
        "Rows and columns can be exchanged without any change to the game, so no place of the cursor is better.\n"
    );
    let mut anywhere: Vec<Start> = vec![];
    for start in starts {
        let value = start.lost - start.value;
        match anywhere.last_mut().filter(|last| last.board == start.board) {
            Some(last) => last.value = last.value.max(value),
            None => anywhere.push(Start { value, lost: 0, ..*start }),
        }
    }
    let title = "With `start = \"anywhere\"` the first player takes any card. The start's value is the highest, over all cards, of the\ncard's points less the other player's value:";
    table(title, "start", &anywhere, 0..=0, |_| 0);
    let nodes = starts.iter().map(|start| start.nodes).sum::<u64>() / starts.len() as u64;
    println!("A start takes {nodes} searched positions on average, with one hash table per board.");
}

fn table(
    title: &str,
    head: &str,
    starts: &[Start],
    kinds: std::ops::RangeInclusive<i64>,
    kind: impl Fn(&Start) -> i64,
) {
    println!("{title}\n\n| {head} | starts | mean value | lowest | highest | won | drawn | lost |");
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for number in kinds {
        let of_kind = starts.iter().filter(|start| kind(start) == number);
        let mut of_board = std::collections::BTreeMap::<u64, Vec<i64>>::new();
        of_kind.for_each(|start| of_board.entry(start.board).or_default().push(start.value));
        let values: Vec<i64> = of_board.values().flatten().copied().collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<i64>() as f64 / count;
        // Starts of one board are alike: a board is one sample.
        let off = |values: &Vec<i64>| values.iter().map(|value| *value as f64 - mean).sum::<f64>().powi(2);
        let error = of_board.values().map(off).sum::<f64>().sqrt() / count;
        let share = |sign: i64| values.iter().filter(|value| value.signum() == sign).count() as f64 / count;
        let (low, high) = (values.iter().min().unwrap_or(&0), values.iter().max().unwrap_or(&0));
        let name = match head {
            "start" => "anywhere".to_owned(),
            _ => number.to_string(),
        };
        let shares = [1, 0, -1].map(|sign| format!("{:.3}", share(sign))).join(" | ");
        println!("| {name} | {} | {mean:.2} ± {error:.2} | {low} | {high} | {shares} |", values.len());
    }
    println!();
}
