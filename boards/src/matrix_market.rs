//! Matrix Market: a directed graph as the text of a sparse matrix, with an entry `i j d` for an edge from i to j in
//! direction d.

use crate::{BadBoard, Board, Direction, Draft, MAX_VERTICES, Start};
use std::fmt::Write;

const HEADER: &str = "%%MatrixMarket matrix coordinate integer general";

/// An edge as the text has it, vertices from 0.
pub(crate) struct Edge {
    pub from: usize,
    pub to: usize,
    /// The line of the text, from 1.
    pub line: usize,
}

pub(crate) struct Graph {
    pub draft: Draft,
    pub edges: Vec<Edge>,
}

impl Board {
    /// Its edges as a Matrix Market text; there, vertices are counted from 1.
    pub fn to_matrix_market(&self) -> String {
        let matrix = self.matrix();
        let size = matrix.num_rows();
        let mut text = format!("{HEADER}\n{size} {size} {}\n", self.num_edges());
        for from in 0..size {
            for (to, direction) in matrix.row(from) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{} {} {direction}", from + 1, to + 1);
            }
        }
        text
    }

    /// From a Matrix Market text and what stands on the graph, in words as [`Start::parse`] reads them, vertices from
    /// 0.
    ///
    /// # Errors
    /// What is wrong with the graph, with its place; or with the words, then without a place.
    pub fn from_matrix_market(text: &str, title: &str, words: &str) -> Result<Board, BadBoard> {
        let mut draft = read(text)?.draft;
        draft.title = title.to_owned();
        let bare = draft.build();
        let start = Start::parse(words, &bare).map_err(|error| BadBoard::new(format!("the queens: {error}")))?;
        bare.with_start(start)
    }
}

/// Reads a graph, still without queens.
///
/// # Errors
/// What is wrong, with its place.
pub(crate) fn read(text: &str) -> Result<Graph, BadBoard> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let header = lines.next().map_or("", |(_, line)| line.trim_end());
    if !header.eq_ignore_ascii_case(HEADER) {
        return Err(bad(1, 1, format!("a graph begins with the line {HEADER}")));
    }
    let (top, line) = lines.find(|(_, line)| !line.starts_with('%')).unwrap_or((2, ""));
    let [rows, columns, announced] = numbers(top, line, "the rows, columns and entries of the matrix")?;
    if rows != columns {
        return Err(bad(top, 1, format!("a graph has as many rows as columns, not {rows} and {columns}")));
    }
    if !(1..=MAX_VERTICES).contains(&rows) {
        return Err(bad(top, 1, format!("a board has 1 to {MAX_VERTICES} vertices, not {rows}")));
    }
    let mut graph = Graph { draft: Draft::graph(rows)?, edges: Vec::new() };
    for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
        if graph.edges.len() == announced {
            return Err(bad(line, 1, format!("{announced} edges are announced, and this is one more")));
        }
        graph.add_edge(line, text, rows)?;
    }
    match graph.edges.len() {
        found if found < announced => Err(bad(top, 1, format!("{announced} edges are announced and {found} follow"))),
        _ => Ok(graph),
    }
}

impl Graph {
    fn add_edge(&mut self, line: usize, text: &str, vertices: usize) -> Result<(), BadBoard> {
        let [from, to, code] = numbers(line, text, "an edge: from, to and direction")?;
        if let Some(vertex) = [from, to].into_iter().find(|vertex| !(1..=vertices).contains(vertex)) {
            return Err(bad(line, 1, format!("vertices of a graph are 1 to {vertices}, and {vertex} is none")));
        }
        let direction = u8::try_from(code)
            .ok()
            .and_then(Direction::from_code)
            .ok_or_else(|| bad(line, 1, format!("a direction is 1 to 8 (N NE E SE S SW W NW), not {code}")))?;
        let (from, to) = (from - 1, to - 1);
        self.draft
            .connect(from, to, direction)
            .map_err(|error| bad(line, 1, format!("{} (vertices counted from 0, in the graph from 1)", error.why)))?;
        self.edges.push(Edge { from, to, line });
        Ok(())
    }
}

fn numbers(at: usize, line: &str, what: &str) -> Result<[usize; 3], BadBoard> {
    let number = |word: &str| word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()));
    let words: Option<Vec<usize>> = line.split_whitespace().map(number).collect();
    let numbers = words.and_then(|words| words.try_into().ok());
    numbers.ok_or_else(|| bad(at, 1, format!("three whole numbers are expected here, {what}")))
}

fn bad(line: usize, column: usize, why: impl Into<String>) -> BadBoard {
    BadBoard { why: why.into(), place: Some((line, column)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_graphs_say_where() {
        let told = |text: &str| read(text).err().unwrap().to_string();
        let below = |text: &str| told(&format!("{HEADER}\n{text}"));
        assert!(told("").starts_with("line 1, column 1: a graph begins with the line %%MatrixMarket"));
        assert!(told(&HEADER.replace("general", "symmetric")).starts_with("line 1, column 1: a graph begins"));
        assert!(below("").starts_with("line 2, column 1: three whole numbers are expected here, the rows"));
        assert!(below("% only a comment\n").starts_with("line 2, column 1: three whole numbers"));
        assert_eq!(below("3 4 0"), "line 2, column 1: a graph has as many rows as columns, not 3 and 4");
        assert_eq!(below("5000 5000 0"), "line 2, column 1: a board has 1 to 4096 vertices, not 5000");
        assert_eq!(below("3 3 99999999999"), "line 2, column 1: 99999999999 edges are announced and 0 follow");
        assert_eq!(below("3 3 1\n1 2 3\n2 3 3"), "line 4, column 1: 1 edges are announced, and this is one more");
        assert!(below("3 3 1\n1 2").starts_with("line 3, column 1: three whole numbers are expected here, an edge"));
        assert!(below("3 3 1\n+1 2 3").contains("three whole numbers"));
        assert_eq!(below("3 3 1\n0 2 3"), "line 3, column 1: vertices of a graph are 1 to 3, and 0 is none");
        assert!(below("3 3 1\n1 2 9").starts_with("line 3, column 1: a direction is 1 to 8"));
        assert!(below("3 3 1\n1 2 99999999999").starts_with("line 3, column 1: a direction is 1 to 8"));
        assert_eq!(
            below("% two in one direction\n3 3 2\n1 2 3\n\n1 3 3"),
            "line 6, column 1: 0 already has 1 as its neighbour in direction E; cut that edge first (vertices counted from 0, in the graph from 1)"
        );
    }
}
