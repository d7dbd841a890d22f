//! As many deals as there are lanes: who holds what, and how each seat chooses among it. All chance of a playout is
//! in the deal, so that every candidate can be played on the same ones.

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
    /// Bit t: in turn t, from 0, the seat plays the card that fits best (`Table::key`); else the first of its hand.
    pub fitting: [Lanes; MAX_SEATS],
    /// The same bits, set where they are in any lane that was given.
    pub ever_fitting: [i16; MAX_SEATS],
}

impl Deals {
    /// Of nothing yet.
    pub fn new(seats: usize, cards: usize) -> Deals {
        let none = Lanes([0; LANES]);
        Deals {
            seats,
            cards,
            hands: [[none; MAX_HAND]; MAX_SEATS],
            fitting: [none; MAX_SEATS],
            ever_fitting: [0; MAX_SEATS],
        }
    }

    /// Takes the cards of a seat back in all lanes.
    #[inline]
    pub fn take_back(&mut self, seat: usize) {
        self.ever_fitting[seat] = 0;
    }

    /// Gives a seat of one lane its cards, in the order of play, and the turns in which the best fit counts instead.
    #[inline]
    pub fn give(&mut self, seat: usize, lane: usize, hand: &[u8], fitting: i16) {
        for (slot, card) in self.hands[seat].iter_mut().zip(hand) {
            slot.0[lane] = i16::from(*card);
        }
        self.fitting[seat].0[lane] = fitting;
        self.ever_fitting[seat] |= fitting;
    }
}
