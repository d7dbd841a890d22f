//! How urgent whoever plays at a board of a ladder is, and whoever gives advice there: the ladder comes first.

/// How much less of the processor whoever plays at a board has than whoever plays the ladder: nice values. With this a
/// client that thinks takes a twentieth of a core that the ladder wants whole; with less of it, it takes an eighth (10),
/// with more, people wait for it too long.
const NICE: i32 = 15;

/// Makes this thread, and whatever it starts, as urgent as a board is. Where that is not allowed it is as quick as the
/// rest.
pub fn step_back() {
    let _ = rustix::process::setpriority_process(None, NICE);
}
