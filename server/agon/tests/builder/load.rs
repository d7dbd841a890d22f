//! A busy machine.

use rustix::process::{Pid, Signal, kill_process_group};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// Programs that take all the processor time they can get, one for each core; they end with this.
pub struct Load(Vec<Child>);

impl Load {
    pub fn one_a_core() -> Load {
        Load::times(1)
    }

    /// So many for each core.
    pub fn times(times: usize) -> Load {
        let cores = times * std::thread::available_parallelism().unwrap().get();
        let spin = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        Load((0..cores).map(|_| spin()).collect())
    }
}

/// What runs on a machine that people work on, a shell's loop each: it computes, starts programs, writes through to the
/// disk, builds.
const MIXED: [&str; 4] = [
    "while :; do :; done",
    "while :; do /bin/true; done",
    "while :; do dd if=/dev/zero of=\"$FOLDER/$$\" bs=64k count=32 oflag=sync; done",
    "while :; do printf '#include <stdio.h>\\n#include <stdlib.h>\\nint main(void) { return 0; }' | cc -O2 -x c -c -o \"$FOLDER/$$.o\" -; done",
];

/// All of these, so many times; what they write goes into a folder, and they end with this.
pub struct MixedLoad(Vec<Child>);

impl MixedLoad {
    pub fn times(times: usize, folder: &std::path::Path) -> MixedLoad {
        let start = |script: &&str| {
            let mut shell = Command::new("sh");
            shell.args(["-c", script]).env("FOLDER", folder).process_group(0);
            shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        MixedLoad((0..times).flat_map(|_| MIXED.iter().map(start)).collect())
    }
}

impl Drop for MixedLoad {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
            let _ = child.wait();
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
