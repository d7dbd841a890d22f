//! The picture of a map: one character a cell.

use crate::BadBoard;

pub(crate) struct Picture {
    pub columns: usize,
    /// A cell, or a hole; row by row from the top.
    pub exists: Vec<bool>,
    pub queens: [Vec<u32>; 2],
    pub blocked: Vec<u32>,
}

/// Reads the picture from its lines.
///
/// # Errors
/// With the place, lines and columns from 1.
pub(crate) fn read(lines: &str) -> Result<Picture, BadBoard> {
    let mut picture = Picture { columns: 0, exists: Vec::new(), queens: Default::default(), blocked: Vec::new() };
    for (row, line) in lines.lines().enumerate() {
        let at = |column| Some((row + 1, column));
        if row == 0 {
            picture.columns = line.chars().count();
        }
        for (column, cell) in line.chars().enumerate() {
            picture.add(cell).map_err(|why| BadBoard { why, place: at(column + 1) })?;
        }
        let width = line.chars().count();
        if width != picture.columns || width == 0 {
            let why = format!("this row has {width} squares and the first has {}; draw a hole as #", picture.columns);
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
