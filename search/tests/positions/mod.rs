//! Positions in which games were thrown away, for the tests of all clients that search.

use agon_boards::{Board, Diagonals, Placement, Start, parse};
use agon_search::{Arena, Left, Limits, Move, Plan, Position};

/// What a client has to do in a position.
pub enum Task {
    /// The side to move can fill so many vertices, and a move must waste none.
    Fills(u32),
    /// It must not play that.
    Avoids(Move),
}

/// A position, and what to do in it.
pub struct Late {
    pub task: Task,
    pub arena: Arena,
    pub position: Position,
    pub text: &'static str,
}

/// All of them.
pub fn late() -> Vec<Late> {
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
    let arena = Arena::new(&board, true);
    Late { task, position: Position::start(&arena), arena, text }
}

/// Not the clock, which depends on the machine: as many positions as are evaluated in about a second.
pub fn limits(nodes: u64) -> Limits {
    Limits { nodes, plan: plan(), clock: || 0 }
}

/// All the time there is.
fn plan() -> Plan {
    Plan::new(Left { call_us: 1_000_000, wall_us: u64::MAX, total_us: u64::MAX }, 10)
}
