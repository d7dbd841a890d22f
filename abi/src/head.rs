//! The beginning of every game's setup and turn: `agon_setup` and `agon_turn` of agon.h.
#![expect(unsafe_code)]

use crate::{Pod, Type, Typed, pod};
use core::marker::PhantomData;

/// A C pointer as it travels: an offset until the host has added its base address, an address afterwards.
#[repr(transparent)]
pub struct Pointer<T> {
    /// An offset in the blob, or an address in the client's process; 0 for NULL.
    pub word: u64,
    kind: PhantomData<fn() -> T>,
}

impl<T> Pointer<T> {
    /// The pointer without a target.
    pub const NULL: Self = Pointer { word: 0, kind: PhantomData };

    /// The address, once the host has placed the blob.
    pub fn address(self) -> *const T {
        core::ptr::with_exposed_provenance(self.word as usize)
    }
}

impl<T> Clone for Pointer<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Pointer<T> {}
impl<T> PartialEq for Pointer<T> {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}
impl<T> Eq for Pointer<T> {}
impl<T> core::fmt::Debug for Pointer<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:#x}", self.word)
    }
}
impl<T: Typed> Typed for Pointer<T> {
    const TYPE: Type = Type::Pointer(&T::TYPE);
}
// SAFETY: one 64-bit word, valid for every bit pattern; it is only followed in unsafe code.
unsafe impl<T: Typed + 'static> Pod for Pointer<T> {}

/// The clock that judges a client; the values of `agon_setup.clock`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Clock {
    /// Processor time of the client's process, all its threads together.
    Cpu = 0,
    /// The time that passes.
    Wall = 1,
}

pod! {
    /// The head of every setup (`agon_setup`). Times are microseconds; 0 stands for "no such limit".
    pub struct SetupHead = "agon_setup" {
        /// Bytes of the whole setup struct, including this head.
        pub size: u32,
        /// The `ABI_VERSION` of the caller.
        pub abi: u32,
        /// This client's seat, from 0.
        pub seat: u32,
        /// The number of seats.
        pub seats: u32,
        /// The seed of the client's own random choices; it reveals nothing about the game's.
        pub seed: u64,
        /// The resident memory allowed, bytes.
        pub memory: u64,
        /// The processor cores allowed.
        pub threads: u32,
        /// The clock that judges, a `Clock`.
        pub clock: u32,
        /// The budget for all calls of `play` together.
        pub total_us: u64,
        /// The time added to the budget after each call of `play`.
        pub increment_us: u64,
        /// The limit of a single call of `play`.
        pub per_move_us: u64,
        /// The limit of `initialize`.
        pub initialize_us: u64,
        /// The limit of `finalize`.
        pub finalize_us: u64,
        /// Lines `key = value`, ended by NUL, from `options` in ladder.toml.
        pub options: Pointer<u8>,
        /// The caller's services; the host fills this field.
        pub services: Pointer<Services>,
        /// The first number is the period: after this many moves of the seat, and after each further period, `total_us`
        /// is given again; 0 = never. The others are zero. The field keeps its name, so that clients that are already
        /// compiled go on playing.
        pub reserved: [u64; 4],
    }
}

pod! {
    /// The head of every turn (`agon_turn`).
    pub struct TurnHead = "agon_turn" {
        /// Bytes of the whole turn struct, including this head.
        pub size: u32,
        /// Turns played so far in this match, by all seats.
        pub ply: u32,
        /// Processor time left for this call, microseconds; `UINT64_MAX` if it is not limited.
        pub cpu_left_us: u64,
        /// Wall time left for this call before it is stopped, microseconds.
        pub wall_left_us: u64,
        /// Budget left for this and all later calls, or those of the period, microseconds of the judging clock;
        /// `UINT64_MAX` if there is none.
        pub total_left_us: u64,
        /// The first number is the moves of this seat until `total_us` is given again, including this one; 0 = never.
        /// The other is zero. The field keeps its name, so that clients that are already compiled go on playing.
        pub reserved: [u64; 2],
    }
}

impl SetupHead {
    /// The number of moves of this seat after which `total_us` is given again; `None` = never.
    pub fn period(&self) -> Option<u64> {
        Some(self.reserved[0]).filter(|moves| *moves > 0)
    }
}

impl TurnHead {
    /// The moves of this seat until the total is given again, including this one; `None` = never.
    pub fn moves_left(&self) -> Option<u64> {
        Some(self.reserved[0]).filter(|moves| *moves > 0)
    }
}

/// Functions that the caller of a client offers to it (`agon_services`), through the head of the setup.
#[repr(C)]
pub struct Services {
    /// Bytes of this struct: a later version only appends.
    pub size: u64,
    /// Microseconds used in the running call, on the clock that judges.
    pub cpu_us: extern "C" fn() -> u64,
    /// Keeps `key` and `value` (NUL-ended UTF-8) with the ply.
    pub log: extern "C" fn(key: *const core::ffi::c_char, value: *const core::ffi::c_char),
    /// Returns the bytes of a file that the ladder gives to the client, by its name, and writes their number to `size`.
    /// NULL for an unknown name.
    pub data: extern "C" fn(name: *const core::ffi::c_char, size: *mut u64) -> *const core::ffi::c_void,
}

impl Typed for Services {
    const TYPE: Type = Type::Opaque;
}
