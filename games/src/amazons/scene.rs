//! A state of Amazons as a picture: the grid where there is one; else a drawing from coordinates, or lists of vertices.

use super::Amazons;
use super::drawing::{Mark, draw};
use crate::{Cell, Panel, Piece, Scene};
use agon_boards::{Board, column_name};

impl Amazons {
    pub(super) fn picture(&self) -> Scene {
        let board = &self.setting.board;
        let mut scene = Scene { spoken: self.spoken(), ..Scene::default() };
        if board.is_grid() {
            (scene.columns, scene.rows) = (board.columns(), board.rows());
            scene.cells =
                (0..board.num_vertices()).filter(|&vertex| !board.is_hole(vertex)).map(|v| self.cell(v)).collect();
            scene.column_labels = (0..scene.columns).map(column_name).collect();
            scene.row_labels = (1..=scene.rows).rev().map(|row| row.to_string()).collect();
        } else {
            let mark = |vertex| Mark { piece: self.piece(vertex), marked: self.is_marked(vertex) };
            let lines = draw(board, mark).unwrap_or_else(|| self.lists(board));
            scene.panels.push(Panel { title: board.title().to_owned(), lines });
        }
        scene
    }

    fn cell(&self, vertex: usize) -> Cell {
        let columns = self.setting.board.columns();
        let (column, row) = (vertex % columns, vertex / columns);
        Cell { column, row, piece: self.piece(vertex), marked: self.is_marked(vertex) }
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

    fn lists(&self, board: &Board) -> Vec<String> {
        let kinds = [
            ("queens of player 1", Piece::Of(0)),
            ("queens of player 2", Piece::Of(1)),
            ("blocked", Piece::Wall),
            ("free", Piece::Empty),
        ];
        let list = |piece| {
            let vertices = (0..board.num_vertices()).filter(|&vertex| self.piece(vertex) == piece);
            vertices.map(|vertex| board.name(vertex)).collect::<Vec<_>>().join(" ")
        };
        kinds.iter().map(|&(title, piece)| format!("{title}: {}", list(piece)).trim_end().to_owned()).collect()
    }

    fn spoken(&self) -> String {
        let player = self.position.side + 1;
        let now = if self.is_over {
            format!("player {player} has no move and loses.")
        } else {
            format!("player {player} to move.")
        };
        if self.last == super::AmazonsMove::NONE {
            return format!("The start on {}; {now}", self.setting.board.title());
        }
        let [from, to, arrow] = [self.last.queen_src, self.last.queen_dst, self.last.arrow_dst]
            .map(|vertex| self.setting.board.name(vertex as usize));
        format!("Player {} moved from {from} to {to} and shot at {arrow}; {now}", 2 - self.position.side)
    }
}
