//! `agon-host --guard`: reads numbers of process groups, a line each, and ends the last one as soon as nobody can write
//! more. Whoever began a build is gone then, however that came about.

use std::io::BufRead;
use std::time::Duration;

/// How long the members of a group may take to be gone: those whom nobody waits for stay for ever.
const PATIENCE: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(20);

/// Comes back when all is over; a group of 0 is none.
pub fn guard(lines: impl BufRead) {
    let numbers = lines.lines().map_while(Result::ok).map(|line| line.trim().parse::<i32>().unwrap_or(0));
    let group = numbers.last().unwrap_or(0);
    if group <= 1 {
        return;
    }
    for _ in 0..PATIENCE.as_millis() / LOOK.as_millis() {
        // SAFETY: the call takes two numbers and touches no memory.
        if unsafe { libc::kill(-group, libc::SIGKILL) } != 0 {
            return;
        }
        std::thread::sleep(LOOK);
    }
}
