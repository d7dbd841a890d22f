//! Lists of matches.

use super::grid::{client_label, text_table};
use agon_model::documents::{ListedMatch, ListedSeat, Matches};
use agon_model::visible::escape;
use agon_model::{Entrant, LadderRow, SeatOutcome};
use agon_record::Listed;

/// Matches of a ladder: what is listed, and the names of what it names by index.
#[derive(Clone, Copy)]
pub struct MatchList<'a> {
    /// The ladder.
    pub ladder: &'a LadderRow,
    /// Its entrants.
    pub entrants: &'a [Entrant],
    /// The matches.
    pub matches: &'a [Listed],
}

impl<'a> MatchList<'a> {
    /// A line a match: id, setting, who sat where with which rank, how it ended. Ended by a line that says how to go
    /// on.
    pub fn text(&self) -> String {
        self.lines() + &MatchList::end(self.matches.last().map(|last| &*last.id))
    }

    /// The text below the last line.
    pub fn end(last: Option<&str>) -> String {
        last.map_or("no match fits\n".to_owned(), |last| format!("\nagon show {last} explains the last one\n"))
    }

    /// The lines alone, below their titles; nothing without a match.
    pub fn lines(&self) -> String {
        if self.matches.is_empty() {
            return String::new();
        }
        let row = |line: &Listed| {
            let seats: Vec<String> = line.seats.iter().map(|seat| self.seat(seat)).collect();
            let (setting, ending) = (escape(self.setting(line), 24), line.ending.name().to_owned());
            vec![line.id.clone(), setting, seats.join(", "), line.plies.to_string(), ending]
        };
        text_table(&["match", "setting", "seats (rank)", ">turns", "ended"], self.matches.iter().map(row))
    }

    /// One JSON document, `agon.matches/1`, ended by a newline.
    pub fn json(&self) -> String {
        Matches { ladder: self.ladder.name.clone(), matches: self.listed() }.json()
    }

    /// The matches with names, as documents and pages have them.
    pub fn listed(&self) -> Vec<ListedMatch> {
        let seat = |seat: &SeatOutcome| ListedSeat {
            label: self.label(seat).to_owned(),
            rank: seat.rank,
            score: seat.score,
            fault: seat.fault.map(|fault| fault.name().to_owned()),
            notices: seat.notices,
        };
        let line = |line: &Listed| ListedMatch {
            id: line.id.clone(),
            setting: self.setting(line).to_owned(),
            ending: line.ending.name().to_owned(),
            plies: line.plies,
            started: line.started,
            seats: line.seats.iter().map(seat).collect(),
        };
        self.matches.iter().map(line).collect()
    }

    fn setting(&self, line: &Listed) -> &'a str {
        self.ladder.settings.get(line.setting).map_or("", |(name, _)| name)
    }

    fn label(&self, seat: &SeatOutcome) -> &'a str {
        client_label(self.entrants, seat.entrant)
    }

    fn seat(&self, seat: &SeatOutcome) -> String {
        let fault = seat.fault.map_or(String::new(), |fault| format!(" {}", fault.name()));
        format!("{} ({}{fault})", escape(self.label(seat), 40), seat.rank)
    }
}
