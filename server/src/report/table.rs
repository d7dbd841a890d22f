//! A table of plain characters: columns parted by two spaces, no lines, nothing wrapped.

use comfy_table::{CellAlignment, Table, presets};

/// One line a row. Columns whose title begins with `>` stand to the right.
pub(super) fn table(titles: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(titles.iter().map(|title| title.trim_start_matches('>')));
    for row in rows {
        table.add_row(row);
    }
    for (column, title) in table.column_iter_mut().zip(titles) {
        column.set_padding((0, 2));
        if title.starts_with('>') {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    lines.concat()
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn columns_are_aligned() {
        let rows = [vec!["1".to_owned(), "a".to_owned()], vec!["10".to_owned(), String::new()]];
        assert_eq!(table(&[">#", "client"], rows), " #  client\n 1  a\n10\n");
    }
}
