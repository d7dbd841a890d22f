//! The rules of the server for a client that wants them ready-made: a state of Amazons, rebuilt from the setup.

use crate::Declined;
use crate::amazons::Setup;
use agon_games::Rules;
pub use agon_games::amazons::Amazons as Position;
use agon_games::amazons::{Graph, Setting};
use std::sync::{Arc, Mutex, PoisonError};

/// The arrays that a setting was built from.
type Key = (Vec<u32>, Vec<u32>, Vec<u8>, [Vec<u32>; 2], Vec<u32>, usize, bool);

/// The last setting that was built: a client that is kept for many matches mostly meets the same board again.
static LAST: Mutex<Option<(Key, Arc<Setting>)>> = Mutex::new(None);

/// The start of the match. The seats of the rules are the sides of the setup.
///
/// # Errors
/// The setup is no board.
pub fn position(setup: &Setup) -> Result<Position, Declined> {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((key, setting)) = last.as_ref()
        && is_same(key, setup)
    {
        return Ok(Position::start(setting, 2, &[0; 32]));
    }
    let graph = Graph {
        num_vertices: setup.num_vertices,
        row_start: setup.row_start,
        targets: setup.targets,
        directions: setup.directions,
        queens: setup.queens,
        blocked: setup.blocked,
        side_to_move: setup.side_to_move,
        vacated_is_free: setup.vacated_is_free,
    };
    let setting = Arc::new(Setting::from_graph(&graph).map_err(|bad| Declined::from(bad.why))?);
    let position = Position::start(&setting, 2, &[0; 32]);
    *last = Some((key_of(setup), setting));
    Ok(position)
}

fn key_of(setup: &Setup) -> Key {
    (
        setup.row_start.to_vec(),
        setup.targets.to_vec(),
        setup.directions.to_vec(),
        setup.queens.map(<[u32]>::to_vec),
        setup.blocked.to_vec(),
        setup.side_to_move,
        setup.vacated_is_free,
    )
}

fn is_same((row_start, targets, directions, queens, blocked, side, vacated): &Key, setup: &Setup) -> bool {
    (row_start.as_slice(), targets.as_slice(), directions.as_slice())
        == (setup.row_start, setup.targets, setup.directions)
        && (queens[0].as_slice(), queens[1].as_slice()) == (setup.queens[0], setup.queens[1])
        && (blocked.as_slice(), *side, *vacated) == (setup.blocked, setup.side_to_move, setup.vacated_is_free)
}
