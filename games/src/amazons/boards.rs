//! `agon boards`: lists and shows boards, checks maps, and turns boards into texts and back.

use super::Amazons;
use super::arguments::{Wanted, Words};
use super::perft;
use super::setting::Prepared;
use crate::{Language, ReadFile, Rules, Scene};
use agon_boards::{BadBoard, Board, MAPS, MAX_VERTICES, Map, Shape};
use std::fmt::Write;
use std::sync::Arc;

/// The text of `agon boards --help`.
pub(super) const USAGE: &str = "\
agon boards list                                     lists the boards that agon has
agon boards show BOARD [options]                     draws it, counts its vertices, edges, queens and first moves
agon boards check FILE                               shows what is wrong or odd in a map file, and where
agon boards export BOARD [--format F] [options]      prints the board as text
agon boards import FILE.mtx --queens Q [--title T]   reads a graph in the Matrix Market format, and prints it as a map file
agon boards new SHAPE:WIDTH [options]                prints a map file to start from

Arguments and options:
  BOARD            square:10, donut:9, clover:10, eight:12, standard-10, … or the path of a map file
  --svg            with `show`: draws an SVG picture instead
  --format F       toml: a map file [default]; mtx: its edges in the Matrix Market format; dot: a graph for Graphviz;
                   text: a drawing
  --queens Q       the position, with vertices counted from 0: 1=0,3/2=4,5/x=7/move=2
  --title T        the name of the board
  --out FILE       writes to a new file instead of the terminal

The [options] above:
  --placement P    figures spreads the queens along the border, corners puts them near the corners [default: figures]
  --diagonals D    natural allows all diagonal steps; cut forbids those that touch the corner of a hole, except the bridge of
                   an eight [default: natural]
  --vacated V      free lets the arrow enter or cross the square that its queen has left; blocked forbids it [default: free]
  --from POSITION  a position, or a file with one: player 1's queens, player 2's queens, blocked squares, who moves.
                   Example: 1=a4,d1/2=a7,d10/x=g7/move=2; agon rules amazons explains it
";

type Command = fn(&[String], &ReadFile) -> Result<String, String>;

const COMMANDS: [(&str, Command); 6] =
    [("list", list), ("show", show), ("check", check), ("export", export), ("import", import), ("new", begin)];

/// Runs the command that the first word names.
pub(super) fn run(args: &[String], read: &ReadFile) -> Result<String, String> {
    let names = COMMANDS.map(|(name, _)| name).join(", ");
    let (word, rest) = args.split_first().ok_or_else(|| format!("say what to do: agon boards, and one of {names}"))?;
    let command = COMMANDS.iter().find(|(name, _)| name == word);
    let (_, run) = command.ok_or_else(|| {
        format!("`agon boards` has no \"{word}\"; there are {names}; agon boards --help explains them")
    })?;
    run(rest, read)
}

fn list(args: &[String], _: &ReadFile) -> Result<String, String> {
    if let Some(extra) = args.first() {
        return Err(format!("`agon boards list` takes no \"{extra}\""));
    }
    let mut out = String::from("Generated, as SHAPE:WIDTH\n");
    for shape in Shape::ALL {
        let widths: Vec<_> = shape.widths().map(|width| width.to_string()).collect();
        let text = if shape.unit() == 1 { "5 to 32".to_owned() } else { widths.join(" ") };
        let _ = writeln!(out, "  {:<12} {text}", shape.name());
    }
    out.push_str("Drawn\n");
    for (name, text) in MAPS {
        if let Ok(map) = Map::parse(text) {
            let _ = writeln!(out, "  {name:<12} {}", map.board().title());
        }
    }
    Ok(out + &format!("Or the path of a map file, of at most {MAX_VERTICES} vertices\n"))
}

fn show(args: &[String], read: &ReadFile) -> Result<String, String> {
    let setting = Wanted::read(args, read, &[])?.setting()?;
    let moves = perft(&setting, 1);
    let board = setting.board.clone();
    let mut out = format!("{}\n\n{}", board.title(), draw(setting));
    let _ = writeln!(out, "\nvertices     {} and {} holes", board.num_vertices() - holes(&board), holes(&board));
    let ways = if board.has_one_way() { ", some one way" } else { "" };
    let _ = writeln!(out, "edges        {}{ways}", board.num_edges());
    let _ = writeln!(out, "queens       {} a side, player {} begins", board.queens(0).len(), board.to_move() + 1);
    let _ = writeln!(out, "first moves  {moves}");
    let _ = writeln!(out, "position     {}", board.start().text(&board));
    Ok(out)
}

fn holes(board: &Board) -> usize {
    (0..board.num_vertices()).filter(|&vertex| board.is_hole(vertex)).count()
}

fn draw(setting: Prepared) -> String {
    scene(setting).to_text()
}

fn scene(setting: Prepared) -> Scene {
    Amazons::at_start(&Arc::new(setting)).scene(None, Language::English)
}

/// The board that `show` shows.
pub(super) fn picture(args: &[String], read: &ReadFile) -> Result<Scene, String> {
    match args.split_first() {
        Some((word, rest)) if word == "show" => Ok(scene(Wanted::read(rest, read, &[])?.setting()?)),
        _ => Err("--svg goes with `agon boards show BOARD`".to_owned()),
    }
}

fn check(args: &[String], read: &ReadFile) -> Result<String, String> {
    let words = Words::read(args, &[])?;
    let file = words.only("name a map file: agon boards check FILE")?;
    let drawn = MAPS.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_owned());
    let text = drawn.map_or_else(|| read(file), Ok)?;
    let map = Map::parse(&text).map_err(|bad| told(file, &bad))?;
    let board = map.board();
    let mut out = String::new();
    let mut warnings = map.warnings().len();
    for warning in map.warnings() {
        let (line, column) = warning.place;
        let _ = writeln!(out, "{file}:{line}:{column}: warning: {}", warning.what);
    }
    let player = board.to_move() + 1;
    if perft(&Prepared::new(board.clone(), true), 1) == 0 {
        warnings += 1;
        let _ = writeln!(out, "{file}: warning: player {player} begins and has no move: the match is over at once");
    }
    let count = match (board.num_vertices(), holes(board)) {
        (all, 0) => format!("{all} vertices"),
        (all, 1) => format!("{} vertices and 1 hole", all - 1),
        (all, holes) => format!("{} vertices and {holes} holes", all - holes),
    };
    let (edges, queens) = (board.num_edges(), board.queens(0).len());
    let plural = if queens == 1 { "" } else { "s" };
    let found = match warnings {
        0 => "nothing odd".to_owned(),
        1 => "1 warning".to_owned(),
        _ => format!("{warnings} warnings"),
    };
    let _ = writeln!(out, "{file}: {}, {count}, {edges} edges, {queens} queen{plural} a side; {found}", board.title());
    Ok(out)
}

/// The error after its place, as compilers write it.
fn told(file: &str, bad: &BadBoard) -> String {
    match bad.place {
        Some((line, column)) => format!("{file}:{line}:{column}: {}", bad.why),
        None => format!("{file}: {}", bad.why),
    }
}

fn export(args: &[String], read: &ReadFile) -> Result<String, String> {
    let wanted = Wanted::read(args, read, &["format"])?;
    let setting = wanted.setting()?;
    match wanted.flag("format").unwrap_or("toml") {
        "toml" => Ok(setting.board.to_map()),
        "mtx" => Ok(setting.board.to_matrix_market()),
        "dot" => Ok(setting.board.to_dot()),
        "text" => Ok(draw(setting)),
        other => Err(format!("--format is toml, mtx, dot or text, not \"{other}\"")),
    }
}

fn import(args: &[String], read: &ReadFile) -> Result<String, String> {
    let words = Words::read(args, &["queens", "title"])?;
    let file = words.only("name a graph: agon boards import FILE.mtx --queens 1=0,3/2=4,5")?;
    let queens = words.flag("queens").ok_or("a graph has no queens; place them with --queens 1=0,3/2=4,5")?;
    let board = Board::from_matrix_market(&read(file)?, words.flag("title").unwrap_or("map"), queens);
    let map = board.map_err(|bad| told(file, &bad))?.to_map();
    // The written map must be readable; only a title can spoil it.
    Map::parse(&map).map_err(|bad| format!("--title: {}", bad.why))?;
    Ok(map)
}

/// The comment at the top of a new map.
const GUIDE: &str = "\
# . is free, # a hole, 1 and 2 are queens, x is blocked. Draw, then look: agon boards check FILE
# [[cut]] removes edges and [[edge]] adds some, below the picture:
#   [[edge]]
#   from = \"a1\"
#   to = \"e5\"
#   direction = \"E\"   # N NE E SE S SW W NW
#   one_way = true    # without it, the way back is added too
";

fn begin(args: &[String], read: &ReadFile) -> Result<String, String> {
    let wanted = Wanted::read(args, read, &[])?;
    // An unknown name gets the list of all names; a drawn map is as good a start as a generated one.
    Ok(format!("{GUIDE}{}", wanted.setting()?.board.to_map()))
}
