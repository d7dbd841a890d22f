//! An opened client and its four functions.
#![expect(unsafe_code)]

use crate::Data;
use crate::channel::{self, BadRequest};
use crate::name::PlayerName;
use crate::services::{Context, SERVICES};
use agon_abi::{Blob, Broken, Clock, Descriptor, Link, SetupHead, relocate};
use std::ffi::{c_char, c_void};
use std::mem::offset_of;

/// The most bytes of a move.
pub(crate) const MOVE_CAP: usize = 16;

/// The four functions behind the adapters of the descriptor.
#[derive(Clone, Copy)]
pub(crate) struct Calls {
    name: unsafe extern "C" fn() -> *const c_char,
    initialize: unsafe extern "C" fn(*mut c_void) -> i32,
    play: unsafe extern "C" fn(*const c_void, *mut c_void),
    finalize: unsafe extern "C" fn(),
}

impl Calls {
    /// The functions of a descriptor, or the name of the first missing one.
    pub(crate) fn of(descriptor: &Descriptor) -> Result<Calls, &'static str> {
        Ok(Calls {
            name: descriptor.name.ok_or("get_player_name")?,
            initialize: descriptor.initialize.ok_or("initialize")?,
            play: descriptor.play.ok_or("play")?,
            finalize: descriptor.finalize.ok_or("finalize")?,
        })
    }
}

/// Room for a move. A checked client writes no more than the game's move struct.
#[repr(C, align(16))]
pub(crate) struct MoveRoom([u8; MOVE_CAP]);

/// The bytes that the move uses.
pub(crate) fn move_bytes(room: &MoveRoom, size: usize) -> &[u8] {
    &room.0[..size]
}

/// One client, opened and checked. Its library stays open until the process ends.
pub struct Client {
    calls: Calls,
    move_size: usize,
    context: Box<Context>,
    /// The setup belongs to the client until `finalize`: the client may write to it.
    setup: Vec<u64>,
    turn: Vec<u64>,
}

impl Client {
    pub(crate) fn new(calls: Calls, move_size: usize, context: Box<Context>) -> Client {
        Client { calls, move_size, context, setup: Vec::new(), turn: Vec::new() }
    }

    /// Gives the client files that it may ask for from this call on.
    pub fn give(&self, data: Data) {
        self.context.give(data);
    }

    /// The size of a move, at most 16 bytes.
    pub fn move_size(&self) -> usize {
        self.move_size
    }

    /// Calls `initialize` with a copy of the setup that stays in place until the next call, and returns its result.
    ///
    /// # Errors
    /// A link that points outside the blob, or a setup without its head.
    pub fn initialize(&mut self, setup: &Blob) -> Result<i32, BadRequest> {
        copy_words(setup.bytes(), &mut self.setup);
        self.initialize_setup(setup.links().iter().copied())
    }

    /// Calls `play`; returns the move's bytes, zero beyond its size.
    ///
    /// # Errors
    /// A link that points outside the blob.
    pub fn play(&mut self, turn: &Blob) -> Result<[u8; 16], BadRequest> {
        copy_words(turn.bytes(), &mut self.turn);
        relocate(&mut self.turn, turn.links()).map_err(BadRequest::Link)?;
        Ok(self.call_play(self.turn.as_ptr()).0)
    }

    pub fn name(&mut self) -> PlayerName {
        // SAFETY: the descriptor's function takes nothing; what it returns is read with care.
        PlayerName::behind(self.context.call(|| unsafe { (self.calls.name)() }))
    }

    pub fn finalize(&mut self) {
        // SAFETY: the descriptor's function takes and returns nothing.
        self.context.call(|| unsafe { (self.calls.finalize)() });
    }

    /// Wall time since the last call of one of its functions began, microseconds.
    pub fn passed_us(&self) -> u64 {
        self.context.passed_us()
    }

    /// Time that this call used by the clock that the client asks for, microseconds; wall time if it never asked. Only the
    /// thread that called knows it.
    pub fn spent_us(&self) -> u64 {
        self.context.spent_us()
    }

    /// The lines that the client has logged since the last call. In a host it is empty, because they go to the server.
    pub fn take_log(&mut self) -> Vec<(String, String)> {
        self.context.take_lines()
    }

    /// Calls `initialize` on a payload and links as they travel.
    pub(crate) fn initialize_words(&mut self, payload: &[u64], links: &[u64]) -> Result<i32, BadRequest> {
        self.setup.clear();
        self.setup.extend_from_slice(payload);
        self.initialize_setup(channel::links(links))
    }

    /// Calls `play` on a payload and links as they travel, without a copy.
    pub(crate) fn play_in_place(&mut self, payload: &mut [u64], links: &[u64]) -> Result<MoveRoom, BadRequest> {
        relocate_each(payload, channel::links(links)).map_err(BadRequest::Link)?;
        Ok(self.call_play(payload.as_ptr()))
    }

    fn initialize_setup(&mut self, links: impl Iterator<Item = Link>) -> Result<i32, BadRequest> {
        if self.setup.len() * 8 < size_of::<SetupHead>() {
            return Err(BadRequest::Payload);
        }
        relocate_each(&mut self.setup, links).map_err(BadRequest::Link)?;
        self.setup[offset_of!(SetupHead, services) / 8] = (&raw const SERVICES).expose_provenance() as u64;
        let clock = offset_of!(SetupHead, clock);
        let clock = (self.setup[clock / 8] >> (clock % 8 * 8)) as u32;
        self.context.judge_by_wall(clock == Clock::Wall as u32);
        let setup = self.setup.as_mut_ptr();
        // SAFETY: the setup has the layout that the client was checked for, and stays where it is until the next one.
        Ok(self.context.call(|| unsafe { (self.calls.initialize)(setup.cast()) }))
    }

    fn call_play(&self, turn: *const u64) -> MoveRoom {
        let mut room = MoveRoom([0; MOVE_CAP]);
        // SAFETY: the turn and the room for the move have the layout that the client was checked for.
        self.context.call(|| unsafe { (self.calls.play)(turn.cast(), room.0.as_mut_ptr().cast()) });
        room
    }
}

fn relocate_each(words: &mut [u64], links: impl Iterator<Item = Link>) -> Result<(), Broken> {
    for link in links {
        relocate(words, &[link])?;
    }
    Ok(())
}

fn copy_words(bytes: &[u8], words: &mut Vec<u64>) {
    words.clear();
    words.extend(bytes.chunks_exact(8).map(|chunk| agon_abi::read::<u64>(chunk).unwrap_or(0)));
}
