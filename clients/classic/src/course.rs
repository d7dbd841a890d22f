//! A library of the original course and its four functions.
#![expect(unsafe_code)]

use crate::{heap, matrix, scope};
use agon_client_api::Declined;
use agon_client_api::amazons::{AmazonsMove, Setup};
use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL, Symbol};
use std::ffi::c_char;

/// Bytes of a name that are looked at.
const NAME_CAP: usize = 32;

type GetPlayerName = unsafe extern "C" fn() -> *const c_char;
type Initialize = unsafe extern "C" fn(u32, *mut matrix::Graph, u32, *mut *mut u32);
type Play = unsafe extern "C" fn(AmazonsMove) -> AmazonsMove;
type Finalize = unsafe extern "C" fn();

/// The functions; their library is never closed, for its code may still be running.
pub struct Course {
    get_player_name: GetPlayerName,
    initialize: Initialize,
    play: Play,
    finalize: Finalize,
}

impl Course {
    /// Opens the library, lazily: some need a symbol that they never call. Nobody in the course seeded `rand`, so it is
    /// done here, before the library's own code runs.
    pub fn open(file: &str, seed: u64) -> Result<Course, Declined> {
        scope::offer();
        // SAFETY: the C library takes any seed.
        unsafe { libc::srand((seed ^ (seed >> 32)) as u32) };
        // SAFETY: this runs the library's own code, which is what this client is for.
        let library =
            unsafe { Library::open(Some(file), RTLD_LAZY | RTLD_LOCAL) }.map_err(|error| unopened(&cause(&error)))?;
        // SAFETY: functions of these names have these types, by the course's own contract.
        let course = unsafe {
            Course {
                get_player_name: *find::<GetPlayerName>(&library, "get_player_name")?,
                initialize: *find::<Initialize>(&library, "initialize")?,
                play: *find::<Play>(&library, "play")?,
                finalize: *find::<Finalize>(&library, "finalize")?,
            }
        };
        library.into_raw();
        Ok(course)
    }

    /// `initialize`, with a graph and queens that are the client's to free; the array of the two is not.
    pub fn initialize(&self, setup: &Setup) {
        let mut queens = setup.graph.queens.map(heap::copy_of);
        let num_queens = setup.graph.queens[0].len() as u32;
        // SAFETY: graph and queens are blocks of the C library's heap, laid out as the course had them.
        unsafe { (self.initialize)(setup.side as u32, matrix::graph(setup), num_queens, queens.as_mut_ptr()) }
    }

    /// `get_player_name`: what can be shown of its first bytes; empty for NULL.
    pub fn name(&self) -> String {
        // SAFETY: the function takes nothing.
        let start = unsafe { (self.get_player_name)() }.cast::<u8>();
        if start.is_null() {
            return String::new();
        }
        // SAFETY: the text ends with a NUL, and nothing behind that or the cap is read.
        let bytes: Vec<u8> = (0..NAME_CAP).map(|at| unsafe { *start.add(at) }).take_while(|byte| *byte != 0).collect();
        show(&bytes)
    }

    /// `play`; all three numbers are `UINT_MAX` where there is no previous move, here as there.
    pub fn play(&self, previous: AmazonsMove) -> AmazonsMove {
        // SAFETY: a move is passed and returned as its three numbers.
        unsafe { (self.play)(previous) }
    }

    /// `finalize`.
    pub fn finalize(&self) {
        // SAFETY: the function takes and returns nothing.
        unsafe { (self.finalize)() }
    }
}

/// # Safety
/// The symbol has the type.
unsafe fn find<T>(library: &Library, name: &str) -> Result<Symbol<T>, Declined> {
    // SAFETY: the caller's promise.
    unsafe { library.get::<T>(name) }.map_err(|error| Declined(cause(&error)))
}

/// Bytes of any encoding as UTF-8 of no more bytes.
fn show(bytes: &[u8]) -> String {
    let mut text = String::new();
    for letter in String::from_utf8_lossy(bytes).chars() {
        let letter = if letter.is_control() { ' ' } else { letter };
        if text.len() + letter.len_utf8() > NAME_CAP {
            break;
        }
        text.push(letter);
    }
    text
}

/// The loader's message, with a way out where it misses the one library that the course used.
fn unopened(cause: &str) -> String {
    let missing = cause.split_once(": cannot open shared object").map_or("", |(name, _)| name);
    let help = if missing.starts_with("libgsl") {
        "; help: install GSL of that version, or link the client again without -lgsl -lgslcblas"
    } else {
        ""
    };
    format!("the library of the course cannot be opened: {cause}{help}")
}

/// The loader's message without libloading's own words around it.
fn cause(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_bytes_can_be_shown() {
        assert_eq!(show(b"Les \xe9l\xe8ves"), "Les \u{fffd}l\u{fffd}ves");
        assert_eq!(show("naïve".as_bytes()), "naïve");
        assert_eq!(show(&[0xff; NAME_CAP]).len(), 30);
        assert_eq!(show(b"a\tb"), "a b");
    }
}
