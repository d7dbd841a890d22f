//! Text files that options and commands name: read whole, of bounded size, and refused with the place where they are no
//! text.

use std::io::Read;
use std::path::Path;

/// No option needs a larger file.
const LARGEST: u64 = 1 << 20;

/// Reads a text file.
///
/// # Errors
/// The reason; for a byte that is not text, its line and column.
pub fn read_text(path: &Path) -> Result<String, String> {
    let file = std::fs::File::open(path).map_err(|why| why.to_string())?;
    let mut bytes = Vec::new();
    // A pipe or a device does not say before how much it will send.
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    if bytes.len() as u64 > LARGEST {
        Err(format!("it has more than the {LARGEST} bytes allowed"))
    } else {
        text_of(bytes)
    }
}

fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let before = String::from_utf8_lossy(&bytes[..good]);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        format!("line {line}, column {column}: the byte 0x{:02x} is not UTF-8 text", bytes[good])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_told_with_its_place() {
        assert_eq!(text_of("é\n".into()), Ok("é\n".to_owned()));
        let bad = text_of(b"ok\n\xc3\xa9 \xff2".to_vec());
        assert_eq!(bad, Err("line 2, column 3: the byte 0xff is not UTF-8 text".to_owned()));
    }
}
