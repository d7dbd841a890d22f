//! A table in three formats: plain characters for people, CSV for programs, Markdown for pages.

use agon_model::Entrant;
use agon_model::visible::{Medium, visible};
use comfy_table::{CellAlignment, Table, presets};

/// The format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Columns parted by two spaces, no lines, nothing wrapped.
    Text,
    /// A head and a line a row; fields as in RFC 4180.
    Csv,
    /// A table of GitHub's Markdown.
    Markdown,
}

/// The label of the client with this index; `?` if there is none.
pub(super) fn client_label(entrants: &[Entrant], client: usize) -> &str {
    entrants.get(client).map_or("?", |entrant| &entrant.label)
}

/// Titles and rows. Columns whose title begins with `>` stand to the right.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    pub titles: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// A table with these titles and no row.
    pub fn new(titles: &[&str]) -> Grid {
        Grid { titles: titles.iter().map(|title| (*title).to_owned()).collect(), rows: Vec::new() }
    }

    /// The table in a format, each line ended.
    pub fn write(&self, format: TableFormat) -> String {
        match format {
            TableFormat::Text => self.text(),
            TableFormat::Csv => self.csv(),
            TableFormat::Markdown => self.markdown(),
        }
    }

    fn text(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(self.titles.iter().map(|title| title.trim_start_matches('>')));
        for row in &self.rows {
            table.add_row(row);
        }
        for (column, title) in table.column_iter_mut().zip(&self.titles) {
            column.set_padding((0, 2));
            if title.starts_with('>') {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
        lines.concat()
    }

    fn csv(&self) -> String {
        let line = |cells: Vec<String>| cells.join(",") + "\n";
        let field = |cell: &str| visible(cell, Medium::Csv).into_owned();
        let head = line(self.titles.iter().map(|title| field(title.trim_start_matches('>'))).collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(|cell| field(cell)).collect()));
        head + &rows.collect::<String>()
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let plain = |cell: &str| visible(cell, Medium::Markdown).into_owned();
        let head = line(self.titles.iter().map(|title| plain(title.trim_start_matches('>'))).collect());
        let sides = self.titles.iter().map(|title| if title.starts_with('>') { "---:" } else { "---" }.to_owned());
        let rows = self.rows.iter().map(|row| line(row.iter().map(|cell| plain(cell)).collect()));
        head + &line(sides.collect()) + &rows.collect::<String>()
    }
}

/// A table in plain characters, one line a row.
pub(super) fn text_table(titles: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    Grid { rows: rows.into_iter().collect(), ..Grid::new(titles) }.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let rows = vec![vec!["1".to_owned(), "a".to_owned()], vec!["10".to_owned(), "b,\"|\"".to_owned()]];
        Grid { rows, ..Grid::new(&[">#", "client"]) }
    }

    #[test]
    fn columns_are_aligned() {
        assert_eq!(grid().write(TableFormat::Text), " #  client\n 1  a\n10  b,\"|\"\n");
    }

    #[test]
    fn other_formats_keep_what_would_break_them() {
        assert_eq!(grid().write(TableFormat::Csv), "#,client\n1,a\n10,\"b,\"\"|\"\"\"\n");
        assert_eq!(
            grid().write(TableFormat::Markdown),
            "| # | client |\n| ---: | --- |\n| 1 | a |\n| 10 | `b,\"\\|\"` |\n"
        );
    }
}
