//! The structs of `agon/amazons.h`, field by field.

use agon_abi::{Pointer, SetupHead, TurnHead, pod};

/// The C header of the game.
pub const HEADER: &str = include_str!("../../../client-api/include/agon/amazons.h");

/// The C header with functions to begin with.
pub const KIT: &str = include_str!("../../../client-api/include/agon/amazons_kit.h");

/// `flags`: the board is a grid.
pub const IS_GRID: u32 = 1;
/// `flags`: some edge has no edge back in the opposite direction.
pub const HAS_ONE_WAY: u32 = 2;

pod! {
    /// The start of a match (`amazons_setup`). Vertices are numbers from 0.
    #[derive(abi_stable::StableAbi)]
    pub struct AmazonsSetup = "amazons_setup" {
        /// What all games share.
        #[sabi(unsafe_opaque_field)]
        pub head: SetupHead,
        /// Vertices, holes included; 1 to 4096.
        pub num_vertices: u32,
        /// Directed edges.
        pub num_edges: u32,
        /// Of the grid; 0 if the board is no grid.
        pub columns: u32,
        /// Of the grid; 0 if the board is no grid.
        pub rows: u32,
        /// `num_vertices + 1` numbers: where the edges of each vertex begin.
        #[sabi(unsafe_opaque_field)]
        pub row_start: Pointer<u32>,
        /// `num_edges` vertices: where an edge leads; ascending among the edges of one vertex.
        #[sabi(unsafe_opaque_field)]
        pub targets: Pointer<u32>,
        /// `num_edges` directions, 1 to 8.
        #[sabi(unsafe_opaque_field)]
        pub directions: Pointer<u8>,
        /// The queens of each side at the start, ascending.
        #[sabi(unsafe_opaque_field)]
        pub queens: [Pointer<u32>; 2],
        /// How many queens each side has.
        pub num_queens: [u32; 2],
        /// `num_blocked` vertices that are blocked from the start, ascending.
        #[sabi(unsafe_opaque_field)]
        pub blocked: Pointer<u32>,
        /// How many vertices are blocked.
        pub num_blocked: u32,
        /// This client's side, 0 or 1.
        pub side: u32,
        /// The side that makes the first move, 0 or 1.
        pub side_to_move: u32,
        /// 0 if the arrow may pass and hit the vertex that its queen has just left, 1 if not.
        pub vacated: u32,
        /// `IS_GRID`, `HAS_ONE_WAY`.
        pub flags: u32,
        /// Zero.
        pub reserved0: u32,
        /// `num_vertices` pairs x, y for drawing, thousandths of a cell, y downwards; NULL if the board has none.
        #[sabi(unsafe_opaque_field)]
        pub coordinates: Pointer<i32>,
        /// Zero.
        pub reserved: [u64; 4],
    }
}

pod! {
    /// A move (`amazons_move`): three vertices.
    #[derive(abi_stable::StableAbi)]
    pub struct AmazonsMove = "amazons_move" {
        /// Where a queen of the mover stands.
        pub queen_src: u32,
        /// Where it stops.
        pub queen_dst: u32,
        /// Where its arrow stops.
        pub arrow_dst: u32,
    }
}

impl AmazonsMove {
    /// Stands for the previous move when there is none.
    pub const NONE: AmazonsMove = AmazonsMove { queen_src: u32::MAX, queen_dst: u32::MAX, arrow_dst: u32::MAX };
}

pod! {
    /// What happened since a client's last turn (`amazons_turn`).
    #[derive(abi_stable::StableAbi)]
    pub struct AmazonsTurn = "amazons_turn" {
        /// What all games share.
        #[sabi(unsafe_opaque_field)]
        pub head: TurnHead,
        /// The opponent's move; `NONE` at the first move of the match.
        pub previous: AmazonsMove,
        /// Zero.
        pub reserved: u32,
    }
}
