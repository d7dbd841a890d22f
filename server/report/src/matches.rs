//! Lists of matches.

use super::table::table;
use agon_model::visible::escape;
use agon_record::{Listed, SeatListed};
use serde::Serialize;

/// A line a match: id, setting, who sat where with which rank, how it ended. Ended by a line that says how to go on.
pub fn matches(list: &[Listed]) -> String {
    if list.is_empty() {
        return "no match\n".to_owned();
    }
    let row = |line: &Listed| {
        let seats: Vec<String> = line.seats.iter().map(seat).collect();
        vec![line.id.clone(), escape(&line.setting, 24), seats.join(", "), line.plies.to_string(), line.ending.clone()]
    };
    let lines = table(&["match", "setting", "seats (rank)", ">turns", "ended"], list.iter().map(row));
    let id = list.last().map_or("ID", |line| line.id.as_str());
    format!("{lines}\nagon show {id} explains the last one\n")
}

fn seat(seat: &SeatListed) -> String {
    let fault = seat.fault.as_ref().map_or(String::new(), |fault| format!(" {fault}"));
    format!("{} ({}{fault})", escape(&seat.label, 40), seat.rank)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    ladder: &'a str,
    matches: &'a [Listed],
}

/// One JSON document, `agon.matches/1`, ended by a newline.
pub fn matches_json(ladder: &str, list: &[Listed]) -> String {
    super::log::pretty(&Document { schema: "agon.matches/1", ladder, matches: list })
}
