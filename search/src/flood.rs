//! Steps on a grid: all cells of a set move at once, by shifts of bits.

use crate::grid::{Cells, Grid};
use crate::lanes::Lanes;
use crate::sets::Field;

/// A grid with what stands on it.
pub(crate) struct OnGrid<'a, L> {
    grid: &'a Grid,
    free: L,
}

impl<'a, L: Lanes> OnGrid<'a, L> {
    #[inline(always)]
    pub fn new(grid: &'a Grid, free: &Cells) -> OnGrid<'a, L> {
        OnGrid { grid, free: L::load(free) }
    }

    /// The cells one step from a cell of `from` in a direction.
    #[inline(always)]
    fn enter<const D: usize>(&self, from: L) -> L {
        from.shift::<D, 1>().and(L::enter::<D>(self.grid))
    }
}

impl<L: Lanes> Field for OnGrid<'_, L> {
    type Set = L;

    #[inline(always)]
    fn free(&self) -> L {
        self.free
    }

    #[inline(always)]
    fn only(&self, vertex: u16) -> L {
        L::only(self.grid, vertex.into())
    }

    #[inline(always)]
    fn queen_step(&self, from: L, left: L, _: u32) -> L {
        if left.is_empty() {
            return left;
        }
        let grid = self.grid;
        let [n, a] = slide::<L, 0>(from, left, grid);
        let [ne, b] = slide::<L, 1>(from, left, grid);
        let [e, c] = slide::<L, 2>(from, left, grid);
        let [se, d] = slide::<L, 3>(from, left, grid);
        let [s, f] = slide::<L, 4>(from, left, grid);
        let [sw, g] = slide::<L, 5>(from, left, grid);
        let [w, h] = slide::<L, 6>(from, left, grid);
        let [nw, i] = slide::<L, 7>(from, left, grid);
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

    #[inline(always)]
    fn king_step(&self, from: L, left: L) -> L {
        if self.grid.is_regular {
            let wide = from.widen();
            return wide.or(wide.shift::<0, 1>()).or(wide.shift::<4, 1>()).and(left);
        }
        let beside = self.enter::<0>(from).or(self.enter::<1>(from)).or(self.enter::<2>(from));
        let beside = beside.or(self.enter::<3>(from)).or(self.enter::<4>(from)).or(self.enter::<5>(from));
        beside.or(self.enter::<6>(from)).or(self.enter::<7>(from)).and(left)
    }
}

/// `from` and what is up to three steps from it, and where four steps in a row end, all of them over `left`.
#[inline(always)]
fn slide<L: Lanes, const D: usize>(from: L, left: L, grid: &Grid) -> [L; 2] {
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
