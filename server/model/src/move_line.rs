//! A move as a line of JSON, the same in the log of a match and in an export.

use super::Step;
use agon_games::MoveBytes;
use serde::{Deserialize, Serialize};

/// A move of a seat. Seats and turns (`n`) count from 0.
#[derive(Debug, Serialize, Deserialize)]
pub struct MoveLine {
    /// The turns played before, by all seats.
    pub n: u32,
    /// The seat of the move.
    pub seat: usize,
    /// The move in the game's notation; empty if these rules cannot replay the match. Readers ignore it.
    #[serde(default)]
    pub text: String,
    /// The bytes of the move, hex.
    #[serde(with = "bytes")]
    pub bytes: MoveBytes,
    /// Whether the client gave it, rather than the rules.
    pub by_client: bool,
    /// The processor time, in microseconds.
    pub cpu_us: u64,
    /// The wall time, in microseconds.
    pub us: u64,
    /// The hash of the state after the turn.
    #[serde(with = "hash")]
    pub hash: u64,
}

impl MoveLine {
    /// Makes the line of a step with its text.
    pub fn new(step: &Step, text: String) -> MoveLine {
        let Step { ply, seat, mv, by_client, cpu_us, wall_us, hash } = *step;
        MoveLine { n: ply, seat, text, bytes: mv, by_client, cpu_us, us: wall_us, hash }
    }

    /// Returns the step without its text.
    pub fn step(&self) -> Step {
        let MoveLine { n, seat, bytes, by_client, cpu_us, us, hash, .. } = *self;
        Step { ply: n, seat, mv: bytes, by_client, cpu_us, wall_us: us, hash }
    }
}

/// Writes 64 bits in hex.
pub mod hash {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// Writes sixteen digits.
    ///
    /// # Errors
    /// The serializer fails.
    pub fn serialize<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{value:016x}"))
    }

    /// Reads exactly sixteen digits.
    ///
    /// # Errors
    /// The text is something else.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        let fits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = if fits { u64::from_str_radix(&text, 16).ok() } else { None };
        value.ok_or_else(|| D::Error::custom("a hash has 16 hex digits"))
    }
}

/// Writes a move's bytes in hex.
mod bytes {
    use agon_games::MoveBytes;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(value: &MoveBytes, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{value:x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<MoveBytes, D::Error> {
        let text = String::deserialize(from)?;
        let fits = text.len() <= 32 && text.len() % 2 == 0 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let pairs = text.as_bytes().chunks(2).map(|pair| u8::from_str_radix(&String::from_utf8_lossy(pair), 16).ok());
        let bytes: Option<Vec<u8>> = if fits { pairs.collect() } else { None };
        bytes.map(|bytes| MoveBytes::new(&bytes)).ok_or_else(|| D::Error::custom("a move is at most 16 bytes, hex"))
    }
}
