//! How a match ended, in words: by the rules, or by whose fault, when and why.

use agon_model::visible::escape;
use agon_model::{Ending, Phase, counted};
use agon_record::StoredMatch;

/// How it ended and why: the rules' end, or the faults with their messages.
pub fn ending_text(stored: &StoredMatch) -> String {
    let played = &stored.played;
    let turns = counted(stored.played.plies().into(), "turn", "turns");
    let winners: Vec<String> = (0..played.seats.len())
        .filter(|&seat| played.seats[seat].rank == 1)
        .map(|seat| seat_text(stored, seat))
        .collect();
    let result = match winners.as_slice() {
        // Nobody is there to win against.
        [_] if played.seats.len() == 1 => format!("score {}", played.seats[0].score),
        [] => String::new(),
        [one] => format!("{one} won"),
        several => format!("{} share the first place", several.join(" and ")),
    };
    let mut out = match &played.ending {
        Ending::Over => format!("\nended by the rules after {turns}: {result}\n"),
        Ending::Adjudicated => {
            format!("\nended before its end, after {turns}, as both clients' values agreed on who wins: {result}\n")
        }
        Ending::Fault => format!("\nended by a fault after {turns}: {result}\n"),
        Ending::Void(cause) | Ending::Shortage(cause) => format!("\nvoid, not counted: {}\n", escape(cause, 400)),
    };
    for (seat, result) in played.seats.iter().enumerate() {
        if let Some(fault) = &result.fault {
            let raw =
                if fault.raw.is_empty() { String::new() } else { format!("\n  bytes: {}", escape(&fault.raw, 200)) };
            let (kind, when) = (fault.kind.name(), phase_and_ply(fault.phase, fault.ply));
            out += &format!("{}: {kind} {when}\n  {}{raw}\n", seat_text(stored, seat), escape(&fault.message, 1000));
        }
    }
    out
}

/// A seat and who sits there.
pub fn seat_text(stored: &StoredMatch, seat: usize) -> String {
    format!("seat {} ({})", seat + 1, escape(stored.label(seat), 40))
}

/// When it was that a client did something.
pub fn phase_text(phase: Phase, ply: u32) -> String {
    match phase {
        Phase::Load => "while it was loaded".to_owned(),
        Phase::Initialize => "in initialize".to_owned(),
        Phase::Name => "in get_player_name".to_owned(),
        Phase::Play => format!("in turn {}", ply + 1),
        Phase::Idle => format!("while others moved in turn {}", ply + 1),
        Phase::Finalize => "in finalize".to_owned(),
    }
}

/// The same with the ply, from 0, by which clients and messages count.
pub fn phase_and_ply(phase: Phase, ply: u32) -> String {
    let count = if matches!(phase, Phase::Play | Phase::Idle) { format!(" (ply {ply})") } else { String::new() };
    phase_text(phase, ply) + &count
}
