//! Matrix Market: a directed graph as the text of a sparse matrix, with an entry `i j d` for an edge from i to j in
//! direction d.
//!
//! sprs writes and reads it. Its reader tells no places, reserves as much memory as the text asks for and never ends on
//! a text without sizes, so that the text is looked through before.

use crate::{BadBoard, Board, Direction, Draft, MAX_VERTICES, Start};
use sprs::io::{read_matrix_market_from_bufread, write_matrix_market_to_bufwrite};

const HEADER: &str = "%%MatrixMarket matrix coordinate integer general";

/// A graph, read.
pub(crate) struct Graph {
    pub draft: Draft,
    /// From, to, and the line of each edge.
    pub edges: Vec<(usize, usize, usize)>,
}

impl Board {
    /// Its edges as a Matrix Market text; there, vertices are counted from 1.
    pub fn to_matrix_market(&self) -> String {
        let mut bytes = Vec::new();
        // Writing to memory cannot fail.
        let _ = write_matrix_market_to_bufwrite(&mut bytes, self.matrix());
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// From a Matrix Market text and what stands on the graph, in words as [`Start::parse`] reads them, vertices from
    /// 0.
    ///
    /// # Errors
    /// What is wrong with the graph, with its place; or with the words, then without a place.
    pub fn from_matrix_market(text: &str, title: &str, words: &str) -> Result<Board, BadBoard> {
        let mut draft = read(text)?.draft;
        draft.title = title.to_owned();
        let bare = draft.build()?;
        let start = Start::parse(words, &bare).map_err(|error| BadBoard::new(format!("the queens: {error}")))?;
        bare.with_start(start)
    }
}

/// Reads a graph, still without queens.
///
/// # Errors
/// What is wrong, with its place.
pub(crate) fn read(text: &str) -> Result<Graph, BadBoard> {
    let sizes = look_through(text)?;
    let matrix = read_matrix_market_from_bufread::<i32, usize, _>(&mut text.as_bytes())
        .map_err(|error| bad(1, 1, format!("{error}")))?;
    let mut draft = Draft::graph(sizes.vertices)?;
    let mut edges = Vec::new();
    for ((&code, (from, to)), line) in matrix.triplet_iter().zip(sizes.lines) {
        let Some(direction) = u8::try_from(code).ok().and_then(Direction::from_code) else { continue };
        draft
            .connect(from, to, direction)
            .map_err(|error| bad(line, 1, format!("{} (vertices counted from 0, in the graph from 1)", error.why)))?;
        edges.push((from, to, line));
    }
    Ok(Graph { draft, edges })
}

/// What a text says of itself, found to be true.
struct Sizes {
    vertices: usize,
    /// Where each entry stands, from 1.
    lines: Vec<usize>,
}

fn look_through(text: &str) -> Result<Sizes, BadBoard> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let header = lines.next().map_or("", |(_, line)| line.trim_end());
    if !header.eq_ignore_ascii_case(HEADER) {
        return Err(bad(1, 1, format!("a graph begins with the line {HEADER}")));
    }
    let (top, line) = lines.find(|(_, line)| !line.starts_with('%')).unwrap_or((2, ""));
    let [rows, columns, entries] = numbers(top, line, "the rows, columns and entries of the matrix")?;
    if rows != columns {
        return Err(bad(top, 1, format!("a graph has as many rows as columns, not {rows} and {columns}")));
    }
    if !(1..=MAX_VERTICES).contains(&rows) {
        return Err(bad(top, 1, format!("a board has 1 to {MAX_VERTICES} vertices, not {rows}")));
    }
    let mut found = Vec::new();
    for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let [from, to, direction] = numbers(at, line, "an edge: from, to and direction")?;
        if let Some(vertex) = [from, to].into_iter().find(|vertex| !(1..=rows).contains(vertex)) {
            return Err(bad(at, 1, format!("vertices of a graph are 1 to {rows}, and {vertex} is none")));
        }
        if !(1..=8).contains(&direction) {
            return Err(bad(at, 1, format!("a direction is 1 to 8 (N NE E SE S SW W NW), not {direction}")));
        }
        if found.len() == entries {
            return Err(bad(at, 1, format!("{entries} edges are announced, and this is one more")));
        }
        found.push(at);
    }
    if found.len() < entries {
        let announced = format!("{entries} edges are announced and {} follow", found.len());
        return Err(bad(top, 1, announced));
    }
    Ok(Sizes { vertices: rows, lines: found })
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
