//! The terms by levels: all vertices that a side reaches next, at once. Both sides go level by level together, so that every
//! term is a count of sets and no vertex's distance is ever written down.

use crate::sets::{Field, Set};
use crate::terms::{Terms, nearness};
use crate::value::{Features, trapped};

/// What is to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The terms of D1 but for `near1`; `contested` is the number of vertices that both sides reach.
    Territory,
    /// All terms.
    Terms,
    /// All terms, and how trapped queens are where something is contested.
    All,
}

/// Counts for side 0.
#[inline(always)]
pub(crate) fn measure<F: Field>(field: &F, queens: [&[u16]; 2], extent: Extent) -> Features {
    let free = field.free();
    let sets = [all_of(field, queens[0]), all_of(field, queens[1])];
    let mut terms = Terms::default();
    if extent == Extent::Territory {
        by_queens::<F, false>(field, sets, &mut terms);
        return Features { terms, trapped: 0, reached: 1 };
    }
    let left = by_queens::<F, true>(field, sets, &mut terms);
    by_kings(field, sets, &mut terms);
    if terms.contested == 0 {
        return Features { terms, trapped: 0, reached: 1 };
    }
    let reached = free.without(left[0].and(left[1])).count();
    let mut trapped = 0;
    if extent == Extent::All {
        trapped = trapped_queens(field, queens[1], free.without(left[0]))
            - trapped_queens(field, queens[0], free.without(left[1]));
    }
    Features { terms, trapped, reached }
}

// Closures would be compiled without AVX2: loops go around.

#[inline(always)]
fn all_of<F: Field>(field: &F, vertices: &[u16]) -> F::Set {
    let mut set = field.free().without(field.free());
    for &vertex in vertices {
        set = set.or(field.only(vertex));
    }
    set
}

/// How trapped some queens are, where the other side reaches `open`.
#[inline(always)]
fn trapped_queens<F: Field>(field: &F, queens: &[u16], open: F::Set) -> i32 {
    let mut sum = 0;
    for &queen in queens {
        sum += trapped(elbow_room(field, queen, open));
    }
    sum
}

/// Vertices of `open` that a king in the place of the queen comes to over them alone: four for each in one step, two for each in two, one
/// for each in three.
#[inline(always)]
fn elbow_room<F: Field>(field: &F, queen: u16, open: F::Set) -> i32 {
    let one = field.king_step(field.only(queen), open);
    let left = open.without(one);
    let two = field.king_step(one, left);
    let three = field.king_step(two, left.without(two));
    4 * one.count() + 2 * two.count() + three.count()
}

/// How far apart the levels are at which both sides reach a cell: three bits a cell, and no more once they say `MOST`.
struct Waits<S>([S; 3]);

impl<S: Set> Waits<S> {
    #[inline(always)]
    fn add<const MOST: usize>(&mut self, cells: S) {
        let [ones, twos, fours] = self.0;
        let full = if MOST == 7 { ones.and(twos).and(fours) } else { twos.and(fours) };
        let add = cells.without(full);
        let carry = ones.and(add);
        self.0 = [ones.xor(add), twos.xor(carry), fours.xor(twos.and(carry))];
    }

    /// The sum of their numbers over some cells.
    #[inline(always)]
    fn sum(&self, cells: S) -> i32 {
        let [ones, twos, fours] = self.0;
        ones.and(cells).count() + 2 * twos.and(cells).count() + 4 * fours.and(cells).count()
    }
}

/// The terms of D1; returns the vertices that each side never reaches.
#[inline(always)]
fn by_queens<F: Field, const FULL: bool>(field: &F, queens: [F::Set; 2], terms: &mut Terms) -> [F::Set; 2] {
    let free = field.free();
    let empty = free.without(free);
    let mut left = [free, free];
    let mut new = queens;
    let (mut closer, mut tied) = ([empty, empty], empty);
    let mut waits = Waits([empty; 3]);
    for distance in 1.. {
        new = [field.queen_step(new[0], left[0], distance - 1), field.queen_step(new[1], left[1], distance - 1)];
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
fn weigh<S: Set>(waits: &Waits<S>, cells: S) -> i32 {
    let far = cells.and(waits.0[2]);
    let near = 16 * weigh_low(waits, cells.without(far));
    if far.is_empty() { near } else { near + weigh_low(waits, far) }
}

/// The sum over the cells of 8 >> wait, by its two low bits.
#[inline(always)]
fn weigh_low<S: Set>(waits: &Waits<S>, cells: S) -> i32 {
    let [ones, twos, _] = waits.0;
    let (low, high) = (cells.without(twos), cells.and(twos));
    let (zero, two) = (low.without(ones).count(), high.without(ones).count());
    let (one, three) = (low.count() - zero, high.count() - two);
    8 * zero + 4 * one + 2 * two + three
}

/// The terms of D2.
#[inline(always)]
fn by_kings<F: Field>(field: &F, queens: [F::Set; 2], terms: &mut Terms) {
    let free = field.free();
    let empty = free.without(free);
    let mut left = [free, free];
    let mut new = queens;
    let (mut closer, mut tied) = ([empty, empty], empty);
    let mut waits = Waits([empty; 3]);
    loop {
        new = [field.king_step(new[0], left[0]), field.king_step(new[1], left[1])];
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
