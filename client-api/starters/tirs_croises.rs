//! A first client for Tirs Croisés: it takes the cell that is worth most, less the best that it leaves to the next
//! player.
//! What it prints by println! is kept with each match: agon show last shows it.

use agon_client_api::tirs_croises::{Move, Setup, TirsCroises, Turn};
use agon_client_api::{Client, Declined, export_client};

struct Bot {
    size: u8,
}

impl Client for Bot {
    type Game = TirsCroises;
    const NAME: &'static str = "first-rust";

    fn new(setup: &Setup) -> Result<Self, Declined> {
        Ok(Bot { size: setup.facts.size })
    }

    fn play(&mut self, turn: &Turn) -> Move {
        let is_in_line = |cell: &Move| turn.cursor().is_none_or(|at| at.x == cell.x || at.y == cell.y);
        let legal = self.cells().filter(|cell| turn.value(*cell) > 0 && is_in_line(cell));
        let worth = |cell: &Move| i32::from(turn.value(*cell)) - i32::from(self.best_left(turn, *cell));
        legal.max_by_key(worth).unwrap_or(Move { x: 1, y: 1 })
    }
}

impl Bot {
    fn cells(&self) -> impl Iterator<Item = Move> {
        let size = self.size;
        (1..=size).flat_map(move |y| (1..=size).map(move |x| Move { x, y }))
    }

    /// The best value in the row and the column of a cell, once that cell is taken. Next: keep a list of the cells that
    /// are taken, and subtract from each value what best_left says of that cell, four moves deep.
    fn best_left(&self, turn: &Turn, cell: Move) -> u8 {
        let in_line = self.cells().filter(|other| (other.x == cell.x) != (other.y == cell.y));
        in_line.map(|other| turn.value(other)).max().unwrap_or(0)
    }
}

export_client!(Bot);
