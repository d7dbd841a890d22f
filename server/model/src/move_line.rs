//! A move as a line of JSON tells it, the same in the log of a match and in an export.

use super::Step;
use agon_games::MoveBytes;
use serde::{Deserialize, Serialize};

/// A move of a seat. Seats and turns (`n`) count from 0.
#[derive(Debug, Serialize, Deserialize)]
pub struct MoveLine {
    /// Turns played before, by all seats.
    pub n: u32,
    /// Whose.
    pub seat: usize,
    /// In the game's notation; empty where these rules cannot replay the match. Not read.
    #[serde(default)]
    pub text: String,
    /// The move itself, hex.
    #[serde(with = "bytes")]
    pub bytes: MoveBytes,
    /// Whether the client gave it, rather than the rules.
    pub by_client: bool,
    /// Processor time.
    pub cpu_us: u64,
    /// Wall time.
    pub us: u64,
    /// Of the state after the turn.
    #[serde(with = "hash")]
    pub hash: u64,
}

impl MoveLine {
    /// A step with its text.
    pub fn new(step: &Step, text: String) -> MoveLine {
        let Step { ply, seat, mv, by_client, cpu_us, wall_us, hash } = *step;
        MoveLine { n: ply, seat, text, bytes: mv, by_client, cpu_us, us: wall_us, hash }
    }

    /// The step without its text.
    pub fn step(&self) -> Step {
        let MoveLine { n, seat, bytes, by_client, cpu_us, us, hash, .. } = *self;
        Step { ply: n, seat, mv: bytes, by_client, cpu_us, wall_us: us, hash }
    }
}

/// 64 bits, hex.
pub mod hash {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// Sixteen digits.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(value: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{value:016x}"))
    }

    /// No more and no fewer.
    ///
    /// # Errors
    /// It is something else.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        let fits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = if fits { u64::from_str_radix(&text, 16).ok() } else { None };
        value.ok_or_else(|| D::Error::custom("a hash has 16 hex digits"))
    }
}

/// A move's bytes, hex.
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
