//! Counts the terms by levels: all vertices that a side reaches next, at once. Both sides go level by level together,
//! so every term is a count of sets, and no vertex's distance is ever stored.

use crate::census::{BY_KINGS, BY_QUEENS, Census, Nearer};
use crate::sets::{Both, Field, NONE, Set};
use crate::terms::{TerritoryTerms, nearness};
use crate::value::{Features, trapped};

/// The terms to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Only where one side alone can come to.
    Alone,
    /// The terms of D1 but for `near1`; `contested` is the number of vertices that both sides reach.
    Territory,
    Terms,
    /// All terms, and how trapped queens are where something is contested.
    All,
    /// All of these, and the network's census.
    Census,
}

// Closures would be compiled without AVX2: loops and plain functions go around.

/// Counts for side 0. The census is taken where it is asked for and something is contested.
#[inline(always)]
pub(crate) fn measure<F: Field>(field: &F, queens: [&[u16]; 2], extent: Extent, census: &mut Census) -> Features {
    let mut all = without_any(field);
    for index in 0..queens[0].len().max(queens[1].len()) {
        all = all.or(field.pieces(pair(queens, index)));
    }
    if extent == Extent::Alone {
        return Features { alone: reached_alone(field, all), ..Features::default() };
    }
    let mut terms = TerritoryTerms::default();
    if extent == Extent::Territory {
        let (levels, _) = by_queens::<F, false>(field, all, &mut terms);
        return Features { terms, may_be_decided: may_be_decided(field, levels[BY_QUEENS - 1]), ..Features::default() };
    }
    let (queen_levels, queen_nearer) = by_queens::<F, true>(field, all, &mut terms);
    let left = queen_levels[BY_QUEENS - 1];
    let (king_levels, king_nearer) = by_kings(field, all, &mut terms);
    if terms.contested == 0 {
        return Features { terms, may_be_decided: true, ..Features::default() };
    }
    let [reached, _] = field.free().without(left.and(left.swap())).counts();
    let may_be_decided = may_be_decided(field, left);
    let mut features = Features { terms, reached, may_be_decided, ..Features::default() };
    if extent == Extent::Terms {
        return features;
    }
    // Among many queens one matters less.
    let queens_of_both = (queens[0].len() + queens[1].len()).max(1) as i32;
    let [own, other] = trapped_queens(field, queens, left);
    features.trapped = 8 * (other - own) / queens_of_both;
    if extent == Extent::Census {
        census.count((&queen_levels, &queen_nearer), (&king_levels, &king_nearer));
        census.set_trapped([8 * own / queens_of_both, 8 * other / queens_of_both]);
    }
    features
}

/// How many free vertices each side can come to and the other cannot.
#[inline(always)]
fn reached_alone<F: Field>(field: &F, queens: F::Both) -> [i32; 2] {
    let (mut new, mut left) = (queens, field.free());
    loop {
        new = field.king_steps(new, left);
        left = left.without(new);
        if new.is_empty() {
            return left.swap().without(left).counts();
        }
    }
}

/// Whether one side alone reaches as many vertices as the other reaches at all, where each never reaches the vertices
/// in `left`.
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

/// The measure of each side's trapped queens, where a side never reaches the vertices in `left`.
#[inline(always)]
fn trapped_queens<F: Field>(field: &F, queens: [&[u16]; 2], left: F::Both) -> [i32; 2] {
    let open = field.free().without(left).swap();
    let mut sums = [0; 2];
    for index in 0..queens[0].len().max(queens[1].len()) {
        let pair = pair(queens, index);
        let [a, b] = elbow_room(field, pair, open);
        sums[0] += if pair[0] == NONE { 0 } else { trapped(a) };
        sums[1] += if pair[1] == NONE { 0 } else { trapped(b) };
    }
    sums
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

/// The terms of D1, and the vertices by distance: the last level contains those that a side never reaches.
#[inline(always)]
fn by_queens<F: Field, const FULL: bool>(
    field: &F,
    queens: F::Both,
    terms: &mut TerritoryTerms,
) -> ([F::Both; BY_QUEENS], Nearer<F::Both>) {
    let empty = without_any(field);
    let (mut new, mut left) = (queens, field.free());
    let mut nearer = Nearer { closer: empty, tied: empty };
    let mut waits = Waits([empty; 3]);
    let mut levels = [empty; BY_QUEENS];
    for distance in 1.. {
        // A slide begins with a step.
        if distance > 1 && field.king_steps(new, left).is_empty() {
            break;
        }
        new = field.queen_steps(new, left, distance - 1);
        left = left.without(new);
        if new.is_empty() {
            break;
        }
        nearer.note(new, left);
        note_level(&mut levels, distance, new);
        if FULL {
            terms.near1 += nearness(distance) * balance(new);
            waits.add::<7>(left.xor(left.swap()));
        }
    }
    levels[BY_QUEENS - 1] = left;
    terms.closer1 = balance(nearer.closer);
    [terms.tied1, _] = nearer.tied.counts();
    let both = field.free().without(left.or(left.swap()));
    terms.contested = if FULL { weigh(&waits, both) } else { both.counts()[0] };
    (levels, nearer)
}

impl<B: Both> Nearer<B> {
    /// Records the vertices reached next, and those left then.
    #[inline(always)]
    fn note(&mut self, new: B, left: B) {
        self.closer = self.closer.or(new.and(left.swap()));
        self.tied = self.tied.or(new.and(new.swap()));
    }
}

/// Adds vertices reached at a distance to its level: the last but one has all that are further away.
#[inline(always)]
fn note_level<B: Both, const N: usize>(levels: &mut [B; N], distance: u32, new: B) {
    let level = &mut levels[(distance as usize - 1).min(N - 2)];
    *level = level.or(new);
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

/// The terms of D2, and the vertices by distance.
#[inline(always)]
fn by_kings<F: Field>(
    field: &F,
    queens: F::Both,
    terms: &mut TerritoryTerms,
) -> ([F::Both; BY_KINGS], Nearer<F::Both>) {
    let empty = without_any(field);
    let (mut new, mut left) = (queens, field.free());
    let mut nearer = Nearer { closer: empty, tied: empty };
    let mut waits = Waits([empty; 3]);
    let mut levels = [empty; BY_KINGS];
    for distance in 1.. {
        new = field.king_steps(new, left);
        left = left.without(new);
        if new.is_empty() {
            break;
        }
        nearer.note(new, left);
        note_level(&mut levels, distance, new);
        waits.add::<6>(left.xor(left.swap()));
    }
    levels[BY_KINGS - 1] = left;
    // Where one side never comes, the other is six ahead.
    let only = left.swap().without(left);
    terms.near2 = 6 * balance(only) + waits.balance(nearer.closer.without(only));
    terms.closer2 = balance(nearer.closer);
    [terms.tied2, _] = nearer.tied.counts();
    (levels, nearer)
}
