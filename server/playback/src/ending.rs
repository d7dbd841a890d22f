//! How a match ended, in words: by the rules, or by whose fault, when and why. What a client or the referee wrote about
//! a fault stays as it is recorded, in English.

use crate::kinds::kind_text;
use agon_games::{Language, Said};
use agon_model::visible::escape;
use agon_model::{Ending, Fault, Phase, StoredMatch, counted};

/// How the ending of a match begins that does not count.
pub const VOID: Said = Said::new("void, not counted", "annulée, pas comptée");

/// How it ended and why: the rules' end, or the faults with their messages.
pub fn ending_text(stored: &StoredMatch) -> String {
    ending_with(stored, Language::English, when_with_ply, str::to_owned)
}

/// The same in a language, for people who count turns from 1: without the ply of clients and messages.
pub fn ending_in(stored: &StoredMatch, language: Language) -> String {
    ending_with(stored, language, when_in, without_ply)
}

fn ending_with(
    stored: &StoredMatch,
    language: Language,
    when: fn(Phase, u32, Language) -> String,
    message: fn(&str) -> String,
) -> String {
    let played = &stored.played;
    // In French, nothing is singular.
    let many = if played.plies() == 0 { "tour" } else { "tours" };
    let turns = counted(played.plies().into(), language.pick("turn", "tour"), language.pick("turns", many));
    let result = result_text(stored, language);
    let mut out = match &played.ending {
        Ending::Over => language.pick(
            format!("\nended by the rules after {turns}: {result}\n"),
            format!("\nfinie selon les règles après {turns} : {result}\n"),
        ),
        Ending::Adjudicated => language.pick(
            format!("\nended before its end, after {turns}, as both clients' values agreed on who wins: {result}\n"),
            format!(
                "\nfinie avant terme, après {turns}, les valeurs des deux clients désignant le vainqueur : {result}\n"
            ),
        ),
        Ending::Fault => language.pick(
            format!("\nended by a fault after {turns}: {result}\n"),
            format!("\nfinie par une faute après {turns} : {result}\n"),
        ),
        Ending::Void(cause) | Ending::Shortage(cause) => {
            format!("\n{}{} {}\n", VOID.in_language(language), colon(language), escape(cause, 400))
        }
    };
    for (seat, result) in played.seats.iter().enumerate() {
        if let Some(fault) = &result.fault {
            let who = seat_in(stored, seat, language) + colon(language);
            let when = when(fault.phase, fault.ply, language);
            out += &format!("{who} {}", fault_text(fault, &when, &message(&fault.message), language));
        }
    }
    out
}

fn fault_text(fault: &Fault, when: &str, message: &str, language: Language) -> String {
    let bytes = language.pick("the move's bytes:", "les octets du coup :");
    let raw = if fault.raw.is_empty() { String::new() } else { format!("\n  {bytes} {}", escape(&fault.raw, 200)) };
    format!("{} {when}\n  {}{raw}\n", kind_text(fault.kind.name(), language), escape(message, 1000))
}

/// A message of a fault without the ply, which counts from 0.
pub(crate) fn without_ply(message: &str) -> String {
    let parts = [", before ply ", ", ply "].into_iter().find_map(|begin| message.split_once(begin));
    let Some((before, rest)) = parts else { return message.to_owned() };
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.len() == rest.len() {
        return message.to_owned();
    }
    before.trim_end_matches(" in play").trim_end_matches(',').to_owned() + after
}

/// The winners; empty if nobody won.
fn result_text(stored: &StoredMatch, language: Language) -> String {
    let seats = &stored.played.seats;
    let is_first = |seat: &usize| seats[*seat].rank == 1;
    let winners: Vec<String> = (0..seats.len()).filter(is_first).map(|seat| seat_in(stored, seat, language)).collect();
    match winners.as_slice() {
        // Nobody is there to win against.
        [_] if seats.len() == 1 => format!("score {}", seats[0].score),
        [] => String::new(),
        [one] => format!("{one} {}", language.pick("won", "gagne")),
        several => language.pick(
            format!("{} share the first place", several.join(" and ")),
            format!("{} partagent la première place", several.join(" et ")),
        ),
    }
}

/// The colon of a language: French has a space before it.
pub(crate) fn colon(language: Language) -> &'static str {
    language.pick(":", " :")
}

/// A seat and who sits there.
pub fn seat_text(stored: &StoredMatch, seat: usize) -> String {
    seat_in(stored, seat, Language::English)
}

/// The same in a language.
pub(crate) fn seat_in(stored: &StoredMatch, seat: usize, language: Language) -> String {
    format!("{} {} ({})", language.pick("seat", "place"), seat + 1, escape(stored.label(seat), 40))
}

/// When it was that a client did something.
pub(crate) fn when_in(phase: Phase, ply: u32, language: Language) -> String {
    let turn = ply + 1;
    match phase {
        Phase::Load => language.pick("while it was loaded", "au chargement").to_owned(),
        Phase::Initialize => language.pick("in initialize", "dans initialize").to_owned(),
        Phase::Name => language.pick("in get_player_name", "dans get_player_name").to_owned(),
        Phase::Play => language.pick(format!("in turn {turn}"), format!("au tour {turn}")),
        Phase::Waiting => language.pick(
            format!("while others moved in turn {turn}"),
            format!("pendant que d’autres jouaient le tour {turn}"),
        ),
        Phase::Finalize => language.pick("in finalize", "dans finalize").to_owned(),
    }
}

/// The same with the ply, from 0, by which clients and messages count.
pub fn phase_and_ply(phase: Phase, ply: u32) -> String {
    when_with_ply(phase, ply, Language::English)
}

fn when_with_ply(phase: Phase, ply: u32, language: Language) -> String {
    let count = match phase {
        Phase::Play | Phase::Waiting => {
            language.pick(format!(" (ply {ply}, counted from 0)"), format!(" (demi-coup {ply}, compté à partir de 0)"))
        }
        _ => String::new(),
    };
    when_in(phase, ply, language) + &count
}

#[cfg(test)]
mod tests {
    use super::without_ply;

    #[test]
    fn a_message_reads_well_without_its_ply() {
        for (message, without) in [
            ("20 ms of processor time in play, ply 14, 10 ms allowed", "20 ms of processor time, 10 ms allowed"),
            (
                "5 s for its moves so far, in play, ply 14, more than twice 1 s",
                "5 s for its moves so far, more than twice 1 s",
            ),
            ("it ended between its turns, before ply 3", "it ended between its turns"),
            ("no turn is named", "no turn is named"),
        ] {
            assert_eq!(without_ply(message), without);
        }
    }
}
