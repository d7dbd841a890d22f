//! A busy machine.

use std::process::{Child, Command};

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

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
