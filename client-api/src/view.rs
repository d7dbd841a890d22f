//! Turns the structs of a call into safe views; only this file follows their pointers.
#![expect(unsafe_code)]

use crate::Options;
use crate::amazons::{self, Amazons, AmazonsMove, AmazonsSetup, AmazonsTurn};
use crate::grundy::{self, Grundy};
use crate::mastermind::{self, Mastermind};
use crate::six_qui_prend::{self, SixQuiPrend};
use crate::tirs_croises::{self, TirsCroises};
use agon_abi::{Layout, Pod, Pointer, SetupHead};
use std::ffi::CStr;

/// A game that clients in Rust can play: its structs in the contract, and the safe views that a
/// [`Client`](crate::Client) sees.
///
/// # Safety
/// The setup struct begins with [`SetupHead`] and the turn struct with [`agon_abi::TurnHead`].
pub unsafe trait Playable {
    /// The name of the game in descriptors.
    const NAME: &'static CStr;
    /// The setup struct.
    type RawSetup: Layout;
    /// The turn struct.
    type RawTurn: Layout;
    /// The move struct.
    type Move: Layout;
    /// The argument of [`Client::new`](crate::Client::new).
    type Setup<'a>;
    /// The argument of [`Client::play`](crate::Client::play).
    type Turn<'a>;

    /// Makes the view of a setup.
    ///
    /// # Safety
    /// Every pointer of the struct leads to the number of elements in the contract, alive and unchanged as long as the
    /// struct.
    unsafe fn setup(raw: &Self::RawSetup) -> Self::Setup<'_>;

    /// Makes the view of a turn.
    ///
    /// # Safety
    /// The same as for `setup`.
    unsafe fn turn(raw: &Self::RawTurn) -> Self::Turn<'_>;
}

/// # Safety
/// The pointer is NULL or leads to `len` elements that live and stay unchanged for `'a`.
unsafe fn slice<'a, T: Pod>(pointer: Pointer<T>, len: u32) -> &'a [T] {
    if pointer == Pointer::NULL || len == 0 {
        return &[];
    }
    // SAFETY: the caller's promise; blobs are aligned to 8 bytes, and no plain data asks for more.
    unsafe { std::slice::from_raw_parts(pointer.address(), len as usize) }
}

/// # Safety
/// `head.options` is NULL or leads to text ended by NUL that lives as long as the head.
pub(crate) unsafe fn options(head: &SetupHead) -> Options<'_> {
    if head.options == Pointer::NULL {
        return Options("");
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(head.options.address().cast()) };
    Options(text.to_str().unwrap_or_default())
}

// SAFETY: the heads are the first fields of `repr(C)` structs.
unsafe impl Playable for Amazons {
    const NAME: &'static CStr = c"amazons";
    type RawSetup = AmazonsSetup;
    type RawTurn = AmazonsTurn;
    type Move = AmazonsMove;
    type Setup<'a> = amazons::Setup<'a>;
    type Turn<'a> = amazons::Turn<'a>;

    unsafe fn setup(raw: &AmazonsSetup) -> amazons::Setup<'_> {
        // SAFETY: the caller's promise, and the lengths that amazons.h gives.
        unsafe {
            amazons::Setup {
                head: &raw.head,
                options: options(&raw.head),
                graph: amazons::Graph {
                    num_vertices: raw.num_vertices as usize,
                    row_start: slice(raw.row_start, raw.num_vertices + 1),
                    targets: slice(raw.targets, raw.num_edges),
                    directions: slice(raw.directions, raw.num_edges),
                    queens: [slice(raw.queens[0], raw.num_queens[0]), slice(raw.queens[1], raw.num_queens[1])],
                    blocked: slice(raw.blocked, raw.num_blocked),
                    side_to_move: raw.side_to_move as usize,
                    vacated_is_free: raw.vacated == 0,
                },
                side: raw.side as usize,
                columns: raw.columns as usize,
                rows: raw.rows as usize,
            }
        }
    }

    unsafe fn turn(raw: &AmazonsTurn) -> amazons::Turn<'_> {
        amazons::Turn { head: &raw.head, previous: raw.previous }
    }
}

// SAFETY: the heads are the first fields of `repr(C)` structs.
unsafe impl Playable for SixQuiPrend {
    const NAME: &'static CStr = c"six_qui_prend";
    type RawSetup = agon_games::six_qui_prend::Setup;
    type RawTurn = agon_games::six_qui_prend::Turn;
    type Move = six_qui_prend::Move;
    type Setup<'a> = six_qui_prend::Setup<'a>;
    type Turn<'a> = six_qui_prend::Turn<'a>;

    unsafe fn setup(raw: &Self::RawSetup) -> six_qui_prend::Setup<'_> {
        // SAFETY: the caller's promise.
        six_qui_prend::Setup { facts: raw, options: unsafe { options(&raw.head) } }
    }

    unsafe fn turn(raw: &Self::RawTurn) -> six_qui_prend::Turn<'_> {
        // SAFETY: the caller's promise, and the length that six_qui_prend.h gives.
        six_qui_prend::Turn { facts: raw, events: unsafe { slice(raw.events, raw.num_events) } }
    }
}

// SAFETY: the heads are the first fields of `repr(C)` structs.
unsafe impl Playable for Mastermind {
    const NAME: &'static CStr = c"mastermind";
    type RawSetup = agon_games::mastermind::Setup;
    type RawTurn = agon_games::mastermind::Turn;
    type Move = mastermind::Move;
    type Setup<'a> = mastermind::Setup<'a>;
    type Turn<'a> = mastermind::Turn<'a>;

    unsafe fn setup(raw: &Self::RawSetup) -> mastermind::Setup<'_> {
        // SAFETY: the caller's promise.
        mastermind::Setup { facts: raw, options: unsafe { options(&raw.head) } }
    }

    unsafe fn turn(raw: &Self::RawTurn) -> mastermind::Turn<'_> {
        // SAFETY: the caller's promise, and the length that mastermind.h gives.
        mastermind::Turn { facts: raw, history: unsafe { slice(raw.history, raw.num_history) } }
    }
}

// SAFETY: the heads are the first fields of `repr(C)` structs.
unsafe impl Playable for Grundy {
    const NAME: &'static CStr = c"grundy";
    type RawSetup = agon_games::grundy::Setup;
    type RawTurn = agon_games::grundy::Turn;
    type Move = grundy::Move;
    type Setup<'a> = grundy::Setup<'a>;
    type Turn<'a> = grundy::Turn<'a>;

    unsafe fn setup(raw: &Self::RawSetup) -> grundy::Setup<'_> {
        // SAFETY: the caller's promise, and the length that grundy.h gives.
        unsafe { grundy::Setup { facts: raw, options: options(&raw.head), heaps: slice(raw.heaps, raw.num_heaps) } }
    }

    unsafe fn turn(raw: &Self::RawTurn) -> grundy::Turn<'_> {
        // SAFETY: the caller's promise, and the length that grundy.h gives.
        grundy::Turn { facts: raw, heaps: unsafe { slice(raw.heaps, raw.num_heaps) } }
    }
}

// SAFETY: the heads are the first fields of `repr(C)` structs.
unsafe impl Playable for TirsCroises {
    const NAME: &'static CStr = c"tirs_croises";
    type RawSetup = agon_games::tirs_croises::Setup;
    type RawTurn = agon_games::tirs_croises::Turn;
    type Move = tirs_croises::Move;
    type Setup<'a> = tirs_croises::Setup<'a>;
    type Turn<'a> = tirs_croises::Turn<'a>;

    unsafe fn setup(raw: &Self::RawSetup) -> tirs_croises::Setup<'_> {
        // SAFETY: the caller's promise.
        tirs_croises::Setup { facts: raw, options: unsafe { options(&raw.head) } }
    }

    unsafe fn turn(raw: &Self::RawTurn) -> tirs_croises::Turn<'_> {
        tirs_croises::Turn { facts: raw }
    }
}
