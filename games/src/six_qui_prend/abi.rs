//! The structs of `agon/six_qui_prend.h`, field by field.

use agon_abi::{Pointer, SetupHead, TurnHead, pod};

/// `Setup::rules`: as the publisher has them.
pub const OFFICIAL: u8 = 0;
/// `Setup::rules`: one round, the cheapest row for a card that is too low.
pub const COURSE: u8 = 1;
/// `Setup::rules`: as the program of the course plays, its search for a row included.
pub const COURSE_EXACT: u8 = 2;

/// `Setup::low_card`: the player of a card below all rows is asked for a row to take.
pub const CHOOSES: u8 = 0;
/// `Setup::low_card`: the player takes the row with the fewest heads, the first of several.
pub const CHEAPEST: u8 = 1;

/// `Turn::kind`: `play` is asked for a card.
pub const ASKS_CARD: u8 = 0;
/// `Turn::kind`: `play` is asked for a row.
pub const ASKS_ROW: u8 = 1;

/// `Event::kind`: the card was put behind the row.
pub const APPENDED: u8 = 0;
/// `Event::kind`: the card was the sixth; its player took the five others.
pub const SIXTH: u8 = 1;
/// `Event::kind`: the card was below the end of the row; its player took the row.
pub const TOO_LOW: u8 = 2;

/// `Move::row`: the row with the fewest heads, the first of several.
pub const CHEAPEST_ROW: u8 = 0xFF;

pod! {
    /// What a client knows before the first card (`six_qui_prend_setup`).
    #[derive(abi_stable::StableAbi)]
    pub struct Setup = "six_qui_prend_setup" {
        /// The head of all games.
        #[sabi(unsafe_opaque_field)]
        pub head: SetupHead,
        /// How many play, 2 to 10.
        pub players: u8,
        /// Cards dealt to each player in a round, 1 to 10.
        pub hand_size: u8,
        /// 4.
        pub num_rows: u8,
        /// Most cards in a row: 5.
        pub row_capacity: u8,
        /// Cards 1 to `deck_max` are shuffled.
        pub deck_max: u8,
        /// `OFFICIAL`, `COURSE` or `COURSE_EXACT`.
        pub rules: u8,
        /// `CHOOSES` or `CHEAPEST`.
        pub low_card: u8,
        /// Zero.
        pub reserved0: u8,
        /// Heads; the match is over after the round in which somebody has this many or more; 0 = one round.
        pub limit: u16,
        /// Zero.
        pub reserved1: [u16; 3],
        /// Zero.
        pub reserved: [u64; 2],
    }
}

pod! {
    /// A card that was placed (`six_qui_prend_event`).
    #[derive(abi_stable::StableAbi)]
    pub struct Event = "six_qui_prend_event" {
        /// From 1.
        pub round: u16,
        /// Of the round, from 1.
        pub turn: u8,
        /// `APPENDED`, `SIXTH` or `TOO_LOW`.
        pub kind: u8,
        /// Who played it, from 0.
        pub seat: u8,
        /// 1 to 104.
        pub card: u8,
        /// Where it lies, 0 to 3.
        pub row: u8,
        /// Cards that its player took, 0 to 5.
        pub num_taken: u8,
        /// These cards in the order of the row; 0 beyond `num_taken`.
        pub taken: [u8; 5],
        /// Heads on these cards.
        pub heads: u8,
        /// Zero.
        pub reserved0: [u8; 2],
    }
}

pod! {
    /// What `play` is given (`six_qui_prend_turn`).
    #[derive(abi_stable::StableAbi)]
    pub struct Turn = "six_qui_prend_turn" {
        /// The head of all games.
        #[sabi(unsafe_opaque_field)]
        pub head: TurnHead,
        /// Cards placed since this seat's last turn, in order; NULL if none.
        #[sabi(unsafe_opaque_field)]
        pub events: Pointer<Event>,
        /// How many events there are, 0 to 10.
        pub num_events: u32,
        /// From 1.
        pub round: u16,
        /// Of this round, 1 to `hand_size`.
        pub turn: u8,
        /// `ASKS_CARD` or `ASKS_ROW`.
        pub kind: u8,
        /// This seat's cards, ascending; 0 beyond `num_hand`.
        pub hand: [u8; 10],
        /// How many cards it holds, the pending one not counted.
        pub num_hand: u8,
        /// When a row is asked for: the card that fits nowhere; else 0.
        pub pending: u8,
        /// Cards in each row, 1 to 5.
        pub row_size: [u8; 4],
        /// Cards of each row in order; 0 beyond `row_size`.
        pub rows: [[u8; 5]; 4],
        /// Heads on the cards of each row.
        pub row_heads: [u8; 4],
        /// When a row is asked for: the card of each seat in this turn; else 0.
        pub revealed: [u8; 10],
        /// Zero.
        pub reserved0: [u8; 6],
        /// Heads that each seat has taken in this round.
        pub round_heads: [u16; 10],
        /// Heads that each seat has taken in all rounds, this one included.
        pub total_heads: [u16; 10],
        /// Bit `card % 64` of `seen[card / 64]`: the card has been shown to all in this round.
        pub seen: [u64; 2],
        /// Zero.
        pub reserved: [u64; 2],
    }
}

pod! {
    /// What `play` returns (`six_qui_prend_move`).
    #[derive(abi_stable::StableAbi)]
    pub struct Move = "six_qui_prend_move" {
        /// When a card is asked for: one of the hand; else 0.
        pub card: u8,
        /// When a row is asked for: 0 to 3 or `CHEAPEST_ROW`; else 0.
        pub row: u8,
    }
}
