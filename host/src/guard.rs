//! `agon-host --guard` reads numbers of process groups, a line each, and ends the last one once nobody can write more.
//! So a build ends with the process that began it, for whatever reason that ended.
#![expect(unsafe_code)]

use std::io::BufRead;
use std::time::Duration;

/// How long the members of a group may take to disappear. Members for which nobody waits stay for ever.
const END_LIMIT: Duration = Duration::from_secs(2);
const CHECK_EVERY: Duration = Duration::from_millis(20);

/// Returns when the group has ended; a group of 0 means none.
pub fn guard(lines: impl BufRead) {
    let numbers = lines.lines().map_while(Result::ok).map(|line| line.trim().parse::<i32>().unwrap_or(0));
    let group = numbers.last().unwrap_or(0);
    if group <= 1 {
        return;
    }
    for _ in 0..END_LIMIT.as_millis() / CHECK_EVERY.as_millis() {
        // SAFETY: the call takes two numbers and touches no memory.
        if unsafe { libc::kill(-group, libc::SIGKILL) } != 0 {
            return;
        }
        std::thread::sleep(CHECK_EVERY);
    }
}
