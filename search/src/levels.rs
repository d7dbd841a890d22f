//! Distances on a grid by levels: all cells that a side reaches next, at once. Both sides go level by level together, so that every
//! term is a count of sets and no cell's distance is ever written down.

use crate::grid::{Cells, Grid};
use crate::lanes::Lanes;
use crate::terms::{Terms, nearness};

/// The free cells that each side can ever reach.
pub(crate) type Reached = [Cells; 2];

/// How far apart the levels are at which both sides reach a cell: three bits a cell, and no more once they say `MOST`.
struct Waits<L>([L; 3]);

impl<L: Lanes> Waits<L> {
    #[inline(always)]
    fn add<const MOST: usize>(&mut self, cells: L) {
        let [ones, twos, fours] = self.0;
        let full = if MOST == 7 { ones.and(twos).and(fours) } else { twos.and(fours) };
        let add = cells.without(full);
        let carry = ones.and(add);
        self.0 = [ones.xor(add), twos.xor(carry), fours.xor(twos.and(carry))];
    }

    /// The sum of their numbers over some cells.
    #[inline(always)]
    fn sum(&self, cells: L) -> i32 {
        let [ones, twos, fours] = self.0;
        ones.and(cells).count() + 2 * twos.and(cells).count() + 4 * fours.and(cells).count()
    }
}

/// The terms for side 0, with `tied` as counts; those of D1 alone unless `FULL`.
#[inline(always)]
pub(crate) fn measure<L: Lanes, const FULL: bool>(
    grid: &Grid,
    free: &Cells,
    queens: &[Cells; 2],
    reached: &mut Reached,
) -> Terms {
    let free = L::load(free);
    let queens = [L::load(&queens[0]), L::load(&queens[1])];
    let mut terms = Terms::default();
    let left = by_queens::<L, FULL>(grid, free, queens, &mut terms);
    free.without(left[0]).store(&mut reached[0]);
    free.without(left[1]).store(&mut reached[1]);
    if FULL {
        by_kings(grid, free, queens, &mut terms);
    }
    terms
}

/// The terms of D1; returns the cells that each side never reaches.
#[inline(always)]
fn by_queens<L: Lanes, const FULL: bool>(grid: &Grid, free: L, queens: [L; 2], terms: &mut Terms) -> [L; 2] {
    let empty = free.without(free);
    let enter: &[Cells; 8] = &grid.enter;
    let mut left = [free, free];
    let mut new = queens;
    let (mut closer, mut tied) = ([empty, empty], empty);
    let mut waits = Waits([empty; 3]);
    for distance in 1.. {
        new = [queen_step(new[0], left[0], enter), queen_step(new[1], left[1], enter)];
        left = [left[0].without(new[0]), left[1].without(new[1])];
        if new[0].or(new[1]).is_empty() {
            break;
        }
        closer = [closer[0].or(new[0].and(left[1])), closer[1].or(new[1].and(left[0]))];
        tied = tied.or(new[0].and(new[1]));
        if FULL {
            terms.near1 += nearness(distance) * (new[0].count() - new[1].count());
            waits.add::<7>(left[0].xor(left[1]));
        }
    }
    terms.closer1 = closer[0].count() - closer[1].count();
    terms.tied1 = tied.count();
    let both = free.without(left[0].or(left[1]));
    terms.contested = if FULL { weigh(&waits, both) } else { both.count() };
    left
}

/// The sum over the cells of 128 >> wait.
#[inline(always)]
fn weigh<L: Lanes>(waits: &Waits<L>, cells: L) -> i32 {
    let far = cells.and(waits.0[2]);
    let near = 16 * weigh_low(waits, cells.without(far));
    if far.is_empty() { near } else { near + weigh_low(waits, far) }
}

/// The sum over the cells of 8 >> wait, by its two low bits.
#[inline(always)]
fn weigh_low<L: Lanes>(waits: &Waits<L>, cells: L) -> i32 {
    let [ones, twos, _] = waits.0;
    let (low, high) = (cells.without(twos), cells.and(twos));
    let (zero, two) = (low.without(ones).count(), high.without(ones).count());
    let (one, three) = (low.count() - zero, high.count() - two);
    8 * zero + 4 * one + 2 * two + three
}

/// The terms of D2.
#[inline(always)]
fn by_kings<L: Lanes>(grid: &Grid, free: L, queens: [L; 2], terms: &mut Terms) {
    let empty = free.without(free);
    let mut left = [free, free];
    let mut new = queens;
    let (mut closer, mut tied) = ([empty, empty], empty);
    let mut waits = Waits([empty; 3]);
    loop {
        new = [king_step(new[0], left[0], grid), king_step(new[1], left[1], grid)];
        left = [left[0].without(new[0]), left[1].without(new[1])];
        if new[0].or(new[1]).is_empty() {
            break;
        }
        closer = [closer[0].or(new[0].and(left[1])), closer[1].or(new[1].and(left[0]))];
        tied = tied.or(new[0].and(new[1]));
        waits.add::<6>(left[0].xor(left[1]));
    }
    // Where one side never comes, the other is six ahead.
    let only = [left[1].without(left[0]), left[0].without(left[1])];
    let met = [closer[0].without(only[0]), closer[1].without(only[1])];
    terms.near2 = 6 * (only[0].count() - only[1].count()) + waits.sum(met[0]) - waits.sum(met[1]);
    terms.closer2 = closer[0].count() - closer[1].count();
    terms.tied2 = tied.count();
}

/// The cells of `left` that a slide from a cell of `from` reaches. A slide need not pass what was reached before: whoever could go on
/// from there has done so.
#[inline(always)]
fn queen_step<L: Lanes>(from: L, left: L, enter: &[Cells; 8]) -> L {
    if left.is_empty() {
        return left;
    }
    let [n, a] = slide::<L, 0>(from, left, enter);
    let [ne, b] = slide::<L, 1>(from, left, enter);
    let [e, c] = slide::<L, 2>(from, left, enter);
    let [se, d] = slide::<L, 3>(from, left, enter);
    let [s, f] = slide::<L, 4>(from, left, enter);
    let [sw, g] = slide::<L, 5>(from, left, enter);
    let [w, h] = slide::<L, 6>(from, left, enter);
    let [nw, i] = slide::<L, 7>(from, left, enter);
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

/// `from` and what is up to three steps from it, and where four steps in a row end, all of them over `left`.
#[inline(always)]
fn slide<L: Lanes, const D: usize>(from: L, left: L, enter: &[Cells; 8]) -> [L; 2] {
    let over = left.and(L::load(&enter[D]));
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

/// The cells of `left` that are one step from a cell of `from`.
#[inline(always)]
fn king_step<L: Lanes>(from: L, left: L, grid: &Grid) -> L {
    if grid.is_regular {
        let wide = from.widen();
        return wide.or(wide.shift::<0, 1>()).or(wide.shift::<4, 1>()).and(left);
    }
    let beside = enter::<L, 0>(from, grid).or(enter::<L, 1>(from, grid)).or(enter::<L, 2>(from, grid));
    let beside = beside.or(enter::<L, 3>(from, grid)).or(enter::<L, 4>(from, grid)).or(enter::<L, 5>(from, grid));
    beside.or(enter::<L, 6>(from, grid)).or(enter::<L, 7>(from, grid)).and(left)
}

/// The cells one step from a cell of `from` in a direction.
#[inline(always)]
fn enter<L: Lanes, const D: usize>(from: L, grid: &Grid) -> L {
    from.shift::<D, 1>().and(L::load(&grid.enter[D]))
}
