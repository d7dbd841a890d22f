//! Deals and keeps hands: every card gets an owner, so that hands are ascending without a sort.

use super::rows::{MAX_CARD, ROWS};
use super::{MAX_SEATS, SixQuiPrend};
use crate::{Rng, Seat, rng_from, shuffle};
use rand::Rng as _;

/// The most cards in a hand.
pub(super) const MAX_HAND: usize = 10;

/// The owner of a card that stays in the deck. Seats own cards by their number; then the rows follow.
const NOBODY: u8 = u8::MAX;

/// Room for a hand, a power of two, so that one operation covers all of it.
const ROOM: usize = 16;

/// The cards of one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hand {
    /// The cards, ascending; 0 beyond `size`.
    cards: [u8; ROOM],
    /// The number of cards.
    pub size: u8,
}

impl Hand {
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        &self.cards[..self.size as usize]
    }

    /// The cards, with zeros for those that were played.
    #[inline]
    pub fn with_zeros(&self) -> [u8; MAX_HAND] {
        std::array::from_fn(|at| self.cards[at])
    }

    /// Adds a card higher than all others.
    #[inline]
    fn push(&mut self, card: u8) {
        self.cards[self.size as usize] = card;
        self.size += 1;
    }

    /// Removes a card of the hand: each card from it on is replaced by the next one.
    #[inline]
    pub fn remove(&mut self, card: u8) {
        let mut next = [0; ROOM];
        next[..ROOM - 1].copy_from_slice(&self.cards[1..]);
        for (held, next) in self.cards.iter_mut().zip(next) {
            *held = if *held < card { *held } else { next };
        }
        self.size = self.size.saturating_sub(1);
    }
}

/// Deals the round: hands for all seats and the four cards that begin the rows. Each round has its own stream of the
/// seed's generator.
pub(super) fn deal(game: &SixQuiPrend) -> ([Hand; MAX_SEATS], [u8; ROWS]) {
    let mut owners = [NOBODY; MAX_CARD as usize];
    let (hand_size, dealt) = (game.setting.hand_size as usize, game.seats * game.setting.hand_size as usize);
    for (seat, cards) in owners[..dealt].chunks_exact_mut(hand_size).enumerate() {
        cards.fill(seat as u8);
    }
    for row in 0..ROWS {
        owners[dealt + row] = (MAX_SEATS + row) as u8;
    }
    let mut rng = rng_from(&game.seed);
    rng.set_stream(u64::from(game.shown.round));
    shuffle(&mut rng, &mut owners[..game.setting.deck_max as usize]);
    let (mut hands, mut ends) = ([Hand::default(); MAX_SEATS], [0; ROWS]);
    for (card, owner) in (1..).zip(owners) {
        match owner as usize {
            seat if seat < MAX_SEATS => hands[seat].push(card),
            row if row < MAX_SEATS + ROWS => ends[row - MAX_SEATS] = card,
            _ => {}
        }
    }
    (hands, ends)
}

/// Draws again the cards that `seat` does not know: those of the others, among all that it has not seen, and all later
/// rounds.
pub(super) fn redeal(game: &mut SixQuiPrend, seat: Seat, rng: &mut Rng) {
    let own = game.hands[seat];
    let [low, high] = game.shown.seen.map(u128::from);
    let known = own.as_slice().iter().fold(low | high << 64, |known, card| known | 1 << card);
    let unseen = (1..=game.setting.deck_max).filter(|card| known >> card & 1 == 0);
    let mut owners = [NOBODY; MAX_CARD as usize];
    let mut dealt = 0;
    for other in (0..game.seats).filter(|other| *other != seat) {
        let size = game.hands[other].size as usize;
        owners[dealt..dealt + size].fill(other as u8);
        dealt += size;
    }
    shuffle(rng, &mut owners[..unseen.clone().count()]);
    game.hands = [Hand::default(); MAX_SEATS];
    for (card, owner) in unseen.zip(owners).filter(|(_, owner)| *owner != NOBODY) {
        game.hands[owner as usize].push(card);
    }
    game.hands[seat] = own;
    if game.setting.limit > 0 {
        rng.fill_bytes(&mut game.seed);
    }
}
