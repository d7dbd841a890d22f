//! The standings for programs: every entrant, refused or not, with its status in columns of its own, and its name as it
//! is.

use super::{SortKey, Standings};
use crate::grid::TableFormat;
use agon_model::{Entrant, StatusKind, TallyRow};

impl Standings {
    /// The table as CSV: those of the table first, then those that could not play, without a place. Nobody has two lines:
    /// versions that were replaced have none.
    pub fn csv(&self) -> String {
        let mut lines = self.ranked(&self.all);
        let listed: Vec<usize> = lines.iter().map(|(_, line, _)| line.entrant).collect();
        let all = self.all.lines().into_iter().zip(&self.entrants);
        let is_left =
            |line: &TallyRow| !listed.contains(&line.entrant) && self.status(line.entrant) != StatusKind::Replaced;
        let rest = all.filter(|(line, _)| is_left(line));
        lines.extend(rest.map(|(line, entrant)| (0, line, entrant)));
        if self.sort == SortKey::Client {
            lines.sort_by(|(.., a), (.., b)| a.label.cmp(&b.label));
        }
        let mut grid = self.grid(&lines);
        let before_grade = grid.titles.len() - usize::from(!self.grades.is_empty());
        grid.titles.insert(before_grade, "team".to_owned());
        grid.titles.extend(["status", "why"].map(str::to_owned));
        for (cells, (place, line, entrant)) in grid.rows.iter_mut().zip(&lines) {
            if *place == 0 {
                cells[0] = String::new();
            }
            cells[1] = self.full_label(line.entrant, entrant).into_owned();
            let (status, why) = (self.status_of(line.entrant, entrant), self.why_of(line, entrant));
            cells.insert(before_grade, entrant.team().to_owned());
            cells.extend([status, why].map(str::to_owned));
        }
        grid.write(TableFormat::Csv)
    }

    /// Whether it plays, and if not, why, in one word.
    pub(super) fn status_of(&self, index: usize, entrant: &Entrant) -> &'static str {
        match self.status(index) {
            _ if self.is_staff(index) => "staff",
            StatusKind::Playing if entrant.refused.is_some() => StatusKind::Refused.name(),
            kind => kind.name(),
        }
    }

    /// For what it was refused, or why it does not play any more.
    fn why_of<'a>(&'a self, line: &TallyRow, entrant: &'a Entrant) -> &'a str {
        let suspended = self.statuses.get(line.entrant).and_then(|status| status.why.as_deref());
        entrant.refused.as_deref().or(suspended).unwrap_or_default()
    }
}
