//! The evaluation of `amazons::Board` gives the numbers of the kit in C, `agon/amazons_kit.h`, in positions of random
//! matches on random graphs: with one-way edges, loops, blocked vertices, and both rules for the vacated vertex.

use agon_abi::Pod;
use agon_client_api::amazons::{AmazonsMove, Board, Graph, Setup};
use agon_client_api::chance::{Rng, below, rng, shuffle};
use agon_client_api::{Options, SetupHead};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program that tests the kit against the search.
fn compile() -> Option<PathBuf> {
    if !agon_skips::has_program("cc") {
        return None;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kit-of-evaluation");
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-O1", "-I"]).arg(here.join("include"));
    let built = command.arg(here.join("../search/tests/kit/program.c")).arg("-o").arg(&program).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(program)
}

/// The arrays of a random setup.
struct Drawn {
    row_start: Vec<u32>,
    targets: Vec<u32>,
    directions: Vec<u8>,
    queens: [Vec<u32>; 2],
    blocked: Vec<u32>,
    side_to_move: usize,
    vacated_is_free: bool,
}

impl Drawn {
    /// A square with some edges cut and some led elsewhere, or no grid at all.
    fn new(rng: &mut Rng) -> Drawn {
        let (width, is_grid) = (3 + below(rng, 6) as usize, below(rng, 2) == 0);
        let count = width * width;
        let (mut row_start, mut targets, mut directions) = (vec![0], Vec::new(), Vec::new());
        let ways = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
        for vertex in 0..count {
            for (direction, (right, down)) in (1..).zip(ways) {
                let (x, y) = ((vertex % width) as i64 + right, (vertex / width) as i64 + down);
                let is_inside = [x, y].iter().all(|place| (0..width as i64).contains(place));
                let is_kept = below(rng, 10) > 0;
                let target =
                    if is_grid && below(rng, 30) > 0 { y * width as i64 + x } else { below(rng, count as u64) as i64 };
                if is_kept && is_inside && target != vertex as i64 {
                    targets.push(target as u32);
                    directions.push(direction);
                }
            }
            row_start.push(targets.len() as u32);
        }
        let mut places: Vec<u32> = (0..count as u32).collect();
        shuffle(rng, &mut places);
        let mut take = |most: u64, least: u64| places.split_off(places.len() - (least + below(rng, most)) as usize);
        let (queens, blocked) = ([take(3, 1), take(3, 1)], take(3, 0));
        let (side_to_move, vacated_is_free) = (below(rng, 2) as usize, below(rng, 2) == 0);
        Drawn { row_start, targets, directions, queens, blocked, side_to_move, vacated_is_free }
    }

    fn board(&self) -> Board {
        let graph = Graph {
            num_vertices: self.row_start.len() - 1,
            row_start: &self.row_start,
            targets: &self.targets,
            directions: &self.directions,
            queens: self.queens.each_ref().map(Vec::as_slice),
            blocked: &self.blocked,
            side_to_move: self.side_to_move,
            vacated_is_free: self.vacated_is_free,
        };
        let head = SetupHead::zeroed();
        Board::new(&Setup { head: &head, options: Options(""), graph, side: 0, columns: 0, rows: 0 })
    }

    /// As the program reads it.
    fn text(&self) -> String {
        let directions: Vec<u32> = self.directions.iter().map(|direction| u32::from(*direction)).collect();
        let mut text = format!("board {} {}\n", u32::from(!self.vacated_is_free), self.side_to_move);
        let [one, other] = &self.queens;
        for list in [&self.row_start, &self.targets, &directions, one, other, &self.blocked] {
            let _ = write!(text, "{}", list.len());
            list.iter().for_each(|value| _ = write!(text, " {value}"));
            text.push('\n');
        }
        text
    }
}

/// What the program has to print of a position after its hash, moves and keys.
fn line(board: &Board, side: usize) -> String {
    let terms = board.measure(side);
    let terms = [terms.closer1, terms.tied1, terms.closer2, terms.tied2, terms.near1, terms.near2, terms.contested]
        .map(|term| term.to_string());
    format!("{} {}", terms.join(" "), board.evaluate(side))
}

/// A random match: its setup and moves for the program, and the numbers of each position.
fn played(seed: u64) -> (String, Vec<String>) {
    let mut rng = rng(seed);
    let drawn = Drawn::new(&mut rng);
    let (mut board, mut side) = (drawn.board(), drawn.side_to_move);
    let (mut lines, mut moves) = (vec![line(&board, side)], Vec::new());
    loop {
        let all: Vec<AmazonsMove> = board.moves(side).collect();
        if all.is_empty() {
            break;
        }
        let mv = all[below(&mut rng, all.len() as u64) as usize];
        board.play(side, mv);
        side = 1 - side;
        moves.push(format!("{} {} {}", mv.queen_src, mv.queen_dst, mv.arrow_dst));
        lines.push(line(&board, side));
    }
    (format!("{}{}\n{}\n", drawn.text(), moves.len(), moves.join("\n")), lines)
}

#[test]
fn the_evaluation_of_a_board_is_that_of_the_kit() {
    let Some(program) = compile() else { return };
    let (inputs, expected): (Vec<String>, Vec<Vec<String>>) = (0..300).map(played).unzip();
    let mut command = Command::new(program);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut stdin, inputs.concat().as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let shown = String::from_utf8(output.stdout).unwrap();
    let expected: Vec<(usize, String)> = expected
        .into_iter()
        .enumerate()
        .flat_map(|(seed, lines)| lines.into_iter().map(move |line| (seed, line)))
        .collect();
    assert_eq!(shown.lines().count(), expected.len());
    assert!(expected.len() > 3_000, "{} positions", expected.len());
    for (shown, (seed, expected)) in shown.lines().zip(expected) {
        let numbers: Vec<&str> = shown.split(' ').skip(4).take(8).collect();
        assert_eq!(numbers.join(" "), expected, "match {seed}");
    }
}
