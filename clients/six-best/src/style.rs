//! The ways in which an opponent may choose among its cards. What it did tells which of them it is likely to follow.

use crate::chance::Chance;
use crate::deal::{Choice, MAX_HAND};

/// A way to choose a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The card that fits best (`Table::key`).
    Fitting,
    /// As likely as this client itself was seen to do (`Weights`), and so perhaps others who think.
    Skilled,
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

/// All styles; arrays of styles are in this order.
pub const STYLES: [Style; 7] = [
    Style::Fitting,
    Style::Skilled,
    Style::Random,
    Style::Smallest,
    Style::Middle,
    Style::SecondLargest,
    Style::Largest,
];

/// A number for each style, and zeros up to a power of two, so that all are worked on at once.
pub type PerStyle = [f32; STYLES.len().next_power_of_two()];

impl Style {
    /// How often the style is followed; any card is played else.
    pub fn constancy(self) -> f32 {
        match self {
            Style::Random => 0.0,
            _ => 0.97,
        }
    }

    /// Where the card is in an ascending hand of so many; `None` where that depends on the table or on chance.
    #[inline]
    pub fn place(self, cards: usize) -> Option<usize> {
        match self {
            Style::Fitting | Style::Skilled | Style::Random => None,
            Style::Smallest => Some(0),
            Style::Middle => Some(cards / 2),
            Style::SecondLargest => Some(cards.saturating_sub(2)),
            Style::Largest => Some(cards - 1),
        }
    }

    /// Puts a hand into the order in which this style plays it, if it does not choose by the table.
    #[inline]
    pub fn arrange(self, hand: &mut [u8], chance: &mut Chance) -> Choice {
        let cards = hand.len();
        match self {
            Style::Fitting => return Choice::Fitting,
            Style::Skilled => return Choice::Skilled,
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
        Choice::First
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
                let choice = style.arrange(&mut hand, &mut chance);
                let mut left = ascending.clone();
                for card in &hand {
                    let at = left.iter().position(|held| held == card).unwrap();
                    assert_eq!(at, style.place(left.len()).unwrap_or(at), "{style:?} of {left:?}");
                    left.remove(at);
                }
                let by_table = matches!(style, Style::Fitting | Style::Skilled);
                assert_eq!(choice == Choice::First, !by_table);
            }
        }
    }
}
