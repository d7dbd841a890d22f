//! The terms by levels: all vertices that a side reaches next, at once. Both sides go level by level together, so that
//! every term is a count of sets and no vertex's distance is ever written down.

use crate::sets::{Both, Field, NONE, Set};
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

// Closures would be compiled without AVX2: loops and plain functions go around.

/// Counts for side 0.
#[inline(always)]
pub(crate) fn measure<F: Field>(field: &F, queens: [&[u16]; 2], extent: Extent) -> Features {
    let mut all = without_any(field);
    for index in 0..queens[0].len().max(queens[1].len()) {
        all = all.or(field.pieces(pair(queens, index)));
    }
    let mut terms = Terms::default();
    if extent == Extent::Territory {
        let left = by_queens::<F, false>(field, all, &mut terms);
        return Features { terms, may_be_decided: may_be_decided(field, left), ..Features::default() };
    }
    let left = by_queens::<F, true>(field, all, &mut terms);
    by_kings(field, all, &mut terms);
    if terms.contested == 0 {
        return Features { terms, may_be_decided: true, ..Features::default() };
    }
    let [reached, _] = field.free().without(left.and(left.swap())).counts();
    // Among many queens one matters less.
    let queens_of_both = (queens[0].len() + queens[1].len()).max(1) as i32;
    let trapped = if extent == Extent::All { 8 * trapped_queens(field, queens, left) / queens_of_both } else { 0 };
    Features { terms, trapped, reached, may_be_decided: may_be_decided(field, left) }
}

/// Whether one side alone reaches as many vertices as the other reaches at all, where each never reaches what it has
/// left.
#[inline(always)]
fn may_be_decided<F: Field>(field: &F, left: F::Both) -> bool {
    let [open, _] = field.free().without(left.or(left.swap())).counts();
    balance(left).abs() >= open
}

#[inline(always)]
fn without_any<F: Field>(field: &F) -> F::Both {
    field.free().without(field.free())
}

/// The queens of this index of both sides.
#[inline(always)]
fn pair(queens: [&[u16]; 2], index: usize) -> [u16; 2] {
    let [a, b] = queens;
    [if index < a.len() { a[index] } else { NONE }, if index < b.len() { b[index] } else { NONE }]
}

/// How trapped the queens of side 1 are less those of side 0, where a side never reaches what it has left.
#[inline(always)]
fn trapped_queens<F: Field>(field: &F, queens: [&[u16]; 2], left: F::Both) -> i32 {
    let open = field.free().without(left).swap();
    let mut balance = 0;
    for index in 0..queens[0].len().max(queens[1].len()) {
        let pair = pair(queens, index);
        let [a, b] = elbow_room(field, pair, open);
        balance += if pair[1] == NONE { 0 } else { trapped(b) };
        balance -= if pair[0] == NONE { 0 } else { trapped(a) };
    }
    balance
}

/// Vertices of `open` that a king in the place of the queen comes to over them alone: four for each in one step, two
/// for each in two, one for each in three.
#[inline(always)]
fn elbow_room<F: Field>(field: &F, queens: [u16; 2], open: F::Both) -> [i32; 2] {
    let one = field.king_steps(field.pieces(queens), open);
    let left = open.without(one);
    let two = field.king_steps(one, left);
    let three = field.king_steps(two, left.without(two));
    let ([a, b], [c, d], [e, f]) = (one.counts(), two.counts(), three.counts());
    [4 * a + 2 * c + e, 4 * b + 2 * d + f]
}

/// How far apart the levels are at which both sides reach a vertex: three bits a vertex, and no more once they say
/// `MOST`. The same for both sides.
struct Waits<B>([B; 3]);

impl<B: Both> Waits<B> {
    #[inline(always)]
    fn add<const MOST: usize>(&mut self, vertices: B) {
        let [ones, twos, fours] = self.0;
        let full = if MOST == 7 { ones.and(twos).and(fours) } else { twos.and(fours) };
        let add = vertices.without(full);
        let carry = ones.and(add);
        self.0 = [ones.xor(add), twos.xor(carry), fours.xor(twos.and(carry))];
    }

    /// The sums of their numbers over some vertices of each side, as a difference.
    #[inline(always)]
    fn balance(&self, vertices: B) -> i32 {
        let [ones, twos, fours] = self.0;
        balance(ones.and(vertices)) + 2 * balance(twos.and(vertices)) + 4 * balance(fours.and(vertices))
    }
}

/// How many more side 0 has.
#[inline(always)]
fn balance<B: Both>(sets: B) -> i32 {
    let [a, b] = sets.counts();
    a - b
}

/// The terms of D1; returns the vertices that each side never reaches.
#[inline(always)]
fn by_queens<F: Field, const FULL: bool>(field: &F, queens: F::Both, terms: &mut Terms) -> F::Both {
    let empty = without_any(field);
    let (mut new, mut left) = (queens, field.free());
    let (mut closer, mut tied) = (empty, empty);
    let mut waits = Waits([empty; 3]);
    for distance in 1.. {
        new = field.queen_steps(new, left, distance - 1);
        left = left.without(new);
        if new.is_empty() {
            break;
        }
        closer = closer.or(new.and(left.swap()));
        tied = tied.or(new.and(new.swap()));
        if FULL {
            terms.near1 += nearness(distance) * balance(new);
            waits.add::<7>(left.xor(left.swap()));
        }
    }
    terms.closer1 = balance(closer);
    [terms.tied1, _] = tied.counts();
    let both = field.free().without(left.or(left.swap()));
    terms.contested = if FULL { weigh(&waits, both) } else { both.counts()[0] };
    left
}

/// The sum over the vertices, the same of both sides, of 128 >> wait.
#[inline(always)]
fn weigh<B: Both>(waits: &Waits<B>, vertices: B) -> i32 {
    let far = vertices.and(waits.0[2]);
    let near = 16 * weigh_low(waits, vertices.without(far));
    if far.is_empty() { near } else { near + weigh_low(waits, far) }
}

/// The sum over the vertices of 8 >> wait, by its two low bits.
#[inline(always)]
fn weigh_low<B: Both>(waits: &Waits<B>, vertices: B) -> i32 {
    let [ones, twos, _] = waits.0;
    let (low, high) = (vertices.without(twos), vertices.and(twos));
    let ([zero, _], [two, _]) = (low.without(ones).counts(), high.without(ones).counts());
    let ([low, _], [high, _]) = (low.counts(), high.counts());
    8 * zero + 4 * (low - zero) + 2 * two + (high - two)
}

/// The terms of D2.
#[inline(always)]
fn by_kings<F: Field>(field: &F, queens: F::Both, terms: &mut Terms) {
    let empty = without_any(field);
    let (mut new, mut left) = (queens, field.free());
    let (mut closer, mut tied) = (empty, empty);
    let mut waits = Waits([empty; 3]);
    loop {
        new = field.king_steps(new, left);
        left = left.without(new);
        if new.is_empty() {
            break;
        }
        closer = closer.or(new.and(left.swap()));
        tied = tied.or(new.and(new.swap()));
        waits.add::<6>(left.xor(left.swap()));
    }
    // Where one side never comes, the other is six ahead.
    let only = left.swap().without(left);
    terms.near2 = 6 * balance(only) + waits.balance(closer.without(only));
    terms.closer2 = balance(closer);
    [terms.tied2, _] = tied.counts();
}
