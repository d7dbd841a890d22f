//! The kit for clients in C, `agon/amazons_kit.h`, against the kernel: moves, hashes and terms of positions on every
//! kind of board, in a program with sanitizers; and setups that are no board.

use crate::boards::{random_board, shapes, walk_randomly};
use agon_boards::{Board, Direction, Draft, Start};
use agon_games::mix::splitmix64;
use agon_search::{BoardTables, Evaluator, Heuristic, Knot, Move, Path, Position, Weights};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path as File, PathBuf};
use std::process::{Command, Stdio};

/// See `program.c`.
const LOOKED_AT: usize = 200;

/// The weights of `amazons_value`.
const WEIGHTS: Weights = {
    let weights = [290, 380, 430, 170, 0];
    let begin = Knot { at: 0, weights: [900, 0, 0, 0, 0] };
    Weights([begin, Knot { at: 38, weights }, Knot { at: 39, weights }, Knot { at: 40, weights }])
};

/// Compiles the program; `None` without a compiler. A compiler without sanitizers compiles it without.
fn compile(compiler: &str, name: &str, flags: &[&str]) -> Option<PathBuf> {
    if !agon_skips::has_program(compiler) {
        return None;
    }
    let here = File::new(env!("CARGO_MANIFEST_DIR"));
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let build = |more: &[&str]| {
        let mut command = Command::new(compiler);
        command.args(flags).args(["-g", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]).args(more).arg("-I");
        command.arg(here.join("../client-api/include")).arg(here.join("tests/kit/program.c")).arg("-o").arg(&program);
        command.output().unwrap()
    };
    if build(&["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]).status.success() {
        return Some(program);
    }
    agon_skips::skip(&format!("sanitizer of {compiler}"));
    let built = build(&[]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Some(program)
}

/// The output of the program.
fn run(program: &File, input: &str) -> Vec<String> {
    let mut command = Command::new(program);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    writer.join().unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn put_list(input: &mut String, values: &[u32]) {
    let _ = write!(input, "{}", values.len());
    for value in values {
        let _ = write!(input, " {value}");
    }
    input.push('\n');
}

/// A setup as the program reads it, without moves.
fn setup(lists: [&[u32]; 6], vacated_is_free: bool, side_to_move: usize) -> String {
    let mut input = format!("board {} {side_to_move}\n", u32::from(!vacated_is_free));
    lists.iter().for_each(|values| put_list(&mut input, values));
    input
}

fn setup_of(board: &Board, vacated_is_free: bool) -> String {
    let matrix = board.matrix();
    let directions: Vec<u32> = matrix.directions().iter().map(|&direction| direction.into()).collect();
    let start = board.start();
    let lists = [matrix.row_start(), matrix.targets(), &directions, &start.queens[0], &start.queens[1], &start.blocked];
    setup(lists, vacated_is_free, start.to_move)
}

/// The line that the kernel has for a position. The order of moves is not compared: hashes of the first few only where
/// they are all.
fn line(tables: &BoardTables, position: &Position, evaluators: &mut [Evaluator]) -> String {
    let mut moves = Vec::new();
    let mut next = position.clone();
    next.moves(tables, &mut moves);
    let key = |mv: &Move| splitmix64((u64::from(mv.from) << 40) + (u64::from(mv.to) << 20) + u64::from(mv.arrow));
    let keys = moves.iter().fold(0u64, |sum, mv| sum.wrapping_add(key(mv)));
    let mut sum = 0u64;
    for &mv in moves.iter().filter(|_| moves.len() <= LOOKED_AT) {
        next.play(tables, mv);
        sum = sum.wrapping_add(next.hash());
        next.undo(tables, mv);
    }
    let lines = evaluators.iter_mut().map(|evaluator| {
        let (t, value) = (evaluator.terms(tables, position), evaluator.value(tables, position).value);
        let (near, far) = ([t.closer1, t.tied1, t.closer2, t.tied2], [t.near1, t.near2, t.contested, value]);
        [near, far].concat().iter().map(i32::to_string).collect::<Vec<_>>().join(" ")
    });
    let lines: Vec<String> = lines.collect();
    assert!(lines.iter().all(|line| *line == lines[0]), "{lines:?}");
    let mobility = [0, 1].map(|side| {
        let own = i32::from(side == position.side());
        let heuristic = Heuristic::Mobility { own, other: own - 1 };
        Evaluator::new(tables, heuristic).value(tables, position).value / 1000
    });
    let (hash, count) = (position.hash(), moves.len());
    format!("{hash:016x} {count} {keys:016x} {sum:016x} {} {} {}", lines[0], mobility[0], mobility[1])
}

/// Input for a random game, and what the program must print.
fn game(board: &Board, vacated_is_free: bool, seed: u64) -> (String, Vec<String>) {
    let tables = BoardTables::new(board, vacated_is_free);
    let mut evaluators = Path::ALL.map(|path| Evaluator::on_path(&tables, Heuristic::Full(WEIGHTS), path));
    let (mut positions, mut moves) = (Vec::<Position>::new(), String::new());
    walk_randomly(&tables, seed, 1, |position| positions.push(position.clone()));
    for pair in positions.windows(2) {
        let mut all = Vec::new();
        let mut next = pair[0].clone();
        next.moves(&tables, &mut all);
        let mv = all.into_iter().find(|&mv| {
            next.play(&tables, mv);
            let is_played = next == pair[1];
            next.undo(&tables, mv);
            is_played
        });
        let Move { from, to, arrow } = mv.unwrap();
        let _ = writeln!(moves, "{from} {to} {arrow}");
    }
    let expected = positions.iter().map(|position| line(&tables, position, &mut evaluators)).collect();
    (format!("{}{}\n{moves}", setup_of(board, vacated_is_free), positions.len() - 1), expected)
}

fn compare(program: &File, games: impl Iterator<Item = (Board, u64)>) {
    let (mut input, mut expected, mut names) = (String::new(), Vec::new(), Vec::new());
    for (board, seed) in games {
        let (one, lines) = game(&board, seed.is_multiple_of(2), seed);
        names.extend((0..lines.len()).map(|ply| format!("{} ({seed}), ply {ply}", board.title())));
        input += &one;
        expected.extend(lines);
    }
    let found = run(program, &input);
    assert_eq!(found.len(), expected.len());
    for ((found, expected), name) in found.iter().zip(&expected).zip(names) {
        let (mut found, mut expected): (Vec<_>, Vec<_>) = (found.split(' ').collect(), expected.split(' ').collect());
        if expected[1].parse::<usize>().unwrap() > LOOKED_AT {
            (found[3], expected[3]) = ("", "");
        }
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn the_kit_agrees_with_the_kernel_on_every_shape() {
    let Some(program) = compile("cc", "kit-shapes", &["-std=c11", "-O1"]) else { return };
    let small = shapes().into_iter().filter(|board| board.num_vertices() <= 150);
    compare(&program, small.zip(0..));
}

#[test]
fn the_kit_agrees_with_the_kernel_on_random_graphs() {
    let Some(program) = compile("cc", "kit-graphs", &["-std=c99", "-O1"]) else { return };
    compare(&program, (0..300).map(|seed| (random_board(seed), seed)));
}

#[test]
fn the_kit_is_cpp_too() {
    let Some(program) = compile("c++", "kit-cpp", &["-std=c++17", "-O1", "-x", "c++"]) else { return };
    compare(&program, (300..330).map(|seed| (random_board(seed), seed)));
}

/// A ring or a line of as many vertices as there can be, all its edges in one direction and perhaps back, full of
/// queens.
fn largest(is_ring: bool, is_one_way: bool, queens: u32) -> Board {
    let count = agon_boards::MAX_VERTICES;
    let mut draft = Draft::graph(count).unwrap();
    for from in 0..count - usize::from(!is_ring) {
        let to = (from + 1) % count;
        draft.connect(from, to, Direction::ALL[2]).unwrap();
        if !is_one_way {
            draft.connect(to, from, Direction::ALL[6]).unwrap();
        }
    }
    let apart = count as u32 / queens / 2;
    let side = |side: u32| (0..queens).map(|queen| (2 * queen + side) * apart).collect();
    draft.start = Start { queens: [side(0), side(1)], blocked: vec![], to_move: 1 };
    draft.finish().unwrap()
}

#[test]
fn the_largest_boards_fit() {
    let Some(program) = compile("cc", "kit-largest", &["-std=c11", "-O2"]) else { return };
    let run = |board: &Board| run(&program, &(setup_of(board, true) + "0\n")).remove(0);
    // Millions of moves, which take the kernel seconds: only that nothing is written beyond its end.
    run(&largest(true, true, 512));
    run(&largest(false, true, 1));
    let board = largest(true, false, 1024);
    let tables = BoardTables::new(&board, true);
    let mut evaluators = [Evaluator::new(&tables, Heuristic::Full(WEIGHTS))];
    let (found, expected) = (run(&board), line(&tables, &Position::start(&tables), &mut evaluators));
    let parts = |line: &str| {
        line.split(' ').enumerate().filter(|(at, _)| *at != 3).map(|(_, part)| part.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(parts(&found), parts(&expected));
}

#[test]
fn what_is_no_board_is_declined() {
    let Some(program) = compile("cc", "kit-declined", &["-std=c11", "-O1"]) else { return };
    let good: [&[u32]; 6] = [&[0, 1, 2, 2], &[1, 2], &[3, 3], &[0], &[2], &[]];
    let with = |at: usize, list: &'static [u32]| {
        let mut lists = good;
        lists[at] = list;
        setup(lists, true, 0) + "0\n"
    };
    assert_ne!(run(&program, &with(5, &[])), ["declined"]);
    let wrong: [(usize, &[u32]); 14] = [
        (0, &[0]),
        (0, &[0; 4098]),
        (0, &[0, 2, 1, 2]),
        (0, &[0, 1, 2, 3]),
        (0, &[0, 1, 2, u32::MAX]),
        (1, &[1, 3]),
        (1, &[1, u32::MAX]),
        (2, &[0, 3]),
        (2, &[3, 9]),
        (3, &[3]),
        (3, &[2]),
        (4, &[2, 2]),
        (5, &[0]),
        (5, &[1, 1]),
    ];
    for (at, list) in wrong {
        assert_eq!(run(&program, &with(at, list)), ["declined"], "{list:?}");
    }
}
