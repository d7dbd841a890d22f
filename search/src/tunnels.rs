//! Edges that lead elsewhere than their direction does on a grid. The ways around them distinguish them from the
//! others, and they are followed one by one, in addition to the steps of all squares at once.

use crate::sets::NONE;
use agon_boards::Direction;

/// With more of them, sets of vertices are faster.
const MOST_TUNNELS: usize = 16;
/// Steps of a way around an edge.
const AROUND: u32 = 3;

/// An edge that is not on the grid.
#[derive(Clone, Debug)]
pub(crate) struct Tunnel {
    /// Where it begins, and before that the vertices of the grid from which a slide comes there, the nearest first.
    pub before: Vec<u16>,
    /// Where it ends, and what a slide comes to from there on.
    pub beyond: Vec<u16>,
}

/// A neighbour, by columns to the right and rows down, whichever way the edge leads.
pub(crate) type Link = (usize, isize, isize);

/// The edges of each vertex.
pub(crate) fn links(next: &[[u16; 8]]) -> Vec<Vec<Link>> {
    let mut links = vec![Vec::new(); next.len()];
    for (from, row) in next.iter().enumerate() {
        for (direction, &to) in Direction::ALL.into_iter().zip(row).filter(|(_, to)| **to != NONE) {
            let (x, y) = direction.step();
            links[from].push((usize::from(to), x, y));
            links[usize::from(to)].push((from, -x, -y));
        }
    }
    links
}

/// The edges that others go around as on a grid; `None` if too many are not of that kind.
pub(crate) fn edges_of_grid(next: &[[u16; 8]]) -> Option<Vec<[u16; 8]>> {
    let links = links(next);
    let mut of_grid = next.to_vec();
    let mut tunnels = 0;
    for (from, row) in of_grid.iter_mut().enumerate() {
        for (direction, to) in Direction::ALL.into_iter().zip(row).filter(|(_, to)| **to != NONE) {
            let (x, y) = direction.step();
            if !leads_around(&links, from, from, (usize::from(*to), x, y), AROUND) {
                *to = NONE;
                tunnels += 1;
            }
        }
    }
    (tunnels <= MOST_TUNNELS).then_some(of_grid)
}

/// Whether steps over other points, at least two and at most so many, lead to a vertex as a link does; they do not come
/// back to the vertex they set out from.
fn leads_around(links: &[Vec<Link>], origin: usize, at: usize, (to, x, y): Link, steps: u32) -> bool {
    links[at].iter().any(|&(next, right, down)| {
        let (x, y) = (x - right, y - down);
        let is_there = next == to && (x, y) == (0, 0) && steps < AROUND;
        let goes_on = steps > 1 && (x, y) != (0, 0) && next != origin;
        is_there || goes_on && leads_around(links, origin, next, (to, x, y), steps - 1)
    })
}

/// The edges that are not of the grid, with the slides that lead through them.
pub(crate) fn tunnels(next: &[[u16; 8]], of_grid: &[[u16; 8]]) -> Vec<Tunnel> {
    let mut tunnels = Vec::new();
    for (from, (row, grid_row)) in next.iter().zip(of_grid).enumerate() {
        for direction in (0..8).filter(|&direction| row[direction] != grid_row[direction]) {
            tunnels.push(Tunnel {
                before: follow(from as u16, |vertex| {
                    let source = of_grid.iter().position(|row| row[direction] == vertex);
                    source.map_or(NONE, |source| source as u16)
                }),
                beyond: follow(row[direction], |vertex| next[usize::from(vertex)][direction]),
            });
        }
    }
    tunnels
}

/// A vertex and those that follow, until there is none or it comes again.
fn follow(first: u16, next: impl Fn(u16) -> u16) -> Vec<u16> {
    let mut way = vec![first];
    loop {
        let vertex = next(way[way.len() - 1]);
        if vertex == NONE || way.contains(&vertex) {
            return way;
        }
        way.push(vertex);
    }
}
