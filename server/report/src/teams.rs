//! The teams of a ladder with their private links.

use super::grid::text_table;
use agon_model::counted;
use agon_model::visible::{escape, json_document};
use serde::Serialize;

/// The teams of a ladder, in the order of their names.
#[derive(Debug)]
pub struct Teams<'a> {
    /// The ladder's name.
    pub ladder: &'a str,
    /// A line each.
    pub rows: Vec<TeamRow>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TeamRow {
    /// The name that all versions of its client share.
    pub team: String,
    /// Its private link, if it has one.
    pub link: Option<String>,
}

impl Teams<'_> {
    /// A table.
    pub fn text(&self) -> String {
        let linked = self.rows.iter().filter(|row| row.link.is_some()).count();
        let teams = counted(self.rows.len() as u64, "team", "teams");
        let head = format!("{}: {teams}, {linked} with a link\n", escape(self.ladder, 64));
        if self.rows.is_empty() {
            return head;
        }
        let row = |row: &TeamRow| vec![escape(&row.team, 60), row.link.clone().unwrap_or_else(|| "none".to_owned())];
        head + "\n" + &text_table(&["team", "link"], self.rows.iter().map(row))
    }

    /// One JSON document, `agon.teams/1`, ended by a newline.
    pub fn json(&self) -> String {
        json_document(&Document { schema: "agon.teams/1", ladder: self.ladder, teams: &self.rows })
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    ladder: &'a str,
    teams: &'a [TeamRow],
}
