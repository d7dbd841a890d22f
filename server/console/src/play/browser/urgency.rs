//! The priority of clients and advisers at a board of a ladder: the ladder comes first.

/// The nice value of clients at a board, on top of the ladder's. With it, a client that thinks takes a twentieth of a
/// core that the ladder wants whole. With 10 it takes an eighth; with more, people wait too long.
const NICE: i32 = 15;

/// Makes this thread, and whatever it starts, as urgent as a board is. Where that is not allowed it is as quick as the
/// rest.
pub fn step_back() {
    let _ = rustix::process::setpriority_process(None, NICE);
}
