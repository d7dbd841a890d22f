//! Turns names of files, which may be any bytes, into text for people.

use std::borrow::Cow;
use std::ffi::OsStr;

/// A name in UTF-8. If it is not UTF-8, each byte counts as a character of Latin-1, as on older systems.
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
