//! Warns about odd maps: lines that are cycles, queens that cannot move, vertices that no queen can reach, and queens
//! that break the rules of the course.

use crate::{Board, Direction, LineColumn, Map};
use std::collections::BTreeSet;

/// Something that the author of a map may not have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Line and column, from 1.
    pub place: LineColumn,
    pub what: String,
}

/// The most squares that a warning names.
const NAMED: usize = 12;

impl Map {
    /// Everything odd, in the order of the file.
    pub fn warnings(&self) -> Vec<Warning> {
        let board = self.board();
        let found = [cycles(board), idle_queens(board), unreachable(board), course(board)];
        let told = |(vertex, what): (usize, String)| Warning { place: self.place(vertex), what };
        let mut warnings: Vec<_> = found.into_iter().flatten().map(told).collect();
        warnings.sort_by_key(|warning| warning.place);
        warnings
    }
}

/// A vertex, and its oddity.
type Odd = (usize, String);

fn names(board: &Board, vertices: &[usize]) -> String {
    let mut names: Vec<_> = vertices.iter().take(NAMED).map(|&vertex| board.name(vertex)).collect();
    if vertices.len() > NAMED {
        names.push(format!("… ({} in all)", vertices.len()));
    }
    names.join(" ")
}

/// Lines that return to their beginning; both directions count once.
fn cycles(board: &Board) -> Vec<Odd> {
    let mut found = BTreeSet::new();
    let mut odd = Vec::new();
    for direction in Direction::ALL {
        let axis = direction.index() % 4;
        for cycle in cycles_towards(board, direction) {
            let mut key = cycle.clone();
            key.sort_unstable();
            if found.insert((axis, key)) {
                let cells = names(board, &cycle);
                odd.push((
                    cycle[0],
                    format!("direction {direction:?} leads round in a circle: {cells}; a slide ends before it is back"),
                ));
            }
        }
    }
    odd
}

fn cycles_towards(board: &Board, direction: Direction) -> Vec<Vec<usize>> {
    let next: Vec<_> = (0..board.num_vertices()).map(|vertex| board.neighbour(vertex, direction)).collect();
    // 0 for a vertex not seen yet, else the number of the walk that saw it first.
    let mut seen = vec![0; next.len()];
    let mut cycles = Vec::new();
    for begin in 0..next.len() {
        let mut here = Some(begin);
        while let Some(vertex) = here.filter(|&vertex| seen[vertex] == 0) {
            seen[vertex] = begin + 1;
            here = next[vertex];
        }
        if let Some(again) = here.filter(|&vertex| seen[vertex] == begin + 1) {
            let round = std::iter::successors(next[again], |&vertex| next[vertex].filter(|_| vertex != again));
            let mut cycle: Vec<_> = round.collect();
            cycle.rotate_right(1);
            cycles.push(cycle);
        }
    }
    cycles
}

fn is_blocked(board: &Board, vertex: usize) -> bool {
    board.blocked().binary_search(&(vertex as u32)).is_ok()
}

fn queens(board: &Board) -> impl Iterator<Item = usize> {
    board.queens(0).iter().chain(board.queens(1)).map(|&queen| queen as usize)
}

/// Queens from which no edge leads to a vertex that can ever be free.
fn idle_queens(board: &Board) -> Vec<Odd> {
    let can_leave = |queen: usize| board.neighbours(queen).any(|(to, _)| !is_blocked(board, to));
    let idle = queens(board).filter(|&queen| !can_leave(queen));
    idle.map(|queen| (queen, format!("the queen on {} is isolated: it can never move", board.name(queen)))).collect()
}

fn unreachable(board: &Board) -> Vec<Odd> {
    let mut open: Vec<_> = queens(board).collect();
    let mut reached = vec![false; board.num_vertices()];
    open.iter().for_each(|&queen| reached[queen] = true);
    while let Some(vertex) = open.pop() {
        for (to, _) in board.neighbours(vertex) {
            if !reached[to] && !is_blocked(board, to) {
                reached[to] = true;
                open.push(to);
            }
        }
    }
    let is_lost = |vertex: &usize| !reached[*vertex] && !board.is_hole(*vertex) && !is_blocked(board, *vertex);
    let lost: Vec<_> = (0..board.num_vertices()).filter(is_lost).collect();
    let what = || format!("no queen can ever reach {}", names(board, &lost));
    lost.first().map(|&first| (first, what())).into_iter().collect()
}

/// The course's rules for queens on a grid.
fn course(board: &Board) -> Vec<Odd> {
    if !board.is_grid() {
        return Vec::new();
    }
    let (columns, rows) = (board.columns(), board.rows());
    let all: Vec<_> = queens(board).collect();
    let mut odd = Vec::new();
    if !is_symmetric(board) {
        odd.push((
            all[0],
            "the course asks for queens of both sides in symmetry: turned by half a turn, or mirrored".to_owned(),
        ));
    }
    for (index, &a) in all.iter().enumerate() {
        for &b in &all[..index] {
            if (a % columns).abs_diff(b % columns) + (a / columns).abs_diff(b / columns) < 2 {
                let (a_name, b_name) = (board.name(a), board.name(b));
                odd.push((a, format!("the course asks for queens that are no neighbours in a row or column; {b_name} and {a_name} are")));
            }
        }
    }
    let on_border = |at: usize, length: usize| at == 0 || at == length - 1;
    let in_rows = all.iter().filter(|&&queen| on_border(queen / columns, rows)).count();
    let in_columns = all.iter().filter(|&&queen| on_border(queen % columns, columns)).count();
    if in_rows != in_columns {
        let what = format!(
            "the course asks for as many queens in the border rows as in the border columns; here they are {in_rows} and {in_columns}"
        );
        odd.push((all[0], what));
    }
    odd
}

/// Whether half a turn or a mirror turns one side into the other.
fn is_symmetric(board: &Board) -> bool {
    let (columns, rows) = (board.columns(), board.rows());
    [(true, true), (true, false), (false, true)].into_iter().any(|(turns_columns, turns_rows)| {
        let image = |queen: &u32| {
            let (column, row) = (*queen as usize % columns, *queen as usize / columns);
            let column = if turns_columns { columns - 1 - column } else { column };
            let row = if turns_rows { rows - 1 - row } else { row };
            (row * columns + column) as u32
        };
        board.queens(0).iter().all(|queen| board.queens(1).contains(&image(queen)))
    })
}
