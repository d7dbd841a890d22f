//! Makes a book of openings, or goes on with one: `cargo run --release -p client-alphabeta --example book FILE [BOARD
//! [MINUTES [DEPTH]]]`. What the file has of other boards stays. docs/guides/openings.md.
#![allow(clippy::print_stdout)]

#[path = "../start/mod.rs"]
mod start;
mod tree;

use agon_boards::Board;
use agon_search::{BoardTables, BookFile, Move, Symmetries, VERTEX};
use start::{board, settings};
use std::collections::HashSet;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};
use tree::Tree;

const BOARD: &str = "standard-10";
const MINUTES: u64 = 20;
const DEPTH: u8 = 8;
/// How often the file is written.
const PERIOD: Duration = Duration::from_secs(30);
/// After so many games in a row that were decided in the book there is nothing to be added.
const DECIDED: u32 = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(file) = words.first().map(Path::new) else { return Err("book FILE [BOARD [MINUTES [DEPTH]]]".into()) };
    let board = board(words.get(1).map_or(BOARD, String::as_str));
    let minutes = words.get(2).map_or(Ok(MINUTES), |text| text.parse()).map_err(|bad| format!("minutes: {bad}"))?;
    let depth = words.get(3).map_or(Ok(DEPTH), |text| text.parse()).map_err(|bad| format!("depth: {bad}"))?;
    let tables = BoardTables::new(&board, true);
    let symmetries = Symmetries::of(&tables);
    let bytes = if file.exists() { Some(std::fs::read(file)?) } else { None };
    let old = bytes.as_deref().map(BookFile::open).transpose().map_err(|bad| format!("{}: {bad}", file.display()))?;
    let mut tree = Tree::new(&tables, &symmetries, settings(""), depth.max(3), old);
    let (began, mut written) = (Instant::now(), Instant::now());
    println!("{}: {} positions so far", board.title(), tree.count());
    let mut decided = 0;
    while began.elapsed() < Duration::from_secs(60 * minutes) && decided < DECIDED {
        decided = if tree.grow() { 0 } else { decided + 1 };
        if written.elapsed() >= PERIOD {
            written = Instant::now();
            save(file, &tree, old, symmetries.board())?;
            tell(&board, &tree, began);
        }
    }
    save(file, &tree, old, symmetries.board())?;
    tell(&board, &tree, began);
    Ok(())
}

/// Writes the file, in one step, with what it had of other positions.
fn save(file: &Path, tree: &Tree, old: Option<BookFile>, board: u64) -> std::io::Result<()> {
    let mut rows = tree.rows();
    let keys: HashSet<u64> = rows.iter().map(|row| row.key).collect();
    rows.extend(old.iter().flat_map(BookFile::rows).filter(|row| !keys.contains(&row.key)));
    let boards = old.iter().flat_map(BookFile::boards).chain([board]).collect();
    let new = file.with_extension("new");
    std::fs::write(&new, BookFile::write(boards, rows))?;
    std::fs::rename(new, file)
}

fn tell(board: &Board, tree: &Tree, began: Instant) {
    let ((value, lines), line) = tree.main_line();
    let line: Vec<String> = line.iter().map(|mv| name(board, *mv)).collect();
    let (count, minutes) = (tree.count(), began.elapsed().as_secs_f64() / 60.0);
    let value = f64::from(value) / f64::from(VERTEX);
    println!("{minutes:.1} min: {count} positions, {lines} lines, {value:+.2}: {}", line.join(" "));
}

fn name(board: &Board, mv: Move) -> String {
    let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|vertex| board.name(vertex.into()));
    format!("{from}-{to}/{arrow}")
}
