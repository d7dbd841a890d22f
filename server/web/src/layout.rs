//! Where the cells of a board are drawn that is no grid: as the board says, or where it does not, so that cells are as
//! far from each other as they are steps apart (stress majorization). Only sums, products and roots, so that the same
//! board looks the same on every machine.

use agon_games::Scene;
use std::collections::VecDeque;

/// Rounds in which every cell moves to where the others want it.
const ROUNDS: usize = 80;
/// Steps between parts of a board that are not joined.
const APART: usize = 6;

/// The middle of every cell, in cells: no two nearer than one, the smallest coordinates 0.
pub(crate) fn places(scene: &Scene) -> Vec<[f64; 2]> {
    let said: Option<Vec<[f64; 2]>> =
        scene.cells.iter().map(|cell| cell.at.map(|at| at.map(|place| f64::from(place) / 1000.0))).collect();
    let mut places = match said {
        Some(places) => places,
        None => spread(scene.cells.len(), &scene.edges),
    };
    if scene.columns == 0 {
        part(&mut places);
    }
    for axis in [0, 1] {
        let low = places.iter().map(|place| place[axis]).fold(f64::INFINITY, f64::min);
        places.iter_mut().for_each(|place| place[axis] -= low);
    }
    places
}

/// Scales so that the two nearest are one cell apart, or less where the board would be larger than a page.
fn part(places: &mut [[f64; 2]]) {
    let mut nearest = f64::INFINITY;
    let mut farthest: f64 = 0.0;
    for (index, a) in places.iter().enumerate() {
        for b in &places[index + 1..] {
            let distance = between(a, b);
            nearest = nearest.min(distance);
            farthest = farthest.max(distance);
        }
    }
    if nearest > 0.0 && nearest.is_finite() {
        let wanted = 1.5 / nearest;
        let scale = wanted.min(40.0 / farthest);
        places.iter_mut().for_each(|place| *place = place.map(|value| value * scale));
    }
}

fn between(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt()
}

/// Places for cells of which only the neighbours are known.
fn spread(count: usize, edges: &[[usize; 2]]) -> Vec<[f64; 2]> {
    let steps = distances(count, edges);
    let mut places: Vec<[f64; 2]> = (0..count).map(|index| on_circle(index, count)).collect();
    for _ in 0..ROUNDS {
        for cell in 0..count {
            let (mut sum, mut weights) = ([0.0; 2], 0.0);
            for other in (0..count).filter(|other| *other != cell) {
                let wanted = steps[cell][other] as f64;
                let (weight, real) = (1.0 / (wanted * wanted), between(&places[cell], &places[other]).max(1e-6));
                for (axis, sum) in sum.iter_mut().enumerate() {
                    let away = (places[cell][axis] - places[other][axis]) / real;
                    *sum += weight * (places[other][axis] + wanted * away);
                }
                weights += weight;
            }
            if weights > 0.0 {
                places[cell] = sum.map(|sum| sum / weights);
            }
        }
    }
    places
}

/// The start: around a circle, by a formula without sines.
fn on_circle(index: usize, count: usize) -> [f64; 2] {
    let radius = 1.0 + count as f64 / 6.0;
    // Half of the circle from t = -1 to 1, and the other half mirrored.
    let turn = 4.0 * index as f64 / count.max(1) as f64;
    let (t, side) = if turn < 2.0 { (turn - 1.0, 1.0) } else { (3.0 - turn, -1.0) };
    let square = t * t;
    [radius * side * (1.0 - square) / (1.0 + square), radius * 2.0 * t / (1.0 + square)]
}

/// Steps between every two cells.
fn distances(count: usize, edges: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); count];
    for &[a, b] in edges {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let from = |start: usize| {
        let mut steps = vec![APART; count];
        let (mut seen, mut queue) = (vec![false; count], VecDeque::from([start]));
        (steps[start], seen[start]) = (0, true);
        while let Some(cell) = queue.pop_front() {
            for &next in neighbours[cell].iter().filter(|next| !std::mem::replace(&mut seen[**next], true)) {
                steps[next] = steps[cell] + 1;
                queue.push_back(next);
            }
        }
        steps
    };
    (0..count).map(from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::{Cell, Piece};

    fn graph(count: usize, edges: &[[usize; 2]]) -> Scene {
        let cell = |index: usize| Cell { name: index.to_string(), at: None, piece: Piece::Empty, marked: false };
        Scene { cells: (0..count).map(cell).collect(), edges: edges.to_vec(), ..Scene::default() }
    }

    #[test]
    fn neighbours_are_nearer_than_others() {
        let ring: Vec<[usize; 2]> =
            (0..12).map(|cell| [cell.min((cell + 1) % 12), cell.max((cell + 1) % 12)]).collect();
        let places = places(&graph(12, &ring));
        for cell in 0..12 {
            let next = between(&places[cell], &places[(cell + 1) % 12]);
            let across = between(&places[cell], &places[(cell + 6) % 12]);
            assert!((1.49..2.0).contains(&next) && across > 3.0 * next, "{cell}: {next} and {across}");
        }
    }

    #[test]
    fn the_same_board_is_drawn_alike_and_nothing_lies_on_anything() {
        let tree: Vec<[usize; 2]> = (1..40).map(|cell| [(cell - 1) / 3, cell]).collect();
        let one = places(&graph(41, &tree));
        assert_eq!(one, places(&graph(41, &tree)));
        let pairs = (0..41).flat_map(|a| (0..a).map(move |b| (a, b)));
        let near = pairs.map(|(a, b)| between(&one[a], &one[b])).fold(f64::INFINITY, f64::min);
        assert!(near > 0.5, "{near}");
    }

    #[test]
    fn nothing_and_one_cell_are_boards_too() {
        assert!(places(&graph(0, &[])).is_empty());
        assert_eq!(places(&graph(1, &[])), [[0.0, 0.0]]);
        let mut far = graph(3, &[[0, 1]]);
        for (cell, at) in far.cells.iter_mut().zip([[i32::MIN, 0], [i32::MAX, i32::MIN], [0, i32::MAX]]) {
            cell.at = Some(at);
        }
        assert!(places(&far).iter().flatten().all(|place| (0.0..=41.0).contains(place)));
    }
}
