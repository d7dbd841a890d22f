//! The commands of Amazons, and `agon perft`, which counts lines of play.

use super::arguments::Wanted;
use super::{Amazons, boards, perft};
use crate::speeds::play_randomly;
use crate::{Options, ReadFile, Rules, Speed, Tool, Work};
use std::fmt::Write;
use std::time::Instant;

/// The speeds for `agon bench`.
pub(super) const SPEEDS: &[Speed] = &[
    Speed {
        name: "amazons: perft 3 of standard-10",
        unit: "moves/s",
        run: || {
            let count = count_moves("standard-10", 3);
            Work { count, checksum: count }
        },
        references: &[],
    },
    Speed {
        name: "amazons: random matches on square:10, moves uniform",
        unit: "matches/s",
        run: || play_randomly::<Amazons>(2, 5_000),
        references: &[],
    },
];

/// Counts the full moves of `depth` plies on a built-in board.
fn count_moves(board: &str, depth: u32) -> u64 {
    let mut options = Options::default();
    options.set("board", board);
    let setting = Amazons::FACTS.complete(&options).and_then(|all| Amazons::prepare(&all, 2));
    setting.map_or(0, |setting| perft(&setting, depth))
}

/// The commands of Amazons.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "perft",
        about: "Counts the lines of play of Amazons from the start of a board, ply by ply",
        usage: PERFT_USAGE,
        run: run_perft,
        picture: None,
    },
    Tool {
        name: "boards",
        about: "Lists, shows, checks, exports, imports and makes boards of Amazons",
        usage: boards::USAGE,
        run: boards::run,
        picture: Some(boards::picture),
    },
];

const PERFT_USAGE: &str = "\
agon perft BOARD [--depth N] [--placement P] [--diagonals D] [--vacated V] [--from POSITION]

Counts the sequences of N plies, and prints the time that each depth took on one core. A ply is one turn: a queen's move
and its arrow.

Arguments and options:
  BOARD            square:10, donut:9, clover:10, eight:12, standard-10, … or the path of a map file (agon boards list)
  --depth N        the number of plies, 1 to 20 [default: 2]
  --placement P    figures spreads the queens along the border, corners puts them near the corners [default: figures]
  --diagonals D    natural allows all diagonal steps; cut forbids those that touch the corner of a hole, except the bridge of
                   an eight [default: natural]
  --vacated V      free lets the arrow enter or cross the square that its queen has left; blocked forbids it [default: free]
  --from POSITION  a position, or a file with one: player 1's queens, player 2's queens, blocked squares, who moves.
                   Example: 1=a4,d1/2=a7,d10/x=g7/move=2; agon rules amazons explains it
";

fn run_perft(args: &[String], read: &ReadFile) -> Result<String, String> {
    let wanted = Wanted::read(args, read, &["depth"])?;
    let depth = wanted.flag("depth").unwrap_or("2");
    let depth = depth.parse().ok().filter(|depth| (1..=20).contains(depth));
    let depth: u32 = depth.ok_or_else(|| "--depth is a whole number from 1 to 20".to_owned())?;
    let setting = wanted.setting()?;
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
