//! A state of Amazons as a picture: squares, which are the vertices without the holes, and the last move's way over
//! them. For a terminal, a board that is not a grid is also drawn from its coordinates, or listed.

use super::Amazons;
use super::drawing::{Mark, draw};
use crate::{Cell, Language, Panel, Piece, Scene, Seat, Stroke};
use agon_boards::{Board, Direction, column_name, walk};

impl Amazons {
    pub(super) fn picture(&self, viewer: Option<Seat>, language: Language) -> Scene {
        let board = &self.setting.board;
        let vertices: Vec<usize> = (0..board.num_vertices()).filter(|&vertex| !board.is_hole(vertex)).collect();
        let mut scene = Scene {
            cells: vertices.iter().map(|&vertex| self.cell(vertex)).collect(),
            edges: edges(board, &vertices),
            path: self.path(&vertices),
            spoken: self.spoken(language),
            overlay: viewer.is_none().then(|| self.territory_marks(&vertices, language)),
            ..Scene::default()
        };
        if board.is_grid() {
            (scene.columns, scene.rows) = (board.columns(), board.rows());
            scene.column_labels = (0..scene.columns).map(column_name).collect();
            scene.row_labels = (1..=scene.rows).rev().map(|row| row.to_string()).collect();
        } else {
            let mark = |vertex| Mark { piece: self.piece(vertex), marked: self.is_marked(vertex) };
            let lines = draw(board, mark).unwrap_or_else(|| self.lists(board, language));
            scene.panels.push(Panel { is_board: true, ..Panel::new(board.title(), lines) });
        }
        scene
    }

    fn cell(&self, vertex: usize) -> Cell {
        let (board, piece, marked) = (&self.setting.board, self.piece(vertex), self.is_marked(vertex));
        if board.is_grid() {
            let (column, row) = (vertex % board.columns(), vertex / board.columns());
            return Cell { marked, ..Cell::on_grid(board.name(vertex), column, row, piece) };
        }
        Cell { name: board.name(vertex), at: board.coordinates().map(|places| places[vertex]), piece, marked }
    }

    /// The ways of the queen and of the arrow.
    fn path(&self, vertices: &[usize]) -> Vec<Stroke> {
        let board = &self.setting.board;
        let [from, to, arrow] = [self.last.queen_src, self.last.queen_dst, self.last.arrow_dst].map(|at| at as usize);
        if self.last == super::AmazonsMove::NONE {
            return Vec::new();
        }
        let cells = |from, to| {
            let way = straight(board, from, to).into_iter();
            way.filter_map(|vertex| vertices.binary_search(&vertex).ok()).collect()
        };
        vec![Stroke::Slide(cells(from, to)), Stroke::Shot(cells(to, arrow))]
    }

    fn is_marked(&self, vertex: usize) -> bool {
        let last = [self.last.queen_src, self.last.queen_dst, self.last.arrow_dst];
        last.contains(&(vertex as u32))
    }

    fn piece(&self, vertex: usize) -> Piece {
        let position = &self.position;
        match position.queens.iter().position(|queens| queens.contains(&(vertex as u16))) {
            Some(side) => Piece::Of(side),
            None if position.occupied.has(&self.setting.lines, vertex) => Piece::Wall,
            None => Piece::Empty,
        }
    }

    fn lists(&self, board: &Board, language: Language) -> Vec<String> {
        let kinds = [
            (language.pick("queens of player 1", "reines du joueur 1"), Piece::Of(0)),
            (language.pick("queens of player 2", "reines du joueur 2"), Piece::Of(1)),
            (language.pick("blocked", "bloqués"), Piece::Wall),
            (language.pick("free", "libres"), Piece::Empty),
        ];
        let list = |piece| {
            let vertices = (0..board.num_vertices()).filter(|&vertex| self.piece(vertex) == piece);
            vertices.map(|vertex| board.name(vertex)).collect::<Vec<_>>().join(" ")
        };
        let line = |&(title, piece)| format!("{title}{} {}", language.colon(), list(piece)).trim_end().to_owned();
        kinds.iter().map(line).collect()
    }

    fn spoken(&self, language: Language) -> String {
        let (player, other) = (self.position.side + 1, 2 - self.position.side);
        let now = if self.is_over {
            language.pick(
                format!("player {player} has no move and loses."),
                format!("le joueur {player} ne peut plus jouer et perd."),
            )
        } else {
            language.pick(format!("player {player} to move."), format!("au joueur {player} de jouer."))
        };
        if self.last == super::AmazonsMove::NONE {
            let title = self.setting.board.title();
            return language.pick(format!("The start on {title}; {now}"), format!("Le début sur {title} ; {now}"));
        }
        let [from, to, arrow] = [self.last.queen_src, self.last.queen_dst, self.last.arrow_dst]
            .map(|vertex| self.setting.board.name(vertex as usize));
        language.pick(
            format!("Player {other} moved from {from} to {to} and shot at {arrow}; {now}"),
            format!("Le joueur {other} est allé de {from} en {to} et a tiré en {arrow} ; {now}"),
        )
    }
}

/// Every vertex on the shortest straight line, both ends included.
fn straight(board: &Board, from: usize, to: usize) -> Vec<usize> {
    let way = |direction| {
        let mut way = walk(board, from, direction, |_| true);
        way.truncate(way.iter().position(|&vertex| vertex == to)? + 1);
        way.insert(0, from);
        Some(way)
    };
    let ways = (1..=8).filter_map(Direction::from_code).filter_map(way);
    // An arrow may return to its queen's start by way of a ring, which a walk leaves out.
    ways.min_by_key(Vec::len).unwrap_or_else(|| vec![from, to])
}

/// The neighbours that a grid does not show, as places in the ascending list of vertices, each pair once.
fn edges(board: &Board, vertices: &[usize]) -> Vec<[usize; 2]> {
    let touches = |a: usize, b: usize| {
        let columns = board.columns();
        board.is_grid() && (a % columns).abs_diff(b % columns) <= 1 && (a / columns).abs_diff(b / columns) <= 1
    };
    let cell = |vertex: usize| vertices.binary_search(&vertex).ok();
    let mut edges: Vec<[usize; 2]> = Vec::new();
    for &from in vertices {
        let far = board.neighbours(from).filter(|&(to, _)| !touches(from, to));
        let pairs = far.filter_map(|(to, _)| Some([cell(from)?.min(cell(to)?), cell(from)?.max(cell(to)?)]));
        edges.extend(pairs);
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}
