//! Games from random openings are played until the regions are closed, and then to the end by filling: exactly, and
//! without a vertex wasted.

use agon_boards::{Diagonals, Placement, parse};
use agon_client_api::Options;
use agon_games::{Rng, below, rng_from, seed_of};
use agon_search::{BoardTables, Position, Regions, SearchLimits};
use alphabeta::{Searcher, Settings};
use std::time::Instant;

/// Positions evaluated for each move before that.
const NODES: u64 = 1_000;
const OPENING: u32 = 6;

const AT_LEISURE: SearchLimits = SearchLimits::of_nodes(u64::MAX);

/// The moves of the closed positions.
#[derive(Default)]
struct Seen {
    /// For each closed position, the time of its move in ms.
    times: Vec<f64>,
    /// How many games.
    games: u32,
    /// Positions in which who wins hangs on a queen between the sides.
    open: u32,
    /// Text of those that took longest.
    worst: (f64, String),
}

fn close(tables: &BoardTables, rng: &mut Rng) -> Position {
    let settings = Settings::read(&Options(""), 1 << 22, 1).expect("no options");
    let mut searchers = [(); 2].map(|()| Searcher::new(tables, &settings));
    let mut position = Position::start(tables);
    for _ in 0..OPENING {
        position.play_by_chance(tables, |bound| below(rng, bound));
    }
    while position.has_move(tables) && searchers[0].judge().regions().rooms(tables, &position, 0).is_none() {
        let limits = SearchLimits { nodes: NODES, ..AT_LEISURE };
        let found = searchers[position.side()].search(tables, &mut position, u8::MAX, limits);
        position.play(tables, found.line[0]);
    }
    position
}

/// Fills to the end; where the regions do not tell the winner by some other move.
fn fill_up(tables: &BoardTables, mut position: Position, rng: &mut Rng, seen: &mut Seen) {
    let mut regions = Regions::new(tables);
    while position.has_move(tables) {
        let side = position.side();
        // Nothing is remembered of the moves before.
        let mut fresh = Regions::new(tables);
        let start = Instant::now();
        let filling = fresh.fill(tables, &position, AT_LEISURE);
        let time = start.elapsed().as_secs_f64() * 1e3;
        let Some(filling) = filling else {
            seen.open += 1;
            position.play_by_chance(tables, |bound| below(rng, bound));
            continue;
        };
        seen.times.push(time);
        if time > seen.worst.0 {
            let list = |side| position.queens(side).iter().map(u16::to_string).collect::<Vec<_>>().join(",");
            let blocked = (0..tables.num_vertices() as u16).filter(|vertex| is_blocked(tables, &position, *vertex));
            let blocked = blocked.map(|vertex| vertex.to_string()).collect::<Vec<_>>().join(",");
            seen.worst = (time, format!("1={}/2={}/x={blocked}/move={}", list(0), list(1), side + 1));
        }
        let own = filling.own;
        position.play(tables, filling.mv);
        assert!(own.is_exact() || filling.other.least > own.most || own.least > filling.other.most, "{filling}");
        if own.is_exact() && own.least > 0 {
            let after = regions.rooms(tables, &position, u64::MAX).expect("it stays closed");
            assert_eq!(after[side].least + 1, own.least, "{:?} wastes vertices", filling.mv);
        }
    }
}

fn is_blocked(tables: &BoardTables, position: &Position, vertex: u16) -> bool {
    position.is_occupied(tables, vertex) && [0, 1].iter().all(|side| !position.queens(*side).contains(&vertex))
}

fn see(positions: usize) -> Seen {
    let board = parse("standard-10", Placement::Figures, Diagonals::Natural).expect("a board");
    let tables = BoardTables::new(&board, true);
    let mut seen = Seen::default();
    for game in 0.. {
        if seen.times.len() >= positions {
            break;
        }
        let mut rng = rng_from(&seed_of(game));
        let closed = close(&tables, &mut rng);
        seen.games += 1;
        fill_up(&tables, closed, &mut rng, &mut seen);
    }
    seen.times.sort_by(f64::total_cmp);
    let at = |part: f64| seen.times[((seen.times.len() - 1) as f64 * part) as usize];
    println!(
        "{} games, {} closed positions, {} more where it hangs on a queen between the sides; a move took {:.2} ms in the median, \
         {:.1} in 99 of 100, {:.1} at most",
        seen.games,
        seen.times.len(),
        seen.open,
        at(0.5),
        at(0.99),
        at(1.0)
    );
    println!("{}", seen.worst.1);
    seen
}

#[test]
fn closed_positions_are_filled_without_waste_and_in_time() {
    let Seen { times, worst, .. } = see(2_000);
    assert!(times[times.len() / 2] <= 50.0 && worst.0 <= 1_000.0, "{worst:?}");
}

#[test]
#[ignore = "some ten seconds"]
fn no_vertex_is_wasted_in_many_games() {
    let seen = see(13_000);
    assert!(seen.games >= 500, "{} games", seen.games);
}
