//! Tokens: what nobody can guess.

use crate::Failure;
use std::io::Read;

/// A new one: 128 random bits as hex digits.
pub fn draw_token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    let read = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|error| Failure::trouble(format!("no token can be drawn: /dev/urandom: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
