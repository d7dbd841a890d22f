//! What is believed of the opponents: their styles and their hands, from the cards that they played and those that
//! they kept.
//!
//! A hand that is dealt to an opponent is as likely as the cards that it played are, had it held that hand besides: a
//! seat that plays what fits best and did not play a card that would have fitted better does not hold it. Deals are
//! drawn by exchanges of two cards (Metropolis et al. 1953), and the style of each seat by its share (Bayes' rule)
//! for the hand that was drawn.

use crate::chance::Chance;
use crate::deal::{Deals, LANES, MAX_SEATS};
use crate::style::{PerStyle, STYLES, Style};
use crate::table::Table;

/// A set of cards, a bit each.
pub type Cards = u128;

/// How likely a style is before anything was seen.
const PRIOR: PerStyle = [0.2, 0.25, 0.31, 0.06, 0.06, 0.06, 0.06, 0.0];
/// Part of the prior that stays in every later round: who played one way may play another.
const FORGOTTEN: f32 = 0.1;
/// Exchanges before the first deal, for each card that is held.
const BURN_IN: usize = 12;

/// A turn of this round that all have seen.
#[derive(Clone, Debug)]
pub struct Revealed {
    /// The rows when cards were chosen.
    pub table: Table,
    /// What each seat played, by its number at the table.
    pub cards: [u8; MAX_SEATS],
}

/// What one opponent did, made ready for the question how likely a hand is.
#[derive(Clone, Debug, Default)]
struct Evidence {
    turns: Vec<Choice>,
    /// How likely each style is and all choices are, were each of them another than the style's.
    base: PerStyle,
}

/// One choice of an opponent.
#[derive(Clone, Debug)]
struct Choice {
    /// Cards that would have fitted better.
    better: Cards,
    /// Cards below the one that was chosen.
    below: Cards,
    /// How many of the lower ones it is known to have held.
    below_known: u32,
    /// Whether it is known to have held one that would have fitted better.
    better_known: bool,
    /// Where the card is that each style would have chosen: how many are lower, or 0 if it is the best fit.
    places: [u32; WIDTH],
    /// How much more likely the card is by each style if it is the style's than if it is not.
    gains: PerStyle,
}

/// Numbers of a [`PerStyle`].
const WIDTH: usize = size_of::<PerStyle>() / size_of::<f32>();

/// The styles of the others, from round to round.
#[derive(Clone, Debug)]
pub struct Belief {
    styles: [PerStyle; MAX_SEATS],
    /// Whether what is seen counts; else every deal is as likely as any other and every style as at the beginning.
    pub watches: bool,
}

/// Deals that go on from each other.
pub struct Dealer {
    evidence: Vec<Evidence>,
    /// The unseen cards: those of the first opponent, of the second, and so on, then those that nobody holds.
    pool: Vec<u8>,
    hands: Vec<Cards>,
    shares: Vec<PerStyle>,
    cards: usize,
    chance: Chance,
}

/// The first styles depend on the table: they choose what fits best, or any card.
const FITTING: usize = 3;

fn set_of(cards: &[u8]) -> Cards {
    cards.iter().fold(0, |set, card| set | 1 << card)
}

impl Evidence {
    fn new(seat: usize, seen: &[Revealed], still_held: usize, prior: PerStyle) -> Evidence {
        let mut later: Cards = 0;
        let mut turns = Vec::with_capacity(seen.len());
        let mut base = prior;
        for (Revealed { table, cards }, held) in seen.iter().rev().zip(still_held + 1..) {
            let card = cards[seat];
            let key = table.key(card);
            let better =
                (1..=104).filter(|other| table.key(*other) < key).fold(0, |set: Cards, other| set | 1 << other);
            let below = (1 << card) - 1;
            let (mut places, mut gains) = ([0; WIDTH], [1.0; WIDTH]);
            for (at, style) in STYLES.into_iter().enumerate() {
                let constancy = style.constancy(held);
                let by_chance = (1.0 - constancy) / held as f32;
                places[at] = style.place(held).unwrap_or(0) as u32;
                gains[at] += constancy / by_chance;
                base[at] *= by_chance;
            }
            turns.push(Choice {
                better,
                below,
                below_known: (later & below).count_ones(),
                better_known: later & better != 0,
                places,
                gains,
            });
            later |= 1 << card;
        }
        Evidence { turns, base }
    }

    /// How likely each style and all these choices are together, had the seat held these cards besides.
    #[inline]
    fn shares(&self, hand: Cards) -> PerStyle {
        let mut shares = self.base;
        for choice in &self.turns {
            let place = choice.below_known + (hand & choice.below).count_ones();
            let fits_not = u32::from(hand & choice.better != 0 || choice.better_known);
            let styles = shares.iter_mut().zip(&choice.gains).zip(&choice.places);
            for (at, ((share, gain), right)) in styles.enumerate() {
                let place = if at < FITTING { fits_not } else { place };
                *share *= if *right == place { *gain } else { 1.0 };
            }
        }
        shares
    }
}

impl Belief {
    /// Of nobody in particular.
    pub fn new(watches: bool) -> Belief {
        Belief { styles: [PRIOR; MAX_SEATS], watches }
    }

    /// Learns from a whole round.
    pub fn end_round(&mut self, seen: &[Revealed]) {
        if !self.watches {
            return;
        }
        for (seat, styles) in self.styles.iter_mut().enumerate() {
            let shares = Evidence::new(seat, seen, 0, *styles).shares(0);
            let sum: f32 = shares.iter().sum();
            if sum > 0.0 {
                for ((style, share), prior) in styles.iter_mut().zip(shares).zip(PRIOR) {
                    *style = share / sum * (1.0 - FORGOTTEN) + prior * FORGOTTEN;
                }
            }
        }
    }

    /// Deals of the cards that are not known: `others` are the numbers of the opponents at the table, each of whom
    /// holds `cards`.
    pub fn dealer(
        &self,
        others: &[usize],
        seen: &[Revealed],
        cards: usize,
        mut pool: Vec<u8>,
        chance: Chance,
    ) -> Dealer {
        let seen = if self.watches { seen } else { &[] };
        let evidence: Vec<Evidence> =
            others.iter().map(|seat| Evidence::new(*seat, seen, cards, self.styles[*seat])).collect();
        let mut chance = chance;
        let held = (others.len() * cards).min(pool.len());
        chance.draw(&mut pool, held);
        let hands: Vec<Cards> = (0..others.len()).map(|at| set_of(&pool[at * cards..][..cards])).collect();
        let shares = evidence.iter().zip(&hands).map(|(evidence, hand)| evidence.shares(*hand)).collect();
        let mut dealer = Dealer { evidence, pool, hands, shares, cards, chance };
        if !seen.is_empty() {
            (0..BURN_IN * held).for_each(|_| dealer.exchange());
        }
        dealer
    }
}

impl Dealer {
    /// Fills the seats after the first.
    pub fn deal(&mut self, deals: &mut Deals) {
        (1..=self.evidence.len()).for_each(|seat| deals.take_back(seat));
        for lane in 0..LANES {
            self.next();
            for seat in 0..self.evidence.len() {
                let style = self.style(seat);
                let hand = &mut self.pool[seat * self.cards..][..self.cards];
                let fitting = style.arrange(hand, &mut self.chance);
                deals.give(seat + 1, lane, hand, fitting);
            }
        }
    }

    /// The next deal: a new one where nothing was seen, else some exchanges away from the last one.
    fn next(&mut self) {
        let held = self.evidence.len() * self.cards;
        if self.evidence.first().is_some_and(|first| first.turns.is_empty()) {
            self.chance.draw(&mut self.pool, held);
        } else {
            (0..held.div_ceil(4)).for_each(|_| self.exchange());
        }
    }

    /// Tries to exchange a card of an opponent with one of another or of nobody.
    fn exchange(&mut self) {
        let held = self.evidence.len() * self.cards;
        if held == 0 || self.pool.len() == self.cards {
            return;
        }
        let one = self.chance.below(held);
        let owner = one / self.cards;
        let mut two = self.chance.below(self.pool.len() - self.cards);
        if two >= owner * self.cards {
            two += self.cards;
        }
        let (gives, gets) = (1 << self.pool[one], 1 << self.pool[two]);
        let hand = self.hands[owner] ^ gives ^ gets;
        let shares = self.evidence[owner].shares(hand);
        let mut ratio = sum(&shares) / sum(&self.shares[owner]);
        let other = (two < held).then(|| {
            let other = two / self.cards;
            let hand = self.hands[other] ^ gives ^ gets;
            let shares = self.evidence[other].shares(hand);
            ratio *= sum(&shares) / sum(&self.shares[other]);
            (other, hand, shares)
        });
        if ratio < 1.0 && self.chance.unit() as f32 >= ratio {
            return;
        }
        self.pool.swap(one, two);
        (self.hands[owner], self.shares[owner]) = (hand, shares);
        if let Some((other, hand, shares)) = other {
            (self.hands[other], self.shares[other]) = (hand, shares);
        }
    }

    /// A style for an opponent with the hand that it was dealt.
    fn style(&mut self, seat: usize) -> Style {
        let shares = &self.shares[seat];
        let mut at = self.chance.unit() as f32 * sum(shares);
        for (style, share) in STYLES.into_iter().zip(shares) {
            at -= share;
            if at < 0.0 {
                return style;
            }
        }
        Style::Random
    }
}

/// In an order that vectors add in.
#[inline]
fn sum(shares: &PerStyle) -> f32 {
    let [a, b, c, d, e, f, g, h] = shares;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
