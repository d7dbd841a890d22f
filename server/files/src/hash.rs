//! The SHA-256 of files, by which clients and what they are given are known.

use crate::{Regular, Unreadable};
use agon_model::named_if_slow;
use digest::Digest;
use sha2::Sha256;
use std::path::Path;

/// The largest file of a client, or given to a client, bytes.
pub const LARGEST: u64 = 1 << 30;

/// The SHA-256 of an open file, in hex.
pub fn hash(source: &mut Regular) -> Result<String, Unreadable> {
    let mut hasher = Sha256::new();
    source.read(|piece| {
        hasher.update(piece);
        Ok::<_, Unreadable>(())
    })?;
    Ok(hex(hasher))
}

/// The SHA-256 of a client's file, in hex.
///
/// # Errors
/// The file cannot be read or must not be copied.
pub fn hash_of(file: &Path) -> Result<String, Unreadable> {
    named_if_slow(|| file.display().to_string(), || hash(&mut Regular::open(file, LARGEST)?))
}

/// The digest in hex.
pub fn hex(hasher: Sha256) -> String {
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
