//! What the starts of 5 x 5 cards are worth: all 25 cursors of boards drawn as matches draw them, solved, as a table with a line a start.
//! `cargo run --release -p client-tirs --example starts [BOARDS [FIRST]] > starts.csv`

use agon_client_api::chance::below;
use agon_client_api::tirs_croises::Move;
use tirs::{Allowance, Deal, Solver, Values};

const SIZE: usize = 5;
const TABLE: u64 = 64 << 20;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a whole number"));
    let (boards, first) = (arguments.next().unwrap_or(200), arguments.next().unwrap_or(0));
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
    let (mut rng, mut values): (_, Values) = (agon_client_api::chance::rng(board), [[0; 20]; 20]);
    values[..SIZE].iter_mut().for_each(|row| row[..SIZE].fill_with(|| 1 + below(&mut rng, 9) as u8));
    values
}
