//! How a finished match is reported to people, and the file that keeps it.

use super::words::Words;
use agon_games::{AnyGame, Seat};
use agon_model::Match;
use agon_model::visible::escape;
use agon_tournament::AdHocMatch;
use std::path::{Path, PathBuf};

/// The ways in which a finished match is reported and kept.
pub(super) struct Ending<'a> {
    pub(super) words: Words,
    pub(super) game: &'a dyn AnyGame,
    /// The names of people, seat by seat.
    pub(super) called: Vec<String>,
    pub(super) save: Option<&'a Path>,
    /// Whether people read what clients printed, and in which words they were at fault.
    pub(super) keeps_words: bool,
}

/// The file of the first match, and those of further ones: `saved.html`, `saved-2.html`.
pub(super) fn numbered(file: &Path, count: u32) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let kind = file.extension().map_or(String::new(), |kind| format!(".{}", kind.to_string_lossy()));
    if count < 2 { file.to_owned() } else { file.with_file_name(format!("{stem}-{count}{kind}")) }
}

/// A sentence that says who won; a single person is addressed as "you".
fn outcome(ad_hoc: &AdHocMatch, played: &Match, ending: &Ending<'_>) -> String {
    let labels = ad_hoc.labels();
    let first: Vec<Seat> = (0..played.seats.len()).filter(|&seat| played.seats[seat].rank == 1).collect();
    let people: Vec<Seat> = (0..labels.len()).filter(|&seat| labels[seat].is_none()).collect();
    let name = |seat: &Seat| match labels[*seat] {
        Some(label) => escape(label, 40),
        None if ending.called[*seat] == ending.words.person() => ending.words.whoever_sat(*seat),
        None => ending.called[*seat].clone(),
    };
    match people.as_slice() {
        _ if labels.len() < 2 => String::new(),
        [you] => ending.words.your_outcome(first.contains(you), first.len() > 1),
        _ => ending.words.outcome(&first.iter().map(name).collect::<Vec<_>>()),
    }
}

/// The result seat by seat, and the faults.
pub(super) fn result(ad_hoc: &AdHocMatch, played: &Match, ending: &Ending<'_>) -> String {
    let words = ending.words;
    let is_void = matches!(played.ending, agon_model::Ending::Void(_) | agon_model::Ending::Shortage(_));
    let mut out = if is_void { String::new() } else { outcome(ad_hoc, played, ending) };
    for (seat, (result, label)) in played.seats.iter().zip(ad_hoc.labels()).enumerate() {
        let label = label.map_or_else(|| ending.called[seat].clone(), |label| escape(label, 40));
        out += &words.result(seat, &label, result.rank, result.score);
        match &result.fault {
            Some(fault) if ending.keeps_words => {
                out += &format!("  {}: {}\n", fault.kind.name(), escape(&fault.message, 400));
            }
            Some(fault) => out += &format!("  {}\n", words.fault(fault.kind)),
            None => {}
        }
    }
    if let agon_model::Ending::Void(cause) | agon_model::Ending::Shortage(cause) = &played.ending {
        out += &words.void(&if ending.keeps_words { escape(cause, 400) } else { words.of_this_machine().to_owned() });
    }
    // A file that is kept has been named already.
    if ending.save.is_some() { out } else { out + words.not_recorded() }
}
