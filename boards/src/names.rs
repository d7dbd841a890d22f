//! Names of vertices: `a1` is the lower left corner of a grid; without a grid the number is the name.

use crate::{Board, Draft};

/// The letters of a column, from 0: a to z, then aa, ab, ….
pub fn column_name(column: usize) -> String {
    let mut name = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        rest -= 1;
        name.push(b'a' + (rest % 26) as u8);
        rest /= 26;
    }
    name.iter().rev().map(|&letter| letter as char).collect()
}

/// The name of a vertex on a grid of these columns and rows, its number where there is no grid or no such cell.
pub(crate) fn write(columns: usize, rows: usize, vertex: usize) -> String {
    if vertex >= columns * rows {
        return vertex.to_string();
    }
    format!("{}{}", column_name(vertex % columns), rows - vertex / columns)
}

/// The vertex that a name or a number means, below `count`.
pub(crate) fn read(columns: usize, rows: usize, count: usize, text: &str) -> Option<usize> {
    let digits = text.find(|c: char| !c.is_ascii_lowercase())?;
    let (letters, number) = text.split_at(digits);
    // Parsing of numbers accepts a sign, which no name has.
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: usize = number.parse().ok()?;
    if letters.is_empty() {
        return Some(number).filter(|&vertex| vertex < count);
    }
    let mut column = 0usize;
    for letter in letters.bytes() {
        column = column.checked_mul(26)?.checked_add(usize::from(letter - b'a') + 1)?;
    }
    let (column, row) = (column - 1, rows.checked_sub(number)?);
    (column < columns && row < rows).then_some(row * columns + column)
}

impl Board {
    /// The name of a vertex: `c3` on a grid, `22` without. A number that is no vertex stays a number.
    pub fn name(&self, vertex: usize) -> String {
        write(self.columns(), self.rows(), vertex)
    }

    /// The vertex that a name or a number means.
    pub fn vertex(&self, text: &str) -> Option<usize> {
        read(self.columns(), self.rows(), self.num_vertices(), text)
    }
}

impl Draft {
    /// Does the same as [`Board::name`].
    pub fn name(&self, vertex: usize) -> String {
        write(self.columns(), self.rows(), vertex)
    }

    /// Does the same as [`Board::vertex`].
    pub fn vertex(&self, text: &str) -> Option<usize> {
        read(self.columns(), self.rows(), self.num_vertices(), text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        assert_eq!(write(10, 10, 0), "a10");
        assert_eq!(write(10, 10, 99), "j1");
        assert_eq!(write(32, 32, 31), "af32");
        assert_eq!(write(0, 0, 12), "12");
        assert_eq!(write(10, 10, 4_294_967_295), "4294967295");
        for vertex in 0..32 * 32 {
            assert_eq!(read(32, 32, 1024, &write(32, 32, vertex)), Some(vertex));
            assert_eq!(read(32, 32, 1024, &vertex.to_string()), Some(vertex));
        }
        for wrong in ["", "a", "a0", "a11", "k1", "+3", "a+3", "100", "-1", "aaaaaaaaaaaaaaaaaaaaaaaa1", "ä1", "a1 "] {
            assert_eq!(read(10, 10, 100, wrong), None, "{wrong}");
        }
        assert_eq!(column_name(25), "z");
        assert_eq!(column_name(26), "aa");
        assert_eq!(column_name(702), "aaa");
    }
}
