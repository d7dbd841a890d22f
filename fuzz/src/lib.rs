//! Everything that reads bytes of a stranger, as plain functions from bytes: each must come to its end without a panic,
//! whatever the bytes are. `tools/fuzz` searches for bytes by which one does not; `tests/corpora.rs` replays what is
//! known, and mutates it a little.

pub mod mutate;
mod scratch;
mod targets;

/// Something that reads.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name of the target, and of the folder of its corpus.
    pub name: &'static str,
    /// Reads; what it refuses is no failure.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "archive", run: targets::archive::run },
    Target { name: "elf", run: targets::elf::run },
    Target { name: "first_line", run: targets::first_line::run },
    Target { name: "host_replies", run: targets::host_replies::run },
    Target { name: "host_requests", run: targets::host_requests::run },
    Target { name: "http", run: targets::http::run },
    Target { name: "import", run: targets::import::run },
    Target { name: "ladder", run: targets::ladder::run },
    Target { name: "map", run: targets::map::run },
    Target { name: "matrix_market", run: targets::matrix_market::run },
    Target { name: "moves", run: targets::moves::run },
    Target { name: "options", run: targets::options::run },
    Target { name: "record", run: targets::record::run },
    Target { name: "words", run: targets::words::run },
];
