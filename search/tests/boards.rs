//! Boards and positions for the tests: every shape, maps with edges that lead one way, and random directed graphs.

use agon_boards::{Board, Diagonals, Direction, Draft, Map, Placement, Start, parse};
use agon_games::{Rng, below, rng_from, seed_of};
use agon_search::{BoardTables, Position};

/// Specs of boards that embed in a narrow or a wide grid, and of those that embed in none.
pub const SPECS: [&str; 16] = [
    "square:5",
    "square:10",
    "square:16",
    "square:17",
    "square:32",
    "donut:9",
    "donut:18",
    "clover:5",
    "clover:15",
    "eight:8",
    "eight:12",
    "eight:20",
    "standard-10",
    "lagoon",
    "mini-ring",
    "mini-4",
];

/// Every shape with both rules for diagonals, and a large board that fits no grid.
pub fn shapes() -> Vec<Board> {
    let both = [Diagonals::Natural, Diagonals::Cut];
    let parsed = |spec| both.into_iter().filter_map(move |rule| parse(spec, Placement::Figures, rule).ok());
    SPECS.into_iter().flat_map(parsed).chain([tunnels()]).collect()
}

/// `docs/maps/tunnels.toml`.
pub fn tunnels() -> Board {
    Map::parse(include_str!("../../docs/maps/tunnels.toml")).unwrap().board().clone()
}

/// A random directed graph with queens on it: no grid, or the king steps of one with some cut and some made one-way.
pub fn random_board(seed: u64) -> Board {
    let mut rng = generator(seed);
    let draft = if below(&mut rng, 2) == 0 {
        let vertices = 4 + below(&mut rng, 40) as usize;
        let mut draft = Draft::graph(vertices).unwrap();
        for _ in 0..vertices * 5 {
            let [from, to] = [0, 1].map(|_| below(&mut rng, vertices as u64) as usize);
            // An edge that cannot be is left out.
            let _ = draft.connect(from, to, Direction::ALL[below(&mut rng, 8) as usize]);
        }
        draft
    } else {
        let columns = 3 + below(&mut rng, 6) as usize;
        let mut draft = Draft::graph(columns * (3 + below(&mut rng, 6) as usize)).unwrap();
        add_king_steps(&mut draft, columns, || below(&mut rng, 10) > 0);
        draft
    };
    put_pieces(draft, &mut rng)
}

/// A grid of up to 20 x 10 cells on which up to eight edges, some of them both ways, lead anywhere.
pub fn random_tunnels(seed: u64) -> Board {
    let mut rng = generator(seed);
    let columns = 5 + below(&mut rng, 16) as usize;
    let cells = columns * (5 + below(&mut rng, 6) as usize);
    let mut draft = Draft::graph(cells).unwrap();
    for _ in 0..1 + below(&mut rng, 4) {
        let [from, to] = [0, 1].map(|_| below(&mut rng, cells as u64) as usize);
        let direction = below(&mut rng, 8) as usize;
        let _ = draft.connect(from, to, Direction::ALL[direction]);
        if below(&mut rng, 2) == 0 {
            let _ = draft.connect(to, from, Direction::ALL[(direction + 4) % 8]);
        }
    }
    add_king_steps(&mut draft, columns, || true);
    put_pieces(draft, &mut rng)
}

/// The king steps of a grid of so many columns, where there is no other edge yet.
fn add_king_steps(draft: &mut Draft, columns: usize, mut is_wanted: impl FnMut() -> bool) {
    let cells = draft.num_vertices();
    for from in 0..cells {
        for direction in Direction::ALL {
            let (right, down) = direction.step();
            let column = (from % columns) as isize + right;
            let to = from as isize + down * columns as isize + right;
            let inside = (0..columns as isize).contains(&column) && (0..cells as isize).contains(&to);
            if inside && is_wanted() {
                let _ = draft.connect(from, to as usize, direction);
            }
        }
    }
}

/// Queens and arrows anywhere.
fn put_pieces(mut draft: Draft, rng: &mut Rng) -> Board {
    let count = draft.num_vertices();
    let mut vertices: Vec<u32> = (0..count as u32).collect();
    agon_games::shuffle(rng, &mut vertices);
    let queens = 1 + below(rng, (count as u64 / 4).min(5)) as usize;
    let mut blocked: Vec<u32> = vertices[2 * queens..2 * queens + count / 8].to_vec();
    let [mut first, mut second] = [vertices[..queens].to_vec(), vertices[queens..2 * queens].to_vec()];
    [&mut blocked, &mut first, &mut second].into_iter().for_each(|vertices| vertices.sort_unstable());
    draft.start = Start { queens: [first, second], blocked, to_move: below(rng, 2) as usize };
    draft.finish().unwrap()
}

pub fn generator(seed: u64) -> Rng {
    rng_from(&seed_of(seed))
}

/// Calls `visit` with the positions of a random game, the start first, every `stride`th ply.
pub fn walk_randomly(tables: &BoardTables, seed: u64, stride: usize, mut visit: impl FnMut(&Position)) {
    let mut rng = generator(seed);
    let mut position = Position::start(tables);
    let mut moves = Vec::new();
    for ply in 0.. {
        if ply % stride == 0 {
            visit(&position);
        }
        moves.clear();
        position.moves(tables, &mut moves);
        if moves.is_empty() {
            return;
        }
        position.play(tables, moves[below(&mut rng, moves.len() as u64) as usize]);
    }
}
