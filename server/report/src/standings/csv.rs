//! The standings for programs: every entrant, refused or not, with its status in columns of its own, and its name as it
//! is.

use super::grading::Grade;
use super::{SortKey, Standings};
use crate::status::StatusKind;
use crate::table::Form;
use agon_model::{Entrant, TallyRow};

impl Standings {
    /// The table as CSV: those of the table first, then those that could not play, without a place.
    pub fn csv(&self) -> String {
        let mut lines = self.ranked(&self.all);
        let listed: Vec<usize> = lines.iter().map(|(_, line, _)| line.entrant).collect();
        let all = self.all.lines().into_iter().zip(&self.entrants);
        let rest = all.filter(|(line, _)| !listed.contains(&line.entrant));
        lines.extend(rest.map(|(line, entrant)| (0, line, entrant)));
        if self.sort == SortKey::Client {
            lines.sort_by(|(.., a), (.., b)| a.label.cmp(&b.label));
        }
        let mut grid = self.grid(&lines);
        grid.titles.extend(self.grades_column(0).map(|_| "grade".to_owned()));
        grid.titles.extend(["status".to_owned(), "why".to_owned()]);
        for (cells, (place, line, entrant)) in grid.rows.iter_mut().zip(&lines) {
            if *place == 0 {
                cells[0] = String::new();
            }
            cells[1].clone_from(&entrant.label);
            cells.extend(self.grades_column(line.entrant));
            cells.extend([self.status_of(line, entrant).to_owned(), self.why_of(line, entrant).to_owned()]);
        }
        grid.write(Form::Csv)
    }

    /// The field of a client, where there are grades.
    fn grades_column(&self, client: usize) -> Option<String> {
        let cell = |grade: &Grade| grade.clone().unwrap_or_else(|why| format!("no grade: {why}"));
        self.grade_of(client).map(cell)
    }

    fn status_of(&self, line: &TallyRow, entrant: &Entrant) -> &'static str {
        let kind = self.statuses.get(line.entrant).map_or(StatusKind::Playing, |status| status.kind);
        match kind {
            StatusKind::Playing if entrant.refused.is_some() => StatusKind::Refused.name(),
            kind => kind.name(),
        }
    }

    /// For what it was refused, or why it does not play any more.
    fn why_of<'a>(&'a self, line: &TallyRow, entrant: &'a Entrant) -> &'a str {
        let aside = self.statuses.get(line.entrant).and_then(|status| status.why.as_deref());
        entrant.refused.as_deref().or(aside).unwrap_or_default()
    }
}
