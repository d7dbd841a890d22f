//! What every game's setup and turn begin with: `agon_setup` and `agon_turn` of agon.h.

use crate::{Pod, Type, Typed, pod};
use core::marker::PhantomData;

/// A C pointer as it travels: an offset until the host has added its base address, an address afterwards.
#[repr(transparent)]
pub struct Pointer<T> {
    /// Offset in the blob, or address in the client's process; 0 for NULL.
    pub word: u64,
    kind: PhantomData<fn() -> T>,
}

impl<T> Pointer<T> {
    /// No target.
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

/// Which clock judges a client; the values of `agon_setup.clock`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Clock {
    /// Processor time of the client's process, all its threads together.
    Cpu = 0,
    /// Time that passes.
    Wall = 1,
}

pod! {
    /// The head of every setup (`agon_setup`). Times are microseconds; 0 stands for "no such limit".
    pub struct SetupHead = "agon_setup" {
        /// Bytes of the whole setup struct, this head included.
        pub size: u32,
        /// `ABI_VERSION` of whoever calls.
        pub abi: u32,
        /// This client's seat, from 0.
        pub seat: u32,
        /// How many seats play.
        pub seats: u32,
        /// For the client's own random choices; says nothing about the game's.
        pub seed: u64,
        /// Resident memory allowed, bytes.
        pub memory: u64,
        /// Processor cores allowed.
        pub threads: u32,
        /// Which clock judges, a `Clock`.
        pub clock: u32,
        /// Budget for all calls of `play` together.
        pub total_us: u64,
        /// Added to the budget after each call of `play`.
        pub increment_us: u64,
        /// Limit of a single call of `play`.
        pub per_move_us: u64,
        /// Limit of `initialize`.
        pub initialize_us: u64,
        /// Limit of `finalize`.
        pub finalize_us: u64,
        /// Lines `key = value`, ended by NUL, from `options` in ladder.toml.
        pub options: Pointer<u8>,
        /// What the caller offers; filled by the host.
        pub services: Pointer<Services>,
        /// First the moves of a period: after so many of this seat, and so many again, `total_us` is given once more,
        /// 0 = it never is. Then zero. Named as when it had no meaning, for clients from then.
        pub reserved: [u64; 4],
    }
}

pod! {
    /// The head of every turn (`agon_turn`).
    pub struct TurnHead = "agon_turn" {
        /// Bytes of the whole turn struct, this head included.
        pub size: u32,
        /// Turns played so far in this match, by all seats.
        pub ply: u32,
        /// Processor time left for this call, microseconds; `UINT64_MAX` where it is not limited.
        pub cpu_left_us: u64,
        /// Wall time left for this call before it is stopped, microseconds.
        pub wall_left_us: u64,
        /// Budget left for this and all later calls, or those of the period, microseconds of the judging clock;
        /// `UINT64_MAX` where there is none.
        pub total_left_us: u64,
        /// First the moves of this seat until `total_us` is given again, this one among them, 0 where it never is. Then
        /// zero. Named as when it had no meaning, for clients from then.
        pub reserved: [u64; 2],
    }
}

impl SetupHead {
    /// After how many moves of this seat `total_us` is given again; `None` = it never is.
    pub fn period(&self) -> Option<u64> {
        Some(self.reserved[0]).filter(|moves| *moves > 0)
    }
}

impl TurnHead {
    /// Moves of this seat until the total is given again, this one among them; `None` = it never is.
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
    /// The bytes of a file that the ladder gives to the client, by its name; their count goes to `size`. NULL for a
    /// name that it does not give.
    pub data: extern "C" fn(name: *const core::ffi::c_char, size: *mut u64) -> *const core::ffi::c_void,
}

impl Typed for Services {
    const TYPE: Type = Type::Opaque;
}
