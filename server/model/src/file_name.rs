//! Names of files as people read them, whatever bytes they are.

use std::borrow::Cow;
use std::ffi::OsStr;

/// A name in UTF-8: as it is, or else with each byte taken for a character of Latin-1, as older systems wrote them.
pub fn readable(name: &OsStr) -> Cow<'_, str> {
    let is_control = |byte: u8| matches!(byte, 0x80..=0x9f);
    let character = |&byte: &u8| if is_control(byte) { char::REPLACEMENT_CHARACTER } else { char::from(byte) };
    match name.to_str() {
        Some(name) => Cow::Borrowed(name),
        None => name.as_encoded_bytes().iter().map(character).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn names_of_all_bytes_are_readable() {
        for (bytes, name) in [
            (&b"Ren\xe9.so"[..], "René.so"),
            ("René.so".as_bytes(), "René.so"),
            (b"M\xfcller", "Müller"),
            (b"a\x82\xff", "a\u{fffd}ÿ"),
            (b"", ""),
        ] {
            assert_eq!(readable(OsStr::from_bytes(bytes)), name, "{bytes:?}");
        }
    }
}
