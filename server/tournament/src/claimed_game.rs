//! The game that a client says it plays.

use agon_arena::admission::{self, Bounds, PATIENCE};
use agon_model::{Paths, SandboxMode, SandboxPolicy};
use std::path::Path;

/// The game that a file names. A fault of the file is reported when it is to play.
pub fn claimed_game(paths: &Paths, file: &Path, mode: SandboxMode) -> Option<String> {
    let sandbox = SandboxPolicy { mode, ..SandboxPolicy::default() };
    let bounds = Bounds { patience: PATIENCE, memory: admission::MEMORY };
    admission::look(paths, &file.canonicalize().ok()?, &sandbox, bounds).ok()?.game
}
