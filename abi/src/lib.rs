//! The binary contract between a client and its caller: the version first, then plain types. It has no logic beyond
//! layout, no dependency and no I/O. `client-api/include/agon/agon.h` is the same contract in C.
#![warn(missing_docs)]

#[cfg(not(all(target_pointer_width = "64", target_endian = "little")))]
compile_error!("agon's binary contract is defined for 64-bit little-endian machines");

mod blob;
mod cause;
mod descriptor;
mod head;
mod pod;
mod wire;

/// The version of this contract. A client carries it first in its descriptor; it changes only when an old client could
/// not play.
pub const ABI_VERSION: u32 = 1;

/// The header that every client in C includes, as of the build of this program.
pub const HEADER: &str = include_str!("../../client-api/include/agon/agon.h");

pub use blob::{Blob, Broken, Link, Piece, relocate};
pub use cause::Cause;
pub use descriptor::{Descriptor, FieldEntry, MARKER_SYMBOL, SYMBOL};
pub use head::{Clock, Pointer, Services, SetupHead, TurnHead};
pub use pod::{Field, Layout, Pod, Shape, Type, Typed, bytes_of, bytes_of_slice, read};
pub use wire::{
    BODY, Expected, HEAD, Layer, Layers, MAX_LINKS, MAX_PAYLOAD, NAME_CAP, NameFlaw, OpenStatus, Reply, Request,
    RequestKind,
};
