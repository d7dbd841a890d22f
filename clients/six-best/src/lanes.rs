//! The playouts of a whole set of deals at once, a game a lane: no branch depends on a lane. Compiled as it stands
//! for lanes in arrays, and once more in `avx2.rs` for registers. Equal to `scalar.rs`, lane by lane.

use crate::deal::{Choice, Deals, Lanes, MAX_HAND, MAX_SEATS};
use crate::skill::{self, GAP_BIAS, GAP_BITS, WIDEST_GAP, Weights};
use crate::table::{CAPACITY, CARD_BITS, ROWS, Row, TAKES, Table};
use crate::vector::Vector;

/// Bits of a seat beside its card, where cards are put in order.
const SEAT_BITS: i32 = 4;
/// The place of a negative difference: more than every other.
const NO_SIGN: i16 = i16::MAX;

/// Bits of the ways to choose that look at the table.
const FITTING: i16 = Choice::Fitting as i16;
const SKILLED: i16 = Choice::Skilled as i16;

/// A row of all lanes.
#[derive(Clone, Copy)]
struct LaneRow<V> {
    end: V,
    size: V,
    heads: V,
}

/// The rows of all lanes.
struct Rows<V> {
    rows: [LaneRow<V>; ROWS],
    is_exact: bool,
}

/// The common part of all cards' fits in a turn.
struct Prices<V> {
    /// For each row, the heads that a card there has to take, from `TAKES` on; 0 if it is put behind the others.
    rows: [V; ROWS],
    /// The heads that a card takes that is too low.
    low: V,
    /// The end of the cheapest row where a card can be put behind it, else more than any card.
    open_end: V,
}

/// The common part of all cards' scores in a turn.
struct Scores<V> {
    /// The score of each row, whatever the gap is.
    rows: [V; ROWS],
    /// For each point of a gap.
    slopes: [V; ROWS],
    /// The score of a card that is too low.
    low: V,
    number: i16,
    square: i16,
}

#[inline(always)]
fn least<V: Vector>([a, b, c, d]: [V; ROWS]) -> V {
    a.min(b).min(c.min(d))
}

/// Heads on cards: 1, one more on multiples of 5, one more on those of 10, four more on those of 11, and one more on
/// 55.
#[inline(always)]
fn heads<V: Vector>(card: V) -> V {
    // Exact for all cards: divided as a product with the inverse, rounded up.
    let multiple = |of: i16| card.times_high(65536_u32.div_ceil(of as u32) as u16).times(of).is(card);
    let (five, ten, eleven) = (multiple(5), multiple(10), multiple(11));
    V::all(1).sub(five).sub(ten).add(eleven.and(V::all(4))).sub(five.and(eleven))
}

impl<V: Vector> Prices<V> {
    /// Where no card is chosen by them.
    #[inline(always)]
    fn none() -> Self {
        let zero = V::all(0);
        Prices { rows: [zero; ROWS], low: zero, open_end: zero }
    }
}

impl<V: Vector> Scores<V> {
    /// Where no card is chosen by them.
    #[inline(always)]
    fn none() -> Self {
        let zero = V::all(0);
        Scores { rows: [zero; ROWS], slopes: [zero; ROWS], low: zero, number: 0, square: 0 }
    }
}

impl<V: Vector> Rows<V> {
    #[inline(always)]
    fn new(table: &Table) -> Self {
        let all = |number: u8| V::all(number.into());
        let row = |row: &Row| LaneRow { end: all(row.end), size: all(row.size), heads: all(row.heads) };
        let [a, b, c, d] = &table.rows;
        Rows { rows: [row(a), row(b), row(c), row(d)], is_exact: table.is_exact }
    }

    /// How far each row's end lies below the card; more than any card if it lies above.
    #[inline(always)]
    fn gaps(&self, card: V) -> [V; ROWS] {
        let gap = |row: &LaneRow<V>| card.sub(row.end).and(V::all(NO_SIGN));
        let [a, b, c, d] = &self.rows;
        [gap(a), gap(b), gap(c), gap(d)]
    }

    /// The rows by their heads, as numbers that differ: the cheapest one has the least.
    #[inline(always)]
    fn costs(&self) -> [V; ROWS] {
        let cost = |row: &LaneRow<V>, at: i16| row.heads.up::<2>().or(V::all(at));
        let [a, b, c, d] = &self.rows;
        [cost(a, 0), cost(b, 1), cost(c, 2), cost(d, 3)]
    }

    /// Where a card counts as too low.
    #[inline(always)]
    fn is_low(&self, card: V, gap: V) -> V {
        let low = gap.above(V::all(TAKES));
        if self.is_exact { low.or(self.rows[0].end.above(card)) } else { low }
    }

    #[inline(always)]
    fn prices(&self) -> Prices<V> {
        let (costs, takes) = (self.costs(), V::all(TAKES));
        let least = least(costs);
        let mut prices = Prices { rows: costs, low: least.down::<2>().add(takes), open_end: V::all(NO_SIGN) };
        for ((row, cost), price) in self.rows.iter().zip(costs).zip(&mut prices.rows) {
            let is_full = row.size.is(V::all(CAPACITY.into()));
            *price = row.heads.add(takes).and(is_full);
            prices.open_end = row.end.where_else(cost.is(least).without(is_full), prices.open_end);
        }
        prices
    }

    /// [`Table::key`] of all lanes.
    #[inline(always)]
    fn keys(&self, prices: &Prices<V>, card: V) -> V {
        let gaps = self.gaps(card);
        let nearest = least(gaps);
        let mut score = nearest;
        for (gap, price) in gaps.into_iter().zip(prices.rows) {
            score = score.max(price.and(gap.is(nearest)));
        }
        let mut low = prices.low;
        if self.is_exact {
            low = card.sub(prices.open_end).where_else(card.above(prices.open_end), low);
        }
        low.where_else(self.is_low(card, nearest), score).up::<{ CARD_BITS as i32 }>().or(card)
    }

    #[inline(always)]
    fn scores(&self, weights: &Weights) -> Scores<V> {
        let low = least(self.costs()).down::<2>().times(weights.low_heads);
        // As if it had no gap at all.
        let low = low.add(V::all(weights.low + (GAP_BIAS >> GAP_BITS)));
        let Weights { number, square, .. } = *weights;
        let mut scores = Scores { rows: [V::all(0); ROWS], slopes: [V::all(0); ROWS], low, number, square };
        for ((row, score), slope) in self.rows.iter().zip(&mut scores.rows).zip(&mut scores.slopes) {
            let is_full = row.size.is(V::all(CAPACITY.into()));
            *score = row.heads.times(weights.taken).add(V::all(weights.takes)).and(is_full);
            for (size, (placed, gap)) in (1..).zip(weights.placed.into_iter().zip(weights.gap)) {
                let is_so = row.size.is(V::all(size));
                let fourth = if size + 1 == CAPACITY.into() { row.heads.times(weights.fourth) } else { V::all(0) };
                *score = score.or(V::all(placed).add(fourth).and(is_so));
                *slope = slope.or(V::all(gap).and(is_so));
            }
        }
        scores
    }

    /// [`Weights::score`] of all lanes.
    #[inline(always)]
    fn score(&self, scores: &Scores<V>, card: V) -> V {
        let gaps = self.gaps(card);
        let nearest = least(gaps);
        let (mut score, mut slope) = (V::all(0), V::all(0));
        for ((gap, of_row), of_gap) in gaps.into_iter().zip(scores.rows).zip(scores.slopes) {
            let is_here = gap.is(nearest);
            (score, slope) = (score.or(of_row.and(is_here)), slope.or(of_gap.and(is_here)));
        }
        let by_gap = nearest.min(V::all(WIDEST_GAP)).times_each(slope).add(V::all(GAP_BIAS)).down::<GAP_BITS>();
        let placed = scores.low.where_else(self.is_low(card, nearest), score.add(by_gap));
        let square = card.times_each(card).down::<{ skill::SQUARE_BITS }>().times(scores.square);
        let of_card = card.times(scores.number).add(square).add(V::all(skill::CARD_BIAS));
        placed.add(of_card.down::<{ skill::CARD_BITS }>())
    }

    /// Lays a card in each lane; the heads that are taken.
    #[inline(always)]
    fn lay(&mut self, card: V) -> V {
        let (gaps, costs, own) = (self.gaps(card), self.costs(), heads(card));
        let (nearest, cheapest) = (least(gaps), least(costs));
        let is_low = self.is_low(card, nearest);
        let mut taken = V::all(0);
        for ((row, gap), cost) in self.rows.iter_mut().zip(gaps).zip(costs) {
            let here = cost.is(cheapest).where_else(is_low, gap.is(nearest));
            let appends = card.above(row.end).and(V::all(CAPACITY.into()).above(row.size));
            taken = taken.or(row.heads.and(here).without(appends));
            row.heads = row.heads.and(appends).add(own).where_else(here, row.heads);
            row.size = row.size.and(appends).add(V::all(1)).where_else(here, row.size);
            row.end = card.where_else(here, row.end);
        }
        taken
    }

    /// The card of a hand that fits best.
    #[inline(always)]
    fn fitting(&self, prices: &Prices<V>, hand: &[V]) -> V {
        let mut best = V::all(i16::MAX);
        for card in hand {
            best = best.min(self.keys(prices, *card));
        }
        best.and(V::all((1 << CARD_BITS) - 1))
    }

    /// The card of a hand with the least score and noise, the first of several.
    #[inline(always)]
    fn skilled(&self, scores: &Scores<V>, hand: &[V], noise: &[Lanes]) -> V {
        let (mut best, mut chosen) = (V::all(i16::MAX), hand[0]);
        for (card, noise) in hand.iter().zip(noise) {
            let score = self.score(scores, *card).add(V::load(noise));
            chosen = card.where_else(best.above(score), chosen);
            best = best.min(score);
        }
        chosen
    }
}

/// Removes a card from each lane of a hand; those behind it move up.
#[inline(always)]
fn remove<V: Vector>(hand: &mut [V], card: V) {
    let mut is_behind = V::all(0);
    for at in 1..hand.len() {
        is_behind = is_behind.or(hand[at - 1].is(card));
        hand[at - 1] = hand[at].where_else(is_behind, hand[at - 1]);
    }
}

/// Sorts each lane (Batcher's odd-even merge sort for any length; Knuth 1998, algorithm 5.2.2M).
#[inline(always)]
fn sort<V: Vector>(items: &mut [V]) {
    let top = items.len().next_power_of_two() / 2;
    let mut step = top;
    while step > 0 {
        let (mut q, mut r, mut distance) = (top, 0, step);
        loop {
            for at in 0..items.len().saturating_sub(distance) {
                if at & step == r {
                    let (a, b) = (items[at], items[at + distance]);
                    (items[at], items[at + distance]) = (a.min(b), a.max(b));
                }
            }
            if q == step {
                break;
            }
            (distance, r) = (q - step, step);
            q /= 2;
        }
        step /= 2;
    }
}

/// Plays the deals from `table` to the end of the round, see `scalar::play_lane`. The heads that each seat takes.
#[inline(always)]
#[expect(clippy::too_many_lines)]
pub fn play<V: Vector>(table: &Table, first: u8, deals: &Deals) -> [Lanes; MAX_SEATS] {
    let (seats, cards) = (deals.seats.min(MAX_SEATS), deals.cards.min(MAX_HAND));
    let zero = V::all(0);
    let mut rows = Rows::<V>::new(table);
    let mut hands = [[zero; MAX_HAND]; MAX_SEATS];
    for (hand, dealt) in hands.iter_mut().zip(&deals.hands[..seats]) {
        for (card, dealt) in hand.iter_mut().zip(&dealt[..cards]) {
            *card = V::load(dealt);
        }
    }
    let (mut taken, mut laid) = ([zero; MAX_SEATS], [zero; MAX_SEATS]);
    let ever = deals.ever[..seats].iter().fold(0, |all, ever| all | ever);
    for turn in 0..cards {
        let prices = if ever & FITTING != 0 { rows.prices() } else { Prices::none() };
        let scores = if ever & SKILLED != 0 { rows.scores(&Weights::at(seats, cards - turn)) } else { Scores::none() };
        for seat in 0..seats {
            let hand = &mut hands[seat][..cards - turn];
            let card = if turn == 0 && seat == 0 && first != 0 {
                V::all(first.into())
            } else {
                let choice = V::load(&deals.choice[seat]);
                let mut card = hand[0];
                if deals.ever[seat] & FITTING != 0 {
                    let fitting = rows.fitting(&prices, hand);
                    card = fitting.where_else(choice.is(V::all(FITTING)), card);
                }
                if deals.ever[seat] & SKILLED != 0 {
                    let skilled = rows.skilled(&scores, hand, &deals.noise[seat][turn..]);
                    card = skilled.where_else(choice.is(V::all(SKILLED)), card);
                }
                card
            };
            remove(hand, card);
            laid[seat] = card.up::<SEAT_BITS>().or(V::all(seat as i16));
        }
        sort(&mut laid[..seats]);
        for laid in &laid[..seats] {
            let heads = rows.lay(laid.down::<SEAT_BITS>());
            let player = laid.and(V::all((1 << SEAT_BITS) - 1));
            for (seat, taken) in taken[..seats].iter_mut().enumerate() {
                *taken = taken.add(heads.and(player.is(V::all(seat as i16))));
            }
        }
    }
    let mut all = [zero.store(); MAX_SEATS];
    for (all, taken) in all.iter_mut().zip(&taken) {
        *all = taken.store();
    }
    all
}
