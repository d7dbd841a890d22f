//! The words about a client that makes others wait: too much wall time in all moves of a match, or most of it idle.

use super::Moment;
use agon_model::{Fault, FaultKind, Notice, NoticeKind, time_text};

/// The fault of too much wall time in all moves of a match.
pub fn dawdled(ply: u32, waited_us: u64, allowed_us: u64) -> Fault {
    let (moment, waited, allowed) = (Moment::play(ply), time_text(waited_us), time_text(allowed_us));
    let message = format!(
        "{waited} of wall time in all its moves so far, {}, more than twice the {allowed} allowed, without waits for a core: the client \
         sleeps or waits; help: never sleep or block, compute instead",
        moment.words()
    );
    moment.blame(FaultKind::Stalled, message)
}

/// The notice that precedes this fault, once.
pub fn dawdles(ply: u32, waited_us: u64, allowed_us: u64) -> Notice {
    let (moment, waited, allowed) = (Moment::play(ply), time_text(waited_us), time_text(allowed_us));
    let message = format!(
        "{waited} of wall time in all its moves so far, {}, {allowed} allowed, without waits for a core: beyond twice that it loses; \
         help: never sleep or block",
        moment.words()
    );
    Notice { kind: NoticeKind::Dawdling, phase: moment.phase, ply: moment.ply, message }
}

/// The notice of a client that computed nothing in most of the wall time of its moves.
pub fn idles(ply: u32, idle_us: u64, spent_us: u64) -> Notice {
    let (moment, idle, spent) = (Moment::play(ply), time_text(idle_us), time_text(spent_us));
    let message = format!(
        "of {spent} of wall time in its moves so far, {}, it computed nothing in {idle}, without waits for a core: it sleeps or \
         waits; help: remove sleep, usleep and waits for a lock or for input from play: they make moves slower and no better",
        moment.words()
    );
    Notice { kind: NoticeKind::Dawdling, phase: moment.phase, ply: moment.ply, message }
}
