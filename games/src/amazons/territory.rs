//! Territory: for each free vertex, the side whose queens need fewer moves to it if the other side stood still.

use super::Amazons;
use crate::{Language, Overlay, Panel, Tint};
use agon_boards::{Board, column_name};
use std::ops::ControlFlow;

/// A distance farther than any vertex.
const FAR: u16 = u16::MAX;

/// The side that reaches a free vertex first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Side(usize),
    Both,
    Nobody,
}

/// All values, in the order of the legend.
const ALL: [First; 4] = [First::Side(0), First::Side(1), First::Both, First::Nobody];

impl Amazons {
    pub(super) fn map(&self, language: Language) -> Panel {
        let title = language.pick(
            "the player whose queens reach a square in fewer moves: 1, 2, = (equal) or . (nobody); (1) and (2) are queens",
            "le joueur dont les reines atteignent une case en moins de coups : 1, 2, = (égalité) ou . (personne) ; (1) et (2) sont des reines",
        );
        let firsts = self.firsts();
        let board = &self.setting.board;
        let mut lines = if board.is_grid() { self.rows(board, &firsts) } else { lists(board, &firsts, language) };
        let count = |first: First| firsts.iter().filter(|of_vertex| **of_vertex == Some(first)).count();
        let colon = language.colon();
        lines.push(ALL.map(|first| format!("{}{colon} {}", name(first, language), count(first))).join(", "));
        Panel::new(title, lines)
    }

    /// The same as marks on these vertices, the squares of a picture.
    pub(super) fn territory_marks(&self, vertices: &[usize], language: Language) -> Overlay {
        let firsts = self.firsts();
        let kind = |vertex: &usize| ALL.iter().position(|first| Some(*first) == firsts[*vertex]);
        let tint = |first: &First| match *first {
            First::Side(side) => Tint::Of(side),
            First::Both => Tint::Shared,
            First::Nobody => Tint::Nobody,
        };
        Overlay {
            title: language.pick("Territory", "Territoire").to_owned(),
            kinds: ALL.iter().map(|first| (tint(first), name(*first, language))).collect(),
            cells: vertices.iter().map(kind).collect(),
            is_shown: false,
        }
    }

    /// The result for each vertex; `None` for occupied ones and holes.
    fn firsts(&self) -> Vec<Option<First>> {
        let (board, position) = (&self.setting.board, &self.position);
        let [a, b] = [0, 1].map(|side| self.distances(side));
        let first = |vertex: usize| match (a[vertex], b[vertex]) {
            _ if board.is_hole(vertex) || position.occupied.has(&self.setting.lines, vertex) => None,
            (FAR, FAR) => Some(First::Nobody),
            (a, b) if a == b => Some(First::Both),
            (a, b) => Some(First::Side(usize::from(b < a))),
        };
        (0..board.num_vertices()).map(first).collect()
    }

    /// The number of queen moves that a side needs to each vertex.
    fn distances(&self, side: usize) -> Vec<u16> {
        let mut distances = vec![FAR; self.setting.board.num_vertices()];
        let mut queue: Vec<(u16, u16)> = self.position.queens[side].iter().map(|&queen| (queen, 0)).collect();
        let mut done = 0;
        while let Some(&(from, distance)) = queue.get(done) {
            done += 1;
            let _ = self.setting.lines.each(&self.position.occupied, from.into(), |to| {
                if distances[to] == FAR {
                    distances[to] = distance + 1;
                    queue.push((to as u16, distance + 1));
                }
                ControlFlow::Continue(())
            });
        }
        distances
    }

    /// The grid, row by row from the top, with the names of its columns.
    fn rows(&self, board: &Board, firsts: &[Option<First>]) -> Vec<String> {
        let margin = board.rows().to_string().len();
        let row = |row: usize| {
            let vertices = row * board.columns()..(row + 1) * board.columns();
            let cells: String = vertices.map(|vertex| self.sign(board, vertex, firsts[vertex])).collect();
            format!("{:>margin$}{cells}", board.rows() - row).trim_end().to_owned()
        };
        let names: String = (0..board.columns()).map(|column| format!("{:^3}", column_name(column))).collect();
        let names = format!("{:margin$}{names}", "").trim_end().to_owned();
        (0..board.rows()).map(row).chain([names]).collect()
    }

    fn sign(&self, board: &Board, vertex: usize, first: Option<First>) -> String {
        let queen = self.position.queens.iter().position(|queens| queens.contains(&(vertex as u16)));
        match (first, queen) {
            (Some(First::Side(side)), _) => format!(" {} ", side + 1),
            (Some(First::Both), _) => " = ".to_owned(),
            (Some(First::Nobody), _) => " . ".to_owned(),
            (None, Some(side)) => format!("({})", side + 1),
            (None, None) if board.is_hole(vertex) => "   ".to_owned(),
            (None, None) => " x ".to_owned(),
        }
    }
}

/// Vertices by the side that reaches them first, for a board that is not a grid.
fn lists(board: &Board, firsts: &[Option<First>], language: Language) -> Vec<String> {
    let list = |first: First| {
        let vertices = (0..firsts.len()).filter(|&vertex| firsts[vertex] == Some(first));
        vertices.map(|vertex| board.name(vertex)).collect::<Vec<_>>().join(" ")
    };
    let colon = language.colon();
    let line = |first: First| format!("{}{colon} {}", name(first, language), list(first)).trim_end().to_owned();
    ALL.map(line).to_vec()
}

fn name(first: First, language: Language) -> String {
    match first {
        First::Side(side) => format!("{} {}", language.pick("player", "joueur"), side + 1),
        First::Both => language.pick("both", "les deux").to_owned(),
        First::Nobody => language.pick("nobody", "personne").to_owned(),
    }
}
