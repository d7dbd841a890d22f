//! For two players: negamax with alpha-beta and a transposition table, one move deeper at a time, until the end of the match is in
//! sight everywhere or the allowance is spent. The value of a position is what the player to move will still win by.

use crate::board::{Board, Cell};
use crate::table::{Bound, COMPLETE, Table, card_key, cards_key, position_key};

/// More than any value.
const INFINITE: i32 = 10_000;
/// Deeper than anything that can be searched.
const MAX_DEPTH: u8 = 200;
/// Cards left from which on a search to the end is tried first.
const FEW: u32 = 26;
/// Most cards within reach of a cursor.
const MAX_REACH: usize = 38;

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Positions.
    pub nodes: u64,
    /// Microseconds by `clock`.
    pub time_us: u64,
    /// Microseconds since the turn began.
    pub clock: fn() -> u64,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best card.
    pub cell: Cell,
    /// What taking it is worth.
    pub value: i32,
    /// Moves looked ahead.
    pub depth: u8,
    /// Whether `value` holds to the end of the match.
    pub is_complete: bool,
    /// Positions searched.
    pub nodes: u64,
}

/// A search, which remembers positions from move to move.
pub struct Search {
    table: Table,
    allowance: Allowance,
    nodes: u64,
    /// How often the search did not reach the end of the match.
    cut_short: u64,
    stopped: bool,
}

/// Values between which it matters which one a position has.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: i32,
    beta: i32,
}

/// Cards within reach with what they promise, the best first.
struct Moves {
    list: [(i16, Cell); MAX_REACH],
    len: usize,
}

impl Search {
    /// With a table of at most so many bytes.
    pub fn new(table_bytes: u64) -> Search {
        let allowance = Allowance { nodes: 0, time_us: 0, clock: || 0 };
        Search { table: Table::new(table_bytes), allowance, nodes: 0, cut_short: 0, stopped: false }
    }

    /// The best card within reach, or the best so far when the allowance is spent; `None` if there is none.
    ///
    /// With few cards left, the first half of the allowance goes into a search to the end at once, for which shallow searches before
    /// it would cost more than they order.
    pub fn best(&mut self, board: &mut Board, allowance: Allowance) -> Option<Found> {
        (self.allowance, self.nodes) = (allowance, 0);
        let mut moves: Vec<Cell> = board.reach().collect();
        moves.sort_by_key(|cell| std::cmp::Reverse(promise(board, *cell)));
        let mut found = Found { cell: *moves.first()?, value: 0, depth: 0, is_complete: false, nodes: 0 };
        if board.left() <= FEW {
            self.allowance = Allowance { nodes: allowance.nodes / 2, time_us: allowance.time_us / 2, ..allowance };
            self.iterate(board, &mut moves, MAX_DEPTH, &mut found);
            self.allowance = allowance;
        }
        if !found.is_complete {
            self.iterate(board, &mut moves, 1, &mut found);
        }
        Some(Found { nodes: self.nodes, ..found })
    }

    /// Searches deeper and deeper, from this depth on.
    fn iterate(&mut self, board: &mut Board, moves: &mut [Cell], from: u8, found: &mut Found) {
        self.stopped = false;
        for depth in from..=MAX_DEPTH {
            let before = self.cut_short;
            let Some((cell, value)) = self.deepen(board, moves, depth) else { break };
            let is_complete = !self.stopped && self.cut_short == before;
            *found = Found { cell, value, depth: board.left().min(depth.into()) as u8, is_complete, nodes: 0 };
            if is_complete || self.stopped {
                break;
            }
            let place = moves.iter().position(|other| *other == cell).unwrap_or(0);
            moves[..=place].rotate_right(1);
        }
    }

    /// The best of these cards at this depth; `None` if there was not even time for the first.
    fn deepen(&mut self, board: &mut Board, moves: &[Cell], depth: u8) -> Option<(Cell, i32)> {
        let cards = cards_key(board);
        let (mut best, mut window) = (None, Window { alpha: -INFINITE, beta: INFINITE });
        for &cell in moves {
            let value = self.after(board, cards, cell, depth, window, best.is_none());
            if self.stopped {
                break;
            }
            if value > window.alpha {
                window.alpha = value;
                best = Some((cell, value));
            }
        }
        best
    }

    /// What taking a card is worth. Only the first card is expected to be better than what is known, and searched as such; of the
    /// others it is first asked whether they are (Marsland and Campbell 1982, principal variation search).
    fn after(&mut self, board: &mut Board, cards: u64, cell: Cell, depth: u8, window: Window, is_first: bool) -> i32 {
        let (gain, cards) = (i32::from(board.value(cell)), cards ^ card_key(cell));
        let cursor = board.take(cell);
        let mut value = window.alpha + 1;
        if !is_first {
            let zero = Window { beta: window.alpha + 1, ..window };
            value = gain - self.value(board, cards, depth - 1, zero.turned(gain));
        }
        if is_first || value > window.alpha && value < window.beta {
            value = gain - self.value(board, cards, depth - 1, window.turned(gain));
        }
        board.put_back(cell, cursor);
        value
    }

    /// The value of a position with a cursor: exactly if it lies within the window, else a bound of it on the same side.
    fn value(&mut self, board: &mut Board, cards: u64, depth: u8, mut window: Window) -> i32 {
        self.count();
        if self.stopped || board.best() == 0 {
            return 0;
        }
        if depth == 0 {
            self.cut_short += 1;
            return 0;
        }
        let key = position_key(board, cards);
        let known = self.table.get(key).copied();
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            self.cut_short += u64::from(entry.depth != COMPLETE);
            window.narrow(entry.value.into(), entry.bound);
            if window.alpha >= window.beta {
                return entry.value.into();
            }
        }
        let before = self.cut_short;
        let moves = Moves::of(board, known.map(|entry| entry.best));
        let (cell, value) = self.best_of(board, cards, &moves, depth, window);
        if !self.stopped {
            let depth = if self.cut_short == before { COMPLETE } else { depth };
            self.table.put(key, value, cell, depth, window.bound(value));
        }
        value
    }

    /// The best of these cards, or the first that is too good for the other player to allow it.
    fn best_of(&mut self, board: &mut Board, cards: u64, moves: &Moves, depth: u8, mut window: Window) -> (Cell, i32) {
        let mut best = (0, -INFINITE);
        for &(_, cell) in &moves.list[..moves.len] {
            let value = self.after(board, cards, cell, depth, window, best.1 == -INFINITE);
            if self.stopped {
                break;
            }
            if value > best.1 {
                best = (cell, value);
                window.alpha = window.alpha.max(value);
                if window.alpha >= window.beta {
                    break;
                }
            }
        }
        best
    }

    /// Counts a position, and stops the search when the allowance is spent.
    fn count(&mut self) {
        self.nodes += 1;
        let is_late = || self.nodes.is_multiple_of(1024) && (self.allowance.clock)() >= self.allowance.time_us;
        self.stopped |= self.nodes >= self.allowance.nodes || is_late();
    }
}

impl Window {
    /// As the other player sees it, after a card of this value.
    fn turned(self, gain: i32) -> Window {
        Window { alpha: gain - self.beta, beta: gain - self.alpha }
    }

    /// Takes in what is known of the value.
    fn narrow(&mut self, value: i32, bound: Bound) {
        if bound != Bound::Upper {
            self.alpha = self.alpha.max(value);
        }
        if bound != Bound::Lower {
            self.beta = self.beta.min(value);
        }
    }

    /// What a value says that was found with this window.
    fn bound(self, value: i32) -> Bound {
        match value {
            high if high >= self.beta => Bound::Lower,
            low if low <= self.alpha => Bound::Upper,
            _ => Bound::Exact,
        }
    }
}

impl Moves {
    /// The card that was best before comes first.
    fn of(board: &Board, known: Option<Cell>) -> Moves {
        let mut moves = Moves { list: [(0, 0); MAX_REACH], len: 0 };
        for cell in board.reach().take(MAX_REACH) {
            let promise = if known == Some(cell) { i16::MAX } else { promise(board, cell) };
            let mut place = moves.len;
            while place > 0 && moves.list[place - 1].0 < promise {
                moves.list[place] = moves.list[place - 1];
                place -= 1;
            }
            moves.list[place] = (promise, cell);
            moves.len += 1;
        }
        moves
    }
}

/// How good a card looks: its value less the best reply.
fn promise(board: &Board, cell: Cell) -> i16 {
    i16::from(board.value(cell)) - i16::from(board.best_reply(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::tests::{EXAMPLE, at, board, random};

    const ALL: Allowance = Allowance { nodes: u64::MAX, time_us: u64::MAX, clock: || 0 };

    fn solve(board: &mut Board) -> Found {
        let found = Search::new(64 << 20).best(board, ALL).unwrap();
        assert!(found.is_complete && u32::from(found.depth) <= board.left());
        found
    }

    #[test]
    fn the_example_is_worth_four() {
        let mut board = board(EXAMPLE);
        assert_eq!(solve(&mut board).value, 4);
        let values =
            [((2, 5), 4), ((1, 1), 4), ((5, 1), 2), ((2, 2), 1), ((4, 1), 0), ((3, 1), -1), ((2, 3), -1), ((2, 4), -1)];
        for ((x, y), value) in values {
            let cell = at(x, y);
            let cursor = board.take(cell);
            assert_eq!(i32::from(board.value(cell)) - solve(&mut board).value, value, "({x},{y})");
            board.put_back(cell, cursor);
        }
        for ((x, y), value) in [((2, 5), 4), ((1, 5), 5), ((1, 1), 4), ((5, 1), 3)] {
            assert_eq!(solve(&mut board).value, value);
            board.take(at(x, y));
        }
        assert_eq!(solve(&mut board).value, 3);
    }

    /// Prints what the course's page gives: `cargo test --release -p client-tirs -- --ignored --nocapture speed`.
    #[test]
    #[ignore = "a measurement"]
    fn speed() {
        for (size, left, count) in [(4, 15, 50), (5, 24, 10), (6, 24, 5), (8, 20, 5), (8, 24, 5), (8, 26, 5)] {
            let mut all = vec![];
            for number in 0..count {
                let mut board = random(size, number);
                while let Some(cell) = crate::greedy::level1(&mut board).filter(|_| board.left() > left) {
                    board.take(cell);
                }
                if board.best() == 0 {
                    continue;
                }
                let begin = std::time::Instant::now();
                let found = solve(&mut board);
                all.push((found.nodes, begin.elapsed()));
            }
            all.sort();
            println!("{size}x{size}, {left} left: median {:?}", all[all.len() / 2]);
        }
    }

    /// How often the default search sees the end, by size and cards left, as README.md has it:
    /// `cargo test --release -p client-tirs -- --ignored --nocapture sees_the_end`.
    #[test]
    #[ignore = "a measurement"]
    fn how_often_it_sees_the_end() {
        let allowance = Allowance { nodes: crate::NODES, ..ALL };
        for (size, left) in
            [(5, 16), (5, 20), (5, 22), (5, 24), (8, 14), (8, 16), (8, 18), (8, 20), (8, 22), (8, 24), (8, 26)]
        {
            let (mut seen, mut count) = (0, 0);
            for number in 0.. {
                let mut board = random(size, number);
                while let Some(cell) = crate::greedy::level1(&mut board).filter(|_| board.left() > left) {
                    board.take(cell);
                }
                if board.best() == 0 {
                    continue;
                }
                count += 1;
                seen += u32::from(Search::new(crate::TABLE).best(&mut board, allowance).unwrap().is_complete);
                if count == 150 {
                    break;
                }
            }
            println!("{size} x {size}, {left} cards left: {seen} of {count}");
        }
    }

    /// The value by the definition, for each set of cards and each cursor once.
    fn minimax(values: &[i32; 16], cards: usize, cursor: usize, known: &mut [Option<i32>]) -> i32 {
        if let Some(value) = known[cards << 4 | cursor] {
            return value;
        }
        let within =
            (0..16).filter(|cell| cards >> cell & 1 == 1 && (cell % 4 == cursor % 4 || cell / 4 == cursor / 4));
        let worth = |cell: usize| values[cell] - minimax(values, cards & !(1 << cell), cell, known);
        let value = within.map(worth).max().unwrap_or(0);
        known[cards << 4 | cursor] = Some(value);
        value
    }

    #[test]
    fn small_boards_are_worth_what_minimax_says() {
        for number in 0..20 {
            let mut board = random(4, number);
            let cursor = board.cursor().map(|cell| usize::from(cell % 20 + cell / 20 * 4)).unwrap();
            let values = std::array::from_fn(|cell| i32::from(board.value((cell % 4 + cell / 4 * 20) as Cell)));
            let value = minimax(&values, 0xFFFF & !(1 << cursor), cursor, &mut vec![None; 1 << 20]);
            assert_eq!(solve(&mut board).value, value, "board {number}");
            // A table that is far too small changes nothing but the time.
            assert_eq!(Search::new(1 << 14).best(&mut board, ALL).unwrap().value, value);
        }
    }
}
