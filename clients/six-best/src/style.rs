//! The ways in which an opponent may choose among its cards. What it did tells which of them it is likely to follow.

use crate::chance::Chance;
use crate::deal::MAX_HAND;

/// A way to choose a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The card that fits best (`Table::key`).
    Fitting,
    /// Nearly any card as long as the hand is large, and the one that fits best about every other time from then on:
    /// what this client itself was seen to do, and so perhaps others who think.
    Clever,
    /// Any card.
    Random,
    /// The lowest.
    Smallest,
    /// The one in the middle of the hand.
    Middle,
    /// The last but one.
    SecondLargest,
    /// The highest.
    Largest,
}

/// All of them; arrays of styles are in this order.
pub const STYLES: [Style; 7] = [
    Style::Fitting,
    Style::Clever,
    Style::Random,
    Style::Smallest,
    Style::Middle,
    Style::SecondLargest,
    Style::Largest,
];

/// A number for each style, and zeros up to a power of two, so that all are worked on at once.
pub type PerStyle = [f32; STYLES.len().next_power_of_two()];

impl Style {
    /// How often the style is followed with so many cards in the hand; any card is played else.
    pub fn constancy(self, cards: usize) -> f32 {
        match self {
            Style::Clever if cards >= 9 => 0.1,
            Style::Clever => 0.45,
            Style::Random => 0.0,
            _ => 0.97,
        }
    }

    /// Where the card is in an ascending hand of so many; `None` where that depends on the table or on chance.
    #[inline]
    pub fn place(self, cards: usize) -> Option<usize> {
        match self {
            Style::Fitting | Style::Clever | Style::Random => None,
            Style::Smallest => Some(0),
            Style::Middle => Some(cards / 2),
            Style::SecondLargest => Some(cards.saturating_sub(2)),
            Style::Largest => Some(cards - 1),
        }
    }

    /// Puts a hand into the order in which this style plays it, and says in which turns the best fit counts instead.
    #[inline]
    pub fn arrange(self, hand: &mut [u8], chance: &mut Chance) -> i16 {
        let cards = hand.len();
        match self {
            Style::Fitting => return (1 << cards) - 1,
            Style::Clever => {
                chance.draw(hand, cards);
                return self.turns(cards, chance);
            }
            Style::Random => chance.draw(hand, cards),
            Style::Smallest => hand.sort_unstable(),
            Style::Middle => {
                hand.sort_unstable();
                from_the_middle(hand);
            }
            Style::SecondLargest => {
                hand.sort_unstable();
                hand[..cards.saturating_sub(1)].reverse();
            }
            Style::Largest => {
                hand.sort_unstable();
                hand.reverse();
            }
        }
        0
    }

    /// The turns, as bits, in which the style is followed, for somebody with so many cards.
    #[inline]
    fn turns(self, cards: usize, chance: &mut Chance) -> i16 {
        const { assert!(MAX_HAND < 15) };
        // Each turn by a byte of its own.
        let bytes = [chance.bits().to_le_bytes(), chance.bits().to_le_bytes()];
        let is_followed = |turn: &usize| f32::from(bytes[turn / 8][turn % 8]) < 256.0 * self.constancy(cards - turn);
        (0..cards).filter(is_followed).fold(0, |turns, turn| turns | 1 << turn)
    }
}

/// Puts ascending cards in the order in which the one in the middle of those left is played: to and fro between both
/// sides.
#[inline]
fn from_the_middle(hand: &mut [u8]) {
    let mut ordered = [0; MAX_HAND];
    let (mut low, mut high) = (hand.len() / 2, hand.len() / 2);
    for (at, ordered) in ordered[..hand.len()].iter_mut().enumerate() {
        if at == 0 || (hand.len() - at).is_multiple_of(2) {
            *ordered = hand[high];
            high += 1;
        } else {
            low -= 1;
            *ordered = hand[low];
        }
    }
    hand.copy_from_slice(&ordered[..hand.len()]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_played_as_their_styles_choose_from_what_is_left() {
        let mut chance = Chance::new(1);
        for style in STYLES {
            for cards in 1..=MAX_HAND {
                let ascending: Vec<u8> = (1..=cards as u8).map(|card| 3 * card).collect();
                let mut hand = ascending.clone();
                chance.draw(&mut hand, cards);
                let turns = style.arrange(&mut hand, &mut chance);
                let mut left = ascending.clone();
                for card in &hand {
                    let at = left.iter().position(|held| held == card).unwrap();
                    assert_eq!(at, style.place(left.len()).unwrap_or(at), "{style:?} of {left:?}");
                    left.remove(at);
                }
                let all = (1 << cards) - 1;
                assert!(if style == Style::Fitting { turns == all } else { turns & !all == 0 });
                assert!(style == Style::Fitting || style == Style::Clever || turns == 0);
            }
        }
    }
}
