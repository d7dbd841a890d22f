//! How a finished match is reported to people, and the file that keeps it.

use super::sentences::PlayWords;
use agon_games::{AnyGame, Seat};
use agon_model::Match;
use agon_model::visible::escape;
use agon_tournament::AdHocMatch;
use std::path::{Path, PathBuf};

/// How a finished match is reported and kept.
pub(super) struct FinishedMatch<'a> {
    pub(super) words: PlayWords,
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

/// The result of a match in the words of people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ResultText {
    /// A sentence that says who won, where it says more than the seats; a single person is addressed as "you".
    pub(super) outcome: Option<String>,
    /// The same for those who only watch: it names the winner.
    pub(super) by_name: Option<String>,
    /// The result of each seat.
    pub(super) seats: Vec<SeatText>,
    /// Sentences about the match as a whole.
    pub(super) remarks: Vec<String>,
}

/// The result of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeatText {
    pub(super) label: String,
    pub(super) rank: u32,
    pub(super) score: i64,
    pub(super) fault: Option<String>,
}

impl ResultText {
    /// The result line by line, as a terminal shows it.
    pub(super) fn lines(&self, words: PlayWords) -> String {
        self.below(self.outcome.as_ref(), words)
    }

    /// The same for anybody, as a replay shows it.
    pub(super) fn lines_by_name(&self, words: PlayWords) -> String {
        self.below(self.by_name.as_ref(), words)
    }

    fn below(&self, outcome: Option<&String>, words: PlayWords) -> String {
        let mut lines: Vec<String> = outcome.into_iter().cloned().collect();
        for (seat, one) in self.seats.iter().enumerate() {
            lines.push(words.result(seat, &one.label, one.rank, one.score));
            lines.extend(one.fault.iter().map(|fault| format!("  {fault}")));
        }
        lines.extend(self.remarks.iter().cloned());
        lines.join("\n")
    }
}

/// A sentence that says who won: to the people at the board, and to anybody.
fn outcome(ad_hoc: &AdHocMatch, played: &Match, ending: &FinishedMatch<'_>) -> Option<[String; 2]> {
    let labels = ad_hoc.labels();
    let first: Vec<Seat> = (0..played.seats.len()).filter(|&seat| played.seats[seat].rank == 1).collect();
    let people: Vec<Seat> = (0..labels.len()).filter(|&seat| labels[seat].is_none()).collect();
    let name = |seat: &Seat| match labels[*seat] {
        Some(label) => escape(label, 40),
        None if ending.called[*seat] == ending.words.person() => ending.words.whoever_sat(*seat),
        None => ending.called[*seat].clone(),
    };
    if labels.len() < 2 {
        return None;
    }
    let by_name = ending.words.outcome(&first.iter().map(name).collect::<Vec<_>>());
    let own = match people.as_slice() {
        [you] => ending.words.your_outcome(first.contains(you), first.len() > 1).to_owned(),
        _ => by_name.clone(),
    };
    Some([own, by_name])
}

/// The result seat by seat, and the faults.
pub(super) fn result(ad_hoc: &AdHocMatch, played: &Match, ending: &FinishedMatch<'_>) -> ResultText {
    let (words, labels) = (ending.words, ad_hoc.labels());
    let void = match &played.ending {
        agon_model::Ending::Void(cause) | agon_model::Ending::Shortage(cause) => Some(cause),
        _ => None,
    };
    let told = |(seat, result): (Seat, &agon_model::SeatResult)| SeatText {
        label: labels[seat].map_or_else(|| ending.called[seat].clone(), |label| escape(label, 40)),
        rank: result.rank,
        score: result.score,
        fault: result.fault.as_ref().map(|fault| {
            if ending.keeps_words {
                format!("{}: {}", fault.kind.name(), escape(&fault.message, 400))
            } else {
                words.fault(fault.kind)
            }
        }),
    };
    let cause =
        |cause: &String| if ending.keeps_words { escape(cause, 400) } else { words.of_this_machine().to_owned() };
    let void_words = void.map(|why| words.void(&cause(why)));
    // A file that is kept has been named already.
    let not_recorded = ending.save.is_none().then(|| words.not_recorded().to_owned());
    let outcome = if void.is_some() { None } else { outcome(ad_hoc, played, ending) };
    let (outcome, by_name) = outcome.map(|[own, by_name]| (own, by_name)).unzip();
    ResultText {
        outcome,
        by_name,
        seats: played.seats.iter().enumerate().map(told).collect(),
        remarks: void_words.into_iter().chain(not_recorded).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_games::Language;

    #[test]
    fn a_terminal_shows_the_result_line_by_line() {
        let seat = |label: &str, rank, fault: Option<&str>| SeatText {
            label: label.to_owned(),
            rank,
            score: 0,
            fault: fault.map(str::to_owned),
        };
        let told = ResultText {
            outcome: Some("you have won".to_owned()),
            by_name: Some("the person on seat 1 has won".to_owned()),
            seats: vec![seat("a person", 1, None), seat("b", 2, Some("crash: by SIGSEGV"))],
            remarks: vec!["nothing is recorded".to_owned()],
        };
        let lines = "seat 1 (a person): rank 1, score 0\nseat 2 (b): rank 2, score 0\n  crash: by SIGSEGV\n\
                     nothing is recorded";
        let words = PlayWords(Language::English);
        assert_eq!(told.lines(words), format!("you have won\n{lines}"));
        assert_eq!(told.lines_by_name(words), format!("the person on seat 1 has won\n{lines}"));
    }
}
