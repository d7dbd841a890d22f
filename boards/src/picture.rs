//! The picture of a map: one character a cell.

use crate::BadBoard;

/// A picture, read.
pub(crate) struct Picture {
    pub columns: usize,
    /// A cell, or a hole; row by row from the top.
    pub exists: Vec<bool>,
    pub queens: [Vec<u32>; 2],
    pub blocked: Vec<u32>,
}

/// Reads the picture from the source text of its TOML string, quotes included.
///
/// # Errors
/// With the place within `source`, lines from 0 and columns from 1.
pub(crate) fn read(source: &str) -> Result<Picture, BadBoard> {
    let quotes = ["\"\"\"", "'''"].into_iter().find(|quotes| source.starts_with(quotes) && source.len() >= 6);
    let inner = quotes.and_then(|quotes| source.strip_prefix(quotes)?.strip_suffix(quotes));
    let mut lines = inner.unwrap_or_default().lines();
    // The text is read as it stands in the file, so that the first row begins on the line below the quotes.
    if lines.next().is_none_or(|first| !first.is_empty()) {
        let why = "draw the picture on lines of its own, between three quotes (\"\"\") above and below";
        return Err(BadBoard { why: why.to_owned(), place: Some((0, 1)) });
    }
    let mut picture = Picture { columns: 0, exists: Vec::new(), queens: Default::default(), blocked: Vec::new() };
    for (row, line) in lines.enumerate() {
        let at = |column| Some((row + 1, column));
        if row == 0 {
            picture.columns = line.chars().count();
        }
        for (column, cell) in line.chars().enumerate() {
            picture.add(cell).map_err(|why| BadBoard { why, place: at(column + 1) })?;
        }
        let width = line.chars().count();
        if width != picture.columns || width == 0 {
            let why = format!("this row has {width} cells and the first has {}; draw a hole as #", picture.columns);
            return Err(BadBoard { why, place: at(width + 1) });
        }
    }
    if picture.exists.is_empty() {
        return Err(BadBoard { why: "the picture is empty".to_owned(), place: Some((0, 1)) });
    }
    Ok(picture)
}

impl Picture {
    fn add(&mut self, cell: char) -> Result<(), String> {
        let vertex = self.exists.len() as u32;
        match cell {
            '.' | '#' | ' ' => {}
            '1' => self.queens[0].push(vertex),
            '2' => self.queens[1].push(vertex),
            'x' => self.blocked.push(vertex),
            _ => {
                let meanings = ". is free, # or a blank a hole, 1 and 2 are queens, x is blocked";
                return Err(format!("{cell:?} means nothing in a picture: {meanings}"));
            }
        }
        self.exists.push(!matches!(cell, '#' | ' '));
        Ok(())
    }
}
