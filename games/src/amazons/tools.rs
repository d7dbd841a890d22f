//! The commands of Amazons: `agon perft` counts lines of play, `agon boards` shows boards.

use super::setting::{OPTIONS, Setting};
use super::{Amazons, perft};
use crate::speeds::play_randomly;
use crate::{Options, ReadFile, Rules, Speed, Tool};
use agon_boards::{MAPS, Shape};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

/// For `agon bench`.
pub(super) const SPEEDS: &[Speed] = &[
    Speed { name: "amazons: perft 3 of standard-10", unit: "moves/s", run: || count_moves("standard-10", 3) },
    Speed {
        name: "amazons: random matches on square:10, moves uniform",
        unit: "matches/s",
        run: || play_randomly::<Amazons>(2, 5_000),
    },
];

/// The full moves of `depth` plies on a board that is built in.
fn count_moves(board: &str, depth: u32) -> u64 {
    let mut options = Options::default();
    options.set("board", board);
    let setting = Amazons::FACTS.complete(&options).and_then(|all| Amazons::prepare(&all, 2));
    setting.map_or(0, |setting| perft(&setting, depth))
}

/// Every command.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "perft",
        about: "Count the lines of play of Amazons from the start of a board, ply by ply",
        usage: PERFT_USAGE,
        run: run_perft,
    },
    Tool { name: "boards", about: "List the boards of Amazons, or show one", usage: BOARDS_USAGE, run: run_boards },
];

const PERFT_USAGE: &str = "\
agon perft BOARD [--depth N] [--placement P] [--diagonals D] [--vacated V]

Counts the sequences of N full moves (queen and arrow), with the time each depth took on one core.

  BOARD            square:10, donut:9, clover:10, eight:12, standard-10, … or the path of a map file (agon boards list)
  --depth N        plies to count, 1 to 20 [default: 2]
  --placement P    figures or corners [default: figures]
  --diagonals D    natural or cut [default: natural]
  --vacated V      may the arrow use the cell its queen has left: free or blocked [default: free]
";

const BOARDS_USAGE: &str = "\
agon boards list
agon boards show BOARD [--placement P] [--diagonals D] [--vacated V]

Lists the boards there are, or draws one and counts its vertices, edges, queens and first moves.

  BOARD            square:10, donut:9, clover:10, eight:12, standard-10, … or the path of a map file
  --placement P    figures or corners [default: figures]
  --diagonals D    natural or cut [default: natural]
  --vacated V      may the arrow use the cell its queen has left: free or blocked [default: free]
";

/// A board as the arguments name it.
struct Wanted {
    options: Options,
    depth: Option<String>,
}

/// Reads `BOARD` and flags; `flags` are those allowed beside the options of the board.
fn read_board(args: &[String], read: &ReadFile, flags: &[&str]) -> Result<Wanted, String> {
    let (mut options, mut depth, mut board) = (Options::default(), None, None);
    for option in OPTIONS {
        options.set(option.key, option.default);
    }
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let Some(flag) = arg.strip_prefix("--") else {
            if board.replace(arg.as_str()).is_some() {
                return Err(format!("\"{arg}\" is one word too many; name a single board"));
            }
            continue;
        };
        let (flag, value) = match flag.split_once('=') {
            Some((flag, value)) => (flag, value.to_owned()),
            None => (flag, rest.next().ok_or_else(|| format!("--{flag} needs a value"))?.clone()),
        };
        match flag {
            "placement" | "diagonals" | "vacated" => options.set(flag, &value),
            "depth" if flags.contains(&"depth") => depth = Some(value),
            _ => {
                let known = ["placement", "diagonals", "vacated"].iter().chain(flags).map(|flag| format!("--{flag}"));
                return Err(format!("--{flag} is unknown here; there are {}", known.collect::<Vec<_>>().join(", ")));
            }
        }
    }
    let board = board.ok_or("name a board, such as standard-10; `agon boards list` lists them")?;
    options.set("board", &text_of(board, read)?);
    Ok(Wanted { options, depth })
}

/// A path is replaced by its file's text, which the rules take for a map.
fn text_of(board: &str, read: &ReadFile) -> Result<String, String> {
    if !board.ends_with(".toml") && !board.contains('/') {
        return Ok(board.to_owned());
    }
    // A map of one line is wrong, but wrong as a map.
    read(board).map(|text| text + "\n")
}

fn run_perft(args: &[String], read: &ReadFile) -> Result<String, String> {
    let wanted = read_board(args, read, &["depth"])?;
    let depth = wanted.depth.as_deref().unwrap_or("2");
    let depth = depth.parse().ok().filter(|depth| (1..=20).contains(depth));
    let depth: u32 = depth.ok_or_else(|| "--depth is a whole number from 1 to 20".to_owned())?;
    let setting = Setting::from_options(&wanted.options).map_err(|error| error.to_string())?;
    let mut out =
        format!("{}\n{:>5}  {:>20}  {:>10}  {:>12}\n", setting.board.title(), "depth", "moves", "seconds", "moves/s");
    for depth in 1..=depth {
        let start = Instant::now();
        let moves = perft(&setting, depth);
        let seconds = start.elapsed().as_secs_f64();
        let rate = moves as f64 / seconds.max(1e-9);
        let _ = writeln!(out, "{depth:>5}  {moves:>20}  {seconds:>10.4}  {:>10.2} M", rate / 1e6);
    }
    Ok(out)
}

fn run_boards(args: &[String], read: &ReadFile) -> Result<String, String> {
    match args.split_first() {
        Some((word, [])) if word == "list" => Ok(list_boards()),
        Some((word, [extra, ..])) if word == "list" => Err(format!("`agon boards list` takes no \"{extra}\"")),
        Some((word, rest)) if word == "show" => show_board(rest, read),
        Some((word, _)) => Err(format!("`agon boards` has no \"{word}\"; there are list and show")),
        None => Err("say `agon boards list` or `agon boards show BOARD`".to_owned()),
    }
}

fn list_boards() -> String {
    let mut out = String::from("Generated, as SHAPE:WIDTH\n");
    for shape in Shape::ALL {
        let widths: Vec<_> = shape.widths().map(|width| width.to_string()).collect();
        let text = if shape.unit() == 1 { "5 to 32".to_owned() } else { widths.join(" ") };
        let _ = writeln!(out, "  {:<12} {text}", shape.name());
    }
    out.push_str("Drawn\n");
    for (name, text) in MAPS {
        if let Ok(setting) = setting_of(text) {
            let _ = writeln!(out, "  {name:<12} {}", setting.board.title());
        }
    }
    out + "Or the path of a map file\n"
}

fn setting_of(board: &str) -> Result<Setting, String> {
    let mut options = Options::default();
    options.set("board", board);
    let complete = Amazons::FACTS.complete(&options).map_err(|error| error.to_string())?;
    Setting::from_options(&complete).map_err(|error| error.to_string())
}

fn show_board(args: &[String], read: &ReadFile) -> Result<String, String> {
    let wanted = read_board(args, read, &[])?;
    let setting = Arc::new(Setting::from_options(&wanted.options).map_err(|error| error.to_string())?);
    let board = &setting.board;
    let holes = (0..board.num_vertices()).filter(|&vertex| board.is_hole(vertex)).count();
    let mut out = format!("{}\n\n", board.title());
    out += &Amazons::start(&setting, 2, &[0; 32]).scene(None).to_text();
    let _ = writeln!(out, "\nvertices     {} and {holes} holes", board.num_vertices() - holes);
    let _ =
        writeln!(out, "edges        {}{}", board.num_edges(), if board.has_one_way() { ", some one way" } else { "" });
    let _ = writeln!(out, "queens       {} a side, player {} begins", board.queens(0).len(), board.to_move() + 1);
    let _ = writeln!(out, "first moves  {}", perft(&setting, 1));
    Ok(out)
}
