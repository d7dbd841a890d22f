//! A client built against another version of the package of rules, whose structs of Amazons differ: what
//! `layout::compare` must find. The test that builds it gives it that package's name.

use agon_abi::{SetupHead, TurnHead, pod};
use agon_client_api::{Client, Declined, Playable, export_client};
use std::ffi::CStr;

pod! {
    /// The setup.
    #[derive(abi_stable::StableAbi)]
    pub struct AmazonsSetup = "amazons_setup" {
        /// The head.
        #[sabi(unsafe_opaque_field)]
        pub head: SetupHead,
        /// Only the size is left.
        pub num_vertices: u64,
    }
}

pod! {
    /// The turn.
    #[derive(abi_stable::StableAbi)]
    pub struct AmazonsTurn = "amazons_turn" {
        /// The head.
        #[sabi(unsafe_opaque_field)]
        pub head: TurnHead,
        /// The last two moves.
        pub previous: [AmazonsMove; 2],
    }
}

pod! {
    /// The move.
    #[derive(abi_stable::StableAbi)]
    pub struct AmazonsMove = "amazons_move" {
        /// From.
        pub queen_src: u32,
        /// The arrow.
        pub arrow_dst: u32,
        /// To.
        pub queen_dst: u32,
    }
}

struct OtherAmazons;

// SAFETY: the heads are the first fields.
unsafe impl Playable for OtherAmazons {
    const NAME: &'static CStr = c"amazons";
    type RawSetup = AmazonsSetup;
    type RawTurn = AmazonsTurn;
    type Move = AmazonsMove;
    type Setup<'a> = ();
    type Turn<'a> = ();

    unsafe fn setup(_raw: &AmazonsSetup) {}
    unsafe fn turn(_raw: &AmazonsTurn) {}
}

struct Other;

impl Client for Other {
    type Game = OtherAmazons;
    const NAME: &'static str = "other layout";

    fn new(_setup: &()) -> Result<Self, Declined> {
        Err("built against another layout".into())
    }

    fn play(&mut self, _turn: &()) -> AmazonsMove {
        AmazonsMove { queen_src: 0, arrow_dst: 0, queen_dst: 0 }
    }
}

export_client!(Other);
