//! Steps on a grid: all squares of a set move at once, by shifts of bits.

use crate::grid::Grid;
use crate::lanes::Lanes;
use crate::sets::{Both, Cells, Field, NONE, Two};

/// A grid with its pieces.
pub(crate) struct OnGrid<'a, B> {
    grid: &'a Grid,
    free: B,
}

/// Cells of both sides: two sets of them, or a set that has room for two.
pub(crate) trait Sides: Both {
    /// From cells as the grid numbers them, for both sides the same.
    fn load(cells: &Cells) -> Self;
    /// A vertex of each side.
    fn pieces(grid: &Grid, vertices: [u16; 2]) -> Self;
    fn queen_steps(grid: &Grid, from: Self, left: Self) -> Self;
    fn king_steps(grid: &Grid, from: Self, left: Self) -> Self;
}

impl<L: Lanes> Sides for Two<L> {
    #[inline(always)]
    fn load(cells: &Cells) -> Self {
        Two([L::load(cells); 2])
    }
    #[inline(always)]
    fn pieces(grid: &Grid, [a, b]: [u16; 2]) -> Self {
        Two([L::only(grid, a), L::only(grid, b)])
    }
    #[inline(always)]
    fn queen_steps(grid: &Grid, from: Self, left: Self) -> Self {
        Two([queen_step(grid, from.0[0], left.0[0]), queen_step(grid, from.0[1], left.0[1])])
    }
    #[inline(always)]
    fn king_steps(grid: &Grid, from: Self, left: Self) -> Self {
        Two([king_step(grid, from.0[0], left.0[0]), king_step(grid, from.0[1], left.0[1])])
    }
}

impl<'a, B: Sides> OnGrid<'a, B> {
    #[inline(always)]
    pub fn new(grid: &'a Grid, free: &Cells) -> OnGrid<'a, B> {
        OnGrid { grid, free: B::load(free) }
    }
}

impl<B: Sides> Field for OnGrid<'_, B> {
    type Both = B;

    #[inline(always)]
    fn free(&self) -> B {
        self.free
    }
    #[inline(always)]
    fn pieces(&self, vertices: [u16; 2]) -> B {
        B::pieces(self.grid, vertices)
    }
    #[inline(always)]
    fn queen_steps(&self, from: B, left: B, _: u32) -> B {
        let reached = B::queen_steps(self.grid, from, left);
        if self.grid.tunnels.is_empty() { reached } else { reached.or(slide_through(self.grid, from, left)) }
    }
    #[inline(always)]
    fn king_steps(&self, from: B, left: B) -> B {
        let reached = B::king_steps(self.grid, from, left);
        if self.grid.tunnels.is_empty() { reached } else { reached.or(step_through(self.grid, from, left)) }
    }
}

/// Whether a vertex is in the set of a side.
#[inline(always)]
fn has<B: Sides>(grid: &Grid, sets: B, side: usize, vertex: u16) -> bool {
    !sets.and(only(grid, side, vertex)).is_empty()
}

/// A vertex for one side, none for the other.
#[inline(always)]
fn only<B: Sides>(grid: &Grid, side: usize, vertex: u16) -> B {
    B::pieces(grid, if side == 0 { [vertex, NONE] } else { [NONE, vertex] })
}

/// The squares that slides reach through tunnels.
#[inline(always)]
fn slide_through<B: Sides>(grid: &Grid, from: B, left: B) -> B {
    let mut reached = left.without(left);
    for tunnel in &grid.tunnels {
        for side in 0..2 {
            if !has(grid, left, side, tunnel.beyond[0]) || !comes_to(grid, from, left, side, &tunnel.before) {
                continue;
            }
            for &vertex in &tunnel.beyond {
                if !has(grid, left, side, vertex) {
                    break;
                }
                reached = reached.or(only(grid, side, vertex));
            }
        }
    }
    reached
}

/// Whether a slide comes to the first of these vertices from one of them, over those between.
#[inline(always)]
fn comes_to<B: Sides>(grid: &Grid, from: B, left: B, side: usize, before: &[u16]) -> bool {
    for &vertex in before {
        if has(grid, from, side, vertex) {
            return true;
        }
        if !has(grid, left, side, vertex) {
            return false;
        }
    }
    false
}

/// The squares that kings reach through tunnels.
#[inline(always)]
fn step_through<B: Sides>(grid: &Grid, from: B, left: B) -> B {
    let mut reached = left.without(left);
    for tunnel in &grid.tunnels {
        let (begin, end) = (tunnel.before[0], tunnel.beyond[0]);
        for side in 0..2 {
            if has(grid, left, side, end) && has(grid, from, side, begin) {
                reached = reached.or(only(grid, side, end));
            }
        }
    }
    reached
}

/// The cells of `left` that a slide from a cell of `from` reaches.
#[inline(always)]
pub(crate) fn queen_step<L: Lanes>(grid: &Grid, from: L, left: L) -> L {
    if left.is_empty() {
        return left;
    }
    let [n, a] = slide::<L, 0>(grid, from, left);
    let [ne, b] = slide::<L, 1>(grid, from, left);
    let [e, c] = slide::<L, 2>(grid, from, left);
    let [se, d] = slide::<L, 3>(grid, from, left);
    let [s, f] = slide::<L, 4>(grid, from, left);
    let [sw, g] = slide::<L, 5>(grid, from, left);
    let [w, h] = slide::<L, 6>(grid, from, left);
    let [nw, i] = slide::<L, 7>(grid, from, left);
    let reached = n.or(ne).or(e.or(se)).or(s.or(sw).or(w.or(nw)));
    let long = a.or(b).or(c.or(d)).or(f.or(g).or(h.or(i)));
    let reached = if long.is_empty() {
        reached
    } else {
        let far = slide_on::<L, 0>(n, a).or(slide_on::<L, 1>(ne, b)).or(slide_on::<L, 2>(e, c));
        let far = far.or(slide_on::<L, 3>(se, d)).or(slide_on::<L, 4>(s, f)).or(slide_on::<L, 5>(sw, g));
        far.or(slide_on::<L, 6>(w, h)).or(slide_on::<L, 7>(nw, i))
    };
    reached.and(left)
}

/// The cells of `left` that are one step from a cell of `from`.
#[inline(always)]
pub(crate) fn king_step<L: Lanes>(grid: &Grid, from: L, left: L) -> L {
    if grid.is_regular {
        let wide = from.widen();
        return wide.or(wide.shift::<0, 1>()).or(wide.shift::<4, 1>()).and(left);
    }
    let beside = enter::<L, 0>(grid, from).or(enter::<L, 1>(grid, from)).or(enter::<L, 2>(grid, from));
    let beside = beside.or(enter::<L, 3>(grid, from)).or(enter::<L, 4>(grid, from)).or(enter::<L, 5>(grid, from));
    beside.or(enter::<L, 6>(grid, from)).or(enter::<L, 7>(grid, from)).and(left)
}

/// The cells one step from a cell of `from` in a direction.
#[inline(always)]
fn enter<L: Lanes, const D: usize>(grid: &Grid, from: L) -> L {
    from.shift::<D, 1>().and(L::enter::<D>(grid))
}

/// `from` with all squares up to three steps away, and the ends of four steps in a row, all of them over `left`.
#[inline(always)]
fn slide<L: Lanes, const D: usize>(grid: &Grid, from: L, left: L) -> [L; 2] {
    let over = left.and(L::enter::<D>(grid));
    let one = from.or(over.and(from.shift::<D, 1>()));
    let over2 = over.and(over.shift::<D, 1>());
    let three = one.or(over2.and(one.shift::<D, 2>()));
    [three, over2.and(over2.shift::<D, 2>())]
}

/// From three steps on to the end of the grid.
#[inline(always)]
fn slide_on<L: Lanes, const D: usize>(three: L, over4: L) -> L {
    let seven = three.or(over4.and(three.shift::<D, 4>()));
    let over8 = over4.and(over4.shift::<D, 4>());
    let fifteen = seven.or(over8.and(seven.shift::<D, 8>()));
    if L::SIZE == 16 {
        return fifteen;
    }
    let over16 = over8.and(over8.shift::<D, 8>());
    fifteen.or(over16.and(fifteen.shift::<D, 16>()))
}
