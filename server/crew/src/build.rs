//! Names this build of agon: its version, and the hash of its program.

use std::fs::File;
use std::sync::OnceLock;

/// The digits of the hash: enough to distinguish builds.
const DIGITS: usize = 12;

/// The version of this program and the beginning of its hash, as workers and coordinators report it.
pub fn build() -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    BUILD.get_or_init(|| format!("{} {}", env!("CARGO_PKG_VERSION"), hash().unwrap_or_else(|| "unknown".to_owned())))
}

fn hash() -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open("/proc/self/exe").ok()?).ok()?;
    Some(hasher.finalize().to_hex()[..DIGITS].to_owned())
}
