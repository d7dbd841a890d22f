//! A deal in each lane: the cards of each seat, and its way of choosing among them. All chance of a playout is in the
//! deal, so that every candidate can be played on the same ones.

/// Games that are played at once.
pub const LANES: usize = 16;
/// Most seats.
pub const MAX_SEATS: usize = 10;
/// Most cards in a hand.
pub const MAX_HAND: usize = 10;

/// A number for each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Lanes(pub [i16; LANES]);

/// The deals. Seat 0 is the one that thinks; the others follow it around the table.
#[derive(Clone, Debug)]
pub struct Deals {
    /// How many play.
    pub seats: usize,
    /// Cards in each hand.
    pub cards: usize,
    /// The cards of each seat in the order in which it would play them if the table did not matter to it.
    pub hands: [[Lanes; MAX_HAND]; MAX_SEATS],
    /// How each seat chooses, as bits of [`Choice`].
    pub choice: [Lanes; MAX_SEATS],
    /// The same bits, set where they are in any lane that was given.
    pub ever: [i16; MAX_SEATS],
    /// Added to the scores of a skilled seat's cards: those of the last turns of a round have the last places.
    pub noise: [[Lanes; MAX_HAND]; MAX_SEATS],
}

/// How a seat chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The first of its hand.
    First = 0,
    /// The card that fits best (`Table::key`).
    Fitting = 1,
    /// The card of the least score (`Weights::score`) and noise.
    Skilled = 2,
}

impl Deals {
    /// Makes deals without a card.
    pub fn new(seats: usize, cards: usize) -> Deals {
        let none = Lanes([0; LANES]);
        Deals {
            seats,
            cards,
            hands: [[none; MAX_HAND]; MAX_SEATS],
            choice: [none; MAX_SEATS],
            ever: [0; MAX_SEATS],
            noise: [[none; MAX_HAND]; MAX_SEATS],
        }
    }

    /// Takes the cards of a seat back in all lanes.
    #[inline]
    pub fn take_back(&mut self, seat: usize) {
        self.ever[seat] = 0;
    }

    /// Gives a seat of one lane its cards, in the order of play where it plays the first.
    #[inline]
    pub fn give(&mut self, seat: usize, lane: usize, hand: &[u8], choice: Choice) {
        for (slot, card) in self.hands[seat].iter_mut().zip(hand) {
            slot.0[lane] = i16::from(*card);
        }
        self.choice[seat].0[lane] = choice as i16;
        self.ever[seat] |= choice as i16;
    }
}
