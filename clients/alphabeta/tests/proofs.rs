//! Small boards, searched to the end in full width, have the same winner under every symmetry, and when vertices are
//! numbered otherwise.

use agon_boards::{Board, Direction, Draft, Start};
use agon_games::{rng_from, shuffle};
use agon_search::{BoardTables, CERTAIN, Evaluator, Heuristic, Lanes, Level, Position, Prover, SearchLimits, Weights};
use alphabeta::{Depth, Searcher, Settings, Widths};

/// Columns, rows, the queens of both sides, and whether the first wins.
type Solved = (i32, i32, &'static str, &'static str, bool);

const SOLVED: [Solved; 5] = [
    (3, 3, "a1", "c3", true),
    (3, 4, "a1", "c4", true),
    (4, 3, "a1", "d3", true),
    (4, 3, "a1 d1", "b3 c3", false),
    (4, 4, "a2 b1 c1 d2", "a3 b4 c4 d3", false),
];
const LARGER: [Solved; 2] = [(5, 4, "a2 b1 d1 e2", "a3 b4 d4 e3", true), (5, 5, "a2 b1 d1 e2", "a4 b5 d5 e4", true)];

type Symmetry = fn(i32, i32) -> (i32, i32);
const SYMMETRIES: [Symmetry; 8] = [
    |x, y| (x, y),
    |x, y| (-x, y),
    |x, y| (x, -y),
    |x, y| (-x, -y),
    |x, y| (y, x),
    |x, y| (-y, x),
    |x, y| (y, -x),
    |x, y| (-y, -x),
];

/// The board with its cells moved by a symmetry, and numbered in an order of chance unless `seed` is 0.
fn board((columns, rows, first, second, _): Solved, symmetry: Symmetry, seed: u8) -> Board {
    let mut cells: Vec<(i32, i32)> = (0..rows).flat_map(|y| (0..columns).map(move |x| symmetry(x, y))).collect();
    if seed > 0 {
        shuffle(&mut rng_from(&[seed; 32]), &mut cells);
    } else {
        cells.sort_by_key(|&(x, y)| (y, x));
    }
    let number = |cell: (i32, i32)| cells.iter().position(|known| *known == cell);
    let mut draft = Draft::graph(cells.len()).expect("so few vertices");
    for (from, &(x, y)) in cells.iter().enumerate() {
        for direction in Direction::ALL {
            let (right, down) = direction.step();
            if let Some(to) = number((x + right as i32, y + down as i32)) {
                draft.connect(from, to, direction).expect("a step of a king");
            }
        }
    }
    let queens = |names: &str| {
        let of = |name: &str| {
            let (x, y) = (i32::from(name.as_bytes()[0] - b'a'), i32::from(name.as_bytes()[1] - b'1'));
            number(symmetry(x, y)).expect("a cell of the board") as u32
        };
        let mut queens: Vec<u32> = names.split(' ').map(of).collect();
        queens.sort_unstable();
        queens
    };
    draft.start = Start { queens: [queens(first), queens(second)], blocked: Vec::new(), to_move: 0 };
    draft.finish().expect("a board")
}

/// Searches full width to the end.
fn search(board: &Board, first_wins: bool) {
    let settings = Settings {
        heuristic: Heuristic::Full(Weights::TUNED),
        lanes: Lanes::Auto,
        depth: Depth::Plies(u8::MAX),
        nodes: u64::MAX,
        level: Level::of(Level::HIGHEST),
        widths: Widths::full(),
        table: 1 << 24,
        threads: 1,
        name: "",
    };
    let tables = BoardTables::new(board, true);
    let limits = SearchLimits::of_nodes(u64::MAX);
    let found = Searcher::new(&tables, &settings).search(&tables, &mut Position::start(&tables), u8::MAX, limits);
    assert!(found.value.abs() >= CERTAIN, "{found:?}");
    assert_eq!(found.value > 0, first_wins, "{found:?}");
}

/// By proof numbers; returns the positions evaluated.
fn prove(board: &Board, first_wins: bool, bytes: u64) -> u64 {
    let tables = BoardTables::new(board, true);
    let evaluator = Evaluator::new(&tables, Heuristic::Full(Weights::TUNED));
    let proven = Prover::new(&tables, evaluator, bytes).prove(&tables, &mut Position::start(&tables), u64::MAX);
    assert_eq!((proven.wins, proven.best.is_some()), (Some(first_wins), first_wins));
    proven.nodes
}

#[test]
fn small_boards_are_proved_under_every_symmetry_and_numbering() {
    for solved in SOLVED {
        for (number, symmetry) in (1..).zip(SYMMETRIES) {
            for seed in [0, number] {
                let board = board(solved, symmetry, seed);
                search(&board, solved.4);
                prove(&board, solved.4, 1 << 20);
            }
        }
    }
    prove(&board(LARGER[0], SYMMETRIES[0], 0), LARGER[0].4, 1 << 26);
}

#[test]
fn a_proof_stops_when_it_may_look_at_no_more_positions() {
    let tables = BoardTables::new(&board(LARGER[1], SYMMETRIES[0], 0), true);
    let mut prover = Prover::new(&tables, Evaluator::new(&tables, Heuristic::Territory), 1 << 20);
    let mut position = Position::start(&tables);
    let proven = prover.prove(&tables, &mut position, 10_000);
    assert_eq!((proven.wins, proven.best, position), (None, None, Position::start(&tables)));
    assert!((10_000..20_000).contains(&proven.nodes), "{proven:?}");
}

#[test]
#[ignore = "a benchmark: minutes, and four gigabytes"]
fn larger_boards_are_proved() {
    for solved in LARGER {
        let start = std::time::Instant::now();
        let nodes = prove(&board(solved, SYMMETRIES[0], 0), solved.4, 1 << 32);
        println!("{} x {}: {nodes} positions evaluated in {:.1} s", solved.0, solved.1, start.elapsed().as_secs_f64());
    }
}
