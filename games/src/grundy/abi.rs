//! The structs of `agon/grundy.h`, field by field.

use agon_abi::{Pointer, SetupHead, TurnHead, pod};

pod! {
    /// What a client knows before the first move (`grundy_setup`).
    #[derive(abi_stable::StableAbi)]
    pub struct Setup = "grundy_setup" {
        /// The head of all games.
        #[sabi(unsafe_opaque_field)]
        pub head: SetupHead,
        /// Sticks of each heap at the start, 4 or more; line 0 first.
        #[sabi(unsafe_opaque_field)]
        pub heaps: Pointer<u32>,
        /// How many heaps there are at the start, 1 to 64.
        pub num_heaps: u32,
        /// 0: who cannot move loses; 1: who cannot move wins.
        pub misere: u8,
        /// Zero.
        pub reserved0: [u8; 3],
        /// How the match ends before its end: as soon as no heap has more sticks than the first number, drawn after as
        /// many moves as the second; 0 where it does not. Named as when it had no meaning, for clients from then.
        pub reserved: [u64; 2],
    }
}

pod! {
    /// What `play` returns (`grundy_move`).
    #[derive(abi_stable::StableAbi)]
    pub struct Move = "grundy_move" {
        /// The line of the heap, from 0.
        pub heap: u32,
        /// Sticks that leave it and become the new last heap, 1 to its sticks - 1, not half of them.
        pub split: u32,
    }
}

pod! {
    /// What `play` is given (`grundy_turn`).
    #[derive(abi_stable::StableAbi)]
    pub struct Turn = "grundy_turn" {
        /// The head of all games.
        #[sabi(unsafe_opaque_field)]
        pub head: TurnHead,
        /// Sticks of each heap now, 1 or more; line 0 first.
        #[sabi(unsafe_opaque_field)]
        pub heaps: Pointer<u32>,
        /// How many heaps there are now.
        pub num_heaps: u32,
        /// Moves played so far, by both seats; 0: this seat begins.
        pub num_moves: u32,
        /// The other seat's last move, already played in `heaps`; zero when there is none.
        pub last: Move,
        /// Zero.
        pub reserved: [u64; 2],
    }
}
