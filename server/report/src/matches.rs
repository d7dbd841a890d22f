//! Lists of matches.

use super::table::{label, table};
use agon_model::visible::{escape, json_document};
use agon_model::{Entrant, FaultKind, LadderRow, SeatOutcome};
use agon_record::Listed;
use serde::Serialize;

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

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    ladder: &'a str,
    matches: Vec<MatchDocument<'a>>,
}

#[derive(Serialize)]
struct MatchDocument<'a> {
    id: &'a str,
    setting: &'a str,
    ending: &'static str,
    plies: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<u64>,
    seats: Vec<SeatDocument<'a>>,
}

#[derive(Serialize)]
struct SeatDocument<'a> {
    label: &'a str,
    rank: u32,
    score: i64,
    fault: Option<FaultKind>,
    notices: u32,
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
        table(&["match", "setting", "seats (rank)", ">turns", "ended"], self.matches.iter().map(row))
    }

    /// One JSON document, `agon.matches/1`, ended by a newline.
    pub fn json(&self) -> String {
        self.document(false)
    }

    /// The same for the pages of a ladder: with when each match began, in seconds since 1970.
    pub fn json_for_pages(&self) -> String {
        self.document(true)
    }

    fn document(&self, has_times: bool) -> String {
        let seat = |seat: &SeatOutcome| {
            let SeatOutcome { rank, score, fault, notices, .. } = *seat;
            SeatDocument { label: self.label(seat), rank, score, fault, notices }
        };
        let line = |line: &'a Listed| MatchDocument {
            id: &line.id,
            setting: self.setting(line),
            ending: line.ending.name(),
            plies: line.plies,
            started: has_times.then_some(line.started),
            seats: line.seats.iter().map(seat).collect(),
        };
        let matches = self.matches.iter().map(line).collect();
        json_document(&Document { schema: "agon.matches/1", ladder: &self.ladder.name, matches })
    }

    fn setting(&self, line: &Listed) -> &'a str {
        self.ladder.settings.get(line.setting).map_or("", |(name, _)| name)
    }

    fn label(&self, seat: &SeatOutcome) -> &'a str {
        label(self.entrants, seat.entrant)
    }

    fn seat(&self, seat: &SeatOutcome) -> String {
        let fault = seat.fault.map_or(String::new(), |fault| format!(" {}", fault.name()));
        format!("{} ({}{fault})", escape(self.label(seat), 40), seat.rank)
    }
}
