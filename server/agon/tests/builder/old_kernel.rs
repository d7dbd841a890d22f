//! An arena whose programs run as on a kernel that lacks parts: calls of the system fail as where they are unknown.

use super::Arena;
use agon_skips::has_program;
use std::path::Path;
use std::process::Command;

impl Arena {
    /// From now on `agon` runs without these parts of the kernel (landlock, seccomp, pidfd); `None`, said loudly, where
    /// there is no compiler.
    pub fn on_old_kernel(self, parts: &str) -> Option<Arena> {
        if !has_program("cc") {
            return None;
        }
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/builder/old_kernel.c");
        let program = self.path("bin/old-kernel");
        let made = Command::new("cc").arg("-o").arg(&program).arg(source).status().unwrap();
        assert!(made.success());
        self.wrap("bin/agon", &format!("exec {} {parts} --", program.display()));
        Some(self)
    }
}
