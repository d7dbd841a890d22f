//! A match of Amazons as SGF, the Smart Game Format of the board game Go and others (FF[4], GM[18]):
//! https://www.red-bean.com/sgf. It supports only square grids: holes become blocked squares, and the comment holds the
//! facts that its grid cannot show.

use super::{Amazons, Prepared};
use crate::any::accept;
use crate::{Export, Language, Piece, Recorded, Rules};
use agon_boards::{Board, Direction};
use std::fmt::Write;
use std::sync::Arc;

/// The export for `agon show ID --export sgf`.
pub(super) const EXPORTS: &[Export] =
    &[Export { name: "sgf", about: "Smart Game Format FF[4] GM[18], for boards that are grids", run: write }];

/// Columns and rows that two letters can name.
const LARGEST: usize = 52;

fn write(played: &Recorded) -> Result<String, String> {
    let complete = Amazons::FACTS.complete(played.options).map_err(|bad| bad.to_string())?;
    let setting = Arc::new(Prepared::from_options(&complete).map_err(|bad| bad.to_string())?);
    let board = &setting.board;
    if !board.is_grid() {
        return Err(format!("{} is not a grid, and SGF knows only grids; help: --export csv", board.title()));
    }
    if board.columns().max(board.rows()) > LARGEST {
        return Err(format!("SGF has letters for {LARGEST} columns and rows; help: --export csv"));
    }
    let mut game = Amazons::start(&setting, played.clients.len(), &played.opening);
    let mut out = String::from("(;FF[4]GM[18]CA[UTF-8]AP[agon]\n");
    write_head(&mut out, played, &setting, game.position.side);
    write_cells(&mut out, &game);
    write_moves(&mut out, played, &mut game);
    Ok(out.trim_end().to_owned() + ")\n")
}

/// Writes the moves up to the first illegal one: records come from a file that anybody may have written.
fn write_moves(out: &mut String, played: &Recorded, game: &mut Amazons) {
    for (number, (seat, mv)) in played.moves.iter().enumerate() {
        let is_seat = *seat < played.clients.len();
        let Some(mv) = is_seat.then(|| accept(game, *seat, mv)).and_then(Result::ok) else { return };
        let vertices = [mv.queen_src, mv.queen_dst, mv.arrow_dst];
        let points = vertices.map(|vertex| point(&game.setting.board, vertex as usize));
        let end = if number % 8 == 7 { "\n" } else { "" };
        let _ = write!(out, ";{}[{}]{end}", colour(*seat), points.concat());
        game.play(&[(*seat, mv)]);
    }
}

/// Writes size, players, first side, result, and the facts that the grid cannot show.
fn write_head(out: &mut String, played: &Recorded, setting: &Prepared, first: usize) {
    let board = &setting.board;
    let (columns, rows) = (board.columns(), board.rows());
    let size = if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") };
    let name = |seat: usize| played.clients.get(seat).map_or(String::new(), |name| escape(name));
    let winner =
        played.ranks.iter().position(|rank| *rank == 1).map_or("?".to_owned(), |seat| {
            format!("{}+{}", colour(seat), if played.by_fault { "Forfeit" } else { "" })
        });
    let _ = writeln!(out, "SZ[{size}]PB[{}]PW[{}]PL[{}]RE[{winner}]", name(0), name(1), colour(first));
    let mut comment = escape(board.title());
    if !setting.vacated_is_free {
        comment += "; the arrow may not use the square that its queen has left";
    }
    if !is_plain(board) {
        comment += "; the board has other edges than this grid";
    }
    let _ = writeln!(out, "C[{comment}]");
}

/// Writes the start: black is side 0, white is side 1, and arrows are blocked squares, including holes.
fn write_cells(out: &mut String, start: &Amazons) {
    let board = &start.setting.board;
    let scene = start.scene(None, Language::English);
    let of = |piece: Piece| {
        let cells = scene.cells.iter().filter(move |cell| cell.piece == piece);
        cells.filter_map(|cell| board.vertex(&cell.name)).collect::<Vec<_>>()
    };
    let holes = (0..board.num_vertices()).filter(|&vertex| board.is_hole(vertex));
    let blocked = of(Piece::Wall).into_iter().chain(holes).collect();
    for (property, vertices) in [("AB", of(Piece::Of(0))), ("AW", of(Piece::Of(1))), ("AA", blocked)] {
        if !vertices.is_empty() {
            let points: String = vertices.into_iter().map(|vertex| format!("[{}]", point(board, vertex))).collect();
            let _ = writeln!(out, "{property}{points}");
        }
    }
}

fn colour(seat: usize) -> char {
    if seat == 0 { 'B' } else { 'W' }
}

/// Column and row from the top left, `a` to `z` and `A` to `Z`.
fn point(board: &Board, vertex: usize) -> String {
    let letter = |index: usize| char::from(if index < 26 { b'a' + index as u8 } else { b'A' + (index - 26) as u8 });
    [vertex % board.columns(), vertex / board.columns()].map(letter).iter().collect()
}

/// Whether the edges are exactly the king's steps between squares that are not holes.
fn is_plain(board: &Board) -> bool {
    let (columns, rows) = (board.columns() as isize, board.rows() as isize);
    let step = |vertex: usize, direction: Direction| {
        let (dx, dy) = direction.step();
        let (x, y) = (vertex as isize % columns + dx, vertex as isize / columns + dy);
        let inside = (0..columns).contains(&x) && (0..rows).contains(&y);
        inside.then(|| (y * columns + x) as usize).filter(|&target| !board.is_hole(target))
    };
    let cells = (0..board.num_vertices()).filter(|&vertex| !board.is_hole(vertex));
    cells.into_iter().all(|vertex| Direction::ALL.into_iter().all(|d| board.neighbour(vertex, d) == step(vertex, d)))
}

/// Text within brackets.
fn escape(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    clean.flat_map(|c| matches!(c, ']' | '\\').then_some('\\').into_iter().chain([c])).collect()
}
