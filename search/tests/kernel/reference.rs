//! The terms by their definitions: distances by a queue over plain tables, one vertex at a time; and how trapped queens
//! are.

use agon_boards::{Board, Direction, walk};
use agon_search::{BoardTables, Position, TerritoryTerms};
use std::cmp::Ordering::{Equal, Greater, Less};

const FAR: i64 = 1 << 40;

/// The terms for the side to move.
pub fn terms(board: &Board, tables: &BoardTables, position: &Position) -> TerritoryTerms {
    let is_free = |vertex: usize| !position.is_occupied(tables, vertex as u16);
    let slides = |from: usize| -> Vec<usize> {
        Direction::ALL.into_iter().flat_map(|direction| walk(board, from, direction, is_free)).collect()
    };
    let steps =
        |from: usize| -> Vec<usize> { board.neighbours(from).map(|(to, _)| to).filter(|to| is_free(*to)).collect() };
    let (own, other) = (position.side(), 1 - position.side());
    let queens = |side: usize| position.queens(side).iter().map(|queen| usize::from(*queen)).collect::<Vec<_>>();
    let mut terms = TerritoryTerms::default();
    let [a, b] = [own, other].map(|side| distances(board, queens(side), &slides));
    for (a, b) in a.into_iter().zip(b) {
        terms.closer1 += i32::from(a < b) - i32::from(a > b);
        terms.tied1 += i32::from(a == b && a != FAR);
        let near = |d: i64| if d <= 7 { 128 >> d } else { 0 };
        terms.near1 += near(a) - near(b);
        terms.contested += if a != FAR && b != FAR { 128 >> (a - b).abs().min(7) } else { 0 };
    }
    let [a, b] = [own, other].map(|side| distances(board, queens(side), &steps));
    for (a, b) in a.into_iter().zip(b) {
        terms.closer2 += i32::from(a < b) - i32::from(a > b);
        terms.tied2 += i32::from(a == b && a != FAR);
        terms.near2 += (b - a).clamp(-6, 6) as i32;
    }
    terms
}

/// How trapped the other side's queens are less one's own, 1024 for one that cannot move, as if there were four a side.
pub fn trapped(board: &Board, tables: &BoardTables, position: &Position) -> f64 {
    let is_free = |vertex: usize| !position.is_occupied(tables, vertex as u16);
    let slides = |from: usize| -> Vec<usize> {
        Direction::ALL.into_iter().flat_map(|direction| walk(board, from, direction, is_free)).collect()
    };
    let of = |side: usize| -> f64 {
        let others = position.queens(1 - side).iter().map(|queen| usize::from(*queen)).collect();
        let reached = distances(board, others, &slides);
        let steps = |from: usize| -> Vec<usize> {
            board.neighbours(from).map(|(to, _)| to).filter(|to| reached[*to] != FAR).collect()
        };
        let room = |queen: usize| -> i64 {
            let near = distances(board, vec![queen], &steps).into_iter().filter(|distance| *distance <= 3);
            near.map(|distance| 8 >> distance).sum()
        };
        let trapped = |room: i64| 1024.0 * 2f64.powf(-room as f64 / 5.0);
        position.queens(side).iter().map(|queen| trapped(room(usize::from(*queen)))).sum()
    };
    let queens = position.queens(0).len() + position.queens(1).len();
    (of(1 - position.side()) - of(position.side())) * 8.0 / queens as f64
}

/// The network's inputs about the vertices, seen from a side: the number at each pair of distances, and the nearer side
/// as a queen and as a king.
pub fn census(board: &Board, tables: &BoardTables, position: &Position, side: usize) -> Vec<i32> {
    let is_free = |vertex: usize| !position.is_occupied(tables, vertex as u16);
    let slides = |from: usize| -> Vec<usize> {
        Direction::ALL.into_iter().flat_map(|direction| walk(board, from, direction, is_free)).collect()
    };
    let steps =
        |from: usize| -> Vec<usize> { board.neighbours(from).map(|(to, _)| to).filter(|to| is_free(*to)).collect() };
    let queens = |side: usize| position.queens(side).iter().map(|queen| usize::from(*queen)).collect::<Vec<_>>();
    let both = |reach: &dyn Fn(usize) -> Vec<usize>| {
        let [own, other] = [side, 1 - side].map(|side| distances(board, queens(side), reach));
        own.into_iter().zip(other).collect::<Vec<(i64, i64)>>()
    };
    let (by_queens, by_kings) = (both(&slides), both(&steps));
    let free: Vec<usize> = (0..board.num_vertices()).filter(|vertex| is_free(*vertex)).collect();
    let count = |is_wanted: &dyn Fn(usize) -> bool| free.iter().filter(|vertex| is_wanted(**vertex)).count() as i32;
    let mut census = Vec::new();
    for (distances, finite) in [(&by_queens, 2), (&by_kings, 3)] {
        let level = |distance: i64| if distance == FAR { finite } else { (distance - 1).min(finite - 1) };
        for other in 0..=finite {
            for own in 0..(other + 1).min(finite) {
                let is_here = |vertex: usize| {
                    let (a, b) = distances[vertex];
                    (level(a), level(b)) == (own, other)
                };
                census.push(count(&is_here));
            }
        }
    }
    let order = |(own, other): (i64, i64)| (own != FAR || other != FAR).then(|| own.cmp(&other));
    for (queen, king) in [(Less, Less), (Less, Equal), (Equal, Less), (Equal, Equal), (Less, Greater)] {
        let is_here = |vertex: usize| (order(by_queens[vertex]), order(by_kings[vertex])) == (Some(queen), Some(king));
        census.push(count(&is_here));
    }
    census
}

fn distances(board: &Board, queens: Vec<usize>, reach: &dyn Fn(usize) -> Vec<usize>) -> Vec<i64> {
    let mut found = vec![FAR; board.num_vertices()];
    let mut queue: Vec<(usize, i64)> = queens.into_iter().map(|queen| (queen, 0)).collect();
    let mut done = 0;
    while let Some(&(from, distance)) = queue.get(done) {
        done += 1;
        for to in reach(from) {
            if found[to] == FAR {
                found[to] = distance + 1;
                queue.push((to, distance + 1));
            }
        }
    }
    found
}
