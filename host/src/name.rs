//! Reads the name that a client gives: bytes behind a pointer that may lead anywhere.
#![expect(unsafe_code)]

use agon_abi::{NAME_CAP, NameFlaw};
use std::ffi::c_char;
use std::ptr;

/// A player's name as its client gave it: any bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerName {
    pub flaw: NameFlaw,
    /// Its first bytes, at most `NAME_CAP`.
    pub bytes: Vec<u8>,
}

impl PlayerName {
    /// Reads up to the NUL, which must follow within `NAME_CAP` bytes. It never reads where nothing is mapped.
    pub(crate) fn behind(start: *const c_char) -> PlayerName {
        let mut bytes = Vec::new();
        if start.is_null() {
            return PlayerName { flaw: NameFlaw::Null, bytes };
        }
        loop {
            let at = start.cast::<u8>().wrapping_add(bytes.len());
            if (bytes.is_empty() || at.addr().is_multiple_of(8)) && !readable(at.map_addr(|address| address & !7)) {
                return PlayerName { flaw: NameFlaw::Wild, bytes };
            }
            // SAFETY: the aligned word around this byte was just found readable.
            match unsafe { at.read_volatile() } {
                0 => return PlayerName { flaw: NameFlaw::None, bytes },
                _ if bytes.len() == NAME_CAP => return PlayerName { flaw: NameFlaw::Endless, bytes },
                byte => bytes.push(byte),
            }
        }
    }
}

/// Whether the 8 bytes at `word` can be read. The kernel copies a signal mask before it finds that the operation has no
/// meaning. So EFAULT and EINVAL tell the two cases apart, and nothing changes. It works in any sandbox, because it
/// needs no descriptor.
fn readable(word: *const u8) -> bool {
    const NO_OPERATION: libc::c_int = 1 << 20;
    // SAFETY: the kernel checks the pointer, and an unknown operation changes no mask.
    let result = unsafe { libc::syscall(libc::SYS_rt_sigprocmask, NO_OPERATION, word, ptr::null::<u8>(), 8) };
    result == -1 && std::io::Error::last_os_error().raw_os_error() != Some(libc::EFAULT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(start: *const u8) -> (NameFlaw, Vec<u8>) {
        let name = PlayerName::behind(start.cast());
        (name.flaw, name.bytes)
    }

    #[test]
    fn names_are_read_up_to_the_nul() {
        assert_eq!(name(c"xyz Anna".as_ptr().cast::<u8>().wrapping_add(4)), (NameFlaw::None, b"Anna".to_vec()));
        assert_eq!(name(c"".as_ptr().cast()), (NameFlaw::None, Vec::new()));
        assert_eq!(name([[b'b'; NAME_CAP], [0; NAME_CAP]].as_flattened().as_ptr()).0, NameFlaw::None);
        assert_eq!(name([b'a'; 99].as_ptr()), (NameFlaw::Endless, vec![b'a'; NAME_CAP]));
    }

    #[test]
    fn bad_pointers_are_flaws() {
        assert_eq!(name(ptr::null()).0, NameFlaw::Null);
        assert_eq!(name(ptr::without_provenance(0x10)).0, NameFlaw::Wild);
        assert_eq!(name(ptr::without_provenance(usize::MAX - 3)).0, NameFlaw::Wild);
        assert_eq!(name(ptr::without_provenance(0xdead_beef_0000_0001)).0, NameFlaw::Wild);
    }
}
