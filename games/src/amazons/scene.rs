//! A state of Amazons as a picture: the grid where there is one; else a drawing from coordinates, or lists of vertices.

use super::Amazons;
use super::drawing::{Mark, draw};
use crate::{Cell, Language, Panel, Piece, Scene};
use agon_boards::{Board, column_name};

impl Amazons {
    pub(super) fn picture(&self, language: Language) -> Scene {
        let board = &self.setting.board;
        let mut scene = Scene { spoken: self.spoken(language), ..Scene::default() };
        if board.is_grid() {
            (scene.columns, scene.rows) = (board.columns(), board.rows());
            scene.cells =
                (0..board.num_vertices()).filter(|&vertex| !board.is_hole(vertex)).map(|v| self.cell(v)).collect();
            scene.column_labels = (0..scene.columns).map(column_name).collect();
            scene.row_labels = (1..=scene.rows).rev().map(|row| row.to_string()).collect();
        } else {
            let mark = |vertex| Mark { piece: self.piece(vertex), marked: self.is_marked(vertex) };
            let lines = draw(board, mark).unwrap_or_else(|| self.lists(board, language));
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
        kinds.iter().map(|&(title, piece)| format!("{title}: {}", list(piece)).trim_end().to_owned()).collect()
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
