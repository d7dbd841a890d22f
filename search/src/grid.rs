//! A board laid out on a grid by following the directions of its edges, so that all its vertices step at once by shifts
//! of bits.

use crate::compact::Compact;
use crate::sets::{Cells, NONE, WORDS};
use crate::tunnels::{Link, Tunnel, edges_of_grid, links, tunnels};
use agon_boards::Direction;
use std::collections::BTreeSet;

/// Where the vertices of a board lie on a grid.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// The bit of each vertex, [`NONE`] for one without edges.
    pub cell: Vec<u16>,
    /// The cell of each vertex as a set, empty for one without edges; and an empty one.
    pub only: Vec<Cells>,
    /// Rows of 32 cells, not of 16.
    pub is_wide: bool,
    /// The cells that can be entered in each direction.
    pub enter: [Cells; 8],
    /// The same in few bits, where the board is so small.
    pub compact: CompactGrid,
    /// The edges that do not fit.
    pub tunnels: Vec<Tunnel>,
    /// Between any two cells that touch there is an edge, so that a king's step needs no table.
    pub is_regular: bool,
}

/// [`Grid::only`] and [`Grid::enter`] as [`Compact`] has them.
#[derive(Clone, Debug)]
pub(crate) struct CompactGrid {
    /// Empty for larger boards.
    pub only: Vec<Compact>,
    pub enter: [Compact; 8],
}

type Point = (isize, isize);

impl Grid {
    /// `None` where the directions of more than some edges contradict each other or the board is too large.
    pub fn embed(next: &[[u16; 8]]) -> Option<Grid> {
        let Some(points) = place_all(next, next) else {
            let of_grid = edges_of_grid(next)?;
            let points = place_all(next, &of_grid)?;
            let grid = Grid::of(&of_grid, &points)?;
            return Some(Grid { tunnels: tunnels(next, &of_grid), ..grid });
        };
        Grid::of(next, &points)
    }

    /// With the vertices at these points.
    fn of(next: &[[u16; 8]], points: &[Option<Point>]) -> Option<Grid> {
        let (width, height) = points.iter().flatten().fold((0, 0), |(x, y), point| (x.max(point.0), y.max(point.1)));
        let is_wide = width.max(height) >= 16;
        if width.max(height) >= 32 {
            return None;
        }
        let stride = if is_wide { 32 } else { 16 };
        let cell: Vec<u16> = points.iter().map(|point| point.map_or(NONE, |(x, y)| (y * stride + x) as u16)).collect();
        let mut only = vec![[0; WORDS]; cell.len() + 1];
        for (set, &bit) in only.iter_mut().zip(&cell).filter(|(_, bit)| **bit != NONE) {
            set[usize::from(bit / 64)] = 1 << (bit % 64);
        }
        let mut enter = [[0; WORDS]; 8];
        for row in next {
            for (direction, &to) in row.iter().enumerate() {
                if to != NONE {
                    let bit = cell[usize::from(to)];
                    enter[direction][usize::from(bit / 64)] |= 1 << (bit % 64);
                }
            }
        }
        let (columns, rows) = Compact::LARGEST;
        let is_compact = (width as usize) < columns && (height as usize) < rows;
        let small = if is_compact { only.iter().map(Compact::pack).collect() } else { Vec::new() };
        let compact = CompactGrid { only: small, enter: enter.each_ref().map(Compact::pack) };
        Some(Grid { cell, only, is_wide, enter, compact, tunnels: Vec::new(), is_regular: is_regular(next, points) })
    }
}

impl Grid {
    /// The index of a vertex in the tables of sets; [`NONE`] has the empty one.
    #[inline(always)]
    pub fn index(&self, vertex: u16) -> usize {
        usize::from(vertex).min(self.only.len() - 1)
    }

    /// Whether it is so small that [`Compact`] has room for it.
    #[inline(always)]
    pub fn is_compact(&self) -> bool {
        !self.compact.only.is_empty()
    }
}

/// The point of each vertex that has an edge, components of the grid's edges side by side; the least column and row are
/// 0.
fn place_all(next: &[[u16; 8]], of_grid: &[[u16; 8]]) -> Option<Vec<Option<Point>>> {
    let (all, links) = (links(next), links(of_grid));
    let mut points = vec![None; next.len()];
    let mut left = 0;
    for start in 0..next.len() {
        if points[start].is_none() && !all[start].is_empty() {
            let component = place_component(&links, start, &mut points)?;
            let bound =
                |pick: fn(&Point) -> isize| component.iter().filter_map(|&v| points[v].as_ref().map(pick)).min();
            let (low_x, low_y) = (bound(|point| point.0)?, bound(|point| point.1)?);
            let mut right = left;
            for vertex in component {
                let (x, y) = points[vertex]?;
                points[vertex] = Some((x - low_x + left, y - low_y));
                right = right.max(x - low_x + left + 1);
            }
            left = right;
        }
    }
    Some(points)
}

/// Places all vertices that hang together with `start`; `None` if one would have two points, or two the same.
fn place_component(links: &[Vec<Link>], start: usize, points: &mut [Option<Point>]) -> Option<Vec<usize>> {
    let mut component = vec![start];
    let mut taken = BTreeSet::from([(0, 0)]);
    points[start] = Some((0, 0));
    let mut done = 0;
    while let Some(&from) = component.get(done) {
        done += 1;
        let (x, y) = points[from]?;
        for &(to, right, down) in &links[from] {
            let point = (x + right, y + down);
            match points[to] {
                Some(known) if known != point => return None,
                Some(_) => {}
                None if !taken.insert(point) => return None,
                None => {
                    points[to] = Some(point);
                    component.push(to);
                }
            }
        }
    }
    Some(component)
}

fn is_regular(next: &[[u16; 8]], points: &[Option<Point>]) -> bool {
    let taken: BTreeSet<Point> = points.iter().flatten().copied().collect();
    next.iter().zip(points).all(|(row, point)| {
        let Some((x, y)) = point else { return true };
        Direction::ALL.into_iter().zip(row).all(|(direction, &to)| {
            let (right, down) = direction.step();
            to != NONE || !taken.contains(&(x + right, y + down))
        })
    })
}
