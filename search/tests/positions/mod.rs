//! Positions in which games were thrown away, for the tests of all clients that search.

use agon_boards::{Board, Diagonals, Placement, Start, parse};
use agon_search::{BoardTables, Judge, Left, Move, Position, Regions, SearchLimits, TimePlan};

/// The task of a client in a position.
enum Task {
    /// The side to move can fill so many vertices, and a move must waste none.
    Fills(u32),
    /// It must not play that.
    Avoids(Move),
}

/// A position, and what to do in it.
struct Late {
    task: Task,
    tables: BoardTables,
    position: Position,
    text: &'static str,
}

/// A searching client.
pub trait Searches {
    /// For a board.
    fn on(tables: &BoardTables) -> Self;
    /// Its judge of regions.
    fn judge(&mut self) -> &mut Judge;
    /// The move that it finds.
    fn search(&mut self, tables: &BoardTables, position: &mut Position, limits: SearchLimits) -> Move;
}

/// Positions evaluated: less than in a second.
const NODES: u64 = 500_000;
/// Work to find out who wins.
const ENOUGH: u64 = 60_000_000;

/// Does in every position what has to be done there.
pub fn throws_nothing_away<S: Searches>() {
    for Late { task, tables, position, text } in late() {
        let (tables, position, side) = (&tables, &mut position.clone(), position.side());
        let mut searcher = S::on(tables);
        let filling = searcher.judge().regions().fill(tables, position, limits(u64::MAX));
        let mv = filling.map_or_else(|| searcher.search(tables, position, limits(NODES)), |filling| filling.mv);
        match task {
            Task::Fills(vertices) => {
                let regions = searcher.judge().regions();
                let most = |regions: &mut Regions, position: &Position| {
                    regions.rooms(tables, position, u64::MAX).map(|rooms| rooms[side].most)
                };
                assert_eq!(most(regions, position), Some(vertices), "{text}");
                let wins = regions.wins(tables, position, ENOUGH);
                position.play(tables, mv);
                assert_eq!(most(regions, position), Some(vertices - 1), "{mv:?} wastes vertices: {text}");
                assert!(wins == Some(false) || regions.wins(tables, position, ENOUGH) == Some(false), "{mv:?}: {text}");
            }
            Task::Avoids(bad) => assert_ne!(mv, bad, "{text}"),
        }
    }
}

/// All late positions.
fn late() -> Vec<Late> {
    let lines = include_str!("late.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let standard = parse("standard-10", Placement::Figures, Diagonals::Natural).expect("a board");
    lines.map(|line| read(line, &standard)).collect()
}

fn read(line: &'static str, standard: &Board) -> Late {
    let words: Vec<&str> = line.split(' ').collect();
    let [verb, what, text] = words[..] else { panic!("{line}: not three words") };
    let board = standard.with_start(Start::parse(text, standard).expect(text)).expect(text);
    let vertex = |name: &str| (0..100).find(|vertex| board.name(*vertex) == name).expect(name) as u16;
    let task = match verb {
        "fills" => Task::Fills(what.parse().expect(what)),
        _ => {
            let [from, to, arrow] = what.split(['-', '/']).map(vertex).collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            Task::Avoids(Move { from, to, arrow })
        }
    };
    let tables = BoardTables::new(&board, true);
    Late { task, position: Position::start(&tables), tables, text }
}

/// Not the clock, which depends on the machine: as many positions as are evaluated in about a second.
fn limits(nodes: u64) -> SearchLimits {
    SearchLimits { nodes, plan: plan(), clock: || 0 }
}

/// All the time there is.
fn plan() -> TimePlan {
    TimePlan::new(Left { call_us: 1_000_000, wall_us: u64::MAX, total_us: u64::MAX, moves: None }, 10)
}
