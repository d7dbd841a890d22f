//! Beliefs about the opponents: their styles and their hands, from the cards that they played and those that they kept.
//!
//! A hand that is dealt to an opponent is as likely as the cards that it played are, had it held that hand besides: a
//! seat that plays what fits best and did not play a card that would have fitted better does not hold it. Deals are
//! drawn by exchanges of two cards (Metropolis et al. 1953), and the style of each seat by its share (Bayes' rule)
//! for the hand that was drawn.

use crate::chance::Chance;
use crate::deal::Choice::Skilled;
use crate::deal::{Deals, LANES, MAX_HAND, MAX_SEATS};
use crate::skill::{Noise, Weights};
use crate::style::{PerStyle, STYLES, Style};
use crate::table::Table;
use std::sync::Arc;

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
    /// The cards of each seat, by its number at the table.
    pub cards: [u8; MAX_SEATS],
}

/// The acts of one opponent, prepared for the question how likely a hand is.
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
    /// How likely each card is by skill, in parts of what all that are held come to.
    likely: Arc<Likely>,
    /// The weight of the chosen card.
    chosen: f32,
    /// The weight of all cards that it is known to have held, together.
    known: u32,
    /// How likely the card is where anything but skill decides.
    by_chance: f32,
    /// Where the card is that each style would have chosen: how many are lower, or 0 if it is the best fit.
    places: [u32; WIDTH],
    /// How much more likely the card is by each style if it is the style's than if it is not.
    gains: PerStyle,
}

/// A number for each card.
type Likely = [u32; 128];

/// For each turn that was seen, the sum of how likely the cards of a hand were by skill.
type Sums = [u32; MAX_HAND];

/// Where [`Style::Skilled`] stands among the styles.
const SKILLED: usize = 1;

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
    sums: Vec<Sums>,
    cards: usize,
    chance: Chance,
}

/// The first styles depend on the table: they choose what fits best, or any card.
const FITTING: usize = 3;

fn set_of(cards: &[u8]) -> Cards {
    cards.iter().fold(0, |set, card| set | 1 << card)
}

impl Evidence {
    fn new(seat: usize, seen: &[(Arc<Likely>, &Revealed)], still_held: usize, prior: PerStyle) -> Evidence {
        let mut later: Cards = 0;
        let mut turns = Vec::with_capacity(seen.len());
        let mut base = prior;
        for ((likely, Revealed { table, cards }), held) in seen.iter().rev().zip(still_held + 1..) {
            let card = cards[seat];
            let key = table.key(card);
            let better =
                (1..=104).filter(|other| table.key(*other) < key).fold(0, |set: Cards, other| set | 1 << other);
            let below = (1 << card) - 1;
            let (mut places, mut gains) = ([u32::MAX; WIDTH], [1.0; WIDTH]);
            for (at, style) in STYLES.into_iter().enumerate() {
                if style == Style::Skilled {
                    continue;
                }
                let constancy = style.constancy();
                let by_chance = (1.0 - constancy) / held as f32;
                places[at] = style.place(held).unwrap_or(0) as u32;
                gains[at] += constancy / by_chance;
                base[at] *= by_chance;
            }
            let held_then = later | 1 << card;
            let known = (1..=104).filter(|card| held_then >> card & 1 == 1).map(|card: usize| likely[card]).sum();
            turns.push(Choice {
                likely: likely.clone(),
                chosen: Style::Skilled.constancy() * likely[usize::from(card)] as f32,
                known,
                by_chance: (1.0 - Style::Skilled.constancy()) / held as f32,
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

    /// For each turn, how likely all that was held is by skill, had the seat held these cards besides.
    fn sums(&self, hand: &[u8]) -> Sums {
        let mut sums = [0; MAX_HAND];
        for (sum, choice) in sums.iter_mut().zip(&self.turns) {
            *sum = choice.known + hand.iter().map(|card| choice.likely[usize::from(*card)]).sum::<u32>();
        }
        sums
    }

    /// The same after one card became another.
    #[inline]
    fn exchanged(&self, mut sums: Sums, gives: u8, gets: u8) -> Sums {
        for (sum, choice) in sums.iter_mut().zip(&self.turns) {
            *sum = *sum + choice.likely[usize::from(gets)] - choice.likely[usize::from(gives)];
        }
        sums
    }

    /// How likely each style and all these choices are together, had the seat held these cards besides.
    #[inline]
    fn shares(&self, hand: Cards, sums: &Sums) -> PerStyle {
        let mut shares = self.base;
        for (choice, sum) in self.turns.iter().zip(sums) {
            shares[SKILLED] *= choice.chosen / *sum as f32 + choice.by_chance;
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

/// The turns, with how likely each card was for somebody skilled; `still_held` cards are held after them.
fn with_skill(seen: &[Revealed], still_held: usize) -> Vec<(Arc<Likely>, &Revealed)> {
    let with = |(at, revealed): (usize, &'_ Revealed)| {
        let seats = revealed.cards.iter().filter(|card| **card > 0).count();
        let weights = Weights::at(seats, still_held + seen.len() - at);
        Arc::new(weights.likely(&revealed.table))
    };
    seen.iter().enumerate().map(|(at, revealed)| (with((at, revealed)), revealed)).collect()
}

impl Belief {
    /// A belief without any evidence.
    pub fn new(watches: bool) -> Belief {
        Belief { styles: [PRIOR; MAX_SEATS], watches }
    }

    /// Learns from a whole round.
    pub fn end_round(&mut self, seen: &[Revealed]) {
        if !self.watches {
            return;
        }
        let seen = with_skill(seen, 0);
        for (seat, styles) in self.styles.iter_mut().enumerate() {
            let evidence = Evidence::new(seat, &seen, 0, *styles);
            let shares = evidence.shares(0, &evidence.sums(&[]));
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
        let seen = with_skill(seen, cards);
        let evidence: Vec<Evidence> =
            others.iter().map(|seat| Evidence::new(*seat, &seen, cards, self.styles[*seat])).collect();
        let mut chance = chance;
        let held = (others.len() * cards).min(pool.len());
        chance.draw(&mut pool, held);
        let hands: Vec<Cards> = (0..others.len()).map(|at| set_of(&pool[at * cards..][..cards])).collect();
        let sums: Vec<Sums> =
            evidence.iter().enumerate().map(|(at, one)| one.sums(&pool[at * cards..][..cards])).collect();
        let each = evidence.iter().zip(&hands).zip(&sums);
        let shares = each.map(|((evidence, hand), sums)| evidence.shares(*hand, sums)).collect();
        let mut dealer = Dealer { evidence, pool, hands, shares, sums, cards, chance };
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
                let choice = style.arrange(hand, &mut self.chance);
                deals.give(seat + 1, lane, hand, choice);
            }
        }
        for seat in 1..=self.evidence.len() {
            if deals.ever[seat] & Skilled as i16 != 0 {
                Noise::get().fill(&mut deals.noise[seat][..self.cards], &mut self.chance);
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
        let (gives, gets) = (self.pool[one], self.pool[two]);
        let both = 1 << gives | 1 << gets;
        let hand = self.hands[owner] ^ both;
        let sums = self.evidence[owner].exchanged(self.sums[owner], gives, gets);
        let shares = self.evidence[owner].shares(hand, &sums);
        let mut ratio = sum(&shares) / sum(&self.shares[owner]);
        let other = (two < held).then(|| {
            let other = two / self.cards;
            let hand = self.hands[other] ^ both;
            let sums = self.evidence[other].exchanged(self.sums[other], gets, gives);
            let shares = self.evidence[other].shares(hand, &sums);
            ratio *= sum(&shares) / sum(&self.shares[other]);
            (other, hand, shares, sums)
        });
        if ratio < 1.0 && self.chance.unit() as f32 >= ratio {
            return;
        }
        self.pool.swap(one, two);
        (self.hands[owner], self.shares[owner], self.sums[owner]) = (hand, shares, sums);
        if let Some((other, hand, shares, sums)) = other {
            (self.hands[other], self.shares[other], self.sums[other]) = (hand, shares, sums);
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
