//! The export of a client: one symbol that names the contract's version, the game and the layout.
#![expect(unsafe_code)]

use core::ffi::{c_char, c_void};

/// The one symbol of a client, made by `AGON_CLIENT` or `export_client!`.
pub const SYMBOL: &str = "agon_client";

/// A weak symbol that `agon.h` leaves in every library that includes it: without `SYMBOL`, it shows that `AGON_CLIENT`
/// was forgotten.
pub const MARKER_SYMBOL: &str = "agon_header_included";

/// One field of a struct, as the client was compiled (`agon_field`).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FieldEntry {
    /// The name, such as `amazons_setup.num_vertices`, ended by NUL.
    pub name: *const c_char,
    /// The offset from the start of the struct, in bytes.
    pub offset: u32,
    /// The size in bytes.
    pub size: u32,
}

// SAFETY: an entry points to constant text only.
unsafe impl Sync for FieldEntry {}

/// The descriptor (`agon_descriptor`). The first two fields keep their place in every version.
#[repr(C)]
pub struct Descriptor {
    /// The `ABI_VERSION` with which the client was built.
    pub abi: u32,
    /// Bytes of this struct.
    pub size: u32,
    /// Name of the game, ended by NUL.
    pub game: *const c_char,
    /// Bytes of the game's setup struct.
    pub setup_size: u32,
    /// Bytes of the game's turn struct.
    pub turn_size: u32,
    /// Bytes of the game's move struct.
    pub move_size: u32,
    /// The number of entries in `fields`.
    pub num_fields: u32,
    /// The fields of head, setup, turn and move.
    pub fields: *const FieldEntry,
    /// `get_player_name`: the name to show, a text that ends with NUL.
    pub name: Option<unsafe extern "C" fn() -> *const c_char>,
    /// `initialize` on the game's setup; 0 = ready.
    pub initialize: Option<unsafe extern "C" fn(setup: *mut c_void) -> i32>,
    /// `play` on the game's turn; writes the game's move.
    pub play: Option<unsafe extern "C" fn(turn: *const c_void, mv: *mut c_void)>,
    /// `finalize`: called after a match, if the client still runs.
    pub finalize: Option<unsafe extern "C" fn()>,
}

// SAFETY: a descriptor points to constant text and functions only.
unsafe impl Sync for Descriptor {}
